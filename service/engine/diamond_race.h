/* The race of the Diamond Game: a seat's way home when nobody is in its way any more. */
#ifndef DIAMOND_RACE_H
#define DIAMOND_RACE_H

#include "diamond_board.h"

/* See `parted` in engine.h. */
bool diamond_parted(const void *setup, const void *position);

/* See `way_home` in engine.h. */
int diamond_way_home(const void *setup, const void *position, const struct errand *errand, struct homeward *way);

#endif
