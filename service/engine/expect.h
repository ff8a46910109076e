/* Looks for the best move in a game with chance: the mean over all that chance may bring, the best of all moves after
 * each. Used by search.c alone. */
#ifndef EXPECT_H
#define EXPECT_H

#include "tree.h"

/* See `search_run`; the search has been begun, its level 0 holds the position, whose game is not over. */
int expect_run(struct search *search, struct line *lines);

#endif
