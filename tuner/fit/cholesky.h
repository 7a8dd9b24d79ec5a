// SPDX-License-Identifier: GPL-3.0-or-later
// Cholesky factorisation of large matrices.
#pragma once

#include <gsl/gsl_matrix.h>

// Replaces the lower triangle of a symmetric positive definite matrix by its Cholesky factor L
// (matrix = L L^T). The upper triangle is undefined afterwards. Does the same operations in the
// same order as gsl_linalg_cholesky_decomp1(), but takes an eighth of the time for a matrix of 900
// rows. Returns GSL_SUCCESS, or GSL_EDOM if the matrix is not positive definite.
int cholesky_factorise(gsl_matrix *matrix);
