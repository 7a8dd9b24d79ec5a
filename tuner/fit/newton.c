// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the minimum of loss and prior by damped Newton steps with exact gradients.
//
// A Hessian costs as much as many gradients. The first steps therefore use the Hessian of a sample
// of the positions (Byrd, Chin, Neveitt and Nocedal 2011). The change of the gradient in each step
// corrects this Hessian (limited-memory BFGS on top of a factorised matrix: Nocedal and Wright
// 2006, 7.2). Near the minimum the Hessian of all positions is computed once, because the standard
// errors need it. With this Hessian, one or two steps reach the minimum up to rounding.
//
// The gap g' H^-1 g / 2 estimates how far the objective is above its minimum. Here g is the
// gradient, H the Hessian, and ' marks a transpose.
#include <gsl/gsl_blas.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/system/clock.h"
#include "tuner/fit/cholesky.h"
#include "tuner/fit/fit.h"

enum {
    MOST_ITERATIONS = 200,
    MEMORY = 8, // number of recent steps that are used to correct the Hessian
    // The first Hessians use a sample of the positions: every PART_EVERY-th chunk (an array of up
    // to 16384 positions), or more chunks if these are fewer than PART_CHUNKS. With smaller samples
    // the fit needs more steps.
    PART_EVERY = 8,
    PART_CHUNKS = 16,
    // After the first Hessian, at most MOST_PARTS more are computed from a sample of positions. All
    // later ones use all positions.
    MOST_PARTS = 6,
    MOST_HALVES = 40 // largest number of step lengths to try; each is half of the previous one
};
// Thresholds of the gap, the estimated distance of the objective from its minimum, relative to the
// objective. Below near_gap the last Hessian is computed. A fit ends if the gap is at most
// least_gap, or rough_gap if the Hessian is not requested. After a slow step (slow_share), a gap
// 1e4 times as large is enough.
static const double near_gap = 1e-8, least_gap = 1e-18, rough_gap = 1e-10;
// A step was slow if the estimated distance of the objective from its minimum (the gap) is still
// more than this fraction of the distance before the step. After a slow step far from the minimum
// (with a gap above near_gap), the Hessian is computed again.
static const double slow_share = 0.3;

typedef struct Newton {
    Fit *fit;
    size_t count;  // number of free weights
    size_t *place; // index of each free weight among all weights, [count]
    LossSums sums; // sums of the loss at fit->weights
    double value, gap;
    // [count], one number for each free weight: gradient, Newton step, gradient after the step
    gsl_vector *gradient, *step, *next_gradient;
    double *trial; // the n weights of a trial step
    double *all;   // gradient with respect to all n weights, also the frozen ones
    bool whole;    // true if the Hessian is of all positions, not of a sample
    int pairs;     // number of stored steps in `moved` and `turned`
    // Recent steps, and the changes of the gradient in them, [MEMORY][count].
    gsl_matrix *moved, *turned;
} Newton;

static void newton_clear(Newton *newton) {
    free(newton->place);
    free(newton->trial);
    free(newton->all);
    gsl_vector_free(newton->gradient);
    gsl_vector_free(newton->step);
    gsl_vector_free(newton->next_gradient);
    gsl_matrix_free(newton->moved);
    gsl_matrix_free(newton->turned);
}
AUTO_VALUE(Newton, newton_clear)

static double objective(Newton *newton, const double *weights, LossSums *sums,
                        gsl_vector *gradient) {
    const Fit *fit = newton->fit;
    *sums = loss_evaluate(fit->rows, &fit->loss, weights, newton->all);
    const double prior = prior_value(&fit->prior, weights, newton->all);
    for (size_t i = 0; i < newton->count; i++) {
        gsl_vector_set(gradient, i, newton->all[newton->place[i]] / sums->weight);
    }
    return (sums->loss + prior) / sums->weight;
}

static Status take_hessian(Newton *newton, bool whole, Err *err) {
    Fit *fit = newton->fit;
    const size_t n = (size_t)fit->n, chunks = fit->rows->chunk_count;
    LossSetup loss = fit->loss;
    double times = 1; // number of all positions divided by the size of the sample
    const size_t every = chunks / PART_CHUNKS < PART_EVERY ? chunks / PART_CHUNKS : PART_EVERY;
    newton->whole = whole || every < 2;
    if (!newton->whole) {
        loss.every = (int)every;
        times = (double)chunks / (double)((chunks + every - 1) / every);
    }
    if (!fit->hessian) fit->hessian = memory_alloc(n * n, sizeof *fit->hessian);
    loss_hessian(fit->rows, &loss, fit->weights, fit->hessian);
    for (size_t i = 0; i < n * n; i++) fit->hessian[i] *= times;
    prior_add_hessian(&fit->prior, fit->hessian);
    for (size_t i = 0; i < n * n; i++) fit->hessian[i] /= newton->sums.weight;
    for (size_t i = 0; i < newton->count; i++) {
        const double *line = fit->hessian + newton->place[i] * n;
        for (size_t j = 0; j < newton->count; j++) {
            fit->factor[i * newton->count + j] = line[newton->place[j]];
        }
    }
    newton->pairs = 0;
    gsl_matrix_view factor = gsl_matrix_view_array(fit->factor, newton->count, newton->count);
    if (cholesky_factorise(&factor.matrix) == GSL_SUCCESS) return STATUS_OK;
    return err_set(
        err, STATUS_NUMERIC,
        "the Hessian of the fit is not positive definite; use more games, or a stronger prior (a "
        "smaller --prior-sd of 'paotai tune' or 'paotai ablate')");
}

// Computes the Newton step, H^-1 times the gradient, and the estimated distance of the objective
// from its minimum. Recent steps and their changes of the gradient correct the Hessian H.
static void direct(Newton *newton) {
    double share[MEMORY], product, change;
    gsl_vector *step = newton->step;
    gsl_vector_memcpy(step, newton->gradient);
    for (int i = newton->pairs - 1; i >= 0; i--) {
        gsl_vector_view moved = gsl_matrix_row(newton->moved, (size_t)i);
        gsl_vector_view turned = gsl_matrix_row(newton->turned, (size_t)i);
        gsl_blas_ddot(&moved.vector, &turned.vector, &change);
        gsl_blas_ddot(&moved.vector, step, &product);
        share[i] = product / change;
        gsl_blas_daxpy(-share[i], &turned.vector, step);
    }
    gsl_matrix_view factor =
        gsl_matrix_view_array(newton->fit->factor, newton->count, newton->count);
    gsl_linalg_cholesky_svx(&factor.matrix, step);
    for (int i = 0; i < newton->pairs; i++) {
        gsl_vector_view moved = gsl_matrix_row(newton->moved, (size_t)i);
        gsl_vector_view turned = gsl_matrix_row(newton->turned, (size_t)i);
        gsl_blas_ddot(&moved.vector, &turned.vector, &change);
        gsl_blas_ddot(&turned.vector, step, &product);
        gsl_blas_daxpy(share[i] - product / change, &moved.vector, step);
    }
    gsl_blas_ddot(step, newton->gradient, &product);
    newton->gap = product / 2;
}

// Stores the last step, -share * newton->step, and the change of the gradient during this step.
// Later steps use both to correct the Hessian.
static void keep_pair(Newton *newton, double share) {
    if (newton->pairs == MEMORY) {
        for (size_t i = 0; i + 1 < MEMORY; i++) {
            memmove(gsl_matrix_ptr(newton->moved, i, 0), gsl_matrix_ptr(newton->moved, i + 1, 0),
                    newton->count * sizeof(double));
            memmove(gsl_matrix_ptr(newton->turned, i, 0), gsl_matrix_ptr(newton->turned, i + 1, 0),
                    newton->count * sizeof(double));
        }
        newton->pairs--;
    }
    gsl_vector_view moved = gsl_matrix_row(newton->moved, (size_t)newton->pairs);
    gsl_vector_view turned = gsl_matrix_row(newton->turned, (size_t)newton->pairs);
    gsl_vector_memcpy(&moved.vector, newton->step);
    gsl_vector_scale(&moved.vector, -share);
    gsl_vector_memcpy(&turned.vector, newton->next_gradient);
    gsl_vector_sub(&turned.vector, newton->gradient);
    double change;
    gsl_blas_ddot(&moved.vector, &turned.vector, &change);
    // If the change of the gradient is only a rounding error, it contains no information about the
    // Hessian. The step and the change are then dropped.
    newton->pairs += change > 1e-13 * fabs(newton->value);
}

// Makes the step, or the longest of its halves, quarters and so on that lowers the objective
// enough. Returns false if none does.
static bool take_step(Newton *newton) {
    Fit *fit = newton->fit;
    // Near the minimum, values of the objective differ by less than their rounding errors.
    const double rounding = 1e-14 * fabs(newton->value);
    double share = 1;
    for (int i = 0; i < MOST_HALVES; i++, share /= 2) {
        LossSums sums;
        memcpy(newton->trial, fit->weights, (size_t)fit->n * sizeof *newton->trial);
        for (size_t k = 0; k < newton->count; k++) {
            newton->trial[newton->place[k]] -= share * gsl_vector_get(newton->step, k);
        }
        const double value = objective(newton, newton->trial, &sums, newton->next_gradient);
        if (!(value <= newton->value - 2e-4 * share * newton->gap + rounding)) continue;
        keep_pair(newton, share);
        gsl_vector_memcpy(newton->gradient, newton->next_gradient);
        memcpy(fit->weights, newton->trial, (size_t)fit->n * sizeof *newton->trial);
        newton->value = value;
        newton->sums = sums;
        return true;
    }
    return false;
}

// Records the state of the fit and calls report(). Returns false if the fit must stop.
static bool note_step(Newton *newton, int iteration, double started_s) {
    Fit *fit = newton->fit;
    const LossSums *sums = &newton->sums;
    fit->last =
        (FitStep){.iteration = iteration,
                  .train = sums->loss / sums->weight,
                  .valid = sums->valid_weight > 0 ? sums->valid_loss / sums->valid_weight : NAN,
                  .objective = newton->value,
                  .gradient_norm = gsl_blas_dnrm2(newton->gradient),
                  .gap = newton->gap};
    fit->time_s = clock_now_s() - started_s;
    return !fit->report || fit->report(fit->report_context, &fit->last, fit->time_s);
}

static void newton_init(Newton *newton, Fit *fit) {
    *newton = (Newton){.fit = fit, .gap = NAN};
    newton->place = fit_free_places(fit, &newton->count);
    newton->trial = memory_alloc((size_t)fit->n, sizeof *newton->trial);
    newton->all = memory_alloc((size_t)fit->n, sizeof *newton->all);
    if (newton->count == 0) return; // GSL cannot allocate empty vectors
    newton->gradient = gsl_vector_alloc(newton->count);
    newton->next_gradient = gsl_vector_alloc(newton->count);
    newton->step = gsl_vector_alloc(newton->count);
    newton->moved = gsl_matrix_alloc(MEMORY, newton->count);
    newton->turned = gsl_matrix_alloc(MEMORY, newton->count);
}

Status fit_minimise(Fit *fit, bool hessian_wanted, Err *err) {
    const double started_s = clock_now_s(), end_gap = hessian_wanted ? least_gap : rough_gap;
    AUTO(Newton) newton;
    newton_init(&newton, fit);
    if (newton.count == 0) {
        return err_set(
            err, STATUS_USAGE,
            "no weight remains to fit: all %d weights are frozen; name fewer terms in --freeze",
            fit->n);
    }
    newton.value = objective(&newton, fit->weights, &newton.sums, newton.gradient);
    fit->train_weight = newton.sums.weight;
    if (fit->train_weight == 0)
        return err_set(
            err, STATUS_BAD_INPUT,
            "nothing to fit: the training games have no results (and no search scores, or "
            "--lambda is 1, which ignores them); add games with results");
    if (!fit->factor) {
        fit->factor = memory_alloc(newton.count * newton.count, sizeof *fit->factor);
        TRY(take_hessian(&newton, false, err));
    }
    int parts = 0; // number of times that the Hessian was computed again far from the minimum
    // True if no further Hessian is needed: one was computed from all positions, with weights near
    // the minimum, or the caller does not want such a Hessian.
    bool last = !hessian_wanted;
    direct(&newton);
    bool more = note_step(&newton, 0, started_s);
    for (int i = 1; more && i <= MOST_ITERATIONS; i++) {
        const double before = newton.gap;
        if (!take_step(&newton)) {
            return err_set(
                err, STATUS_NUMERIC,
                "the fit failed: no Newton step from iteration %d lowers the loss; use a stronger "
                "prior (a smaller --prior-sd), which keeps the weights finite",
                i - 1);
        }
        direct(&newton);
        const bool near = newton.gap <= near_gap * fabs(newton.value);
        const bool slow = newton.gap > slow_share * before;
        if ((near && !last) || (slow && !near)) {
            // Far from the minimum the Hessian of a sample is enough. After MOST_PARTS new Hessians
            // of samples, the Hessian of all positions is computed instead.
            TRY(take_hessian(&newton, near || ++parts > MOST_PARTS, err));
            direct(&newton);
            last = last || near;
        }
        const double gap = newton.gap / fabs(newton.value);
        fit->converged = last && (gap <= end_gap || (gap <= 1e4 * end_gap && slow));
        more = note_step(&newton, i, started_s) && !fit->converged;
    }
    return STATUS_OK;
}
