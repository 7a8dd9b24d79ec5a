// SPDX-License-Identifier: GPL-3.0-or-later
// The slope K of the sigmoid, by GSL's Brent minimiser over ln K.
#include <gsl/gsl_errno.h>
#include <gsl/gsl_min.h>
#include <math.h>

#include "tuner/loss.h"

enum { K_GRID = 33 };
static const double k_min = 1e-5, k_max = 0.1; // 1 / units; a chariot then weighs 0.009 .. 90

typedef struct Search {
    const RowSet *rows;
    const LossSetup *setup;
    const double *weights; // NULL: the search scores are fitted
} Search;

// Loss of the search scores as predictions of the results, over the rows that have both.
static double score_loss(const Search *search, double k) {
    LossSetup setup = *search->setup;
    setup.lambda = 0.0;
    setup.k_score = k;
    double sum = 0.0;
    for (size_t c = 0; c < search->rows->chunk_count; c++) {
        const RowChunk *chunk = &search->rows->chunks[c];
        for (uint32_t i = 0; i < chunk->count; i++) {
            const RowHead row = row_at(chunk, i), *head = &row;
            if (head->score_red == SCORE_UNKNOWN || head->result == ROW_RESULT_NONE) continue;
            if (head->score_red >= ROW_SCORE_MATE || head->score_red <= -ROW_SCORE_MATE) continue;
            const double weight = setup.game_weight ? setup.game_weight[head->game] : 1.0;
            const double miss = loss_target(&setup, head) - 0.5 * head->result;
            sum += weight * miss * miss;
        }
    }
    return sum;
}

static double loss_of_log_k(double log_k, void *context) {
    const Search *search = context;
    if (!search->weights) return score_loss(search, exp(log_k));
    LossSetup setup = *search->setup;
    setup.k = exp(log_k);
    return loss_evaluate(search->rows, &setup, search->weights, NULL).loss;
}

// Brent between the neighbours of the best point of a grid.
static Status minimise(const Search *search, const char *what, double *k, Err *err) {
    double value[K_GRID];
    const double step = log(k_max / k_min) / (K_GRID - 1);
    int best = 0;
    for (int i = 0; i < K_GRID; i++) {
        value[i] = loss_of_log_k(log(k_min) + i * step, (void *)search);
        if (value[i] < value[best]) best = i;
    }
    if (!isfinite(value[best]) || best == 0 || best == K_GRID - 1) {
        return err_set(err, STATUS_NUMERIC,
                       "%s: the best K lies outside %g..%g: the scores do not tell who wins; are "
                       "the results from Red's side, and is there a win of each side?",
                       what, k_min, k_max);
    }
    gsl_function function = {.function = loss_of_log_k, .params = (void *)search};
    gsl_min_fminimizer *minimiser = gsl_min_fminimizer_alloc(gsl_min_fminimizer_brent);
    const double middle = log(k_min) + best * step;
    int code =
        gsl_min_fminimizer_set_with_values(minimiser, &function, middle, value[best], middle - step,
                                           value[best - 1], middle + step, value[best + 1]);
    for (int i = 0; i < 60 && code == GSL_SUCCESS; i++) {
        code = gsl_min_fminimizer_iterate(minimiser);
        if (gsl_min_test_interval(gsl_min_fminimizer_x_lower(minimiser),
                                  gsl_min_fminimizer_x_upper(minimiser), 1e-7,
                                  0.0) == GSL_SUCCESS) {
            break;
        }
    }
    *k = exp(gsl_min_fminimizer_x_minimum(minimiser));
    gsl_min_fminimizer_free(minimiser);
    // A failed iteration means that rounding hides further progress: the best point stands.
    if (code == GSL_EINVAL) return err_set(err, STATUS_NUMERIC, "%s: %s", what, gsl_strerror(code));
    return STATUS_OK;
}

Status loss_fit_k(const RowSet *rows, const LossSetup *setup, const double *weights, double *k,
                  Err *err) {
    const Search search = {rows, setup, weights};
    return minimise(&search, "fitting K", k, err);
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

Status loss_fit_k_score(const RowSet *rows, const LossSetup *setup, double *k_score, Err *err) {
    if (!has_scores(rows)) { // imported games: results alone
        *k_score = setup->k;
        return STATUS_OK;
    }
    const Search search = {rows, setup, NULL};
    return minimise(&search, "fitting the K of the search scores", k_score, err);
}
