// SPDX-License-Identifier: GPL-3.0-or-later
#include "tuner/fit/cholesky.h"

#include <gsl/gsl_linalg.h>
#include <string.h>

#include "core/base/memory.h"

// GSL's CBLAS adds up one element of the result after the other, and each addition waits for the
// previous one. The functions below compute the elements of LANES rows at a time, which compilers
// turn into vector instructions. The order of additions of each element stays the same.
enum {
    LANES = 32,
    SMALL = 64 // GSL is as fast as the functions below up to this number of rows
};
typedef double Lanes[LANES]; // one column of LANES rows

static size_t rows_at(const gsl_matrix *matrix, size_t first) {
    return matrix->size1 - first < LANES ? matrix->size1 - first : LANES;
}

// Copies the rows of a matrix from row `first` on, at most LANES. Missing rows are 0.
static void take_rows(const gsl_matrix *matrix, size_t first, Lanes *lanes) {
    const size_t rows = rows_at(matrix, first);
    for (size_t k = 0; k < matrix->size2; k++) {
        for (size_t r = 0; r < LANES; r++) {
            lanes[k][r] = r < rows ? matrix->data[(first + r) * matrix->tda + k] : 0;
        }
    }
}

// Solves x L^T = b for each row b of the matrix, and replaces b by x.
static void solve_rows(const gsl_matrix *factor, gsl_matrix *matrix, Lanes *lanes) {
    for (size_t first = 0; first < matrix->size1; first += LANES) {
        take_rows(matrix, first, lanes);
        for (size_t k = 0; k < factor->size1; k++) {
            const double *line = factor->data + k * factor->tda;
            Lanes x;
            memcpy(x, lanes[k], sizeof x);
            for (size_t j = 0; j < k; j++) {
                for (size_t r = 0; r < LANES; r++) x[r] -= line[j] * lanes[j][r];
            }
            for (size_t r = 0; r < LANES; r++) lanes[k][r] = x[r] / line[k];
        }
        for (size_t r = 0; r < rows_at(matrix, first); r++) {
            double *row = matrix->data + (first + r) * matrix->tda;
            for (size_t k = 0; k < factor->size1; k++) row[k] = lanes[k][r];
        }
    }
}

// Subtracts A A^T from the lower triangle of the matrix.
static void subtract_square(const gsl_matrix *a, gsl_matrix *matrix, Lanes *lanes) {
    for (size_t first = 0; first < a->size1; first += LANES) {
        take_rows(a, first, lanes);
        for (size_t i = first; i < a->size1; i++) {
            const double *line = a->data + i * a->tda;
            Lanes sum = {0};
            for (size_t k = 0; k < a->size2; k++) {
                for (size_t r = 0; r < LANES; r++) sum[r] += line[k] * lanes[k][r];
            }
            double *row = matrix->data + i * matrix->tda + first;
            for (size_t r = 0; r < LANES && first + r <= i; r++) row[r] -= sum[r];
        }
    }
}

// Divides the matrix into blocks [A, .; B, C] where GSL does, so that all sums are the same.
static int factorise(gsl_matrix *matrix, Lanes *lanes) {
    const size_t n = matrix->size1, half = (n + 8) / 16 * 8;
    if (n <= SMALL) return gsl_linalg_cholesky_decomp1(matrix);
    gsl_matrix_view a = gsl_matrix_submatrix(matrix, 0, 0, half, half);
    gsl_matrix_view b = gsl_matrix_submatrix(matrix, half, 0, n - half, half);
    gsl_matrix_view c = gsl_matrix_submatrix(matrix, half, half, n - half, n - half);
    const int status = factorise(&a.matrix, lanes);
    if (status != GSL_SUCCESS) return status;
    solve_rows(&a.matrix, &b.matrix, lanes);
    subtract_square(&b.matrix, &c.matrix, lanes);
    return factorise(&c.matrix, lanes);
}

int cholesky_factorise(gsl_matrix *matrix) {
    AUTO_FREE Lanes *lanes = memory_alloc(matrix->size1, sizeof *lanes);
    return factorise(matrix, lanes);
}
