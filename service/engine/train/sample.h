/* One position of a game of the engine against itself, as selfplay.c writes it and fit.c reads it. */
#ifndef SAMPLE_H
#define SAMPLE_H

#include <stdint.h>

enum { SAMPLES_GAME = 1500, SAMPLE_PIECES = 15, SAMPLE_SEATS = 3 };

/* A position, and what came of it. */
struct sample {
    uint8_t piece[SAMPLE_SEATS][SAMPLE_PIECES]; /* point ids by seat, the king's first; 0 for a seat that is not there */
    uint8_t players;                            /* 2 or 3 */
    uint8_t turn;                               /* seat to move */
    uint8_t winner;                             /* the seat that won the game */
    int16_t score;                              /* what the search expected for the seat to move, see `points` */
    uint16_t plies_left;                        /* until the end of the game */
};

#endif
