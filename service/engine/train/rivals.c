/* Players to measure the engine by, one to a published search method. They have the engine's rules, gains and
 * evaluation and nothing of its search: no table, no killers, no history, no null window.
 *
 *     cc -std=c11 -O3 -march=native -fno-strict-aliasing -Iservice/engine -o rivals \
 *         $(ls service/engine/[a-z]*.c | grep -v 'cli.c\|module.c') service/engine/train/rivals.c -lm
 *     rivals NAME
 *
 *     greedy      the move that gains most at once
 *     two-ply     one's own move and the next one's best answer to it
 *     paranoid    all others against the mover, with alpha-beta, one ply deeper at a time
 *     maxn        each for itself, one ply deeper at a time
 *     best-reply  as paranoid, but the others answer together with one move
 *     mcts        Monte-Carlo tree search; see `play_out` and `best_child`
 *
 * Each speaks the engine protocol of docs/PROTOCOL.md on standard input and output, as far as `mitsuboshi arena` needs
 * it, for the games without chance: game, option, position, moves, quit, and go with any of movetime_ms, nodes, plies.
 * It does not hear a `stop`, and takes an option only before the position. With two players paranoid and best-reply
 * are the same. */
#define _POSIX_C_SOURCE 200809L

#include <inttypes.h>
#include <math.h>
#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine.h"
#include "random.h"
#include "tree.h"

enum {
    SETUP_MAX = 1 << 16,
    PLIES_MAX = 60,         /* plies that a rival looks ahead at most */
    POLL_NODES = 32,        /* nodes between two looks at the clock, less one is a mask */
    BRANCHES_MAX = 1 << 20, /* moves that a Monte-Carlo tree holds; full, it grows no more */
    PLAYOUT_PLIES = 2,      /* plies of a playout, after which the position is evaluated */
    LOTS = 4,               /* moves that are drawn by lot where the one that gains most of them is played */
    WIDTH_LEAST = 4,        /* moves of a position that are looked at before any is looked at often */
};

#define EXPLORATION 0.1 /* the exploration constant: weight of what is not known yet against the mean so far, 0 to 1 */

/* A position of any game. */
struct board {
    alignas(16) unsigned char bytes[ENGINE_POSITION_SIZE];
};

/* A move in a Monte-Carlo tree. */
struct branch {
    uint32_t code;   /* the move */
    uint32_t first;  /* the first of the answers to it, in the tree's array */
    uint32_t count;  /* how many answers; 0 until it has been visited twice */
    uint32_t visits; /* playouts by way of it */
    double won;      /* what they brought to the seat that makes the move, 0 to 1 each */
};

/* A rival at its work. */
struct rival {
    const struct method *method;      /* how it searches */
    const struct game *game;          /* the game, or NULL before it is named */
    int players;                      /* seats */
    struct board given;               /* the position that was given */
    struct board now;                 /* the same after the moves */
    int64_t start_ns, movetime_ms;    /* when the search began and what it may take; 0 is no limit */
    uint64_t nodes, nodes_max;        /* positions looked at, and how many that may be */
    int plies_max;                    /* plies that it may look ahead */
    unsigned me;                      /* the seat to move at the root */
    bool stopped;                     /* a limit is reached: every value on the way up is void */
    int depth;                        /* plies looked ahead */
    int score;                        /* expected result, thousandths of a point */
    uint64_t state;                   /* of all chance */
    struct branch *tree;              /* a Monte-Carlo tree, the root's moves first */
    uint32_t tree_size;               /* branches in it */
    alignas(16) unsigned char setup[SETUP_MAX]; /* the game's setup */
};

/* A search method. One row each in `methods`. */
struct method {
    const char *name;                     /* what the program is called with */
    uint32_t (*think)(struct rival *);    /* the move to make in `now` */
    /* The value for `me` of a position `ply` plies from the root by a look `depth` plies ahead, exact within `alpha`
     * and `beta`, else the one that is nearer. NULL where `think` is not `deepen`. */
    int (*value)(struct rival *, const struct board *, int ply, int depth, int alpha, int beta);
    int plies_max;                        /* plies that it looks ahead at most */
    bool one_reply;                       /* whether the others answer together with one move */
};

/* The head of a position. */
static const struct head *head_of(const struct board *board)
{
    return (const struct head *)board->bytes;
}

/* Counts a position and notes when a limit is reached. */
static void count_node(struct rival *rival)
{
    rival->nodes++;
    if (rival->nodes_max && rival->nodes >= rival->nodes_max)
        rival->stopped = true;
    if ((rival->nodes & (POLL_NODES - 1)) == 0 && rival->movetime_ms &&
        tree_now_ns() - rival->start_ns >= rival->movetime_ms * 1000000)
        rival->stopped = true;
}

/* Sorts moves by their gain, the greatest first; equal ones by their code, so that it is always the same. */
static int by_gain(const void *one, const void *other)
{
    const struct move *a = one, *b = other;
    if (a->gain != b->gain)
        return a->gain < b->gain ? 1 : -1;
    return a->code < b->code ? -1 : 1;
}

/* Writes the moves of the side to move, those that gain most first, a pass when there is no other. */
static int fill_moves(const struct rival *rival, const struct board *board, struct move *moves)
{
    const struct head *head = head_of(board);
    bool together = rival->method->one_reply && head->turn != rival->me;
    int count = 0;
    for (unsigned seat = 0; seat < ENGINE_SEATS_MAX; seat++)
        if ((together ? seat != rival->me : seat == head->turn) && head->in_play >> seat & 1 &&
            count <= ENGINE_MOVES_MAX / 2)
            count += rival->game->generate(rival->setup, board->bytes, seat, moves + count);
    if (count == 0)
        moves[count++] = (struct move){move_pass(head->turn), 0};
    qsort(moves, (size_t)count, sizeof *moves, by_gain);
    return count;
}

/* Plays a move of one position into another. Where the others answer together it is the root's turn again. */
static void play(const struct rival *rival, const struct board *board, uint32_t code, struct board *child)
{
    memcpy(child->bytes, board->bytes, rival->game->position_size);
    rival->game->play(rival->setup, child->bytes, code);
    if (rival->method->one_reply && move_seat(code) != rival->me && !head_of(child)->over)
        rival->game->hand_to(rival->setup, child->bytes, rival->me);
}

/* The value for a seat of a position that is over or not looked into, `ply` plies from the root. */
static int leaf_value(const struct rival *rival, const struct board *board, unsigned seat, int ply)
{
    const struct head *head = head_of(board);
    if (head->winner >= 0)
        return (unsigned)head->winner == seat ? TREE_WIN - ply : ply - TREE_WIN;
    return head->over ? 0 : rival->game->evaluate(rival->setup, board->bytes, seat);
}

/* See `method`: the others play against the root's seat, by turns or with one move. */
static int against_all(struct rival *rival, const struct board *board, int ply, int depth, int alpha, int beta)
{
    const struct head *head = head_of(board);
    struct move moves[ENGINE_MOVES_MAX];
    count_node(rival);
    if (head->over || head->winner >= 0 || depth == 0)
        return leaf_value(rival, board, rival->me, ply);
    bool mine = head->turn == rival->me;
    int count = fill_moves(rival, board, moves);
    for (int n = 0; n < count && alpha < beta && !rival->stopped; n++) {
        struct board child;
        play(rival, board, moves[n].code, &child);
        int value = against_all(rival, &child, ply + 1, depth - 1, alpha, beta);
        if (mine && value > alpha)
            alpha = value;
        else if (!mine && value < beta)
            beta = value;
    }
    return mine ? alpha : beta;
}

/* Writes the value for each seat of a position, where each seat takes what is best for itself. */
static void each_for_itself(struct rival *rival, const struct board *board, int ply, int depth, int *values)
{
    const struct head *head = head_of(board);
    struct move moves[ENGINE_MOVES_MAX];
    bool leaf = head->over || head->winner >= 0 || depth == 0;
    count_node(rival);
    for (int seat = 0; seat < rival->players; seat++)
        values[seat] = leaf ? leaf_value(rival, board, (unsigned)seat, ply) : -TREE_INFINITE;
    int count = leaf ? 0 : fill_moves(rival, board, moves);
    for (int n = 0; n < count && !rival->stopped; n++) {
        struct board child;
        int found[ENGINE_SEATS_MAX];
        play(rival, board, moves[n].code, &child);
        each_for_itself(rival, &child, ply + 1, depth - 1, found);
        if (found[head->turn] > values[head->turn])
            memcpy(values, found, sizeof found);
    }
}

/* See `method`: max^n. The window is of no use to it. */
static int own_value(struct rival *rival, const struct board *board, int ply, int depth, int alpha, int beta)
{
    int values[ENGINE_SEATS_MAX];
    (void)alpha;
    (void)beta;
    each_for_itself(rival, board, ply, depth, values);
    return values[rival->me];
}

/* The score of a value. */
static int score_of(const struct rival *rival, int value)
{
    if (abs(value) >= TREE_WIN_LEAST)
        return value > 0 ? 1000 : -1000;
    return rival->game->points(value, rival->players);
}

/* Searches the root's moves at one depth and brings the best to the front; false when it had no time for the first. */
static bool search_root(struct rival *rival, struct move *moves, int count, int depth, int *best)
{
    int alpha = -TREE_INFINITE;
    for (int n = 0; n < count; n++) {
        struct board child;
        struct move move = moves[n];
        play(rival, &rival->now, move.code, &child);
        int value = rival->method->value(rival, &child, 1, depth - 1, alpha, TREE_INFINITE);
        if (rival->stopped)
            return n > 0;
        if (value <= alpha)
            continue;
        *best = alpha = value;
        memmove(moves + 1, moves, (size_t)n * sizeof move);
        moves[0] = move;
    }
    return true;
}

/* Looks one ply deeper at a time until a limit is reached. A depth that is cut short counts as far as it came: its
 * first move was the best of the depth before. */
static uint32_t deepen(struct rival *rival)
{
    struct move moves[ENGINE_MOVES_MAX];
    int count = fill_moves(rival, &rival->now, moves), best = 0;
    int most = rival->method->plies_max;
    most = rival->plies_max && rival->plies_max < most ? rival->plies_max : most;
    for (int depth = 1; depth <= most && !rival->stopped && abs(best) < TREE_WIN_LEAST; depth++)
        if (search_root(rival, moves, count, depth, &best))
            rival->depth = depth;
    rival->score = score_of(rival, best);
    return moves[0].code;
}

/* The move that gains most at once, equal ones by lot. */
static uint32_t greedy(struct rival *rival)
{
    struct move moves[ENGINE_MOVES_MAX];
    int count = fill_moves(rival, &rival->now, moves), equal = 1;
    while (equal < count && moves[equal].gain == moves[0].gain)
        equal++;
    uint32_t code = moves[random_next(&rival->state) % (uint32_t)equal].code;
    struct board child;
    play(rival, &rival->now, code, &child);
    rival->nodes = (uint64_t)count;
    rival->depth = 1;
    rival->score = score_of(rival, leaf_value(rival, &child, rival->me, 1));
    return code;
}

/* Of a few moves of the side to move, drawn by lot, the one that gains most. */
static uint32_t sample_move(struct rival *rival, const struct board *board)
{
    struct move moves[ENGINE_MOVES_MAX];
    unsigned turn = head_of(board)->turn;
    int count = rival->game->generate(rival->setup, board->bytes, turn, moves);
    struct move best = {move_pass(turn), INT32_MIN};
    for (int lot = 0; lot < LOTS && count > 0; lot++) {
        const struct move *drawn = &moves[random_next(&rival->state) % (uint32_t)count];
        best = drawn->gain > best.gain ? *drawn : best;
    }
    return best.code;
}

/* Plays a position on for a few plies, each a move that `sample_move` gives. Writes what then is expected for each
 * seat, 0 to 1. */
static void play_out(struct rival *rival, struct board *board, double *results)
{
    const struct head *head = head_of(board);
    for (int ply = 0; ply < PLAYOUT_PLIES && !head->over && head->winner < 0; ply++)
        rival->game->play(rival->setup, board->bytes, sample_move(rival, board));
    for (int seat = 0; seat < rival->players; seat++)
        results[seat] = 0.5 + score_of(rival, leaf_value(rival, board, (unsigned)seat, 0)) / 2000.0;
}

/* Adds a position's moves to the tree, those that gain most first. Answers their number, 0 where there is no room. */
static uint32_t grow(struct rival *rival, const struct board *board)
{
    struct move moves[ENGINE_MOVES_MAX];
    int count = fill_moves(rival, board, moves);
    if (rival->tree_size + (uint32_t)count > BRANCHES_MAX)
        return 0;
    for (int n = 0; n < count; n++)
        rival->tree[rival->tree_size++] = (struct branch){.code = moves[n].code};
    return (uint32_t)count;
}

/* The branch to follow: that of the greatest mean with a bonus for being little known (UCT). Those that gain less are
 * only looked at as the visits grow, the best `WIDTH_LEAST` and as many again as the root of the visits. */
static struct branch *best_child(const struct rival *rival, uint32_t first, uint32_t count, uint32_t visits)
{
    uint32_t width = WIDTH_LEAST + (uint32_t)sqrt(visits);
    double most = -1, bonus = log(visits + 1);
    struct branch *best = NULL;
    for (uint32_t n = 0; n < count && n < width; n++) {
        struct branch *branch = &rival->tree[first + n];
        if (branch->visits == 0)
            return branch;
        double worth = branch->won / branch->visits + EXPLORATION * sqrt(bonus / branch->visits);
        if (worth > most) {
            most = worth;
            best = branch;
        }
    }
    return best;
}

/* Follows the tree to a leaf, lets it grow there, plays it out and notes the result all the way back. */
static void visit(struct rival *rival, uint32_t root_count)
{
    struct branch *path[PLIES_MAX];
    struct board board = rival->now;
    uint32_t first = 0, count = root_count, visits = (uint32_t)rival->nodes;
    int length = 0;
    double results[ENGINE_SEATS_MAX];
    while (count > 0 && length < PLIES_MAX) {
        struct branch *branch = best_child(rival, first, count, visits);
        path[length++] = branch;
        rival->game->play(rival->setup, board.bytes, branch->code);
        if (branch->count == 0 && branch->visits > 0 && !head_of(&board)->over && head_of(&board)->winner < 0) {
            branch->first = rival->tree_size;
            branch->count = grow(rival, &board);
        }
        first = branch->first;
        count = branch->count;
        visits = branch->visits;
    }
    rival->depth = length > rival->depth ? length : rival->depth;
    play_out(rival, &board, results);
    while (length-- > 0) {
        path[length]->visits++;
        path[length]->won += results[move_seat(path[length]->code)];
    }
}

/* Visits the tree until a limit is reached; the move that was visited most. */
static uint32_t grow_tree(struct rival *rival)
{
    rival->tree_size = 0;
    uint32_t count = grow(rival, &rival->now);
    struct branch *best = rival->tree;
    if (!rival->nodes_max && !rival->movetime_ms)
        rival->nodes_max = 10000;
    while (count > 1 && !rival->stopped) {
        visit(rival, count);
        count_node(rival);
    }
    for (uint32_t n = 1; n < count; n++)
        best = rival->tree[n].visits > best->visits ? &rival->tree[n] : best;
    rival->score = best->visits ? (int)(2000 * best->won / best->visits - 1000) : 0;
    return best->code;
}

/* One row a method. */
static const struct method methods[] = {
    {"greedy", greedy, NULL, 1, false},
    {"two-ply", deepen, own_value, 2, false},
    {"paranoid", deepen, against_all, PLIES_MAX, false},
    {"maxn", deepen, own_value, PLIES_MAX, false},
    {"best-reply", deepen, against_all, PLIES_MAX, true},
    {"mcts", grow_tree, NULL, PLIES_MAX, false},
};

/* The method of that name, or NULL. */
static const struct method *find_method(const char *name)
{
    for (size_t n = 0; n < sizeof methods / sizeof *methods; n++)
        if (strcmp(methods[n].name, name) == 0)
            return &methods[n];
    return NULL;
}

/* `game NAME PLAYERS` */
static bool hear_game(struct rival *rival, char *words, char *error)
{
    char *rest = NULL, *name = strtok_r(words, " ", &rest), *players = strtok_r(NULL, " ", &rest);
    const struct game *game = name && players ? game_find(name) : NULL;
    snprintf(error, ENGINE_ERROR_MAX, "game NAME PLAYERS, a game without chance");
    if (!game || game->chance || game->setup_size > SETUP_MAX)
        return false;
    game->setup(rival->setup);
    rival->game = game->start(rival->setup, atoi(players), rival->given.bytes, error) ? game : NULL;
    if (!rival->game)
        return false;
    rival->players = atoi(players);
    rival->now = rival->given;
    puts("ready");
    return true;
}

/* `option NAME VALUE`: the start position once more. */
static bool hear_option(struct rival *rival, char *words, char *error)
{
    char *rest = NULL, *name = strtok_r(words, " ", &rest), *value = strtok_r(NULL, " ", &rest);
    if (!name || !value || !rival->game->option(rival->setup, name, value, error) ||
        !rival->game->start(rival->setup, rival->players, rival->given.bytes, error))
        return false;
    rival->now = rival->given;
    return true;
}

/* `position TEXT` */
static bool hear_position(struct rival *rival, char *words, char *error)
{
    struct board board;
    if (!rival->game->read(rival->setup, words, board.bytes, error))
        return false;
    rival->given = rival->now = board;
    return true;
}

/* `moves M1 M2 ...`, since the position that was given. */
static bool hear_moves(struct rival *rival, char *words, char *error)
{
    struct board board = rival->given;
    char *rest = NULL;
    for (char *word = strtok_r(words, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        uint32_t code;
        if (!game_move_read(rival->game, rival->setup, board.bytes, word, &code, error))
            return false;
        rival->game->play(rival->setup, board.bytes, code);
    }
    rival->now = board;
    return true;
}

/* Thinks and answers. */
static void answer(struct rival *rival)
{
    char text[ENGINE_MOVE_MAX];
    if (head_of(&rival->now)->over) {
        puts("best none");
        return;
    }
    rival->start_ns = tree_now_ns();
    rival->nodes = 0;
    rival->stopped = false;
    rival->depth = 0;
    rival->me = head_of(&rival->now)->turn;
    rival->state = head_of(&rival->now)->key;
    rival->game->move_write(rival->method->think(rival), text);
    printf("best %s score %d depth %d nodes %" PRIu64 " time_ms %" PRId64 "\n", text, rival->score, rival->depth,
           rival->nodes, (tree_now_ns() - rival->start_ns) / 1000000);
}

/* `go`, with any of movetime_ms T, nodes N, plies D. */
static bool hear_go(struct rival *rival, char *words, char *error)
{
    char *rest = NULL, *name = strtok_r(words, " ", &rest);
    rival->movetime_ms = rival->plies_max = 0;
    rival->nodes_max = 0;
    snprintf(error, ENGINE_ERROR_MAX, "go with any of movetime_ms T, nodes N, plies D");
    if (!name)
        return false;
    for (; name; name = strtok_r(NULL, " ", &rest)) {
        char *value = strtok_r(NULL, " ", &rest);
        long long number = value ? atoll(value) : 0;
        if (number < 1)
            return false;
        if (strcmp(name, "movetime_ms") == 0)
            rival->movetime_ms = number;
        else if (strcmp(name, "nodes") == 0)
            rival->nodes_max = (uint64_t)number;
        else if (strcmp(name, "plies") == 0)
            rival->plies_max = number < PLIES_MAX ? (int)number : PLIES_MAX;
        else
            return false;
    }
    answer(rival);
    return true;
}

/* Does what one line asks. */
static void hear(struct rival *rival, char *line)
{
    static const struct {
        const char *verb;                                /* the line's first word */
        bool (*obey)(struct rival *, char *, char *);    /* what it asks for */
    } verbs[] = {{"game", hear_game}, {"option", hear_option}, {"position", hear_position},
                 {"moves", hear_moves}, {"go", hear_go}};
    char error[ENGINE_ERROR_MAX] = "this makes no sense here";
    size_t length = strcspn(line, " ");
    char *words = line + length + (line[length] == ' ');
    line[length] = '\0';
    bool good = false;
    for (size_t n = 0; n < sizeof verbs / sizeof *verbs; n++)
        if (strcmp(line, verbs[n].verb) == 0 && (rival->game || n == 0))
            good = verbs[n].obey(rival, words, error);
    if (!good)
        printf("error %s\n", error);
    fflush(stdout);
}

/* Holds one conversation, to its end. */
static void converse(struct rival *rival)
{
    char *line = NULL;
    size_t size = 0;
    while (getline(&line, &size, stdin) > 0) {
        line[strcspn(line, "\r\n")] = '\0';
        if (strcmp(line, "quit") == 0)
            break;
        hear(rival, line);
    }
    free(line);
}

/* Plays as the rival of that name. */
int main(int count, char **words)
{
    const struct method *method = count == 2 ? find_method(words[1]) : NULL;
    if (!method) {
        fputs("rivals greedy | two-ply | paranoid | maxn | best-reply | mcts\n", stderr);
        return 2;
    }
    struct rival *rival = aligned_alloc(16, (sizeof *rival + 15) / 16 * 16);
    struct branch *tree = malloc(BRANCHES_MAX * sizeof *tree);
    if (rival && tree) {
        memset(rival, 0, sizeof *rival);
        rival->method = method;
        rival->tree = tree;
        converse(rival);
    }
    free(tree);
    free(rival);
    return 0;
}
