#include "backgammon_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"

enum { PLY_MOST = 60000, XGID_LENGTH = BACKGAMMON_PLACES };

static const char xgid_start[] = "XGID=";

/* Reads a word that must come next. */
static bool read_word(struct reader *reader, const char *word)
{
    if (strncmp(reader->at, word, strlen(word)) != 0)
        return fault(reader, "'%s' is missing before '%.20s'", word, reader->at);
    reader->at += strlen(word);
    return true;
}

/* The number of checkers that a letter of a side stands for, or 0: `a` or `A` is 1. */
static int checkers_of(char letter, char one)
{
    return letter >= one && letter < one + BACKGAMMON_CHECKERS ? letter - one + 1 : 0;
}

/* Reads the 26 letters of the board. The first is black's bar, the last white's, between them white's points. */
static bool read_board(struct reader *reader, struct backgammon_position *position)
{
    int on_board[BACKGAMMON_SEATS] = {0};
    for (int place = 0; place < XGID_LENGTH; place++) {
        char letter = *reader->at;
        int white = checkers_of(letter, 'A'), black = checkers_of(letter, 'a');
        if (letter != '-' && !white && !black)
            return fault(reader, "place %d of the board is neither '-' nor a letter from a to o", place);
        if ((white && place == 0) || (black && place == BACKGAMMON_BAR))
            return fault(reader, "place %d of the board is the other side's bar", place);
        if (white)
            position->board[0][place] = (uint8_t)white;
        if (black)
            position->board[1][BACKGAMMON_BAR - place] = (uint8_t)black;
        on_board[0] += white;
        on_board[1] += black;
        reader->at++;
    }
    for (int seat = 0; seat < BACKGAMMON_SEATS; seat++) {
        if (on_board[seat] > BACKGAMMON_CHECKERS)
            return fault(reader, "%s has more than 15 checkers", seat ? "black" : "white");
        position->board[seat][BACKGAMMON_OFF] = (uint8_t)(BACKGAMMON_CHECKERS - on_board[seat]);
    }
    return true;
}

/* Whether a side can enter nothing: each point of the other's home board is held by two or more. */
static bool is_closed_out(const struct backgammon_position *position, unsigned seat)
{
    uint32_t home = (1u << (BACKGAMMON_HOME + 1)) - 2;
    return position->board[seat][BACKGAMMON_BAR] && (backgammon_mask(position->board[!seat], 2) & home) == home;
}

/* Refuses what no game comes to and could not go on; the position is settled. */
static bool check(struct reader *reader, const struct backgammon_position *position)
{
    const uint8_t *white = position->board[0], *black = position->board[1];
    if (white[BACKGAMMON_OFF] == BACKGAMMON_CHECKERS && black[BACKGAMMON_OFF] == BACKGAMMON_CHECKERS)
        return fault(reader, "both sides have borne off all checkers");
    for (int point = 1; point <= BACKGAMMON_POINTS; point++)
        if (white[point] && black[25 - point])
            return fault(reader, "both sides stand on white's point %d", point);
    if (is_closed_out(position, 0) && is_closed_out(position, 1))
        return fault(reader, "both sides are on the bar before closed home boards");
    if (position->head.over && position->dice[0])
        return fault(reader, "there is nothing to throw for once the game is over");
    return true;
}

/* Reads the field of the turn: 1 is white, -1 black. */
static bool read_turn(struct reader *reader, struct backgammon_position *position)
{
    bool black = reader->at[0] == '-';
    position->head.turn = black;
    return read_word(reader, black ? "-1" : "1");
}

/* Whether a letter is a face of a die. */
static bool is_face(char letter)
{
    return letter >= '1' && letter <= '6';
}

/* Reads the field of the dice: 00 before the throw. */
static bool read_dice(struct reader *reader, struct backgammon_position *position)
{
    char first = reader->at[0], second = first ? reader->at[1] : '\0';
    if (first == '0' && second == '0')
        reader->at += 2;
    else if (is_face(first) && is_face(second)) {
        position->dice[0] = (uint8_t)((first > second ? first : second) - '0');
        position->dice[1] = (uint8_t)((first > second ? second : first) - '0');
        reader->at += 2;
    } else
        return fault(reader, "the dice are two digits from 1 to 6, or 00");
    return true;
}

/* Reads what stands behind the notation: the ply, and whether the opening throw is to come. */
static bool read_memory(struct reader *reader, struct backgammon_position *position)
{
    if (*reader->at == '\0')
        return true;
    size_t digits = strspn(reader->at + 1, "0123456789");
    long ply = digits && digits < 6 ? strtol(reader->at + 1, NULL, 10) : -1;
    bool padded = digits > 1 && reader->at[1] == '0';
    if (reader->at[0] != '|' || padded || ply < 0 || ply > PLY_MOST)
        return fault(reader, "behind the XGID stands '|' and the ply, or nothing");
    position->head.ply = (uint16_t)ply;
    reader->at += 1 + digits;
    position->opening = strcmp(reader->at, "|opening") == 0;
    if (position->opening && (ply != 0 || position->dice[0] || position->head.turn))
        return fault(reader, "the opening throw comes first, on ply 0");
    reader->at += position->opening ? strlen("|opening") : 0;
    return *reader->at == '\0' || fault(reader, "'%.20s' is one thing too many", reader->at);
}

bool backgammon_read(const void *setup, const char *text, void *out, char *error)
{
    struct backgammon_position *position = out;
    struct reader reader = {text, error};
    memset(position, 0, sizeof *position);
    if (!read_word(&reader, xgid_start) || !read_board(&reader, position) || !read_word(&reader, ":0:0:") ||
        !read_turn(&reader, position) || !read_word(&reader, ":") || !read_dice(&reader, position) ||
        !read_word(&reader, ":0:0:0:0:10") || !read_memory(&reader, position))
        return false;
    backgammon_settle(setup, position);
    return check(&reader, position);
}

void backgammon_write(const void *setup, const void *memory, char *text)
{
    const struct backgammon_position *position = memory;
    char board[XGID_LENGTH + 1] = {0};
    (void)setup;
    for (int place = 0; place < XGID_LENGTH; place++) {
        int white = place > 0 ? position->board[0][place] : 0;
        int black = place < BACKGAMMON_BAR ? position->board[1][BACKGAMMON_BAR - place] : 0;
        board[place] = (char)(white ? 'A' + white - 1 : black ? 'a' + black - 1 : '-');
    }
    int length = snprintf(text, ENGINE_POSITION_MAX, "%s%s:0:0:%s:%d%d:0:0:0:0:10", xgid_start, board,
                          position->head.turn ? "-1" : "1", position->dice[0], position->dice[1]);
    if (position->head.ply || position->opening)
        snprintf(text + length, (size_t)(ENGINE_POSITION_MAX - length), "|%d%s", position->head.ply,
                 position->opening ? "|opening" : "");
}

bool backgammon_throw_read(const void *memory, const char *text, int *result, char *error)
{
    const struct backgammon_position *position = memory;
    bool good = strlen(text) == 2 && is_face(text[0]) && is_face(text[1]);
    if (!good || (position->opening && text[0] == text[1])) {
        snprintf(error, ENGINE_ERROR_MAX, "'%.20s' is no throw here", text);
        return false;
    }
    *result = (text[0] - '1') * 6 + text[1] - '1';
    return true;
}

/* The way of one checker within a play, or of several that go the same way. */
struct way {
    uint8_t places[BACKGAMMON_PARTS + 1]; /* what it touches, its origin first */
    bool hits[BACKGAMMON_PARTS + 1];      /* where it hits */
    int length;                           /* places */
    int checkers;                         /* how many go this way; 0 once it is counted with another */
};

/* Joins the parts to ways of single checkers and answers how many those are. */
static int join_parts(struct backgammon_part *parts, int count, struct way ways[BACKGAMMON_PARTS])
{
    int found = 0;
    if (count == 2 && parts[0].from < parts[1].from) {
        struct backgammon_part first = parts[0];
        parts[0] = parts[1];
        parts[1] = first;
    }
    for (int n = 0; n < count; n++) {
        int which = 0;
        while (which < found && ways[which].places[ways[which].length - 1] != parts[n].from)
            which++;
        struct way *way = &ways[which];
        if (which == found) {
            ways[found++] = (struct way){.length = 1, .checkers = 1};
            way->places[0] = parts[n].from;
        }
        way->hits[way->length] = parts[n].hits;
        way->places[way->length++] = parts[n].to;
    }
    return found;
}

/* Counts equal ways as one of several checkers. */
static void count_equals(struct way *ways, int count)
{
    for (int n = 0; n < count; n++)
        for (int other = 0; other < n; other++) {
            struct way *first = &ways[other];
            if (!first->checkers || first->length != ways[n].length ||
                memcmp(first->places, ways[n].places, sizeof first->places) != 0)
                continue;
            first->checkers++;
            ways[n].checkers = 0;
            for (int place = 0; place < first->length; place++)
                first->hits[place] |= ways[n].hits[place];
            break;
        }
}

/* Whether one way is told before another: by descending origin, then by ascending end. */
static bool is_before(const struct way *way, const struct way *other)
{
    int end = way->places[way->length - 1], other_end = other->places[other->length - 1];
    return way->places[0] != other->places[0] ? way->places[0] > other->places[0] : end < other_end;
}

/* Brings the ways into the order in which they are told, equals as they were. */
static void sort_ways(struct way *ways, int count)
{
    for (int n = 1; n < count; n++)
        for (int place = n; place > 0 && is_before(&ways[place], &ways[place - 1]); place--) {
            struct way way = ways[place];
            ways[place] = ways[place - 1];
            ways[place - 1] = way;
        }
}

/* Appends a place's name; answers the text's new end. */
static char *write_place(char *end, int place)
{
    if (place == BACKGAMMON_BAR)
        return end + sprintf(end, "bar");
    return end + (place == BACKGAMMON_OFF ? sprintf(end, "off") : sprintf(end, "%d", place));
}

/* Appends a way, with the points between where it hits, or with all of them. */
static char *write_way(char *end, const struct way *way, bool every_point)
{
    end = write_place(end, way->places[0]);
    for (int n = 1; n < way->length; n++) {
        if (!way->hits[n] && !every_point && n < way->length - 1)
            continue;
        *end++ = '/';
        end = write_place(end, way->places[n]);
        if (way->hits[n])
            *end++ = '*';
    }
    if (way->checkers > 1)
        end += sprintf(end, "(%d)", way->checkers);
    return end;
}

void backgammon_move_write(uint32_t code, char *text)
{
    struct backgammon_part parts[BACKGAMMON_PARTS];
    struct way ways[BACKGAMMON_PARTS];
    if (move_is_pass(code)) {
        strcpy(text, "pass");
        return;
    }
    int parts_count = backgammon_parts(code, parts);
    bool every_point = parts_count == 2 && code & BACKGAMMON_WAY_TOLD;
    int count = join_parts(parts, parts_count, ways);
    count_equals(ways, count);
    sort_ways(ways, count);
    char *end = text;
    for (int n = 0; n < count; n++) {
        if (!ways[n].checkers)
            continue;
        if (end > text)
            *end++ = ' ';
        end = write_way(end, &ways[n], every_point);
    }
    *end = '\0';
}
