#include "player.h"

#include <stdlib.h>
#include <string.h>

#include "search.h"

enum { SETUP_MAX = 1 << 16, TABLE_MB = 16 };

/* What a player holds. */
struct player {
    const struct game *game;                                   /* the game */
    struct search *search;                                     /* its search */
    _Alignas(16) unsigned char setup[SETUP_MAX];               /* the game's setup */
    _Alignas(16) unsigned char position[ENGINE_POSITION_SIZE]; /* the position that it thinks about */
};

void *player_new(const char *key)
{
    struct player *player = aligned_alloc(16, sizeof *player);
    const struct game *game = game_find(key);
    if (!player || !game || game->setup_size > SETUP_MAX)
        return NULL;
    player->game = game;
    player->search = search_new(TABLE_MB);
    game->setup(player->setup);
    return player->search ? player : NULL;
}

int player_move(void *memory, const char *position, struct turn *turn)
{
    struct player *player = memory;
    struct line line;
    char error[ENGINE_ERROR_MAX];
    struct limits limits = {.movetime_ms = turn->movetime_ms, .nodes = turn->nodes, .plies = turn->plies,
                            .noise = turn->noise, .seed = turn->seed, .lines = 1};
    limits.race_width = turn->noise ? 8 : turn->plies ? 0 : SEARCH_RACE_WIDTH;
    turn->move[0] = '\0';
    if (!player->game->read(player->setup, position, player->position, error))
        return 0;
    if (search_run(player->search, player->game, player->setup, player->position, &limits, &line) < 1)
        return 1;
    player->game->move_write(line.move, turn->move);
    turn->nodes = search_nodes(player->search);
    turn->plies = line.depth;
    turn->score = line.score;
    return 1;
}

void player_free(void *memory)
{
    struct player *player = memory;
    search_free(player->search);
    free(player);
}
