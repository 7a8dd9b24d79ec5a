// SPDX-License-Identifier: GPL-3.0-or-later
#include <string.h>

#include "core/base/memory.h"
#include "tuner/rows/row_pass.h"

// Sums of products of two coefficients: cell [i][j] of a table with two more columns. A product of
// two entries of a row is added once, at the place of the entry that is listed first; the halves
// are joined at the end. Squares of an entry go to the last column, since an index given twice
// meets itself as another entry too. (The column before it is the row offset's, and not used.)
typedef struct Products {
    DoubleQuad *cells;
    size_t line; // columns: pairs + 2
} Products;

ALWAYS_INLINE DoubleQuad *product_line(const Products *table, unsigned index) {
    return table->cells + index / 2 * table->line;
}
ALWAYS_INLINE DoubleQuad *product_cell(DoubleQuad *line, unsigned index) {
    return line + index / 2;
}

// Adds, for any two entries with coefficients c and d, c d add: (p p, p q, q q, 0) times a
// curvature.
// (By address, as a machine without registers of four numbers has no one way to pass them.)
static void one_row_outer(RowEntries row, const Products *table, const DoubleQuad *added) {
    const DoubleQuad add = *added;
    const uint16_t *index = row.index;
    const int plus = row.plus, count = plus + row.minus;
    for (int a = 0; a < plus; a++) {
        DoubleQuad *cells = product_line(table, index[a]);
        for (int b = a + 1; b < plus; b++) *product_cell(cells, index[b]) += add;
        for (int b = plus; b < count; b++) *product_cell(cells, index[b]) -= add;
        cells[table->line - 1] += add;
    }
    for (int a = plus; a < count; a++) {
        DoubleQuad *cells = product_line(table, index[a]);
        for (int b = a + 1; b < count; b++) *product_cell(cells, index[b]) += add;
        cells[table->line - 1] += add;
    }
    for (int a = 0; a < row.other; a++) {
        const double v = row.value[a];
        const DoubleQuad scaled = add * (DoubleQuad){v, v, v, v};
        DoubleQuad *cells = product_line(table, index[count + a]);
        for (int b = 0; b < plus; b++) *product_cell(cells, index[b]) += scaled;
        for (int b = plus; b < count; b++) *product_cell(cells, index[b]) -= scaled;
        for (int b = a + 1; b < row.other; b++) {
            const double w = row.value[b];
            *product_cell(cells, index[count + b]) += scaled * (DoubleQuad){w, w, w, w};
        }
        cells[table->line - 1] += scaled * (DoubleQuad){v, v, v, v};
    }
}

// The same for the rows of the pass's block, which are the reader's next.
static void pass_outer(const RowPass *pass, RowReader *reader, const Products *table) {
    const double k = pass->setup->k;
    for (int i = 0; i < pass->block.count; i++) {
        const RowEntries row = row_reader_next(reader);
        const double p = pass->share[i], q = 1.0 - p;
        const double h = k * k * pass->row_weight[i] * pass->block.curvature[i];
        if (h == 0.0) continue;
        const DoubleQuad add = {h * p * p, h * p * q, h * q * q, 0};
        one_row_outer(row, table, &add);
    }
}

static void pass_hessian(RowPass *pass, RowReader *reader, const RowChunk *chunk, bool exact,
                         const Products *table) {
    row_sums(chunk, pass->weights, pass->sum);
    row_reader_open(reader, chunk);
    for (uint32_t first = 0; first < chunk->count; first += LOSS_BLOCK) {
        pass_forward(pass, chunk, first);
        loss_block(pass->setup->kind, exact, &pass->block);
        pass_outer(pass, reader, table);
    }
}

// Writes the 2 x 2 blocks of pairs i and j, and j and i.
static void store_block(double *hessian, size_t pairs, size_t i, size_t j, const DoubleQuad *sum) {
    const double block[2][2] = {{(*sum)[0], (*sum)[1]}, {(*sum)[1], (*sum)[2]}};
    for (size_t a = 0; a < 2; a++) {
        for (size_t b = 0; b < 2; b++) {
            hessian[(2 * i + a) * 2 * pairs + 2 * j + b] = block[a][b];
            hessian[(2 * j + b) * 2 * pairs + 2 * i + a] = block[a][b];
        }
    }
}

// RowPasss of the Hessian: as many as fit into 256 MB and have chunks, whatever the threads.
static int hessian_ranges(const RowSet *rows, size_t cells) {
    const size_t fit = ((size_t)256 << 20) / (cells * sizeof(DoubleQuad));
    size_t ranges = fit < 12 ? fit : 12;
    if (ranges > rows->chunk_count) ranges = rows->chunk_count;
    return ranges < 1 ? 1 : (int)ranges;
}

void loss_hessian(const RowSet *rows, const LossSetup *setup, const double *weights, bool exact,
                  double *hessian) {
    const size_t pairs = (size_t)rows->pairs, line = pairs + 2, cells = (pairs + 1) * line;
    const int ranges = hessian_ranges(rows, cells), threads = pass_threads(rows, setup);
    double *flat = pass_weights(weights, rows->pairs);
    DoubleQuad *sums = memory_aligned(64, (size_t)ranges * cells * sizeof *sums);
#pragma omp parallel num_threads(threads)
    {
        RowPass *pass = memory_aligned(64, sizeof *pass);
        RowReader *reader = row_reader_new(rows->pairs);
#pragma omp for schedule(dynamic, 1)
        for (int i = 0; i < ranges; i++) {
            const Products mine = {sums + (size_t)i * cells, line};
            pass->rows = rows;
            pass->setup = setup;
            pass->weights = flat;
            memset(mine.cells, 0, cells * sizeof *mine.cells);
            size_t chunk;
            const size_t end = chunk_range(rows, i, ranges, &chunk);
            for (; chunk < end; chunk++) {
                if (!pass_takes(setup, chunk)) continue;
                pass_hessian(pass, reader, &rows->chunks[chunk], exact, &mine);
            }
        }
        row_reader_free(reader);
        free(pass);
    }
#pragma omp parallel for schedule(dynamic, 8) num_threads(setup->threads)
    for (size_t i = 0; i < pairs; i++) {
        for (size_t j = i; j < pairs; j++) {
            DoubleQuad sum = {0, 0, 0, 0};
            for (int pass = 0; pass < ranges; pass++) {
                const DoubleQuad *mine = sums + (size_t)pass * cells;
                sum += mine[i * line + j] + mine[j * line + i];
                if (i == j) sum += mine[i * line + line - 1];
            }
            store_block(hessian, pairs, i, j, &sum);
        }
    }
    free(sums);
    free(flat);
}
