/* The Diamond Game as the engine sees it. */
#include "diamond_best.h"
#include "diamond_board.h"
#include "diamond_eval.h"
#include "diamond_moves.h"
#include "diamond_race.h"
#include "diamond_text.h"

_Static_assert(sizeof(struct diamond_position) <= ENGINE_POSITION_SIZE, "every place for a position holds one");
_Static_assert(offsetof(struct diamond_position, head) == 0, "a position begins with its head");

static const struct quick quick = {
    .generate_above = diamond_generate_above,
    .gain_of = diamond_gain_of,
    .best_gain = diamond_best_gain,
    .after_best = diamond_after_best,
    .evaluate_after = diamond_evaluate_after,
    .key_after = diamond_key_after,
};

static const struct race race = {.is_race = diamond_is_race, .solve = diamond_race_solve, .margin = diamond_margin};

const struct game diamond_game = {
    .key = "diamond",
    .setup_size = sizeof(struct diamond),
    .position_size = sizeof(struct diamond_position),
    .setup = diamond_setup,
    .option = diamond_option,
    .start = diamond_start,
    .read = diamond_read,
    .write = diamond_write,
    .generate = diamond_generate,
    .count = diamond_count,
    .play = diamond_play,
    .hand_to = diamond_hand_to,
    .evaluate = diamond_evaluate,
    .points = diamond_points,
    .move_write = diamond_move_write,
    .quick = &quick,
    .race = &race,
};
