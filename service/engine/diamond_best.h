/* The moves of the Diamond Game that are worth a look: single ones, and those that gain much, found without a list of
 * all. */
#ifndef DIAMOND_BEST_H
#define DIAMOND_BEST_H

#include "diamond_board.h"

/* See `gain_of` in engine.h. */
bool diamond_gain_of(const void *setup, const void *position, uint32_t code, int32_t *gain);

/* See `generate_above` in engine.h. */
int diamond_generate_above(const void *setup, const void *position, unsigned seat, int32_t least, struct move *moves);

/* See `best_gain` in engine.h. */
int32_t diamond_best_gain(const void *setup, const void *position, unsigned seat);

/* See `after_best` in engine.h. */
int diamond_after_best(const void *setup, const void *position, unsigned seat, int value, int alpha, int beta);

#endif
