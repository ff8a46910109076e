/* Not fitted yet: games of three go by the tables. */
#include "diamond_net.h"

const int16_t diamond_three_base[DIAMOND_PHASES] = {0};
const int16_t diamond_three_bias[DIAMOND_HIDDEN] = {0};
const int16_t diamond_three_out[DIAMOND_PHASES][1][DIAMOND_HIDDEN] = {{{0}}};
const int16_t diamond_three_in[DIAMOND_THREE_INPUTS][DIAMOND_HIDDEN] = {{0}};
