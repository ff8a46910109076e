/* Legal moves of checkers. */
#ifndef CHECKERS_MOVES_H
#define CHECKERS_MOVES_H

#include "checkers_board.h"

/* Whether a seat, were it to move, has any move. */
bool checkers_can_move(const struct checkers_position *position, unsigned seat);

/* See engine.h. */
int checkers_generate(const void *setup, const void *position, unsigned seat, struct move *moves);
unsigned checkers_count(const void *setup, const void *position);
bool checkers_loud(const void *setup, const void *position);

#endif
