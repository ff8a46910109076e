/* Texts of checkers: positions as PDN FEN with what the rules remember, and moves. */
#ifndef CHECKERS_TEXT_H
#define CHECKERS_TEXT_H

#include "checkers_board.h"

/* See engine.h. A position is `TURN:WLIST:BLIST`, and where it is not the game's first `|PLY|MOVES`: the remembered
 * moves, oldest first, each by its origin and destination as a digit of base 32, which is the square less one. */
bool checkers_read(const void *setup, const char *text, void *position, char *error);
void checkers_write(const void *setup, const void *position, char *text);
void checkers_move_write(uint32_t code, char *text);

#endif
