/* The Diamond Game's positions and moves as text.
 *
 * A position is "BOARD SIDE PLAYERS PLY PASSES [FINISHED]": rows of points parted by "/", digits for empty points,
 * r y g for men and R Y G for kings. */
#ifndef DIAMOND_TEXT_H
#define DIAMOND_TEXT_H

#include "diamond_board.h"

/* See `read` in engine.h. */
bool diamond_read(const void *setup, const char *text, void *position, char *error);

/* See `write` in engine.h. */
void diamond_write(const void *setup, const void *position, char *text);

/* See `move_write` in engine.h. */
void diamond_move_write(uint32_t code, char *text);

#endif
