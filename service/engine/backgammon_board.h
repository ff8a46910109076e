/* Backgammon: board, turns, throws and the end.
 *
 * Each side numbers the points from its own view: it moves from 24 towards 1, its home board is 1 to 6. A point that
 * is `p` for one side is `25 - p` for the other. Seat 0 is white, seat 1 black. */
#ifndef BACKGAMMON_BOARD_H
#define BACKGAMMON_BOARD_H

#include <string.h>

#include "engine.h"

enum {
    BACKGAMMON_SEATS = 2,
    BACKGAMMON_CHECKERS = 15, /* of each side */
    BACKGAMMON_OFF = 0,       /* where checkers go that are borne off */
    BACKGAMMON_HOME = 6,      /* the highest point of the home board */
    BACKGAMMON_POINTS = 24,
    BACKGAMMON_BAR = 25,      /* where checkers go that are hit */
    BACKGAMMON_PLACES = 26,   /* the points, the bar and what is off */
    BACKGAMMON_ROOM = 32,     /* bytes that hold a side's counts by place, the last ones always 0 */
    BACKGAMMON_PARTS = 4,     /* moves of single checkers in the longest play */
    BACKGAMMON_THROWS = 36,   /* ordered throws; number 6 * (first - 1) + second - 1 */
};

/* In a play's code: another play leads the mover's checkers to the same places but hits other blots on the way, so the
 * text tells every point of the way. */
#define BACKGAMMON_WAY_TOLD ((uint32_t)1 << 10)

struct backgammon_tables;

/* The tables and options. */
struct backgammon {
    const struct backgammon_tables *tables;                     /* what takes long to make; see backgammon_eval.h */
    uint64_t checker_key[BACKGAMMON_SEATS][BACKGAMMON_PLACES];  /* hash of a checker on its place; they add up */
    uint64_t throw_key[7][7];                                   /* hash of the dice, [0][0] where they are to come */
    uint64_t turn_key;                                          /* hash of black's turn */
};

/* A position. */
struct backgammon_position {
    struct head head;                                    /* what a search asks; see engine.h */
    uint8_t board[BACKGAMMON_SEATS][BACKGAMMON_ROOM];    /* checkers by side and place, in the side's own view */
    uint8_t dice[2];                                     /* the throw, higher first; 0 0 before it */
    bool opening;                                        /* the game's first throw is to come: a die for each side */
};

extern const struct game backgammon_game;

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "eight counts are read as one number, the first lowest");

/* The places on which a side has `least` (1 to 15) checkers or more, as bits: bit n is place n. Eight counts at a time:
 * those that are no less carry into their highest bit, and a multiplication brings these bits together. */
static inline uint32_t backgammon_mask(const uint8_t counts[BACKGAMMON_ROOM], unsigned least)
{
    uint32_t mask = 0;
    for (int part = 0; part < BACKGAMMON_ROOM / 8; part++) {
        uint64_t eight;
        memcpy(&eight, counts + 8 * part, sizeof eight);
        eight = (eight + (0x80 - least) * 0x0101010101010101u) & 0x8080808080808080u;
        mask |= (uint32_t)((eight >> 7) * 0x0102040810204080u >> 56) << 8 * part;
    }
    return mask;
}

/* The same points in the other side's view: bit n becomes bit 25 - n; only the points' bits may be set. */
static inline uint32_t backgammon_mirror(uint32_t points)
{
    points = (points >> 1 & 0x55555555) | (points & 0x55555555) << 1;
    points = (points >> 2 & 0x33333333) | (points & 0x33333333) << 2;
    points = (points >> 4 & 0x0f0f0f0f) | (points & 0x0f0f0f0f) << 4;
    return __builtin_bswap32(points) >> (31 - BACKGAMMON_BAR);
}

/* The bits of all points. */
#define BACKGAMMON_POINT_BITS ((uint32_t)0x1fffffe)

/* One checker's move within a play's code. */
struct backgammon_part {
    uint8_t from; /* its place before, the mover's view; 0 where the play has no such part */
    uint8_t to;   /* its place afterwards */
    bool hits;    /* whether it hits a blot */
};

/* The code of a part at place `n` of a play: origin, and whether it hits. */
static inline uint32_t backgammon_part_code(int n, unsigned from, bool hits)
{
    return (uint32_t)from << 5 * n | (uint32_t)hits << (26 + n);
}

/* The dice in a play's code; the first part is played by the first, for a double all are played by both. */
static inline uint32_t backgammon_dice_code(unsigned first, unsigned second)
{
    return (uint32_t)(first << 20 | second << 23);
}

/* Takes a play's code apart and answers how many parts it has. */
int backgammon_parts(uint32_t code, struct backgammon_part parts[BACKGAMMON_PARTS]);

/* Sets everything of a position that follows from its board, turn, dice and ply. */
void backgammon_settle(const struct backgammon *setup, struct backgammon_position *position);

/* Points that the winner of an ended game has won: 1, 2 for a gammon, 3 for a backgammon. */
int backgammon_won(const struct backgammon_position *position);

#endif
