// SPDX-License-Identifier: GPL-3.0-or-later
// The evaluation explained in text, for people to read.
#pragma once

#include "core/eval/eval.h"

// Appends a table: for each group of terms, and each term that occurs, what it is worth to Red and
// to Black, middlegame and endgame apart, in points of the classic table; then the sums and the
// phase. The last line is "Final evaluation +0.35 (red side)" or "Final evaluation none (in
// check)".
void eval_text(const Position *position, const Weights *weights, Text *text);
