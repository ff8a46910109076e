#include "diamond_best.h"

#include "diamond_moves.h"
#include "diamond_net.h"
#include "diamond_reach.h"

enum {
    LAZY_MARGIN = 300, /* farther from the window than this, the last ply is told by the tables and the net before it */
    NEAR_MARGIN = 200, /* moves that the tables rate this much below the best are not tried with the net */
};

/* A component of one lane, with what its jumps can gain. */
struct component {
    uint64_t men;     /* see `struct components` */
    uint64_t points;  /* likewise */
    unsigned lane;    /* its lane */
    int32_t most;     /* the greatest worth of its points */
    int32_t least;    /* the least worth of its men */
    uint8_t from, to; /* a man and a point with those */
};

/* All components of a seat's men. */
struct component_list {
    int count;                              /* how many there are */
    struct component of[DIAMOND_POINTS];    /* no two have a point in common */
};

/* Sets what a component's jumps can gain. */
INLINE void weigh_component(const struct diamond *setup, unsigned seat, struct component *component)
{
    const int32_t *worth = setup->lane_worth[seat][component->lane];
    const uint8_t *point = setup->point[component->lane];
    unsigned to = 0, from = 0;
    component->most = INT32_MIN;
    component->least = INT32_MAX;
    for (uint64_t points = component->points; points; points &= points - 1) {
        unsigned bit = (unsigned)__builtin_ctzll(points);
        to = worth[bit] > component->most ? bit : to;
        component->most = worth[bit] > component->most ? worth[bit] : component->most;
    }
    for (uint64_t men = component->men; men; men &= men - 1) {
        unsigned bit = (unsigned)__builtin_ctzll(men);
        from = worth[bit] < component->least ? bit : from;
        component->least = worth[bit] < component->least ? worth[bit] : component->least;
    }
    component->from = point[from];
    component->to = point[to];
}

/* Finds the components of a seat's men and answers the best jump, one of gain INT32_MIN when there is none. Ends early
 * with the first that gains `enough`. */
INLINE struct move list_components(const struct diamond *setup, const struct diamond_position *position, unsigned seat,
                                   int32_t enough, struct component_list *list)
{
    struct jumps jumps;
    struct components components;
    struct move best = {0, INT32_MIN};
    fill_jumps(setup, position, seat, &jumps);
    list->count = 0;
    while (best.gain < enough && next_components(&jumps, &components))
        for (unsigned lane = 0; lane < DIAMOND_LANES; lane++) {
            if (!components.points[lane])
                continue;
            struct component *component = &list->of[list->count++];
            *component = (struct component){components.men[lane], components.points[lane], .lane = lane};
            weigh_component(setup, seat, component);
            int32_t gain = component->most - component->least;
            if (gain > best.gain)
                best = (struct move){move_code(seat, component->from, component->to), gain};
        }
    return best;
}

/* The better of `best` and the moves of one piece to any of `to`. */
INLINE struct move best_of(unsigned seat, const int32_t *worth, unsigned from, mask to, struct move best)
{
    while (to) {
        unsigned id = mask_take(&to);
        int32_t gain = worth[id] - worth[from];
        if (gain > best.gain)
            best = (struct move){move_code(seat, from, id), gain};
    }
    return best;
}

/* The best move of a seat on simple ground, given its best jump, or the first found that gains `enough`; of gain
 * INT32_MIN when there is none. */
INLINE struct move best_move(const struct diamond *setup, const struct diamond_position *position, unsigned seat,
                             const struct ground *ground, int32_t enough, struct move best)
{
    unsigned king = position->king[seat];
    for (mask men = position->men[seat]; men && best.gain < setup->step_most && best.gain < enough;) {
        unsigned from = mask_take(&men);
        best = best_of(seat, setup->man_worth[seat], from, setup->near[from] & ground->land, best);
    }
    if (setup->king_most - setup->king_worth[seat][king] > best.gain && best.gain < enough)
        best = best_of(seat, setup->king_worth[seat], king, king_reach(setup, position, seat, ground), best);
    return best;
}

/* Whether every piece may end wherever it may land, and no move of the seat wins. */
INLINE bool is_simple(const struct diamond *setup, const struct ground *ground, unsigned seat)
{
    mask empty = setup->target[seat] & ~ground->occupied;
    return ground->plain && empty & (empty - 1);
}

/* Writes the moves of one piece that gain more than `least` and answers the place behind the last. */
INLINE struct move *write_above(struct move *moves, unsigned seat, const int32_t *worth, unsigned from, mask to,
                                int32_t least)
{
    while (to) {
        unsigned id = mask_take(&to);
        *moves = (struct move){move_code(seat, from, id), worth[id] - worth[from]};
        moves += moves->gain > least;
    }
    return moves;
}

/* The same for the jumps of a component. */
INLINE struct move *write_component(const struct diamond *setup, unsigned seat, const struct component *component,
                                    int32_t least, struct move *moves)
{
    const int32_t *worth = setup->lane_worth[seat][component->lane];
    const uint8_t *point = setup->point[component->lane];
    for (uint64_t men = component->men; men; men &= men - 1) {
        unsigned from = (unsigned)__builtin_ctzll(men);
        if (component->most - worth[from] <= least)
            continue;
        for (uint64_t points = component->points; points; points &= points - 1) {
            unsigned to = (unsigned)__builtin_ctzll(points);
            *moves = (struct move){move_code(seat, point[from], point[to]), worth[to] - worth[from]};
            moves += moves->gain > least;
        }
    }
    return moves;
}

/* Writes all moves on simple ground that gain more than `least`, given the components; answers how many. */
INLINE int write_best(const struct diamond *setup, const struct diamond_position *position, unsigned seat,
                      const struct ground *ground, const struct component_list *list, int32_t least, struct move *moves)
{
    struct move *end = moves;
    unsigned king = position->king[seat];
    for (int n = 0; n < list->count; n++)
        if (list->of[n].most - list->of[n].least > least)
            end = write_component(setup, seat, &list->of[n], least, end);
    for (mask men = position->men[seat]; men && least < setup->step_most;) {
        unsigned from = mask_take(&men);
        end = write_above(end, seat, setup->man_worth[seat], from, setup->near[from] & ground->land, least);
    }
    if (setup->king_most - setup->king_worth[seat][king] > least)
        end = write_above(end, seat, setup->king_worth[seat], king, king_reach(setup, position, seat, ground), least);
    return (int)(end - moves);
}

/* The best of a list's moves; of gain INT32_MIN when it is empty. */
static struct move best_listed(const struct move moves[], int count)
{
    struct move best = {0, INT32_MIN};
    for (int n = 0; n < count; n++)
        best = moves[n].gain > best.gain ? moves[n] : best;
    return best;
}

/* The same as `diamond_generate_above` by way of the list of all. */
static int list_above(const void *setup, const void *position, unsigned seat, int32_t least, struct move *moves)
{
    int count = diamond_generate(setup, position, seat, moves), kept = 0;
    struct move best = best_listed(moves, count);
    for (int n = 0; n < count; n++)
        if (moves[n].gain > least)
            moves[kept++] = moves[n];
    if (kept == 0 && count > 0)
        moves[kept++] = best;
    return kept;
}

HOT int diamond_generate_above(const void *memory, const void *board, unsigned seat, int32_t least, struct move *moves)
{
    const struct diamond *setup = memory;
    const struct diamond_position *position = board;
    struct ground ground;
    struct component_list list;
    fill_ground(setup, position, seat, &ground);
    if (!is_simple(setup, &ground, seat))
        return list_above(setup, position, seat, least, moves);
    struct move jump = list_components(setup, position, seat, INT32_MAX, &list);
    int count = write_best(setup, position, seat, &ground, &list, least, moves);
    if (count > 0)
        return count;
    *moves = best_move(setup, position, seat, &ground, INT32_MAX, jump);
    return moves->gain > INT32_MIN;
}

/* Whether a man can jump from one point to another of its lane. */
INLINE bool jumps_to(const struct diamond *setup, const struct diamond_position *position, unsigned seat,
                     unsigned from, unsigned to)
{
    unsigned lane = setup->place[from].lane;
    uint64_t origin = setup->place[from].bit[lane], goal = setup->place[to].bit[lane];
    uint64_t land = setup->open_lanes[seat][lane], link[DIAMOND_AXES], reach = 0, before;
    for (unsigned other = 0; other < position->players; other++)
        land &= ~(position->own[other][lane] | setup->place[position->king[other]].bit[lane]);
    for (int axis = 0; axis < DIAMOND_AXES; axis++) {
        uint64_t over = position->over[axis][lane];
        int by = diamond_jump[axis];
        link[axis] = over & land & land >> by;
        reach |= ((over & origin) << by | (over & origin >> by)) & land;
    }
    do {
        before = reach;
        for (int axis = 0; axis < DIAMOND_AXES; axis++) {
            int by = diamond_jump[axis];
            reach |= (reach & link[axis]) << by | (reach >> by & link[axis]);
        }
    } while (goal && reach != before && !(reach & goal));
    return reach & goal;
}

/* Whether a seat's piece stands on one point and the other is empty. */
INLINE bool can_start(const struct diamond *setup, const struct diamond_position *position, unsigned seat,
                      unsigned from, unsigned to)
{
    const struct diamond_place *origin = &setup->place[from], *goal = &setup->place[to];
    uint64_t taken = 0;
    bool king = false;
    for (unsigned other = 0; other < position->players; other++) {
        taken |= position->own[other][goal->lane];
        king |= position->king[other] == to;
    }
    return !king && !(taken & goal->bit[goal->lane]) &&
           (position->king[seat] == from || position->own[seat][origin->lane] & origin->bit[origin->lane]);
}

HOT bool diamond_gain_of(const void *memory, const void *board, uint32_t code, int32_t *gain)
{
    const struct diamond *setup = memory;
    const struct diamond_position *position = board;
    unsigned seat = move_seat(code), from = move_from(code), to = move_to(code);
    struct ground ground;
    if (move_is_pass(code) || seat >= position->players || !can_start(setup, position, seat, from, to))
        return false;
    bool king = position->king[seat] == from;
    fill_ground(setup, position, seat, &ground);
    if (!(ends(setup, &ground, seat, from) & ground.land & mask_of(to)))
        return false;
    if (king ? !(king_reach(setup, position, seat, &ground) & mask_of(to))
             : !(setup->near[from] & mask_of(to)) && !jumps_to(setup, position, seat, from, to))
        return false;
    bool inside = setup->target[seat] & mask_of(from);
    mask winning = inside ? 0 : winning_point(setup, position, ground.occupied, seat, king);
    *gain = move_of(seat, king ? setup->king_worth[seat] : setup->man_worth[seat], winning, from, to).gain;
    return true;
}

/* The same as `diamond_best_gain` by way of the list of moves. */
static int32_t list_best(const void *setup, const void *position, unsigned seat)
{
    struct move moves[ENGINE_MOVES_MAX];
    int count = diamond_generate(setup, position, seat, moves);
    return count ? best_listed(moves, count).gain : 0;
}

/* Not by way of `diamond_generate_above`, which would cost searches for three a tenth of their speed. */
HOT int32_t diamond_best_gain(const void *memory, const void *board, unsigned seat)
{
    const struct diamond *setup = memory;
    const struct diamond_position *position = board;
    struct ground ground;
    struct component_list list;
    fill_ground(setup, position, seat, &ground);
    if (!is_simple(setup, &ground, seat))
        return list_best(setup, position, seat);
    struct move jump = list_components(setup, position, seat, INT32_MAX, &list);
    int32_t best = best_move(setup, position, seat, &ground, INT32_MAX, jump).gain;
    return best == INT32_MIN ? 0 : best;
}

/* The evaluation after the best of some moves as the net sees it. */
static int best_by_net(const struct diamond *setup, const struct diamond_position *position, unsigned seat,
                       const struct move moves[], int count)
{
    int tables = position->worth[seat] - position->worth[1 - seat], best = INT32_MIN;
    for (int n = 0; n < count; n++) {
        int value = tables + moves[n].gain + diamond_net_after(setup, position, seat, moves[n].code);
        best = value > best ? value : best;
    }
    return best;
}

/* The same as `diamond_after_best` by way of the list of moves. */
static int after_listed(const void *setup, const struct diamond_position *position, unsigned seat, int value,
                        int alpha, int beta)
{
    struct move moves[ENGINE_MOVES_MAX];
    int count = diamond_generate(setup, position, seat, moves), kept = 0;
    if (count == 0)
        return value;
    struct move best = best_listed(moves, count);
    if (best.gain >= ENGINE_GAIN_WINS)
        return ENGINE_GAIN_WINS;
    int guess = value + best.gain;
    if (position->players != 2 || guess + LAZY_MARGIN <= alpha || guess - LAZY_MARGIN >= beta)
        return guess;
    for (int n = 0; n < count; n++)
        if (moves[n].gain >= best.gain - NEAR_MARGIN)
            moves[kept++] = moves[n];
    return best_by_net(setup, position, seat, moves, kept);
}

HOT int diamond_after_best(const void *memory, const void *board, unsigned seat, int value, int alpha, int beta)
{
    const struct diamond *setup = memory;
    const struct diamond_position *position = board;
    int32_t enough = beta + LAZY_MARGIN - value;
    struct ground ground;
    struct component_list list;
    fill_ground(setup, position, seat, &ground);
    if (!is_simple(setup, &ground, seat))
        return after_listed(setup, position, seat, value, alpha, beta);
    struct move jump = list_components(setup, position, seat, enough, &list);
    struct move best = best_move(setup, position, seat, &ground, enough, jump);
    if (best.gain == INT32_MIN)
        return value;
    int guess = value + best.gain;
    if (position->players != 2 || best.gain >= enough || guess + LAZY_MARGIN <= alpha)
        return guess;
    struct move moves[ENGINE_MOVES_MAX];
    int count = write_best(setup, position, seat, &ground, &list, best.gain - NEAR_MARGIN - 1, moves);
    return best_by_net(setup, position, seat, moves, count);
}
