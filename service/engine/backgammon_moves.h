/* The legal plays of a throw in backgammon: one for each position that can result.
 *
 * A play's code: the origins of its parts, five bits each, in the order in which they are played; the dice, three
 * bits each; whether each part hits, a bit each; the seat in the top bits. A throw of two different numbers leaves
 * the places of the third and fourth origin free; one of their bits is BACKGAMMON_WAY_TOLD. */
#ifndef BACKGAMMON_MOVES_H
#define BACKGAMMON_MOVES_H

#include "backgammon_board.h"

/* See `generate` in engine.h; none while the dice are to be thrown. */
int backgammon_generate(const void *setup, const void *position, unsigned seat, struct move *moves);

/* See `count` in engine.h. */
unsigned backgammon_count(const void *setup, const void *position);

#endif
