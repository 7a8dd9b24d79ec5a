// SPDX-License-Identifier: GPL-3.0-or-later
// The fit of weights to games: the split into training, validation and test, K, the prior, the
// minimum and its comparison with the start.
//
// The fitted weights minimise
//     ( sum over training rows of loss + prior(w) ) / weight of the rows,
// where the prior (prior.h) is centred on the start weights and determines what the games do not.
// FitSetup holds the requested settings, Fit the problem and its solution. Several fits may share
// one set of rows.
#pragma once

#include <stdio.h>

#include "tuner/fit/measure.h"
#include "tuner/fit/prior.h"

// Switches off GSL's error handler, which aborts; GSL then returns codes. Call it once at start-up.
void tuner_library_init(void);
// Writes the line `gsl VERSION`.
void tuner_library_versions(FILE *out);

// ---- settings
// ------------------------------------------------------------------------------------

typedef enum FitPart { PART_TRAIN, PART_VALID, PART_TEST, PART_COUNT } FitPart;

// The unit that has equal weight: each row, or each game. With WEIGH_GAMES the rows of a game share
// the weight of an average game, because all of them have the same result, and long games are
// mostly draws.
typedef enum FitWeigh { WEIGH_GAMES, WEIGH_ROWS } FitWeigh;

typedef struct FitSetup {
    LossKind loss;
    FitWeigh weigh;
    double lambda; // weight of the game's result in the target, 0..1; the rest is the search score
    double k;      // slope of the sigmoid, 1 / units; 0: fitted to the start weights
    PriorSetup prior;
    double valid_fraction, test_fraction; // fractions of the games, 0..1
    uint64_t seed;                        // seed of the split into parts
    int threads;
} FitSetup;

// ---- the problem and its solution ---------------------------------------------------------------

// The state of the fit after an iteration; iteration 0 is the start.
typedef struct FitStep {
    int iteration;
    double train, valid;             // mean loss per row, without the prior; NAN for an empty part
    double objective, gradient_norm; // loss and prior per row; Euclidean norm of its gradient
    double gap; // estimated distance of the objective from its minimum; NAN: unknown
} FitStep;

typedef struct Fit {
    // The problem. fit_init() sets it; `frozen` and the members below may be changed before
    // fit_run().
    const RowSet *rows; // borrowed
    FitSetup setup;
    int n;         // number of weights: 2 * rows->pairs
    double *start; // [n]
    bool *frozen;  // [n]: true for a weight that keeps its value
    Prior prior;
    LossSetup loss; // fit_run() estimates k and k_score
    double *train;  // [game_count]: weights of the training games
    // Called for the start and after each iteration; returns false to stop the fit. May be NULL.
    bool (*report)(void *context, const FitStep *step, double time_s);
    void *report_context;
    // The solution.
    double *weights; // [n], units; before fit_run() the point where the minimisation starts
    double *hessian; // [n][n], Hessian of the objective
    double *factor;  // Cholesky factor of the Hessian of the free weights; NULL: unknown
    double
        train_weight; // sum of the weights of the training rows, by which the objective is divided
    FitStep last;     // the state after the last iteration
    double time_s;    // duration of the minimisation
    bool converged;   // false if report() stopped the fit or the iterations ran out
    uint64_t games[PART_COUNT], part_rows[PART_COUNT];
    double start_k; // K of the start weights; loss.k is that of `weights`, which may have another
                    // scale
    // Results of fit_compare(): mean loss of the start weights, mean loss of `weights`, and their
    // difference. The difference is taken game by game, so its error does not contain the variation
    // between games.
    Estimate start_loss[PART_COUNT], part_loss[PART_COUNT], loss_change[PART_COUNT];
} Fit;

// Losses on the validation games, as `tune` and `train` return them in CommandCall.result. NAN
// without validation games.
typedef struct ValidLoss {
    Estimate start;  // start weights
    Estimate fitted; // fitted weights or network
} ValidLoss;

// Prepares a fit that starts from `start` [2 * rows->pairs], with the prior around it and no weight
// frozen. fit_clear() frees.
void fit_init(Fit *fit, const RowSet *rows, const FitSetup *setup, const double *start);
// Replaces the prior by another one around the same start weights.
void fit_set_prior(Fit *fit, const PriorSetup *prior);
void fit_clear(Fit *fit);
AUTO_VALUE(Fit, fit_clear)

// Returns an error if the rows cannot be fitted: no rows, no targets, or one result only.
Status fit_check_rows(const RowSet *rows, Err *err);

// Solves the problem: estimates the slopes, minimises and measures the losses. If report() stops
// the fit, `weights` keeps the last iteration.
Status fit_run(Fit *fit, Err *err);

// Fits to the results alone (lambda 1), starting from the solution of `fit`. The caller frees
// *other with fit_clear(), also on failure.
Status fit_results_alone(const Fit *fit, Fit *other, Err *err);

// Fits to the training games with taken[game] set, with the given prior, starting from weights [n].
// Stores the solution in `weights`.
Status fit_again(const Fit *fit, const PriorSetup *prior, const bool *taken, double *weights,
                 Err *err);

// Fits to a random half of the training games, starting from the solution. Sets *change to the
// validation loss of `fit` minus that of the half, with its error by game; NAN without validation
// games.
Status fit_half(const Fit *fit, Estimate *change, Err *err);

// Moves fit->weights to the minimum for fit->loss, starting from their current values. Uses
// fit->factor as first factorised Hessian unless it is NULL. Afterwards fit->hessian and
// fit->factor belong to the minimum if `hessian_wanted` is set.
Status fit_minimise(Fit *fit, bool hessian_wanted, Err *err);

// Returns true if no weight is frozen. Otherwise weights are neither centred nor scaled, because
// frozen weights must keep their values.
bool fit_is_whole(const Fit *fit);

// Returns the indices of the weights that are not frozen and sets *count to their number; the
// caller frees.
size_t *fit_free_places(const Fit *fit, size_t *count);

// ---- games in parts -----------------------------------------------------------------------------

// Returns the weight that each row of a game has, [game_count]; the caller frees. The weights of
// all rows sum to the number of rows.
double *fit_game_weights(const RowSet *rows, FitWeigh weigh);

// Returns the part of a game. It depends only on the setup and on RowGame.split.
FitPart fit_part_of_game(const FitSetup *setup, uint64_t split);

// Returns fit_game_weights() with 0 for the games of other parts; the caller frees.
double *fit_part_weights(const RowSet *rows, const FitSetup *setup, FitPart part);

// Measures the mean losses of the start and of `weights` on each part (NAN for an empty part), with
// standard errors clustered by game. Sets start_loss, part_loss and loss_change.
void fit_compare(Fit *fit, const double *weights);

// Returns the loss of a setup with these game weights (borrowed). Its slopes are not estimated yet.
LossSetup fit_loss_setup(const FitSetup *setup, const double *game_weight);
