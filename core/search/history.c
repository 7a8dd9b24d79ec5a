// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/history.h"

#include <stdlib.h>

int history_bonus(const SearchParams *params, int depth) {
    const int bonus = depth * params->history_bonus_slope;
    return bonus < params->history_bonus_max ? bonus : params->history_bonus_max;
}

void history_add(int16_t *entry, int bonus) {
    *entry = (int16_t)(*entry + bonus - *entry * abs(bonus) / HISTORY_LIMIT);
}

void history_add_continuation(const Continuations before, PieceType type, int to, int bonus) {
    history_add(&(*before[0])[type][to], bonus);
    history_add(&(*before[1])[type][to], bonus);
    history_add(&(*before[3])[type][to], bonus);
}

void history_add_quiet(History *history, const Continuations before, Piece piece, int to,
                       int bonus) {
    history_add(&history->quiet[piece][to], bonus);
    history_add_continuation(before, piece_type(piece), to, bonus);
}

void history_add_capture(History *history, const Position *position, Move move, int bonus) {
    const Piece *board = position->board;
    const int from = move_from(move), to = move_to(move);
    history_add(&history->capture[board[from]][to][piece_type(board[to])], bonus);
}

// ---- correction history -------------------------------------------------------------------------

// Hashes two sets of squares. The factors are arbitrary odd numbers.
static uint64_t hash_squares(Bitboard a, Bitboard b) {
    return (uint64_t)a * UINT64_C(0x9e3779b97f4a7c15) ^
           (uint64_t)(a >> 64) * UINT64_C(0xc2b2ae3d27d4eb4f) ^
           (uint64_t)b * UINT64_C(0xd6e8feb86659fd93) ^
           (uint64_t)(b >> 64) * UINT64_C(0xa0761d6478bd642f);
}

static void correction_keys(const History *history, const Continuations before,
                            const Position *position, uint64_t keys[CORRECT_KINDS]) {
    // The index of a continuation history encodes the moved piece and the target square of the
    // previous move.
    const uint64_t last = (uint64_t)(before[0] - (ContinuationHistory *)history->continuation);
    const uint64_t second = (uint64_t)(before[1] - (ContinuationHistory *)history->continuation);
    keys[CORRECT_MOVE] = (last + 1) * UINT64_C(0x9e3779b97f4a7c15);
    keys[CORRECT_MOVES] =
        (last * PIECE_COUNT * SQUARE_COUNT + second + 1) * UINT64_C(0xd6e8feb86659fd93);
    const Bitboard *types = position->by_type, *sides = position->by_side;
    const Bitboard lines = types[CHARIOT] | types[CANNON];
    const Bitboard jumpers = types[HORSE] | types[CANNON];
    keys[CORRECT_SOLDIERS] =
        hash_squares(types[SOLDIER] & sides[RED], types[SOLDIER] & sides[BLACK]);
    keys[CORRECT_GUARDS] = hash_squares(types[ADVISOR] | types[ELEPHANT], types[GENERAL]);
    keys[CORRECT_RED_ATTACKERS] = hash_squares(lines & sides[RED], jumpers & sides[RED]);
    keys[CORRECT_BLACK_ATTACKERS] = hash_squares(lines & sides[BLACK], jumpers & sides[BLACK]);
}

int history_correction(const History *history, const Continuations before,
                       const Position *position) {
    uint64_t keys[CORRECT_KINDS];
    correction_keys(history, before, position, keys);
    int sum = 0;
    for (int i = 0; i < CORRECT_KINDS; i++) {
        sum += history->correction[i][position->stm][keys[i] >> (64 - CORRECTION_BITS)];
    }
    return sum;
}

void history_add_correction(History *history, const Continuations before, const Position *position,
                            int difference, int depth) {
    int bonus = difference * depth / 8;
    if (bonus > CORRECTION_LIMIT / 4) bonus = CORRECTION_LIMIT / 4;
    if (bonus < -CORRECTION_LIMIT / 4) bonus = -CORRECTION_LIMIT / 4;
    uint64_t keys[CORRECT_KINDS];
    correction_keys(history, before, position, keys);
    for (int i = 0; i < CORRECT_KINDS; i++) {
        int16_t *entry = &history->correction[i][position->stm][keys[i] >> (64 - CORRECTION_BITS)];
        *entry = (int16_t)(*entry + bonus - *entry * abs(bonus) / CORRECTION_LIMIT);
    }
}
