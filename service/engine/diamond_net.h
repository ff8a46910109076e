/* A small net that corrects the tables' evaluation of a game for two. Its first layer has one input for each kind of
 * piece on each point and is kept up to date move by move; there is one layer as each seat sees the board. */
#ifndef DIAMOND_NET_H
#define DIAMOND_NET_H

#include "diamond_board.h"

enum {
    DIAMOND_INPUTS = 4 * DIAMOND_POINTS, /* own men, own king, the other's men, the other's king */
    DIAMOND_UNIT_FULL = 256,             /* a hidden unit's output is its sum cut to 0 and this */
};

/* Fitted by train/fit.c. */
extern const int16_t diamond_net_in[DIAMOND_INPUTS][DIAMOND_HIDDEN]; /* what an input adds to the units' sums */
extern const int16_t diamond_net_bias[DIAMOND_HIDDEN];               /* the units' sums without any */
extern const int16_t diamond_net_out[2][DIAMOND_HIDDEN]; /* hundredths of a step for a full unit, the mover's first */
extern const int16_t diamond_net_tempo;                  /* hundredths for the side to move */

/* The input for a piece of `owner` on a point, as `seat` sees the board. */
static inline unsigned diamond_input(const struct diamond *setup, unsigned seat, unsigned owner, bool king,
                                     unsigned id)
{
    return (owner == seat ? 0u : 2u * DIAMOND_POINTS) + (king ? DIAMOND_POINTS : 0u) + setup->view[seat][id];
}

/* The net's part of the evaluation for the side to move of a game for two, in hundredths of a step. */
int diamond_net_value(const struct diamond_position *position);

/* The net's part of the evaluation for `seat` of a game for two after a move of its own. */
int diamond_net_after(const struct diamond *setup, const struct diamond_position *position, unsigned seat,
                      uint32_t code);

/* Sets the sums of the units of a game for two from its pieces. */
void diamond_net_settle(const struct diamond *setup, struct diamond_position *position);

#endif
