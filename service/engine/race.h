/* A race: the pieces are past one another, and whoever needs fewer moves to its goal wins. Used by search.c alone. */
#ifndef RACE_H
#define RACE_H

#include "tree.h"

/* Finds the move where the position is a race, and answers whether it did; the search has been begun, its level 0 holds
 * the position, in which there are several moves. */
bool race_run(struct search *search, struct line *line);

#endif
