#include "diamond_moves.h"

#include "diamond_reach.h"

/* Where each man of a seat can land, by its point; other points have no meaning. */
struct landings {
    mask of[DIAMOND_POINTS];
};

/* Finds the landings of all men of a seat, by steps and by jumps. */
INLINE void fill_landings(const struct diamond *setup, const struct diamond_position *position, unsigned seat,
                          const struct ground *ground, struct landings *landings)
{
    struct jumps jumps;
    struct components components;
    for (mask men = position->men[seat]; men;) {
        unsigned from = mask_take(&men);
        landings->of[from] = setup->near[from] & ground->land;
    }
    fill_jumps(setup, position, seat, &jumps);
    while (next_components(&jumps, &components))
        for (unsigned lane = 0; lane < DIAMOND_LANES; lane++) {
            mask points = lane_points(setup, lane, components.points[lane]);
            for (uint64_t men = components.men[lane]; men; men &= men - 1)
                landings->of[setup->point[lane][__builtin_ctzll(men)]] |= points;
        }
}

HOT int diamond_generate(const void *memory, const void *board, unsigned seat, struct move *moves)
{
    const struct diamond *setup = memory;
    const struct diamond_position *position = board;
    struct move *end = moves;
    struct ground ground;
    struct landings landings;
    fill_ground(setup, position, seat, &ground);
    fill_landings(setup, position, seat, &ground, &landings);
    for (mask pieces = diamond_pieces(position, seat); pieces;) {
        unsigned from = mask_take(&pieces);
        bool king = from == position->king[seat];
        const int32_t *worth = king ? setup->king_worth[seat] : setup->man_worth[seat];
        mask to = king ? king_reach(setup, position, seat, &ground) : landings.of[from];
        bool inside = setup->target[seat] >> from & 1;
        mask winning = inside ? 0 : winning_point(setup, position, ground.occupied, seat, king);
        end = write_moves(end, seat, worth, winning, from, to & ends(setup, &ground, seat, from));
    }
    return (int)(end - moves);
}

/* The number of bits of four lanes. */
INLINE unsigned count_lanes(const lanes *set)
{
    uint64_t bits[DIAMOND_LANES];
    memcpy(bits, set, sizeof bits);
    return (unsigned)(__builtin_popcountll(bits[0]) + __builtin_popcountll(bits[1]) +
                      __builtin_popcountll(bits[2]) + __builtin_popcountll(bits[3]));
}

/* Each lane's neighbours in the lane of the next points along an axis, brought to the points that they are next to:
 * the lane is another, and the shift depends on where the first lies. */
INLINE void to_neighbours(lanes *set, int axis)
{
    /* By the parities of the two coordinates that make a lane; see fill_lanes in diamond_board.c. */
    if (axis == 0)
        *set = __builtin_shuffle(*set, (lanes){2, 3, 0, 1}) >> (lanes){0, 0, 1, 1};
    else if (axis == 1)
        *set = __builtin_shuffle(*set, (lanes){1, 0, 3, 2}) >> (lanes){0, 7, 0, 7};
    else
        *set = __builtin_shuffle(*set, (lanes){3, 2, 1, 0}) << 1 >> (lanes){0, 7, 1, 8};
}

/* The number of steps of all men, when every one may end on the same points. */
INLINE unsigned count_steps(const struct diamond *setup, const struct jumps *jumps)
{
    lanes ahead[DIAMOND_AXES], back[DIAMOND_AXES];
    for (int axis = 0; axis < DIAMOND_AXES; axis++) {
        lanes own = jumps->own, land = jumps->land, next;
        lanes_read(&next, setup->neighboured[axis]);
        to_neighbours(&own, axis);
        to_neighbours(&land, axis);
        ahead[axis] = jumps->own & land & next;
        back[axis] = jumps->land & own & next;
    }
    /* Three sets are added bit by bit, so that two need counting. */
    lanes one = ahead[0] ^ ahead[1] ^ ahead[2], two = (ahead[0] & ahead[1]) | (ahead[2] & (ahead[0] ^ ahead[1]));
    lanes three = back[0] ^ back[1] ^ back[2], four = (back[0] & back[1]) | (back[2] & (back[0] ^ back[1]));
    return count_lanes(&one) + count_lanes(&three) + 2 * (count_lanes(&two) + count_lanes(&four));
}

/* The number of jumps of men that have nowhere to go on to; takes their landings out of the seeds. All men may end
 * wherever they land. */
INLINE unsigned count_single_jumps(struct jumps *jumps)
{
    lanes linked = {0}, way[2 * DIAMOND_AXES];
    for (int axis = 0; axis < DIAMOND_AXES; axis++)
        linked |= jumps->link[axis] | jumps->link[axis] << diamond_jump[axis];
    lanes single = jumps->seeds & ~linked;
    for (int axis = 0; axis < DIAMOND_AXES; axis++) {
        int by = diamond_jump[axis];
        way[2 * axis] = jumps->over[axis] & jumps->own & single >> by;
        way[2 * axis + 1] = jumps->over[axis] & jumps->own >> by & single;
    }
    jumps->seeds &= linked;
    lanes one = way[0] ^ way[1] ^ way[2], two = (way[0] & way[1]) | (way[2] & (way[0] ^ way[1]));
    lanes three = way[3] ^ way[4] ^ way[5], four = (way[3] & way[4]) | (way[5] & (way[3] ^ way[4]));
    return count_lanes(&one) + count_lanes(&three) + 2 * (count_lanes(&two) + count_lanes(&four));
}

/* The number of jumps of all men. */
INLINE unsigned count_jumps(const struct diamond *setup, const struct ground *ground, unsigned seat,
                            struct jumps *jumps)
{
    struct components components;
    unsigned count = 0;
    while (next_components(jumps, &components))
        for (unsigned lane = 0; lane < DIAMOND_LANES; lane++) {
            uint64_t men = components.men[lane];
            if (ground->plain) {
                count += (unsigned)(__builtin_popcountll(men) * __builtin_popcountll(components.points[lane]));
                continue;
            }
            for (mask to = lane_points(setup, lane, components.points[lane]); men; men &= men - 1)
                count += mask_count(to & ends(setup, ground, seat, setup->point[lane][__builtin_ctzll(men)]));
        }
    return count;
}

HOT unsigned diamond_count(const void *memory, const void *board)
{
    const struct diamond *setup = memory;
    const struct diamond_position *position = board;
    unsigned seat = position->head.turn, count = 0;
    struct ground ground;
    struct jumps jumps;
    fill_ground(setup, position, seat, &ground);
    fill_jumps(setup, position, seat, &jumps);
    if (ground.plain)
        count = count_steps(setup, &jumps);
    else
        for (mask men = position->men[seat]; men;) {
            unsigned from = mask_take(&men);
            count += mask_count(setup->near[from] & ground.land & ends(setup, &ground, seat, from));
        }
    if (ground.plain)
        count += count_single_jumps(&jumps);
    count += count_jumps(setup, &ground, seat, &jumps);
    return count + mask_count(king_ends(setup, position, &ground, seat));
}
