/* Alpha-beta with a null window, a table, killers and history. Every move is searched as deep as the others, and the
 * turn is never given away: the move that lays a ladder of jumps gains nothing at once, and in a race a turn is nearly
 * always worth more than none. Reductions won nothing and null moves lost; docs/decisions/0018 has the matches.
 *
 * There are two sides: the seat to move at the root, and all the others. With two seats that is the game itself.
 * With more, the others answer together with one single move, whichever of theirs is the best against the root's
 * seat ("best reply"): it looks further ahead than giving each its turn, and they rarely join forces.
 *
 * Example: red, yellow and green play, and red is to move at the root. Then `me` is red and `best_reply` is true.
 * Ply 0 has red's moves. At ply 1 it is yellow's turn, but its list has the moves of yellow and of green. After a
 * move of yellow's the game says that green is next: `hand_to` gives the turn back to red. After one of green's it
 * is red's anyway. So ply 2 has red's moves again. With two seats `best_reply` is false. */
#define _POSIX_C_SOURCE 200809L

#include "tree.h"

#include <string.h>
#include <time.h>

#include "random.h"

enum {
    POLL_NODES = 512,       /* nodes between two looks at the clock and the stop flag, less one is a mask */
    FUTILE_DEPTH = 4,       /* depth up to which hopeless moves are left out */
    FUTILE_MARGIN = 150,    /* what a side may gain beyond expectation, each ply above 2 */
    HISTORY_MOST = 8000,
};

int64_t tree_now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int tree_random_within(uint64_t *state, int most)
{
    return (int)(random_next(state) % (2 * (uint64_t)most + 1)) - most;
}

void tree_count_node(struct search *search)
{
    const struct limits *limits = search->limits;
    search->nodes++;
    if (limits->nodes && search->nodes >= limits->nodes)
        search->stopped = true;
    if (search->nodes & (POLL_NODES - 1))
        return;
    if (limits->stop && atomic_load_explicit(limits->stop, memory_order_relaxed))
        search->stopped = true;
    if (limits->movetime_ms && tree_now_ns() - search->start_ns >= limits->movetime_ms * 1000000)
        search->stopped = true;
}

void tree_play(struct search *search, int ply, uint32_t code)
{
    struct level *level = &search->levels[ply];
    unsigned char *child = level[1].position;
    memcpy(child, level->position, search->game->position_size);
    search->game->play(search->setup, child, code);
    table_prefetch(&search->table, ((struct head *)child)->key);
    struct head *head = (struct head *)child;
    if (search->best_reply && !head->over && move_seat(code) != search->me && head->turn != search->me)
        search->game->hand_to(search->setup, child, search->me);
}

/* The static value of the position at `ply` for its side to move. */
static int static_value(struct search *search, int ply)
{
    int value = search->game->evaluate(search->setup, search->levels[ply].position, search->me);
    return tree_head(search, ply)->turn == search->me ? value : -value;
}

/* Writes the moves of the side to move at `ply`, a pass when there is no other. */
static int fill_moves(struct search *search, int ply)
{
    struct level *level = &search->levels[ply];
    const struct head *head = tree_head(search, ply);
    int count = 0;
    for (unsigned seat = 0; seat < ENGINE_SEATS_MAX; seat++) {
        bool moves = search->best_reply && head->turn != search->me ? seat != search->me : seat == head->turn;
        /* The list is made for one seat's moves; two seats' fit because few of them ever have so many. */
        if (moves && head->in_play >> seat & 1 && count <= ENGINE_MOVES_MAX / 2)
            count += search->game->generate(search->setup, level->position, seat, level->moves + count);
    }
    if (count == 0)
        level->moves[count++] = (struct move){move_pass(head->turn), 0};
    return count;
}

/* The history's slot for a move. */
static int16_t *history_of(struct search *search, uint32_t code)
{
    return &search->history[(code * 0x9e3779b1u) >> 18];
}

/* Says how soon each move is to be tried: the table's, wins, killers, then by gain and history. */
static void fill_order(struct search *search, int ply, int count, uint32_t table_move)
{
    struct level *level = &search->levels[ply];
    for (int n = 0; n < count; n++) {
        uint32_t code = level->moves[n].code;
        int32_t order = 8 * level->moves[n].gain + *history_of(search, code);
        if (code == level->killers[0] || code == level->killers[1])
            order += 2 * HISTORY_MOST;
        level->order[n] = code == table_move ? INT32_MAX : order;
    }
}

struct move tree_pick(struct level *level, int n, int count)
{
    int best = n;
    for (int other = n + 1; other < count; other++)
        if (level->order[other] > level->order[best])
            best = other;
    struct move move = level->moves[best];
    int32_t order = level->order[best];
    level->moves[best] = level->moves[n];
    level->order[best] = level->order[n];
    level->moves[n] = move;
    level->order[n] = order;
    return move;
}

/* Drops the moves from place 1 on that gain no more than `least`, and answers how many moves are left. */
static int drop_futile(struct level *level, int count, int least)
{
    int kept = 1;
    for (int n = 1; n < count; n++)
        if (level->moves[n].gain > least) {
            level->moves[kept] = level->moves[n];
            level->order[kept++] = level->order[n];
        }
    return kept;
}

/* Remembers that the move at place `n` cut off, and that those before it did not. */
static void reward_move(struct search *search, int ply, int n, int depth)
{
    struct level *level = &search->levels[ply];
    uint32_t code = level->moves[n].code;
    int bonus = depth * depth * 16 > 1600 ? 1600 : depth * depth * 16;
    for (int other = 0; other <= n; other++) {
        int16_t *slot = history_of(search, level->moves[other].code);
        int change = other == n ? bonus : -bonus;
        *slot = (int16_t)(*slot + change - *slot * bonus / HISTORY_MOST);
    }
    if (level->killers[0] != code) {
        level->killers[1] = level->killers[0];
        level->killers[0] = code;
    }
}

/* Makes a move followed by the next level's play the best play of a level. */
static void keep_pv(struct level *level, uint32_t code)
{
    level->pv[0] = code;
    memcpy(level->pv + 1, level[1].pv, (size_t)level[1].pv_length * sizeof *level->pv);
    level->pv_length = level[1].pv_length + 1;
}

/* A win's value as seen from `ply` in the table: it counts from there, not from the root. */
static int value_to_table(int value, int ply)
{
    return value >= TREE_WIN_LEAST ? value + ply : value <= -TREE_WIN_LEAST ? value - ply : value;
}

/* The reverse. */
static int value_from_table(int value, int ply)
{
    return value >= TREE_WIN_LEAST ? value - ply : value <= -TREE_WIN_LEAST ? value + ply : value;
}

/* Whether an entry settles the value at this depth and window; writes it then. */
static bool table_settles(const struct entry *entry, int ply, int depth, int alpha, int beta, int *value)
{
    if (!entry || entry->depth < depth)
        return false;
    *value = value_from_table(entry->value, ply);
    return entry->bound == BOUND_EXACT || (entry->bound == BOUND_LOWER && *value >= beta) ||
           (entry->bound == BOUND_UPPER && *value <= alpha);
}

/* Whether the value one ply before the horizon can be told without playing a move: nobody asks for the play. */
static bool last_ply_told(const struct search *search, const struct head *head, int depth, int alpha, int beta)
{
    return depth == 1 && beta - alpha == 1 && (search->best_reply ? head->turn == search->me && search->game->best_gain
                                                                  : search->game->after_best != NULL);
}

/* That value. */
static int last_ply_value(struct search *search, int ply, int value, int alpha, int beta)
{
    const struct game *game = search->game;
    const void *position = search->levels[ply].position;
    unsigned turn = tree_head(search, ply)->turn;
    int gain = search->best_reply ? game->best_gain(search->setup, position, turn) : 0;
    int after = search->best_reply ? value + gain : game->after_best(search->setup, position, turn, alpha, beta);
    return gain >= ENGINE_GAIN_WINS || after >= ENGINE_GAIN_WINS ? TREE_WIN - ply - 1 : after;
}

/* The value after a move at `ply`, for the side that made it. */
static int child_value(struct search *search, int ply, int depth, int alpha, int beta)
{
    return -tree_value(search, ply + 1, depth, -beta, -alpha);
}

/* The value after the `n`th move: a null window first, the full one where it is due. */
static int move_value(struct search *search, int ply, int depth, int n, int alpha, int beta)
{
    if (n == 0)
        return child_value(search, ply, depth - 1, alpha, beta);
    int value = child_value(search, ply, depth - 1, alpha, alpha + 1);
    return value > alpha && value < beta ? child_value(search, ply, depth - 1, alpha, beta) : value;
}

/* Tries the moves of the position at `ply`; `value` is its static value. */
static int moves_value(struct search *search, int ply, int depth, int alpha, int beta, int value, uint32_t table_move)
{
    struct level *level = &search->levels[ply];
    int count = fill_moves(search, ply), best = -TREE_INFINITE, floor = alpha;
    fill_order(search, ply, count, table_move);
    struct entry entry = {.depth = (int8_t)depth, .bound = BOUND_UPPER};
    for (int n = 0; n < count; n++) {
        bool futile = !search->game->loud && depth <= FUTILE_DEPTH && (depth > 1 || search->best_reply);
        if (n == 1 && futile && best > -TREE_WIN_LEAST &&
            (count = drop_futile(level, count, alpha - value - FUTILE_MARGIN * (depth - 2))) == 1)
            break;
        struct move move = tree_pick(level, n, count);
        tree_play(search, ply, move.code);
        int found = move_value(search, ply, depth, n, alpha, beta);
        if (search->stopped)
            return 0;
        if (found <= best)
            continue;
        best = found;
        entry.move = move.code;
        if (found <= alpha)
            continue;
        alpha = found;
        keep_pv(level, move.code);
        if (alpha >= beta) {
            reward_move(search, ply, n, depth);
            break;
        }
    }
    entry.bound = best >= beta ? BOUND_LOWER : best > floor ? BOUND_EXACT : BOUND_UPPER;
    entry.value = value_to_table(best, ply);
    table_store(&search->table, tree_head(search, ply)->key, entry);
    return best;
}

int tree_value(struct search *search, int ply, int depth, int alpha, int beta)
{
    const struct head *head = tree_head(search, ply);
    struct level *level = &search->levels[ply];
    level->pv_length = 0;
    if (!search->stopped)
        tree_count_node(search);
    if (search->stopped)
        return 0;
    if (head->winner >= 0) {
        int mine = (unsigned)head->winner == search->me ? TREE_WIN - ply : ply - TREE_WIN;
        return head->turn == search->me ? mine : -mine;
    }
    if (head->over || head->repeated)
        return 0;
    if (depth <= 0 && search->game->loud && search->game->loud(search->setup, level->position))
        depth = 1;
    bool ends = depth <= 0 || ply >= SEARCH_PLIES_MAX;
    int value = search->game->loud && !ends ? 0 : static_value(search, ply);
    if (ends)
        return value;
    if (last_ply_told(search, head, depth, alpha, beta))
        return last_ply_value(search, ply, value, alpha, beta);
    const struct entry *entry = table_find(&search->table, head->key);
    int known;
    if (table_settles(entry, ply, depth, alpha, beta, &known) && beta - alpha == 1)
        return known;
    uint32_t table_move = entry ? entry->move : 0;
    return moves_value(search, ply, depth, alpha, beta, value, table_move);
}
