/* Positions of games of the engine against itself, as selfplay.c writes them, and what fit.c and calibrate.c share. */
#ifndef SAMPLE_H
#define SAMPLE_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SAMPLES_GAME = 1500, SAMPLE_PIECES = 15, SAMPLE_SEATS = 3 };

/* A position, and what came of it. */
struct sample {
    uint8_t piece[SAMPLE_SEATS][SAMPLE_PIECES]; /* point ids by seat, the king's first; 0 for a seat not there */
    uint8_t players;                            /* 2 or 3 */
    uint8_t turn;                               /* seat to move */
    uint8_t winner;                             /* the seat that won the game */
    int16_t score;                              /* what the search expected for the seat to move, see `points` */
    uint16_t plies_left;                        /* until the end of the game */
};

/* Samples in the order in which they were written, game by game. */
struct samples {
    struct sample *all; /* `count` of them; free() gives them back */
    size_t count;       /* how many */
};

/* Adds a file's samples of games with so many players. False, with a line on stderr, when the file cannot be read, when
 * it has fewer than any fit makes sense of, or when there is no memory. */
bool samples_read(struct samples *samples, const char *path, unsigned players);

/* Finds where `loss` of `count` numbers is least, by coordinate descent from `at` on: steps in one number at a time, of
 * `step` at first, then halved as long as they are above `least`. Leaves the place in `at` and answers its loss. Where
 * the loss falls without end, as when one number tells all results apart, it ends after a bounded number of steps. */
double descend(double (*loss)(const void *memory, const double *at), const void *memory, double *at, int count,
               double step, double least);

/* Whether a sample is the last of its game; `next` is the one behind it, or NULL. */
static inline bool sample_ends_game(const struct sample *sample, const struct sample *next)
{
    return !next || next->plies_left > sample->plies_left;
}

/* The logistic function. */
static inline float logistic(float x)
{
    return 1 / (1 + expf(-x));
}

/* The logit of the chance that the search's points stand for, cut to `most` on either side. */
static inline float score_logit(int score, int most)
{
    score = score > most ? most : score < -most ? -most : score;
    return logf((float)(1000 + score) / (float)(1000 - score));
}

/* The loss of a told chance by the result. */
static inline double result_loss(float chance, bool won)
{
    return -log((won ? chance : 1 - chance) + 1e-6f);
}

#endif
