/* Checkers: the hash's keys, and what a move does to a position. */
#include "checkers_board.h"

#include <stdio.h>
#include <string.h>

#include "checkers_eval.h"
#include "checkers_moves.h"
#include "checkers_text.h"
#include "random.h"

/* See `setup` in engine.h. */
static void setup_checkers(void *memory)
{
    struct checkers *setup = memory;
    uint64_t state = 0;
    setup->turn_key = random_key(&state);
    for (unsigned seat = 0; seat < CHECKERS_SEATS; seat++)
        for (unsigned bit = 0; bit < CHECKERS_BITS; bit++) {
            setup->piece_key[seat][0][bit] = random_key(&state);
            setup->piece_key[seat][1][bit] = random_key(&state);
        }
}

/* See `option` in engine.h: there are none. */
static bool option(void *setup, const char *name, const char *value, char *error)
{
    (void)setup;
    snprintf(error, ENGINE_ERROR_MAX, "no such option or value: %.60s %.60s", name, value);
    return false;
}

/* How often the position has appeared before. All that can have appeared are the ones between the remembered moves:
 * they are undone one by one, and the position is the same where no piece of either side is away from its square. */
__attribute__((noinline)) static unsigned count_repeats(const struct checkers_position *position)
{
    uint64_t away[CHECKERS_SEATS] = {0, 0};
    unsigned count = 0;
    for (unsigned back = 1; back <= position->quiet; back++) {
        const uint8_t *way = position->way[position->quiet - back];
        away[back & 1] ^= square_mask(way[0]) ^ square_mask(way[1]);
        count += (back & 1) == 0 && !away[0] && !away[1];
    }
    return count;
}

/* Whether a seat has a step forward: quickly told, and nearly always so. */
static inline bool can_step_ahead(const struct checkers_position *position, unsigned seat)
{
    uint64_t mine = position->pieces[seat];
    uint64_t ahead = seat == 0 ? mine << 4 | mine << 5 : mine >> 4 | mine >> 5;
    return (ahead & CHECKERS_BOARD & ~(mine | position->pieces[1 - seat])) != 0;
}

/* Sets whether the game has ended: who cannot move has lost, and a win comes before a draw. */
static inline void settle_end(struct checkers_position *position)
{
    struct head *head = &position->head;
    bool lost = !can_step_ahead(position, head->turn) && !checkers_can_move(position, head->turn);
    unsigned repeats = position->quiet < 4 ? 0 : count_repeats(position);
    head->winner = lost ? (int8_t)(1 - head->turn) : -1;
    head->repeated = repeats > 0;
    head->over = lost || repeats >= CHECKERS_REPEATS || position->quiet >= CHECKERS_QUIET_MOST;
}

void checkers_settle(const struct checkers *setup, struct checkers_position *position)
{
    struct head *head = &position->head;
    head->in_play = 3;
    head->key = head->turn ? setup->turn_key : 0;
    for (unsigned seat = 0; seat < CHECKERS_SEATS; seat++)
        for (uint64_t set = position->pieces[seat]; set;) {
            unsigned bit = set_take(&set);
            head->key ^= setup->piece_key[seat][position->kings >> bit & 1][bit];
        }
    settle_end(position);
}

/* See `start` in engine.h: twelve men a side; refused for other than 2 players. */
static bool start(const void *setup, int players, void *out, char *error)
{
    struct checkers_position *position = out;
    if (players != CHECKERS_SEATS) {
        snprintf(error, ENGINE_ERROR_MAX, "checkers is for 2 players");
        return false;
    }
    memset(position, 0, sizeof *position);
    for (unsigned square = 1; square <= CHECKERS_MEN; square++) {
        position->pieces[0] |= square_mask(square_bit(square));
        position->pieces[1] |= square_mask(square_bit(CHECKERS_SQUARES + 1 - square));
    }
    checkers_settle(setup, position);
    return true;
}

/* See `hand_to` in engine.h. */
static void hand_to(const void *memory, void *out, unsigned seat)
{
    const struct checkers *setup = memory;
    struct head *head = out;
    head->key ^= head->turn == seat ? 0 : setup->turn_key;
    head->turn = (uint8_t)seat;
}

/* Takes the pieces that a capture jumps off the board and answers where it ends. */
static uint64_t take_jumped(const struct checkers *setup, struct checkers_position *position, uint32_t code)
{
    unsigned enemy = 1 - move_seat(code);
    uint64_t at = square_mask(code & 0x3f), taken = 0;
    uint32_t way = code >> CHECKERS_WAY_AT;
    for (unsigned jumps = code >> CHECKERS_JUMPS_AT & 15; jumps; jumps--, way >>= 2) {
        uint64_t over = set_step(at, way & 3);
        unsigned bit = (unsigned)__builtin_ctzll(over);
        position->head.key ^= setup->piece_key[enemy][position->kings >> bit & 1][bit];
        taken |= over;
        at = set_step(over, way & 3);
    }
    position->pieces[enemy] &= ~taken;
    position->kings &= ~taken;
    return at;
}

/* Plays a move of `seat`. */
static inline void play_for(const struct checkers *setup, struct checkers_position *position, unsigned seat,
                            uint32_t code)
{
    struct head *head = &position->head;
    unsigned from = code & 0x3f;
    bool capture = code >> CHECKERS_JUMPS_AT & 15;
    uint64_t origin = square_mask(from);
    uint64_t target = capture ? take_jumped(setup, position, code) : set_step(origin, code >> CHECKERS_WAY_AT & 3);
    unsigned to = (unsigned)__builtin_ctzll(target);
    bool king = position->kings >> from & 1, becomes_king = king || target & crown_row(seat);
    position->pieces[seat] ^= origin ^ target; /* A way round may end where it began. */
    position->kings = (position->kings & ~origin) | (uint64_t)becomes_king << to;
    head->key ^= setup->piece_key[seat][king][from] ^ setup->piece_key[seat][becomes_king][to] ^ setup->turn_key;
    if (capture || !king)
        position->quiet = 0;
    else {
        position->way[position->quiet][0] = (uint8_t)from;
        position->way[position->quiet++][1] = (uint8_t)to;
    }
    head->ply++;
    head->turn = (uint8_t)(1 - seat);
    settle_end(position);
}

/* See `play` in engine.h; a pass does not occur. */
static void play(const void *setup, void *position, uint32_t code)
{
    if (move_seat(code) == 0)
        play_for(setup, position, 0, code);
    else
        play_for(setup, position, 1, code);
}

_Static_assert(sizeof(struct checkers_position) <= ENGINE_POSITION_SIZE, "every place for a position holds one");
_Static_assert(offsetof(struct checkers_position, head) == 0, "a position begins with its head");

const struct game checkers_game = {
    .key = "checkers",
    .setup_size = sizeof(struct checkers),
    .position_size = sizeof(struct checkers_position),
    .setup = setup_checkers,
    .option = option,
    .start = start,
    .read = checkers_read,
    .write = checkers_write,
    .generate = checkers_generate,
    .count = checkers_count,
    .loud = checkers_loud,
    .play = play,
    .hand_to = hand_to,
    .evaluate = checkers_evaluate,
    .points = checkers_points,
    .move_write = checkers_move_write,
};
