/* An engine as a shared library, so that two versions of it can meet in one process.
 *
 *     cc -std=c11 -O3 -fno-strict-aliasing -shared -fPIC -Iservice/engine -o new.so \
 *         service/engine/{games,search,tree,table,diamond_*}.c service/engine/train/player.c
 *
 * Everything that passes between a match and its players is text and plain numbers: versions whose structs differ can
 * meet too. */
#ifndef PLAYER_H
#define PLAYER_H

#include <stdint.h>

/* What a player is to think within, and what came of it. 0 stands for no limit. */
struct turn {
    int64_t movetime_ms; /* time */
    uint64_t nodes;      /* positions; when the player is back, those that it looked at */
    int plies;           /* depth; when the player is back, the one it reached */
    int noise;           /* see search.h */
    uint64_t seed;       /* of that chance */
    int score;           /* answer: expected result in thousandths of a point */
    char move[64];       /* answer: the move's text; empty when the game is over */
};

/* A player of one game with default options; NULL when there is no such game or no memory. */
void *player_new(const char *game);

/* Thinks of a move in the position of that text; false when the text is not one. */
int player_move(void *player, const char *position, struct turn *turn);

/* Gives the player's memory back. */
void player_free(void *player);

#endif
