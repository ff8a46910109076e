/* Looks for the best move of any game that has a `struct game`. */
#ifndef SEARCH_H
#define SEARCH_H

#include <stdatomic.h>

#include "engine.h"

enum {
    SEARCH_PLIES_MAX = 60,   /* plies that a search looks ahead at most */
    SEARCH_RACE_WIDTH = 512, /* the race width of those who are to play as well as can be */
    SEARCH_RACE_WIDTH_MAX = 4096, /* no race width is greater */
    SEARCH_TABLE_MB_MAX = 4096,
    SEARCH_NO_MEMORY = -1,   /* what `search_run` answers when it gets none */
    SEARCH_NO_MARGIN = INT32_MIN, /* the margin where none can be told */
};

/* When a search has to end, and how many moves it has to tell; 0 stands for no limit. */
struct limits {
    int64_t movetime_ms;     /* time */
    uint64_t nodes;          /* positions looked at; with this alone, equal searches give equal answers */
    int plies;               /* depth; with three players the search is another one where none is given */
    int lines;               /* best moves wanted, at least 1 */
    int noise;               /* each move's value is changed at random by up to this many hundredths of a step or of a
                              * man; in a game with chance, thousandths of a point */
    int race_width;          /* in a game that becomes a race: once it is one, the width of the beam that looks for the
                              * shortest way to the goal, in place of depth. 0: the ordinary search goes on */
    uint64_t seed;           /* of that chance */
    const atomic_bool *stop; /* looked at often: true ends the search; may be NULL */
};

/* One answer. */
struct line {
    uint32_t move;                  /* the move's code */
    int score;                      /* expected result for the side to move, thousandths of a point; a win is 1000, or
                                     * as many as the game's rules count for it */
    int margin;                     /* expected margin for the side to move, tenths of a move; SEARCH_NO_MARGIN in a
                                     * game without and where a win was found */
    int depth;                      /* plies looked ahead; with three players and no depth given those of the first
                                     * line's play */
    int length;                     /* moves in `pv`, at least 1; with three players and a depth up to where a seat is
                                     * skipped, with chance only the move */
    uint32_t pv[SEARCH_PLIES_MAX];  /* the play that the search expects, from `move` on */
};

/* A search's memory: taken once, used for one search at a time. A run takes more for the root's moves and, in a race,
 * for each beam, some 2 MB at a width of 512, and gives it back before it answers. */
struct search;

/* A search with about `table_mb` megabytes to remember positions in; NULL when there is no memory. */
struct search *search_new(size_t table_mb);

/* Gives a search's memory back; NULL is fine. */
void search_free(struct search *search);

/* Looks for the best moves, best first, and answers how many lines it wrote: at most `limits->lines`, 0 when the
 * game is over or waits for chance. Where only a pass is left the line is the pass; a single legal move is told
 * without search, or after a short one in a game with forced captures. SEARCH_NO_MEMORY, and no line, when there is no
 * memory for the root's moves; without memory for a beam a narrower one or the ordinary search has the answer. */
int search_run(struct search *search, const struct game *game, const void *setup, const void *position,
               const struct limits *limits, struct line *lines);

/* Positions looked at by the last run. */
uint64_t search_nodes(const struct search *search);

/* Time that the last run took, in ms. */
int64_t search_time_ms(const struct search *search);

#endif
