#include "backgammon_moves.h"

#include <string.h>

/* A list of plays in the making. Sets of places are masks: bit n is place n in the mover's view. */
struct plays {
    uint8_t mine[BACKGAMMON_ROOM];   /* the mover's checkers by place, as they stand in the middle of a play */
    uint32_t own;                    /* places with checkers of the mover, those borne off left out */
    uint32_t blocked;                /* points held by two or more enemy checkers */
    uint32_t blots;                  /* points held by one */
    uint32_t seen[BACKGAMMON_PLACES]; /* [origin by the high die]: origins by the low die that are listed with it */
    unsigned high, low;              /* the dice */
    uint32_t base;                   /* the seat's bits of every code */
    struct move *moves;              /* where the plays go; NULL when they are but counted */
    int count;                       /* how many there are */
    int parts;                       /* parts of each; more is a must */
};

/* The mask of one place. */
static inline uint32_t bit(unsigned place)
{
    return (uint32_t)1 << place;
}

/* The places from which a checker may move by one die. */
static inline uint32_t origins(const struct plays *plays, unsigned die)
{
    uint32_t inside = bit(BACKGAMMON_HOME + 1) - 1, board = ~(bit(die + 1) - 1);
    uint32_t own = plays->own & bit(BACKGAMMON_BAR) ? bit(BACKGAMMON_BAR) : plays->own;
    uint32_t found = own & board & ~(plays->blocked << die);
    if (own & ~inside)
        return found;
    if (own & bit(die))
        found |= bit(die);
    else if (own && !(own & board))
        found |= bit(31u - (unsigned)__builtin_clz(own));
    return found;
}

/* Where a checker from `from` comes to by a die. */
static inline unsigned target(unsigned from, unsigned die)
{
    return from > die ? from - die : BACKGAMMON_OFF;
}

/* Moves a checker of the list's board, or back with the places exchanged. */
static inline void shift(struct plays *plays, unsigned from, unsigned to)
{
    if (from != BACKGAMMON_OFF && --plays->mine[from] == 0)
        plays->own &= ~bit(from);
    if (to != BACKGAMMON_OFF) {
        plays->mine[to]++;
        plays->own |= bit(to);
    }
}

/* Writes a play into the list. */
static inline void add(struct plays *plays, uint32_t code)
{
    if (plays->moves)
        plays->moves[plays->count] = (struct move){plays->base | code, 0};
    plays->count++;
}

/* Whether a move to a point hits there, as long as nothing has before. */
static inline bool hits(const struct plays *plays, unsigned to)
{
    return plays->blots >> to & 1;
}

/* A play of both dice by its origins. */
struct pair {
    unsigned high; /* origin of the part played by the high die */
    unsigned low;  /* of the one played by the low die */
};

/* Whether a pair is in the list. */
static inline bool is_listed(const struct plays *plays, struct pair pair)
{
    return plays->seen[pair.high] & bit(pair.low);
}

/* The other pair of origins that leads the mover's checkers to the same places, or zeros. There is one only where one
 * checker goes all the way, by either die first, or where both checkers are borne off. `hits_between` is set where
 * a blot stands on either of the way's two points, so that the two plays differ after all. */
static struct pair twin_of(const struct plays *plays, struct pair pair, bool *hits_between)
{
    unsigned high = plays->high, low = plays->low;
    *hits_between = false;
    if (pair.high <= low && pair.low <= low)
        return (struct pair){pair.low, pair.high};
    bool by_high = pair.low + high == pair.high, by_low = pair.high + low == pair.low;
    unsigned runner = by_high ? pair.high : by_low ? pair.low : 0;
    if (runner <= high)
        return (struct pair){0, 0};
    *hits_between = plays->blots & (bit(runner - high) | bit(runner - low));
    return by_high ? (struct pair){runner - low, runner} : (struct pair){runner, runner - high};
}

/* Says of a listed pair that its text has to tell every point of the way. */
static void tell_way(struct plays *plays, struct pair pair)
{
    uint32_t high_first = pair.high | pair.low << 5 | backgammon_dice_code(plays->high, plays->low);
    uint32_t low_first = pair.low | pair.high << 5 | backgammon_dice_code(plays->low, plays->high);
    uint32_t rest = ~(plays->base | 15u << 26 | BACKGAMMON_WAY_TOLD);
    for (int n = 0; plays->moves && n < plays->count; n++)
        if ((plays->moves[n].code & rest) == high_first || (plays->moves[n].code & rest) == low_first)
            plays->moves[n].code |= BACKGAMMON_WAY_TOLD;
}

/* Lists the play of a pair, unless its position is listed already; `code` is the play's. */
static inline void add_pair(struct plays *plays, struct pair pair, uint32_t code)
{
    bool hits_between;
    if (is_listed(plays, pair))
        return;
    struct pair twin = twin_of(plays, pair, &hits_between);
    bool twin_listed = twin.high && is_listed(plays, twin);
    if (twin_listed && !hits_between)
        return;
    plays->seen[pair.high] |= bit(pair.low);
    add(plays, code);
    if (twin_listed) {
        tell_way(plays, pair);
        tell_way(plays, twin);
    }
}

/* Lists the plays of two parts that begin by the die `first`. */
static void add_pairs(struct plays *plays, unsigned first, unsigned second)
{
    uint32_t dice = backgammon_dice_code(first, second);
    for (uint32_t starts = origins(plays, first); starts; starts &= starts - 1) {
        unsigned from = (unsigned)__builtin_ctz(starts), to = target(from, first);
        bool hit = hits(plays, to);
        shift(plays, from, to);
        for (uint32_t nexts = origins(plays, second); nexts; nexts &= nexts - 1) {
            unsigned next = (unsigned)__builtin_ctz(nexts), end = target(next, second);
            struct pair pair = first > second ? (struct pair){from, next} : (struct pair){next, from};
            bool hit_next = hits(plays, end) && end != to;
            add_pair(plays, pair, dice | backgammon_part_code(0, from, hit) | backgammon_part_code(1, next, hit_next));
        }
        shift(plays, to, from);
    }
}

/* Lists the plays of one part. */
static void add_singles(struct plays *plays, unsigned die)
{
    for (uint32_t starts = origins(plays, die); starts; starts &= starts - 1) {
        unsigned from = (unsigned)__builtin_ctz(starts);
        add(plays, backgammon_part_code(0, from, hits(plays, target(from, die))) | backgammon_dice_code(die, 0));
    }
}

/* Lists the plays of a throw of two different numbers: both if possible, else the higher, else the lower. */
static void add_throw(struct plays *plays)
{
    add_pairs(plays, plays->high, plays->low);
    add_pairs(plays, plays->low, plays->high);
    if (plays->count == 0)
        add_singles(plays, plays->high);
    if (plays->count == 0)
        add_singles(plays, plays->low);
}

/* Lists the plays of a double that go on from `parts` parts, none of them from a place above `most`.
 *
 * Whatever can be played can be played from the rear to the front, and then each list of origins leads to a position of
 * its own: so nothing is listed twice, and the longest play is among those that are tried. */
static void add_double(struct plays *plays, uint32_t code, int parts, unsigned most)
{
    unsigned die = plays->high;
    uint32_t starts = parts < BACKGAMMON_PARTS ? origins(plays, die) & (bit(most + 1) - 1) : 0;
    if (!starts && parts > 0 && parts >= plays->parts) {
        plays->count = parts > plays->parts ? 0 : plays->count;
        plays->parts = parts;
        add(plays, code);
    }
    for (; starts; starts &= starts - 1) {
        unsigned from = (unsigned)__builtin_ctz(starts), to = target(from, die);
        bool hit = hits(plays, to);
        shift(plays, from, to);
        plays->blots &= ~(uint32_t)(hit ? bit(to) : 0);
        add_double(plays, code | backgammon_part_code(parts, from, hit), parts + 1, from);
        plays->blots |= hit ? bit(to) : 0;
        shift(plays, to, from);
    }
}

/* Lists or counts the plays of a seat. */
static void fill(struct plays *plays, const struct backgammon_position *position, unsigned seat)
{
    const uint8_t *theirs = position->board[!seat];
    uint32_t other = backgammon_mask(theirs, 1) & BACKGAMMON_POINT_BITS;
    uint32_t other_made = backgammon_mask(theirs, 2) & BACKGAMMON_POINT_BITS;
    memcpy(plays->mine, position->board[seat], sizeof plays->mine);
    plays->own = backgammon_mask(plays->mine, 1) & ~(uint32_t)1;
    plays->blocked = backgammon_mirror(other_made);
    plays->blots = backgammon_mirror(other & ~other_made);
    plays->high = position->dice[0];
    plays->low = position->dice[1];
    plays->base = (uint32_t)seat << 30;
    if (plays->high != plays->low)
        add_throw(plays);
    else if (plays->high)
        add_double(plays, backgammon_dice_code(plays->high, plays->high), 0, BACKGAMMON_BAR);
}

int backgammon_generate(const void *setup, const void *position, unsigned seat, struct move *moves)
{
    struct plays plays = {.moves = moves};
    (void)setup;
    fill(&plays, position, seat);
    return plays.count;
}

unsigned backgammon_count(const void *setup, const void *position)
{
    struct plays plays = {0};
    (void)setup;
    fill(&plays, position, ((const struct head *)position)->turn);
    return (unsigned)plays.count;
}
