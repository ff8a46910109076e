#include "diamond_net.h"

#include <string.h>

#include "hot.h"

void diamond_net_settle(const struct diamond *setup, struct diamond_position *position)
{
    unsigned players = position->players;
    memset(position->accumulator, 0, sizeof position->accumulator);
    for (unsigned viewer = 0; viewer < players; viewer++) {
        int16_t *unit = position->accumulator[viewer];
        memcpy(unit, players == 2 ? diamond_two_bias : diamond_three_bias, sizeof diamond_two_bias);
        for (unsigned seat = 0; seat < players; seat++)
            for (mask pieces = diamond_pieces(position, seat); pieces;) {
                unsigned id = mask_take(&pieces);
                const int16_t *more = diamond_net_row(setup, players, viewer, seat, position->king[seat] == id, id);
                for (int n = 0; n < DIAMOND_HIDDEN; n++)
                    unit[n] = (int16_t)(unit[n] + more[n]);
            }
    }
}

/* What the units of one perspective add up to. */
INLINE int32_t output(const int16_t unit[DIAMOND_HIDDEN], const int16_t out[DIAMOND_HIDDEN])
{
    int32_t sum = 0;
    for (int n = 0; n < DIAMOND_HIDDEN; n++) {
        int16_t cut = unit[n] < 0 ? 0 : unit[n];
        cut = cut > DIAMOND_UNIT_FULL ? DIAMOND_UNIT_FULL : cut;
        sum += (int32_t)cut * out[n];
    }
    return sum;
}

/* A number between those of two phases. */
INLINE int32_t between(struct diamond_phase phase, int32_t before, int32_t next)
{
    return before + (next - before) * phase.share / DIAMOND_SHARE_FULL;
}

/* The value of a game for two by what the mover and the other see. */
INLINE int value_of_two(struct diamond_phase phase, const int16_t mover[DIAMOND_HIDDEN],
                        const int16_t other[DIAMOND_HIDDEN])
{
    int32_t value[2];
    for (int n = 0; n < 2; n++) {
        const int16_t (*out)[DIAMOND_HIDDEN] = diamond_two_out[phase.before + n];
        value[n] = (output(mover, out[0]) + output(other, out[1])) / DIAMOND_UNIT_FULL +
                   diamond_two_tempo[phase.before + n];
    }
    return between(phase, value[0], value[1]);
}

HOT int diamond_net_value(const struct diamond_position *position)
{
    unsigned mover = position->head.turn;
    struct diamond_phase phase = diamond_phase_of(position->worth[0] + position->worth[1], 2);
    return value_of_two(phase, position->accumulator[mover], position->accumulator[1 - mover]);
}

/* The phase after a move. */
INLINE struct diamond_phase phase_after(const struct diamond *setup, const struct diamond_position *position,
                                        unsigned seat, uint32_t code)
{
    const int32_t *worth = position->king[seat] == move_from(code) ? setup->king_worth[seat] : setup->man_worth[seat];
    int gain = worth[move_to(code)] - worth[move_from(code)];
    return diamond_phase_of(position->worth[0] + position->worth[1] + position->worth[2] + gain, position->players);
}

/* Writes the sums of a viewer's units after a move. */
INLINE void units_after(const struct diamond *setup, const struct diamond_position *position, unsigned viewer,
                        unsigned seat, uint32_t code, int16_t unit[DIAMOND_HIDDEN])
{
    unsigned from = move_from(code), players = position->players;
    bool king = position->king[seat] == from;
    const int16_t *more = diamond_net_row(setup, players, viewer, seat, king, move_to(code));
    const int16_t *less = diamond_net_row(setup, players, viewer, seat, king, from);
    for (int n = 0; n < DIAMOND_HIDDEN; n++)
        unit[n] = (int16_t)(position->accumulator[viewer][n] + more[n] - less[n]);
}

HOT int diamond_net_after(const struct diamond *setup, const struct diamond_position *position,
                                  unsigned seat, uint32_t code)
{
    int16_t unit[2][DIAMOND_HIDDEN];
    for (unsigned viewer = 0; viewer < 2; viewer++)
        units_after(setup, position, viewer, seat, code, unit[viewer]);
    return -value_of_two(phase_after(setup, position, seat, code), unit[1 - seat], unit[seat]);
}

/* The value of a game for three by what a seat sees. */
INLINE int value_of_three(struct diamond_phase phase, const int16_t unit[DIAMOND_HIDDEN])
{
    int32_t value[2];
    for (int n = 0; n < 2; n++)
        value[n] = output(unit, diamond_three_out[phase.before + n][0]) / DIAMOND_UNIT_FULL +
                   diamond_three_base[phase.before + n];
    return between(phase, value[0], value[1]);
}

HOT int diamond_net_of_three(const struct diamond_position *position, unsigned seat)
{
    int worth = position->worth[0] + position->worth[1] + position->worth[2];
    return value_of_three(diamond_phase_of(worth, DIAMOND_SEATS), position->accumulator[seat]);
}

HOT int diamond_net_of_three_after(const struct diamond *setup, const struct diamond_position *position, unsigned seat,
                                   uint32_t code)
{
    int16_t unit[DIAMOND_HIDDEN];
    units_after(setup, position, seat, seat, code, unit);
    return value_of_three(phase_after(setup, position, seat, code), unit);
}
