/* Monte-Carlo tree search, for games of three: each seat is taken to look for its own good. Used by search.c alone. */
#ifndef MCTS_H
#define MCTS_H

#include "tree.h"

/* See `search_run`; the search has been begun, its level 0 holds the position, of more than two seats, in which there
 * are several moves. */
int mcts_run(struct search *search, struct line *lines);

#endif
