#include "diamond_moves.h"

#include <string.h>

#include "hot.h"

enum { GROUPS_MAX = 1 + DIAMOND_POINTS / 2 }; /* a group has at least two points, none of them another's */

/* The sets that every move of one seat is made from; [axis] is the layout. */
struct ground {
    mask men[DIAMOND_AXES];   /* men of all seats: what may be jumped */
    mask land[DIAMOND_AXES];  /* empty points open to the seat */
    mask occupied;            /* all pieces, layout 0 */
    mask stop;                /* points on which the seat may end a move, layout 0 */
    mask banned;              /* of those, the ones that would complete another seat's target from outside */
    mask inside;              /* that other seat's target; 0 without a ban */
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
    for (int axis = 0; axis < DIAMOND_AXES; axis++) {
        mask occupied = ground->men[axis] =
            position->men[0][axis] | position->men[1][axis] | position->men[2][axis];
        for (unsigned other = 0; other < position->players; other++)
            occupied |= mask_of(setup->place[axis][position->king[other]].bit);
        ground->land[axis] = setup->open[seat][axis] & ~occupied;
        if (axis == 0)
            ground->occupied = occupied;
    }
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

/* The groups of empty points between which a man can jump to and fro. */
struct groups {
    uint8_t label[128];        /* the group of a point by id, 0 for none; follow `joined` from there */
    uint8_t joined[GROUPS_MAX]; /* the group into which a group was merged; itself when it was not */
    mask points[GROUPS_MAX];    /* the points of a group that was not merged away */
    unsigned count;            /* groups made so far; number 0 is not used */
};

/* The group that `group` is part of now. */
INLINE unsigned group_now(const struct groups *groups, unsigned group)
{
    while (groups->joined[group] != group)
        group = groups->joined[group];
    return group;
}

/* Notes that a man can jump between two points. */
INLINE void link_points(struct groups *groups, unsigned left, unsigned right)
{
    unsigned one = group_now(groups, groups->label[left]), two = group_now(groups, groups->label[right]);
    if (!one && !two) {
        one = two = ++groups->count;
        groups->joined[one] = (uint8_t)one;
        groups->points[one] = 0;
    }
    unsigned into = one ? one : two;
    if (one && two && one != two) {
        groups->joined[two] = (uint8_t)one;
        groups->points[one] |= groups->points[two];
    }
    groups->points[into] |= mask_of(left) | mask_of(right);
    if (!groups->label[left])
        groups->label[left] = (uint8_t)into;
    if (!groups->label[right])
        groups->label[right] = (uint8_t)into;
}

/* Finds the groups. Jumps shift a man by two points along an axis, so no chain comes to jump over its own origin:
 * one set of groups serves all men of the seat. */
INLINE void fill_groups(const struct diamond *setup, const struct ground *ground, struct groups *groups)
{
    memset(groups->label, 0, sizeof groups->label);
    groups->count = 0;
    groups->joined[0] = 0;
    for (int axis = 0; axis < DIAMOND_AXES; axis++) {
        const uint8_t *point = setup->point[axis];
        mask land = ground->land[axis];
        mask from = land & ground->men[axis] >> 1 & land >> 2 & setup->next[axis][2];
        while (from) {
            unsigned bit = mask_take(&from);
            link_points(groups, point[bit], point[bit + 2]);
        }
    }
}

/* The jump chains of all men of a seat. */
struct chains {
    mask origins;                /* men that can jump at all, layout 0 */
    mask reach[DIAMOND_POINTS];  /* by origin, for those in `origins`: where their chains lead */
};

/* Adds everything that lies behind one first jump. */
INLINE void add_chain(const struct groups *groups, struct chains *chains, unsigned origin, unsigned landing)
{
    unsigned group = group_now(groups, groups->label[landing]);
    mask reach = group ? groups->points[group] : mask_of(landing);
    if (!(chains->origins & mask_of(origin))) {
        chains->origins |= mask_of(origin);
        chains->reach[origin] = 0;
    }
    chains->reach[origin] |= reach;
}

/* Finds the chains of all men of a seat; `origins` is empty when none can jump. */
INLINE void fill_chains(const struct diamond *setup, const struct diamond_position *position, unsigned seat,
                        const struct ground *ground, struct chains *chains)
{
    struct groups groups;
    fill_groups(setup, ground, &groups);
    chains->origins = 0;
    for (int axis = 0; axis < DIAMOND_AXES; axis++) {
        const uint8_t *point = setup->point[axis];
        mask own = position->men[seat][axis], land = ground->land[axis], men = ground->men[axis];
        mask ahead = own & men >> 1 & land >> 2 & setup->next[axis][2];
        mask back = own & (men & (land & setup->next[axis][2]) << 1) << 1;
        while (ahead) {
            unsigned bit = mask_take(&ahead);
            add_chain(&groups, chains, point[bit], point[bit + 2]);
        }
        while (back) {
            unsigned bit = mask_take(&back);
            add_chain(&groups, chains, point[bit], point[bit - 2]);
        }
    }
}

/* The bits of one line of a layout, its first at bit 0. */
INLINE uint32_t line_of(mask set, const struct diamond_place *place)
{
    return (uint32_t)(set >> place->start) & ((2u << (place->last - place->start)) - 1);
}

/* The landings of a king from `place` along one line, given the line's pieces, kings and open empty points. */
INLINE uint32_t king_landings(uint32_t pieces, uint32_t kings, uint32_t land, unsigned at, unsigned min_run)
{
    uint32_t found = 0;
    unsigned run = (unsigned)__builtin_ctz(~(pieces >> (at + 1)));
    if (run >= min_run && !(kings & ((1u << run) - 1) << (at + 1)))
        found |= land & 1u << (at + 1 + run);
    /* The bits below `at` from the top of the word: a run that ends on the line's edge meets the zero behind. */
    uint32_t below = at ? pieces << (32 - at) : 0;
    run = (unsigned)__builtin_clz(~below);
    if (run >= min_run && run < at && !(kings & ((1u << run) - 1) << (at - run)))
        found |= land & 1u << (at - 1 - run);
    return found;
}

/* Where a seat's king can go by a step or a chain of jumps, its origin not among it. */
INLINE mask king_reach(const struct diamond *setup, const struct diamond_position *position, unsigned seat,
                       const struct ground *ground)
{
    unsigned origin = position->king[seat];
    mask pieces[DIAMOND_AXES], kings[DIAMOND_AXES], land[DIAMOND_AXES], steps = 0;
    for (int axis = 0; axis < DIAMOND_AXES; axis++) {
        mask own = mask_of(setup->place[axis][origin].bit);
        kings[axis] = 0;
        for (unsigned other = 0; other < position->players; other++)
            kings[axis] |= mask_of(setup->place[axis][position->king[other]].bit);
        kings[axis] &= ~own;
        pieces[axis] = ground->men[axis] | kings[axis];
        land[axis] = ground->land[axis] | own;
    }
    mask reach = mask_of(origin), queue = reach;
    while (queue) {
        unsigned here = mask_take(&queue);
        for (int axis = 0; axis < DIAMOND_AXES; axis++) {
            const struct diamond_place *place = &setup->place[axis][here];
            const uint8_t *point = setup->point[axis] + place->start;
            unsigned at = place->bit - place->start;
            uint32_t lands = line_of(land[axis], place);
            uint32_t found = king_landings(line_of(pieces[axis], place), line_of(kings[axis], place), lands, at,
                                           (unsigned)setup->king_min_run);
            for (; found; found &= found - 1) {
                mask landing = mask_of(point[__builtin_ctz(found)]);
                queue |= landing & ~reach;
                reach |= landing;
            }
            if (here == origin)
                for (uint32_t near = lands & (2u << at | 1u << at >> 1); near; near &= near - 1)
                    steps |= mask_of(point[__builtin_ctz(near)]);
        }
    }
    return (reach | steps) & ~mask_of(origin);
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

/* The empty open neighbours of a point. */
INLINE mask steps_of(const struct diamond *setup, const struct ground *ground, unsigned from)
{
    mask steps = 0;
    for (int axis = 0; axis < DIAMOND_AXES; axis++) {
        unsigned bit = setup->place[axis][from].bit;
        mask here = mask_of(bit), next = setup->next[axis][1];
        if (ground->land[axis] & (here & next) << 1)
            steps |= mask_of(setup->point[axis][bit + 1]);
        if (ground->land[axis] & here >> 1 & next)
            steps |= mask_of(setup->point[axis][bit - 1]);
    }
    return steps;
}

/* Where the man on `from` may go. */
INLINE mask man_ends(const struct diamond *setup, const struct ground *ground, const struct chains *chains,
                     unsigned seat, unsigned from)
{
    mask to = steps_of(setup, ground, from);
    if (chains->origins & mask_of(from))
        to |= chains->reach[from];
    return to & ends(setup, ground, seat, from);
}

/* Where the king may go. */
INLINE mask king_ends(const struct diamond *setup, const struct diamond_position *position,
                      const struct ground *ground, unsigned seat)
{
    return king_reach(setup, position, seat, ground) & ends(setup, ground, seat, position->king[seat]);
}

HOT int diamond_generate(const void *memory, const void *board, unsigned seat, struct move *moves)
{
    const struct diamond *setup = memory;
    const struct diamond_position *position = board;
    struct move *end = moves;
    struct ground ground;
    struct chains chains;
    fill_ground(setup, position, seat, &ground);
    fill_chains(setup, position, seat, &ground, &chains);
    for (mask pieces = diamond_pieces(position, seat); pieces;) {
        unsigned from = mask_take(&pieces);
        bool king = from == position->king[seat];
        const int32_t *worth = king ? setup->king_worth[seat] : setup->man_worth[seat];
        mask to = king ? king_ends(setup, position, &ground, seat) : man_ends(setup, &ground, &chains, seat, from);
        bool inside = setup->target[seat] >> from & 1;
        mask winning = inside ? 0 : winning_point(setup, position, ground.occupied, seat, king);
        end = write_moves(end, seat, worth, winning, from, to);
    }
    return (int)(end - moves);
}

/* The number of steps of all men, when every one may end on the same points. */
INLINE unsigned count_steps(const struct diamond *setup, const struct diamond_position *position, unsigned seat,
                            const struct ground *ground)
{
    unsigned count = 0;
    for (int axis = 0; axis < DIAMOND_AXES; axis++) {
        mask own = position->men[seat][axis], land = ground->land[axis], next = setup->next[axis][1];
        count += mask_count(own & land >> 1 & next) + mask_count(own & (land & next) << 1);
    }
    return count;
}

HOT unsigned diamond_count(const void *memory, const void *board)
{
    const struct diamond *setup = memory;
    const struct diamond_position *position = board;
    unsigned seat = position->head.turn, count = 0;
    struct ground ground;
    struct chains chains;
    fill_ground(setup, position, seat, &ground);
    fill_chains(setup, position, seat, &ground, &chains);
    bool alike = !ground.banned && setup->leave_target && setup->border_stop;
    if (alike) {
        count = count_steps(setup, position, seat, &ground);
        while (chains.origins)
            count += mask_count(chains.reach[mask_take(&chains.origins)]);
    } else
        for (mask men = position->men[seat][0]; men;)
            count += mask_count(man_ends(setup, &ground, &chains, seat, mask_take(&men)));
    return count + mask_count(king_ends(setup, position, &ground, seat));
}
