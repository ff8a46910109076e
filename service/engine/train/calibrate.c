/* Tells how well what the engine expects agrees with what comes of its games against itself.
 *
 *     cc -std=c11 -O3 -fno-strict-aliasing -Iservice/engine -o calibrate \
 *         $(ls service/engine/[a-z]*.c | grep -v 'cli.c\|module.c') service/engine/train/{calibrate,sample}.c -lm
 *     calibrate PLAYERS FILE...
 *
 * Reads what selfplay.c of the same engine wrote and prints, for the side to move:
 *   - the factor and the summand by which the logit of the search's chance would tell the results best; 1 and 0 when
 *     diamond_points is right;
 *   - the bend of diamond_eval.c that tells the results best, by the evaluations that the points stand for; wins, races
 *     and points at their ends are left out, for they tell no evaluation;
 *   - for each score that the search gives to races, how often it won; the outermost also stand for great evaluations;
 *   - in ten equal bins of that chance: its mean, the share won, and how many positions from how many games;
 *   - the margin: how many moves the nearest loser lacks at a game's end, or the side to move itself where it lost, by
 *     the evaluation that the search's points stand for. What is lacking is estimated from the tables' worth that is
 *     missing from the goal: it stands for as many moves as winners needed on average who lacked as much. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diamond_board.h"
#include "diamond_eval.h"
#include "race.h"
#include "sample.h"

enum {
    BINS = 10,
    WORTH_BIN = 500, /* hundredths of a step in a bin of worth that is missing */
    WORTH_BINS = 40,
    POINTS_MOST = 990,
    VALUE_BIN = 250, /* hundredths of a step in a bin of evaluations */
    VALUE_BINS = 9,  /* bins on either side of 0 */
    POINTS_BENT = 984, /* beyond, and below less, points are too coarse to tell an evaluation */
};

/* All scores of races. */
static const int race_scores[] = {RACE_AHEAD, RACE_NO_LEAD, RACE_ONE_BEHIND, RACE_MORE_BEHIND};

enum { RACE_SCORES = sizeof race_scores / sizeof *race_scores };

/* What is read, and what is found. */
struct calibration {
    struct diamond setup;                  /* the rules */
    unsigned players;                      /* 2 or 3 */
    struct samples samples;                /* all of them */
    int value_of[2 * POINTS_MOST + 1];     /* the evaluation nearest 0 of each number of points */
    double moves[WORTH_BINS];              /* moves to the goal by what is missing */
};

/* The chance that the search's points stand for. */
static double chance_of(int score)
{
    int points = score > POINTS_MOST ? POINTS_MOST : score < -POINTS_MOST ? -POINTS_MOST : score;
    return (1000 + points) / 2000.0;
}

/* Whether a sample is the last one of its game. */
static bool is_last(const struct calibration *all, size_t n)
{
    const struct sample *sample = &all->samples.all[n];
    return sample_ends_game(sample, n + 1 < all->samples.count ? sample + 1 : NULL);
}

/* The worth that a seat lacks at a sample. */
static int missing_of(const struct calibration *all, const struct sample *sample, unsigned seat)
{
    const struct diamond *setup = &all->setup;
    int missing = setup->king_worth[seat][setup->apex[seat]] - setup->king_worth[seat][sample->piece[seat][0]];
    for (mask men = setup->target[seat] & ~mask_of(setup->apex[seat]); men;)
        missing += setup->man_worth[seat][mask_take(&men)];
    for (int n = 1; n < SAMPLE_PIECES; n++)
        missing -= setup->man_worth[seat][sample->piece[seat][n]];
    return missing < 0 ? 0 : missing;
}

/* Fills how many moves winners needed by what they lacked. */
static void fill_moves(struct calibration *all)
{
    double sum[WORTH_BINS] = {0}, count[WORTH_BINS] = {0};
    for (size_t n = 0; n < all->samples.count; n++) {
        const struct sample *sample = &all->samples.all[n];
        int bin = missing_of(all, sample, sample->winner) / WORTH_BIN;
        if (sample->turn != sample->winner || bin >= WORTH_BINS)
            continue;
        sum[bin] += (sample->plies_left + all->players - 1) / all->players;
        count[bin]++;
    }
    for (int bin = 0; bin < WORTH_BINS; bin++)
        all->moves[bin] = count[bin] > 0 ? sum[bin] / count[bin] : bin ? all->moves[bin - 1] : 1;
}

/* The moves that a seat lacks at a sample; between two bins' middles, evenly. */
static double moves_of(const struct calibration *all, const struct sample *sample, unsigned seat)
{
    double place = missing_of(all, sample, seat) / (double)WORTH_BIN - 0.5;
    place = place < 0 ? 0 : place > WORTH_BINS - 1.001 ? WORTH_BINS - 1.001 : place;
    int bin = (int)place;
    return all->moves[bin] + (all->moves[bin + 1] - all->moves[bin]) * (place - bin);
}

/* The margin at a game's last sample for a seat. */
static double margin_of(const struct calibration *all, const struct sample *last, unsigned seat)
{
    if (seat != last->winner)
        return -moves_of(all, last, seat);
    double least = 1e9;
    for (unsigned other = 0; other < all->players; other++)
        if (other != seat)
            least = fmin(least, moves_of(all, last, other));
    return least;
}

/* The loss of the search's logit, multiplied by at[0] and added to at[1]; see `descend`. */
static double logit_loss(const void *memory, const double *at)
{
    const struct calibration *all = memory;
    double loss = 0;
    for (size_t n = 0; n < all->samples.count; n++) {
        const struct sample *sample = &all->samples.all[n];
        double logit = at[0] * score_logit(sample->score, POINTS_MOST) + at[1];
        loss += result_loss(logistic((float)logit), sample->winner == sample->turn);
    }
    return loss / (double)all->samples.count;
}

/* Prints the best factor and summand. */
static void print_best(const struct calibration *all)
{
    double at[] = {1, 0}, first = logit_loss(all, at), least = descend(logit_loss, all, at, 2, 0.16, 0.004);
    printf("loss %.4f; best %.4f by logits times %.2f, %+.2f\n", first, least, at[0], at[1]);
}

/* Whether a sample's points stand for an evaluation. */
static bool is_evaluated(const struct sample *sample)
{
    for (int n = 0; n < RACE_SCORES; n++)
        if (sample->score == race_scores[n])
            return false;
    return abs(sample->score) <= POINTS_BENT;
}

/* The loss where the logit of an evaluation is told by a bend of at[0] to at[3], `near`, `knee`, `more` and `even` of
 * diamond_eval.c; with NULL by the points themselves. */
static double bend_loss(const void *memory, const double *at)
{
    const struct calibration *all = memory;
    double loss = 0;
    size_t count = 0;
    if (at && (at[0] < 1 || at[1] < 0 || at[2] < 1))
        return INFINITY;
    for (size_t n = 0; n < all->samples.count; n++) {
        const struct sample *sample = &all->samples.all[n];
        if (!is_evaluated(sample))
            continue;
        double logit = score_logit(sample->score, POINTS_MOST), value = all->value_of[sample->score + POINTS_MOST];
        if (at)
            logit = value / at[0] + copysign(fmax(fabs(value) - at[1], 0), value) / at[2] + at[3] / 1000;
        loss += result_loss(logistic((float)logit), sample->winner == sample->turn);
        count++;
    }
    return count ? loss / (double)count : 0;
}

/* Prints the best bend. */
static void print_bend(const struct calibration *all)
{
    double at[] = {800, 600, 1200, all->players == 2 ? 0 : -1000 * log(all->players - 1)};
    double least = descend(bend_loss, all, at, 4, 160, 4);
    printf("loss %.4f where no race is told; best %.4f by near %.0f, knee %.0f, more %.0f, even %.0f\n",
           bend_loss(all, NULL), least, at[0], at[1], at[2], at[3]);
}

/* Prints how often the scores of races won. */
static void print_races(const struct calibration *all)
{
    for (int score = 0; score < RACE_SCORES; score++) {
        size_t count = 0, games = 0, won = 0;
        bool seen = false;
        for (size_t n = 0; n < all->samples.count; n++) {
            const struct sample *sample = &all->samples.all[n];
            bool same = sample->score == race_scores[score];
            count += same;
            won += same && sample->winner == sample->turn;
            games += same && !seen;
            seen = !is_last(all, n) && (seen || same);
        }
        if (count)
            printf("score %+4d: won %5.1f%% of %zu positions, %zu games\n", race_scores[score],
                   100 * (double)won / (double)count, count, games);
    }
}

/* Prints the bins of chances. */
static void print_bins(const struct calibration *all)
{
    double chance[BINS] = {0}, won[BINS] = {0};
    size_t count[BINS] = {0}, games[BINS] = {0};
    bool seen[BINS] = {false};
    for (size_t n = 0; n < all->samples.count; n++) {
        const struct sample *sample = &all->samples.all[n];
        double told = chance_of(sample->score);
        int bin = (int)(told * BINS);
        chance[bin] += told;
        won[bin] += sample->winner == sample->turn;
        count[bin]++;
        games[bin] += !seen[bin];
        seen[bin] = true;
        if (is_last(all, n))
            memset(seen, 0, sizeof seen);
    }
    printf("chance told   won  positions  games\n");
    for (int bin = 0; bin < BINS; bin++)
        if (count[bin])
            printf("  %5.1f%%   %5.1f%%  %9zu  %5zu\n", 100 * chance[bin] / (double)count[bin],
                   100 * won[bin] / (double)count[bin], count[bin], games[bin]);
}

/* Prints the mean margin by evaluation, and the line that tells it best. */
static void print_margins(const struct calibration *all)
{
    double sum[2 * VALUE_BINS + 1] = {0}, count[2 * VALUE_BINS + 1] = {0};
    double x = 0, y = 0, xx = 0, xy = 0, all_count = 0;
    size_t last = 0;
    for (size_t n = 0; n < all->samples.count; n++) {
        const struct sample *sample = &all->samples.all[n];
        while (last < n || !is_last(all, last))
            last++;
        if (abs(sample->score) >= POINTS_MOST)
            continue;
        int value = all->value_of[sample->score + POINTS_MOST];
        double margin = margin_of(all, &all->samples.all[last], sample->turn);
        int bin = (int)lrint((double)value / VALUE_BIN);
        bin = bin > VALUE_BINS ? VALUE_BINS : bin < -VALUE_BINS ? -VALUE_BINS : bin;
        sum[bin + VALUE_BINS] += margin;
        count[bin + VALUE_BINS]++;
        x += value, y += margin, xx += (double)value * value, xy += value * margin, all_count++;
    }
    double slope = (all_count * xy - x * y) / (all_count * xx - x * x);
    printf("margin in moves: %.3f + evaluation times %.6f\n", (y - slope * x) / all_count, slope);
    for (int bin = -VALUE_BINS; bin <= VALUE_BINS; bin++)
        if (count[bin + VALUE_BINS] > 0)
            printf("  %+5d: %+.2f (%.0f positions)\n", bin * VALUE_BIN,
                   sum[bin + VALUE_BINS] / count[bin + VALUE_BINS], count[bin + VALUE_BINS]);
}

/* Fills the evaluations that points stand for. */
static void fill_values(struct calibration *all)
{
    for (int size = 20000; size >= 0; size--)
        for (int sign = -1; sign < 2; sign += 2)
            all->value_of[diamond_points(sign * size, (int)all->players) + POINTS_MOST] = sign * size;
}

/* Prints all that is found. */
static void print_all(const struct calibration *all)
{
    print_best(all);
    print_bend(all);
    print_races(all);
    print_bins(all);
    print_margins(all);
}

/* Tells what the words ask for. */
int main(int count, char **words)
{
    struct calibration *all = calloc(1, sizeof *all);
    if (!all || count < 3 || (atoi(words[1]) != 2 && atoi(words[1]) != 3)) {
        fprintf(stderr, "calibrate PLAYERS FILE...\n");
        return 2;
    }
    diamond_game.setup(&all->setup);
    all->players = (unsigned)atoi(words[1]);
    bool good = true;
    for (int n = 2; good && n < count; n++)
        good = samples_read(&all->samples, words[n], all->players);
    if (good) {
        fill_values(all);
        fill_moves(all);
        print_all(all);
    }
    free(all->samples.all);
    free(all);
    return good ? 0 : 2;
}
