// SPDX-License-Identifier: GPL-3.0-or-later
// The words and numbers by which files of positions state results, and the scales of the numbers.
#pragma once

#include <stdbool.h>
#include <stdint.h>

// Scales of numbers that state results. SCALE_OPEN: the scale is not known.
typedef enum ResultScale {
    SCALE_OPEN,
    SCALE_HALF,   // 1 win, 1/2 draw, 0 loss
    SCALE_SIGN,   // 1 win, 0 draw, -1 loss
    SCALE_POINTS, // 2 win, 1 draw, 0 loss
    SCALE_WORDS,  // no numbers: words such as 1-0 or win
    SCALE_COUNT
} ResultScale;

// Choices of the option --result-scale. Choice i is the ResultScale i.
#define RESULT_SCALE_CHOICES "auto|half|sign|points"

// Kinds of result values. The five numbers are the last kinds.
typedef enum ResultKind {
    RESULT_UNREADABLE,
    RESULT_FOREIGN,  // a number that is no result in any scale, such as 3 or 0.7
    RESULT_OPEN,     // states that the result is unknown: *, ?, NA or an empty text
    RESULT_NAMED,    // names the winner: 1-0, 1:0, red, white, black ...; also 1/2-1/2
    RESULT_SIDED,    // win, loss, W, D, L: from the point of view of one side
    RESULT_DRAWN,    // the word draw: has the same meaning beside RESULT_NAMED and RESULT_SIDED
    RESULT_FRACTION, // 1/2: a draw, in words and in SCALE_HALF
    RESULT_MINUS_ONE,
    RESULT_ZERO,
    RESULT_HALF,
    RESULT_ONE,
    RESULT_TWO,
    RESULT_KIND_COUNT
} ResultKind;

// Returns the kind of a result value. For the kinds from RESULT_NAMED to RESULT_FRACTION, stores in
// *result 1, 0 or -1: from Red's side for RESULT_NAMED, from that of the viewer for RESULT_SIDED.
// Upper and lower case are equal. A number may have a sign and any number of decimals.
ResultKind result_kind(const char *text, int8_t *result);

// Stores the result 1, 0 or -1 that a number states in a scale, from the side of the viewer.
// Returns false if the scale does not have the number.
bool result_in_scale(ResultKind kind, ResultScale scale, int8_t *result);

// Returns "open", "half", "sign", "points" or "words".
const char *result_scale_name(ResultScale scale);
// Returns the numbers of a scale, such as "1, 0.5 and 0".
const char *result_scale_numbers(ResultScale scale);
