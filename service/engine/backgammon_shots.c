#include "backgammon_shots.h"

enum { ESCAPE = 7 }; /* pips that count as an escape */

struct shots_side shots_side(const uint8_t *mine, const uint8_t *theirs)
{
    uint32_t other = backgammon_mask(theirs, 1) & BACKGAMMON_POINT_BITS;
    uint32_t other_made = backgammon_mask(theirs, 2) & BACKGAMMON_POINT_BITS;
    return (struct shots_side){
        .own = backgammon_mask(mine, 1) & ~(uint32_t)1,
        .made = backgammon_mask(mine, 2) & BACKGAMMON_POINT_BITS,
        .blocked = backgammon_mirror(other_made),
        .blots = backgammon_mirror(other & ~other_made),
        .bar = mine[BACKGAMMON_BAR],
    };
}

/* Whether a throw of two numbers hits, nobody being on the bar. */
static bool pair_hits(const struct shots_side *side, unsigned first, unsigned second)
{
    uint32_t open = ~side->blocked;
    uint32_t both = side->blots << (first + second) & (open << first | open << second);
    return side->own & (side->blots << first | side->blots << second | both);
}

/* Whether a double hits, nobody being on the bar. */
static bool double_hits(const struct shots_side *side, unsigned die)
{
    uint32_t reached = side->own;
    for (int part = 0; part < BACKGAMMON_PARTS; part++) {
        reached >>= die;
        if (reached & side->blots)
            return true;
        reached &= ~side->blocked;
    }
    return false;
}

/* Whether a throw hits with checkers on the bar when `first` is to enter. */
static bool entry_hits(const struct shots_side *side, unsigned first, unsigned second)
{
    uint32_t entry = (uint32_t)1 << (BACKGAMMON_BAR - first);
    if (side->blocked & entry)
        return false;
    if (side->blots & entry)
        return true;
    return side->bar == 1 && ((side->own & ~((uint32_t)1 << BACKGAMMON_BAR)) | entry) & side->blots << second;
}

int shots_hitting(const struct shots_side *side)
{
    int count = 0;
    if (!side->blots)
        return 0;
    for (unsigned high = 1; high <= 6; high++)
        for (unsigned low = 1; low <= high; low++) {
            bool hits = side->bar     ? entry_hits(side, high, low) || entry_hits(side, low, high)
                        : high == low ? double_hits(side, high)
                                      : pair_hits(side, high, low);
            if (hits)
                count += high == low ? 1 : 2;
        }
    return count;
}

/* Whether a throw's numbers, played in this order by one checker, bring it far enough. */
static bool escapes_by(unsigned blocked, unsigned first, unsigned second)
{
    unsigned parts = first == second ? BACKGAMMON_PARTS : 2, way = 0;
    for (unsigned part = 0; part < parts && way < ESCAPE; part++) {
        way += part % 2 ? second : first;
        if (blocked >> (way - 1) & 1)
            return false;
    }
    return way >= ESCAPE;
}

void shots_fill_escapes(uint8_t escapes[SHOTS_ESCAPES])
{
    for (unsigned blocked = 0; blocked < SHOTS_ESCAPES; blocked++) {
        escapes[blocked] = 0;
        for (unsigned high = 1; high <= 6; high++)
            for (unsigned low = 1; low <= high; low++)
                if (escapes_by(blocked, high, low) || escapes_by(blocked, low, high))
                    escapes[blocked] += high == low ? 1 : 2;
    }
}

int shots_escaping(const struct shots_side *side, const uint8_t escapes[SHOTS_ESCAPES])
{
    unsigned rear = side->own ? 31u - (unsigned)__builtin_clz(side->own) : 0;
    if (rear <= BACKGAMMON_POINTS / 2)
        return 36;
    /* Mirrored, the point n pips ahead is n above 25 - rear. */
    return escapes[backgammon_mirror(side->blocked) >> (BACKGAMMON_BAR + 1 - rear) & (SHOTS_ESCAPES - 1)];
}

int shots_prime(const struct shots_side *side)
{
    uint32_t rows = side->made;
    int length = 0;
    while (rows && length < 6) {
        rows &= rows >> 1;
        length++;
    }
    return length;
}
