/* American checkers: board and position.
 *
 * A set of squares is a 64-bit mask, of which 32 bits stand for squares. After every second row one bit is left out,
 * so that a step along a diagonal is a shift by four or five bits everywhere, and one off the board ends on no
 * square: the bits of squares 1 to 8 are 0 to 7, those of 9 to 16 are 9 to 16, and so on to 34 for square 32. */
#ifndef CHECKERS_BOARD_H
#define CHECKERS_BOARD_H

#include "engine.h"

enum {
    CHECKERS_SQUARES = 32,
    CHECKERS_BITS = 64,       /* of a set; 35 are in use */
    CHECKERS_SEATS = 2,       /* 0 is red, whose men go to higher squares; 1 is white */
    CHECKERS_MEN = 12,        /* pieces of a seat at most */
    CHECKERS_QUIET_MOST = 80, /* plies without a capture or a man's move after which the game is drawn */
    CHECKERS_REPEATS = 2,     /* earlier appearances with which a position draws the game */
    CHECKERS_JUMPS_MAX = 9,   /* jumps of the longest capture that any position allows */
};

#define CHECKERS_BOARD 0x7fbfdfeffull /* the bits that stand for squares */

/* Directions, by number: 0 and 1 lead to lower squares, 2 and 3 to higher ones; 3 - n leads back. */
enum { CHECKERS_DIRECTIONS = 4 };

/* A move's code: the origin's bit (6 bits), the number of jumps (4, 0 for a plain move), and directions of two bits
 * each, the first one lowest. The bits from 28 on, but for the seat, are 0, as in no pass. */
enum { CHECKERS_JUMPS_AT = 6, CHECKERS_WAY_AT = 10 };

/* The keys of the hash. */
struct checkers {
    uint64_t piece_key[CHECKERS_SEATS][2][CHECKERS_BITS]; /* a man (0) or a king (1) on a square, by its bit */
    uint64_t turn_key;                                    /* white is to move */
};

/* A position. Kings' moves without capture are the only ones that can be undone; those made since the last other
 * move are kept, and with them all positions that can appear again. */
struct checkers_position {
    struct head head;                 /* what a search asks; see engine.h */
    uint64_t pieces[CHECKERS_SEATS];  /* each seat's men and kings */
    uint64_t kings;                   /* both seats' kings */
    uint8_t quiet;                    /* how many moves `way` holds; as many plies had no capture or man's move */
    uint8_t way[CHECKERS_QUIET_MOST][2]; /* those moves, the oldest first: the bits of origin and destination */
};

extern const struct game checkers_game;

/* The mask of one bit. */
static inline uint64_t square_mask(unsigned bit)
{
    return 1ull << bit;
}

/* The bit of a square, 1 to 32. */
static inline unsigned square_bit(unsigned square)
{
    return square - 1 + (square - 1) / 8;
}

/* The square of a bit. */
static inline unsigned bit_square(unsigned bit)
{
    return bit - bit / 9 + 1;
}

/* The row of a bit, 0 to 7 from red's side. */
static inline unsigned bit_row(unsigned bit)
{
    return (bit_square(bit) - 1) / 4;
}

/* Each piece of a set one step on in a direction; what leaves the board lies outside CHECKERS_BOARD. */
static inline uint64_t set_step(uint64_t set, unsigned direction)
{
    return direction < 2 ? set >> (5 - direction) : set << (direction + 2);
}

/* The bits of a set. */
static inline unsigned set_count(uint64_t set)
{
    return (unsigned)__builtin_popcountll(set);
}

/* Takes the lowest bit out of a set that is not empty and answers its number. */
static inline unsigned set_take(uint64_t *set)
{
    unsigned bit = (unsigned)__builtin_ctzll(*set);
    *set &= *set - 1;
    return bit;
}

/* The squares on which a seat's men become kings. */
static inline uint64_t crown_row(unsigned seat)
{
    return seat == 0 ? 0x780000000ull : 0xfull;
}

/* Sets everything of a position that follows from its pieces, turn and remembered moves. */
void checkers_settle(const struct checkers *setup, struct checkers_position *position);

#endif
