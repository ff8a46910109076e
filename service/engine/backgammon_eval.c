#include "backgammon_eval.h"

void backgammon_tables_make(void *memory)
{
    struct backgammon_tables *tables = memory;
    bearoff_make(&tables->bearoff);
    net_load(&tables->contact, backgammon_contact_weights, CONTACT_HIDDEN);
    net_load(&tables->race, backgammon_race_weights, RACE_HIDDEN);
}

/* The highest place on which a side has checkers; 0 when all are off. */
static int rear_of(const uint8_t *checkers)
{
    int place = BACKGAMMON_BAR;
    while (place > 0 && !checkers[place])
        place--;
    return place;
}

const struct net *backgammon_net(const struct backgammon_tables *tables, const struct backgammon_position *position)
{
    int white = rear_of(position->board[0]), black = rear_of(position->board[1]);
    if (white <= BACKGAMMON_HOME && black <= BACKGAMMON_HOME)
        return NULL;
    return white + black > 25 ? &tables->contact : &tables->race;
}

/* The chances where both sides have but to bear off. The side to throw wins when it needs no more throws than the
 * other. A gammon needs a loser with all checkers on the board: it has had no throw, or one that took
 * none off, of which the table knows nothing; that is left out. */
static void bearoff_chances(const struct bearoff *bearoff, const struct backgammon_position *position,
                            float chances[NET_OUTPUTS])
{
    const uint8_t *mine = position->board[position->head.turn], *theirs = position->board[!position->head.turn];
    const float *my_throws = bearoff->exactly[bearoff_number(bearoff, mine)];
    const float *their_throws = bearoff->exactly[bearoff_number(bearoff, theirs)];
    float win = 0, later = 1;
    for (int n = 1; n < BEAROFF_THROWS; n++) {
        later -= their_throws[n - 1];
        win += my_throws[n] * later;
    }
    for (int output = 0; output < NET_OUTPUTS; output++)
        chances[output] = 0;
    chances[NET_WIN] = win;
    if (theirs[BACKGAMMON_OFF] == 0)
        chances[NET_WIN_GAMMON] = my_throws[1];
}

/* Makes a chance no greater than the one that it is a part of. */
static void bound(float *chance, float whole)
{
    *chance = *chance > whole ? whole : *chance;
}

/* Takes out what cannot be. */
static void make_possible(const struct backgammon_position *position, float chances[NET_OUTPUTS])
{
    unsigned seat = position->head.turn;
    bool win_gammon = position->board[!seat][BACKGAMMON_OFF] == 0;
    bool lose_gammon = position->board[seat][BACKGAMMON_OFF] == 0;
    bound(&chances[NET_WIN_GAMMON], win_gammon ? chances[NET_WIN] : 0);
    bound(&chances[NET_WIN_BACKGAMMON], chances[NET_WIN_GAMMON]);
    bound(&chances[NET_LOSE_GAMMON], lose_gammon ? 1 - chances[NET_WIN] : 0);
    bound(&chances[NET_LOSE_BACKGAMMON], chances[NET_LOSE_GAMMON]);
}

void backgammon_chances(const struct backgammon_tables *tables, const struct backgammon_position *position,
                        float chances[NET_OUTPUTS])
{
    const struct net *net = backgammon_net(tables, position);
    if (!net) {
        bearoff_chances(&tables->bearoff, position, chances);
        return;
    }
    struct net_run run;
    net_look(net, position, &run);
    for (int output = 0; output < NET_OUTPUTS; output++)
        chances[output] = run.output[output];
    make_possible(position, chances);
}

int backgammon_evaluate(const void *memory, const void *place, unsigned seat)
{
    const struct backgammon *setup = memory;
    const struct backgammon_position *position = place;
    float chances[NET_OUTPUTS];
    if (position->head.over)
        return backgammon_won(position) * ((unsigned)position->head.winner == seat ? 1 : -1) * BACKGAMMON_POINT;
    backgammon_chances(setup->tables, position, chances);
    float points = 2 * chances[NET_WIN] - 1 + chances[NET_WIN_GAMMON] + chances[NET_WIN_BACKGAMMON] -
                   chances[NET_LOSE_GAMMON] - chances[NET_LOSE_BACKGAMMON];
    int value = (int)(points * BACKGAMMON_POINT);
    return position->head.turn == seat ? value : -value;
}

int backgammon_points(int evaluation, int seats)
{
    (void)seats;
    return evaluation / (BACKGAMMON_POINT / 1000);
}
