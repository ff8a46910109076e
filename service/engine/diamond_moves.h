/* The legal moves of the Diamond Game. */
#ifndef DIAMOND_MOVES_H
#define DIAMOND_MOVES_H

#include "diamond_board.h"

/* See `generate` in engine.h. */
int diamond_generate(const void *setup, const void *position, unsigned seat, struct move *moves);

/* See `count` in engine.h. */
unsigned diamond_count(const void *setup, const void *position);

#endif
