// SPDX-License-Identifier: GPL-3.0-or-later
// Training positions of random games, for the tests of the tuner.
#pragma once

#include "core/eval/eval.h"
#include "tests/test.h"
#include "tuner/fit/fit.h"
#include "tuner/fit/values.h"

// Chunks are small, so that a few positions fill several chunks.
enum { N = 2 * WEIGHT_COUNT, TEST_CHUNK = 1000 };

// Sets weights that a test uses as the truth: the classic weights with small random changes.
void invent_weights(Weights *weights);

// Invents the weights `truth`, copies them to `flat` unless it is NULL, and makes positions from
// `games` random games: those after 12, 16, ..., 116 plies. Every other game begins with about half
// of the pieces. The scores of the positions are computed with `truth`. Each position has a result
// of its own: a third of the results are draws; the others are a win with probability
// 1/(1 + exp(-k * score)), else a loss. Returns false after a failed check.
bool random_rows(TestContext *t, int games, double k, Weights *truth, double *flat, RowSet *rows);

// Replaces the result of every position by a random one: a win with probability 1/(1 + exp(-k *
// score)), otherwise a loss. If `by_game` is set, one random number serves all positions of a game,
// so that they depend on each other as in real games.
void draw_results(const RowSet *rows, const double *flat, double k, bool by_game, uint64_t seed);

// Returns the setup of a fit: cross entropy against results, a prior without smoothing, and a fifth
// of the games for validation.
FitSetup fit_setup(int threads);

// Fits weights, beginning with `start`. Returns false, after a failed check, if the fit fails. The
// caller must release *fit with fit_clear().
bool run_fit(TestContext *t, const RowSet *rows, const FitSetup *setup, const Weights *start,
             Fit *fit);
