/* What a Diamond position is worth: tables of what each piece is worth on its point, summed, and a small net, whose
 * first layer is a sum likewise. A position has the sums with it, and every move brings them up to date. */
#ifndef DIAMOND_EVAL_H
#define DIAMOND_EVAL_H

#include "diamond_board.h"

/* Fills the setup's tables of worth; the camps and distances must be there. */
void diamond_eval_fill(struct diamond *setup);

/* See `evaluate` in engine.h. */
int diamond_evaluate(const void *setup, const void *position, unsigned seat);

/* See `evaluate_after` in engine.h. */
int diamond_evaluate_after(const void *setup, const void *position, struct move move);

/* See `points` in engine.h. */
int diamond_points(int evaluation, int seats);

/* The margin that an evaluation stands for, in tenths of a move of the side to move: how many moves a loser still
 * lacks when such a game ends, below 0 where that is the side to move. */
int diamond_margin(int evaluation, int seats);

#endif
