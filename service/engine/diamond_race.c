/* Looks for the shortest way home of one seat, the others standing still: a beam search. Layer n holds positions after
 * n moves, each once however its moves were ordered; those that seem nearest to home, at most `width`, are played on.
 * The first layer with a way to the goal ends it. Beams grow by steps, so that an answer is there early. */
#include "diamond_race.h"

#include <stdlib.h>
#include <string.h>

#include "diamond_moves.h"

enum {
    WIDTH_FIRST = 8,  /* of the first beam */
    WIDTH_GROWS = 4,  /* by so many times each */
    WIDTH_SURE = 512, /* of the last beam when those that were asked for have found no way, or a poor one */
    POOR = 2,         /* a way is poor that takes more than so many times the least moves */
    FANOUT = 32,      /* places for new positions, times the width */
    ROW = 100,        /* what a row counts on the way home, in hundredths of a step */
    ASIDE = 30,       /* a point away from the row's middle */
    APEX_MAN = 150,   /* a man on the apex */
    APEX_KING = 100,  /* the king there, which shortens the way */
};

/* A position that a move leads to, not played yet. */
struct successor {
    uint64_t key;    /* hash of the pieces */
    int32_t estimate;/* see `estimate_of`, of all pieces of the seat */
    uint32_t code;   /* the move */
    uint32_t parent; /* place in the layer that it comes from */
};

/* Where a position of a layer came from. */
struct back {
    uint32_t code;   /* the move */
    uint32_t parent; /* place in the layer before */
};

/* A position of a layer. */
struct node {
    _Alignas(16) struct diamond_position position; /* the position */
    uint64_t key;                                  /* hash of the pieces */
    int32_t estimate;                              /* see `estimate_of`, of all pieces of the seat */
};

/* One beam. */
struct beam {
    const struct diamond *setup;      /* rules */
    const struct race_query *query;   /* what is asked */
    uint32_t width;                   /* positions kept in a layer */
    int moves_most;                   /* longer ways are of no use */
    bool cut;                         /* whether any position was left out for want of width so far */
    bool stopped;                     /* whether the asker ended the work */
    uint32_t count;                   /* positions in the present layer */
    struct node *nodes;               /* the present layer, `width` places */
    struct node *next;                /* room for the next */
    uint32_t found;                   /* new positions found so far */
    struct successor *successors;     /* `FANOUT` times `width` places */
    uint32_t *slots;                  /* by hash: a successor's place + 1, or 0; a power of two */
    uint32_t slots_mask;              /* how many, less 1 */
    uint64_t *seen;                   /* by hash: the key of a position kept so far, or 0; a power of two */
    uint32_t seen_mask;               /* how many, less 1 */
    struct back *backs;               /* by layer and place, `width` a layer */
    unsigned char *memory;            /* what all this lies in */
};

/* The least power of two that is not below `number`. */
static uint32_t power_of_two(uint32_t number)
{
    uint32_t power = 1;
    while (power < number)
        power *= 2;
    return power;
}

/* Takes memory for a beam; false when there is none. */
static bool open_beam(struct beam *beam)
{
    size_t width = beam->width;
    uint32_t slots = power_of_two(2 * FANOUT * beam->width);
    uint32_t seen = power_of_two(2 * ENGINE_RACE_MOVES_MAX * beam->width);
    size_t layer = width * sizeof *beam->nodes;
    size_t sizes[] = {layer, layer, FANOUT * width * sizeof *beam->successors, slots * sizeof *beam->slots,
                      seen * sizeof *beam->seen, ENGINE_RACE_MOVES_MAX * width * sizeof *beam->backs};
    void **parts[] = {(void **)&beam->nodes, (void **)&beam->next, (void **)&beam->successors,
                      (void **)&beam->slots, (void **)&beam->seen, (void **)&beam->backs};
    size_t all = 0;
    for (int part = 0; part < 6; part++)
        all += (sizes[part] + 15) / 16 * 16;
    unsigned char *place = beam->memory = aligned_alloc(16, all);
    if (!place)
        return false;
    for (int part = 0; part < 6; part++) {
        *parts[part] = place;
        place += (sizes[part] + 15) / 16 * 16;
    }
    beam->slots_mask = slots - 1;
    beam->seen_mask = seen - 1;
    memset(beam->seen, 0, seen * sizeof *beam->seen);
    return true;
}

/* Whether the position has been kept before; notes it if not. */
static bool was_seen(struct beam *beam, uint64_t key)
{
    uint32_t slot = (uint32_t)(key >> 20) & beam->seen_mask;
    for (; beam->seen[slot]; slot = (slot + 1) & beam->seen_mask)
        if (beam->seen[slot] == key)
            return true;
    beam->seen[slot] = key;
    return false;
}

/* No fewer moves bring the seat home: each fills one empty point of the target at most, and who is at the wrong place
 * in there has to move besides. `empty` is the number of empty points. */
static int moves_least(const struct diamond *setup, unsigned seat, int empty, mask men, unsigned king)
{
    unsigned apex = setup->apex[seat];
    bool king_inside = king != apex && (setup->target[seat] >> king & 1);
    return empty + king_inside + (int)(men >> apex & 1);
}

/* The same after a move of the position. */
static int moves_least_after(const struct beam *beam, const struct diamond_position *position, uint32_t code)
{
    const struct diamond *setup = beam->setup;
    unsigned seat = beam->query->seat, from = move_from(code), to = move_to(code), king = position->king[seat];
    mask target = setup->target[seat], men = position->men[seat];
    int empty = (int)mask_count(target & ~diamond_occupied(position));
    empty += (int)(target >> from & 1) - (int)(target >> to & 1);
    if (king == from)
        return moves_least(setup, seat, empty, men, to);
    return moves_least(setup, seat, empty, men ^ (mask_of(from) | mask_of(to)), king);
}

/* How far a piece has to go, two estimates added: its worth on the point, which was fitted to games against somebody;
 * and plain distance, the rows to the apex and a share of the way to the row's middle. Either alone finds longer ways:
 * by a width of 512 from the start 44 and 37 moves, together 36. */
static int32_t estimate_of(const struct diamond *setup, unsigned seat, bool king, unsigned id)
{
    int32_t worth = (king ? setup->king_worth : setup->man_worth)[seat][id];
    int32_t estimate = ROW * (DIAMOND_ROWS - 1 - setup->row[seat][id]) + ASIDE * (setup->aside[seat][id] / 2);
    if (id == setup->apex[seat])
        estimate += king ? -APEX_KING : APEX_MAN;
    return estimate - worth;
}

/* Notes where a move leads, unless that is known. */
static void add_successor(struct beam *beam, uint32_t parent, struct move move)
{
    const struct node *node = &beam->nodes[parent];
    const struct diamond *setup = beam->setup;
    unsigned seat = beam->query->seat, from = move_from(move.code), to = move_to(move.code);
    bool king = node->position.king[seat] == from;
    const uint64_t *keys = king ? setup->king_key[seat] : setup->man_key[seat];
    uint64_t key = node->key ^ keys[from] ^ keys[to];
    uint32_t slot = (uint32_t)(key >> 20) & beam->slots_mask;
    for (; beam->slots[slot]; slot = (slot + 1) & beam->slots_mask)
        if (beam->successors[beam->slots[slot] - 1].key == key)
            return;
    if (beam->found == FANOUT * beam->width) {
        beam->cut = true;
        return;
    }
    int32_t estimate = node->estimate - estimate_of(setup, seat, king, from) + estimate_of(setup, seat, king, to);
    beam->successors[beam->found] = (struct successor){key, estimate, move.code, parent};
    beam->slots[slot] = ++beam->found;
}

/* Writes a way that ends with `code` played from a place in layer `layer`. */
static void write_line(const struct beam *beam, int layer, uint32_t place, uint32_t code, struct race_line *way)
{
    way->moves = layer + 1;
    way->play[layer] = code;
    for (; layer > 0; layer--) {
        const struct back *back = &beam->backs[(size_t)layer * beam->width + place];
        way->play[layer - 1] = back->code;
        place = back->parent;
    }
}

/* Finds where the positions of layer `layer` lead; true when one leads home. */
static bool expand(struct beam *beam, int layer, struct race_line *way)
{
    struct move moves[ENGINE_MOVES_MAX];
    const struct asker *asker = beam->query->asker;
    beam->found = 0;
    memset(beam->slots, 0, (beam->slots_mask + 1) * sizeof *beam->slots);
    for (uint32_t place = 0; place < beam->count; place++) {
        const struct diamond_position *position = &beam->nodes[place].position;
        int count = diamond_generate(beam->setup, position, beam->query->seat, moves);
        for (int n = 0; n < count; n++) {
            if (moves[n].gain >= ENGINE_GAIN_WINS) {
                write_line(beam, layer, place, moves[n].code, way);
                return true;
            }
            if (layer + 1 + moves_least_after(beam, position, moves[n].code) <= beam->moves_most)
                add_successor(beam, place, moves[n]);
        }
        if (asker && !asker->go_on(asker->memory)) {
            beam->stopped = true;
            return false;
        }
    }
    return false;
}

/* Whether one successor is to be kept rather than another. */
static bool is_better(const struct successor *one, const struct successor *other)
{
    return one->estimate != other->estimate ? one->estimate < other->estimate : one->key > other->key;
}

/* Brings the `width` best successors to the front (quickselect). */
static void select_best(struct beam *beam)
{
    struct successor *successors = beam->successors;
    uint32_t first = 0, last = beam->found - 1; /* only called with more than `width` successors */
    while (first < last) {
        struct successor pivot = successors[first + (last - first) / 2];
        uint32_t low = first, high = last;
        for (;;) {
            while (is_better(&successors[low], &pivot))
                low++;
            while (is_better(&pivot, &successors[high]))
                high--;
            if (low >= high)
                break;
            struct successor swapped = successors[low];
            successors[low++] = successors[high];
            successors[high--] = swapped;
        }
        if (high + 1 <= beam->width)
            first = high + 1;
        else
            last = high;
    }
}

/* Plays the best successors: they are the next layer, number `layer`. */
static void next_layer(struct beam *beam, int layer)
{
    uint32_t kept = 0, wanted = beam->found;
    if (wanted > beam->width) {
        select_best(beam);
        wanted = beam->width;
        beam->cut = true;
    }
    for (uint32_t n = 0; n < wanted; n++) {
        const struct successor *successor = &beam->successors[n];
        struct node *node = &beam->next[kept];
        if (was_seen(beam, successor->key))
            continue;
        *node = beam->nodes[successor->parent];
        node->key = successor->key;
        node->estimate = successor->estimate;
        diamond_play(beam->setup, &node->position, successor->code);
        beam->backs[(size_t)layer * beam->width + kept++] = (struct back){successor->code, successor->parent};
    }
    struct node *old = beam->nodes;
    beam->nodes = beam->next;
    beam->next = old;
    beam->count = kept;
}

/* The moves that a seat can still make before the draw limit, and no more than ENGINE_RACE_MOVES_MAX. */
static int moves_left(const struct diamond *setup, const struct diamond_position *position)
{
    int seats = __builtin_popcount(position->head.in_play);
    int plies = setup->draw_plies_per_seat * position->players - position->head.ply;
    int moves = (plies + seats - 1) / seats;
    return moves < ENGINE_RACE_MOVES_MAX ? moves : ENGINE_RACE_MOVES_MAX;
}

/* Runs one beam from a position. A way that is found is shorter than the one before. Where nothing was left out, the
 * shortest way is proven. */
static void run_beam(struct beam *beam, const struct diamond_position *position, struct race_line *way)
{
    bool found = false;
    beam->nodes[0].position = *position;
    beam->nodes[0].key = 1;
    beam->nodes[0].estimate = 0;
    beam->count = 1;
    was_seen(beam, 1);
    for (int layer = 0; layer < beam->moves_most && beam->count && !found; layer++) {
        found = expand(beam, layer, way);
        if (beam->stopped)
            return;
        if (!found)
            next_layer(beam, layer + 1);
    }
    if (!beam->cut && way->moves)
        way->least = way->moves;
}

/* Whether to look on with a wider beam than `width`: up to the one that was asked for while a shorter way may be found,
 * and further while there is none or a poor one. A narrow beam may lose the men that stay behind. */
static bool is_due(const struct race_query *query, const struct race_line *way, uint32_t width)
{
    if (!way->moves || way->moves > POOR * way->least)
        return width < query->width || width < WIDTH_SURE;
    return width < query->width && way->moves > way->least;
}

/* The width of the beam after one of `width`, 0 before the first. */
static uint32_t next_width(const struct race_query *query, uint32_t width)
{
    uint32_t next = width ? width * WIDTH_GROWS : WIDTH_FIRST, most = width < query->width ? query->width : WIDTH_SURE;
    return next < most ? next : most;
}

int diamond_race_solve(const void *memory, const void *board, const struct race_query *query, struct race_line *way)
{
    const struct diamond_position *position = board;
    const struct diamond *setup = memory;
    unsigned seat = query->seat;
    int empty = (int)mask_count(setup->target[seat] & ~diamond_occupied(position));
    int least = moves_least(setup, seat, empty, position->men[seat], position->king[seat]);
    *way = (struct race_line){.least = least};
    for (uint32_t width = 0; is_due(query, way, width);) {
        width = next_width(query, width);
        struct beam beam = {.setup = setup, .query = query, .width = width};
        beam.moves_most = way->moves ? way->moves - 1 : moves_left(setup, position);
        if (!open_beam(&beam))
            break;
        run_beam(&beam, position, way);
        free(beam.memory);
        if (beam.stopped || (!beam.cut && !way->moves))
            break;
    }
    return way->moves;
}

/* Whether a seat's piece may still meet one of another seat's: neither has passed the other. A piece has passed one
 * that is not as far on, as its own seat counts rows. */
static bool may_meet(const struct diamond *setup, unsigned seat, unsigned other, unsigned piece, mask others)
{
    while (others) {
        unsigned id = mask_take(&others);
        if (setup->row[seat][piece] <= setup->row[seat][id] && setup->row[other][id] <= setup->row[other][piece])
            return true;
    }
    return false;
}

bool diamond_is_race(const void *memory, const void *board)
{
    const struct diamond *setup = memory;
    const struct diamond_position *position = board;
    unsigned seat = position->head.turn;
    for (unsigned other = 0; other < position->players; other++) {
        if (other == seat || !(position->head.in_play >> other & 1))
            continue;
        for (mask pieces = diamond_pieces(position, seat); pieces;)
            if (may_meet(setup, seat, other, mask_take(&pieces), diamond_pieces(position, other)))
                return false;
    }
    return true;
}
