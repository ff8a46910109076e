/* How many throws a side needs to bear off all its checkers from its home board, where nobody is in its way.
 *
 * The table is exact for a side that plays so as to need the fewest throws on average. A position is the numbers of
 * checkers on points 1 to 6, 15 at most: 54,264 of them. */
#ifndef BACKGAMMON_BEAROFF_H
#define BACKGAMMON_BEAROFF_H

#include "backgammon_board.h"

enum {
    BEAROFF_POSITIONS = 54264,
    BEAROFF_THROWS = 32, /* throws that are told apart; 15 checkers on the 6 are off after 30 at most */
};

/* The table, by the position's number. */
struct bearoff {
    double mean[BEAROFF_POSITIONS];                  /* expected throws */
    float exactly[BEAROFF_POSITIONS][BEAROFF_THROWS]; /* chance of needing just n throws */
    uint32_t paths[BACKGAMMON_HOME + 1][BACKGAMMON_CHECKERS + BACKGAMMON_HOME + 1]; /* what numbers positions */
};

/* Fills the table. Takes some tenths of a second. */
void bearoff_make(struct bearoff *bearoff);

/* The number of a side's position in its home board; `checkers[1]` to `checkers[6]` count. */
unsigned bearoff_number(const struct bearoff *bearoff, const uint8_t *checkers);

#endif
