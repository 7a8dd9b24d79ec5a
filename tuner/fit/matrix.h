// SPDX-License-Identifier: GPL-3.0-or-later
// Symmetric matrices of some hundred rows, as the fit has them. Everything goes through one product
// of matrices. (GSL's, without an optimised library behind it, takes ten times as long.) The same
// bits for any number of threads (up to 1: one).
#pragma once

#include <stdbool.h>
#include <stddef.h>

// Rows and columns of a matrix, row-major, whose lines are `line` numbers apart.
typedef struct Part {
    double *at;
    size_t line, rows, columns;
} Part;

// c += sign a' b, with a and b of as many rows; where `upper`, perhaps only at and above the
// diagonal.
void matrix_add_product(Part c, Part a, Part b, double sign, bool upper, int threads);

// Copies what is above the diagonal of a, n x n, to below it.
void matrix_mirror(double *a, size_t n);

// Replaces the upper triangle of a, n x n, by that of R, with a = R' R (Cholesky). False when a is
// not positive definite.
bool matrix_factor(double *a, size_t n, int threads);

// Replaces b by the solution x of R' R x = b.
void matrix_solve(const double *r, size_t n, double *b);

// The inverse of R' R, n x n, to be freed.
double *matrix_inverse(const double *r, size_t n, int threads);
