#include "diamond_text.h"

#include <stdio.h>
#include <string.h>

#include "text.h"

static const char men[] = "ryg", kings[] = "RYG";

/* The seat whose letter `letter` is in `letters`, or -1. */
static int seat_of(char letter, const char *letters)
{
    const char *found = letter ? strchr(letters, letter) : NULL;
    return found ? (int)(found - letters) : -1;
}

/* Puts a piece on a point of a position in the making. */
static bool put_piece(const struct diamond *setup, struct reader *reader, struct diamond_position *position,
                      bool seen_king[], int row, unsigned id)
{
    char letter = *reader->at++;
    int man = seat_of(letter, men), king = seat_of(letter, kings);
    if (man < 0 && king < 0)
        return fault(reader, "row %d: '%c' is neither a piece nor a number of empty points", row + 1,
                     letter < ' ' || letter > '~' ? '?' : letter);
    unsigned seat = (unsigned)(man < 0 ? king : man);
    if (!(setup->open[seat] & mask_of(id)))
        return fault(reader, "row %d: point %u is closed to '%c'", row + 1, id, letter);
    if (king >= 0 && seen_king[seat])
        return fault(reader, "row %d: a second king '%c'", row + 1, letter);
    if (king >= 0) {
        seen_king[seat] = true;
        position->king[seat] = (uint8_t)id;
    } else
        position->men[seat] |= mask_of(id);
    return true;
}

/* Reads a whole number without leading zeros in `least`..`most`, with a space or the end behind it. */
static bool read_number(struct reader *reader, const char *name, int least, int most, int *value)
{
    size_t digits = strspn(reader->at, "0123456789");
    bool plain = digits > 0 && digits < 6 && (digits == 1 || *reader->at != '0');
    *value = 0;
    for (size_t n = 0; plain && n < digits; n++)
        *value = *value * 10 + (reader->at[n] - '0');
    if (!plain || *value < least || *value > most)
        return fault(reader, "%s: not a whole number from %d to %d", name, least, most);
    reader->at += digits;
    return true;
}

/* Reads one row; `id` is its first point. */
static bool read_row(const struct diamond *setup, struct reader *reader, struct diamond_position *position,
                     bool seen_king[], int row, unsigned id)
{
    unsigned end = id + diamond_row_length[row];
    while (*reader->at && *reader->at != '/' && *reader->at != ' ') {
        if (*reader->at >= '1' && *reader->at <= '9') {
            int empties;
            if (!read_number(reader, "empty points", 1, diamond_row_length[row], &empties))
                return fault(reader, "row %d: has %d points", row + 1, diamond_row_length[row]);
            id += (unsigned)empties;
        } else if (id >= end || !put_piece(setup, reader, position, seen_king, row, id++))
            return id >= end ? fault(reader, "row %d: has %d points", row + 1, diamond_row_length[row]) : false;
        if (id > end)
            return fault(reader, "row %d: has %d points", row + 1, diamond_row_length[row]);
    }
    return id == end || fault(reader, "row %d: has %d points", row + 1, diamond_row_length[row]);
}

/* Reads the rows of points. */
static bool read_board(const struct diamond *setup, struct reader *reader, struct diamond_position *position,
                       bool seen_king[])
{
    unsigned id = 0;
    for (int row = 0; row < DIAMOND_ROWS; row++) {
        if (!read_row(setup, reader, position, seen_king, row, id))
            return false;
        id += diamond_row_length[row];
        if (*reader->at != (row < DIAMOND_ROWS - 1 ? '/' : ' '))
            return fault(reader, "rows: there must be %d, then a space", DIAMOND_ROWS);
        reader->at++;
    }
    return true;
}

/* Steps over one space. */
static bool read_space(struct reader *reader)
{
    return *reader->at++ == ' ' ||
           fault(reader, "after the rows: side to move, players, ply, passes, and perhaps finished seats");
}

/* Reads the seats that have finished, where there are any. */
static bool read_finished(const struct diamond *setup, struct reader *reader, struct diamond_position *position)
{
    if (*reader->at == '\0')
        return true;
    if (!read_space(reader))
        return false;
    if (!setup->places_all)
        return fault(reader, "finished seats: only with the option places: all");
    do {
        int seat = seat_of(*reader->at++, men);
        bool twice = false;
        for (int n = 0; n < position->finishers; n++)
            twice |= position->finished[n] == seat;
        if (seat < 0 || seat >= position->players || twice || position->finishers == position->players - 1)
            return fault(reader, "finished seats: must name 1 to %d seats, each once", position->players - 1);
        position->finished[position->finishers++] = (uint8_t)seat;
        if (position->head.turn == seat)
            return fault(reader, "side to move: has finished");
    } while (*reader->at);
    return true;
}

/* Reads everything behind the rows. */
static bool read_fields(const struct diamond *setup, struct reader *reader, struct diamond_position *position)
{
    int turn = seat_of(*reader->at, men), players, ply, passes;
    if (turn < 0)
        return fault(reader, "side to move: not one of r, y, g");
    reader->at++;
    if (!read_space(reader) || !read_number(reader, "players", 2, DIAMOND_SEATS, &players) || !read_space(reader) ||
        !read_number(reader, "ply", 0, players * setup->draw_plies_per_seat, &ply) || !read_space(reader) ||
        !read_number(reader, "passes", 0, players, &passes))
        return false;
    if (turn >= players)
        return fault(reader, "side to move: does not play with 2 players");
    position->players = (uint8_t)players;
    position->passes = (uint8_t)passes;
    position->head.turn = (uint8_t)turn;
    position->head.ply = (uint16_t)ply;
    if (!read_finished(setup, reader, position))
        return false;
    return passes <= players - position->finishers || fault(reader, "passes: more than seats in play");
}

/* Whether every seat in play has its 15 pieces and no other has any. */
static bool check_pieces(struct reader *reader, const struct diamond_position *position, const bool seen_king[])
{
    for (unsigned seat = 0; seat < DIAMOND_SEATS; seat++) {
        unsigned count = mask_count(position->men[seat]);
        if (seat >= position->players && count + seen_king[seat])
            return fault(reader, "rows: '%c' does not play with 2 players", men[seat]);
        if (seat < position->players && (count != DIAMOND_MEN || !seen_king[seat]))
            return fault(reader, "rows: '%c' must have %d men and 1 king, not %u and %d", men[seat], DIAMOND_MEN,
                         count, seen_king[seat]);
    }
    return true;
}

/* Whether the finished seats have finished, and of the others at most one, and only where that ends the game. */
static bool check_goals(const struct diamond *setup, struct reader *reader, struct diamond_position *position)
{
    for (int n = 0; n < position->finishers; n++) {
        unsigned seat = position->finished[n];
        mask outer = setup->target[seat] & ~setup->border;
        if (position->king[seat] != setup->apex[seat] || outer & ~diamond_pieces(position, seat))
            return fault(reader, "finished seats: '%c' has not reached its goal", men[seat]);
    }
    unsigned listed = position->finishers;
    for (unsigned seat = 0; seat < position->players; seat++) {
        bool known = false;
        for (unsigned n = 0; n < listed; n++)
            known |= position->finished[n] == seat;
        if (known || !diamond_reached(setup, position, seat))
            continue;
        if (setup->places_all || position->finishers)
            return fault(reader, "rows: '%c' has reached its goal too", men[seat]);
        position->finished[position->finishers++] = (uint8_t)seat;
    }
    return true;
}

bool diamond_read(const void *memory, const char *text, void *out, char *error)
{
    const struct diamond *setup = memory;
    struct diamond_position *position = out;
    struct reader reader = {text, error};
    bool seen_king[DIAMOND_SEATS] = {false};
    memset(position, 0, sizeof *position);
    if (!read_board(setup, &reader, position, seen_king) || !read_fields(setup, &reader, position) ||
        !check_pieces(&reader, position, seen_king) || !check_goals(setup, &reader, position))
        return false;
    diamond_settle(setup, position);
    return true;
}

/* The letter of what stands on a point, or 0. */
static char letter_at(const struct diamond_position *position, unsigned id)
{
    for (unsigned seat = 0; seat < position->players; seat++) {
        if (position->men[seat] & mask_of(id))
            return men[seat];
        if (position->king[seat] == id)
            return kings[seat];
    }
    return 0;
}

/* Writes one row and answers the place behind it. */
static char *write_row(const struct diamond_position *position, char *text, unsigned id, unsigned end)
{
    unsigned empties = 0;
    for (; id <= end; id++) {
        char letter = id < end ? letter_at(position, id) : 0;
        if (empties && (letter || id == end)) {
            text += sprintf(text, "%u", empties);
            empties = 0;
        }
        if (letter)
            *text++ = letter;
        else
            empties++;
    }
    return text;
}

void diamond_write(const void *memory, const void *board, char *text)
{
    const struct diamond *setup = memory;
    const struct diamond_position *position = board;
    unsigned id = 0;
    for (int row = 0; row < DIAMOND_ROWS; row++) {
        text = write_row(position, text, id, id + diamond_row_length[row]);
        *text++ = row < DIAMOND_ROWS - 1 ? '/' : ' ';
        id += diamond_row_length[row];
    }
    text += sprintf(text, "%c %u %u %u", men[position->head.turn], position->players, position->head.ply,
                    position->passes);
    if (!setup->places_all || position->finishers == 0)
        return;
    *text++ = ' ';
    for (int n = 0; n < position->finishers; n++)
        *text++ = men[position->finished[n]];
    *text = '\0';
}

void diamond_move_write(uint32_t code, char *text)
{
    if (move_is_pass(code))
        strcpy(text, "pass");
    else
        snprintf(text, ENGINE_MOVE_MAX, "%u-%u", move_from(code), move_to(code));
}
