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

// A row that has both a result and a score that is no mate.
static bool has_both(const RowHead *row) {
    return row->score_red != SCORE_UNKNOWN && row->result >= 0 && row->score_red < ROW_SCORE_MATE &&
           row->score_red > -ROW_SCORE_MATE;
}

// Sums over the rows that have both of what the search scores predict: the squared error, and for
// Gauss and Newton's method its first and half its second derivatives by ln k_score and by the
// shift of the mover, in units.
typedef struct ScoreSums {
    double rows, loss, gradient[2], curvature[3];
} ScoreSums;

static ScoreSums score_sums(const Search *search, double k_score, double shift) {
    LossSetup setup = search->setup;
    ScoreSums sums = {0};
    setup.kind = LOSS_CROSS_ENTROPY;
    for (size_t c = 0; c < search->rows->chunk_count; c++) {
        const RowChunk *chunk = &search->rows->chunks[c];
        for (uint32_t i = 0; i < chunk->count; i++) {
            const RowHead row = row_at(chunk, i);
            if (!has_both(&row)) continue;
            const double weight = setup.game_weight ? setup.game_weight[row.game] : 1.0;
            const double u = k_score * (row.score_red - shift * row.mover);
            const double p = loss_expected_points(&setup, u), slope = p * (1.0 - p);
            const double miss = p - (double)row.result;
            const double by[2] = {slope * u, -slope * k_score * row.mover};
            sums.rows += weight > 0;
            sums.loss += weight * miss * miss;
            for (int a = 0; a < 2; a++) sums.gradient[a] += weight * miss * by[a];
            sums.curvature[0] += weight * by[0] * by[0];
            sums.curvature[1] += weight * by[0] * by[1];
            sums.curvature[2] += weight * by[1] * by[1];
        }
    }
    return sums;
}

static double score_loss(double log_k, void *context) {
    return score_sums(context, exp(log_k), 0.0).loss;
}

// Both at once, from the best k_score without a shift; a step that does not lower the error is
// halved. Where no row says who is to move, the shift is 0.
static void fit_mover(const Search *search, double *k_score, double *shift) {
    ScoreSums at = score_sums(search, *k_score, *shift = 0.0);
    for (int round = 0; round < 30 && at.curvature[2] > 0; round++) {
        const double *c = at.curvature, *g = at.gradient;
        const double det = c[0] * c[2] - c[1] * c[1];
        if (!(det > 1e-12 * c[0] * c[2])) return;
        double step[2] = {(c[1] * g[1] - c[2] * g[0]) / det, (c[1] * g[0] - c[0] * g[1]) / det};
        ScoreSums next = at;
        double k = *k_score, b = *shift;
        for (int halved = 0; halved < 20; halved++, step[0] /= 2, step[1] /= 2) {
            k = *k_score * exp(fmax(-1.0, fmin(1.0, step[0])));
            b = *shift + step[1];
            next = score_sums(search, k, b);
            if (next.loss <= at.loss) break;
        }
        if (!(next.loss <= at.loss)) return;
        const bool done = at.loss - next.loss <= 1e-13 * at.loss;
        *k_score = k;
        *shift = b;
        at = next;
        if (done) return;
    }
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

// Rows with a score, and those that have a result, too.
static void count_scores(const RowSet *rows, uint64_t *scored, uint64_t *both) {
    *scored = *both = 0;
    for (size_t c = 0; c < rows->chunk_count; c++) {
        for (uint32_t i = 0; i < rows->chunks[c].count; i++) {
            const RowHead row = row_at(&rows->chunks[c], i);
            *scored += row.score_red != SCORE_UNKNOWN;
            *both += has_both(&row);
        }
    }
}

// The usual scale of chess programs, where nothing tells the slope: 400 units are ten to one.
static const double usual_k = 0.0057564627324851146; // ln(10) / 400

// The slope of the scores, and the mover's shift, from the results. Where no row has both there is
// nothing to find them from: any slope is a scale, and weights and scores have the same one.
static Status fit_scores(Search *search, LossSetup *setup, Err *err) {
    uint64_t scored, both;
    count_scores(search->rows, &scored, &both);
    if (scored == 0) return STATUS_OK;
    if (both == 0) {
        if (!(setup->k > 0)) setup->k = usual_k;
        setup->k_score = setup->k;
        return STATUS_OK;
    }
    const Status status =
        fit_one(score_loss, search, "fitting the K of the search scores", &setup->k_score, err);
    if (status == STATUS_OK) fit_mover(search, &setup->k_score, &setup->mover_units);
    return status;
}

Status loss_fit_slopes(const RowSet *rows, LossSetup *setup, const double *weights, Err *err) {
    Search search = {rows, *setup, weights};
    Status status = STATUS_OK;
    if (setup->lambda < 1.0 && !(setup->k_score > 0)) status = fit_scores(&search, setup, err);
    search.setup = *setup;
    const bool k_given = setup->k > 0;
    if (status == STATUS_OK && setup->kind == LOSS_DRAWS) {
        status = fit_draws(&search, k_given, err);
        setup->k = search.setup.k;
        setup->draw_width = search.setup.draw_width;
    } else if (status == STATUS_OK && !k_given) {
        status = fit_one(loss_of_k, &search, "fitting K", &setup->k, err);
    }
    return status;
}
