/* One position of a game of the engine against itself, as selfplay.c writes it and fit.c reads it. */
#ifndef SAMPLE_H
#define SAMPLE_H

#include <stdint.h>

enum { SAMPLES_GAME = 1000, SAMPLE_PIECES = 15 };

/* A position of a game for two, and what came of it. */
struct sample {
    uint8_t piece[2][SAMPLE_PIECES]; /* point ids by seat, the king's first */
    uint8_t turn;                    /* seat to move: everything below is for that seat */
    uint8_t won;                     /* whether it won the game */
    int16_t score;                   /* what the search expected, thousandths of a point */
    uint16_t plies_left;             /* until the end of the game */
    int32_t tables;                  /* evaluation by the tables of worth alone */
};

#endif
