// SPDX-License-Identifier: GPL-3.0-or-later
// Rows made of random games, for the tuner's tests.
#pragma once

#include "core/eval/eval.h"
#include "tests/test.h"
#include "tuner/fit/fit.h"
#include "tuner/fit/values.h"

// Small chunks, so that few rows make many of them.
enum { N = 2 * WEIGHT_COUNT, TEST_CHUNK = 1000 };

// Weights that a test pretends to be the truth: classic material with some life in the tables.
void invent_weights(Weights *weights);

// Invents the truth, also flat (NULL: not wanted), and rows of `games` random games (every fourth
// position from the tenth ply on), whose results are drawn from sigma(k * score of `truth`) with a
// third of draws; scores are those of `truth`.
bool random_rows(TestContext *t, int games, double k, Weights *truth, double *flat, RowSet *rows);

// Draws every row's result anew from sigma(k * score of the weights), without draws. by_game: one
// number is drawn for all rows of a game, so that they depend on each other as those of real games.
void draw_results(const RowSet *rows, const double *flat, double k, bool by_game, uint64_t seed);

// Cross entropy against results, a plain prior, a fifth of the games for validation.
FitSetup fit_setup(int threads);

// Fits from `start`; false and a failed check when that fails. fit_clear() frees.
bool run_fit(TestContext *t, const RowSet *rows, const FitSetup *setup, const Weights *start,
             Fit *fit);
