// SPDX-License-Identifier: GPL-3.0-or-later
#include "tuner/fit/values.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/memory.h"
#include "tuner/fit/loss.h"

double value_shares(const RowSet *rows, WeightGroup group, ValueKind kind, double *share) {
    // `pieces` is the number of pieces of the group. `counted` sums a weight over these pieces: the
    // phase p of the position for VALUE_MIDDLEGAME, 1 - p for VALUE_ENDGAME, and 1 for VALUE_MEAN.
    double pieces = 0, counted = 0;
    for (int i = 0; i < 2 * WEIGHT_COUNT; i++) share[i] = 0.0;
    for (int t = 0; t < WEIGHT_TERM_COUNT; t++) {
        const WeightTerm *term = &weight_terms[t];
        if (term->group != group || term->part > TERM_ENTRY) continue;
        // Each term counts the pieces again, which is redundant but harmless: each piece occurs
        // exactly once in each MATERIAL and ENTRY term of its kind (`group`), so all counts are
        // equal.
        pieces = counted = 0;
        for (int i = 2 * term->first; i < 2 * (term->first + term->count); i++) {
            pieces += row_occurrences(rows, i);
            if (kind == (i % 2 ? VALUE_MIDDLEGAME : VALUE_ENDGAME)) continue;
            counted += share[i] = row_occurrences(rows, i);
        }
    }
    for (int i = 0; i < 2 * WEIGHT_COUNT; i++) share[i] = counted > 0 ? share[i] / counted : 0.0;
    return pieces;
}

double piece_share(const RowSet *rows, WeightGroup group, ValueKind kind, const double *weights) {
    double share[2 * WEIGHT_COUNT], sum = 0.0, all = 0.0;
    value_shares(rows, group, kind, share);
    for (int i = 0; i < 2 * WEIGHT_COUNT; i++) {
        sum += share[i] * weights[i];
        all += share[i];
    }
    return all > 0 ? sum : NAN;
}

bool values_have_scale(const RowSet *rows) {
    for (int t = 0; t < WEIGHT_TERM_COUNT; t++) {
        if (weight_terms[t].part == TERM_TOGETHER) return false;
    }
    return !rows->names;
}

Status values_apply_scale(const RowSet *rows, double *weights, double *k, Err *err) {
    if (!values_have_scale(rows)) return STATUS_OK;
    const double chariot = piece_share(rows, GROUP_CHARIOT, VALUE_MEAN, weights);
    if (!(chariot > 0)) {
        return err_set(
            err, STATUS_NUMERIC,
            "cannot set the scale of the weights: the fitted value of the chariot is %.3g, but "
            "it must be above 0; add games or use a stronger prior (a smaller --prior-sd)",
            chariot);
    }
    const double factor = SCALE_CHARIOT / chariot;
    for (int i = 0; i < 2 * WEIGHT_COUNT; i++) weights[i] *= factor;
    *k /= factor;
    return STATUS_OK;
}

void values_centre(const RowSet *rows, double *weights) {
    for (int group = 0; group < GROUP_COUNT; group++) {
        const WeightTerm *material = NULL;
        for (int t = 0; t < WEIGHT_TERM_COUNT; t++) {
            const WeightTerm *term = &weight_terms[t];
            if ((int)term->group != group) continue;
            if (term->part == TERM_MATERIAL) material = term;
            if (term->part != TERM_ENTRY) continue;
            for (int phase = 0; phase < 2; phase++) {
                const int first = 2 * term->first + phase, end = first + 2 * term->count;
                double sum = 0, count = 0;
                for (int i = first; i < end; i += 2) {
                    sum += row_occurrences(rows, i) * weights[i];
                    count += row_occurrences(rows, i);
                }
                if (!(count > 0)) continue;
                for (int i = first; i < end; i += 2) weights[i] -= sum / count;
                if (material) weights[2 * material->first + phase] += sum / count;
            }
        }
    }
}

static Status check_limits(const double *weights, Err *err) {
    for (int i = 0; i < 2 * WEIGHT_COUNT; i++) {
        if (fabs(weights[i]) <= WEIGHT_LIMIT - 1) continue;
        const WeightTerm *term = weight_term_of(i / 2);
        return err_set(
            err, STATUS_NUMERIC,
            "the fitted weight %s[%d] is %.6g, outside +-%d; use a stronger prior (a smaller "
            "--prior-sd), which keeps weights of rare terms small",
            term->name, i / 2 - term->first, weights[i], WEIGHT_LIMIT - 1);
    }
    return STATUS_OK;
}

// The quadratic function that rounding minimises: the loss, plus a penalty on a change of the
// chariot's mean value.
typedef struct Rounding {
    const double *weights, *hessian;
    const bool *frozen; // true for each frozen weight; NULL: no weight is frozen
    double share[2 * WEIGHT_COUNT];
    double hold; // strength of the penalty that keeps the mean value of a chariot unchanged
    double slope[2 * WEIGHT_COUNT]; // gradient of the quadratic loss at the current rounded weights
    // mean value of a chariot with the current rounded weights, minus its mean value before
    // rounding
    double mean;
} Rounding;

static void rounding_move(Rounding *rounding, double *whole, size_t i, double step) {
    const size_t n = 2 * WEIGHT_COUNT;
    whole[i] += step;
    rounding->mean += step * rounding->share[i];
    for (size_t j = 0; j < n; j++) rounding->slope[j] += step * rounding->hessian[i * n + j];
}

// Moves the rounded weights one at a time, in order, until no single move lowers the quadratic
// function, or for at most 100 rounds. Each rounded weight must stay within two units of its exact
// value: the function is almost flat in some directions, so weights could move far.
static void descend(Rounding *rounding, double *whole) {
    const size_t n = 2 * WEIGHT_COUNT;
    bool moved = true;
    for (int sweep = 0; moved && sweep < 100; sweep++) {
        moved = false;
        for (size_t i = 0; i < n; i++) {
            if (rounding->frozen && rounding->frozen[i]) continue;
            const double held = rounding->hold * rounding->share[i];
            const double slope = rounding->slope[i] + held * rounding->mean;
            const double curvature = rounding->hessian[i * n + i] + held * rounding->share[i];
            if (!(curvature > 0)) continue;
            const double step = fmax(-1.0, fmin(1.0, -round(slope / curvature)));
            if (step == 0 || fabs(whole[i] + step - rounding->weights[i]) > 2.0) continue;
            if (step * slope + 0.5 * step * step * curvature >= 0) continue;
            rounding_move(rounding, whole, i, step);
            moved = true;
        }
    }
}

static void round_by_loss(const RowSet *rows, const double *weights, const double *hessian,
                          const bool *frozen, double *whole) {
    const size_t n = 2 * WEIGHT_COUNT;
    Rounding rounding = {.weights = weights, .hessian = hessian, .frozen = frozen};
    value_shares(rows, GROUP_CHARIOT, VALUE_MEAN, rounding.share);
    for (size_t i = 0; i < n; i++) {
        // The strength of the penalty (hold) is chosen so that a change of the mean value of a
        // chariot by 0.1 units costs as much as a change of the best-determined weight by 1.
        rounding.hold = fmax(rounding.hold, 100.0 * hessian[i * n + i]);
        rounding.mean += rounding.share[i] * (whole[i] - weights[i]);
        for (size_t j = 0; j < n; j++) {
            rounding.slope[i] += hessian[i * n + j] * (whole[j] - weights[j]);
        }
    }
    descend(&rounding, whole);
}

Status values_round(const RowSet *rows, const double *weights, const double *hessian,
                    const bool *frozen, Weights *rounded, Err *err) {
    const Status status = check_limits(weights, err);
    if (status != STATUS_OK) return status;
    double whole[2 * WEIGHT_COUNT];
    for (int i = 0; i < 2 * WEIGHT_COUNT; i++) whole[i] = round(weights[i]);
    if (hessian) round_by_loss(rows, weights, hessian, frozen, whole);
    WeightPair *flat = weights_flat(rounded);
    for (int i = 0; i < WEIGHT_COUNT; i++) {
        flat[i] = (WeightPair){(int32_t)whole[2 * i], (int32_t)whole[2 * i + 1]};
    }
    return STATUS_OK;
}

void values_flat(const Weights *weights, double *flat) {
    for (int i = 0; i < WEIGHT_COUNT; i++) {
        flat[2 * i] = weights_flat_const(weights)[i].mg;
        flat[2 * i + 1] = weights_flat_const(weights)[i].eg;
    }
}

void values_classic(double *flat) {
    Weights table;
    weights_classic(&table);
    values_flat(&table, flat);
}

Status values_check(const RowSet *rows, const double *fitted, double k_fitted,
                    const double *weights, double k, double slack, Err *err) {
    AUTO_FREE double *was = memory_alloc(ROWS_CHUNK, sizeof *was);
    AUTO_FREE double *is = memory_alloc(ROWS_CHUNK, sizeof *is);
    double worst = 0.0, worst_was = 0.0, worst_is = 0.0;
    const RowGame *game = NULL;
    size_t worst_row = 0, row = 0;
    for (size_t c = rows->own_first; c < rows->own_end; c++) {
        loss_chunk_scores(rows, c, fitted, was);
        loss_chunk_scores(rows, c, weights, is);
        for (uint32_t i = 0; i < rows->chunks[c].count; i++, row++) {
            const double away = fabs(is[i] - was[i] * k_fitted / k);
            if (away <= worst) continue;
            worst = away;
            worst_was = was[i] * k_fitted / k;
            worst_is = is[i];
            worst_row = row;
            game = &rows->games[rows->chunks[c].game[i]];
        }
    }
    if (!(worst > slack)) return STATUS_OK;
    return err_set(
        err, STATUS_NUMERIC,
        "centring, scaling and rounding the weights must not change scores, but the score of "
        "position %zu (game %llu) changed from %.2f to %.2f; check core/eval/weights.def: only a "
        "term that counts each piece of its group exactly once may have the kind MATERIAL or "
        "ENTRY; other terms have the kind FREE or TOGETHER",
        worst_row, (unsigned long long)(game ? game->id : 0), worst_was, worst_is);
}
