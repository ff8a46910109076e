/* A match between two versions of the engine, without Python: every change to the search or to the evaluation is
 * judged by one.
 *
 *     cc -std=c11 -O2 -fno-strict-aliasing -Iservice/engine -o match \
 *         $(ls service/engine/[a-z]*.c | grep -v 'cli.c\|module.c') service/engine/train/match.c -ldl -lm
 *     match A.so B.so [game NAME] [players N] [games N] [nodes N] [ms N] [plies N] [noise N] [opening N] [seed N]
 *           [seatings N] [aNODES etc: anodes, ams, aplies, anoise, bnodes, bms, bplies, bnoise for one side]
 *
 * Each opening, some random plies, is played once for every seating, or for the first `seatings` of them: one is enough
 * where an engine plays itself. The error bar is that of independent openings. */
#define _POSIX_C_SOURCE 200809L

#include <dlfcn.h>
#include <math.h>
#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "engine.h"
#include "player.h"
#include "random.h"

enum { SETUP_MAX = 1 << 16, SEATINGS_MAX = 6 };

/* One side. */
struct side {
    void *player;                                  /* its memory */
    int (*move)(void *, const char *, struct turn *); /* thinks */
    struct turn limits;                            /* what it thinks within */
    uint64_t nodes;                                /* of all its turns so far */
    int64_t depth;                                 /* likewise */
    int64_t turns;                                 /* how many those are */
    double seconds;                                /* that they took */
};

/* The match. */
struct match {
    const struct game *game;                                  /* the game */
    int players, games, opening;                              /* seats, games to play, random plies first */
    int seatings;                                             /* how many of an opening are played; 0 is all */
    uint64_t seed;                                            /* of the openings */
    struct side sides[2];                                     /* A and B */
    int wins[3];                                              /* of A, of B, and draws */
    int seat_wins[ENGINE_SEATS_MAX];                          /* by the seat that won */
    int64_t plies;                                            /* of all games */
    int longest;                                              /* plies of the longest */
    alignas(16) unsigned char setup[SETUP_MAX];               /* the game's setup */
    alignas(16) unsigned char position[ENGINE_POSITION_SIZE]; /* the position */
};

/* Ends the program with a complaint. */
static void die(const char *text)
{
    fprintf(stderr, "match: %s\n", text);
    _Exit(2);
}

/* Opens a side's library. */
static void open_side(struct side *side, const char *path, const char *game)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        die(dlerror());
    void *(*new)(const char *) = (void *(*)(const char *))dlsym(library, "player_new");
    side->move = (int (*)(void *, const char *, struct turn *))dlsym(library, "player_move");
    if (!new || !side->move || !(side->player = new(game)))
        die("this is no player");
}

/* Puts up the opening of that number. */
static void set_up(struct match *match, uint64_t number)
{
    char error[ENGINE_ERROR_MAX];
    const struct head *head = (const struct head *)match->position;
    uint64_t state = (match->seed << 32 | number) * 0x9e3779b97f4a7c15u + 12345;
    if (!match->game->start(match->setup, match->players, match->position, error))
        die(error);
    for (int ply = 0; ply < match->opening && !head->over; ply++) {
        struct move moves[ENGINE_MOVES_MAX];
        int count = match->game->generate(match->setup, match->position, head->turn, moves);
        if (count > 0)
            match->game->play(match->setup, match->position, moves[random_next(&state) % (uint32_t)count].code);
    }
}

/* Lets a side play one move. */
static void play_move(struct match *match, struct side *side)
{
    const struct head *head = (const struct head *)match->position;
    char text[ENGINE_POSITION_MAX], error[ENGINE_ERROR_MAX];
    struct turn turn = side->limits;
    struct timespec begun, done;
    uint32_t code;
    match->game->write(match->setup, match->position, text);
    turn.seed = head->key ^ match->seed;
    clock_gettime(CLOCK_MONOTONIC, &begun);
    if (!side->move(side->player, text, &turn))
        die(text);
    clock_gettime(CLOCK_MONOTONIC, &done);
    if (!game_move_read(match->game, match->setup, match->position, turn.move, &code, error))
        die(error);
    match->game->play(match->setup, match->position, code);
    side->seconds += (double)(done.tv_sec - begun.tv_sec) + (double)(done.tv_nsec - begun.tv_nsec) * 1e-9;
    side->nodes += turn.nodes;
    side->depth += turn.plies;
    side->turns++;
}

/* Plays a game, the sides seated by the bits of `seating`; answers the points of A. */
static double play_game(struct match *match, uint64_t opening, int seating)
{
    const struct head *head = (const struct head *)match->position;
    set_up(match, opening);
    while (!head->over)
        play_move(match, &match->sides[seating >> head->turn & 1]);
    match->plies += head->ply;
    match->longest = head->ply > match->longest ? head->ply : match->longest;
    if (head->winner < 0) {
        match->wins[2]++;
        return 0.5;
    }
    int winner = seating >> head->winner & 1;
    match->wins[winner]++;
    match->seat_wins[head->winner]++;
    return 1 - winner;
}

/* The rating difference that a share of points stands for. */
static double elo(double share)
{
    share = share < 0.0005 ? 0.0005 : share > 0.9995 ? 0.9995 : share;
    return -400 * log10(1 / share - 1);
}

/* Prints what has come out so far; `mean` and `error` are the share of A and its half 95% interval. */
static void report(const struct match *match, int games, double mean, double error)
{
    printf("games %d  wins %d  draws %d  losses %d  points %.1f%% +- %.1f  elo %+.0f (%+.0f to %+.0f)\n", games,
           match->wins[0], match->wins[2], match->wins[1], 100 * mean, 100 * error, elo(mean), elo(mean - error),
           elo(mean + error));
    printf("plies %.1f longest %d  wins by seat %d %d %d\n", (double)match->plies / games, match->longest,
           match->seat_wins[0], match->seat_wins[1], match->seat_wins[2]);
    for (int n = 0; n < 2; n++) {
        const struct side *side = &match->sides[n];
        double turns = side->turns ? (double)side->turns : 1;
        printf("%c: depth %.2f  nodes %.0f  ms a move %.2f  nodes/s %.0f\n", "AB"[n], (double)side->depth / turns,
               (double)side->nodes / turns, side->seconds * 1000 / turns, (double)side->nodes / side->seconds);
    }
}

/* Plays the match. */
static void play_match(struct match *match)
{
    int first = 1, all = (1 << match->players) - 2, games = 0;
    int seatings = match->seatings > 0 && match->seatings < all ? match->seatings : all, last = seatings;
    double sum = 0, squares = 0;
    int openings = (match->games + seatings - 1) / seatings;
    for (int opening = 0; opening < openings; opening++) {
        double points = 0;
        for (int seating = first; seating <= last; seating++, games++)
            points += play_game(match, (uint64_t)opening, seating);
        points /= seatings;
        sum += points;
        squares += points * points;
        fprintf(stderr, "\r%d/%d  %.1f%% ", games, openings * seatings, 100 * sum / (opening + 1));
    }
    double mean = sum / openings, spread = squares / openings - mean * mean;
    fprintf(stderr, "\r");
    report(match, games, mean, 1.96 * sqrt(spread / openings));
}

/* Sets what one pair of words says; false when it says nothing. */
static bool set_word(struct match *match, const char *name, const char *value)
{
    long long number = atoll(value);
    bool one = name[0] == 'a' || name[0] == 'b', known = true;
    const char *limit = one ? name + 1 : name;
    for (int n = 0; n < 2; n++) {
        struct turn *turn = &match->sides[n].limits;
        if (one && n != name[0] - 'a')
            continue;
        if (strcmp(limit, "nodes") == 0)
            turn->nodes = (uint64_t)number;
        else if (strcmp(limit, "ms") == 0)
            turn->movetime_ms = number;
        else if (strcmp(limit, "plies") == 0)
            turn->plies = (int)number;
        else if (strcmp(limit, "noise") == 0)
            turn->noise = (int)number;
        else
            known = false;
    }
    if (known)
        return true;
    if (strcmp(name, "players") == 0)
        match->players = (int)number;
    else if (strcmp(name, "games") == 0)
        match->games = (int)number;
    else if (strcmp(name, "opening") == 0)
        match->opening = (int)number;
    else if (strcmp(name, "seatings") == 0)
        match->seatings = (int)number;
    else if (strcmp(name, "seed") == 0)
        match->seed = (uint64_t)number;
    else
        return strcmp(name, "game") == 0;
    return true;
}

/* Plays the match that the words describe. */
int main(int count, char **words)
{
    struct match *match = aligned_alloc(16, sizeof *match);
    const char *game = "diamond";
    if (!match || count < 3 || count % 2 == 0)
        die("A.so B.so [WORD NUMBER]...");
    memset(match, 0, sizeof *match);
    match->players = 2;
    match->games = 200;
    match->opening = 6;
    match->seed = 1;
    for (int n = 3; n < count; n += 2) {
        if (!set_word(match, words[n], words[n + 1]))
            die(words[n]);
        if (strcmp(words[n], "game") == 0)
            game = words[n + 1];
    }
    match->game = game_find(game);
    if (!match->game || match->game->setup_size > SETUP_MAX)
        die("no such game");
    match->game->setup(match->setup);
    for (int n = 0; n < 2; n++)
        open_side(&match->sides[n], words[1 + n], game);
    play_match(match);
    free(match);
    return 0;
}
