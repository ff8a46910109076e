/* What the 36 throws would do for a side in backgammon: hits and escapes, counted without playing them. */
#ifndef BACKGAMMON_SHOTS_H
#define BACKGAMMON_SHOTS_H

#include "backgammon_board.h"

enum { SHOTS_ESCAPES = 1 << 12 }; /* ways in which the next 12 points may be blocked */

/* One side's view of a board. Bit n of a mask is place n. */
struct shots_side {
    uint32_t own;     /* points and bar with checkers of this side */
    uint32_t made;    /* points with two or more of them */
    uint32_t blocked; /* points held by two or more of the other side's */
    uint32_t blots;   /* points held by one */
    unsigned bar;     /* checkers of this side on the bar */
};

/* A side's view, from the checkers of both by place, each in its own view. */
struct shots_side shots_side(const uint8_t *mine, const uint8_t *theirs);

/* How many of the 36 throws hit a blot: exact, but that with checkers on the bar a double's third and fourth move are
 * left out. */
int shots_hitting(const struct shots_side *side);

/* Fills a table of how many of the 36 throws bring a checker at least 7 pips on its way, out of most primes: bit n - 1
 * of the index tells whether the point n pips ahead of it is blocked. */
void shots_fill_escapes(uint8_t escapes[SHOTS_ESCAPES]);

/* How many of the 36 throws bring the rearmost checker so far; all when it has left the other side's half. */
int shots_escaping(const struct shots_side *side, const uint8_t escapes[SHOTS_ESCAPES]);

/* The number of points in a row that this side holds, at most 6. */
int shots_prime(const struct shots_side *side);

#endif
