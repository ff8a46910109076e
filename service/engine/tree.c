/* Alpha-beta with a null window, a table, killers, history and futility. The first move, the table's or a killer, is
 * tried before the others are listed: it often cuts off. Near the horizon moves that gain too little to matter are left
 * out (futility), and where the game has a quicker way only the others are listed. Every move that is tried is searched
 * as deep as the others, and the turn is never given away: the move that lays a ladder of jumps gains nothing at once,
 * and in a race a turn is nearly always worth more than none. Reductions won nothing and null moves lost;
 * docs/decisions/0018 has the matches.
 *
 * There are two sides: the seat to move at the root, and all the others. With two seats that is the game itself.
 * With more, the others answer together with one single move, whichever of theirs is the best against the root's
 * seat ("best reply"): it looks further ahead than giving each its turn, and they rarely join forces. So are games of
 * three searched where a depth is given; mcts.c has the others.
 *
 * Example: red, yellow and green play, and red is to move at the root. Then `me` is red and `best_reply` is true.
 * Ply 0 has red's moves. At ply 1 it is yellow's turn, but its list has the moves of yellow and of green. After a
 * move of yellow's the game says that green is next: `hand_to` gives the turn back to red. After one of green's it
 * is red's anyway. So ply 2 has red's moves again. With two seats `best_reply` is false. */
#define _POSIX_C_SOURCE 200809L

#include "tree.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "random.h"

enum {
    POLL_NODES = 512,       /* nodes between two looks at the clock and the stop flag, less one is a mask */
    FUTILE_DEPTH = 6,       /* depth up to which hopeless moves are left out */
    FUTILE_MARGIN = 100,    /* what a side may gain beyond expectation, each ply above 2 */
    HISTORY_MOST = 8000,
    ALL = INT32_MIN,        /* no move gains so little */
    PATIENT_TURNS = 50,     /* turns of each seat after which a player begins to prefer moves that gain at once */
    IMPATIENT_TURNS = 40,   /* turns after those in which that preference grows by the whole gain */
    IMPATIENCE_MOST = 500,  /* the most that it changes a value by: some moves that lose have to be made */
    BONUS_MOST = 20000,     /* the greatest bonus, that of a win at once */
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

int tree_score(const struct search *search, int value)
{
    if (abs(value) >= TREE_WIN_LEAST)
        return value > 0 ? 1000 : -1000;
    return search->game->points(value, search->best_reply ? 3 : 2);
}

int tree_margin(const struct search *search, int value)
{
    const struct race *race = search->game->race;
    if (!race || abs(value) >= TREE_WIN_LEAST)
        return SEARCH_NO_MARGIN;
    return race->margin(value, search->best_reply ? 3 : 2);
}

int tree_bonus(struct search *search, struct move move, uint64_t *state)
{
    const struct head *head = tree_head(search, 0);
    int late = head->ply / __builtin_popcount(head->in_play) - PATIENT_TURNS;
    int bonus = search->limits->noise ? tree_random_within(state, search->limits->noise) : 0;
    if (move.gain >= ENGINE_GAIN_WINS)
        return BONUS_MOST;
    if (late <= 0 || !search->game->race)
        return bonus;
    int impatience = move.gain * late / IMPATIENT_TURNS;
    return bonus + (impatience > IMPATIENCE_MOST ? IMPATIENCE_MOST
                    : impatience < -IMPATIENCE_MOST ? -IMPATIENCE_MOST : impatience);
}

void tree_play(struct search *search, int ply, uint32_t code)
{
    struct level *level = &search->levels[ply];
    unsigned char *child = level[1].position;
    memcpy(child, level->position, search->game->position_size);
    search->game->play(search->setup, child, code);
    struct head *head = (struct head *)child;
    if (search->best_reply && move_seat(code) != search->me && head->turn != search->me)
        search->game->hand_to(search->setup, child, search->me);
}

/* The static value of the position at `ply` for its side to move. */
static int static_value(struct search *search, int ply)
{
    int value = search->game->evaluate(search->setup, search->levels[ply].position, search->me);
    return tree_head(search, ply)->turn == search->me ? value : -value;
}

/* Writes the moves of the side to move at `ply` that gain more than `least`, or all where that is `ALL`, from place
 * `first` on, and answers the place behind the last. */
static int list_moves(struct search *search, int ply, int first, int32_t least)
{
    const struct game *game = search->game;
    struct level *level = &search->levels[ply];
    const struct head *head = (const struct head *)level->position;
    int count = first;
    for (unsigned seat = 0; seat < ENGINE_SEATS_MAX; seat++) {
        bool moves = search->best_reply && head->turn != search->me ? seat != search->me : seat == head->turn;
        /* The list is made for one seat's moves; two seats' fit because few of them ever have so many. */
        if (!moves || !(head->in_play >> seat & 1) || count > ENGINE_MOVES_MAX / 2)
            continue;
        struct move *to = level->moves + count;
        count += least == ALL || !game->quick
                     ? game->generate(search->setup, level->position, seat, to)
                     : game->quick->generate_above(search->setup, level->position, seat, least, to);
    }
    return count;
}

/* A move's slot in the history. */
static unsigned slot_of(uint32_t code)
{
    return (code * 0x9e3779b1u) >> 18;
}

/* Picks the moves of a position that are to be tried, one by one. */
struct picker {
    uint32_t table_move; /* the move to begin with, or 0 */
    int32_t gain_floor;  /* moves that gain no more are left out, unless they are tried first */
    int count;           /* moves in the level's list, those tried among them; -1 before they are listed */
};

/* How soon a move is to be tried, by gain and history. */
static int32_t order_of(const struct search *search, struct move move)
{
    return 8 * move.gain + search->history[slot_of(move.code)];
}

/* Says how soon each move from place `n` on is to be tried: the table's, wins, killers, then the others. */
static void fill_order(struct search *search, int ply, int n, const struct picker *picker)
{
    struct level *level = &search->levels[ply];
    for (; n < picker->count; n++) {
        struct move move = level->moves[n];
        level->order[n] = order_of(search, move);
        for (int killer = 0; killer < TREE_KILLERS; killer++)
            level->order[n] += move.code == level->killers[killer] ? 2 * HISTORY_MOST : 0;
        if (move.code == picker->table_move)
            level->order[n] = INT32_MAX;
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

/* Lists the moves that are left to try at place `n`, 0 or behind one that is tried. At least one for place 0: where
 * none gains enough one of those that gain most, a pass when there is no other. */
static void list_rest(struct search *search, int ply, int n, struct picker *picker)
{
    struct level *level = &search->levels[ply];
    int end = list_moves(search, ply, n, picker->gain_floor), kept = n;
    struct move most = {move_pass(tree_head(search, ply)->turn), INT32_MIN};
    for (int other = n; other < end; other++) {
        struct move move = level->moves[other];
        most = move.gain > most.gain ? move : most;
        if (move.gain > picker->gain_floor && (n == 0 || move.code != level->moves[0].code))
            level->moves[kept++] = move;
    }
    if (kept == 0)
        level->moves[kept++] = most;
    picker->count = kept;
    fill_order(search, ply, n, picker);
}

/* Puts at place 0 of the level's list the move to begin with: the table's, or the killer that is to be tried soonest.
 * False when none of them is legal here. */
static bool take_first(struct search *search, int ply, uint32_t table_move)
{
    struct level *level = &search->levels[ply];
    struct move move = {table_move, 0};
    int32_t best = INT32_MIN;
    if (table_move && search->game->quick->gain_of(search->setup, level->position, table_move, &move.gain)) {
        level->moves[0] = move;
        return true;
    }
    for (int n = 0; n < TREE_KILLERS && level->killers[n]; n++) {
        move.code = level->killers[n];
        if (!search->game->quick->gain_of(search->setup, level->position, move.code, &move.gain) ||
            order_of(search, move) <= best)
            continue;
        level->moves[0] = move;
        best = order_of(search, move);
    }
    return best > INT32_MIN;
}

/* Brings the next move to try to place `n` of the level's list; false when there is none. The first is tried before
 * the others are listed: it often cuts off. */
static bool next_move(struct search *search, int ply, int n, struct picker *picker)
{
    struct level *level = &search->levels[ply];
    if (n == 0 && search->game->quick && take_first(search, ply, picker->table_move))
        return true;
    if (picker->count < 0)
        list_rest(search, ply, n, picker);
    if (n < picker->count)
        tree_pick(level, n, picker->count);
    return n < picker->count;
}

/* Remembers that the move at place `n` cut off, and that those before it did not. */
static void reward_move(struct search *search, int ply, int n, int depth)
{
    struct level *level = &search->levels[ply];
    uint32_t code = level->moves[n].code;
    int bonus = depth * depth * 16 > 1600 ? 1600 : depth * depth * 16;
    for (int other = 0; other <= n; other++) {
        int16_t *slot = &search->history[slot_of(level->moves[other].code)];
        int change = other == n ? bonus : -bonus;
        *slot = (int16_t)(*slot + change - *slot * bonus / HISTORY_MOST);
    }
    int place = 0;
    while (place < TREE_KILLERS - 1 && level->killers[place] != code)
        place++;
    memmove(level->killers + 1, level->killers, (size_t)place * sizeof code);
    level->killers[0] = code;
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
static bool is_frontier(const struct search *search, const struct head *head, int depth, int alpha, int beta)
{
    return depth == 1 && beta - alpha == 1 && search->game->quick && (!search->best_reply || head->turn == search->me);
}

/* That value. */
static int frontier_value(struct search *search, int ply, int value, int alpha, int beta)
{
    const struct quick *quick = search->game->quick;
    const void *position = search->levels[ply].position;
    unsigned turn = tree_head(search, ply)->turn;
    int gain = search->best_reply ? quick->best_gain(search->setup, position, turn) : 0;
    int after = search->best_reply ? value + gain
                                   : quick->after_best(search->setup, position, turn, value, alpha, beta);
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

/* After the first move, prunes those that gain no more than `floor`; takes back those that were left out before if
 * it is less than it was. */
static void prune(struct level *level, struct picker *picker, int32_t floor)
{
    int kept = 1;
    if (floor < picker->gain_floor)
        picker->count = -1;
    for (int n = 1; n < picker->count; n++)
        if (level->moves[n].gain > floor) {
            level->moves[kept] = level->moves[n];
            level->order[kept++] = level->order[n];
        }
    picker->count = picker->count < 0 ? -1 : kept;
    picker->gain_floor = floor;
}

/* What a move must gain more than to be tried: close to the horizon the others cannot be expected to reach `alpha`. */
static int32_t gain_floor(const struct search *search, int depth, int alpha, int value)
{
    bool futile = !search->game->loud && depth <= FUTILE_DEPTH && (depth > 1 || search->best_reply);
    return futile ? alpha - value - FUTILE_MARGIN * (depth > 2 ? depth - 2 : 0) : ALL;
}

/* Tries the moves of the position at `ply`; `value` is its static value. */
static int moves_value(struct search *search, int ply, int depth, int alpha, int beta, int value, uint32_t table_move)
{
    struct level *level = &search->levels[ply];
    int best = -TREE_INFINITE, floor = alpha;
    struct entry entry = {.depth = (int8_t)depth, .bound = BOUND_UPPER};
    struct picker picker = {table_move, gain_floor(search, depth, alpha, value), -1};
    for (int n = 0; next_move(search, ply, n, &picker); n++) {
        uint32_t code = level->moves[n].code;
        if (depth > 2 && search->game->quick)
            table_prefetch(&search->table, search->game->quick->key_after(search->setup, level->position, code));
        tree_play(search, ply, code);
        int found = move_value(search, ply, depth, n, alpha, beta);
        if (search->stopped)
            return 0;
        if (found > best) {
            best = found;
            entry.move = code;
        }
        if (found > alpha) {
            alpha = found;
            keep_pv(level, code);
        }
        if (alpha >= beta) {
            reward_move(search, ply, n, depth);
            break;
        }
        if (n == 0)
            prune(level, &picker, best > -TREE_WIN_LEAST ? gain_floor(search, depth, alpha, value) : ALL);
    }
    /* What was left out may be worth as much as it takes to be left out. */
    if (picker.gain_floor != ALL && best > -TREE_WIN_LEAST && best < floor)
        best = floor;
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
    int value = search->game->loud && !ends ? 0 : static_value(search, ply), known;
    if (ends)
        return value;
    if (is_frontier(search, head, depth, alpha, beta))
        return frontier_value(search, ply, value, alpha, beta);
    const struct entry *entry = table_find(&search->table, head->key);
    if (table_settles(entry, ply, depth, alpha, beta, &known) && beta - alpha == 1)
        return known;
    uint32_t table_move = entry ? entry->move : 0;
    return moves_value(search, ply, depth, alpha, beta, value, table_move);
}
