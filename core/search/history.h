// SPDX-License-Identifier: GPL-3.0-or-later
// Histories: scores of moves by their success in earlier nodes. They order the moves and steer
// pruning and reductions. The correction history adjusts the static evaluation.
#pragma once

#include "core/board/position.h"
#include "core/search/search_params.h"

enum {
    HISTORY_LIMIT = 16384,  // largest absolute value of a history entry
    LOW_PLY_COUNT = 4,      // plies 1 to LOW_PLY_COUNT - 1 use the low-ply history
    CONTINUATION_PLIES = 4, // number of previous moves whose continuation histories each node knows
    CORRECTION_BITS = 13,   // log2 of the number of entries for each CorrectionKind and side
    CORRECTION_LIMIT = 1024, // largest absolute value of a correction history entry
};

// The properties of a position that select its entries of the correction history, one entry for
// each property.
typedef enum CorrectionKind {
    CORRECT_SOLDIERS,      // the squares of the soldiers
    CORRECT_GUARDS,        // the squares of generals, advisors and elephants
    CORRECT_RED_ATTACKERS, // the squares of Red's chariots, cannons and horses
    CORRECT_BLACK_ATTACKERS,
    CORRECT_MOVE,  // moved piece and target square of the last move
    CORRECT_MOVES, // moved pieces and target squares of the last two moves
    CORRECT_KINDS,
} CorrectionKind;

// Continuation history of one previous move: scores of the moves after it, indexed by their piece
// type and target.
typedef int16_t ContinuationHistory[PIECE_TYPE_COUNT][SQUARE_COUNT];

// The histories of a search thread, about 2 MB, except the low-ply history. All entries begin at
// zero.
typedef struct History {
    int16_t quiet[PIECE_COUNT][SQUARE_COUNT]; // main history of quiet moves, indexed by piece and
                                              // target square
    int16_t capture[PIECE_COUNT][SQUARE_COUNT][PIECE_TYPE_COUNT]; // capture history, indexed by
                                                                  // piece, target and captured type
    // last quiet reply that caused a beta cutoff, indexed by piece and target of the move before it
    Move countermove[PIECE_COUNT][SQUARE_COUNT];
    // continuation histories, indexed by piece and target of the previous move;
    // continuation[PIECE_NONE][0] if there was none, and after a null move
    ContinuationHistory continuation[PIECE_COUNT][SQUARE_COUNT];
    // correction history, indexed by property (CorrectionKind), side to move and hash of the
    // property
    int16_t correction[CORRECT_KINDS][SIDE_COUNT][1 << CORRECTION_BITS];
} History;

// The continuation histories of the moves before a position. Entry i belongs to the move that was
// played i + 1 plies earlier.
typedef ContinuationHistory *Continuations[CONTINUATION_PLIES];

// Returns the history bonus of a move that caused a beta cutoff at this depth. The penalties of the
// moves that failed before it have the same size.
int history_bonus(const SearchParams *params, int depth);

// Adds a bonus to one entry. The gravity formula keeps the entry within +-HISTORY_LIMIT.
void history_add(int16_t *entry, int bonus);
// Adds a bonus to the main history of a quiet move, and to its continuation histories as
// history_add_continuation() does.
void history_add_quiet(History *history, const Continuations before, Piece piece, int to,
                       int bonus);
// Adds a bonus to the entries of a quiet move in the continuation histories of the moves 1, 2 and 4
// plies earlier.
void history_add_continuation(const Continuations before, PieceType type, int to, int bonus);
void history_add_capture(History *history, const Position *position, Move move, int bonus);

// Returns the weighted sum of the main history and the continuation histories of a quiet move,
// within +-5 * HISTORY_LIMIT.
ALWAYS_INLINE int history_quiet(const History *history, const Continuations before, Piece piece,
                                int to) {
    const PieceType type = piece_type(piece);
    return 2 * history->quiet[piece][to] + (*before[0])[type][to] + (*before[1])[type][to] +
           (*before[3])[type][to] / 2;
}
// Returns the sum of the entries of a quiet move in the continuation histories of the moves 1 and 2
// plies earlier.
ALWAYS_INLINE int history_continuation(const Continuations before, Piece piece, int to) {
    const PieceType type = piece_type(piece);
    return (*before[0])[type][to] + (*before[1])[type][to];
}
ALWAYS_INLINE int history_capture(const History *history, const Position *position, Move move) {
    const int from = move_from(move), to = move_to(move);
    return history->capture[position->board[from]][to][piece_type(position->board[to])];
}

// Returns the sum of the correction history entries of a position, one of each CorrectionKind. Its
// absolute value is at most CORRECT_KINDS * CORRECTION_LIMIT.
int history_correction(const History *history, const Continuations before,
                       const Position *position);
// Updates the correction history. `difference` is the score of a search of `depth` plies minus the
// corrected static evaluation.
void history_add_correction(History *history, const Continuations before, const Position *position,
                            int difference, int depth);
