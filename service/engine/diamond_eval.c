#include "diamond_eval.h"

#include "diamond_net.h"
#include "hot.h"

#include <stdlib.h>

enum {
    HALF_ROW = 7,    /* points of the longest row from its middle outwards */
    NET_TURNS = 150, /* turns of each of three seats after which they go by the tables alone */
};

/* The worth of a man and of a king on each point, by row from the start's tip to the target's, then from the row's
 * middle outwards (both halves alike). Hundredths of a step; only differences count. Points that are closed to the
 * seat have a number too, without meaning. The numbers were fitted to the results of games that the engine played
 * against itself; neither the games nor the fit are part of this tree. A change to them is judged by a match. */
static const int16_t worth[2][DIAMOND_ROWS][HALF_ROW] = {
    {
        {-1639},
        {-1475},
        {-1287, -1364},
        {-1117, -1170},
        {-1003, -975, -1145, 0, 0, 0, 0},
        {-851, -891, -1078, 0, 0, 0},
        {-740, -743, -826, -1009, 0, 0},
        {-645, -690, -808, -865, 0},
        {-526, -538, -632, -695, -871},
        {-485, -461, -558, -637, 0},
        {-322, -402, -459, -516, 0, 0},
        {-282, -312, -407, 0, 0, 0},
        {-157, -139, -163, 0, 0, 0, 0},
        {-99, -123},
        {-40, -40},
        {0},
        {-268},
    },
    {
        {-1491},
        {-1451},
        {-1311, -1318},
        {-1170, -1157},
        {-1088, -1052, -1026, 0, 0, 0, 0},
        {-1048, -952, -844, 0, 0, 0},
        {-784, -916, -841, -788, 0, 0},
        {-744, -768, -709, -685, 0},
        {-618, -605, -593, -645, -705},
        {-425, -592, -478, -528, 0},
        {-546, -323, -438, -481, 0, 0},
        {-372, -283, -441, 0, 0, 0},
        {-385, -332, -243, 0, 0, 0, 0},
        {-198, -197},
        {-373, -157},
        {-103},
        {164},
    },
};

/* Fills what follows from the worth of men and kings. */
static void fill_derived(struct diamond *setup)
{
    setup->step_most = setup->king_most = INT32_MIN;
    for (unsigned seat = 0; seat < DIAMOND_SEATS; seat++) {
        const int32_t *man = setup->man_worth[seat], *king = setup->king_worth[seat];
        for (unsigned lane = 0; lane < DIAMOND_LANES; lane++)
            for (unsigned bit = 0; bit < 64; bit++)
                setup->lane_worth[seat][lane][bit] = man[setup->point[lane][bit]];
        for (mask open = setup->open[seat]; open;) {
            unsigned from = mask_take(&open);
            setup->king_most = king[from] > setup->king_most ? king[from] : setup->king_most;
            for (mask near = setup->near[from] & setup->open[seat]; near;) {
                int32_t gain = man[mask_take(&near)] - man[from];
                setup->step_most = gain > setup->step_most ? gain : setup->step_most;
            }
        }
    }
}

void diamond_eval_fill(struct diamond *setup)
{
    for (int seat = 0; seat < DIAMOND_SEATS; seat++)
        for (int id = 0; id < DIAMOND_POINTS; id++) {
            int row = setup->row[seat][id], aside = setup->aside[seat][id] / 2;
            setup->man_worth[seat][id] = worth[0][row][aside];
            setup->king_worth[seat][id] = worth[1][row][aside];
        }
    fill_derived(setup);
}

/* The evaluation for `seat` by the tables alone: its worth against the best and the mean of the others in play. */
static int by_tables(const struct diamond_position *position, unsigned seat)
{
    int best = INT32_MIN, sum = 0, others = 0;
    for (unsigned other = 0; other < position->players; other++) {
        if (other == seat || !(position->head.in_play >> other & 1))
            continue;
        int worth = position->worth[other];
        best = worth > best ? worth : best;
        sum += worth;
        others++;
    }
    return others ? position->worth[seat] - (best + sum / others) / 2 : 0;
}

/* Whether the net for three knows such a position: every seat still plays, and the game is not far longer than any that
 * it was made from. There it has left a king in the middle for ever, with all men home; the tables bring it home. */
static bool net_of_three_knows(const struct diamond_position *position)
{
    return position->head.in_play == (1 << DIAMOND_SEATS) - 1 && position->head.ply < NET_TURNS * DIAMOND_SEATS;
}

int diamond_evaluate(const void *setup, const void *memory, unsigned seat)
{
    const struct diamond_position *position = memory;
    (void)setup;
    if (position->players == 2) {
        int net = diamond_net_value(position);
        return position->worth[seat] - position->worth[1 - seat] + (position->head.turn == seat ? net : -net);
    }
    if (net_of_three_knows(position))
        return by_tables(position, seat) + diamond_net_of_three(position, seat);
    return by_tables(position, seat);
}

HOT int diamond_evaluate_after(const void *setup, const void *memory, struct move move)
{
    const struct diamond_position *position = memory;
    unsigned seat = move_seat(move.code);
    if (move_is_pass(move.code))
        return diamond_evaluate(setup, memory, seat);
    int tables = by_tables(position, seat) + move.gain;
    if (net_of_three_knows(position))
        return tables + diamond_net_of_three_after(setup, position, seat, move.code);
    return tables;
}

/* Points by the logit of the chance to win, every CURVE_STEP thousandths from 0 on: 1000 tanh(x / 2). */
static const int16_t curve[] = {0, 124, 245, 358, 462, 555, 635, 704, 762, 809, 848, 880, 905, 925, 941, 954,
                                964, 972, 978, 983, 987, 990, 992, 994, 995};

enum { CURVE_STEP = 250, CURVE_END = sizeof curve / sizeof *curve - 1, POINTS_MOST = 990 };

/* How evaluations become chances: the logit of the chance to win rises evenly up to a knee on either side, and faster
 * beyond, where little is left to happen. The numbers tell best the results of the engine's games against itself; see
 * train/calibrate.c. */
struct bend {
    int near; /* hundredths of a step in a logit around 0 */
    int knee; /* where the bend is */
    int more; /* what comes on top beyond it: one logit in so many hundredths */
    int even; /* the logit at 0, in thousandths; of a half it would be 0, of a third -693 */
};

enum { NO_KNEE = 1 << 20 };

/* At 0 whoever is to move wins less than a half, because the nets leave out their mean: what it is worth to be to move
 * would make the search blind. */
static const struct bend two = {630, NO_KNEE, 1, -150}, three = {1000, 500, 900, -730};

/* The logit of the chance to win, in thousandths. */
static int64_t logit_of(const struct bend *bend, int64_t evaluation)
{
    int64_t beyond = evaluation > bend->knee ? evaluation - bend->knee
                   : evaluation < -bend->knee ? evaluation + bend->knee : 0;
    return evaluation * 1000 / bend->near + beyond * 1000 / bend->more + bend->even;
}

int diamond_points(int evaluation, int seats)
{
    int64_t logit = logit_of(seats > 2 ? &three : &two, evaluation);
    int64_t size = logit < 0 ? -logit : logit, place = size / CURVE_STEP;
    int points = POINTS_MOST;
    if (place < CURVE_END)
        points = curve[place] + (int)((curve[place + 1] - curve[place]) * (size % CURVE_STEP) / CURVE_STEP);
    points = points > POINTS_MOST ? POINTS_MOST : points;
    return logit < 0 ? -points : points;
}

/* What a loser still lacks at the end, by evaluations before it: a line through the games that gave the bends.
 * At an even evaluation the side to move loses half of the games of two and two thirds of those of three, so its mean
 * margin is below 0. */
enum {
    TWO_TENTH = 39,   /* hundredths of a step in a tenth of a move */
    TWO_EVEN = -2,    /* tenths of a move at 0 */
    THREE_TENTH = 56, /* the same with three */
    THREE_EVEN = -13,
};

int diamond_margin(int evaluation, int seats)
{
    return seats > 2 ? evaluation / THREE_TENTH + THREE_EVEN : evaluation / TWO_TENTH + TWO_EVEN;
}
