/* The Diamond Game: board, rules, position text and move text.
 *
 * A set of points is a 128-bit mask. Every set is kept in three layouts, one for each axis of the board: in
 * layout `axis` the points of one line along that axis lie on consecutive bits, so that a step or a jump along it
 * is a shift by one or two bits. Layout 0 runs row by row: its bit numbers are the point ids. */
#ifndef DIAMOND_BOARD_H
#define DIAMOND_BOARD_H

#include "engine.h"

enum {
    DIAMOND_POINTS = 121,
    DIAMOND_ROWS = 17,
    DIAMOND_SEATS = 3,
    DIAMOND_AXES = 3,
    DIAMOND_MEN = 14, /* men of a seat, beside its king */
};

typedef unsigned __int128 mask;

/* What a setup knows of one point in one layout. */
struct diamond_place {
    uint8_t bit;   /* the point's bit */
    uint8_t start; /* first bit of its line */
    uint8_t last;  /* last bit of its line */
};

/* The board's tables and the rule options. */
struct diamond {
    struct diamond_place place[DIAMOND_AXES][DIAMOND_POINTS]; /* by axis and point id */
    uint8_t point[DIAMOND_AXES][128];                         /* point id by axis and bit */
    mask next[DIAMOND_AXES][3];                 /* [axis][n]: bits from which n bits on is the same line */
    mask open[DIAMOND_SEATS][DIAMOND_AXES];     /* points on which a seat's piece may land */
    mask stop[DIAMOND_SEATS];                   /* points on which it may end its move, layout 0 */
    mask camp[DIAMOND_SEATS];                   /* the seat's start camp, layout 0 */
    mask target[DIAMOND_SEATS];                 /* its target camp, layout 0 */
    mask border;                                /* the border line, layout 0 */
    uint8_t apex[DIAMOND_SEATS];                /* the target's apex */
    uint8_t tip[DIAMOND_SEATS];                 /* the start camp's apex */
    uint8_t row[DIAMOND_SEATS][DIAMOND_POINTS];   /* row seen from the seat, 0 at its start's tip to 16 */
    uint8_t aside[DIAMOND_SEATS][DIAMOND_POINTS]; /* half steps away from the row's middle */
    int32_t man_worth[DIAMOND_SEATS][DIAMOND_POINTS];  /* evaluation of a man, hundredths of a step */
    int32_t king_worth[DIAMOND_SEATS][DIAMOND_POINTS]; /* evaluation of a king */
    uint64_t man_key[DIAMOND_SEATS][DIAMOND_POINTS];   /* hash of a man on a point */
    uint64_t king_key[DIAMOND_SEATS][DIAMOND_POINTS];  /* hash of a king on a point */
    uint64_t turn_key[DIAMOND_SEATS];                  /* hash of the side to move */
    uint64_t pass_key[DIAMOND_SEATS + 1];              /* hash of the number of passes in a row */
    int king_min_run;         /* fewest pieces that a king jumps: 1 or 2 */
    int draw_plies_per_seat;  /* plies per player until the draw */
    unsigned first_seat;      /* who begins with three players */
    bool border_stop;         /* whether foreign pieces may end on a border line */
    bool places_all;          /* whether the game goes on for second place */
    bool leave_target;        /* whether a piece may leave its target again */
};

/* A position. */
struct diamond_position {
    struct head head;                        /* what a search asks; see engine.h */
    uint8_t players;                         /* 2 or 3 */
    uint8_t passes;                          /* passes in a row just before this turn */
    uint8_t king[DIAMOND_SEATS];             /* point of each seat's king */
    uint8_t finished[DIAMOND_SEATS];         /* seats that reached their goal, first first; see `finishers` */
    uint8_t finishers;                       /* how many those are */
    int32_t worth[DIAMOND_SEATS];            /* sum of the worth of each seat's pieces */
    mask men[DIAMOND_SEATS][DIAMOND_AXES];   /* each seat's men, in each layout */
};

/* The number of points of each row of layout 0. */
extern const uint8_t diamond_row_length[DIAMOND_ROWS];

extern const struct game diamond_game;

/* The mask of one bit. */
static inline mask mask_of(unsigned bit)
{
    return (mask)1 << bit;
}

/* The number of the lowest bit of a mask that is not empty. */
static inline unsigned mask_first(mask set)
{
    uint64_t low = (uint64_t)set;
    return low ? (unsigned)__builtin_ctzll(low) : 64u + (unsigned)__builtin_ctzll((uint64_t)(set >> 64));
}

/* The number of bits of a mask. */
static inline unsigned mask_count(mask set)
{
    return (unsigned)(__builtin_popcountll((uint64_t)set) + __builtin_popcountll((uint64_t)(set >> 64)));
}

/* Takes the lowest bit out of a mask that is not empty and answers its number. */
static inline unsigned mask_take(mask *set)
{
    unsigned bit = mask_first(*set);
    *set &= *set - 1;
    return bit;
}

/* A seat's pieces, layout 0. */
static inline mask diamond_pieces(const struct diamond_position *position, unsigned seat)
{
    mask king = position->players > seat ? mask_of(position->king[seat]) : 0;
    return position->men[seat][0] | king;
}

/* All pieces, layout 0. */
static inline mask diamond_occupied(const struct diamond_position *position)
{
    return diamond_pieces(position, 0) | diamond_pieces(position, 1) | diamond_pieces(position, 2);
}

/* Whether a seat's target camp is full with its king on the apex. */
bool diamond_reached(const struct diamond *setup, const struct diamond_position *position, unsigned seat);

/* Sets everything of a position that follows from its pieces, turn, passes, ply and finished seats. */
void diamond_settle(const struct diamond *setup, struct diamond_position *position);

#endif
