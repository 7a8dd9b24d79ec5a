// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/eval/fairy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/board/attacks.h"
#include "core/board/bench_positions.h"

// ---- accumulators -------------------------------------------------------------------------------

int fairy_input(Side side, int general, Piece piece, int square) {
    static const int planes[PIECE_TYPE_COUNT] = {
        [CHARIOT] = 0, [ADVISOR] = 2,   [CANNON] = 4,  [SOLDIER] = 6,
        [HORSE] = 8,   [ELEPHANT] = 10, [GENERAL] = 12};
    const PieceType type = piece_type(piece);
    const int plane = planes[type] + (type != GENERAL && piece_side(piece) != side);
    const int own = palace_point(side == RED ? general : square_flip(general));
    const int seen = side == RED ? square : square_flip(square);
    return own * FAIRY_PLACES + plane * SQUARE_COUNT + seen;
}

// Applies the changes of pieces to the accumulator and the psqt sums of one side. The sums wrap
// round, as in Fairy-Stockfish. The psqt sums have at most 64 terms, so they fit in 32 bits.
static void update(const Fairy *fairy, const NetworkChanges *changes, Side side, int general,
                   FairySums *sums) {
    int gain[SQUARE_COUNT], loss[SQUARE_COUNT], gained = 0, lost = 0;
    for (int i = 0; i < changes->count; i++) {
        const int square = changes->square[i];
        const Piece old = changes->old[i], new = changes->new[i];
        if (old != PIECE_NONE) loss[lost++] = fairy_input(side, general, old, square);
        if (new != PIECE_NONE) gain[gained++] = fairy_input(side, general, new, square);
    }
    enum { WIDE = sizeof(UnsignedWide) / sizeof(int16_t), WIDES = FAIRY_UNITS / WIDE };
    const UnsignedWide *rows = (const void *)fairy->weight;
    const IntQuad *psqt = (const void *)fairy->psqt;
    UnsignedWide *sum = (void *)sums->sum[side];
    for (int w = 0; w < WIDES; w++) {
        UnsignedWide total = sum[w];
        for (int i = 0; i < gained; i++) total += rows[gain[i] * WIDES + w];
        for (int i = 0; i < lost; i++) total -= rows[loss[i] * WIDES + w];
        sum[w] = total;
    }
    for (int half = 0; half < 2; half++) {
        for (int i = 0; i < gained; i++) sums->psqt[side][half] += psqt[2 * gain[i] + half];
        for (int i = 0; i < lost; i++) sums->psqt[side][half] -= psqt[2 * loss[i] + half];
    }
}

// Returns the accumulators of both sides, updated to the position.
static const FairySums *updated(const Fairy *fairy, FairySums cache[PALACE_COUNT][PALACE_COUNT],
                                const Position *position) {
    const int red = position->general[RED], black = position->general[BLACK];
    FairySums *sums = &cache[palace_point(red)][palace_point(black)];
    NetworkChanges changes;
    if (!sums->seen.known) { // The entry is new: start from an empty board.
        memset(sums, 0, sizeof *sums);
        for (int side = RED; side <= BLACK; side++) {
            memcpy(sums->sum[side], fairy->bias, sizeof fairy->bias);
        }
        sums->seen.known = true;
    }
    network_changes(&sums->seen, position, NULL, &changes);
    update(fairy, &changes, RED, red, sums);
    update(fairy, &changes, BLACK, black, sums);
    return sums;
}

// ---- layers -------------------------------------------------------------------------------------

static void clamp_units(const int16_t *restrict sum, uint8_t *restrict unit) {
    for (int i = 0; i < FAIRY_UNITS; i++) {
        const int16_t low = sum[i] < 0 ? 0 : sum[i];
        unit[i] = (uint8_t)(low > FAIRY_ONE ? FAIRY_ONE : low);
    }
}

ALWAYS_INLINE int32_t dot(const uint8_t *restrict units, const int8_t *restrict weights,
                          int count) {
    int32_t total = 0;
    for (int i = 0; i < count; i++) total += units[i] * weights[i];
    return total;
}

static uint8_t clamp_sum(int32_t sum) {
    const int32_t value = sum >> FAIRY_SHIFT;
    return (uint8_t)(value < 0 ? 0 : value > FAIRY_ONE ? FAIRY_ONE : value);
}

// Computes the sums of four units of the first layer in one loop: its vectors then form four
// independent chains of additions.
static void four_sums(const uint8_t *restrict units,
                      const int8_t (*restrict weights)[2 * FAIRY_UNITS], int32_t *restrict sums) {
    int32_t a = 0, b = 0, c = 0, d = 0;
    for (int i = 0; i < 2 * FAIRY_UNITS; i++) {
        a += units[i] * weights[0][i];
        b += units[i] * weights[1][i];
        c += units[i] * weights[2][i];
        d += units[i] * weights[3][i];
    }
    sums[0] += a;
    sums[1] += b;
    sums[2] += c;
    sums[3] += d;
}

// Computes the units of both small layers.
ALWAYS_INLINE void stack_units(const FairyStack *stack, const uint8_t units[2 * FAIRY_UNITS],
                               uint8_t first[FAIRY_FIRST], uint8_t second[FAIRY_SECOND]) {
    int32_t sums[FAIRY_FIRST];
    memcpy(sums, stack->first_bias, sizeof sums);
    for (int i = 0; i < FAIRY_FIRST; i += 4) four_sums(units, stack->first + i, sums + i);
    for (int i = 0; i < FAIRY_FIRST; i++) first[i] = clamp_sum(sums[i]);
    for (int i = 0; i < FAIRY_SECOND; i++) {
        second[i] = clamp_sum(stack->second_bias[i] + dot(first, stack->second[i], FAIRY_FIRST));
    }
}

static int32_t stack_output(const FairyStack *stack, const uint8_t units[2 * FAIRY_UNITS]) {
    uint8_t first[FAIRY_FIRST], second[FAIRY_SECOND];
    stack_units(stack, units, first, second);
    return stack->output_bias + dot(second, stack->output, FAIRY_SECOND);
}

static int32_t stack_psqt(const FairySums *sums, Side us, int stack) {
    const int quad = stack / 4, lane = stack % 4;
    return (sums->psqt[us][quad][lane] - sums->psqt[side_other(us)][quad][lane]) / 2;
}

// Returns the sums of a position. Sets `units` to the units of both views, the side to move first.
static const FairySums *sums_and_units(const Fairy *fairy,
                                       FairySums cache[PALACE_COUNT][PALACE_COUNT],
                                       const Position *position, uint8_t units[2 * FAIRY_UNITS]) {
    const Side us = (Side)position->stm;
    const FairySums *sums = updated(fairy, cache, position);
    clamp_units(sums->sum[us], units);
    clamp_units(sums->sum[side_other(us)], units + FAIRY_UNITS);
    return sums;
}

// Returns the value for the side to move, in units of Fairy-Stockfish.
static int64_t value(const Fairy *fairy, FairySums cache[PALACE_COUNT][PALACE_COUNT],
                     const Position *position) {
    _Alignas(64) uint8_t units[2 * FAIRY_UNITS];
    const Side us = (Side)position->stm;
    const int stack = fairy_stack(bb_count(position_occupied(position)));
    const FairySums *sums = sums_and_units(fairy, cache, position, units);
    const int64_t psqt = stack_psqt(sums, us, stack);
    return (psqt + stack_output(&fairy->stack[stack], units)) / FAIRY_FINE;
}

int fairy_score(const Fairy *fairy, FairySums cache[PALACE_COUNT][PALACE_COUNT],
                const Position *position) {
    const int64_t score = value(fairy, cache, position) * fairy->ratio / fairy->ratio_of;
    return (int)(score > FAIRY_SCORE_MAX    ? FAIRY_SCORE_MAX
                 : score < -FAIRY_SCORE_MAX ? -FAIRY_SCORE_MAX
                                            : score);
}

void fairy_parts(const Fairy *fairy, FairySums cache[PALACE_COUNT][PALACE_COUNT],
                 const Position *position, FairyParts *parts) {
    _Alignas(64) uint8_t units[2 * FAIRY_UNITS];
    const Side us = (Side)position->stm;
    const FairySums *sums = sums_and_units(fairy, cache, position, units);
    for (int stack = 0; stack < FAIRY_STACKS; stack++) {
        parts->psqt[stack] = stack_psqt(sums, us, stack);
        parts->output[stack] = stack_output(&fairy->stack[stack], units);
    }
}

void fairy_trace(const Fairy *fairy, FairySums cache[PALACE_COUNT][PALACE_COUNT],
                 const Position *position, FairyTrace *trace) {
    _Alignas(64) uint8_t units[2 * FAIRY_UNITS];
    const Side us = (Side)position->stm;
    const FairySums *sums = sums_and_units(fairy, cache, position, units);
    trace->sum[0] = sums->sum[us];
    trace->sum[1] = sums->sum[side_other(us)];
    trace->stack = fairy_stack(bb_count(position_occupied(position)));
    stack_units(&fairy->stack[trace->stack], units, trace->first, trace->second);
}

// ---- units of the score -------------------------------------------------------------------------

// The ratio sets the value of a chariot to 900 of our units. If the value of a chariot is not
// between CHARIOT_MIN and CHARIOT_MAX, the ratio is that of Fairy-Stockfish's UCI scores, in which
// 208 of its units are 100 centipawns.
enum {
    CHARIOT_VALUE = 900,
    CHARIOT_MIN = 200,
    CHARIOT_MAX = 4000,
    UCI_RATIO = 100,
    UCI_RATIO_OF = 208
};

void fairy_calibrate(Fairy *fairy) {
    AUTO_FREE FairySums *cache = memory_aligned(64, PALACE_COUNT * PALACE_COUNT * sizeof *cache);
    FairySums(*rows)[PALACE_COUNT] = (void *)cache;
    int64_t sum = 0, count = 0;
    memset(cache, 0, PALACE_COUNT * PALACE_COUNT * sizeof *cache);
    for (size_t i = 0; i < BENCH_POSITION_COUNT; i++) {
        Position with, without;
        if (position_from_fen(&with, bench_fens[i], NULL) != STATUS_OK) continue;
        Bitboard chariots = with.by_type[CHARIOT];
        while (chariots) {
            const int square = bb_pop(&chariots);
            const Piece piece = with.board[square];
            without = with;
            position_toggle(&without, piece, square);
            const int sign = piece_side(piece) == with.stm ? 1 : -1;
            sum += sign * (value(fairy, rows, &with) - value(fairy, rows, &without));
            count++;
        }
    }
    fairy->chariot = (double)sum / (double)count;
    fairy->calibrated = fairy->chariot >= CHARIOT_MIN && fairy->chariot <= CHARIOT_MAX;
    fairy->ratio = fairy->calibrated ? (int)lround(CHARIOT_VALUE * FAIRY_RATIO_OF / fairy->chariot)
                                     : UCI_RATIO;
    fairy->ratio_of = fairy->calibrated ? FAIRY_RATIO_OF : UCI_RATIO_OF;
}
