#include "checkers_text.h"

#include <stdio.h>
#include <string.h>

#include "checkers_moves.h"
#include "text.h"

static const char seats[] = "BW", digits[] = "0123456789abcdefghijklmnopqrstuv";

/* Steps over a byte if it is the next one. */
static bool skip(struct reader *reader, char byte)
{
    if (*reader->at != byte)
        return false;
    reader->at++;
    return true;
}

/* Reads the seat that a letter stands for. */
static bool read_seat(struct reader *reader, unsigned *seat)
{
    *seat = *reader->at == seats[1];
    return skip(reader, seats[*seat]) || fault(reader, "a side must be W or B");
}

/* Reads a whole number without leading zeros in `least`..`most`. */
static bool read_number(struct reader *reader, unsigned least, unsigned most, unsigned *value)
{
    size_t length = strspn(reader->at, "0123456789");
    *value = 0;
    if (length == 0 || length > 5 || (length > 1 && *reader->at == '0'))
        return false;
    for (; length; length--)
        *value = *value * 10 + (unsigned)(*reader->at++ - '0');
    return *value >= least && *value <= most;
}

/* Reads one piece, such as `12` or `K12`. */
static bool read_piece(struct reader *reader, struct checkers_position *position, unsigned seat)
{
    bool king = skip(reader, 'K');
    unsigned square;
    if (!read_number(reader, 1, CHECKERS_SQUARES, &square))
        return fault(reader, "a piece must be a square from 1 to 32, with a K before it for a king");
    uint64_t at = square_mask(square_bit(square));
    if ((position->pieces[0] | position->pieces[1]) & at)
        return fault(reader, "two pieces are on one square");
    if (!king && at & crown_row(seat))
        return fault(reader, "a man is on the row where it would be a king");
    position->pieces[seat] |= at;
    position->kings |= king ? at : 0;
    return true;
}

/* Reads one side's pieces; `seen` has the sides that were read before. */
static bool read_side(struct reader *reader, struct checkers_position *position, unsigned *seen)
{
    unsigned seat;
    if (!skip(reader, ':') || !read_seat(reader, &seat) || *seen >> seat & 1)
        return fault(reader, "the text must be TURN:WLIST:BLIST");
    *seen |= 1u << seat;
    if (*reader->at == ':' || *reader->at == '|' || *reader->at == '\0')
        return true;
    do
        if (!read_piece(reader, position, seat))
            return false;
    while (skip(reader, ','));
    return set_count(position->pieces[seat]) <= CHECKERS_MEN || fault(reader, "a side has more than 12 pieces");
}

/* Reads one remembered move. */
static bool read_way(struct reader *reader, uint8_t way[2])
{
    for (int end = 0; end < 2; end++) {
        const char *digit = *reader->at ? strchr(digits, *reader->at) : NULL;
        if (!digit)
            return false;
        way[end] = (uint8_t)square_bit((unsigned)(digit - digits) + 1);
        reader->at++;
    }
    return true;
}

/* Whether a plain move leads from one set of one square to another. */
static bool are_neighbours(uint64_t from, uint64_t to)
{
    for (unsigned direction = 0; direction < CHECKERS_DIRECTIONS; direction++)
        if (set_step(from, direction) == to)
            return true;
    return false;
}

/* Whether the remembered moves, undone one by one, are kings' steps by either side in turn with no capture due. */
static bool check_ways(const struct checkers_position *position)
{
    struct checkers_position before = *position;
    for (unsigned n = position->quiet; n--;) {
        uint64_t from = square_mask(position->way[n][0]), to = square_mask(position->way[n][1]);
        unsigned seat = before.head.turn = 1 - before.head.turn;
        if (!(before.pieces[seat] & before.kings & to) || (before.pieces[0] | before.pieces[1]) & from ||
            !are_neighbours(from, to))
            return false;
        before.pieces[seat] ^= from | to;
        before.kings ^= from | to;
        if (checkers_loud(NULL, &before))
            return false;
    }
    return true;
}

/* Reads the ply and the remembered moves, where there are any. */
static bool read_memory(struct reader *reader, struct checkers_position *position)
{
    unsigned ply;
    if (*reader->at == '\0')
        return true;
    if (!skip(reader, '|') || !read_number(reader, 0, UINT16_MAX - 1, &ply) || !skip(reader, '|'))
        return fault(reader, "after the pieces: |PLY|MOVES, or nothing");
    position->head.ply = (uint16_t)ply;
    while (*reader->at) {
        if (position->quiet == CHECKERS_QUIET_MOST || !read_way(reader, position->way[position->quiet]))
            return fault(reader, "remembered moves: two digits of base 32 each, 80 moves at most");
        position->quiet++;
    }
    return (position->quiet <= ply && check_ways(position)) ||
           fault(reader, "remembered moves: do not lead to this position");
}

bool checkers_read(const void *setup, const char *text, void *out, char *error)
{
    struct checkers_position *position = out;
    struct reader reader = {text, error};
    unsigned turn, seen = 0;
    memset(position, 0, sizeof *position);
    if (!read_seat(&reader, &turn))
        return false;
    position->head.turn = (uint8_t)turn;
    if (!read_side(&reader, position, &seen) || !read_side(&reader, position, &seen))
        return false;
    if (!(position->pieces[0] | position->pieces[1]))
        return fault(&reader, "there is no piece");
    if (!read_memory(&reader, position))
        return false;
    checkers_settle(setup, position);
    return true;
}

/* Writes a side's pieces and answers the place behind. */
static char *write_side(const struct checkers_position *position, unsigned seat, char *text)
{
    text += sprintf(text, ":%c", seats[seat]);
    const char *comma = "";
    for (uint64_t set = position->pieces[seat]; set; comma = ",") {
        unsigned bit = set_take(&set);
        text += sprintf(text, "%s%s%u", comma, position->kings >> bit & 1 ? "K" : "", bit_square(bit));
    }
    return text;
}

void checkers_write(const void *setup, const void *memory, char *text)
{
    const struct checkers_position *position = memory;
    (void)setup;
    *text++ = seats[position->head.turn];
    text = write_side(position, 1, text);
    text = write_side(position, 0, text);
    if (position->head.ply == 0)
        return;
    text += sprintf(text, "|%u|", position->head.ply);
    for (unsigned n = 0; n < position->quiet; n++)
        for (int end = 0; end < 2; end++)
            *text++ = digits[bit_square(position->way[n][end]) - 1];
    *text = '\0';
}

void checkers_move_write(uint32_t code, char *text)
{
    unsigned jumps = code >> CHECKERS_JUMPS_AT & 15;
    uint64_t at = square_mask(code & 0x3f);
    uint32_t way = code >> CHECKERS_WAY_AT;
    char *end = text + sprintf(text, "%u", bit_square(code & 0x3f));
    for (unsigned n = 0; n < (jumps ? jumps : 1); n++, way >>= 2) {
        at = set_step(at, way & 3);
        if (jumps)
            at = set_step(at, way & 3);
        end += sprintf(end, "%c%u", jumps ? 'x' : '-', bit_square((unsigned)__builtin_ctzll(at)));
    }
}
