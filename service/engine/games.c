/* The list of games, and what holds for all of them alike. */
#include "engine.h"

#include <stdalign.h>
#include <string.h>

#include "diamond_board.h"

/* One row a game. To add one, include its board header above and name its `struct game` here; the end stays. */
static const struct game *const games[] = {
    &diamond_game,
    NULL,
};

const struct game *game_find(const char *key)
{
    for (const struct game *const *row = games; *row; row++)
        if (strcmp((*row)->key, key) == 0)
            return *row;
    return NULL;
}

/* The move sequences of `depth` >= 1 plies below a position that is not over. */
static uint64_t perft_below(const struct game *game, const void *setup, const void *position, int depth)
{
    if (depth == 1) {
        unsigned count = game->count(setup, position);
        return count ? count : 1;
    }
    struct move moves[ENGINE_MOVES_MAX];
    unsigned seat = ((const struct head *)position)->turn;
    int count = game->generate(setup, position, seat, moves);
    if (count == 0)
        moves[count++].code = move_pass(seat);
    uint64_t total = 0;
    for (int i = 0; i < count; i++) {
        alignas(16) unsigned char child[512];
        memcpy(child, position, game->position_size);
        game->play(setup, child, moves[i].code);
        if (!((struct head *)child)->over)
            total += perft_below(game, setup, child, depth - 1);
    }
    return total;
}

uint64_t game_perft(const struct game *game, const void *setup, const void *position, int depth)
{
    if (depth <= 0)
        return 1;
    return ((const struct head *)position)->over ? 0 : perft_below(game, setup, position, depth);
}
