// SPDX-License-Identifier: GPL-3.0-or-later
// Histories: statistics of moves that caused beta cutoffs. They order the moves and steer pruning
// and reductions. The correction history adjusts the static evaluation.
#pragma once

#include "core/board/position.h"
#include "core/search/search_params.h"

enum {
    HISTORY_LIMIT = 16384,  // every entry stays within +-HISTORY_LIMIT
    LOW_PLY_COUNT = 4,      // plies from the root that have a history of their own
    CONTINUATION_PLIES = 4, // earlier moves that a node keeps: 1 to 4 plies back
    CORRECTION_BITS = 13,   // 2^13 entries of each kind and side
    CORRECTION_LIMIT = 1024,
};

// A property of positions; those with the same property share an entry of the correction history.
typedef enum CorrectionKind {
    CORRECT_SOLDIERS,      // squares of the soldiers
    CORRECT_GUARDS,        // squares of generals, advisors and elephants
    CORRECT_RED_ATTACKERS, // squares of Red's chariots, cannons and horses
    CORRECT_BLACK_ATTACKERS,
    CORRECT_MOVE,  // the previous move
    CORRECT_MOVES, // the two previous moves
    CORRECT_KINDS,
} CorrectionKind;

// Continuation history of one earlier move: by piece type and target of the move that is judged.
typedef int16_t ContinuationHistory[PIECE_TYPE_COUNT][SQUARE_COUNT];

// About 2 MB; all entries begin at zero.
typedef struct History {
    int16_t quiet[PIECE_COUNT][SQUARE_COUNT]; // main history: by piece and target
    int16_t capture[PIECE_COUNT][SQUARE_COUNT][PIECE_TYPE_COUNT]; // also by captured type
    Move countermove[PIECE_COUNT][SQUARE_COUNT]; // refutation of a move, by its piece and target
    // Indexed by piece and target of the earlier move; [PIECE_NONE][0] if there was no such move.
    ContinuationHistory continuation[PIECE_COUNT][SQUARE_COUNT];
    int16_t correction[CORRECT_KINDS][SIDE_COUNT][1 << CORRECTION_BITS]; // indexed by side to move
} History;

// The continuation histories of the moves before a position. Entry i belongs to the move i + 1
// plies back.
typedef ContinuationHistory *Continuations[CONTINUATION_PLIES];

// Returns the history bonus of a move that caused a beta cutoff at this depth. The moves that were
// tried before it get the negative bonus.
int history_bonus(const SearchParams *params, int depth);

// Adds a bonus to one entry. The gravity formula keeps the entry within +-HISTORY_LIMIT.
void history_add(int16_t *entry, int bonus);
// Adds a bonus to the main and the continuation histories of a quiet move.
void history_add_quiet(History *history, const Continuations before, Piece piece, int to,
                       int bonus);
// Adds a bonus to the continuation histories alone, 1, 2 and 4 plies back.
void history_add_continuation(const Continuations before, PieceType type, int to, int bonus);
void history_add_capture(History *history, const Position *position, Move move, int bonus);

// Returns the weighted sum of the histories of a quiet move, within +-5 * HISTORY_LIMIT.
ALWAYS_INLINE int history_quiet(const History *history, const Continuations before, Piece piece,
                                int to) {
    const PieceType type = piece_type(piece);
    return 2 * history->quiet[piece][to] + (*before[0])[type][to] + (*before[1])[type][to] +
           (*before[3])[type][to] / 2;
}
// Returns the sum of the continuation histories of a quiet move, 1 and 2 plies back.
ALWAYS_INLINE int history_continuation(const Continuations before, Piece piece, int to) {
    const PieceType type = piece_type(piece);
    return (*before[0])[type][to] + (*before[1])[type][to];
}
ALWAYS_INLINE int history_capture(const History *history, const Position *position, Move move) {
    const int from = move_from(move), to = move_to(move);
    return history->capture[position->board[from]][to][piece_type(position->board[to])];
}

// Returns the sum of a position's correction history entries, within +-CORRECT_KINDS *
// CORRECTION_LIMIT.
int history_correction(const History *history, const Continuations before,
                       const Position *position);
// Updates the correction history. `difference` is the score of a search of `depth` plies minus the
// static evaluation.
void history_add_correction(History *history, const Continuations before, const Position *position,
                            int difference, int depth);
