#include "checkers_moves.h"

#include "hot.h"

enum { MAN_GAIN = 100, KING_GAIN = 130, CROWN_GAIN = 30, STEP_GAIN = 2 };

/* The sets that every move of one seat is made from. */
struct ground {
    uint64_t mine;  /* the seat's pieces */
    uint64_t kings; /* the kings among them */
    uint64_t enemy; /* the other's pieces */
    uint64_t empty; /* empty squares */
    unsigned seat;  /* the seat */
};

/* Fills the sets for a seat. */
INLINE struct ground ground_of(const struct checkers_position *position, unsigned seat)
{
    uint64_t mine = position->pieces[seat], enemy = position->pieces[1 - seat];
    return (struct ground){mine, mine & position->kings, enemy, CHECKERS_BOARD & ~(mine | enemy), seat};
}

/* The pieces that may go in a direction: all of the seat's in the two that lead forward, its kings in the others. */
INLINE uint64_t goers(const struct ground *ground, unsigned direction)
{
    return (direction < 2) == (ground->seat == 1) ? ground->mine : ground->kings;
}

/* The pieces that may step in a direction. */
INLINE uint64_t steppers(const struct ground *ground, unsigned direction)
{
    return goers(ground, direction) & set_step(ground->empty, 3 - direction);
}

/* The squares of a set from which a jump in a direction is possible. */
INLINE uint64_t jumpers_among(uint64_t set, uint64_t enemy, uint64_t empty, unsigned direction)
{
    return set & set_step(enemy & set_step(empty, 3 - direction), 3 - direction);
}

/* All pieces that may capture. */
INLINE uint64_t jumpers(const struct ground *ground)
{
    uint64_t set = 0;
    for (unsigned direction = 0; direction < CHECKERS_DIRECTIONS; direction++)
        set |= jumpers_among(goers(ground, direction), ground->enemy, ground->empty, direction);
    return set;
}

bool checkers_can_move(const struct checkers_position *position, unsigned seat)
{
    struct ground ground = ground_of(position, seat);
    uint64_t set = jumpers(&ground);
    for (unsigned direction = 0; direction < CHECKERS_DIRECTIONS; direction++)
        set |= steppers(&ground, direction);
    return set != 0;
}

bool checkers_loud(const void *setup, const void *position)
{
    const struct head *head = position;
    struct ground ground = ground_of(position, head->turn);
    (void)setup;
    return jumpers(&ground) != 0;
}

/* A piece in the middle of its capture. */
struct capture {
    uint64_t at;     /* where it stands */
    uint64_t enemy;  /* the enemy's pieces that it has not jumped */
    uint64_t empty;  /* where it may land: empty squares, its origin among them */
    unsigned first;  /* the first of its directions, */
    unsigned end;    /* and the one behind the last */
    uint64_t crown;  /* where it becomes a king and stops; 0 for a king */
    uint32_t code;   /* the move so far */
    unsigned jumps;  /* its jumps so far */
    int32_t gain;    /* what they have gained */
};

/* The capture that a piece may begin. */
INLINE struct capture capture_from(const struct ground *ground, unsigned bit)
{
    uint64_t at = square_mask(bit);
    bool king = (ground->kings & at) != 0;
    return (struct capture){
        .at = at,
        .enemy = ground->enemy,
        .empty = ground->empty | at,
        .first = king || ground->seat == 1 ? 0 : 2,
        .end = king || ground->seat == 0 ? 4 : 2,
        .crown = king ? 0 : crown_row(ground->seat),
        .code = (uint32_t)ground->seat << 30 | bit,
    };
}

/* The number of ways to go on with a capture from `at` to its end; 1 where it ends there. `first` to `end` - 1 are the
 * directions in which the piece goes, `crown` is where it stops. */
static unsigned count_ways(uint64_t at, uint64_t enemy, uint64_t empty, uint64_t crown, unsigned first, unsigned end)
{
    unsigned count = 0;
    if (at & crown)
        return 1;
    for (unsigned direction = first; direction < end; direction++) {
        uint64_t over = set_step(at, direction) & enemy, next = set_step(over, direction) & empty;
        if (next)
            count += count_ways(next, enemy ^ over, empty, crown, first, end);
    }
    return count ? count : 1;
}

/* The number of captures of the pieces in `set`, which may capture. */
INLINE unsigned count_captures(const struct ground *ground, uint64_t set)
{
    unsigned count = 0, first = ground->seat == 1 ? 0 : 2;
    for (uint64_t at; (at = set & -set) != 0; set ^= at)
        if (at & ground->kings)
            count += count_ways(at, ground->enemy, ground->empty | at, 0, 0, CHECKERS_DIRECTIONS);
        else
            count += count_ways(at, ground->enemy, ground->empty, crown_row(ground->seat), first, first + 2);
    return count;
}

/* The number of moves of a seat. */
INLINE unsigned count_moves(const struct checkers_position *position, unsigned seat)
{
    struct ground ground = ground_of(position, seat);
    uint64_t set = jumpers(&ground);
    unsigned count = 0;
    if (set)
        return count_captures(&ground, set);
    for (unsigned direction = 0; direction < CHECKERS_DIRECTIONS; direction++)
        count += set_count(steppers(&ground, direction));
    return count;
}

HOT unsigned checkers_count(const void *setup, const void *position)
{
    (void)setup;
    return ((const struct head *)position)->turn == 0 ? count_moves(position, 0) : count_moves(position, 1);
}

/* Writes every way to end a capture from here on and answers the place behind; `kings` are the enemy's. */
static struct move *write_ways(const struct capture *capture, uint64_t kings, struct move *moves)
{
    bool goes_on = false;
    bool crowned = (capture->at & capture->crown) != 0;
    for (unsigned direction = capture->first; direction < capture->end && !crowned; direction++) {
        if (!jumpers_among(capture->at, capture->enemy, capture->empty, direction))
            continue;
        struct capture next = *capture;
        uint64_t taken = set_step(capture->at, direction);
        next.enemy &= ~taken;
        next.at = set_step(taken, direction);
        next.code |= (uint32_t)direction << (CHECKERS_WAY_AT + 2 * capture->jumps);
        next.jumps++;
        next.gain += taken & kings ? KING_GAIN : MAN_GAIN;
        moves = write_ways(&next, kings, moves);
        goes_on = true;
    }
    if (!goes_on)
        *moves++ = (struct move){capture->code | capture->jumps << CHECKERS_JUMPS_AT,
                                 capture->gain + (crowned ? CROWN_GAIN : 0)};
    return moves;
}

/* Writes the moves of all pieces that step in a direction. */
INLINE struct move *write_steps(const struct ground *ground, unsigned direction, struct move *moves)
{
    for (uint64_t set = steppers(ground, direction); set;) {
        unsigned bit = set_take(&set);
        uint64_t at = square_mask(bit);
        uint32_t code = (uint32_t)ground->seat << 30 | bit | direction << CHECKERS_WAY_AT;
        bool crowned = (set_step(at, direction) & crown_row(ground->seat)) != 0;
        *moves++ = (struct move){code, ground->kings & at ? 0 : crowned ? CROWN_GAIN : STEP_GAIN};
    }
    return moves;
}

/* Writes the moves of a seat and answers their number. */
INLINE int write_moves(const struct checkers_position *position, unsigned seat, struct move *moves)
{
    struct ground ground = ground_of(position, seat);
    struct move *end = moves;
    uint64_t set = jumpers(&ground);
    if (set) {
        while (set) {
            struct capture capture = capture_from(&ground, set_take(&set));
            end = write_ways(&capture, position->kings, end);
        }
        return (int)(end - moves);
    }
    for (unsigned direction = 0; direction < CHECKERS_DIRECTIONS; direction++)
        end = write_steps(&ground, direction, end);
    return (int)(end - moves);
}

int checkers_generate(const void *setup, const void *position, unsigned seat, struct move *moves)
{
    (void)setup;
    return seat == 0 ? write_moves(position, 0, moves) : write_moves(position, 1, moves);
}
