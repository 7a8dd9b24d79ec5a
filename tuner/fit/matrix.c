// SPDX-License-Identifier: GPL-3.0-or-later
#include "tuner/fit/matrix.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/bits.h"
#include "core/base/memory.h"

// A tile of the product is in registers while a strip of rows is gone through. (Its size changes no
// bits: each number of the product is a sum of its own.)
enum { TILE_ROWS = REALS_AT_ONCE, TILE_WIDES = REALS_AT_ONCE == 8 ? 2 : 3, STRIP = 64 };
enum { TILE_COLUMNS = REALS_AT_ONCE * TILE_WIDES };

typedef struct Panel {
    DoubleWide of[STRIP][TILE_WIDES];
} Panel;

static size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}

static void fill_panel(Panel *panel, Part b, size_t first, size_t column, size_t depth,
                       double sign) {
    const size_t columns = least(TILE_COLUMNS, b.columns - column);
    if (columns < TILE_COLUMNS) memset(panel, 0, sizeof *panel);
    for (size_t k = 0; k < depth; k++) {
        double *to = (double *)(void *)panel->of[k];
        const double *from = b.at + (first + k) * b.line + column;
        for (size_t j = 0; j < columns; j++) to[j] = sign * from[j];
    }
}

// sum = a' panel, of TILE_ROWS columns of a.
static NOINLINE void tile_product(const double *a, size_t line, const Panel *panel, size_t depth,
                                  DoubleWide sum[TILE_ROWS][TILE_WIDES]) {
    DoubleWide s[TILE_ROWS][TILE_WIDES] = {{{0}}};
    for (size_t k = 0; k < depth; k++, a += line) {
        for (int i = 0; i < TILE_ROWS; i++) {
            for (int j = 0; j < TILE_WIDES; j++) s[i][j] += a[i] * panel->of[k][j];
        }
    }
    memcpy(sum, s, sizeof s);
}

// Adds what one strip says of TILE_ROWS rows of c and the panel's columns.
static void add_tile(Part c, Part a, size_t first, size_t row, size_t column, const Panel *panel,
                     size_t depth) {
    DoubleWide sum[TILE_ROWS][TILE_WIDES];
    double edge[STRIP][TILE_ROWS] = {{0}};
    const double *from = a.at + first * a.line + row;
    const size_t rows = least(TILE_ROWS, c.rows - row);
    const size_t columns = least(TILE_COLUMNS, c.columns - column);
    if (rows < TILE_ROWS) {
        for (size_t k = 0; k < depth; k++) memcpy(edge[k], from + k * a.line, rows * sizeof *from);
    }
    tile_product(rows < TILE_ROWS ? edge[0] : from, rows < TILE_ROWS ? TILE_ROWS : a.line, panel,
                 depth, sum);
    for (size_t i = 0; i < rows; i++) {
        double *to = c.at + (row + i) * c.line + column;
        const double *added = (const double *)(const void *)sum[i];
        for (size_t j = 0; j < columns; j++) to[j] += added[j];
    }
}

void matrix_add_product(Part c, Part a, Part b, double sign, bool upper, int threads) {
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads > 1 ? threads : 1)
    for (size_t column = 0; column < c.columns; column += TILE_COLUMNS) {
        const size_t end = upper ? least(c.rows, column + TILE_COLUMNS) : c.rows;
        for (size_t first = 0; first < a.rows; first += STRIP) {
            _Alignas(64) Panel panel;
            const size_t depth = least(STRIP, a.rows - first);
            fill_panel(&panel, b, first, column, depth, sign);
            for (size_t row = 0; row < end; row += TILE_ROWS) {
                add_tile(c, a, first, row, column, &panel, depth);
            }
        }
    }
}

void matrix_mirror(double *a, size_t n) {
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < i; j++) a[i * n + j] = a[j * n + i];
    }
}

// to[first ..] -= factor * from[first ..]
static void subtract(double *restrict to, const double *restrict from, double factor, size_t first,
                     size_t end) {
    for (size_t j = first; j < end; j++) to[j] -= factor * from[j];
}

bool matrix_factor(double *a, size_t n, int threads) {
    for (size_t first = 0; first < n; first += STRIP) {
        const size_t end = least(n, first + STRIP);
        for (size_t k = first; k < end; k++) {
            double *line = a + k * n;
            if (!(line[k] > 0) || !isfinite(line[k])) return false;
            const double scale = 1.0 / sqrt(line[k]);
            for (size_t j = k; j < n; j++) line[j] *= scale;
            for (size_t i = k + 1; i < end; i++) subtract(a + i * n, line, line[i], i, n);
        }
        const Part done = {a + first * n + end, n, end - first, n - end};
        matrix_add_product((Part){a + end * n + end, n, n - end, n - end}, done, done, -1.0, true,
                           threads);
    }
    return true;
}

void matrix_solve(const double *r, size_t n, double *b) {
    for (size_t k = 0; k < n; k++) {
        b[k] /= r[k * n + k];
        subtract(b, r + k * n, b[k], k + 1, n);
    }
    for (size_t k = n; k-- > 0;) {
        for (size_t j = k + 1; j < n; j++) b[k] -= r[k * n + j] * b[j];
        b[k] /= r[k * n + k];
    }
}

double *matrix_inverse(const double *r, size_t n, int threads) {
    double *inverse = memory_alloc(n * n, sizeof *inverse), *v = memory_alloc(n * n, sizeof *v);
    // V, with R' V = 1, is a lower triangle. The inverse is V' V.
    for (size_t first = 0; first < n; first += STRIP) {
        const size_t end = least(n, first + STRIP), rows = end - first;
        const Part block = {v + first * n, n, rows, end};
        const Part above = {(double *)r + first, n, first, rows};
        matrix_add_product((Part){v + first * n, n, rows, first}, above, (Part){v, n, first, first},
                           -1.0, false, threads);
        for (size_t k = first; k < end; k++) {
            v[k * n + k] = 1.0;
            for (size_t i = first; i < k; i++) subtract(v + k * n, v + i * n, r[i * n + k], 0, end);
            for (size_t j = 0; j <= k; j++) v[k * n + j] /= r[k * n + k];
        }
        matrix_add_product((Part){inverse, n, end, end}, block, block, 1.0, true, threads);
    }
    matrix_mirror(inverse, n);
    free(v);
    return inverse;
}
