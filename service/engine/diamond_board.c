/* The Diamond Game's tables, options, and what a move does to a position. */
#include "diamond_board.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diamond_eval.h"
#include "diamond_net.h"
#include "hot.h"
#include "random.h"

enum { DRAW_PLIES_LEAST = 50, DRAW_PLIES_MOST = 2000 };

const uint8_t diamond_row_length[DIAMOND_ROWS] = {1, 2, 3, 4, 13, 12, 11, 10, 9, 10, 11, 12, 13, 4, 3, 2, 1};

/* A point's coordinates along the three axes, 0 in the middle of the board; they add up to 0. Points of one line
 * along axis `n` share coordinate `n`. Red starts where the first is -4 or less and goes to where it is 4 or more;
 * yellow does so in the second, green in the third. */
struct spot {
    int8_t at[DIAMOND_AXES]; /* -8 to 8 each */
};

/* Writes the coordinates of every point. */
static void fill_spots(struct spot spots[DIAMOND_POINTS])
{
    int id = 0;
    for (int row = 0; row < DIAMOND_ROWS; row++)
        for (int number = 0; number < diamond_row_length[row]; number++, id++) {
            int x = 2 * number - (diamond_row_length[row] - 1), y = row - DIAMOND_ROWS / 2;
            spots[id] = (struct spot){{(int8_t)y, (int8_t)((x - y) / 2), (int8_t)((-x - y) / 2)}};
        }
}

/* Whether a point is in the camp that lies at the low (`side` -1) or high (1) end of `axis`. */
static bool in_camp(const struct spot *spot, int axis, int side)
{
    int across = side * spot->at[axis];
    int left = side * spot->at[(axis + 1) % 3], right = side * spot->at[(axis + 2) % 3];
    return across >= 4 && left >= -4 && right >= -4;
}

/* Gives every point its lane and bit: the lane is told by the parities of two coordinates, and the bit counts along
 * the first in steps of 7, along the second in steps of 1. */
static void fill_lanes(struct diamond *setup, const struct spot spots[])
{
    enum { MIDDLE = 30 }; /* bit of the board's centre: every number stays within 1 and 62 */
    for (int id = 0; id < DIAMOND_POINTS; id++) {
        int first = spots[id].at[0], second = spots[id].at[1];
        int lane = (first & 1) | (second & 1) << 1;
        int bit = MIDDLE + diamond_jump[1] * (first - (first & 1)) / 2 + (second - (second & 1)) / 2;
        setup->place[id].bit[lane] = (uint64_t)1 << bit;
        setup->place[id].lane = (uint8_t)lane;
        setup->point[lane][bit] = (uint8_t)id;
    }
}

/* Gives every point its place in the three lines through it. */
static void fill_lines(struct diamond *setup, const struct spot spots[])
{
    for (int axis = 0; axis < DIAMOND_AXES; axis++) {
        uint8_t length[DIAMOND_ROWS] = {0};
        for (int id = 0; id < DIAMOND_POINTS; id++) {
            int line = spots[id].at[axis] + DIAMOND_ROWS / 2, at = length[line]++, back = DIAMOND_LINE_BACK - at;
            struct diamond_place *place = &setup->place[id];
            place->line[axis] = (uint8_t)line;
            place->in_line[axis] = 1u << at | 1u << back;
            place->next_in_line[axis] = 2u << at | 2u << back;
            setup->line_point[axis][line][at] = setup->line_point[axis][line][back] = (uint8_t)id;
        }
    }
}

/* Notes for one axis which points are next to each other, and the jumps over each. */
static void fill_links(struct diamond *setup, int axis)
{
    for (int line = 0; line < DIAMOND_ROWS; line++)
        for (int at = 0; at + 1 < diamond_row_length[line]; at++) {
            const uint8_t *point = setup->line_point[axis][line] + at;
            struct diamond_place *place = &setup->place[point[0]], *next = &setup->place[point[1]];
            setup->near[point[0]] |= mask_of(point[1]);
            setup->near[point[1]] |= mask_of(point[0]);
            lanes_toggle(setup->neighboured[axis], place->bit);
            if (at + 2 < diamond_row_length[line])
                memcpy(next->over[axis], place->bit, sizeof place->bit);
        }
}

/* A point's place in the rows that a seat sees: the row, and how far from its middle. */
static void fill_row(struct diamond *setup, const struct spot *spot, int seat, int id)
{
    setup->row[seat][id] = (uint8_t)(spot->at[seat] + DIAMOND_ROWS / 2);
    setup->aside[seat][id] = (uint8_t)abs(spot->at[(seat + 1) % 3] - spot->at[(seat + 2) % 3]);
}

/* Where a point lies as a seat sees it. With three players the board is turned to the seat's side. With two, red has
 * the other player on the left and yellow on the right: turned, and seen in a mirror, everything lies as red has it. */
static void fill_perspective(struct diamond *setup, const struct spot spots[])
{
    uint8_t row_start[DIAMOND_ROWS] = {0};
    for (int row = 1; row < DIAMOND_ROWS; row++)
        row_start[row] = (uint8_t)(row_start[row - 1] + diamond_row_length[row - 1]);
    for (int players = 2; players <= DIAMOND_SEATS; players++)
        for (int seat = 0; seat < players; seat++)
            for (int id = 0; id < DIAMOND_POINTS; id++) {
                int ahead = spots[id].at[seat], aside = spots[id].at[(seat + 1) % players];
                int row = ahead + DIAMOND_ROWS / 2, number = (2 * aside + ahead + diamond_row_length[row] - 1) / 2;
                setup->perspective[players - 2][seat][id] = (uint8_t)(row_start[row] + number);
            }
}

/* The start and target camps, their tips, and the rows. */
static void fill_camps(struct diamond *setup, const struct spot spots[])
{
    for (int id = 0; id < DIAMOND_POINTS; id++)
        for (int seat = 0; seat < DIAMOND_SEATS; seat++) {
            int depth = spots[id].at[seat];
            setup->camp[seat] |= in_camp(&spots[id], seat, -1) ? mask_of((unsigned)id) : 0;
            setup->target[seat] |= in_camp(&spots[id], seat, 1) ? mask_of((unsigned)id) : 0;
            setup->border |= abs(depth) == 4 && in_camp(&spots[id], seat, depth / 4) ? mask_of((unsigned)id) : 0;
            if (abs(depth) == 8)
                *(depth < 0 ? &setup->tip[seat] : &setup->apex[seat]) = (uint8_t)id;
            fill_row(setup, &spots[id], seat, id);
        }
}

/* Where each seat may land, and where it may end its move under the options. */
static void fill_open(struct diamond *setup)
{
    mask board = mask_of(DIAMOND_POINTS) - 1, camps = 0;
    memset(setup->open_lanes, 0, sizeof setup->open_lanes);
    for (int seat = 0; seat < DIAMOND_SEATS; seat++)
        camps |= setup->camp[seat] | setup->target[seat];
    for (int seat = 0; seat < DIAMOND_SEATS; seat++) {
        mask own = setup->camp[seat] | setup->target[seat];
        mask open = setup->open[seat] = board & ~(camps & ~setup->border & ~own);
        setup->stop[seat] = setup->border_stop ? open : open & ~(setup->border & ~own);
        while (open) {
            const struct diamond_place *place = &setup->place[mask_take(&open)];
            lanes_toggle(setup->open_lanes[seat], place->bit);
            for (int axis = 0; axis < DIAMOND_AXES; axis++)
                setup->open_line[seat][axis][place->line[axis]] |= place->in_line[axis];
        }
    }
}

/* The numbers that a position's hash is made of. */
static void fill_keys(struct diamond *setup)
{
    uint64_t state = 20;
    for (int seat = 0; seat < DIAMOND_SEATS; seat++) {
        for (int id = 0; id < DIAMOND_POINTS; id++) {
            setup->man_key[seat][id] = random_key(&state);
            setup->king_key[seat][id] = random_key(&state);
        }
        setup->turn_key[seat] = random_key(&state);
        setup->pass_key[seat + 1] = random_key(&state);
    }
}

void diamond_setup(void *memory)
{
    struct diamond *setup = memory;
    struct spot spots[DIAMOND_POINTS];
    memset(setup, 0, sizeof *setup);
    setup->king_min_run = 1;
    setup->draw_plies_per_seat = 400;
    setup->border_stop = setup->leave_target = true;
    fill_spots(spots);
    fill_lanes(setup, spots);
    fill_lines(setup, spots);
    for (int axis = 0; axis < DIAMOND_AXES; axis++)
        fill_links(setup, axis);
    fill_camps(setup, spots);
    fill_perspective(setup, spots);
    fill_open(setup);
    fill_keys(setup);
    diamond_eval_fill(setup);
}

/* Reads one of two words: answers 0 or 1, or -1 for anything else. */
static int either(const char *value, const char *no, const char *yes)
{
    return strcmp(value, yes) == 0 ? 1 : strcmp(value, no) == 0 ? 0 : -1;
}

/* Reads a whole number within a range; -1 for anything else. */
static int number(const char *value, int least, int most)
{
    size_t digits = strspn(value, "0123456789");
    if (digits == 0 || digits > 6 || value[digits] != '\0')
        return -1;
    int read = atoi(value);
    return read >= least && read <= most ? read : -1;
}

/* The names and values are those of docs/games/diamond.md. */
bool diamond_option(void *memory, const char *name, const char *value, char *error)
{
    struct diamond *setup = memory;
    int read;
    if (strcmp(name, "king_min_run") == 0 && (read = number(value, 1, 2)) >= 0)
        setup->king_min_run = read;
    else if (strcmp(name, "border_stop") == 0 && (read = either(value, "false", "true")) >= 0)
        setup->border_stop = read;
    else if (strcmp(name, "first_seat") == 0 && (read = either(value, "red", "green")) >= 0)
        setup->first_seat = read ? 2 : 0;
    else if (strcmp(name, "places") == 0 && (read = either(value, "first", "all")) >= 0)
        setup->places_all = read;
    else if (strcmp(name, "leave_target") == 0 && (read = either(value, "false", "true")) >= 0)
        setup->leave_target = read;
    else if (strcmp(name, "draw_plies_per_seat") == 0 &&
             (read = number(value, DRAW_PLIES_LEAST, DRAW_PLIES_MOST)) >= 0)
        setup->draw_plies_per_seat = read;
    else {
        snprintf(error, ENGINE_ERROR_MAX, "no such option or value: %.60s %.60s", name, value);
        return false;
    }
    fill_open(setup);
    return true;
}

/* Puts a man on a point that it is not on, or takes it away. */
static inline void toggle_man(const struct diamond *setup, struct diamond_position *position, unsigned seat,
                              unsigned id)
{
    const struct diamond_place *place = &setup->place[id];
    lanes_toggle(position->own[seat], place->bit);
    for (int axis = 0; axis < DIAMOND_AXES; axis++) {
        lanes_toggle(position->over[axis], place->over[axis]);
        position->line[axis][place->line[axis]] ^= place->in_line[axis];
    }
    position->head.key ^= setup->man_key[seat][id];
}

bool diamond_reached(const struct diamond *setup, const struct diamond_position *position, unsigned seat)
{
    mask target = setup->target[seat];
    return position->king[seat] == setup->apex[seat] && (diamond_occupied(position) & target) == target;
}

/* Whether the game has ended in the position. */
static bool is_over(const struct diamond *setup, const struct diamond_position *position)
{
    unsigned playing = (unsigned)__builtin_popcount(position->head.in_play);
    unsigned finishers_needed = setup->places_all ? position->players - 1u : 1u;
    return position->finishers >= finishers_needed || position->passes >= playing ||
           position->head.ply >= setup->draw_plies_per_seat * position->players;
}

void diamond_settle(const struct diamond *setup, struct diamond_position *position)
{
    struct head *head = &position->head;
    head->in_play = (uint8_t)((1 << position->players) - 1);
    for (int n = 0; n < position->finishers; n++)
        head->in_play &= (uint8_t)~(1 << position->finished[n]);
    head->winner = -1;
    head->key = setup->turn_key[head->turn] ^ setup->pass_key[position->passes];
    memset(position->own, 0, sizeof position->own);
    memset(position->over, 0, sizeof position->over);
    memset(position->line, 0, sizeof position->line);
    for (unsigned seat = 0; seat < position->players; seat++) {
        position->worth[seat] = setup->king_worth[seat][position->king[seat]];
        head->key ^= setup->king_key[seat][position->king[seat]];
        for (mask men = position->men[seat]; men;) {
            unsigned id = mask_take(&men);
            position->worth[seat] += setup->man_worth[seat][id];
            toggle_man(setup, position, seat, id);
        }
    }
    diamond_net_settle(setup, position);
    head->over = is_over(setup, position);
}

/* Every man and king on its start camp; refused for other than 2 or 3 players. */
bool diamond_start(const void *memory, int players, void *out, char *error)
{
    const struct diamond *setup = memory;
    struct diamond_position *position = out;
    if (players < 2 || players > DIAMOND_SEATS) {
        snprintf(error, ENGINE_ERROR_MAX, "diamond is for 2 or 3 players");
        return false;
    }
    memset(position, 0, sizeof *position);
    position->players = (uint8_t)players;
    position->head.turn = (uint8_t)(players == DIAMOND_SEATS ? setup->first_seat : 0);
    for (unsigned seat = 0; seat < (unsigned)players; seat++) {
        position->king[seat] = setup->tip[seat];
        position->men[seat] = setup->camp[seat] & ~mask_of(setup->tip[seat]);
    }
    diamond_settle(setup, position);
    return true;
}

void diamond_hand_to(const void *memory, void *out, unsigned seat)
{
    const struct diamond *setup = memory;
    struct head *head = out;
    head->key ^= setup->turn_key[head->turn] ^ setup->turn_key[seat];
    head->turn = (uint8_t)seat;
}

/* The next seat in turn order that still plays; `seat` itself when no other does. */
static unsigned next_in_play(const struct diamond_position *position, unsigned seat)
{
    unsigned next = seat;
    do
        next = next + 1 < position->players ? next + 1 : 0;
    while (next != seat && !(position->head.in_play >> next & 1));
    return next;
}

uint64_t diamond_key_after(const void *memory, const void *board, uint32_t code)
{
    const struct diamond *setup = memory;
    const struct diamond_position *position = board;
    unsigned seat = move_seat(code), from = move_from(code), to = move_to(code), next = next_in_play(position, seat);
    if (move_is_pass(code))
        return position->head.key;
    const uint64_t *keys = position->king[seat] == from ? setup->king_key[seat] : setup->man_key[seat];
    return position->head.key ^ keys[from] ^ keys[to] ^ setup->turn_key[seat] ^ setup->turn_key[next] ^
           setup->pass_key[position->passes] ^ setup->pass_key[0];
}

/* Brings the sums of the net's units up to date after a move. */
static inline void move_accumulators(const struct diamond *setup, struct diamond_position *position, unsigned seat,
                                     bool king, unsigned from, unsigned to)
{
    unsigned players = position->players;
    for (unsigned viewer = 0; viewer < players; viewer++) {
        const int16_t *more = diamond_net_row(setup, players, viewer, seat, king, to);
        const int16_t *less = diamond_net_row(setup, players, viewer, seat, king, from);
        for (int n = 0; n < DIAMOND_HIDDEN; n++)
            position->accumulator[viewer][n] = (int16_t)(position->accumulator[viewer][n] + more[n] - less[n]);
    }
}

/* Moves a seat's man or king. */
static inline void move_piece(const struct diamond *setup, struct diamond_position *position, unsigned seat,
                              unsigned from, unsigned to)
{
    bool king = position->king[seat] == from;
    move_accumulators(setup, position, seat, king, from, to);
    if (king) {
        position->king[seat] = (uint8_t)to;
        position->head.key ^= setup->king_key[seat][from] ^ setup->king_key[seat][to];
        position->worth[seat] += setup->king_worth[seat][to] - setup->king_worth[seat][from];
    } else {
        position->men[seat] ^= mask_of(from) | mask_of(to);
        toggle_man(setup, position, seat, from);
        toggle_man(setup, position, seat, to);
        position->worth[seat] += setup->man_worth[seat][to] - setup->man_worth[seat][from];
    }
}

/* A seat that reaches its goal leaves play, and is the winner until the next ply. */
HOT void diamond_play(const void *memory, void *out, uint32_t code)
{
    const struct diamond *setup = memory;
    struct diamond_position *position = out;
    unsigned seat = move_seat(code);
    uint8_t passes = 0;
    if (move_is_pass(code))
        passes = (uint8_t)(position->passes + 1);
    else
        move_piece(setup, position, seat, move_from(code), move_to(code));
    position->head.key ^= setup->pass_key[position->passes] ^ setup->pass_key[passes];
    position->passes = passes;
    position->head.ply++;
    position->head.winner = -1;
    if (!passes && diamond_reached(setup, position, seat)) {
        position->finished[position->finishers++] = (uint8_t)seat;
        position->head.in_play &= (uint8_t)~(1 << seat);
        position->head.winner = (int8_t)seat;
    }
    diamond_hand_to(setup, position, next_in_play(position, seat));
    position->head.over = is_over(setup, position);
}
