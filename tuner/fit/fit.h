// SPDX-License-Identifier: GPL-3.0-or-later
// The fit of weights to games: splits the games into training, validation and test games, estimates
// the slope K, minimises loss and prior, and compares the result with the start weights.
//
// The fitted weights minimise
//     ( sum over training positions of loss + prior(w) ) / total weight of the positions,
// where the prior (prior.h) is centred on the start weights. The prior determines weights that the
// games leave open. FitSetup holds the requested settings, Fit the problem and its solution.
// Several fits may share one set of positions (RowSet).
#pragma once

#include <stdio.h>

#include "tuner/fit/measure.h"
#include "tuner/fit/prior.h"

// Switches off GSL's error handler, which aborts the program. GSL then returns error codes. Call it
// once at start-up.
void tuner_library_init(void);
// Makes malloc() keep up to 256 MB of freed memory in this process. A command that fits weights
// calls it first. A fit allocates and frees tens of MB for each Hessian. If this memory went back
// to the system, each Hessian would cause page faults.
void fit_keep_memory(void);
// Writes the line `gsl VERSION`, the version of the GNU Scientific Library.
void tuner_library_versions(FILE *out);

// ---- settings -----------------------------------------------------------------------------------

typedef enum FitPart { PART_TRAIN, PART_VALID, PART_TEST, PART_COUNT } FitPart;

// Whether all games (WEIGH_GAMES) or all positions (WEIGH_ROWS) have the same weight in the loss.
// WEIGH_GAMES gives each game the same total weight, because the positions of a game share one
// result, and long games are mostly draws.
typedef enum FitWeigh { WEIGH_GAMES, WEIGH_ROWS } FitWeigh;

typedef struct FitSetup {
    LossKind loss;
    FitWeigh weigh;
    double lambda; // weight of the game's result in the target, 0..1; the result that the search
                   // score predicts has the weight 1 - lambda
    // slope K of the sigmoid that maps scores to expected results, per unit of the scores; 0:
    // estimated from the games, as the K with which the start weights have the least loss
    double k;
    PriorSetup prior;
    // fractions of the games that become validation and test games, 0..1
    double valid_fraction, test_fraction;
    // seed of the random divisions of the games: into training, validation and test games, into the
    // folds of cross-validation, and into halves (fit_half())
    uint64_t seed;
    int threads;
    // also fit to games that ended by a fault, such as a time forfeit (RowChoice.with_faults)
    bool with_faults;
} FitSetup;

// ---- the problem and its solution ---------------------------------------------------------------

// The state of the fit after an iteration; iteration 0 is the start.
typedef struct FitStep {
    int iteration;
    // Mean loss per position of the training and the validation games, without the prior. `valid`
    // is NAN without validation games, or if Fit.report is NULL.
    double train, valid;
    // Loss plus prior per position; Euclidean norm of the gradient of this sum.
    double objective, gradient_norm;
    double gap; // estimated distance of the objective from its minimum
} FitStep;

typedef struct Fit {
    // The problem of the fit. fit_init() sets these members. Before fit_run() the caller may change
    // `frozen`, `prior`, `loss`, `train` and `report`.
    const RowSet *rows; // training positions, borrowed from the caller
    FitSetup setup;
    int n;         // number of weights: 2 * rows->pairs
    double *start; // the n start weights
    bool *frozen;  // true for each of the n weights that the fit does not change
    Prior prior;
    // loss to be minimised; fit_run() first fits its sigmoids (K, and the sigmoid of search scores)
    // unless they were given
    LossSetup loss;
    // Weight of the positions of each game in the training loss; 0 for games outside the training
    // set.
    double *train;
    // Called once before the first iteration and once after each iteration; returns false to stop
    // the fit. May be NULL.
    bool (*report)(void *context, const FitStep *step, double time_s);
    void *report_context;
    // The solution of the fit. fit_run() sets these members. `weights` are the n weights, in units;
    // before fit_run() they are the point where the minimisation starts.
    double *weights;
    double *hessian; // Hessian of the objective, [n][n]
    double *factor;  // Cholesky factor of the Hessian of the free weights; NULL: unknown
    // sum of the positions' weights in the training loss; the objective is divided by it
    double train_weight;
    FitStep last;   // state after the last iteration of the minimisation
    double time_s;  // duration of the minimisation, in seconds
    bool converged; // false if report() stopped the fit or the iterations ran out
    uint64_t games[PART_COUNT], part_rows[PART_COUNT];
    // K, the slope of the sigmoid, for the start weights: given, or estimated from the games.
    // loss.k is K for the fitted `weights`, which values_apply_scale() may scale.
    double start_k;
    // Results of fit_compare(): mean loss of the start weights, mean loss of the weights that were
    // passed to fit_compare(), and the second minus the first. The difference is taken game by
    // game, so its error does not contain the variation of the loss that both have in common.
    Estimate start_loss[PART_COUNT], part_loss[PART_COUNT], loss_change[PART_COUNT];
} Fit;

// Losses on the validation games, as `tune` and `train` return them in CommandCall.result. NAN
// without validation games.
typedef struct ValidLoss {
    Estimate start;
    Estimate fitted; // validation loss of the fitted weights or network
    Estimate change; // `fitted` minus `start`, compared game by game
    bool rejected;   // `train` wrote no network, because no epoch was better than its start
} ValidLoss;

// Prepares a fit that starts from the weights start [2 * rows->pairs]. The prior is centred on
// these weights, and no weight is frozen. The caller frees *fit with fit_clear().
void fit_init(Fit *fit, const RowSet *rows, const FitSetup *setup, const double *start);
// Replaces fit->prior by the prior with these settings, centred on the start weights.
void fit_set_prior(Fit *fit, const PriorSetup *prior);
void fit_clear(Fit *fit);
AUTO_VALUE(Fit, fit_clear)

// Returns an error if nothing can be fitted: for example, there are no positions, none has a result
// or a search score, or all have the same result.
// A search score counts only if `lambda` (FitSetup) is below 1.
Status fit_check_rows(const RowSet *rows, double lambda, Err *err);

// Runs the fit: estimates K and the sigmoid of search scores unless they were given, minimises loss
// plus prior, and measures the losses of start weights and solution (fit_compare()). If report()
// stops the fit, `weights` holds the result of the last iteration.
Status fit_run(Fit *fit, Err *err);

// Fits to the results alone (lambda 1), starting from the solution of `fit`. Stores the new fit in
// *other, which the caller frees with fit_clear(), also on failure.
Status fit_results_alone(const Fit *fit, Fit *other, Err *err);

// Fits to the training games whose taken[game] is true, with the given prior. The fit starts from
// weights [n] and stores its solution there.
Status fit_again(const Fit *fit, const PriorSetup *prior, const bool *taken, double *weights,
                 Err *err);

// Fits to a random half of the training games, starting from the solution of `fit`. Sets *change to
// the validation loss of `fit` minus that of the new fit, with a standard error clustered by game;
// NAN if there are no validation games.
Status fit_half(const Fit *fit, Estimate *change, Err *err);

// Moves fit->weights to the minimum of loss and prior, starting from their current values. Unless
// fit->factor is NULL, uses it as the factorised Hessian of the first step. If `hessian_wanted` is
// set and the fit converges, fit->hessian and fit->factor are computed from all positions, with
// weights near the minimum.
Status fit_minimise(Fit *fit, bool hessian_wanted, Err *err);

// Returns true if no weight is frozen. Only then may all weights be centred and scaled.
bool fit_is_whole(const Fit *fit);

// Returns an array with the indices of the weights that are not frozen, and sets *count to their
// number. The caller frees the array.
size_t *fit_free_places(const Fit *fit, size_t *count);
// Returns the number of these weights.
size_t fit_free_count(const Fit *fit);

// ---- training, validation and test games --------------------------------------------------------

// Returns an array with one number per game: the weight in the loss of each position of this game.
// The weights of all positions add up to the number of positions. The caller frees the array.
double *fit_game_weights(const RowSet *rows, FitWeigh weigh);

// Returns to which part a game belongs: training, validation or test. The result depends only on
// the settings of the fit (*setup) and on RowGame.split, a hash of the game's content.
FitPart fit_part_of_game(const FitSetup *setup, uint64_t split);

// Like fit_game_weights(), but the weight is 0 for games outside `part`.
double *fit_part_weights(const RowSet *rows, const FitSetup *setup, FitPart part);

// Measures the mean losses of the start weights and of `weights` on training, validation and test
// games (NAN without such games), with standard errors clustered by game. Sets start_loss,
// part_loss and loss_change.
void fit_compare(Fit *fit, const double *weights);

// Returns the LossSetup for the options in `setup`. The positions of each game count in the loss
// with game_weight[game], which the LossSetup borrows. The sigmoid of search scores and, if
// setup->k is 0, K remain unknown until loss_fit_slopes() estimates them.
LossSetup fit_loss_setup(const FitSetup *setup, const double *game_weight);
