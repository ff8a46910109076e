/* The engine as a program of its own, for profilers, sanitizers and fuzzers:
 *
 *     cc -std=c11 -O2 -fno-strict-aliasing -o engine \
 *         $(ls service/engine/[a-z]*.c | grep -v module.c) -lm
 *     engine perft GAME PLAYERS DEPTH        a line `depth nodes` for each depth
 *     engine bench                           fixed positions; nodes, nodes a second, and a signature
 *     engine rate GAME PLIES                 positions that moves led to, and evaluations, in a second of random play
 *     engine best GAME MOVETIME_MS POSITION  the best move, or `none`
 *     engine think GAME PLAYERS MOVETIME_MS  depth and nodes a second in positions of a game of its own, 16 plies apart
 *     engine alone GAME WIDTH                the fewest moves found to the first seat's goal with nobody else on the
 *                                            board, and the play; greater widths look at more positions
 *     engine fuzz GAME SEED ROUNDS           damaged texts and random play; ends well or is broken
 */
#include <inttypes.h>
#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "diamond_board.h"
#include "random.h"
#include "search.h"

enum {
    SETUP_MAX = 1 << 16,
    TABLE_MB = 16,
    BENCH_NODES = 100000,
    THINK_NODES = 3000, /* of each move between the positions that are thought about */
    THINK_PLIES = 16,   /* plies between them */
    THINK_LAST = 64,    /* the last one's ply */
    FUZZ_PLIES = 300,
};

/* A game being played by this program. */
struct play {
    const struct game *game;                                  /* the game */
    alignas(16) unsigned char setup[SETUP_MAX];               /* its setup */
    alignas(16) unsigned char position[ENGINE_POSITION_SIZE]; /* its position */
    char error[ENGINE_ERROR_MAX];                             /* what was wrong last */
    struct shelf *shelf;                                      /* tables of the games that were played */
};

/* Ends the program with a complaint. */
static void die(const char *text)
{
    fprintf(stderr, "engine: %s\n", text);
    _Exit(2);
}

/* Begins a game with the default options; the position is left empty. */
static void open_play(struct play *play, const char *key)
{
    play->game = game_find(key);
    if (!play->game)
        die("no such game");
    if (play->game->setup_size > sizeof play->setup)
        die("this game needs more memory");
    if (!game_setup(play->game, play->shelf, play->setup))
        die("no memory");
}

/* Puts up the start position. */
static void start_play(struct play *play, int players)
{
    if (!play->game->start(play->setup, players, play->position, play->error))
        die(play->error);
}

/* Searches the position; answers how many lines there are. */
static int find_lines(struct search *search, const struct play *play, const struct limits *limits, struct line *lines)
{
    int count = search_run(search, play->game, play->setup, play->position, limits, lines);
    if (count < 0)
        die("no memory");
    return count;
}

/* Prints the counts of every depth. */
static void perft(struct play *play, int players, int depth)
{
    start_play(play, players);
    for (int plies = 1; plies <= depth; plies++)
        printf("%d %" PRIu64 "\n", plies, game_perft(play->game, play->setup, play->position, plies, NULL));
}

/* One position of the bench. */
struct sample {
    const char *game;     /* the game */
    const char *position; /* its text */
};

/* The bench's positions. One row each; a new game adds an opening, a middle game and an ending, which in the Diamond
 * Game is a race. */
static const struct sample samples[] = {
    {"diamond", "R/rr/rrr/rrrr/4rrrrr4/12/11/10/y8/yy8/yyy8/yyyy8/Yyyyy8/4/3/2/1 r 2 0 0"},
    {"diamond", "R/rr/rrr/rrrr/4rrrrr4/12/11/10/y7g/yy6gg/yyy5ggg/yyyy4gggg/Yyyyy3ggggG/4/3/2/1 r 3 0 0"},
    {"diamond", "1/2/3/1r2/6r1Y4/3yyry5/3rry5/2yyr2ry1/1yryyry2/3ryrr3/2yyRr1r3/12/13/4/3/2/1 r 2 44 0"},
    {"diamond", "1/2/3/1r2/5rrrY4/4gryr4/3rGrrg3/3ryyrg2/gyyyygg1g/3yyyrg2/2g1yrggg2/2yyygg5/8r4/R3/3/2/1 r 3 66 0"},
    {"diamond", "1/2/3/4/8yyyyY/6y2yy1/7y1yy/2yy1y1y2/2rr5/3r1r4/4Rr5/7r4/7rr4/1rr1/rrr/1r/1 r 2 104 0"},
    {"diamond", "1/2/3/4/Gg1g5y1yY/gggg4yyyy/ggg5yyy/g2g4yy/ggg2ry1y/5r1y2/11/5r6/4r1rr5/rrrr/rrr/r1/R g 3 155 0"},
    {"backgammon", "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"},
    {"backgammon", "XGID=-B-aBBBBB---dC---d-bc-a---:0:0:-1:63:0:0:0:0:10|24"},
    {"backgammon", "XGID=-BBCCBB------------b--ccd-:0:0:1:32:0:0:0:0:10|60"},
    {"checkers", "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12"},
    {"checkers", "W:W18,19,21,23,24,26,29,30,31,32:B1,2,3,4,6,7,9,10,11,20|18|"},
    {"checkers", "B:WK1,14,K23:BK10,K19,K27,28|93|"},
};

/* Searches every sample with a fixed number of nodes. The signature changes when any answer does. */
static void bench(struct search *search, struct play *play)
{
    uint64_t nodes = 0, signature = 14695981039346656037u;
    int64_t time_ms = 0;
    for (size_t n = 0; n < sizeof samples / sizeof *samples; n++) {
        struct limits limits = {.nodes = BENCH_NODES, .race_width = SEARCH_RACE_WIDTH, .lines = 1};
        struct line line = {0};
        open_play(play, samples[n].game);
        if (!play->game->read(play->setup, samples[n].position, play->position, play->error))
            die(play->error);
        find_lines(search, play, &limits, &line);
        nodes += search_nodes(search);
        time_ms += search_time_ms(search);
        signature = (signature ^ line.move ^ (uint64_t)line.depth << 40) * 1099511628211u;
        signature = (signature ^ (uint32_t)line.score) * 1099511628211u;
        printf("%zu depth %d score %d\n", n + 1, line.depth, line.score);
    }
    printf("nodes %" PRIu64 " nodes/s %" PRIu64 " signature %08x\n", nodes,
           nodes * 1000 / (uint64_t)(time_ms ? time_ms : 1), (unsigned)(signature ^ signature >> 32));
}

/* Puts up what chance brings, if the position waits for it. */
static void meet_chance(struct play *play, uint64_t *state)
{
    const struct chance *chance = play->game->chance;
    if (!chance || !chance->waits(play->position))
        return;
    int result;
    do
        result = (int)(random_next(state) % (uint32_t)chance->results);
    while (chance->weight(play->position, result) == 0);
    chance->bring(play->setup, play->position, result);
}

/* Prints how deep and how fast the engine looks in positions of a game that it plays itself. */
static void think(struct search *search, struct play *play, int players, int movetime_ms)
{
    const struct head *head = (const struct head *)play->position;
    uint64_t state = 1;
    start_play(play, players);
    for (int ply = 0; ply <= THINK_LAST && !head->over; ply++) {
        struct limits quick = {.nodes = THINK_NODES, .race_width = SEARCH_RACE_WIDTH, .lines = 1}, limits = quick;
        struct line line = {0};
        meet_chance(play, &state);
        if (ply % THINK_PLIES == 0) {
            limits.nodes = 0;
            limits.movetime_ms = movetime_ms;
            find_lines(search, play, &limits, &line);
            int64_t time_ms = search_time_ms(search) ? search_time_ms(search) : 1;
            printf("ply %d depth %d nodes/s %" PRIu64 "\n", ply, line.depth,
                   search_nodes(search) * 1000 / (uint64_t)time_ms);
        }
        find_lines(search, play, &quick, &line);
        play->game->play(play->setup, play->position, line.move);
    }
}

/* Seconds that the processor has spent here. */
static double spent_s(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

/* Plays at random and makes every position that a move leads to, `rounds` times each ply; evaluates it if told to.
 * Answers how many positions that were a second. */
static double rate_of(struct play *play, int plies, int rounds, bool evaluate)
{
    const struct head *head = (const struct head *)play->position;
    uint64_t state = 1, made = 0;
    double begun_s = spent_s();
    volatile int kept = 0;
    for (int ply = 0; ply < plies; ply++) {
        struct move moves[ENGINE_MOVES_MAX];
        if (ply == 0 || head->over)
            start_play(play, 2);
        meet_chance(play, &state);
        int count = 0;
        for (int round = 0; round < rounds; round++) {
            count = play->game->generate(play->setup, play->position, head->turn, moves);
            for (int n = 0; n < count; n++) {
                alignas(16) unsigned char child[ENGINE_POSITION_SIZE];
                memcpy(child, play->position, play->game->position_size);
                play->game->play(play->setup, child, moves[n].code);
                kept = evaluate ? play->game->evaluate(play->setup, child, 0) : (int)((struct head *)child)->key;
            }
            made += (uint64_t)count;
        }
        play->game->play(play->setup, play->position,
                         count ? moves[random_next(&state) % (uint32_t)count].code : move_pass(head->turn));
    }
    (void)kept;
    return (double)made / (spent_s() - begun_s + 1e-9);
}

/* Prints how fast positions are made, and made and evaluated. */
static void rate(struct play *play, int plies)
{
    printf("positions/s %.0f\n", rate_of(play, plies, 20, false));
    printf("evaluations/s %.0f\n", rate_of(play, plies, 2, true));
}

/* Prints the best move of a position, or that it has none: the game is over or waits for chance. */
static void best(struct search *search, struct play *play, int movetime_ms, const char *position)
{
    struct limits limits = {.movetime_ms = movetime_ms, .race_width = SEARCH_RACE_WIDTH, .lines = 1};
    struct line line;
    char text[ENGINE_MOVE_MAX];
    if (!play->game->read(play->setup, position, play->position, play->error))
        die(play->error);
    if (find_lines(search, play, &limits, &line) == 0) {
        puts("none");
        return;
    }
    play->game->move_write(line.move, text);
    printf("%s score %d depth %d nodes %" PRIu64 "\n", text, line.score, line.depth, search_nodes(search));
}

/* Counts a position; the work goes on. */
static bool count_position(void *count)
{
    ++*(uint64_t *)count;
    return true;
}

/* Takes the other seats' pieces off a Diamond board, as far as `seat` can tell: their men are gone, and a king on its
 * own target's apex is on ground that is closed to others and cannot be jumped. */
static void take_off_others(const struct diamond *setup, struct diamond_position *position, unsigned seat)
{
    for (unsigned other = 0; other < position->players; other++)
        if (other != seat) {
            position->men[other] = 0;
            position->king[other] = setup->apex[other];
        }
    diamond_settle(setup, position);
}

/* Prints how many moves the seat that begins needs with nobody else on the board, and its play. */
static void alone(struct play *play, int width)
{
    uint64_t positions = 0;
    struct asker asker = {count_position, &positions};
    struct race_query query = {.width = (uint32_t)width, .asker = &asker};
    struct race_line way;
    if (play->game != &diamond_game)
        die("in this game nobody goes home alone");
    start_play(play, 2);
    query.seat = ((const struct head *)play->position)->turn;
    take_off_others((const struct diamond *)play->setup, (struct diamond_position *)play->position, query.seat);
    double begun_s = spent_s();
    play->game->race->solve(play->setup, play->position, &query, &way);
    printf("moves %d least %d positions %" PRIu64 " seconds %.2f\n", way.moves, way.least, positions,
           spent_s() - begun_s);
    for (int n = 0; n < way.moves; n++) {
        char text[ENGINE_MOVE_MAX];
        play->game->move_write(way.play[n], text);
        printf("%s%c", text, n + 1 < way.moves ? ' ' : '\n');
    }
}

/* Changes, doubles or drops a few bytes of a text. */
static void damage(char *text, size_t size, uint64_t *state)
{
    static const char letters[] = "rygRYG0123456789/ -xabABKW:,|*(\xff";
    for (uint32_t count = 1 + random_next(state) % 4; count; count--) {
        size_t length = strlen(text), at = random_next(state) % (length + 1);
        char letter = letters[random_next(state) % (sizeof letters - 1)];
        uint32_t what = random_next(state) % 4;
        if (what == 0 && length + 2 < size) {
            memmove(text + at + 1, text + at, length - at + 1);
            text[at] = letter;
        } else if (what == 1 && at < length)
            memmove(text + at, text + at + 1, length - at);
        else if (what == 2 && length > 0)
            text[at % length] = text[random_next(state) % length];
        else if (at < length)
            text[at] = letter;
    }
}

/* Checks that a position that moves led to is worth the same as when it is read from its text. */
static void fuzz_value(const struct play *play, const struct play *other)
{
    const struct game *game = play->game;
    const struct head *head = (const struct head *)play->position;
    if (head->over || (game->chance && !game->chance->waits(play->position)))
        return;
    for (unsigned seat = 0; seat < ENGINE_SEATS_MAX; seat++)
        if (head->in_play >> seat & 1 && game->evaluate(play->setup, play->position, seat) !=
                                             game->evaluate(other->setup, other->position, seat))
            die("a position's value depends on how it came about");
}

/* Checks that a position's text is read back as the same, and that damaged texts are refused or sound. */
static void fuzz_text(struct play *play, struct play *other, uint64_t *state)
{
    char text[ENGINE_POSITION_MAX], again[ENGINE_POSITION_MAX];
    play->game->write(play->setup, play->position, text);
    if (!play->game->read(play->setup, text, other->position, other->error))
        die(other->error);
    play->game->write(play->setup, other->position, again);
    if (strcmp(text, again) != 0 || memcmp(play->position, other->position, offsetof(struct head, winner)) != 0)
        die("a position is not read back as it was");
    fuzz_value(play, other);
    damage(text, sizeof text, state);
    if (!play->game->read(play->setup, text, other->position, other->error))
        return;
    play->game->write(play->setup, other->position, again);
    game_perft(play->game, play->setup, other->position, 1, NULL);
}

/* Checks that a move's text is read back as the same, and that a damaged one does no harm. */
static void fuzz_move(struct play *play, uint32_t code, uint64_t *state)
{
    char text[ENGINE_MOVE_MAX];
    uint32_t back;
    play->game->move_write(code, text);
    if (!game_move_read(play->game, play->setup, play->position, text, &back, play->error) || back != code)
        die("a move is not read back as it was");
    damage(text, sizeof text, state);
    game_move_read(play->game, play->setup, play->position, text, &back, play->error);
}

/* Begins a game with random options, for as many players as it takes. */
static void fuzz_start(struct play *play, uint64_t *state)
{
    static const char *const words[] = {"1", "2", "true", "false", "red", "green", "first", "all", "60", "x"};
    static const char *const names[] = {"king_min_run", "border_stop", "first_seat",
                                        "places",       "leave_target", "auto_roll"};
    open_play(play, play->game->key);
    for (int n = 0; n < 6; n++)
        play->game->option(play->setup, names[random_next(state) % 6], words[random_next(state) % 10], play->error);
    int players = 2 + (int)(random_next(state) % 2);
    if (!play->game->start(play->setup, players, play->position, play->error))
        start_play(play, 2);
}

/* Checks that the quick ways agree with the list of moves. */
static void fuzz_counts(const struct play *play, unsigned seat, const struct move moves[], int count)
{
    int32_t best = count ? INT32_MIN : 0;
    for (int n = 0; n < count; n++)
        best = moves[n].gain > best ? moves[n].gain : best;
    if ((unsigned)count != play->game->count(play->setup, play->position))
        die("generate and count disagree");
    if (play->game->quick && play->game->quick->best_gain(play->setup, play->position, seat) != best)
        die("generate and best_gain disagree");
}

/* The gain of the listed move `code`; false when it is not listed. */
static bool listed_gain(const struct move moves[], int count, uint32_t code, int32_t *gain)
{
    for (int n = 0; n < count; n++)
        if (moves[n].code == code) {
            *gain = moves[n].gain;
            return true;
        }
    return false;
}

/* Checks that the moves that gain more than `least` are those of the list of all, or else one that gains most. */
static void fuzz_above(const struct play *play, const struct move moves[], int count, unsigned seat, int32_t least)
{
    struct move above[ENGINE_MOVES_MAX];
    int found = play->game->quick->generate_above(play->setup, play->position, seat, least, above), wanted = 0;
    int32_t most = INT32_MIN, gain;
    for (int n = 0; n < count; n++) {
        most = moves[n].gain > most ? moves[n].gain : most;
        if (moves[n].gain <= least)
            continue;
        wanted++;
        if (!listed_gain(above, found, moves[n].code, &gain) || gain != moves[n].gain)
            die("generate_above misses a move");
    }
    if (found != (wanted ? wanted : count > 0))
        die("generate and generate_above disagree");
    if (found && !wanted && (!listed_gain(moves, count, above->code, &gain) || gain != most || above->gain != most))
        die("generate_above does not fall back on the best move");
}

/* Checks that what is told of single moves and of those that gain more than `least` agrees with the list of all, for
 * the seat that could make the moves `before` in the position before this one. */
static void fuzz_gains(const struct play *play, const struct move before[], int before_count, int32_t least)
{
    struct move moves[ENGINE_MOVES_MAX];
    const struct game *game = play->game;
    int32_t gain, told;
    if (!game->quick || before_count == 0)
        return;
    unsigned seat = move_seat(before[0].code);
    int count = game->generate(play->setup, play->position, seat, moves);
    fuzz_above(play, moves, count, seat, least);
    for (int n = 0; n < before_count; n++) {
        uint32_t code = before[n].code;
        gain = told = 0;
        if (game->quick->gain_of(play->setup, play->position, code, &told) != listed_gain(moves, count, code, &gain) ||
            told != gain)
            die("generate and gain_of disagree");
    }
}

/* Checks what is told, with two seats, of the position after the best move of the side to move: it is the value after
 * one of the moves, and no less than after any that gains most. `other` is room to play them. */
static void fuzz_after(const struct play *play, struct play *other, const struct move moves[], int count)
{
    enum { FAR = 1000000 }; /* no value is beyond */
    const struct game *game = play->game;
    const struct head *head = (const struct head *)play->position;
    int32_t most = INT32_MIN;
    bool found = false;
    if (!game->quick || count == 0 || __builtin_popcount(head->in_play) > 2)
        return;
    int value = game->evaluate(play->setup, play->position, head->turn);
    int told = game->quick->after_best(play->setup, play->position, head->turn, value, -FAR, FAR);
    for (int n = 0; n < count; n++)
        most = moves[n].gain > most ? moves[n].gain : most;
    if ((told >= ENGINE_GAIN_WINS) != (most >= ENGINE_GAIN_WINS))
        die("after_best and generate disagree on a win");
    for (int n = 0; n < count && most < ENGINE_GAIN_WINS; n++) {
        memcpy(other->position, play->position, game->position_size);
        game->play(play->setup, other->position, moves[n].code);
        int after = game->evaluate(play->setup, other->position, head->turn);
        found |= after == told;
        if (moves[n].gain == most && after > told)
            die("after_best is below the value after the move that gains most");
    }
    if (!found && most < ENGINE_GAIN_WINS)
        die("after_best is not the value after any move");
}

/* Plays a move and checks that its key was foretold. */
static void fuzz_play(struct play *play, uint32_t code)
{
    const struct game *game = play->game;
    const struct head *head = (const struct head *)play->position;
    uint64_t key = game->quick ? game->quick->key_after(play->setup, play->position, code) : 0;
    game->play(play->setup, play->position, code);
    if (game->quick && !move_is_pass(code) && key != head->key)
        die("key_after and play disagree");
}

/* Plays one random game with checks on every ply; `other` is room to work in. */
static void fuzz_game(struct search *search, struct play *play, struct play *other, uint64_t *state)
{
    const struct head *head = (const struct head *)play->position;
    fuzz_start(play, state);
    for (int ply = 0; ply < FUZZ_PLIES && !head->over; ply++) {
        struct move moves[ENGINE_MOVES_MAX];
        fuzz_text(play, other, state);
        meet_chance(play, state);
        int count = play->game->generate(play->setup, play->position, head->turn, moves);
        fuzz_counts(play, head->turn, moves, count);
        fuzz_text(play, other, state);
        fuzz_after(play, other, moves, count);
        uint32_t code = count ? moves[random_next(state) % (uint32_t)count].code : move_pass(head->turn);
        if (ply % 16 == 0) {
            struct limits limits = {.nodes = 500, .race_width = 32, .lines = 1 + (int)(random_next(state) % 3)};
            struct line lines[3];
            if (find_lines(search, play, &limits, lines) > 0)
                code = lines[0].move;
        }
        fuzz_move(play, code, state);
        fuzz_play(play, code);
        if (!head->over)
            fuzz_gains(play, moves, count, (int32_t)(random_next(state) % 1000) - 500);
    }
}

/* Plays random games. */
static void fuzz(struct search *search, struct play *play, uint64_t seed, int rounds)
{
    struct play *other = aligned_alloc(16, sizeof *other);
    if (!other)
        die("no memory");
    *other = *play;
    for (int round = 0; round < rounds; round++)
        fuzz_game(search, play, other, &seed);
    free(other);
    printf("%d games\n", rounds);
}

/* Does what the words say; a wrong call ends with a complaint and exit code 2. */
int main(int count, char **words)
{
    struct search *search = search_new(TABLE_MB);
    struct play *play = aligned_alloc(16, sizeof *play);
    struct shelf shelf = {{NULL}};
    const char *verb = count > 1 ? words[1] : "";
    if (!search || !play)
        die("no memory");
    play->shelf = &shelf;
    if (count == 4 || count == 5)
        open_play(play, words[2]);
    if (strcmp(verb, "perft") == 0 && count == 5)
        perft(play, atoi(words[3]), atoi(words[4]));
    else if (strcmp(verb, "bench") == 0)
        bench(search, play);
    else if (strcmp(verb, "rate") == 0 && count == 4)
        rate(play, atoi(words[3]));
    else if (strcmp(verb, "best") == 0 && count == 5)
        best(search, play, atoi(words[3]), words[4]);
    else if (strcmp(verb, "think") == 0 && count == 5)
        think(search, play, atoi(words[3]), atoi(words[4]));
    else if (strcmp(verb, "alone") == 0 && count == 4)
        alone(play, atoi(words[3]));
    else if (strcmp(verb, "fuzz") == 0 && count == 5)
        fuzz(search, play, strtoull(words[3], NULL, 10), atoi(words[4]));
    else
        die("perft GAME PLAYERS DEPTH | bench | rate GAME PLIES | best GAME MOVETIME_MS POSITION | "
            "think GAME PLAYERS MOVETIME_MS | alone GAME WIDTH | fuzz GAME SEED ROUNDS");
    search_free(search);
    shelf_clear(&shelf);
    free(play);
    return 0;
}
