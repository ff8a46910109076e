#include "race.h"

enum { POLL_POSITIONS = 32 }; /* positions of a look between two looks at the clock */

/* A share of a search's limits, for a look for ways home. */
struct race_budget {
    struct search *search; /* the search that it is a part of */
    uint64_t nodes_most;   /* where the search's count of nodes ends it; 0 for no limit */
    int64_t ends_ns;       /* when it ends; 0 for no limit */
};

/* Gives a look so many quarters of the search's limits, counted from the search's beginning. */
static void set_budget(struct race_budget *budget, unsigned quarters)
{
    const struct search *search = budget->search;
    const struct limits *limits = search->limits;
    budget->nodes_most = limits->nodes * quarters / 4;
    budget->ends_ns = limits->movetime_ms ? search->start_ns + limits->movetime_ms * 250000 * quarters : 0;
}

/* Counts a position that a way home leads through, and answers whether to go on. */
static bool go_on(void *memory)
{
    const struct race_budget *budget = memory;
    struct search *search = budget->search;
    tree_count_node(search);
    if (search->stopped || (budget->nodes_most && search->nodes >= budget->nodes_most))
        return false;
    return !budget->ends_ns || search->nodes & (POLL_POSITIONS - 1) || tree_now_ns() < budget->ends_ns;
}

/* By how many moves the side to move is home before all others, if it needs `moves`; below 0 when it comes later.
 * False where that is not known: no way was found for another, who may need fewer. */
static bool race_lead(struct search *search, struct race_query *query, int moves, int *lead)
{
    const struct head *head = tree_head(search, 0);
    *lead = ENGINE_RACE_MOVES_MAX;
    for (unsigned seat = 0; seat < ENGINE_SEATS_MAX; seat++) {
        struct race_line way;
        if (seat == search->me || !(head->in_play >> seat & 1))
            continue;
        query->seat = seat;
        int others = search->game->race->solve(search->setup, head, query, &way);
        if (!others && way.least <= moves)
            return false;
        others = others ? others : way.least;
        *lead = others - moves < *lead ? others - moves : *lead;
    }
    return true;
}

/* The score of a race by the lead. */
static int race_score(int lead)
{
    if (lead >= 0)
        return lead > 0 ? RACE_AHEAD : RACE_NO_LEAD;
    return lead == -1 ? RACE_ONE_BEHIND : RACE_MORE_BEHIND;
}

/* Writes the score and the margin of a race in which the side to move needs `moves`: by the lead, or, where that is not
 * known, as the position is worth without a search. */
static void score_race(struct search *search, struct race_query *query, int moves, struct line *line)
{
    int lead;
    line->score = 1000;
    line->margin = SEARCH_NO_MARGIN;
    if (moves == 1)
        return;
    if (race_lead(search, query, moves, &lead)) {
        line->score = race_score(lead);
        line->margin = 10 * (lead + (lead >= 0)); /* the mover's last turn comes first */
        return;
    }
    int value = search->game->evaluate(search->setup, search->levels[0].position, search->me);
    line->score = tree_score(search, value);
    line->margin = tree_margin(search, value);
}

/* In a race the move is the first of the shortest way home, and the score follows from the moves that everybody needs.
 * The look for the own way may take half of the time and nodes, what others need half of the rest. False where there
 * is no race, no way was found or asked for; several lines are left to the ordinary search, which compares moves. */
bool race_run(struct search *search, struct line *line)
{
    const struct game *game = search->game;
    const struct limits *limits = search->limits;
    const void *position = search->levels[0].position;
    struct race_budget budget = {.search = search};
    struct asker asker = {go_on, &budget};
    struct race_query query = {.seat = search->me, .width = (uint32_t)limits->race_width, .asker = &asker};
    struct race_line way;
    if (!game->race || !limits->race_width || limits->lines > 1 || !game->race->is_race(search->setup, position))
        return false;
    set_budget(&budget, 2);
    int moves = game->race->solve(search->setup, position, &query, &way);
    if (!moves)
        return false;
    int playing = __builtin_popcount(tree_head(search, 0)->in_play);
    set_budget(&budget, 3);
    *line = (struct line){.move = way.play[0], .depth = (moves - 1) * playing + 1, .length = 1};
    line->pv[0] = line->move;
    score_race(search, &query, moves, line);
    return true;
}
