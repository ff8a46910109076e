#include "backgammon_bearoff.h"

#include <string.h>

enum { PLACES = BACKGAMMON_HOME + 1 };

/* Fills the table of ways: paths[k][n] is the number of ways to choose k of n. */
static void fill_paths(struct bearoff *bearoff)
{
    for (int n = 0; n <= BACKGAMMON_CHECKERS + BACKGAMMON_HOME; n++)
        for (int k = 0; k <= BACKGAMMON_HOME; k++)
            bearoff->paths[k][n] = k == 0  ? 1
                                   : n == 0 ? 0
                                            : bearoff->paths[k - 1][n - 1] + bearoff->paths[k][n - 1];
}

/* Checkers and the ends of points, written one after the other from the 6 down, are 21 signs, six of them ends; the
 * places of the ends have a number among all choices. Each move of a checker downwards makes it smaller. */
unsigned bearoff_number(const struct bearoff *bearoff, const uint8_t *checkers)
{
    unsigned number = 0, sum = 0;
    for (int end = 1; end <= BACKGAMMON_HOME; end++) {
        sum += checkers[BACKGAMMON_HOME + 1 - end];
        number += bearoff->paths[end][sum + (unsigned)end - 1];
    }
    return number;
}

/* The position of a number. */
static void find_checkers(const struct bearoff *bearoff, unsigned number, uint8_t checkers[PLACES])
{
    unsigned sums[PLACES] = {0};
    for (unsigned end = BACKGAMMON_HOME; end >= 1; end--) {
        unsigned place = BACKGAMMON_CHECKERS + end - 1;
        while (bearoff->paths[end][place] > number)
            place--;
        number -= bearoff->paths[end][place];
        sums[end] = place - (end - 1);
    }
    checkers[0] = 0;
    for (unsigned end = 1; end <= BACKGAMMON_HOME; end++)
        checkers[BACKGAMMON_HOME + 1 - end] = (uint8_t)(sums[end] - sums[end - 1]);
}

/* The best position that a throw leads to. */
struct choice {
    const struct bearoff *bearoff; /* the table, filled for all positions that can follow */
    unsigned number;               /* the best so far */
    double mean;                   /* its expected throws */
};

/* Plays the dice, `count` of them, in every way, no part from above `most`, and keeps the best end. */
static void try_dice(struct choice *choice, uint8_t checkers[PLACES], const unsigned *dice, int count, unsigned most)
{
    unsigned rear = BACKGAMMON_HOME;
    while (rear > 0 && !checkers[rear])
        rear--;
    if (count == 0 || rear == 0) {
        unsigned number = bearoff_number(choice->bearoff, checkers);
        if (choice->bearoff->mean[number] < choice->mean) {
            choice->number = number;
            choice->mean = choice->bearoff->mean[number];
        }
        return;
    }
    unsigned die = dice[0], least = rear < die ? rear : die;
    for (unsigned from = rear < most ? rear : most; from >= least && from > 0; from--) {
        if (!checkers[from])
            continue;
        unsigned to = from > die ? from - die : 0;
        checkers[from]--;
        checkers[to]++;
        try_dice(choice, checkers, dice + 1, count - 1, dice[1] == die ? from : BACKGAMMON_HOME);
        checkers[to]--;
        checkers[from]++;
    }
}

/* The number of the best position after a throw. */
static unsigned best_after(const struct bearoff *bearoff, uint8_t checkers[PLACES], unsigned high, unsigned low)
{
    struct choice choice = {.bearoff = bearoff, .mean = 1e9};
    unsigned dice[] = {high, low, high, low, 0}, turned[] = {low, high, 0};
    if (high == low)
        try_dice(&choice, checkers, dice, 4, BACKGAMMON_HOME);
    else {
        dice[2] = 0;
        try_dice(&choice, checkers, dice, 2, BACKGAMMON_HOME);
        try_dice(&choice, checkers, turned, 2, BACKGAMMON_HOME);
    }
    return choice.number;
}

/* Fills one position, all with smaller numbers being there. */
static void fill_position(struct bearoff *bearoff, unsigned number)
{
    uint8_t checkers[PLACES];
    double exactly[BEAROFF_THROWS] = {0}, mean = 0;
    find_checkers(bearoff, number, checkers);
    for (unsigned high = 1; high <= 6; high++)
        for (unsigned low = 1; low <= high; low++) {
            double share = high == low ? 1.0 / 36 : 2.0 / 36;
            unsigned next = best_after(bearoff, checkers, high, low);
            mean += share * (1 + bearoff->mean[next]);
            for (int n = 1; n < BEAROFF_THROWS; n++)
                exactly[n] += share * (double)bearoff->exactly[next][n - 1];
        }
    bearoff->mean[number] = mean;
    for (int n = 0; n < BEAROFF_THROWS; n++)
        bearoff->exactly[number][n] = (float)exactly[n];
}

void bearoff_make(struct bearoff *bearoff)
{
    memset(bearoff, 0, sizeof *bearoff);
    fill_paths(bearoff);
    bearoff->exactly[0][0] = 1;
    for (unsigned number = 1; number < BEAROFF_POSITIONS; number++)
        fill_position(bearoff, number);
}
