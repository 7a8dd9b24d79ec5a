// SPDX-License-Identifier: GPL-3.0-or-later
#include "tuner/fit/prior.h"

#include <string.h>

#include "core/base/memory.h"
#include "core/eval/eval.h"
#include "tuner/fit/prior_terms.h"

void prior_clear(Prior *prior) {
    free(prior->centre);
    free(prior->parts);
    free(prior->index);
    free(prior->coefficient);
    free(prior->sd);
    free(prior->kind);
    memset(prior, 0, sizeof *prior);
}

void prior_add(Prior *prior, double strength, int count, const int *index,
               const double *coefficient) {
    prior->parts =
        memory_room(prior->parts, &prior->capacity, prior->count + 1, sizeof *prior->parts);
    const size_t needed = prior->entry_count + (size_t)count;
    size_t capacity = prior->entry_capacity;
    prior->index = memory_room(prior->index, &capacity, needed, sizeof *prior->index);
    prior->coefficient =
        memory_room(prior->coefficient, &prior->entry_capacity, needed, sizeof *prior->coefficient);
    prior->parts[prior->count++] = (PriorPart){strength, prior->entry_count, count};
    memcpy(prior->index + prior->entry_count, index, (size_t)count * sizeof *index);
    memcpy(prior->coefficient + prior->entry_count, coefficient,
           (size_t)count * sizeof *coefficient);
    prior->entry_count = needed;
}

double prior_value(const Prior *prior, const double *x, double *gradient) {
    double value = 0.0;
    for (size_t p = 0; p < prior->count; p++) {
        const PriorPart *part = &prior->parts[p];
        const int *index = prior->index + part->first;
        const double *coefficient = prior->coefficient + part->first;
        double sum = 0.0;
        for (int i = 0; i < part->count; i++) {
            sum += coefficient[i] * (x[index[i]] - prior->centre[index[i]]);
        }
        value += 0.5 * part->strength * sum * sum;
        for (int i = 0; gradient && i < part->count; i++) {
            gradient[index[i]] += part->strength * sum * coefficient[i];
        }
    }
    return value;
}

void prior_add_hessian(const Prior *prior, double *hessian) {
    const size_t n = (size_t)prior->n;
    for (size_t p = 0; p < prior->count; p++) {
        const PriorPart *part = &prior->parts[p];
        const int *index = prior->index + part->first;
        const double *coefficient = prior->coefficient + part->first;
        for (int i = 0; i < part->count; i++) {
            double *line = hessian + (size_t)index[i] * n;
            for (int j = 0; j < part->count; j++) {
                line[index[j]] += part->strength * coefficient[i] * coefficient[j];
            }
        }
    }
}

// ---- the built-in evaluation --------------------------------------------------------------------

// The data do not determine the mean of a term's weights. A prior therefore ties it to the mean of
// their centres (Prior.centre): the difference of both means has mean 0 and a standard deviation of
// one unit of the evaluation. Each weight counts in the means as often as it occurs.
static void constrain_mean(Prior *prior, const RowSet *rows, const WeightTerm *term, int phase) {
    const double strength = 1.0;
    int index[WEIGHT_COUNT];
    double share[WEIGHT_COUNT], sum = 0.0;
    for (int i = 0; i < term->count; i++) {
        index[i] = 2 * (term->first + i) + phase;
        share[i] = row_occurrences(rows, index[i]);
        sum += share[i];
    }
    if (!(sum > 0)) return;
    for (int i = 0; i < term->count; i++) share[i] /= sum;
    prior_add(prior, strength, term->count, index, share);
}

// Adds a prior on the difference of entries a and b of a term, separately in the middlegame and the
// endgame.
static void smooth_pair(Prior *prior, const WeightTerm *term, int a, int b, double sd) {
    for (int phase = 0; phase < 2; phase++) {
        const int index[2] = {2 * (term->first + a) + phase, 2 * (term->first + b) + phase};
        prior_add(prior, 1.0 / (sd * sd), 2, index, (const double[]){1.0, -1.0});
    }
}

// Adds a prior on the difference between the table entries of `square` and of its neighbour `next`,
// unless the table smoothed [count][count] says that this pair of entries already has one.
static void smooth_squares(Prior *prior, const WeightTerm *term, int square, int next, double sd,
                           bool *smoothed) {
    const int a = eval_table_entry(term->shape, RED, square);
    const int b = eval_table_entry(term->shape, RED, next);
    if (a < 0 || b < 0 || a == b || smoothed[a * term->count + b]) return;
    smoothed[a * term->count + b] = smoothed[b * term->count + a] = true;
    smooth_pair(prior, term, a, b, sd);
}

static void smooth(Prior *prior, const WeightTerm *term, double sd) {
    if (term->shape == SHAPE_NONE) {
        for (int i = 0; i + 1 < term->count; i++) smooth_pair(prior, term, i, i + 1, sd);
        return;
    }
    AUTO_FREE bool *smoothed =
        memory_alloc((size_t)term->count * (size_t)term->count, sizeof *smoothed);
    for (int square = 0; square < SQUARE_COUNT; square++) {
        if (square_file(square) + 1 < FILE_COUNT) {
            smooth_squares(prior, term, square, square + 1, sd, smoothed);
        }
        if (square_rank(square) + 1 < RANK_COUNT) {
            smooth_squares(prior, term, square, square + FILE_COUNT, sd, smoothed);
        }
    }
}

bool prior_from_errors(const PriorSetup *setup, int weight) {
    return setup->se && setup->se_times > 0 && setup->se[weight] > 0;
}

void prior_for_evaluation(Prior *prior, const PriorSetup *setup, const RowSet *rows,
                          const double *centre) {
    const size_t n = 2 * (size_t)rows->pairs;
    *prior = (Prior){.n = (int)n,
                     .centre = memory_alloc(n, sizeof *centre),
                     .kind = memory_alloc(n, sizeof *prior->kind),
                     .kinds = rows->names ? 1 : WEIGHT_TERM_COUNT};
    memcpy(prior->centre, centre, n * sizeof *centre);
    if (setup->terms) prior_add_terms(prior, setup->terms, setup->times);
    for (int i = 0; rows->names && !setup->terms && i < 2 * rows->pairs; i++) {
        prior_add(prior, 1.0 / (setup->sd * setup->sd), 1, &i, &(double){1.0});
    }
    if (rows->names) return;
    for (int t = 0; t < WEIGHT_TERM_COUNT; t++) {
        const WeightTerm *term = &weight_terms[t];
        for (int i = 2 * term->first; i < 2 * (term->first + term->count); i++) {
            const double sd = prior_from_errors(setup, i)   ? setup->se_times * setup->se[i]
                              : term->part == TERM_MATERIAL ? setup->material_sd
                                                            : setup->sd;
            prior_add(prior, 1.0 / (sd * sd), 1, &i, &(double){1.0});
            prior->kind[i] = t;
        }
        for (int phase = 0; term->part == TERM_ENTRY && phase < 2; phase++) {
            constrain_mean(prior, rows, term, phase);
        }
        if (setup->smooth_sd > 0) smooth(prior, term, setup->smooth_sd);
    }
}
