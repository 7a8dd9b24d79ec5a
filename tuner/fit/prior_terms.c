// SPDX-License-Identifier: GPL-3.0-or-later
#include "tuner/fit/prior_terms.h"

#include <gsl/gsl_sort.h>
#include <math.h>
#include <string.h>

#include "core/base/memory.h"
#include "tuner/fit/cholesky.h"
#include "tuner/rows/term_names.h"

// ---- scales
// --------------------------------------------------------------------------------------

// Shares chosen for ElephantEye, whose tables gained with deviations of 30, 5, 4 and 3 for value,
// rank, file and square, and for Pikafish-HCE, which gained with 80 for all.
#define SHARE_SINGLE 0.5
#define SHARE_STEP   0.5
#define SHARE_MEAN   0.3
#define SHARE_LARGE  0.25
#define SHARE_RANK   0.6
#define SHARE_FILE   0.5
#define SHARE_SQUARE 0.4

// Returns the pair of weights that holds a value of a term.
static int *weights_of(const SparseTerms *terms) {
    int *weight = memory_alloc(2 * terms->terms, sizeof *weight);
    for (size_t i = 0; i < 2 * terms->terms; i++) {
        const double term = terms->value_of ? terms->value_of[i / 2][i % 2] : (double)(i / 2);
        if (term >= 0) weight[2 * (size_t)term + i % 2] = (int)i;
    }
    return weight;
}

static double start_of(const SparseTerms *terms, const int *weight, int term, int phase) {
    const int i = weight[2 * term + phase];
    return terms->start[i / 2][i % 2];
}

// Returns the root of the mean square of the values of a family; values that are 0 do not count.
static double size_of(const SparseTerms *terms, const int *weight, const TermFamily *family) {
    double sum = 0;
    int count = 0;
    for (int i = 0; i < family->count; i++) {
        for (int phase = 0; phase < 1 + terms->phased; phase++) {
            const double value = start_of(terms, weight, family->terms[i], phase);
            sum += value * value;
            count += value != 0;
        }
    }
    return count ? sqrt(sum / count) : 0;
}

// Adds the squared means and the variances of a table to sums [2].
static void add_table(const SparseTerms *terms, const int *weight, const TermFamily *family,
                      double sums[2]) {
    for (int phase = 0; phase < 1 + terms->phased; phase++) {
        double mean = 0, squares = 0;
        for (int i = 0; i < family->count; i++) {
            const double value = start_of(terms, weight, family->terms[i], phase);
            mean += value / family->count;
            squares += value * value / family->count;
        }
        sums[0] += mean * mean;
        sums[1] += squares - mean * mean;
    }
}

static bool is_table(const TermFamily *family) {
    return family->kind == FAMILY_TABLE || family->kind == FAMILY_HALF;
}

static TermScales find_scales(const SparseTerms *terms, const TermFamilies *families,
                              const int *weight, double times) {
    AUTO_FREE double *sizes = memory_alloc((size_t)families->count, sizeof *sizes);
    double sums[2] = {0}, unit = terms->value_unit > 0 ? terms->value_unit : 1, squares = 0;
    size_t count = 0;
    int tables = 0;
    for (int f = 0; f < families->count; f++) {
        const TermFamily *family = &families->list[f];
        const double size = size_of(terms, weight, family);
        if (is_table(family)) add_table(terms, weight, family, sums);
        tables += is_table(family) ? 1 + terms->phased : 0;
        if (size > 0 && !is_table(family)) sizes[count++] = size;
        if (!is_table(family)) squares += size * size;
    }
    gsl_sort(sizes, 1, count);
    const double mean = tables ? sqrt(sums[0] / tables) : 0;
    const double spread = tables ? sqrt(sums[1] / tables) : 0;
    // If material values stand apart and are fixed, the tables' means stand for their changes.
    const double large = count ? sqrt(squares / (double)count) : 0;
    const double typical = count ? sizes[count / 2] : fmax(mean, spread);
    const double within = fmax(spread, fmax(0.1 * fmax(mean, typical), 4 * unit));
    return (TermScales){.share = times * SHARE_SINGLE,
                        .least = times * fmax(SHARE_SINGLE * typical, 4 * unit),
                        .step = SHARE_STEP,
                        .value = times *
                                 fmax(SHARE_MEAN * mean, fmax(SHARE_LARGE * large, 0.5 * within)),
                        .rank = times * SHARE_RANK * within,
                        .file = times * SHARE_FILE * within,
                        .square = times * SHARE_SQUARE * within};
}

TermScales term_scales(const SparseTerms *terms, double times) {
    AUTO(TermFamilies) families = {0};
    term_families_init(&families, terms);
    AUTO_FREE int *weight = weights_of(terms);
    return find_scales(terms, &families, weight, times);
}

// ---- covariances
// ---------------------------------------------------------------------------------

// Returns the covariance of the changes of two entries of a table.
static double table_covariance(const TermScales *scales, const TermFamily *family, int a, int b) {
    const int files = family->kind == FAMILY_HALF ? 5 : 9;
    const int x = term_family_place(family, a), y = term_family_place(family, b);
    double sum = scales->value * scales->value;
    if (x / files == y / files) sum += scales->rank * scales->rank;
    if (x % files == y % files) sum += scales->file * scales->file;
    if (a == b) sum += scales->square * scales->square;
    return sum;
}

// Returns the covariance of a random walk with steps of size 1, which is 0 at `origin`.
static double walk(int a, int b, int origin) {
    const int x = a - origin, y = b - origin;
    return (x > 0) == (y > 0) ? fmin(abs(x), abs(y)) : 0;
}

static double curve_covariance(const TermScales *scales, const TermFamily *family, double size,
                               int a, int b) {
    const double value = fmax(scales->share * size, scales->least), step = scales->step * value;
    double sum = value * value;
    for (int d = 0; d < family->indices; d++) {
        sum += step * step * walk(family->place[a][d], family->place[b][d], family->extent[d] / 2);
    }
    return a == b ? sum + 0.01 * value * value : sum;
}

// Adds the prior of a group of weights with this covariance [count][count]. With the factor L of
// the covariance, each row of the inverse of L is a part of the prior.
static void add_group(Prior *prior, int count, const int *index, double *covariance) {
    gsl_matrix_view matrix = gsl_matrix_view_array(covariance, (size_t)count, (size_t)count);
    AUTO_FREE double *line = memory_alloc((size_t)count, sizeof *line);
    for (int i = 0; i < count; i++) prior->sd[index[i]] = sqrt(covariance[i * count + i]);
    if (cholesky_factorise(&matrix.matrix) != 0) { // cannot happen: the squares' part is positive
        for (int i = 0; i < count; i++) {
            prior_add(prior, 1 / pow(prior->sd[index[i]], 2), 1, &index[i], &(double){1});
        }
        return;
    }
    for (int row = 0; row < count; row++) {
        memset(line, 0, (size_t)count * sizeof *line);
        line[row] = 1 / covariance[row * count + row];
        for (int k = row - 1; k >= 0; k--) { // solves line L = unit vector, from the right
            double sum = 0;
            for (int j = k + 1; j <= row; j++) sum += line[j] * covariance[j * count + k];
            line[k] = -sum / covariance[k * count + k];
        }
        prior_add(prior, 1, row + 1, index, line);
    }
}

void prior_add_terms(Prior *prior, const SparseTerms *terms, double times) {
    AUTO(TermFamilies) families = {0};
    term_families_init(&families, terms);
    AUTO_FREE int *weight = weights_of(terms);
    const TermScales scales = find_scales(terms, &families, weight, times);
    AUTO_FREE bool *used = memory_alloc((size_t)prior->n, sizeof *used);
    prior->sd = memory_alloc((size_t)prior->n, sizeof *prior->sd);
    prior->kinds = families.count;
    for (int f = 0; f < families.count; f++) {
        const TermFamily *family = &families.list[f];
        const size_t n = (size_t)family->count;
        const double size = size_of(terms, weight, family);
        AUTO_FREE double *covariance = memory_alloc(n * n, sizeof *covariance);
        AUTO_FREE int *index = memory_alloc(n, sizeof *index);
        for (int phase = 0; phase < 2; phase++) {
            for (int a = 0; a < family->count; a++) {
                index[a] = weight[2 * family->terms[a] + phase];
                used[index[a]] = true;
                prior->kind[index[a]] = f;
                for (int b = 0; b < family->count; b++) {
                    covariance[(size_t)a * n + (size_t)b] =
                        is_table(family) ? table_covariance(&scales, family, a, b)
                                         : curve_covariance(&scales, family, size, a, b);
                }
            }
            add_group(prior, family->count, index, covariance);
        }
    }
    for (int i = 0; i < prior->n; i++) { // weights without a meaning are fixed at 0
        if (!used[i]) prior_add(prior, 1, 1, &i, &(double){1});
    }
}
