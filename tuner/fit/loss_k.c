// SPDX-License-Identifier: GPL-3.0-or-later
// The slope K of the sigmoid, by GSL's Brent minimiser over ln K.
#include <gsl/gsl_errno.h>
#include <gsl/gsl_min.h>
#include <math.h>
#include <stdlib.h>

#include "core/base/memory.h"
#include "tuner/fit/loss.h"

enum { K_GRID = 33, WIDTH_GRID = 17, ROUNDS = 4 };
static const double k_min = 1e-5, k_max = 0.1; // 1 / units; a chariot then weighs 0.009 .. 90
static const double width_min = 0.01, width_max = 8.0;

// Brent between the neighbours of the best point of the grid.
Status loss_minimise_log(LogFunction *function, void *context, double low, double high, int grid,
                         double *x, bool *edge, Err *err) {
    double *value = memory_alloc((size_t)grid, sizeof *value);
    const double first = log(low), step = log(high / low) / (grid - 1);
    int best = 0;
    for (int i = 0; i < grid; i++) {
        value[i] = function(first + i * step, context);
        if (value[i] < value[best]) best = i;
    }
    *edge = !isfinite(value[best]) || best == 0 || best == grid - 1;
    const double middle = first + best * step, at = value[best];
    const double before = *edge ? 0.0 : value[best - 1], after = *edge ? 0.0 : value[best + 1];
    free(value);
    if (*edge) return err_set(err, STATUS_NUMERIC, "no minimum in %g..%g", low, high);
    gsl_function brent = {.function = function, .params = context};
    gsl_min_fminimizer *minimiser = gsl_min_fminimizer_alloc(gsl_min_fminimizer_brent);
    int code = gsl_min_fminimizer_set_with_values(minimiser, &brent, middle, at, middle - step,
                                                  before, middle + step, after);
    for (int i = 0; i < 60 && code == GSL_SUCCESS; i++) {
        code = gsl_min_fminimizer_iterate(minimiser);
        if (gsl_min_test_interval(gsl_min_fminimizer_x_lower(minimiser),
                                  gsl_min_fminimizer_x_upper(minimiser), 1e-7,
                                  0.0) == GSL_SUCCESS) {
            break;
        }
    }
    *x = exp(gsl_min_fminimizer_x_minimum(minimiser));
    gsl_min_fminimizer_free(minimiser);
    // A failed iteration means that rounding hides further progress: the best point stands.
    if (code == GSL_EINVAL) return err_set(err, STATUS_NUMERIC, "%s", gsl_strerror(code));
    return STATUS_OK;
}

typedef struct Search {
    const RowSet *rows;
    LossSetup setup;
    const double *weights;
} Search;

// Squared error of the search scores as predictions of the results, over the rows that have both.
static double score_loss(double log_k, void *context) {
    const Search *search = context;
    LossSetup setup = search->setup;
    setup.kind = LOSS_CROSS_ENTROPY;
    setup.lambda = 0.0;
    setup.k_score = exp(log_k);
    double sum = 0.0, draw;
    for (size_t c = 0; c < search->rows->chunk_count; c++) {
        const RowChunk *chunk = &search->rows->chunks[c];
        for (uint32_t i = 0; i < chunk->count; i++) {
            const RowHead row = row_at(chunk, i), *head = &row;
            if (head->score_red == SCORE_UNKNOWN || head->result == ROW_RESULT_NONE) continue;
            if (head->score_red >= ROW_SCORE_MATE || head->score_red <= -ROW_SCORE_MATE) continue;
            const double weight = setup.game_weight ? setup.game_weight[head->game] : 1.0;
            const double miss = loss_target(&setup, head, &draw) - 0.5 * head->result;
            sum += weight * miss * miss;
        }
    }
    return sum;
}

static double loss_of_k(double log_k, void *context) {
    Search *search = context;
    search->setup.k = exp(log_k);
    return loss_evaluate(search->rows, &search->setup, search->weights, NULL).loss;
}

// By the results alone: what the scores say about draws is what the width makes them say.
static double loss_of_width(double log_width, void *context) {
    const Search *search = context;
    LossSetup setup = search->setup;
    setup.lambda = 1.0;
    setup.draw_width = exp(log_width);
    return loss_evaluate(search->rows, &setup, search->weights, NULL).loss;
}

static Status fit_one(LogFunction *function, Search *search, const char *what, double *k,
                      Err *err) {
    bool edge;
    const Status status = loss_minimise_log(function, search, k_min, k_max, K_GRID, k, &edge, err);
    if (status == STATUS_OK || !edge) return status;
    return err_set(err, STATUS_NUMERIC,
                   "%s: the best K lies outside %g..%g: the scores do not tell who wins; are "
                   "the results from Red's side, and is there a win of each side?",
                   what, k_min, k_max);
}

// K, unless it is given, and the width in turn: each hardly moves the other.
static Status fit_draws(Search *search, bool k_given, Err *err) {
    Status status = STATUS_OK;
    search->setup.draw_width = 1.0;
    for (int round = 0; round < ROUNDS && status == STATUS_OK; round++) {
        bool edge;
        double k = search->setup.k, width = 1.0;
        if (!k_given) status = fit_one(loss_of_k, search, "fitting K", &k, err);
        if (status != STATUS_OK) break;
        search->setup.k = k;
        status = loss_minimise_log(loss_of_width, search, width_min, width_max, WIDTH_GRID, &width,
                                   &edge, err);
        if (status != STATUS_OK) {
            return err_set(err, STATUS_NUMERIC,
                           "the draw model does not fit these results: it needs draws and games "
                           "that are won (--loss cross-entropy does without)");
        }
        search->setup.draw_width = width;
    }
    return status;
}

// Is there a row whose target the K of the scores decides?
static bool has_scores(const RowSet *rows) {
    for (size_t c = 0; c < rows->chunk_count; c++) {
        for (uint32_t i = 0; i < rows->chunks[c].count; i++) {
            if (row_at(&rows->chunks[c], i).score_red != SCORE_UNKNOWN) return true;
        }
    }
    return false;
}

Status loss_fit_slopes(const RowSet *rows, LossSetup *setup, const double *weights, Err *err) {
    Search search = {rows, *setup, weights};
    Status status = STATUS_OK;
    const bool k_given = setup->k > 0;
    if (setup->lambda < 1.0 && !(setup->k_score > 0) && has_scores(rows)) {
        status = fit_one(score_loss, &search, "fitting the K of the search scores", &setup->k_score,
                         err);
        search.setup.k_score = setup->k_score;
    }
    if (status == STATUS_OK && setup->kind == LOSS_DRAWS) {
        status = fit_draws(&search, k_given, err);
        setup->k = search.setup.k;
        setup->draw_width = search.setup.draw_width;
    } else if (status == STATUS_OK && !k_given) {
        status = fit_one(loss_of_k, &search, "fitting K", &setup->k, err);
    }
    return status;
}
