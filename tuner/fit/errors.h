// SPDX-License-Identifier: GPL-3.0-or-later
// Standard errors of a fit: of the weights and of piece values.
//
// Positions of one game share its result, so games are the independent units. With s_g the gradient
// of game g's summed loss, A the Hessian of the summed loss and prior, the covariance is the
// sandwich
//     A^-1 ( sum_g s_g s_g' / (1 - h_g)^2 ) A^-1
// (Huber 1967; White 1982; clustered as Liang and Zeger 1986). It says how the fit would scatter if
// other games were played, not how far the prior pulls it from the truth. A fit follows each of its
// games, so that a game's gradient is smaller at its optimum than without it: by 1 - h_g, where h_g
// is u' A_g u / u' s_g, with game g's part A_g of the Hessian and the way u = A^-1 s_g that it
// moves the fit. (The jackknife that leaves out one game at a time, CR3 of Bell and McCaffrey 2002,
// along that way alone.) Of many games h_g is small, and of more than 2048 that of one game in some
// stands for all; of a hundred and 14 weights the intervals without it hold the truth in 91 % of
// cases, not in 95 %.
//
// The slopes of the loss, K and the link of the search scores to the results, are estimated from
// the same games, and the weights follow them. So s_g / (1 - h_g) is replaced by that less Q z_g
// (link.h). Slopes that were given with --k, or scores that are not in the target, add nothing.
// Over sets of 256 games the chariot's weights scatter 2.4 times as much as without this part
// (E-083).
//
// Where the prior is the start's own errors (prior.h), the start is an estimate, too: the sum has
// the variance of the prior's slope by it.
//
// Few games do not show how games scatter: with one, the fit follows it, and the sandwich is near
// 0. The variance of a weight that is met in fewer than ERRORS_FEW_GAMES is no smaller than that of
// the model, the diagonal of A^-1, which holds if the likelihood is right.
#pragma once

#include "tuner/fit/fit.h"
#include "tuner/fit/link.h"
#include "tuner/fit/piece_table.h"
#include "tuner/fit/values.h"

enum { ERRORS_FEW_GAMES = 10 };

// Sums over the games with weight. With z_g the game's part of the equations that the slopes of the
// loss solve (link.h) and g_g = s_g / (1 - h_g): the same bits for any number of threads.
typedef struct GameProducts {
    double *weights;               // [n][n], n = 2 * rows->pairs: g_g g_g', both triangles
    double *cross;                 // [n][SLOPES]: g_g z_g'
    double slopes[SLOPES][SLOPES]; // z_g z_g'
    double *met; // [n + terms]: the number of games that each weight and each term is met in
} GameProducts;

// Sums the products of a fit's games into the lists of `products`, which the caller allocates. K
// was fitted to `start`, the solution is `weights`, and inverse is A^-1.
void loss_game_products(const RowSet *rows, const LossSetup *setup, const double *start,
                        const double *weights, const double *inverse, GameProducts *products);

// What a term of ours is worth all together, middlegame and endgame: a weight; of several the mean
// over their occurrences; of entries, whose mean says nothing, the highest less the lowest of those
// that ERRORS_FEW_GAMES games have. NAN: not known.
typedef struct TermEffect {
    double value[2], se[2];
} TermEffect;
// Is a term one that has it: no table, mobility or material?
bool term_has_effect(const WeightTerm *term);

// Standard errors of the weights [n], as scaled (values.h). The scale is part of the estimate:
// weights are multiplied by 900 / chariot's mean, which is itself uncertain (first-order
// propagation).
typedef struct FitErrors {
    double *weight;
    double *games;      // [n]: training games that each weight is met in
    double *term_games; // [terms]: ... and each term
    // [n]: the share that the games decided: the diagonal of A^-1 H, with H the loss's part of A
    // (the resolution matrix of regularised least squares, e.g. Backus and Gilbert 1968). 1: the
    // games alone; 0: the prior alone, or frozen. A table's mean is held as a choice among equal
    // predictions, which is not counted against the games.
    double *decided;
    PieceTable pieces;  // of our own terms, in the positions of a sample
    TermEffect *effect; // [WEIGHT_TERM_COUNT], of our own terms
} FitErrors;
// All of them, for a fit before its scale is set. Pieces and effects are left out unless `tables`.
// STATUS_NUMERIC when A is not positive definite. errors_clear() frees, also after a failure.
Status errors_of_fit(const Fit *fit, bool tables, FitErrors *errors, Err *err);
void errors_clear(FitErrors *errors);
AUTO_VALUE(FitErrors, errors_clear)

// Tab-separated lines: term, entry, phase (mg or eg), value, standard error, occurrences (both
// sides, weighted by the phase's share), after a header line; weights as scaled. alone [n], unless
// NULL: standard errors of results alone, as one more column, se_of_results.
void errors_format(const Fit *fit, const FitErrors *errors, const double *alone, Text *text);
