#include "diamond_moves.h"

#include <string.h>

#include "hot.h"

/* The sets that every move of one seat is made from. */
struct ground {
    mask occupied;            /* all pieces */
    mask land;                /* empty points open to the seat */
    mask stop;                /* points on which the seat may end a move */
    mask banned;              /* of those, the ones that would complete another seat's target from outside */
    mask inside;              /* that other seat's target; 0 without a ban */
    bool plain;               /* whether every man may end wherever it may land */
};

/* The men's jumps, in lanes. */
struct jumps {
    lanes own;                /* the seat's men */
    lanes land;               /* empty points open to the seat */
    lanes over[DIAMOND_AXES]; /* pairs of points with a man between, by the lower one */
    lanes link[DIAMOND_AXES]; /* of those, pairs that are both empty and open */
    lanes seeds;              /* landings of first jumps whose groups have not been told yet */
};

/* Men and where they can get: each of the men to each of the points. Lanes as numbers. */
struct group {
    uint64_t men[DIAMOND_LANES];    /* men of the seat that jump into the group at once */
    uint64_t points[DIAMOND_LANES]; /* its points, between which a man can jump to and fro */
};

/* The one empty point of a seat's target when its king is on the apex, else 0: who fills it from outside brings
 * the target into the winning form. */
INLINE mask last_point(const struct diamond *setup, const struct diamond_position *position, mask occupied,
                       unsigned seat)
{
    if (position->king[seat] != setup->apex[seat])
        return 0;
    mask empty = setup->target[seat] & ~occupied;
    return empty & (empty - 1) ? 0 : empty;
}

/* The point on which a move of the seat's own wins, or 0: for men the last empty one with the king at home, for the
 * king the apex when only that is empty. Moves that begin inside the target never win. */
INLINE mask winning_point(const struct diamond *setup, const struct diamond_position *position, mask occupied,
                          unsigned seat, bool king)
{
    if (!king)
        return last_point(setup, position, occupied, seat);
    mask empty = setup->target[seat] & ~occupied;
    return empty == mask_of(setup->apex[seat]) ? empty : 0;
}

/* Fills the sets for a seat; `banned` and `inside` are empty unless another seat in play lacks one point only. */
INLINE void fill_ground(const struct diamond *setup, const struct diamond_position *position, unsigned seat,
                        struct ground *ground)
{
    ground->occupied = diamond_occupied(position);
    ground->land = setup->open[seat] & ~ground->occupied;
    ground->stop = setup->stop[seat] & ~ground->occupied;
    ground->banned = ground->inside = 0;
    for (unsigned other = 0; other < position->players; other++) {
        if (other == seat || !(position->head.in_play >> other & 1))
            continue;
        mask last = last_point(setup, position, ground->occupied, other);
        if (last) {
            ground->banned |= last;
            ground->inside |= setup->target[other];
        }
    }
    ground->plain = !ground->banned && setup->leave_target && setup->border_stop;
}

/* Where a piece from `origin` may end its move. Two targets with one point missing each are told apart: a piece
 * inside one of them may fill that one only. */
INLINE mask ends(const struct diamond *setup, const struct ground *ground, unsigned seat, unsigned origin)
{
    mask stop = ground->stop, from = mask_of(origin);
    if (ground->banned) {
        stop &= ~ground->banned;
        if (ground->inside & from)
            for (unsigned other = 0; other < DIAMOND_SEATS; other++)
                if (other != seat && setup->target[other] & from)
                    stop |= ground->banned & setup->target[other] & ground->stop;
    }
    if (!setup->leave_target && setup->target[seat] & from)
        stop &= setup->target[seat];
    return stop;
}

/* Whether any lane has a bit. */
INLINE bool any_lane(const lanes *set)
{
    uint64_t bits[DIAMOND_LANES];
    memcpy(bits, set, sizeof bits);
    return bits[0] | bits[1] | bits[2] | bits[3];
}

/* Finds the jumps of a seat's men. */
INLINE void fill_jumps(const struct diamond *setup, const struct diamond_position *position, unsigned seat,
                       struct jumps *jumps)
{
    lanes taken[DIAMOND_SEATS], open;
    for (unsigned other = 0; other < DIAMOND_SEATS; other++)
        lanes_read(&taken[other], position->own[other]);
    lanes_read(&open, setup->open_lanes[seat]);
    jumps->own = taken[seat];
    jumps->land = open & ~(taken[0] | taken[1] | taken[2]);
    for (unsigned other = 0; other < position->players; other++) {
        lanes king;
        lanes_read(&king, setup->place[position->king[other]].bit);
        jumps->land &= ~king;
    }
    jumps->seeds = (lanes){0};
    for (int axis = 0; axis < DIAMOND_AXES; axis++) {
        int by = diamond_jump[axis];
        lanes_read(&jumps->over[axis], position->over[axis]);
        lanes ahead = jumps->over[axis] & jumps->land >> by;
        jumps->link[axis] = ahead & jumps->land;
        jumps->seeds |= (ahead & jumps->own) << by | (jumps->over[axis] & jumps->own >> by & jumps->land);
    }
}

/* Adds to each lane's points those that are one jump away. */
INLINE void spread(const struct jumps *jumps, lanes *points)
{
    lanes from = *points;
    for (int axis = 0; axis < DIAMOND_AXES; axis++) {
        int by = diamond_jump[axis];
        *points |= (from & jumps->link[axis]) << by | (from >> by & jumps->link[axis]);
    }
}

/* Takes one group out of each lane that has any left; false when there is none. A man's jumps go on from its first
 * landing, never over its own origin: all landings are of one lane, what is jumped is of the others. */
INLINE bool next_group(struct jumps *jumps, struct group *group)
{
    if (!any_lane(&jumps->seeds))
        return false;
    lanes points = jumps->seeds & -jumps->seeds, before, men = {0};
    do {
        spread(jumps, &points);
        before = points;
        spread(jumps, &points);
        before ^= points;
    } while (any_lane(&before));
    for (int axis = 0; axis < DIAMOND_AXES; axis++) {
        int by = diamond_jump[axis];
        men |= (jumps->over[axis] & points >> by) | (jumps->over[axis] & points) << by;
    }
    men &= jumps->own;
    jumps->seeds &= ~points;
    memcpy(group->points, &points, sizeof points);
    memcpy(group->men, &men, sizeof men);
    return true;
}

/* The landings of a king along one line, in both directions at once, given the line's men and open points and the bits
 * of what is next to the king. Adding these carries through a run of men to the point behind it. Whether another king
 * stands there is not seen here. */
INLINE uint32_t king_landings(uint32_t men, uint32_t open, uint32_t next, uint32_t short_runs)
{
    return (men + next) & ~(men | next | (next << 1 & short_runs)) & open;
}

/* Where a seat's king can go by a step or a chain of jumps, its origin not among it. A run that holds a king is never
 * jumped: the king is met as the point behind the men before it, and is no landing. */
INLINE mask king_reach(const struct diamond *setup, const struct diamond_position *position, unsigned seat,
                       const struct ground *ground)
{
    unsigned origin = position->king[seat];
    uint32_t short_runs = setup->king_min_run > 1 ? ~0u : 0;
    mask open = ground->land | mask_of(origin), reach = mask_of(origin), queue = reach;
    while (queue) {
        const struct diamond_place *here = &setup->place[mask_take(&queue)];
        for (int axis = 0; axis < DIAMOND_AXES; axis++) {
            unsigned line = here->line[axis];
            const uint8_t *point = setup->line_point[axis][line];
            uint32_t found = king_landings(position->line[axis][line], setup->open_line[seat][axis][line],
                                           here->next_in_line[axis], short_runs);
            for (; found; found &= found - 1) {
                mask landing = mask_of(point[__builtin_ctz(found)]) & open;
                queue |= landing & ~reach;
                reach |= landing;
            }
        }
    }
    return (reach | (setup->near[origin] & ground->land)) & ~mask_of(origin);
}

/* Where the king may go. */
INLINE mask king_ends(const struct diamond *setup, const struct diamond_position *position,
                      const struct ground *ground, unsigned seat)
{
    return king_reach(setup, position, seat, ground) & ends(setup, ground, seat, position->king[seat]);
}

/* The move from one point to another, with what it gains. */
INLINE struct move move_of(unsigned seat, const int32_t *worth, mask winning, unsigned from, unsigned to)
{
    uint32_t code = (uint32_t)seat << 30 | from | to << 7;
    if (winning & mask_of(to))
        return (struct move){code, ENGINE_GAIN_WINS};
    return (struct move){code, worth[to] - worth[from]};
}

/* Writes the moves of one piece and answers the place behind the last. */
INLINE struct move *write_moves(struct move *moves, unsigned seat, const int32_t *worth, mask winning, unsigned from,
                                mask to)
{
    while (to)
        *moves++ = move_of(seat, worth, winning, from, mask_take(&to));
    return moves;
}

/* A lane's bits as a set of points. */
INLINE mask lane_points(const struct diamond *setup, unsigned lane, uint64_t bits)
{
    mask set = 0;
    for (; bits; bits &= bits - 1)
        set |= mask_of(setup->point[lane][__builtin_ctzll(bits)]);
    return set;
}

/* Where each man of a seat can land, by its point; other points have no meaning. */
struct landings {
    mask of[DIAMOND_POINTS];
};

/* Finds the landings of all men of a seat, by steps and by jumps. */
INLINE void fill_landings(const struct diamond *setup, const struct diamond_position *position, unsigned seat,
                          const struct ground *ground, struct landings *landings)
{
    struct jumps jumps;
    struct group group;
    for (mask men = position->men[seat]; men;) {
        unsigned from = mask_take(&men);
        landings->of[from] = setup->near[from] & ground->land;
    }
    fill_jumps(setup, position, seat, &jumps);
    while (next_group(&jumps, &group))
        for (unsigned lane = 0; lane < DIAMOND_LANES; lane++) {
            mask points = lane_points(setup, lane, group.points[lane]);
            for (uint64_t men = group.men[lane]; men; men &= men - 1)
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

/* The greatest gain of a man's jump, or INT32_MIN when none can jump. */
INLINE int32_t best_jump(const struct diamond *setup, const struct diamond_position *position, unsigned seat)
{
    struct jumps jumps;
    struct group group;
    int32_t best = INT32_MIN;
    fill_jumps(setup, position, seat, &jumps);
    while (next_group(&jumps, &group))
        for (unsigned lane = 0; lane < DIAMOND_LANES; lane++) {
            const int32_t *worth = setup->lane_worth[seat][lane];
            if (!group.points[lane])
                continue;
            int32_t to = INT32_MIN, from = INT32_MAX;
            for (uint64_t points = group.points[lane]; points; points &= points - 1) {
                int32_t here = worth[__builtin_ctzll(points)];
                to = here > to ? here : to;
            }
            for (uint64_t men = group.men[lane]; men; men &= men - 1) {
                int32_t here = worth[__builtin_ctzll(men)];
                from = here < from ? here : from;
            }
            best = to - from > best ? to - from : best;
        }
    return best;
}

/* The greatest gain of one piece that may go to any of `to`, or `best` if that is more. */
INLINE int32_t best_of(const int32_t *worth, unsigned from, mask to, int32_t best)
{
    while (to) {
        int32_t gain = worth[mask_take(&to)] - worth[from];
        best = gain > best ? gain : best;
    }
    return best;
}

/* The same as `diamond_best_gain` by way of the list of moves. */
static int32_t best_listed(const void *setup, const void *position, unsigned seat)
{
    struct move moves[ENGINE_MOVES_MAX];
    int32_t best = INT32_MIN;
    int count = diamond_generate(setup, position, seat, moves);
    for (int n = 0; n < count; n++)
        best = moves[n].gain > best ? moves[n].gain : best;
    return count ? best : 0;
}

HOT int32_t diamond_best_gain(const void *memory, const void *board, unsigned seat)
{
    const struct diamond *setup = memory;
    const struct diamond_position *position = board;
    struct ground ground;
    unsigned king = position->king[seat];
    fill_ground(setup, position, seat, &ground);
    mask empty = setup->target[seat] & ~ground.occupied;
    if (!ground.plain || !(empty & (empty - 1)))
        return best_listed(setup, position, seat);
    int32_t best = best_jump(setup, position, seat);
    for (mask men = position->men[seat]; men && best < setup->step_most;) {
        unsigned from = mask_take(&men);
        best = best_of(setup->man_worth[seat], from, setup->near[from] & ground.land, best);
    }
    if (setup->king_most - setup->king_worth[seat][king] > best)
        best = best_of(setup->king_worth[seat], king, king_reach(setup, position, seat, &ground), best);
    return best == INT32_MIN ? 0 : best;
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
    struct group group;
    unsigned count = 0;
    while (next_group(jumps, &group))
        for (unsigned lane = 0; lane < DIAMOND_LANES; lane++) {
            uint64_t men = group.men[lane];
            if (ground->plain) {
                count += (unsigned)(__builtin_popcountll(men) * __builtin_popcountll(group.points[lane]));
                continue;
            }
            for (mask to = lane_points(setup, lane, group.points[lane]); men; men &= men - 1)
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
