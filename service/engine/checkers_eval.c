#include "checkers_eval.h"

#include <stdlib.h>

#include "hot.h"

/* The mask of a square, as a constant. */
#define SQUARE(n) (1ull << ((n) - 1 + ((n) - 1) / 8))

enum {
    MAN = 100,
    KING = 135,
    TRADE_PART = 40,     /* a lead grows by as many parts of it as pieces are gone, of so many */
    CENTRE_KING = 7,     /* a king on one of the eight middle squares */
    CORNER_KING = -8,    /* a king in the single corner, where it may be caught */
    HOME_MAN = 3,        /* a man at home on the row where the enemy's men are crowned, while he has any */
    BRIDGE = 7,          /* men on both of the squares that guard that row together */
    HOLE = -14,          /* a man where an enemy's man in his corner holds it for good */
    STUCK_KING = -18,    /* a king without any step */
    STUCK_MAN = -2,      /* a man without any step */
    DRIVE_PIECES = 8,    /* pieces up to which the side ahead is told to draw near */
    DRIVE = 2,           /* each row or column nearer */
    REFUGE = 14,         /* the weaker side's king in a double corner */
    MOVE_PIECES = 12,    /* pieces up to which having the move counts, */
    MOVE = 4,            /* and how much */
};

/* What a man gains by its row, from its own side on. */
static const int8_t row_worth[8] = {0, 0, 2, 4, 7, 11, 17, 0};
/* What a man gains by its row when no enemy is ahead of it. */
static const int8_t run_worth[8] = {0, 2, 4, 7, 11, 16, 24, 0};

static const uint64_t centre = SQUARE(10) | SQUARE(11) | SQUARE(14) | SQUARE(15) | SQUARE(18) | SQUARE(19) |
                               SQUARE(22) | SQUARE(23);
static const uint64_t single_corners = SQUARE(4) | SQUARE(29);
static const uint64_t double_corners = SQUARE(1) | SQUARE(5) | SQUARE(28) | SQUARE(32);
static const uint64_t bridge[CHECKERS_SEATS] = {SQUARE(1) | SQUARE(3), SQUARE(30) | SQUARE(32)};
/* The hole for the seat's man, and where the enemy's man holds it. */
static const uint64_t hole[CHECKERS_SEATS] = {SQUARE(28), SQUARE(5)};
static const uint64_t holder[CHECKERS_SEATS] = {SQUARE(32), SQUARE(1)};
/* Every second row, red's home row among them. */
static const uint64_t red_system = SQUARE(1) | SQUARE(2) | SQUARE(3) | SQUARE(4) | SQUARE(9) | SQUARE(10) |
                                   SQUARE(11) | SQUARE(12) | SQUARE(17) | SQUARE(18) | SQUARE(19) | SQUARE(20) |
                                   SQUARE(25) | SQUARE(26) | SQUARE(27) | SQUARE(28);

/* The squares from which a step in any direction leads into a set. */
INLINE uint64_t around(uint64_t set)
{
    return set << 4 | set << 5 | set >> 4 | set >> 5;
}

/* The squares on which a seat's man has an enemy ahead of it, in its way or beside it; the enemy's own among them. */
INLINE uint64_t shadow(uint64_t enemy, unsigned seat)
{
    uint64_t set = enemy;
    for (int row = 1; row < 8; row++)
        set |= CHECKERS_BOARD & (seat == 0 ? set >> 4 | set >> 5 : set << 4 | set << 5);
    return set;
}

/* The sum of a table of rows over a seat's men. */
INLINE int rows_worth(uint64_t men, unsigned seat, const int8_t worth[8])
{
    int sum = 0;
    while (men) {
        unsigned row = bit_row(set_take(&men));
        sum += worth[seat == 0 ? row : 7 - row];
    }
    return sum;
}

/* The worth of a seat's pieces beyond material. */
INLINE int placement(const struct checkers_position *position, unsigned seat)
{
    uint64_t mine = position->pieces[seat], enemy = position->pieces[1 - seat];
    uint64_t kings = mine & position->kings, men = mine & ~kings;
    uint64_t empty = CHECKERS_BOARD & ~(mine | enemy);
    uint64_t ahead = seat == 0 ? empty >> 4 | empty >> 5 : empty << 4 | empty << 5;
    int worth = rows_worth(men, seat, row_worth) + rows_worth(men & ~shadow(enemy, seat), seat, run_worth);
    worth += CENTRE_KING * (int)set_count(kings & centre);
    worth += CORNER_KING * (int)set_count(kings & single_corners);
    worth += STUCK_KING * (int)set_count(kings & ~around(empty)) + STUCK_MAN * (int)set_count(men & ~ahead);
    if (enemy & ~position->kings) {
        worth += HOME_MAN * (int)set_count(men & crown_row(1 - seat));
        worth += (men & bridge[seat]) == bridge[seat] ? BRIDGE : 0;
    }
    return worth + (men & hole[seat] && enemy & ~position->kings & holder[seat] ? HOLE : 0);
}

/* How far two squares are from each other, in king's steps or the like. */
INLINE int distance(unsigned from, unsigned to)
{
    int rows = abs((int)bit_row(from) - (int)bit_row(to));
    int from_column = 2 * (int)((bit_square(from) - 1) % 4) + !(bit_row(from) & 1);
    int to_column = 2 * (int)((bit_square(to) - 1) % 4) + !(bit_row(to) & 1);
    int columns = abs(from_column - to_column);
    return rows > columns ? rows : columns;
}

/* What the side ahead gains by having its kings near the other's pieces, and those away from the double corners. */
INLINE int drive(const struct checkers_position *position, unsigned ahead)
{
    uint64_t weak = position->pieces[1 - ahead];
    int away = 0, pairs = 0;
    for (uint64_t kings = position->pieces[ahead] & position->kings; kings;) {
        unsigned king = set_take(&kings);
        for (uint64_t others = weak; others; pairs++)
            away += distance(king, set_take(&others));
    }
    int near = pairs ? DRIVE * (7 * pairs - away) / (int)set_count(weak) : 0;
    return near - REFUGE * (int)set_count(weak & position->kings & double_corners);
}

/* Whether the seat to move has "the move": with as many pieces on both sides, the one that will stand right when the
 * two meet. It has when the pieces on every second row, those of its own home row, are odd in number. */
INLINE bool has_the_move(const struct checkers_position *position)
{
    uint64_t all = position->pieces[0] | position->pieces[1];
    uint64_t system = position->head.turn == 0 ? red_system : CHECKERS_BOARD & ~red_system;
    return set_count(all & system) & 1;
}

/* The material of a seat. */
INLINE int material(const struct checkers_position *position, unsigned seat)
{
    int pieces = (int)set_count(position->pieces[seat]);
    int kings = (int)set_count(position->pieces[seat] & position->kings);
    return MAN * pieces + (KING - MAN) * kings;
}

HOT int checkers_evaluate(const void *setup, const void *memory, unsigned seat)
{
    const struct checkers_position *position = memory;
    int lead = material(position, 0) - material(position, 1);
    int red = (int)set_count(position->pieces[0]), white = (int)set_count(position->pieces[1]);
    int value = lead + lead * (2 * CHECKERS_MEN - red - white) / TRADE_PART;
    (void)setup;
    value += placement(position, 0) - placement(position, 1);
    if (red + white <= DRIVE_PIECES && abs(lead) >= KING - MAN)
        value += lead > 0 ? drive(position, 0) : -drive(position, 1);
    if (red == white && red + white <= MOVE_PIECES)
        value += has_the_move(position) == (position->head.turn == 0) ? MOVE : -MOVE;
    return seat == 0 ? value : -value;
}

int checkers_points(int evaluation, int seats)
{
    /* As Diamond's: one man ahead is expected to make half a point. */
    int points = (int)((int64_t)evaluation * 1000 / (abs(evaluation) + MAN));
    (void)seats;
    return points > 990 ? 990 : points < -990 ? -990 : points;
}
