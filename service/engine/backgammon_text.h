/* Backgammon's positions, throws and plays as text.
 *
 * A position is an XGID, its checkers in white's view (upper case white, lower case black), followed where it is not
 * the first by "|PLY", and before the game's first throw by "|0|opening". A throw is two digits, `31`. A play is
 * as `13/8 6/5*`, `bar/22`, `6/off(2)`, in the mover's view, by descending origins. */
#ifndef BACKGAMMON_TEXT_H
#define BACKGAMMON_TEXT_H

#include "backgammon_board.h"

/* See `read` in engine.h. */
bool backgammon_read(const void *setup, const char *text, void *position, char *error);

/* See `write` in engine.h. */
void backgammon_write(const void *setup, const void *position, char *text);

/* See `read` of `struct chance` in engine.h. */
bool backgammon_throw_read(const void *position, const char *text, int *result, char *error);

/* See `move_write` in engine.h. */
void backgammon_move_write(uint32_t code, char *text);

#endif
