/* The part of a search below the root, for the files that search: search.c, race.c, expect.c,
 * mcts.c. */
#ifndef TREE_H
#define TREE_H

#include "search.h"
#include "table.h"

enum {
    TREE_WIN = 1000000,       /* value of a won game, less the plies until it is won */
    TREE_WIN_LEAST = 999000,  /* values from here on are wins */
    TREE_INFINITE = 2000000,  /* beyond every value */
    TREE_HISTORY = 1 << 14,   /* slots of the history */
    TREE_KILLERS = 4,         /* killers of a ply */
};

/* The memory of one ply. */
struct level {
    _Alignas(16) unsigned char position[ENGINE_POSITION_SIZE]; /* the position here */
    struct move moves[ENGINE_MOVES_MAX];                       /* its moves */
    int32_t order[ENGINE_MOVES_MAX];                           /* how soon each is to be tried; more is sooner */
    uint32_t killers[TREE_KILLERS]; /* moves that cut off elsewhere on this ply, the last first */
    uint32_t pv[SEARCH_PLIES_MAX + 1];                         /* the best play from here */
    int pv_length;                                             /* moves in `pv` */
};

/* See search.h. */
struct search {
    const struct game *game;     /* the game that is searched */
    const void *setup;           /* its tables and options */
    const struct limits *limits; /* of this run */
    int64_t start_ns;            /* when this run began */
    int64_t end_ns;              /* when it ended */
    uint64_t nodes;              /* positions looked at in this run */
    unsigned me;                 /* the seat to move at the root */
    bool stopped;                /* a limit is reached: every value on the way up is void */
    bool best_reply;             /* three or more play: the others answer with one move of whoever hurts most */
    struct table table;          /* positions met in this run */
    int16_t history[TREE_HISTORY];             /* how often a move cut off, by its code */
    struct level levels[SEARCH_PLIES_MAX + 2]; /* by ply from the root */
};

/* The head of the position at `ply`. */
static inline struct head *tree_head(struct search *search, int ply)
{
    return (struct head *)search->levels[ply].position;
}

/* Nanoseconds of a clock that never steps back. */
int64_t tree_now_ns(void);

/* Counts a node and notes when a limit is reached. */
void tree_count_node(struct search *search);

/* A random number within -`most` and `most`. */
int tree_random_within(uint64_t *state, int most);

/* The score of a value; see `struct line`. */
int tree_score(const struct search *search, int value);

/* The margin of a value; likewise. */
int tree_margin(const struct search *search, int value);

/* What a root move's value is changed by, in hundredths. Chance, by `state`, for players who are to vary; and in a game
 * that has gone on for long, the more the longer, a share of what the move gains at once: two careful players who only
 * wait for each other would move to and fro for ever. */
int tree_bonus(struct search *search, struct move move, uint64_t *state);

/* Brings the move of the greatest order among those from `n` on to place `n`, with its order, and answers it. */
struct move tree_pick(struct level *level, int n, int count);

/* Plays a move of the position at `ply` into the next level. */
void tree_play(struct search *search, int ply, uint32_t code);

/* The value of the position at `ply` for its side to move: exact within `alpha` and `beta`, else a bound. */
int tree_value(struct search *search, int ply, int depth, int alpha, int beta);

#endif
