/* A race: the pieces are past one another, and whoever needs fewer moves to its goal wins. Used by search.c; the
 * scores by train/calibrate.c too. */
#ifndef RACE_H
#define RACE_H

#include "tree.h"

/* What the side to move is told by its lead in moves, about as often as it won with that lead when the engine played
 * itself. Nobody can prove that the others will stay out of the way, so none of them is a win. */
enum {
    RACE_AHEAD = 990,
    RACE_NO_LEAD = 950, /* as many moves as the best of the others, but the first of them */
    RACE_ONE_BEHIND = -950,
    RACE_MORE_BEHIND = -990,
};

/* Finds the move where the position is a race, and answers whether it did; the search has been begun, its level 0 holds
 * the position, in which there are several moves. */
bool race_run(struct search *search, struct line *line);

#endif
