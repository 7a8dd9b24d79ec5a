// SPDX-License-Identifier: GPL-3.0-or-later
#include <string.h>

#include "core/base/memory.h"
#include "tuner/rows/row_pass.h"
#include "tuner/rows/row_ranks.h"

// Sums of products of two coefficients: cell [i][j] of a table with two more columns. A product of
// two entries of a row is added once, at [i][j] or [j][i]; the halves are joined at the end.
// Squares of an entry go to the last column, since an index given twice meets itself as another
// entry too. (The column before it is the row offset's, and not used.)
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

// ---- over several rows --------------------------------------------------------------------------

// Of the rows of a game each changes a fifth of its coefficients. So two of them are multiplied
// when one of them changes: with the sum of what was to be added since both became what they are.
// This sum only grows, as curvatures are not negative: it is since the larger of two.
typedef struct Overlaps {
    Products table;
    DoubleQuad now;                               // sum up to the last row
    int count;                                    // coefficients that are not 0
    _Alignas(32) DoubleQuad since[2 * UINT8_MAX]; // [count]: the sum when they became what they are
    double value[2 * UINT8_MAX];
    uint16_t index[2 * UINT8_MAX];
    uint16_t *place; // [pairs]: 1 + where in these lists; 0: nowhere
    int8_t *change;  // [pairs]: of the row that comes
} Overlaps;

// Takes coefficient i from the lists and adds its products.
static void overlaps_end(Overlaps *overlaps, int i) {
    const DoubleQuad now = overlaps->now, since = overlaps->since[i];
    const double value = overlaps->value[i];
    const int last = --overlaps->count;
    DoubleQuad *cells = product_line(&overlaps->table, overlaps->index[i]);
    overlaps->place[overlaps->index[last] / 2] = (uint16_t)(i + 1);
    overlaps->place[overlaps->index[i] / 2] = 0;
    overlaps->since[i] = overlaps->since[last];
    overlaps->value[i] = overlaps->value[last];
    overlaps->index[i] = overlaps->index[last];
    for (int j = 0; j < last; j++) {
        const double both = value * overlaps->value[j];
        DoubleQuad later = since;
        quad_raise(&later, &overlaps->since[j]);
        *product_cell(cells, overlaps->index[j]) +=
            (now - later) * (DoubleQuad){both, both, both, both};
    }
    const double square = value * value;
    cells[overlaps->table.line - 1] += (now - since) * (DoubleQuad){square, square, square, square};
}

static void overlaps_begin(Overlaps *overlaps, uint16_t index, double value) {
    const int i = overlaps->count++;
    overlaps->place[index / 2] = (uint16_t)(i + 1);
    overlaps->since[i] = overlaps->now;
    overlaps->value[i] = value;
    overlaps->index[i] = index;
}

// Goes on to a row without others: from all of it, or from its difference.
static void overlaps_row(Overlaps *overlaps, const RowEntries *row, bool whole) {
    uint16_t list[4 * UINT8_MAX];
    int8_t *change = overlaps->change;
    int count = row->plus + row->minus;
    for (int k = 0; k < count; k++) {
        list[k] = row->index[k];
        change[list[k] / 2] = (int8_t)(change[list[k] / 2] + (k < row->plus ? 1 : -1));
    }
    for (int i = 0; whole && i < overlaps->count; i++) {
        list[count++] = overlaps->index[i];
        change[overlaps->index[i] / 2] -= (int8_t)overlaps->value[i];
    }
    for (int k = 0; k < count; k++) { // what ends; its change becomes what it will be
        const int at = overlaps->place[list[k] / 2] - 1;
        if (at < 0 || change[list[k] / 2] == 0) continue;
        change[list[k] / 2] += (int8_t)overlaps->value[at];
        overlaps_end(overlaps, at);
    }
    for (int k = 0; k < count; k++) {
        if (change[list[k] / 2] == 0) continue;
        overlaps_begin(overlaps, list[k], change[list[k] / 2]);
        change[list[k] / 2] = 0;
    }
}

static void overlaps_end_all(Overlaps *overlaps) {
    while (overlaps->count > 0) overlaps_end(overlaps, overlaps->count - 1);
}

// The rows of the pass's block, which are the reader's next.
static void pass_outer(const RowPass *pass, RowReader *reader, Overlaps *overlaps) {
    const double k = pass->setup->k;
    for (int i = 0; i < pass->block.count; i++) {
        bool whole;
        const RowEntries row = row_reader_stored(reader, &whole);
        const double p = pass->share[i], q = 1.0 - p;
        const double h = k * k * pass->row_weight[i] * pass->block.curvature[i];
        const DoubleQuad add = {h * p * p, h * p * q, h * q * q, 0};
        if (row.other > 0) {
            overlaps_end_all(overlaps);
            if (h != 0.0) one_row_outer(row, &overlaps->table, &add);
        } else {
            overlaps_row(overlaps, &row, whole);
            overlaps->now += add;
        }
    }
}

static void pass_hessian(RowPass *pass, RowReader *reader, const RowChunk *chunk,
                         Overlaps *overlaps) {
    row_sums(chunk, pass->weights, pass->sum);
    row_reader_open(reader, chunk);
    overlaps->now = (DoubleQuad){0, 0, 0, 0};
    for (uint32_t first = 0; first < chunk->count; first += LOSS_BLOCK) {
        pass_forward(pass, chunk, first);
        loss_block(pass->setup->kind, &pass->block);
        pass_outer(pass, reader, overlaps);
    }
    overlaps_end_all(overlaps);
}

// What a range's table says of the pairs i <= j: three numbers for each.
static void join_halves(const Products *table, size_t pairs, double *to) {
    const size_t line = table->line;
    for (size_t i = 0; i < pairs; i++) {
        for (size_t j = i; j < pairs; j++, to += 3) {
            DoubleQuad sum = table->cells[i * line + j] + table->cells[j * line + i];
            if (i == j) sum += table->cells[i * line + line - 1];
            for (int k = 0; k < 3; k++) to[k] = sum[k];
        }
    }
}

// Writes the 2 x 2 blocks of pairs i and j, and j and i.
static void store_block(double *hessian, size_t pairs, size_t i, size_t j, const double *sum) {
    const double block[2][2] = {{sum[0], sum[1]}, {sum[1], sum[2]}};
    for (size_t a = 0; a < 2; a++) {
        for (size_t b = 0; b < 2; b++) {
            hessian[(2 * i + a) * 2 * pairs + 2 * j + b] = block[a][b];
            hessian[(2 * j + b) * 2 * pairs + 2 * i + a] = block[a][b];
        }
    }
}

// A thread's own: a pass, and the table of the group that it is at.
typedef struct HessianPass {
    RowPass pass;
    RowReader *reader;
    Overlaps overlaps;
} HessianPass;

static HessianPass *hessian_pass_new(const RowSet *rows, const LossSetup *setup,
                                     const double *weights) {
    const size_t pairs = (size_t)rows->pairs;
    HessianPass *mine = memory_aligned(64, sizeof *mine);
    mine->pass.rows = rows;
    mine->pass.setup = setup;
    mine->pass.weights = weights;
    mine->reader = row_reader_new(rows->pairs);
    mine->overlaps.count = 0;
    mine->overlaps.place = memory_alloc(pairs, sizeof *mine->overlaps.place);
    mine->overlaps.change = memory_alloc(pairs, sizeof *mine->overlaps.change);
    mine->overlaps.table.line = pairs + 2;
    mine->overlaps.table.cells = memory_aligned(64, (pairs + 1) * (pairs + 2) * sizeof(DoubleQuad));
    return mine;
}

static void hessian_pass_free(HessianPass *mine) {
    row_reader_free(mine->reader);
    free(mine->overlaps.place);
    free(mine->overlaps.change);
    free(mine->overlaps.table.cells);
    free(mine);
}

// The sums of a group; they were 0.
static void run_group(HessianPass *mine, int group, double *sums) {
    const RowSet *rows = mine->pass.rows;
    const size_t pairs = (size_t)rows->pairs;
    size_t chunk;
    const size_t end = chunk_range(rows, group, rows->groups, &chunk);
    if (chunk == end) return;
    memset(mine->overlaps.table.cells, 0, (pairs + 1) * (pairs + 2) * sizeof(DoubleQuad));
    for (; chunk < end; chunk++) {
        if (!pass_takes(mine->pass.setup, chunk)) continue;
        pass_hessian(&mine->pass, mine->reader, &rows->chunks[chunk], &mine->overlaps);
    }
    join_halves(&mine->overlaps.table, pairs, sums);
}

void loss_hessian(const RowSet *rows, const LossSetup *setup, const double *weights,
                  double *hessian) {
    const size_t pairs = (size_t)rows->pairs, size = pairs * (pairs + 1) / 2 * 3;
    double *flat = pass_weights(weights, rows->pairs);
    int first;
    const int end = own_ranges(rows, rows->groups, &first), threads = pass_threads(rows, setup);
    double *sums = memory_alloc((size_t)(end - first) * size, sizeof *sums);
#pragma omp parallel num_threads(threads)
    {
        HessianPass *mine = hessian_pass_new(rows, setup, flat);
#pragma omp for schedule(dynamic, 1)
        for (int i = first; i < end; i++) run_group(mine, i, sums + (size_t)(i - first) * size);
        hessian_pass_free(mine);
    }
    double *total = memory_alloc(size, sizeof *total), *at = total;
    ranges_total(rows, rows->groups, size, sums, total);
    for (size_t i = 0; i < pairs; i++) {
        for (size_t j = i; j < pairs; j++, at += 3) store_block(hessian, pairs, i, j, at);
    }
    free(total);
    free(sums);
    free(flat);
}
