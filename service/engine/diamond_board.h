/* The Diamond Game: board, rules, position text and move text.
 *
 * A set of points is a 128-bit mask whose bit numbers are the point ids, or, where jumps are looked for, four lanes of
 * 64 bits. A man's jump moves it by two points along an axis, so a man stays for ever on one of four lattices, each of
 * some 30 points twice as far apart. A lane is such a lattice, numbered so that a jump along an axis is a shift by the
 * same number of bits from everywhere; one vector instruction serves all four lattices. */
#ifndef DIAMOND_BOARD_H
#define DIAMOND_BOARD_H

#include "engine.h"

enum {
    DIAMOND_POINTS = 121,
    DIAMOND_ROWS = 17,
    DIAMOND_SEATS = 3,
    DIAMOND_AXES = 3,
    DIAMOND_LANES = 4,
    DIAMOND_HIDDEN = 64, /* hidden units of the net; see diamond_net.h */
    DIAMOND_MEN = 14, /* men of a seat, beside its king */
    DIAMOND_LINE_BACK = 28, /* a line's point at place n has bit n and, for looking back along the line, 28 - n */
};

typedef unsigned __int128 mask;

/* Four lanes of bits. Memory for them is plain uint64_t[DIAMOND_LANES]. */
typedef uint64_t lanes __attribute__((vector_size(32), aligned(8)));

/* Reads four lanes. */
static inline __attribute__((always_inline)) void lanes_read(lanes *out, const uint64_t in[DIAMOND_LANES])
{
    __builtin_memcpy(out, in, sizeof *out);
}

/* Turns the bits of `set` over where `by` has any. */
static inline __attribute__((always_inline)) void lanes_toggle(uint64_t set[DIAMOND_LANES],
                                                               const uint64_t by[DIAMOND_LANES])
{
    lanes one, two;
    lanes_read(&one, set);
    lanes_read(&two, by);
    one ^= two;
    __builtin_memcpy(set, &one, sizeof one);
}

/* What a setup knows of one point. */
struct diamond_place {
    uint64_t bit[DIAMOND_LANES];                /* its bit, all lanes but its own empty */
    uint64_t over[DIAMOND_AXES][DIAMOND_LANES]; /* the jump over it along each axis: the lower end's bit, or none */
    uint32_t in_line[DIAMOND_AXES];             /* its two bits in its line along each axis; see DIAMOND_LINE_BACK */
    uint32_t next_in_line[DIAMOND_AXES];        /* those of what is next to it on either side */
    uint8_t line[DIAMOND_AXES];                 /* number of its line along each axis */
    uint8_t lane;                               /* number of its lane */
};

/* The board's tables and the rule options. */
struct diamond {
    struct diamond_place place[DIAMOND_POINTS];
    uint8_t point[DIAMOND_LANES][64];           /* point id by lane and bit */
    uint8_t line_point[DIAMOND_AXES][DIAMOND_ROWS][32]; /* point id by axis, line and bit */
    mask near[DIAMOND_POINTS];                  /* a point's neighbours */
    mask open[DIAMOND_SEATS];                   /* points on which a seat's piece may land */
    uint64_t open_lanes[DIAMOND_SEATS][DIAMOND_LANES]; /* the same */
    uint32_t open_line[DIAMOND_SEATS][DIAMOND_AXES][DIAMOND_ROWS]; /* the same by line */
    uint64_t neighboured[DIAMOND_AXES][DIAMOND_LANES]; /* points that have a next one along the axis */
    mask stop[DIAMOND_SEATS];                   /* points on which it may end its move */
    mask camp[DIAMOND_SEATS];                   /* the seat's start camp */
    mask target[DIAMOND_SEATS];                 /* its target camp */
    mask border;                                /* the border line */
    uint8_t apex[DIAMOND_SEATS];                /* the target's apex */
    uint8_t tip[DIAMOND_SEATS];                 /* the start camp's apex */
    uint8_t row[DIAMOND_SEATS][DIAMOND_POINTS];   /* row seen from the seat, 0 at its start's tip to 16 */
    uint8_t aside[DIAMOND_SEATS][DIAMOND_POINTS]; /* half steps away from the row's middle */
    uint8_t perspective[2][DIAMOND_SEATS][DIAMOND_POINTS]; /* the id that red would have for what a seat sees there,
                                                            * with two players and with three */
    int32_t man_worth[DIAMOND_SEATS][DIAMOND_POINTS];  /* evaluation of a man, hundredths of a step */
    int32_t king_worth[DIAMOND_SEATS][DIAMOND_POINTS]; /* evaluation of a king */
    int32_t lane_worth[DIAMOND_SEATS][DIAMOND_LANES][64]; /* of a man, by lane and bit */
    int32_t step_most;                                 /* no step of a man gains more */
    int32_t king_most;                                 /* no point is worth more to a king */
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
    int16_t accumulator[DIAMOND_SEATS][DIAMOND_HIDDEN]; /* the sums of the net's units as each seat sees the board */
    mask men[DIAMOND_SEATS];                 /* each seat's men */
    uint64_t own[DIAMOND_SEATS][DIAMOND_LANES]; /* the same */
    uint64_t over[DIAMOND_AXES][DIAMOND_LANES]; /* by axis: jumps over a man, by the lower of the two points between */
    uint32_t line[DIAMOND_AXES][DIAMOND_ROWS];  /* all men, by line */
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

/* The code of a seat's move from one point to another. */
static inline uint32_t move_code(unsigned seat, unsigned from, unsigned to)
{
    return (uint32_t)seat << 30 | from | to << 7;
}

/* The point that a move, not a pass, begins on. */
static inline unsigned move_from(uint32_t code)
{
    return code & 0x7f;
}

/* The point that it ends on. */
static inline unsigned move_to(uint32_t code)
{
    return code >> 7 & 0x7f;
}

/* A seat's pieces. */
static inline mask diamond_pieces(const struct diamond_position *position, unsigned seat)
{
    mask king = position->players > seat ? mask_of(position->king[seat]) : 0;
    return position->men[seat] | king;
}

/* All pieces. */
static inline mask diamond_occupied(const struct diamond_position *position)
{
    return diamond_pieces(position, 0) | diamond_pieces(position, 1) | diamond_pieces(position, 2);
}

/* Whether a seat's target camp is full with its king on the apex. */
bool diamond_reached(const struct diamond *setup, const struct diamond_position *position, unsigned seat);

/* By how many bits a jump along each axis moves a man up its lane. */
static const int diamond_jump[DIAMOND_AXES] = {1, 7, 6};

/* See `setup` in engine.h. */
void diamond_setup(void *setup);

/* See `option` in engine.h. */
bool diamond_option(void *setup, const char *name, const char *value, char *error);

/* See `start` in engine.h. */
bool diamond_start(const void *setup, int players, void *position, char *error);

/* See `play` in engine.h. */
void diamond_play(const void *setup, void *position, uint32_t code);

/* See `hand_to` in engine.h. */
void diamond_hand_to(const void *setup, void *position, unsigned seat);

/* See `key_after` in engine.h. */
uint64_t diamond_key_after(const void *setup, const void *position, uint32_t code);

/* Sets everything of a position that follows from its pieces, turn, passes, ply and finished seats. */
void diamond_settle(const struct diamond *setup, struct diamond_position *position);

#endif
