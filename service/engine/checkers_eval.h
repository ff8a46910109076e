/* The evaluation of checkers positions. */
#ifndef CHECKERS_EVAL_H
#define CHECKERS_EVAL_H

#include "checkers_board.h"

/* See engine.h; the unit is a hundredth of a man. */
int checkers_evaluate(const void *setup, const void *position, unsigned seat);
int checkers_points(int evaluation, int seats);

#endif
