// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/eval/network.h"

#include <assert.h>
#include <string.h>

#include "core/board/attacks.h"

// ---- inputs -------------------------------------------------------------------------------------

static int point_seen(Side side, int mirrored, int square) {
    const int own = side == RED ? square : square_flip(square);
    return mirrored ? square_mirror(own) : own;
}

void network_places_init(NetworkPlaces *places) {
    int number = 0;
    // index of the input for each piece and square, as Red sees the board unmirrored
    uint16_t seen[PIECE_COUNT][SQUARE_COUNT] = {{0}};
    for (int piece = 0; piece < PIECE_COUNT; piece++) {
        const Side side = piece_side((Piece)piece);
        const PieceType type = piece_type((Piece)piece);
        if (type == NO_PIECE_TYPE || piece == piece_make(RED, GENERAL)) continue;
        for (int square = 0; square < SQUARE_COUNT; square++) {
            if (square_fits_piece(square, side, type)) seen[piece][square] = (uint16_t)number++;
        }
    }
    assert(number == NETWORK_PLACES);
    for (int piece = 0; piece < PIECE_COUNT; piece++) {
        for (int square = 0; square < SQUARE_COUNT; square++) {
            for (int mirrored = 0; mirrored < 2; mirrored++) {
                places->of[RED][mirrored][piece][square] =
                    seen[piece][point_seen(RED, mirrored, square)];
                places->of[BLACK][mirrored][piece][square] =
                    seen[piece ^ 8][point_seen(BLACK, mirrored, square)];
            }
        }
    }
}

int network_bucket(Side side, int general, int *mirrored) {
    const int file = square_file(general), rank = square_rank(general);
    *mirrored = file > FILE_COUNT / 2;
    return (side == RED ? rank : RANK_COUNT - 1 - rank) * 2 + (file == FILE_COUNT / 2);
}

// ---- the score ----------------------------------------------------------------------------------

ALWAYS_INLINE const UnsignedWide *wide(const int16_t *numbers) {
    return (const void *)numbers;
}

// Applies the changes of pieces to the accumulator of one side. The side's own general is not an
// input. Both positions have at most 31 inputs, so their sums fit in 16 bits (NETWORK_INPUT_MAX),
// but a sum between them may not: up to 31 inputs are added before others are subtracted. The
// arithmetic is unsigned, and the result is exact.
static void update(const Network *network, const NetworkChanges *changes, Side side, int general,
                   int16_t *sums) {
    int mirrored, gained = 0, lost = 0;
    const int units = network->units;
    const int16_t *rows =
        network->input + network_bucket(side, general, &mirrored) * NETWORK_PLACES * units;
    const uint16_t(*places)[SQUARE_COUNT] = network->places.of[side][mirrored];
    const Piece own = piece_make(side, GENERAL);
    const int16_t *gain[SQUARE_COUNT], *loss[SQUARE_COUNT];
    for (int i = 0; i < changes->count; i++) {
        const int square = changes->square[i];
        const Piece old = changes->old[i], new = changes->new[i];
        loss[lost] = rows + places[old][square] * units;
        lost += old != PIECE_NONE && old != own;
        gain[gained] = rows + places[new][square] * units;
        gained += new != PIECE_NONE &&new != own;
    }
    UnsignedWide *sum = (void *)sums;
    for (int w = 0; w < units / NETWORK_UNITS_STEP; w++) {
        UnsignedWide total = sum[w];
        for (int i = 0; i < gained; i++) total += wide(gain[i])[w];
        for (int i = 0; i < lost; i++) total -= wide(loss[i])[w];
        sum[w] = total;
    }
}

// Returns the accumulators of both sides, updated to the position.
static const NetworkSums *hidden(const Network *network, NetworkCache *cache,
                                 const Position *position, const IntQuad *table) {
    const int red = position->general[RED], black = position->general[BLACK];
    NetworkSums *sums = &cache->of[palace_point(red)][palace_point(black)];
    NetworkChanges changes;
    if (!sums->seen.known) { // The entry is new: start from an empty board.
        memset(sums, 0, sizeof *sums);
        for (int side = RED; side <= BLACK; side++) {
            memcpy(sums->sum[side], network->bias, sizeof network->bias);
        }
        sums->seen.known = true;
    }
    network_changes(&sums->seen, position, table, &changes);
    update(network, &changes, RED, red, sums->sum[RED]);
    update(network, &changes, BLACK, black, sums->sum[BLACK]);
    return sums;
}

// Returns the part of the output that comes from one accumulator: the sum over the hidden units of
// the output weight times the square of the clipped value.
static int32_t output_sum(const int16_t *restrict sum, const int16_t *restrict weights, int units) {
    int32_t total = 0;
    for (int i = 0; i < units; i++) {
        const int16_t low = sum[i] < 0 ? 0 : sum[i];
        const int16_t clipped = low > NETWORK_FINE * NETWORK_ONE ? NETWORK_FINE * NETWORK_ONE : low;
        const int16_t unit = (int16_t)((uint16_t)clipped / NETWORK_FINE);
        total += (int16_t)(unit * unit) * weights[i];
    }
    return total;
}

int network_score(const Network *network, NetworkCache *cache, const Position *position,
                  const IntQuad *table, IntQuad *places) {
    if (network->fairy) return fairy_score(network->fairy, cache->fairy, position);
    const Side us = (Side)position->stm;
    const int output = network_output(bb_count(position_occupied(position)));
    const int16_t *weights = network->output[output];
    const NetworkSums *sums = hidden(network, cache, position, table);
    if (table) *places = sums->seen.places;
    const int64_t sum =
        (int64_t)network->output_bias[output] + output_sum(sums->sum[us], weights, network->units) +
        output_sum(sums->sum[side_other(us)], weights + network->units, network->units);
    return (int)(sum / NETWORK_DIVISOR);
}
