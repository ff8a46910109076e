/* The root of a search: deepens one ply at a time until a limit is reached. Games with chance go to expect.c, games of
 * three without a depth to mcts.c, races to race.c. */
#include "search.h"

#include <stdlib.h>
#include <string.h>

#include "expect.h"
#include "mcts.h"
#include "race.h"
#include "tree.h"

enum {
    WINDOW = 120,         /* first half width of the expected window */
    WINDOW_DEPTH = 4,     /* depth from which a window is expected */
    FORCED_PLIES = 8,     /* plies that tell what a forced capture is worth */
};

/* A move of the root, with what is known of it. */
struct root_move {
    uint32_t code; /* the move */
    int value;     /* its value for the side to move */
    int bonus;     /* what is added to its value when moves are compared */
    int depth;     /* the depth at which that was found */
    int length;    /* moves in `pv` */
    uint32_t pv[SEARCH_PLIES_MAX]; /* the play from the move on */
};

/* The root's moves, best first as far as is known. */
struct root {
    struct root_move *moves; /* `count` of them */
    int count;               /* at least 1 */
    int lines;               /* how many of the first are wanted */
    struct root_move *whole; /* where several are wanted: the moves as the last whole depth left them */
    int best[SEARCH_PLIES_MAX + 1]; /* by depth, as far as it was searched whole: the best value; at 0 the static one */
};

struct search *search_new(size_t table_mb)
{
    struct search *search = aligned_alloc(16, (sizeof *search + 15) / 16 * 16);
    if (!search)
        return NULL;
    memset(search, 0, sizeof *search);
    if (table_open(&search->table, table_mb))
        return search;
    free(search);
    return NULL;
}

void search_free(struct search *search)
{
    if (search)
        table_close(&search->table);
    free(search);
}

uint64_t search_nodes(const struct search *search)
{
    return search->nodes;
}

int64_t search_time_ms(const struct search *search)
{
    return (search->end_ns - search->start_ns) / 1000000;
}

/* Brings move `n` to place `to`, those between one place back. */
static void move_up(struct root *root, int n, int to)
{
    struct root_move move = root->moves[n];
    memmove(root->moves + to + 1, root->moves + to, (size_t)(n - to) * sizeof move);
    root->moves[to] = move;
}

/* Notes what was found of a move, with the play from level 1 on. */
static void keep_root(struct search *search, struct root_move *move, int value, int depth)
{
    const struct level *next = &search->levels[1];
    move->value = value;
    move->depth = depth;
    move->pv[0] = move->code;
    move->length = next->pv_length < SEARCH_PLIES_MAX ? next->pv_length + 1 : SEARCH_PLIES_MAX;
    memcpy(move->pv + 1, next->pv, (size_t)(move->length - 1) * sizeof *move->pv);
}

/* The value of a move with its bonus: with a null window first, unless it is the first of all. */
static int root_move_value(struct search *search, const struct root_move *move, bool first, int depth, int alpha,
                           int beta)
{
    int value = alpha + 1, bonus = move->bonus;
    tree_play(search, 0, move->code);
    if (!first)
        value = bonus - tree_value(search, 1, depth - 1, bonus - alpha - 1, bonus - alpha);
    if (value > alpha && !search->stopped)
        value = bonus - tree_value(search, 1, depth - 1, bonus - beta, bonus - alpha);
    return value;
}

/* The best value with its bonus among the moves from `first` on, the best one brought to `first`. */
static int root_value(struct search *search, struct root *root, int first, int depth, int alpha, int beta)
{
    int best = -TREE_INFINITE;
    for (int n = first; n < root->count && best < beta; n++) {
        struct root_move *move = &root->moves[n];
        int value = root_move_value(search, move, n == first, depth, alpha, beta);
        if (search->stopped)
            return best;
        if (value <= best)
            continue;
        best = value;
        if (value > alpha || n == first) {
            keep_root(search, move, value - move->bonus, depth);
            move_up(root, n, first);
        }
        alpha = value > alpha ? value : alpha;
    }
    return best;
}

/* Finds the move for place `first` at one depth, first within a window about what the last depth found. */
static void find_line(struct search *search, struct root *root, int first, int depth)
{
    int width = depth >= WINDOW_DEPTH && root->moves[first].depth == depth - 1 ? WINDOW : TREE_INFINITE;
    int expected = width == WINDOW ? root->moves[first].value + root->moves[first].bonus : 0;
    for (;;) {
        int alpha = width < TREE_WIN ? expected - width : -TREE_INFINITE;
        int beta = width < TREE_WIN ? expected + width : TREE_INFINITE;
        int value = root_value(search, root, first, depth, alpha, beta);
        if (search->stopped || (value > alpha && value < beta))
            return;
        width *= 8;
    }
}

/* Whether nothing more can come of looking deeper. */
static bool is_settled(const struct root *root)
{
    int value = abs(root->moves[0].value);
    return root->lines == 1 && value >= TREE_WIN_LEAST && TREE_WIN - value <= root->moves[0].depth;
}

/* Values of different depths do not compare: where several lines are wanted, they are those of the last depth that
 * was searched for all of them. */
static void keep_whole(const struct search *search, struct root *root, int depth)
{
    size_t size = (size_t)root->count * sizeof *root->moves;
    for (int n = 1; n < root->lines && !search->stopped; n++) {
        int place = n;
        while (place > 0 && root->moves[n].value + root->moves[n].bonus
                                > root->moves[place - 1].value + root->moves[place - 1].bonus)
            place--;
        move_up(root, n, place);
    }
    if (root->lines > 1 && !search->stopped)
        memcpy(root->whole, root->moves, size);
    else if (root->lines > 1 && depth > 1)
        memcpy(root->moves, root->whole, size);
}

/* Deepens until a limit is reached. */
static void deepen(struct search *search, struct root *root)
{
    int plies = search->limits->plies;
    int longest = root->count > 1 ? SEARCH_PLIES_MAX : FORCED_PLIES;
    int most = plies > 0 && plies < longest ? plies : longest;
    if (search->game->race)
        root->best[0] = search->game->evaluate(search->setup, search->levels[0].position, search->me);
    for (int depth = 1; depth <= most && !search->stopped && !is_settled(root); depth++) {
        for (int first = 0; first < root->lines && !search->stopped; first++)
            find_line(search, root, first, depth);
        keep_whole(search, root, depth);
        if (!search->stopped)
            root->best[depth] = root->moves[0].value;
    }
}

/* Writes the root's moves, in the order of their gain. */
static void fill_root(struct search *search, struct root *root)
{
    struct level *level = &search->levels[0];
    uint64_t state = search->limits->seed * 0x9e3779b97f4a7c15u + 1;
    for (int n = 0; n < root->count; n++) {
        const struct move *move = &level->moves[n];
        struct root_move *root_move = &root->moves[n];
        *root_move = (struct root_move){.code = move->code, .value = move->gain, .length = 1};
        root_move->bonus = tree_bonus(search, *move, &state);
        root_move->pv[0] = move->code;
        int place = n;
        while (place > 0 && move->gain > root->moves[place - 1].value)
            place--;
        move_up(root, n, place);
    }
}

/* How many moves of a play are made by the seats whose turn it is; with more than two the tree skips some. */
static int turns_kept(struct search *search, const struct root_move *move)
{
    unsigned char *position = search->levels[1].position;
    const struct head *head = tree_head(search, 1);
    memcpy(position, search->levels[0].position, search->game->position_size);
    for (int n = 0; n < move->length; n++) {
        if (head->over || move_seat(move->pv[n]) != head->turn)
            return n;
        search->game->play(search->setup, position, move->pv[n]);
    }
    return move->length;
}

/* What is added to the values that are told, in a race. There a value goes up and down with the depth, as the side to
 * move or another makes the last move that is looked at: the best move's is told as the mean of its depth and the one
 * before, and the others keep their distance from it. */
static int evened(const struct search *search, const struct root *root)
{
    const struct root_move *best = &root->moves[0];
    int before = search->game->race && best->depth > 0 ? root->best[best->depth - 1] : TREE_WIN;
    return abs(best->value) < TREE_WIN_LEAST && abs(before) < TREE_WIN_LEAST ? (before - best->value) / 2 : 0;
}

/* Writes the answers. */
static int write_lines(struct search *search, const struct root *root, int wanted, struct line *lines)
{
    int count = wanted < root->count ? wanted : root->count, added = evened(search, root);
    for (int n = 0; n < count; n++) {
        const struct root_move *move = &root->moves[n];
        int value = abs(move->value) < TREE_WIN_LEAST ? move->value + added : move->value;
        lines[n] = (struct line){.move = move->code, .depth = move->depth};
        lines[n].length = turns_kept(search, move);
        lines[n].score = tree_score(search, value);
        lines[n].margin = tree_margin(search, value);
        memcpy(lines[n].pv, move->pv, (size_t)lines[n].length * sizeof *move->pv);
    }
    return count;
}

/* Makes the search ready for a run. */
static void begin(struct search *search, const struct game *game, const void *setup, const void *position,
                  const struct limits *limits)
{
    search->start_ns = search->end_ns = tree_now_ns();
    search->game = game;
    search->setup = setup;
    search->limits = limits;
    search->nodes = 1;
    search->stopped = false;
    memset(search->history, 0, sizeof search->history);
    for (int ply = 0; ply <= SEARCH_PLIES_MAX; ply++)
        memset(search->levels[ply].killers, 0, sizeof search->levels[ply].killers);
    memcpy(search->levels[0].position, position, game->position_size);
    search->me = tree_head(search, 0)->turn;
    search->best_reply = __builtin_popcount(tree_head(search, 0)->in_play) > 2;
}

/* Whether three play and no depth is given. A look of a few plies is sooner done by best reply; one that uses what it
 * is given is better by Monte-Carlo tree search. */
static bool is_for_mcts(const struct search *search)
{
    const struct quick *quick = search->game->quick;
    return search->best_reply && !search->limits->plies && quick && quick->evaluate_after;
}

int search_run(struct search *search, const struct game *game, const void *setup, const void *position,
               const struct limits *limits, struct line *lines)
{
    begin(search, game, setup, position, limits);
    if (tree_head(search, 0)->over)
        return 0;
    if (game->chance) {
        int told = expect_run(search, lines);
        search->end_ns = tree_now_ns();
        return told;
    }
    struct level *level = &search->levels[0];
    int count = game->generate(setup, position, search->me, level->moves);
    if (count == 0)
        level->moves[count++] = (struct move){move_pass(search->me), 0};
    if (count > 1 && race_run(search, lines)) {
        search->end_ns = tree_now_ns();
        return 1;
    }
    if (count > 1 && is_for_mcts(search)) {
        int told = mcts_run(search, lines);
        search->end_ns = tree_now_ns();
        return told;
    }
    table_begin(&search->table);
    struct root root = {malloc(2 * (size_t)count * sizeof *root.moves), count, limits->lines, NULL, {TREE_WIN}};
    if (!root.moves)
        return SEARCH_NO_MEMORY;
    root.whole = root.moves + count;
    if (root.lines > count)
        root.lines = count;
    fill_root(search, &root);
    if (count > 1 || game->loud)
        deepen(search, &root);
    else
        root.moves[0].value = game->evaluate(setup, position, search->me);
    int written = write_lines(search, &root, limits->lines, lines);
    free(root.moves);
    search->end_ns = tree_now_ns();
    return written;
}
