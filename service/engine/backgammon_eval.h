/* What a backgammon position is worth: exact where only bearing off is left, else by a net. */
#ifndef BACKGAMMON_EVAL_H
#define BACKGAMMON_EVAL_H

#include "backgammon_bearoff.h"
#include "backgammon_net.h"

enum { BACKGAMMON_POINT = 1000000 }; /* the evaluation of one point */

/* What all setups share. */
struct backgammon_tables {
    struct bearoff bearoff; /* throws needed in the home board */
    struct net contact;     /* for positions in which checkers may still hit */
    struct net race;        /* for those in which they may not */
};

/* Kept weights; see service/engine/train/backgammon.c. */
enum { CONTACT_HIDDEN = 40, RACE_HIDDEN = 8 };
extern const int16_t backgammon_contact_weights[(NET_INPUTS + NET_OUTPUTS) * CONTACT_HIDDEN + NET_OUTPUTS];
extern const int16_t backgammon_race_weights[(NET_INPUTS + NET_OUTPUTS) * RACE_HIDDEN + NET_OUTPUTS];

/* See `make_tables` in engine.h. */
void backgammon_tables_make(void *tables);

/* Fills the chances of a position's ends for the side that is to throw. */
void backgammon_chances(const struct backgammon_tables *tables, const struct backgammon_position *position,
                        float chances[NET_OUTPUTS]);

/* The net for a position, or NULL where the table knows it. */
const struct net *backgammon_net(const struct backgammon_tables *tables, const struct backgammon_position *position);

/* See `evaluate` in engine.h. */
int backgammon_evaluate(const void *setup, const void *position, unsigned seat);

/* See `points` in engine.h. */
int backgammon_points(int evaluation, int seats);

#endif
