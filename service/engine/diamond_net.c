#include "diamond_net.h"

#include <string.h>

#include "hot.h"

void diamond_net_settle(const struct diamond *setup, struct diamond_position *position)
{
    memset(position->unit, 0, sizeof position->unit);
    if (position->players != 2)
        return;
    for (unsigned view = 0; view < 2; view++) {
        int16_t *unit = position->unit[view];
        memcpy(unit, diamond_net_bias, sizeof diamond_net_bias);
        for (unsigned seat = 0; seat < 2; seat++)
            for (mask pieces = diamond_pieces(position, seat); pieces;) {
                unsigned id = mask_take(&pieces);
                const int16_t *more = diamond_net_in[diamond_input(setup, view, seat, position->king[seat] == id, id)];
                for (int n = 0; n < DIAMOND_HIDDEN; n++)
                    unit[n] = (int16_t)(unit[n] + more[n]);
            }
    }
}

/* What the units of one view add up to. */
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

HOT int diamond_net_value(const struct diamond_position *position)
{
    unsigned mover = position->head.turn;
    int32_t sum = output(position->unit[mover], diamond_net_out[0]) +
                  output(position->unit[1 - mover], diamond_net_out[1]);
    return sum / DIAMOND_UNIT_FULL + diamond_net_tempo;
}

HOT int diamond_net_after(const struct diamond *setup, const struct diamond_position *position,
                                  unsigned seat, uint32_t code)
{
    unsigned from = code & 0x7f, to = code >> 7 & 0x7f;
    bool king = position->king[seat] == from;
    int32_t sum = 0;
    for (unsigned view = 0; view < 2; view++) {
        const int16_t *more = diamond_net_in[diamond_input(setup, view, seat, king, to)];
        const int16_t *less = diamond_net_in[diamond_input(setup, view, seat, king, from)];
        int16_t unit[DIAMOND_HIDDEN];
        for (int n = 0; n < DIAMOND_HIDDEN; n++)
            unit[n] = (int16_t)(position->unit[view][n] + more[n] - less[n]);
        sum += output(unit, diamond_net_out[view == seat]);
    }
    return -(sum / DIAMOND_UNIT_FULL + diamond_net_tempo);
}
