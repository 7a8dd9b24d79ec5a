// SPDX-License-Identifier: GPL-3.0-or-later
// Standard errors of fitted weights and of piece values.
//
// Positions of one game share its result, so games are the independent units. Let s_g be the
// gradient of the summed loss of game g with respect to the weights, and A the Hessian of the
// summed loss and prior. The covariance of the weights is the sandwich
//     A^-1 M A^-1,  M = sum_g c_g c_g',  c_g = s_g / (1 - h_g)
// (Huber 1967; White 1982; clustered as Liang and Zeger 1986), where ' marks a transpose. The next
// paragraph explains h_g. The covariance says how the fit would scatter if other games were played.
//
// The mean of such fits is not the truth, because the prior pulls the weights towards its centre.
// Let P be the Hessian of the prior. If the true weights scatter around the centre as the prior
// says, this pull has the covariance A^-1 P A^-1 on average (Nychka 1988, for smoothing splines).
// The prior may be too narrow: the variance of the true weights is t times that of the prior. Each
// kind of weight (Prior.kind) has its own t, because changes of some kinds are larger than those of
// others. With P_k, the part of P that concerns kind k, the standard errors with the pull are those
// of A^-1 (M + sum_k t_k P_k) A^-1. The constraint on the mean of a table (prior.h) does not count
// as pull.
//
// The fit itself says how large t is. Let w - c be the fit minus the centre and H the Hessian of
// the summed loss. The fit shows the share A^-1 H of the true change, plus the noise of the games.
// With one t for all weights the expectation of q = (w - c)' P (w - c) is therefore
//     q = noise + t signal,  noise = trace(P A^-1 M A^-1),  signal = trace((H A^-1) (H A^-1)),
// so t = (q - noise) / signal is unbiased. The ratio of q and the sum of FitErrors.decided is not:
// shares count once in it, but the squares of changes that the prior shrank contain them twice.
// For a kind, the traces are sums over the weights of the kind. The common t is estimated together
// with 10 weights that the games decided and whose t is 1, and t_k together with 2 weights that
// have the common t. Both are at least 1, because changes that the games show say little about
// weights that they do not show (E-181). Of the weights of a fit to 30,000 games, the intervals of
// a fit to 1,500 contained 57 % without the pull (E-165), and 91 % with it (E-181), from `classic`.
//
// A fit adapts to each of its games, so at the optimum the gradient of a game is smaller by the
// factor 1 - h_g than at the optimum of a fit without this game. The leverage of game g is
// h_g = (u' A_g u) / (u' s_g). Here A_g is the part of the Hessian A that comes from game g, and
// u = A^-1 s_g is the direction in which the game moves the fit. The correction by 1 - h_g is the
// jackknife that leaves out one game at a time (CR3 of Bell and McCaffrey 2002), restricted to the
// direction u. With many games h_g is small; from 2048 games on it is computed for a sample of
// the games that contain a fitted weight, and its mean effect is applied to all. With 100 games and
// 14 weights, 95 % intervals contain the true weights in only 87 % of cases without this correction
// (test_tuner_few_games), and in about 95 % with it.
//
// The weights also depend on two sigmoids that are fitted to the same games: one, with the slope K,
// maps the evaluation to expected results; the other maps search scores to expected results. A game
// g that changes the parameters of these sigmoids thereby changes the weights. To include this
// effect, Q z_g is subtracted from the corrected gradient c_g. Here z_g is the gradient of game g
// with respect to the sigmoid parameters, and the matrix Q (score_sigmoid.h) converts it to its
// effect on the gradient with respect to the weights. Nothing is subtracted for a K that is given
// with --k, or for the search scores if they are not part of the target. Without the subtraction
// the standard errors are too small: over sets of 256 games the chariot's weights scatter twice as
// much as these errors say (E-083 in experiments.md).
//
// If the prior uses the standard errors of the start weights (prior.h), the start weights are
// estimates, too. Their errors change the gradient of the prior. The variance of this gradient is
// added to the middle factor M of the covariance A^-1 M A^-1. P contains it already, so with the
// pull the larger of both counts.
//
// This covariance is too small for a weight that occurs in few games: the fit adapts the weight to
// these games, so the derivatives of their losses with respect to the weight are near 0. For a
// weight that occurs in 1 to ERRORS_FEW_GAMES - 1 games, the variance is therefore at least the
// diagonal element of A^-1, the inverse Hessian. This element is the variance if the model of the
// results is right.
#pragma once

#include "tuner/fit/fit.h"
#include "tuner/fit/piece_table.h"
#include "tuner/fit/score_sigmoid.h"
#include "tuner/fit/values.h"

enum { ERRORS_FEW_GAMES = 10 };

// Sums over all games g of a fit. In all members except `met`, each summand is the product of two
// gradients of the same game; ' marks a transpose. z_g is the gradient with respect to the sigmoid
// parameters (score_sigmoid.h). c_g = s_g / (1 - h_g) is the gradient s_g with respect to the
// weights, corrected for the leverage h_g of the game (head of this file). From 2048 games on, one
// mean factor for all games replaces 1 / (1 - h_g). The sums have the same bits for any number of
// threads.
typedef struct GameProducts {
    double *weights; // sum of c_g c_g', [n][n], where n = 2 * rows->pairs is the number of weights
    double *cross;   // sum of c_g z_g', [n][SLOPES]
    double slopes[SLOPES][SLOPES]; // sum of z_g z_g'
    // [n + terms] For each weight, the number of games in which it occurs, that is, in which the
    // derivative of the game's loss with respect to the weight is not 0. Then, for each term, the
    // number of games in which any of its weights occurs.
    double *met;
} GameProducts;

// Fills *products with sums over the games of a fit; the caller allocates its arrays. `start` is
// the start weights; they are used only if K was fitted with them (LossSetup.k_fitted). `weights`
// is the solution of the fit, and `inverse` the inverse Hessian of the summed loss and prior.
// Defined in game_products.c.
void loss_game_products(const RowSet *rows, const LossSetup *setup, const double *start,
                        const double *weights, const double *inverse, GameProducts *products);

// The effect of one evaluation term, in the middlegame [0] and in the endgame [1]. For a term with
// a single weight it is that weight. For a term in which each piece counts in exactly one entry
// (TERM_ENTRY), the mean of the weights is arbitrary (values.h). Its effect is the highest weight
// minus the lowest, among weights that occur in at least ERRORS_FEW_GAMES games. For other terms it
// is the mean of the weights, weighted by occurrences. NAN: unknown.
typedef struct TermEffect {
    double value[2], se[2];
} TermEffect;
// Returns false for piece-square tables, mobility tables and material values, which have no
// TermEffect.
bool term_has_effect(const WeightTerm *term);

// Standard errors of the n weights after scaling (values.h). Scaling multiplies the weights by 900
// / v, where v is the mean value of a chariot, unless some weights are frozen or
// values_have_scale() is false. v is estimated from the same games. The standard errors therefore
// include the error of v, to first order.
typedef struct FitErrors {
    double *weight;     // with the prior's pull
    double *data;       // without the prior's pull: how the fit would scatter with other games
    double *games;      // number of training games in which each weight occurs
    double *term_games; // number of training games in which each evaluation term occurs
    // How far the games, not the prior, determined each weight: the diagonal of A^-1 H (the
    // resolution matrix of regularised least squares, Backus and Gilbert 1968). A is the Hessian of
    // the summed loss and prior, and H the part of A that comes from the loss. 1: only the games
    // determined the weight; 0: only the prior did, or the weight is frozen. The constraint that
    // fixes the mean of a table (prior.h) does not count as prior here, because it only chooses
    // among sets of weights that make the same predictions.
    double *decided;
    PieceTable pieces;  // piece values by the built-in terms, in a sample of the positions
    TermEffect *effect; // effects of the WEIGHT_TERM_COUNT built-in terms; 0 if not computed
} FitErrors;
// Computes the standard errors of a fit whose weights are not scaled yet. Computes `pieces` and
// `effect` only if `tables` is set. Returns STATUS_NUMERIC if the Hessian has no inverse or the
// games do not determine how search scores convert to expected results. The caller frees with
// errors_clear(), also after a failure.
Status errors_of_fit(const Fit *fit, bool tables, FitErrors *errors, Err *err);
void errors_clear(FitErrors *errors);
// Computes only FitErrors.decided of a fit, into decided [n].
Status errors_decided(const Fit *fit, double *decided, Err *err);
AUTO_VALUE(FitErrors, errors_clear)

// Appends a header line and one tab-separated line per weight: term, entry, phase (mg or eg), value
// before rounding, standard error, and number of occurrences (of both sides, weighted by the share
// of the phase), and standard error without the prior's pull. `alone` [n], unless NULL, fills an
// additional column se_of_results: the standard errors of a fit to results without search scores.
void errors_format(const Fit *fit, const FitErrors *errors, const double *alone, Text *text);
