/* How a seat's pieces get about: what the files that list, count and weigh moves are made from. */
#ifndef DIAMOND_REACH_H
#define DIAMOND_REACH_H

#include <string.h>

#include "diamond_board.h"
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
    lanes seeds;              /* landings of first jumps whose components have not been told yet */
};

/* A component of the jump graph in each lane, or none: men and where they can get, each of the men to each of the
 * points. Lanes as numbers. */
struct components {
    uint64_t men[DIAMOND_LANES];    /* men of the seat that jump into the component at once */
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

/* Takes one component out of each lane that has any left; false when there is none. A man's jumps go on from its first
 * landing, never over its own origin: all landings are of one lane, what is jumped is of the others. */
INLINE bool next_components(struct jumps *jumps, struct components *components)
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
    memcpy(components->points, &points, sizeof points);
    memcpy(components->men, &men, sizeof men);
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
    uint32_t code = move_code(seat, from, to);
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

#endif
