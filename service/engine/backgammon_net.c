#include "backgammon_net.h"

#include <string.h>

void net_open(struct net *net, int hidden)
{
    memset(net, 0, sizeof *net);
    net->hidden = hidden;
    shots_fill_escapes(net->escapes);
}

void net_load(struct net *net, const int16_t *weights, int hidden)
{
    net_open(net, hidden);
    for (int input = 0; input < NET_INPUTS; input++)
        for (int unit = 0; unit < hidden; unit++)
            net->inner[input][unit] = (float)*weights++ / NET_SCALE;
    for (int output = 0; output < NET_OUTPUTS; output++)
        for (int unit = 0; unit < hidden; unit++)
            net->outer[output][unit] = (float)*weights++ / NET_SCALE;
    for (int output = 0; output < NET_OUTPUTS; output++)
        net->bias[output] = (float)*weights++ / NET_SCALE;
}

/* Notes an input, unless it is 0. */
static inline void add_input(struct net_run *run, int input, float value)
{
    if (value == 0)
        return;
    run->input[run->count] = (uint16_t)input;
    run->value[run->count++] = value;
}

/* The inputs of a side beside its points: its bar, what it has borne off, its pips, the throws that hit, those that
 * free its rearmost checker, and the length of its prime. */
static void add_extras(const struct net *net, struct net_run *run, const struct backgammon_position *position,
                       unsigned seat, int input)
{
    const uint8_t *mine = position->board[seat];
    struct shots_side side = shots_side(mine, position->board[!seat]);
    int pips = 0;
    for (int place = 1; place < BACKGAMMON_PLACES; place++)
        pips += place * mine[place];
    add_input(run, input, mine[BACKGAMMON_BAR] * 0.5f);
    add_input(run, input + 1, mine[BACKGAMMON_OFF] / 15.0f);
    add_input(run, input + 2, (float)pips / 100);
    add_input(run, input + 3, (float)shots_hitting(&side) / 18);
    add_input(run, input + 4, (float)shots_escaping(&side, net->escapes) / 18);
    add_input(run, input + 5, (float)shots_prime(&side) / 3);
}

/* Writes the inputs of one side. */
static void add_side(const struct net *net, struct net_run *run, const struct backgammon_position *position,
                     unsigned seat, int input)
{
    const uint8_t *mine = position->board[seat];
    for (int point = 1; point <= BACKGAMMON_POINTS; point++, input += NET_UNITS) {
        int checkers = mine[point];
        if (checkers == 0)
            continue;
        add_input(run, checkers == 1 ? input : input + 1, 1);
        if (checkers > 2)
            add_input(run, input + 2, 1);
        if (checkers > 3)
            add_input(run, input + 3, (float)(checkers - 3) / 2);
    }
    add_extras(net, run, position, seat, input);
}

/* e to the power of x, for x within -80 and 80, to six digits; the same on every machine. */
static float power_of_e(float x)
{
    float scaled = x * 1.44269504f;
    int whole = (int)(scaled + (scaled < 0 ? -0.5f : 0.5f));
    float rest = (scaled - (float)whole) * 0.693147181f;
    float power = 1 + rest * (1 + rest * (0.5f + rest * (0.166666667f + rest * (0.0416666667f + rest * 0.00833333f))));
    uint32_t bits = (uint32_t)(whole + 127) << 23;
    float scale;
    memcpy(&scale, &bits, sizeof scale);
    return power * scale;
}

/* A sum pressed into 0 to 1. */
static float chance_of(float sum)
{
    sum = sum > 40 ? 40 : sum < -40 ? -40 : sum;
    return 1 / (1 + power_of_e(-sum));
}

/* The sums that come to a block of hidden units, then their values: x / (1 + |x|). */
static void fill_block(const struct net *net, struct net_run *run, int block)
{
    float sums[NET_BLOCK] = {0};
    for (int n = 0; n < run->count; n++) {
        const float *weights = net->inner[run->input[n]] + block;
        float value = run->value[n];
        for (int unit = 0; unit < NET_BLOCK; unit++)
            sums[unit] += weights[unit] * value;
    }
    for (int unit = 0; unit < NET_BLOCK; unit++)
        run->hidden[block + unit] = sums[unit] / (1 + (sums[unit] < 0 ? -sums[unit] : sums[unit]));
}

void net_look(const struct net *net, const struct backgammon_position *position, struct net_run *run)
{
    unsigned seat = position->head.turn;
    run->count = 0;
    add_side(net, run, position, seat, 0);
    add_side(net, run, position, !seat, NET_SIDE);
    add_input(run, NET_INPUTS - 1, 1);
    for (int block = 0; block < net->hidden; block += NET_BLOCK)
        fill_block(net, run, block);
    for (int output = 0; output < NET_OUTPUTS; output++) {
        float sum = net->bias[output];
        for (int unit = 0; unit < net->hidden; unit++)
            sum += net->outer[output][unit] * run->hidden[unit];
        run->output[output] = chance_of(sum);
    }
}
