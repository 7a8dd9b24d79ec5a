// SPDX-License-Identifier: GPL-3.0-or-later
// The units in which files of positions state scores, and the values that are no scores.
#pragma once

#include <stdbool.h>

#include "core/base/status.h"

// UNIT_OPEN: nothing states the unit. Whole numbers are then 1/100 points.
typedef enum ScoreUnit { UNIT_OPEN, UNIT_PAWN, UNIT_CENTIPAWN, UNIT_FAIRY } ScoreUnit;

// Choices of the option --score-unit. Choice i is the ScoreUnit i.
#define SCORE_UNIT_CHOICES "auto|pawn|centipawn|fairy"

enum {
    SCORE_MOST = 30000, // largest score in 1/100 points
    MATE_MOST = 1000,   // longest mate in plies
    // Fairy-Stockfish and variant-nnue-tools (types.h): a mate in N plies is VALUE_MATE - N, and
    // VALUE_NONE means that there is no score.
    FAIRY_MATE = 32000,
    FAIRY_NONE = 32002,
    FAIRY_PAWN = 208, // PawnValueEg: internal units of one soldier in the endgame
};

typedef enum ScoreKind {
    SCORE_MISSING, // the value means that there is no score
    SCORE_UNCLEAR, // the value has a fraction, and nothing states the unit
    SCORE_VALUE,   // *value is in 1/100 points
    SCORE_MATES,   // *value is the number of plies to mate; negative: a loss
} ScoreKind;

// Reads a score that is a number. `mate` is the value of a mate in 0 plies in the format, 0 if the
// format writes mates as ordinary scores. In UNIT_FAIRY and in formats with FAIRY_MATE, FAIRY_NONE
// means that there is no score. Returns STATUS_BAD_INPUT if the text is not a number, or if its
// value is beyond SCORE_MOST.
Status score_read(const char *text, ScoreUnit unit, int mate, ScoreKind *kind, int *value,
                  Err *err);

// Reads a mate in moves, as tables write it: #3, #-3, M3, -M3, mate 3. Returns false for other
// texts.
bool score_mate_moves(const char *text, int *moves);
// Returns true if the text is a word by which tables mark a missing value: nan, NA, N/A, <NA>,
// None or null.
bool score_is_null(const char *text);
// Returns true if the text is a number with a fraction that is not 0.
bool score_has_fraction(const char *text);
