/* The list of games, and what holds for all of them alike. */
#include "engine.h"

#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backgammon_board.h"
#include "checkers_board.h"
#include "diamond_board.h"

/* One row a game. To add one, include its board header above and name its `struct game` here; the end stays. */
static const struct game *const games[] = {
    &diamond_game,
    &backgammon_game,
    &checkers_game,
    NULL,
};

_Static_assert(sizeof games / sizeof *games <= ENGINE_GAMES_MAX, "a shelf has a place for each game");

const struct game *game_find(const char *key)
{
    for (const struct game *const *row = games; *row; row++)
        if (strcmp((*row)->key, key) == 0)
            return *row;
    return NULL;
}

/* The place of a game's shared tables on a shelf. */
static void **tables_of(const struct game *game, struct shelf *shelf)
{
    size_t place = 0;
    while (games[place] != game)
        place++;
    return &shelf->tables[place];
}

bool game_setup(const struct game *game, struct shelf *shelf, void *setup)
{
    game->setup(setup);
    if (!game->tables_size)
        return true;
    void **tables = tables_of(game, shelf);
    if (!*tables) {
        *tables = malloc(game->tables_size);
        if (!*tables)
            return false;
        game->make_tables(*tables);
    }
    game->attach(setup, *tables);
    return true;
}

void shelf_clear(struct shelf *shelf)
{
    for (int place = 0; place < ENGINE_GAMES_MAX; place++)
        free(shelf->tables[place]);
    *shelf = (struct shelf){{NULL}};
}

bool game_move_read(const struct game *game, const void *setup, const void *position, const char *text, uint32_t *code,
                    char *error)
{
    const struct head *head = position;
    struct move moves[ENGINE_MOVES_MAX];
    bool moves_now = !head->over && !(game->chance && game->chance->waits(position));
    int count = moves_now ? game->generate(setup, position, head->turn, moves) : 0;
    if (moves_now && count == 0)
        moves[count++].code = move_pass(head->turn);
    for (int n = 0; n < count; n++) {
        char legal[ENGINE_MOVE_MAX];
        game->move_write(moves[n].code, legal);
        if (strcmp(legal, text) == 0) {
            *code = moves[n].code;
            return true;
        }
    }
    snprintf(error, ENGINE_ERROR_MAX, "no legal move: %.60s", text);
    return false;
}

enum { ASK_NODES = 1 << 17 }; /* nodes between two times of asking whether to go on: some hundredths of a second */

/* A count that is under way. */
struct perft {
    const struct game *game;   /* the game */
    const void *setup;         /* its tables and options */
    const struct asker *asker; /* whom to ask whether to go on; may be NULL */
    uint64_t nodes;            /* positions whose moves were counted or played */
    bool stopped;              /* the answer was no: every count on the way up is void */
};

/* Counts a node, and asks when it is time. */
static void count_node(struct perft *perft)
{
    if (++perft->nodes % ASK_NODES == 0 && perft->asker)
        perft->stopped = !perft->asker->go_on(perft->asker->memory);
}

static uint64_t perft_below(struct perft *perft, const void *position, int depth);

/* The move sequences of `depth` >= 1 plies below a position that waits for chance. */
static uint64_t perft_chance(struct perft *perft, const void *position, int depth)
{
    const struct game *game = perft->game;
    uint64_t total = 0;
    for (int result = 0; result < game->chance->results && !perft->stopped; result++) {
        alignas(16) unsigned char child[ENGINE_POSITION_SIZE];
        if (game->chance->weight(position, result) == 0)
            continue;
        memcpy(child, position, game->position_size);
        game->chance->bring(perft->setup, child, result);
        total += perft_below(perft, child, depth);
    }
    return total;
}

/* The move sequences of `depth` >= 1 plies below a position that is not over. */
static uint64_t perft_below(struct perft *perft, const void *position, int depth)
{
    const struct game *game = perft->game;
    if (game->chance && game->chance->waits(position))
        return perft_chance(perft, position, depth);
    count_node(perft);
    if (depth == 1) {
        unsigned count = game->count(perft->setup, position);
        return count ? count : 1;
    }
    struct move moves[ENGINE_MOVES_MAX];
    unsigned seat = ((const struct head *)position)->turn;
    int count = game->generate(perft->setup, position, seat, moves);
    if (count == 0)
        moves[count++].code = move_pass(seat);
    uint64_t total = 0;
    for (int i = 0; i < count && !perft->stopped; i++) {
        alignas(16) unsigned char child[ENGINE_POSITION_SIZE];
        memcpy(child, position, game->position_size);
        game->play(perft->setup, child, moves[i].code);
        if (!((struct head *)child)->over)
            total += perft_below(perft, child, depth - 1);
    }
    return total;
}

uint64_t game_perft(const struct game *game, const void *setup, const void *position, int depth,
                    const struct asker *asker)
{
    struct perft perft = {.game = game, .setup = setup, .asker = asker};
    if (depth <= 0)
        return 1;
    return ((const struct head *)position)->over ? 0 : perft_below(&perft, position, depth);
}
