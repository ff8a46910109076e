#include "diamond_eval.h"

#include <stdlib.h>

enum {
    STEP = 100,         /* the unit: one step towards the apex */
    STRAGGLER = 4,      /* more for each step the further back a piece is, times the distance squared */
    SIDE = 6,           /* cost of each half step away from the middle line */
    MAN_ON_APEX = 350,  /* cost of a man where only the king may end */
    KING_OFF_APEX = 60, /* cost of a king that has still to reach the apex */
    POINTS_SCALE = 900, /* evaluation at which about three quarters of the points are expected */
};

/* The worth of a piece `distance` steps from its apex and `side` half steps from the middle line. */
static int32_t worth_at(int distance, int side)
{
    return -(STEP * distance + STRAGGLER * distance * distance + SIDE * side);
}

void diamond_eval_fill(struct diamond *setup)
{
    for (int seat = 0; seat < DIAMOND_SEATS; seat++)
        for (int id = 0; id < DIAMOND_POINTS; id++) {
            int to_apex = setup->to_apex[seat][id], side = setup->aside[seat][id];
            bool on_apex = id == setup->apex[seat];
            setup->man_worth[seat][id] = worth_at(to_apex, side) - (on_apex ? MAN_ON_APEX : 0);
            setup->king_worth[seat][id] = worth_at(to_apex, side) - (on_apex ? 0 : KING_OFF_APEX);
        }
}

int diamond_evaluate(const void *setup, const void *memory, unsigned seat)
{
    const struct diamond_position *position = memory;
    int best = INT32_MIN, sum = 0, others = 0;
    (void)setup;
    for (unsigned other = 0; other < position->players; other++) {
        if (other == seat || !(position->head.in_play >> other & 1))
            continue;
        int worth = position->worth[other];
        best = worth > best ? worth : best;
        sum += worth;
        others++;
    }
    if (others == 0)
        return 0;
    return position->worth[seat] - (best + sum / others) / 2;
}

int diamond_points(int evaluation, int seats)
{
    /* x / (1 + |x|) rises like the share of games won and needs no library. */
    int size = abs(evaluation);
    int points = (int)((int64_t)evaluation * 1000 / (size + POINTS_SCALE));
    (void)seats;
    return points > 990 ? 990 : points < -990 ? -990 : points;
}
