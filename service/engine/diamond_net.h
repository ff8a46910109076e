/* Small nets that correct the tables' evaluation, one for games of two and one for games of three. The first layer has
 * one input for each kind of piece on each point and is kept up to date move by move, as each seat sees the board. With
 * two players the value comes from what both seats see; with three from what one seat sees, for its own chances. What
 * the units are worth changes with the game's progress, evenly from one of a few phases to the next. */
#ifndef DIAMOND_NET_H
#define DIAMOND_NET_H

#include "diamond_board.h"

enum {
    DIAMOND_SEAT_INPUTS = 2 * DIAMOND_POINTS,                    /* one seat's men, its king */
    DIAMOND_TWO_INPUTS = 2 * DIAMOND_SEAT_INPUTS,                /* own pieces, the other's */
    DIAMOND_THREE_INPUTS = DIAMOND_SEATS * DIAMOND_SEAT_INPUTS,  /* own, the next seat's, the one's after */
    DIAMOND_UNIT_FULL = 256,                                     /* a hidden unit's output is cut to 0 and this */
    DIAMOND_PHASES = 3,
    DIAMOND_PHASE_FIRST = -18000, /* mean worth of a seat's pieces in the first phase, near the start */
    DIAMOND_PHASE_SPAN = 1 << 14, /* by how much it rises until the last, near the goal */
    DIAMOND_SHARE_FULL = 1 << 8,  /* a whole phase, for shares of one */
};

/* Fitted by train/fit.c. */
extern const int16_t diamond_two_in[DIAMOND_TWO_INPUTS][DIAMOND_HIDDEN]; /* what an input adds to the units' sums */
extern const int16_t diamond_two_bias[DIAMOND_HIDDEN];                   /* the units' sums without any */
extern const int16_t diamond_two_out[DIAMOND_PHASES][2][DIAMOND_HIDDEN]; /* hundredths of a step for a full unit, by
                                                                          * phase, the mover's first */
extern const int16_t diamond_two_tempo[DIAMOND_PHASES];                  /* hundredths for the side to move */
extern const int16_t diamond_three_in[DIAMOND_THREE_INPUTS][DIAMOND_HIDDEN];
extern const int16_t diamond_three_bias[DIAMOND_HIDDEN];
extern const int16_t diamond_three_out[DIAMOND_PHASES][1][DIAMOND_HIDDEN];
extern const int16_t diamond_three_base[DIAMOND_PHASES]; /* hundredths for every seat */

/* A place between two phases. */
struct diamond_phase {
    int before; /* the phase before it, at most the last but one */
    int share;  /* how far it is from there to the next one, less than DIAMOND_SHARE_FULL */
};

/* Where a game is whose seats' pieces are worth `worth` in all. */
static inline struct diamond_phase diamond_phase_of(int worth, unsigned players)
{
    enum { STEP = DIAMOND_PHASE_SPAN / DIAMOND_SHARE_FULL };
    int place = (players == 2 ? worth / 2 : worth / 3) - DIAMOND_PHASE_FIRST;
    place = place < 0 ? 0 : place >= DIAMOND_PHASE_SPAN ? DIAMOND_PHASE_SPAN - 1 : place;
    place *= DIAMOND_PHASES - 1;
    return (struct diamond_phase){place / DIAMOND_PHASE_SPAN, place % DIAMOND_PHASE_SPAN / STEP};
}

/* The input for a piece of `owner` on a point, as `seat` sees the board. */
static inline unsigned diamond_input(const struct diamond *setup, unsigned players, unsigned seat, unsigned owner,
                                     bool king, unsigned id)
{
    unsigned after = owner >= seat ? owner - seat : owner + players - seat;
    return after * DIAMOND_SEAT_INPUTS + (king ? DIAMOND_POINTS : 0u) + setup->perspective[players - 2][seat][id];
}

/* What that input adds to the units' sums. */
static inline const int16_t *diamond_net_row(const struct diamond *setup, unsigned players, unsigned seat,
                                             unsigned owner, bool king, unsigned id)
{
    unsigned input = diamond_input(setup, players, seat, owner, king, id);
    return players == 2 ? diamond_two_in[input] : diamond_three_in[input];
}

/* The net's part of the evaluation for the side to move of a game for two, in hundredths of a step. */
int diamond_net_value(const struct diamond_position *position);

/* The net's part of the evaluation for `seat` of a game for two after a move of its own. */
int diamond_net_after(const struct diamond *setup, const struct diamond_position *position, unsigned seat,
                      uint32_t code);

/* The net's part of the evaluation for `seat` of a game for three. */
int diamond_net_of_three(const struct diamond_position *position, unsigned seat);

/* The same after a move of its own. */
int diamond_net_of_three_after(const struct diamond *setup, const struct diamond_position *position, unsigned seat,
                               uint32_t code);

/* Sets the sums of the units from the pieces. */
void diamond_net_settle(const struct diamond *setup, struct diamond_position *position);

#endif
