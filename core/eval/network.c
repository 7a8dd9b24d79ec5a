// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/eval/network.h"

#include <string.h>

#include "core/base/memory.h"
#include "core/board/attacks.h"

// ---- inputs -------------------------------------------------------------------------------------

static int point_seen(Side side, int mirrored, int square) {
    const int own = side == RED ? square : square_flip(square);
    return mirrored ? square_mirror(own) : own;
}

void network_places_init(NetworkPlaces *places) {
    int number = 0;
    uint16_t seen[PIECE_COUNT][SQUARE_COUNT] = {{0}}; // as Red sees them
    for (int piece = 0; piece < PIECE_COUNT; piece++) {
        const Side side = piece_side((Piece)piece);
        const PieceType type = piece_type((Piece)piece);
        if (type == NO_PIECE_TYPE || piece == piece_make(RED, GENERAL)) continue;
        for (int square = 0; square < SQUARE_COUNT; square++) {
            if (square_fits_piece(square, side, type)) seen[piece][square] = (uint16_t)number++;
        }
    }
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

// Inputs that a sum gains and loses: at most each point has one of both.
typedef struct Changes {
    int gained, lost;
    const int16_t *gain[SQUARE_COUNT], *loss[SQUARE_COUNT];
} Changes;

// From the board of the sums to this one.
static void find_changes(const Network *network, NetworkSums *sums, const Position *position,
                         Side side, Changes *changes) {
    const int general = position->general[side];
    int mirrored;
    const int bucket = network_bucket(side, general, &mirrored);
    const int16_t *rows = network->input + bucket * NETWORK_PLACES * network->units;
    const uint16_t(*places)[SQUARE_COUNT] = network->places.of[side][mirrored];
    Piece now[sizeof sums->board] = {0};
    memcpy(now, position->board, sizeof position->board);
    now[general] = PIECE_NONE; // the bucket says where it is
    changes->gained = changes->lost = 0;
    for (size_t at = 0; at < sizeof now; at += sizeof(uint64_t)) {
        uint64_t before, after;
        memcpy(&before, sums->board + at, sizeof before);
        memcpy(&after, now + at, sizeof after);
        for (uint64_t differ = before ^ after; differ;) {
            const int byte = bits_lowest64(differ) / 8, square = (int)at + byte;
            const Piece old = sums->board[square], new = now[square];
            differ &= ~((uint64_t)UINT8_MAX << 8 * byte);
            if (old) changes->loss[changes->lost++] = rows + places[old][square] * network->units;
            if (new) changes->gain[changes->gained++] = rows + places[new][square] * network->units;
        }
    }
    memcpy(sums->board, now, sizeof now);
}

ALWAYS_INLINE const ShortWide *wide(const int16_t *numbers) {
    return (const void *)numbers;
}

// The hidden sums of a side.
static const int16_t *hidden(const Network *network, NetworkCache *cache, const Position *position,
                             Side side) {
    const int general = position->general[side], rank = square_rank(general);
    NetworkSums *sums = &cache->of[side][rank % 7 * 3 + square_file(general) - 3];
    Changes changes;
    if (!sums->known) {
        memset(sums->board, 0, sizeof sums->board);
        memcpy(sums->sum, network->bias, sizeof sums->sum);
        sums->known = true;
    }
    find_changes(network, sums, position, side, &changes);
    ShortWide *sum = (void *)sums->sum;
    for (int w = 0; w < network->units / NETWORK_UNITS_STEP; w++) {
        ShortWide total = sum[w];
        for (int i = 0; i < changes.gained; i++) total += wide(changes.gain[i])[w];
        for (int i = 0; i < changes.lost; i++) total -= wide(changes.loss[i])[w];
        sum[w] = total;
    }
    return sums->sum;
}

// Clipped and squared units times weights.
static int32_t output_sum(const int16_t *restrict sum, const int16_t *restrict weights, int units) {
    int32_t total = 0;
    for (int i = 0; i < units; i++) {
        const int16_t low = sum[i] < 0 ? 0 : sum[i];
        const int16_t unit = low > NETWORK_ONE ? NETWORK_ONE : low;
        total += (int16_t)(unit * unit) * weights[i];
    }
    return total;
}

int network_score(const Network *network, NetworkCache *cache, const Position *position) {
    const Side us = (Side)position->stm;
    const int output = network_output(bb_count(position_occupied(position)));
    const int16_t *weights = network->output[output];
    const int16_t *own = hidden(network, cache, position, us);
    const int16_t *their = hidden(network, cache, position, side_other(us));
    const int32_t sum = network->output_bias[output] + output_sum(own, weights, network->units) +
                        output_sum(their, weights + network->units, network->units);
    return sum / NETWORK_DIVISOR;
}
