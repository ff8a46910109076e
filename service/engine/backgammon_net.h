/* A small net that looks at a backgammon position from the side that is to throw, and tells how the game may end. */
#ifndef BACKGAMMON_NET_H
#define BACKGAMMON_NET_H

#include "backgammon_shots.h"

enum {
    NET_UNITS = 4,                                    /* inputs of each point of each side */
    NET_EXTRAS = 6,                                   /* further inputs of each side: see `add_extras` */
    NET_SIDE = NET_UNITS * BACKGAMMON_POINTS + NET_EXTRAS,
    NET_INPUTS = 2 * NET_SIDE + 1,                    /* the last is always 1 */
    NET_HIDDEN_MAX = 40,
    NET_BLOCK = 8,                                    /* hidden units that are summed up together */
    NET_OUTPUTS = 5,
    NET_SCALE = 512,                                  /* weights are kept as whole numbers of 1/NET_SCALE */
};

/* What the net tells, each a chance for the side that is to throw. */
enum net_output {
    NET_WIN,              /* it wins, in any way */
    NET_WIN_GAMMON,       /* it wins a gammon or a backgammon */
    NET_WIN_BACKGAMMON,   /* it wins a backgammon */
    NET_LOSE_GAMMON,      /* likewise, lost */
    NET_LOSE_BACKGAMMON,
};

/* The weights. */
struct net {
    int hidden;                                              /* hidden units, a multiple of NET_BLOCK */
    _Alignas(16) float inner[NET_INPUTS][NET_HIDDEN_MAX];    /* from each input to each hidden unit */
    _Alignas(16) float outer[NET_OUTPUTS][NET_HIDDEN_MAX];   /* from each hidden unit to each output */
    float bias[NET_OUTPUTS];                                 /* of each output */
    uint8_t escapes[SHOTS_ESCAPES];                          /* what one input is read from */
};

/* One run of a net: what training needs of it beside the outputs. */
struct net_run {
    int count;                                        /* inputs that are not 0 */
    uint16_t input[NET_INPUTS];                       /* their numbers */
    float value[NET_INPUTS];                          /* their values */
    _Alignas(16) float hidden[NET_HIDDEN_MAX];        /* the hidden units' values */
    float output[NET_OUTPUTS];                        /* chances within 0 and 1 */
};

/* Makes a net without any weights. */
void net_open(struct net *net, int hidden);

/* Fills a net from kept weights: NET_INPUTS rows, then NET_OUTPUTS rows, of `hidden` numbers, then the biases. */
void net_load(struct net *net, const int16_t *weights, int hidden);

/* Looks at a position that waits for a throw. */
void net_look(const struct net *net, const struct backgammon_position *position, struct net_run *run);

#endif
