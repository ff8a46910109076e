#include "expect.h"

#include <stdlib.h>
#include <string.h>

enum {
    DEPTH_MAX = 10,         /* plies that are looked ahead at most; each takes two levels */
    REPLIES = 4,            /* replies that are looked at closely, of those that seem best at once */
    REPLY_MARGIN = 150000,  /* how much worse than the best at once they may seem, millionths of a point */
    NOISE_UNIT = 1000,      /* noise is in thousandths of a point */
    FIRST_WIDTH = 16,       /* moves of the root that are looked at closely at depth 2; fewer from depth to depth */
    FIRST_MARGIN = 320000,  /* how much worse than the best they may be, likewise */
    LEAST_WIDTH = 4,
    LEAST_MARGIN = 80000,
};

/* A move of the root. */
struct candidate {
    uint32_t code; /* the move */
    int bonus;     /* the noise, added where moves are compared */
    int value;     /* its value for the side to move, by the last depth that it was looked at */
    int next;      /* the same by the depth that is under way */
    int depth;     /* that of `value` */
};

/* The root's moves, best first. */
struct candidates {
    struct candidate *all; /* `count` of them */
    int count;             /* at least 1 */
};

static int chance_value(struct search *search, int ply, int depth);

/* The value of the position that a move leads to from `ply`, as it seems at once, for the side that moves. The position
 * is left at the next level. */
static int seeming_value(struct search *search, int ply, uint32_t code)
{
    tree_play(search, ply, code);
    tree_count_node(search);
    return search->game->evaluate(search->setup, search->levels[ply + 1].position, tree_head(search, ply)->turn);
}

/* The value of a move at `ply` by a look `depth` plies beyond it. */
static int close_value(struct search *search, int ply, uint32_t code, int depth)
{
    tree_play(search, ply, code);
    return -chance_value(search, ply + 1, depth);
}

/* The value of the best move at `ply`, for its side, by a look `depth` plies beyond it. */
static int best_value(struct search *search, int ply, int depth)
{
    struct level *level = &search->levels[ply];
    unsigned seat = tree_head(search, ply)->turn;
    int count = search->game->generate(search->setup, level->position, seat, level->moves), most = -INT32_MAX;
    if (count == 0)
        level->moves[count++].code = move_pass(seat);
    for (int n = 0; n < count && !search->stopped; n++) {
        level->order[n] = seeming_value(search, ply, level->moves[n].code);
        most = level->order[n] > most ? level->order[n] : most;
    }
    if (depth == 0 || search->stopped)
        return most;
    int least = most - REPLY_MARGIN;
    most = -INT32_MAX;
    for (int n = 0; n < count && n < REPLIES && !search->stopped; n++) {
        struct move move = tree_pick(level, n, count);
        if (level->order[n] < least)
            break;
        int value = close_value(search, ply, move.code, depth);
        most = value > most ? value : most;
    }
    return most;
}

/* The value of the position at `ply`, which waits for chance or is over, for the side to move: by a look `depth` plies
 * ahead, the mean over all results by their weight. */
static int chance_value(struct search *search, int ply, int depth)
{
    const struct chance *chance = search->game->chance;
    const unsigned char *position = search->levels[ply].position;
    const struct head *head = tree_head(search, ply);
    int64_t sum = 0, weights = 0;
    if (depth == 0 || head->over)
        return search->game->evaluate(search->setup, position, head->turn);
    for (int result = 0; result < chance->results && !search->stopped; result++) {
        int weight = chance->weight(position, result);
        if (weight == 0)
            continue;
        unsigned char *thrown = search->levels[ply + 1].position;
        memcpy(thrown, position, search->game->position_size);
        chance->bring(search->setup, thrown, result);
        sum += (int64_t)weight * best_value(search, ply + 1, depth - 1);
        weights += weight;
    }
    return weights ? (int)(sum / weights) : 0;
}

/* Brings the candidates into order, those of the greatest depth first, equals as they were. */
static void sort_candidates(struct candidates *candidates)
{
    for (int n = 1; n < candidates->count; n++) {
        struct candidate moved = candidates->all[n];
        int place = n;
        for (; place > 0; place--) {
            const struct candidate *before = &candidates->all[place - 1];
            if (before->depth > moved.depth ||
                (before->depth == moved.depth && before->value + before->bonus >= moved.value + moved.bonus))
                break;
            candidates->all[place] = *before;
        }
        candidates->all[place] = moved;
    }
}

/* Values every move as it seems at once; no limit ends that. */
static void look_at_all(struct search *search, struct candidates *candidates)
{
    uint64_t state = search->limits->seed * 0x9e3779b97f4a7c15u + 1;
    for (int n = 0; n < candidates->count; n++) {
        struct candidate *candidate = &candidates->all[n];
        candidate->code = search->levels[0].moves[n].code;
        candidate->value = seeming_value(search, 0, candidate->code);
        candidate->depth = 1;
        candidate->bonus = tree_random_within(&state, search->limits->noise) * NOISE_UNIT;
    }
    sort_candidates(candidates);
}

/* How many of the candidates are worth a look at a depth: fewer and closer ones the deeper it goes, but all that are
 * to be told. */
static int width_at(const struct candidates *candidates, int depth, int lines)
{
    const struct candidate *best = &candidates->all[0];
    int most = FIRST_WIDTH >> (depth - 2), margin = FIRST_MARGIN >> (depth - 2), width = 1;
    most = most > LEAST_WIDTH ? most : LEAST_WIDTH;
    margin = margin > LEAST_MARGIN ? margin : LEAST_MARGIN;
    while (width < candidates->count && candidates->all[width].depth == best->depth) {
        const struct candidate *next = &candidates->all[width];
        bool close = width < most && next->value + next->bonus >= best->value + best->bonus - margin;
        if (!close && width >= lines)
            break;
        width++;
    }
    return width;
}

/* Looks at the best candidates once more, a ply deeper; what a limit has cut short counts for nothing. */
static void look_deeper(struct search *search, struct candidates *candidates, int depth, int width)
{
    for (int n = 0; n < width && !search->stopped; n++)
        candidates->all[n].next = close_value(search, 0, candidates->all[n].code, depth - 1);
    if (search->stopped)
        return;
    for (int n = 0; n < width; n++) {
        candidates->all[n].value = candidates->all[n].next;
        candidates->all[n].depth = depth;
    }
    sort_candidates(candidates);
}

/* Deepens until a limit is reached, or but one move is left to look at. */
static void deepen(struct search *search, struct candidates *candidates)
{
    int plies = search->limits->plies, most = plies > 0 && plies < DEPTH_MAX ? plies : DEPTH_MAX;
    for (int depth = 2; depth <= most && !search->stopped; depth++) {
        int width = width_at(candidates, depth, search->limits->lines);
        if (width == 1 && depth > 2)
            break;
        look_deeper(search, candidates, depth, width);
    }
}

/* Writes the answers. */
static int write_lines(const struct search *search, const struct candidates *candidates, struct line *lines)
{
    int wanted = search->limits->lines, count = wanted < candidates->count ? wanted : candidates->count;
    for (int n = 0; n < count; n++) {
        const struct candidate *candidate = &candidates->all[n];
        lines[n] = (struct line){.move = candidate->code, .depth = candidate->depth, .length = 1,
                                 .margin = SEARCH_NO_MARGIN};
        lines[n].score = search->game->points(candidate->value, 2);
        lines[n].pv[0] = candidate->code;
    }
    return count;
}

int expect_run(struct search *search, struct line *lines)
{
    const struct game *game = search->game;
    struct level *level = &search->levels[0];
    if (game->chance->waits(level->position))
        return 0;
    int count = game->generate(search->setup, level->position, search->me, level->moves);
    if (count == 0)
        level->moves[count++].code = move_pass(search->me);
    struct candidates candidates = {malloc((size_t)count * sizeof *candidates.all), count};
    if (!candidates.all)
        return SEARCH_NO_MEMORY;
    look_at_all(search, &candidates);
    if (count > 1)
        deepen(search, &candidates);
    int written = write_lines(search, &candidates, lines);
    free(candidates.all);
    return written;
}
