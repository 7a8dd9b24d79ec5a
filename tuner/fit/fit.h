// SPDX-License-Identifier: GPL-3.0-or-later
// The fit: games split into training, validation and test, K, the prior, the minimiser.
//
// The fitted weights minimise
//     ( sum over training rows of loss + prior(w) ) / rows,
// with the prior of prior.h around the start weights: it decides what the games cannot tell.
#pragma once

#include "tuner/fit/measure.h"
#include "tuner/fit/optimise.h"
#include "tuner/fit/prior.h"

// ---- one minimisation ---------------------------------------------------------------------------

typedef struct FitProblem {
    const RowSet *rows;
    LossSetup loss; // with its k and k_score; game_weight says which games are fitted
    const Prior *prior;
    const bool *frozen; // [2 * pairs]: weights that keep their value; NULL: none
    const double *near; // [2 * pairs][2 * pairs]: about the Hessian at the start; NULL: not known
    LossSums *last;     // receives the sums of each evaluation; may be NULL
    OptimiserKind optimiser;
    OptimiserOptions options; // the report's x are the free weights alone
} FitProblem;

// Moves weights [2 * pairs] to the minimum of the mean loss and prior. hessian, unless NULL,
// receives the objective's Hessian there, for all weights: [2 * pairs][2 * pairs]. *weight, unless
// NULL, receives the sum of the rows' weights, by which loss and prior are divided.
Status fit_minimise(const FitProblem *problem, double *weights, double *hessian, double *weight,
                    OptimiserResult *result, Err *err);

// The full weights [2 * pairs] of a report during fit_minimise(), from the free ones.
void fit_free_to_full(const FitProblem *problem, const double *start, const double *free_weights,
                      double *weights);

// ---- games in parts -----------------------------------------------------------------------------

typedef enum FitPart { PART_TRAIN, PART_VALID, PART_TEST, PART_COUNT } FitPart;

// What counts alike: every row, or every game (its rows share the weight of one mean game; long
// games are mostly drawn ones, and their many rows share one result).
typedef enum FitWeigh { WEIGH_GAMES, WEIGH_ROWS } FitWeigh;

// The weight of the rows of each game, [game_count]; the sum over all rows is their number. To be
// freed.
double *fit_game_weights(const RowSet *rows, FitWeigh weigh);

typedef struct FitSetup {
    LossKind loss;
    FitWeigh weigh;
    double lambda;                        // share of the result in the target
    double k;                             // 1 / units; 0: fitted to the start weights
    const bool *frozen;                   // as in FitProblem
    const double *near;                   // as in FitProblem
    double valid_fraction, test_fraction; // of the games
    uint64_t seed;                        // of the split
    int iterations;
    double tolerance; // relative loss
    OptimiserKind optimiser;
    bool only_weights; // the losses of the result are not wanted
    int threads;
    // Called for the start and each iteration with the losses so far; false stops. May be NULL.
    bool (*report)(void *context, const OptimiserStep *step, double train_loss, double valid_loss);
    void *report_context;
} FitSetup;

// fit_game_weights() of the games of one part, 0 for the others. To be freed.
double *fit_part_weights(const RowSet *rows, const FitSetup *setup, FitPart part);

// Mean losses of weights on each part (NAN where a part is empty), with the slopes of `slopes`, and
// their standard errors, clustered by game.
void fit_losses(const RowSet *rows, const FitSetup *setup, const LossSetup *slopes,
                const double *weights, Estimate loss[PART_COUNT]);

// The loss of a setup with these game weights (borrowed); k_score is still to be found.
LossSetup fit_loss_setup(const FitSetup *setup, const double *game_weight);

// ---- the fit ------------------------------------------------------------------------------------

// The losses after an iteration; 0 is the start.
typedef struct FitStep {
    int iteration;
    double train, valid;             // mean loss per row, without the prior; NAN for an empty part
    double objective, gradient_norm; // of mean loss and prior
    double gap;                      // estimate of the objective above its minimum; NAN: unknown
} FitStep;

typedef struct FitResult {
    int n;            // numbers in weights: 2 * pairs
    double *weights;  // [n], units
    double *hessian;  // [n][n] of the objective (mean loss and prior) at the weights
    double weight;    // sum of the training rows' weights: what the objective was divided by
    LossSetup slopes; // the loss as it was fitted: k, k_score, draw_width; no game_weight
    uint64_t games[PART_COUNT], rows[PART_COUNT];
    Estimate start_loss[PART_COUNT], loss[PART_COUNT]; // of fit_losses()
    // Since the start, before rounding, game by game: an error that the games' own luck is not in.
    Estimate loss_change[PART_COUNT];
    OptimiserResult optimiser;
    FitStep *steps; // [step_count], before the scale is set; none without setup->report
    int step_count, step_capacity;
} FitResult;

// Refuses what cannot be fitted, each with its sentence: no rows, rows of one result only.
Status fit_check_rows(const RowSet *rows, Err *err);

// Fits from `start` [2 * pairs]. A fit that its report stopped returns what it has.
Status fit_run(const RowSet *rows, const FitSetup *setup, const Prior *prior, const double *start,
               FitResult *result, Err *err);
void fit_result_clear(FitResult *result);
