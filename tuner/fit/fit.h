// SPDX-License-Identifier: GPL-3.0-or-later
// The fit: games split into training, validation and test, K, the prior, the minimum, its errors.
//
// The fitted weights minimise
//     ( sum over training rows of loss + prior(w) ) / weight of the rows,
// with the prior of prior.h around the start weights: it decides what the games do not determine.
// Two structs carry a fit: FitSetup is what was asked, Fit the problem and its solution. Several
// fits may read one set of rows.
#pragma once

#include <stdio.h>

#include "tuner/fit/measure.h"
#include "tuner/fit/prior.h"

// Switches the aborting error handler of GSL off: it then returns codes. Call once at start-up.
void tuner_library_init(void);
// The line `gsl VERSION`.
void tuner_library_versions(FILE *out);

// ---- what was asked -----------------------------------------------------------------------------

typedef enum FitPart { PART_TRAIN, PART_VALID, PART_TEST, PART_COUNT } FitPart;

// Equal weight has every row, or every game (its rows share the weight of one mean game; long
// games are mostly drawn ones, and their many rows share one result).
typedef enum FitWeigh { WEIGH_GAMES, WEIGH_ROWS } FitWeigh;

typedef struct FitSetup {
    LossKind loss;
    FitWeigh weigh;
    double lambda; // share of the result in the target
    double k;      // 1 / units; 0: fitted to the start weights
    PriorSetup prior;
    double valid_fraction, test_fraction; // of the games
    uint64_t seed;                        // of the split
    int threads;
} FitSetup;

// ---- the problem and its solution ---------------------------------------------------------------

// The fit after an iteration; 0 is the start.
typedef struct FitStep {
    int iteration;
    double train, valid;             // mean loss per row, without the prior; NAN for an empty part
    double objective, gradient_norm; // of mean loss and prior; Euclidean
    double gap;                      // estimate of the objective above its minimum; NAN: unknown
} FitStep;

typedef struct Fit {
    // The problem. fit_init() sets it; `frozen` and what follows may be changed before the fit.
    const RowSet *rows; // borrowed
    FitSetup setup;
    int n;         // weights: 2 * rows->pairs
    double *start; // [n]
    bool *frozen;  // [n]: keeps its value
    Prior prior;
    LossSetup loss; // k and k_score are found by fit_run()
    double *train;  // [game_count]: weights of the training games
    // Called for the start and after each iteration; false stops. May be NULL.
    bool (*report)(void *context, const FitStep *step, double time_s);
    void *report_context;
    // The solution.
    double *weights; // [n], units; where the minimisation begins
    double *hessian; // [n][n] of the objective
    double *factor;  // Cholesky's, of its free part; NULL: not known
    double weight;   // sum of the training rows' weights: what the objective is divided by
    FitStep last;    // where the minimisation ended
    double time_s;   // that it took
    bool converged;  // false: report() said stop, or the iterations ran out
    uint64_t games[PART_COUNT], part_rows[PART_COUNT];
    double start_k; // K of the start; loss.k is that of the weights, whose scale may be another
    // Results of fit_compare(): mean losses of the start and of the weights, and the change from
    // one to the other with its error game by game, which does not contain the games' own luck.
    Estimate start_loss[PART_COUNT], part_loss[PART_COUNT], loss_change[PART_COUNT];
} Fit;

// Prepares a fit from `start` [2 * rows->pairs], with its prior around it and nothing frozen.
// fit_clear() frees.
void fit_init(Fit *fit, const RowSet *rows, const FitSetup *setup, const double *start);
// Another prior, around the same start.
void fit_set_prior(Fit *fit, const PriorSetup *prior);
void fit_clear(Fit *fit);
AUTO_VALUE(Fit, fit_clear)

// Refuses what cannot be fitted, each with its sentence: no rows, rows of one result only.
Status fit_check_rows(const RowSet *rows, Err *err);

// Solves it: slopes, minimum, losses. A fit that its report stopped keeps what it has.
Status fit_run(Fit *fit, Err *err);

// Fits to the results alone, as lambda 1 does, from the solution of `fit` on. fit_clear() frees
// *other, also on failure.
Status fit_results_alone(const Fit *fit, Fit *other, Err *err);

// Fits to the training games that are taken [game_count], with this prior, from `weights` [n] on,
// which become its solution.
Status fit_again(const Fit *fit, const PriorSetup *prior, const bool *taken, double *weights,
                 Err *err);

// Fits to half of the training games, from the solution on: the loss of the fit on the games kept
// for validation less that of the half, game by game. NAN without such games.
Status fit_half(const Fit *fit, Estimate *change, Err *err);

// Moves fit->weights to the minimum for fit->loss, from where they are, with fit->factor as a first
// one unless it is NULL. Hessian and factor are of the minimum afterwards, where they are wanted.
Status fit_minimise(Fit *fit, bool hessian_wanted, Err *err);

// Is every weight fitted? Else nothing is centred or scaled, for frozen weights keep their values.
bool fit_is_whole(const Fit *fit);

// The places of the weights that are not frozen, *count of them; the caller frees.
size_t *fit_free_places(const Fit *fit, size_t *count);

// ---- games in parts -----------------------------------------------------------------------------

// The weight of the rows of each game, [game_count]; the sum over all rows is their number. To be
// freed.
double *fit_game_weights(const RowSet *rows, FitWeigh weigh);

// The part of a game: a function of setup and RowGame.split alone.
FitPart fit_part_of_game(const FitSetup *setup, uint64_t split);

// fit_game_weights() of the games of one part, 0 for the others. To be freed.
double *fit_part_weights(const RowSet *rows, const FitSetup *setup, FitPart part);

// Measures the losses of the start and of these weights on each part (NAN where a part is empty),
// with standard errors clustered by game: start_loss, part_loss, loss_change.
void fit_compare(Fit *fit, const double *weights);

// The loss of a setup with these game weights (borrowed); its slopes are still to be found.
LossSetup fit_loss_setup(const FitSetup *setup, const double *game_weight);
