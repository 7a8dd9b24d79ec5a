// SPDX-License-Identifier: GPL-3.0-or-later
// What the search has learned from its cuts: which moves were good, by themselves, as captures, and
// as answers to the moves before them. It orders the moves, and decides what is searched less deep.
#pragma once

#include "core/board/position.h"
#include "core/search/search_params.h"

enum {
    HISTORY_LIMIT = 16384, // every entry stays within +-this
    ROOT_PLIES = 4,        // plies near the root with a history of their own
    BACK_COUNT = 4,        // moves before the present one that are looked at: 1 to 4 plies back
    CORRECTION_BITS = 13,  // entries of each kind and side: 2^13
    CORRECTION_LIMIT = 1024,
};

// By what the static evaluation was wrong in positions that share something.
typedef enum CorrectionKind {
    CORRECT_SOLDIERS,      // where the soldiers stand
    CORRECT_GUARDS,        // generals, advisors and elephants
    CORRECT_RED_ATTACKERS, // chariots, cannons and horses of a side
    CORRECT_BLACK_ATTACKERS,
    CORRECT_MOVE,  // the move before
    CORRECT_MOVES, // the two moves before
    CORRECT_KINDS,
} CorrectionKind;

// Of one move before: by the kind of the piece that moves now, and where to.
typedef int16_t AnswerHistory[PIECE_TYPE_COUNT][SQUARE_COUNT];

// About 2 MB; all zero at first.
typedef struct History {
    int16_t quiet[PIECE_COUNT][SQUARE_COUNT];                     // piece and target
    int16_t capture[PIECE_COUNT][SQUARE_COUNT][PIECE_TYPE_COUNT]; // and the kind that was taken
    Move counter[PIECE_COUNT][SQUARE_COUNT];                      // refutation of (piece, target)
    // answer[piece][target] of a move before; [PIECE_NONE][0] stands for no move.
    AnswerHistory answer[PIECE_COUNT][SQUARE_COUNT];
    int16_t correction[CORRECT_KINDS][SIDE_COUNT][1 << CORRECTION_BITS]; // side to move
} History;

// The moves before a position: back[i] belongs to the move i + 1 plies back.
typedef AnswerHistory *HistoryBack[BACK_COUNT];

// The bonus of a move that cut at this depth; the malus of the moves before it is as large.
int history_bonus(const SearchParams *params, int depth);

// Of one entry: gravity holds it within the limit.
void history_add(int16_t *entry, int bonus);
// A quiet move, by itself and as an answer. `back` is of the position.
void history_add_quiet(History *history, const HistoryBack back, Piece piece, int to, int bonus);
void history_add_answer(const HistoryBack back, PieceType type, int to, int bonus);
void history_add_capture(History *history, const Position *position, Move move, int bonus);

// The worth of a quiet move, within +-5 * HISTORY_LIMIT.
ALWAYS_INLINE int history_quiet(const History *history, const HistoryBack back, Piece piece,
                                int to) {
    const PieceType type = piece_type(piece);
    return 2 * history->quiet[piece][to] + (*back[0])[type][to] + (*back[1])[type][to] +
           (*back[3])[type][to] / 2;
}
// As an answer alone, to the last two moves.
ALWAYS_INLINE int history_answer(const HistoryBack back, Piece piece, int to) {
    const PieceType type = piece_type(piece);
    return (*back[0])[type][to] + (*back[1])[type][to];
}
ALWAYS_INLINE int history_capture(const History *history, const Position *position, Move move) {
    const int from = move_from(move), to = move_to(move);
    return history->capture[position->board[from]][to][piece_type(position->board[to])];
}

// What to add to the static evaluation of a position, in sum of the entries: up to CORRECT_KINDS *
// CORRECTION_LIMIT either way.
int history_correction(const History *history, const HistoryBack back, const Position *position);
// The search's score was by so much better than the evaluation.
void history_add_correction(History *history, const HistoryBack back, const Position *position,
                            int difference, int depth);
