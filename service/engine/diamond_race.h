/* The race of the Diamond Game: a seat's way home when nobody is in its way any more. */
#ifndef DIAMOND_RACE_H
#define DIAMOND_RACE_H

#include "diamond_board.h"

/* See `is_race` in engine.h. */
bool diamond_is_race(const void *setup, const void *position);

/* See `solve` in engine.h. */
int diamond_race_solve(const void *setup, const void *position, const struct race_query *query, struct race_line *way);

#endif
