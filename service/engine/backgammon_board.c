#include "backgammon_board.h"

#include <stdio.h>
#include <string.h>

#include "backgammon_eval.h"
#include "backgammon_moves.h"
#include "backgammon_text.h"
#include "random.h"

/* See `setup` in engine.h. */
static void setup_backgammon(void *memory)
{
    struct backgammon *setup = memory;
    uint64_t state = 24;
    setup->tables = NULL;
    for (int seat = 0; seat < BACKGAMMON_SEATS; seat++)
        for (int place = 0; place < BACKGAMMON_PLACES; place++)
            setup->checker_key[seat][place] = random_key(&state);
    for (int first = 0; first < 7; first++)
        for (int second = 0; second < 7; second++)
            setup->throw_key[first][second] = random_key(&state);
    setup->turn_key = random_key(&state);
}

/* See `attach` in engine.h. */
static void attach(void *memory, const void *tables)
{
    ((struct backgammon *)memory)->tables = tables;
}

/* See `option` in engine.h: how throws are made is the affair of rooms. */
static bool option(void *setup, const char *name, const char *value, char *error)
{
    (void)setup;
    if (strcmp(name, "auto_roll") != 0 && strcmp(name, "verifiable") != 0)
        snprintf(error, ENGINE_ERROR_MAX, "there is no option '%.60s'", name);
    else if (strcmp(value, "true") != 0 && strcmp(value, "false") != 0)
        snprintf(error, ENGINE_ERROR_MAX, "%s must be one of: false, true", name);
    else
        return true;
    return false;
}

/* The hash of the dice, or of the throw that is to come. */
static uint64_t throw_key(const struct backgammon *setup, const struct backgammon_position *position)
{
    return setup->throw_key[position->dice[0]][position->opening ? 1 : position->dice[1]];
}

/* The key of a position, from nothing. */
static uint64_t key_of(const struct backgammon *setup, const struct backgammon_position *position)
{
    uint64_t key = throw_key(setup, position);
    for (int seat = 0; seat < BACKGAMMON_SEATS; seat++)
        for (int place = 0; place < BACKGAMMON_PLACES; place++)
            key += position->board[seat][place] * setup->checker_key[seat][place];
    return position->head.turn ? key + setup->turn_key : key;
}

/* Notes the end where a side has borne off everything. */
static void settle_end(struct backgammon_position *position)
{
    position->head.winner = -1;
    for (int seat = 0; seat < BACKGAMMON_SEATS; seat++)
        if (position->board[seat][BACKGAMMON_OFF] == BACKGAMMON_CHECKERS)
            position->head.winner = (int8_t)seat;
    position->head.over = position->head.winner >= 0;
}

void backgammon_settle(const struct backgammon *setup, struct backgammon_position *position)
{
    position->head.in_play = 3;
    position->head.key = key_of(setup, position);
    settle_end(position);
}

/* See `start` in engine.h: white is named as the side to move until the opening throw says who begins. */
static bool start(const void *setup, int players, void *out, char *error)
{
    struct backgammon_position *position = out;
    if (players != BACKGAMMON_SEATS) {
        snprintf(error, ENGINE_ERROR_MAX, "backgammon is for 2 players");
        return false;
    }
    memset(position, 0, sizeof *position);
    for (int seat = 0; seat < BACKGAMMON_SEATS; seat++) {
        position->board[seat][24] = 2;
        position->board[seat][13] = 5;
        position->board[seat][8] = 3;
        position->board[seat][6] = 5;
    }
    position->opening = true;
    backgammon_settle(setup, position);
    return true;
}

int backgammon_parts(uint32_t code, struct backgammon_part parts[BACKGAMMON_PARTS])
{
    unsigned dice[] = {code >> 20 & 7, code >> 23 & 7};
    int count = 0, most = dice[0] == dice[1] ? BACKGAMMON_PARTS : 2;
    while (count < most && (code >> 5 * count & 31)) {
        unsigned from = code >> 5 * count & 31, die = dice[count % 2];
        unsigned to = from > die ? from - die : BACKGAMMON_OFF;
        parts[count] = (struct backgammon_part){(uint8_t)from, (uint8_t)to, code >> (26 + count) & 1};
        count++;
    }
    return count;
}

/* Moves one checker, and the one that it hits. */
static void move_checker(const struct backgammon *setup, struct backgammon_position *position, unsigned seat,
                         const struct backgammon_part *part)
{
    const uint64_t *mine = setup->checker_key[seat], *theirs = setup->checker_key[!seat];
    position->board[seat][part->from]--;
    position->board[seat][part->to]++;
    position->head.key += mine[part->to] - mine[part->from];
    if (!part->hits)
        return;
    unsigned point = 25u - part->to;
    position->board[!seat][point]--;
    position->board[!seat][BACKGAMMON_BAR]++;
    position->head.key += theirs[BACKGAMMON_BAR] - theirs[point];
}

/* Puts dice up, or takes them away. */
static void set_dice(const struct backgammon *setup, struct backgammon_position *position, unsigned high, unsigned low)
{
    position->head.key -= throw_key(setup, position);
    position->opening = false;
    position->dice[0] = (uint8_t)high;
    position->dice[1] = (uint8_t)low;
    position->head.key += throw_key(setup, position);
}

/* See `hand_to` in engine.h. */
static void hand_to(const void *memory, void *out, unsigned seat)
{
    const struct backgammon *setup = memory;
    struct backgammon_position *position = out;
    position->head.key -= position->head.turn ? setup->turn_key : 0;
    position->head.key += seat ? setup->turn_key : 0;
    position->head.turn = (uint8_t)seat;
}

/* See `play` in engine.h. Afterwards the other side is to throw. */
static void play(const void *memory, void *out, uint32_t code)
{
    const struct backgammon *setup = memory;
    struct backgammon_position *position = out;
    unsigned seat = move_seat(code);
    struct backgammon_part parts[BACKGAMMON_PARTS];
    int count = move_is_pass(code) ? 0 : backgammon_parts(code, parts);
    for (int n = 0; n < count; n++)
        move_checker(setup, position, seat, &parts[n]);
    position->head.ply++;
    set_dice(setup, position, 0, 0);
    hand_to(setup, position, !seat);
    if (position->board[seat][BACKGAMMON_OFF] == BACKGAMMON_CHECKERS)
        settle_end(position);
}

int backgammon_won(const struct backgammon_position *position)
{
    const uint8_t *loser = position->board[!position->head.winner];
    if (loser[BACKGAMMON_OFF])
        return 1;
    for (int place = BACKGAMMON_POINTS - BACKGAMMON_HOME + 1; place <= BACKGAMMON_BAR; place++)
        if (loser[place])
            return 3;
    return 2;
}

/* See `struct chance` in engine.h. */
static bool waits(const void *memory)
{
    const struct backgammon_position *position = memory;
    return position->dice[0] == 0 && !position->head.over;
}

/* See `struct chance` in engine.h: a throw of two dice has its higher first; at the opening each side's own die counts,
 * white's first, and equal ones are thrown again. */
static int weight(const void *memory, int result)
{
    const struct backgammon_position *position = memory;
    int first = result / 6, second = result % 6;
    if (position->opening)
        return first != second;
    return first > second ? 2 : first == second;
}

/* See `struct chance` in engine.h. */
static void bring(const void *setup, void *memory, int result)
{
    struct backgammon_position *position = memory;
    unsigned first = (unsigned)result / 6 + 1, second = (unsigned)result % 6 + 1;
    if (position->opening)
        hand_to(setup, position, second > first);
    set_dice(setup, position, first > second ? first : second, first > second ? second : first);
}

static const struct chance chance = {
    .results = BACKGAMMON_THROWS,
    .waits = waits,
    .weight = weight,
    .bring = bring,
    .read = backgammon_throw_read,
};

_Static_assert(sizeof(struct backgammon_position) <= ENGINE_POSITION_SIZE, "every place for a position holds one");
_Static_assert(offsetof(struct backgammon_position, head) == 0, "a position begins with its head");

const struct game backgammon_game = {
    .key = "backgammon",
    .setup_size = sizeof(struct backgammon),
    .position_size = sizeof(struct backgammon_position),
    .tables_size = sizeof(struct backgammon_tables),
    .make_tables = backgammon_tables_make,
    .attach = attach,
    .setup = setup_backgammon,
    .option = option,
    .start = start,
    .read = backgammon_read,
    .write = backgammon_write,
    .generate = backgammon_generate,
    .count = backgammon_count,
    .play = play,
    .hand_to = hand_to,
    .evaluate = backgammon_evaluate,
    .points = backgammon_points,
    .move_write = backgammon_move_write,
    .chance = &chance,
};
