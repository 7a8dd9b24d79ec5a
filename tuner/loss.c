// SPDX-License-Identifier: GPL-3.0-or-later
#include "tuner/loss.h"

#include <math.h>
#include <string.h>

#include "core/base/memory.h"

// ---- elementary functions on arrays -------------------------------------------------------------

// Written out so that the compiler
// does several at once; the same bits in every build and with every C library. exp() is a Taylor
// polynomial on |r| <= ln(2)/2 (error below 2e-17 relative), log1p() the series of 2 atanh(e / (2 +
// e)) for e in 0..1 (the first term left out is below 1e-17).

// exp(x) for -700 <= x <= 0.
ALWAYS_INLINE double exp_negative(double x) {
    const double magic = 0x1.8p52; // adding it leaves the nearest whole number in the low bits
    const double shifted = x * 0x1.71547652b82fep0 + magic;
    const double n = shifted - magic;
    const double r = (x - n * 0x1.62e42fefa38p-1) - n * 0x1.ef35793c7673p-45;
    double poly = 1.0 / 6227020800.0;
    poly = poly * r + 1.0 / 479001600.0;
    poly = poly * r + 1.0 / 39916800.0;
    poly = poly * r + 1.0 / 3628800.0;
    poly = poly * r + 1.0 / 362880.0;
    poly = poly * r + 1.0 / 40320.0;
    poly = poly * r + 1.0 / 5040.0;
    poly = poly * r + 1.0 / 720.0;
    poly = poly * r + 1.0 / 120.0;
    poly = poly * r + 1.0 / 24.0;
    poly = poly * r + 1.0 / 6.0;
    poly = poly * r + 0.5;
    poly = poly * r + 1.0;
    poly = poly * r + 1.0;
    uint64_t bits;
    memcpy(&bits, &shifted, sizeof bits);
    bits = (bits + 1023) << 52; // 2^n
    double power;
    memcpy(&power, &bits, sizeof power);
    return poly * power;
}

// log(1 + e) for 0 <= e <= 1.
ALWAYS_INLINE double log1p_unit(double e) {
    const double s = e / (2.0 + e), square = s * s;
    double poly = 1.0 / 35.0;
    poly = poly * square + 1.0 / 33.0;
    poly = poly * square + 1.0 / 31.0;
    poly = poly * square + 1.0 / 29.0;
    poly = poly * square + 1.0 / 27.0;
    poly = poly * square + 1.0 / 25.0;
    poly = poly * square + 1.0 / 23.0;
    poly = poly * square + 1.0 / 21.0;
    poly = poly * square + 1.0 / 19.0;
    poly = poly * square + 1.0 / 17.0;
    poly = poly * square + 1.0 / 15.0;
    poly = poly * square + 1.0 / 13.0;
    poly = poly * square + 1.0 / 11.0;
    poly = poly * square + 1.0 / 9.0;
    poly = poly * square + 1.0 / 7.0;
    poly = poly * square + 1.0 / 5.0;
    poly = poly * square + 1.0 / 3.0;
    poly = poly * square + 1.0;
    return 2.0 * s * poly;
}

ALWAYS_INLINE double clamp_exponent(double x) {
    return x < 700.0 ? x : 700.0;
}

static void block_cross_entropy(LossBlock *restrict block) {
    for (int i = 0; i < block->count; i++) {
        const double u = block->score[i], target = block->target[i];
        const double e = exp_negative(-clamp_exponent(fabs(u)));
        const double q = 1.0 / (1.0 + e), small = e * q;
        const double sigma = u >= 0 ? q : small;
        const double positive = u >= 0 ? u : 0.0;
        block->loss[i] = positive + log1p_unit(e) - target * u;
        block->slope[i] = sigma - target;
        block->curvature[i] = q * small;
    }
}

static void block_squared(LossBlock *restrict block, bool exact) {
    const double second = exact ? 2.0 : 0.0;
    for (int i = 0; i < block->count; i++) {
        const double u = block->score[i];
        const double e = exp_negative(-clamp_exponent(fabs(u)));
        const double q = 1.0 / (1.0 + e), small = e * q;
        const double sigma = u >= 0 ? q : small;
        const double slope = q * small, miss = sigma - block->target[i];
        block->loss[i] = miss * miss;
        block->slope[i] = 2.0 * miss * slope;
        block->curvature[i] = 2.0 * slope * slope + second * miss * slope * (1.0 - 2.0 * sigma);
    }
}

void loss_block(LossKind kind, bool exact, LossBlock *block) {
    if (kind == LOSS_CROSS_ENTROPY) {
        block_cross_entropy(block);
    } else {
        block_squared(block, exact);
    }
}

// ---- targets ------------------------------------------------------------------------------------

double loss_target(const LossSetup *setup, const RowHead *head) {
    const bool has_score = head->score_red != SCORE_UNKNOWN;
    const double result = 0.5 * head->result;
    if (head->result != ROW_RESULT_NONE && (setup->lambda >= 1.0 || !has_score)) return result;
    if (!has_score) return NAN;
    double scored;
    if (head->score_red >= ROW_SCORE_MATE) {
        scored = 1.0;
    } else if (head->score_red <= -ROW_SCORE_MATE) {
        scored = 0.0;
    } else {
        const double u = setup->k_score * head->score_red;
        const double e = exp_negative(-clamp_exponent(fabs(u)));
        scored = (u >= 0 ? 1.0 : e) / (1.0 + e);
    }
    if (head->result == ROW_RESULT_NONE) return scored;
    return setup->lambda * result + (1.0 - setup->lambda) * scored;
}

// ---- walking the rows ---------------------------------------------------------------------------

// A place in a chunk.
typedef struct Cursor {
    const RowHead *head;
    const uint16_t *index;
    const float *value;
} Cursor;

// What one lane needs: its own sums and the scratch of a block.
typedef struct Lane {
    const RowSet *rows;
    const LossSetup *setup;
    const DoublePair *weights; // pairs + 1: the last is the constant pair of row offsets
    DoublePair *gradient;      // pairs + 1; NULL: not wanted
    LossSums sums;
    LossBlock block;
    double row_weight[LOSS_BLOCK];
} Lane;

// Sums of a row's middlegame and endgame weights; moves the cursor to the next row.
ALWAYS_INLINE DoublePair row_sum(Cursor *at, const DoublePair *weights) {
    const RowHead *head = at->head++;
    const uint16_t *index = at->index;
    DoublePair plus = {0, 0}, minus = {0, 0};
    for (const uint16_t *end = index + head->plus; index < end; index++) plus += weights[*index];
    for (const uint16_t *end = index + head->minus; index < end; index++) minus += weights[*index];
    plus -= minus;
    if (UNLIKELY(head->other)) {
        for (const uint16_t *end = index + head->other; index < end; index++) {
            const double value = *at->value++;
            plus += weights[*index] * (DoublePair){value, value};
        }
    }
    at->index = index;
    return plus;
}

// Adds slope * coefficient to the gradient of every weight of a row.
ALWAYS_INLINE void row_spread(Cursor *at, DoublePair *gradient, DoublePair slope) {
    const RowHead *head = at->head++;
    const uint16_t *index = at->index;
    for (const uint16_t *end = index + head->plus; index < end; index++) gradient[*index] += slope;
    for (const uint16_t *end = index + head->minus; index < end; index++) gradient[*index] -= slope;
    if (UNLIKELY(head->other)) {
        for (const uint16_t *end = index + head->other; index < end; index++) {
            const double value = *at->value++;
            gradient[*index] += slope * (DoublePair){value, value};
        }
    }
    at->index = index;
}

// Scores, targets and weights of the next `count` rows.
static void lane_forward(Lane *lane, Cursor *at, int count) {
    const double per_phase = 1.0 / lane->rows->phase_max;
    const LossSetup *setup = lane->setup;
    LossBlock *block = &lane->block;
    block->count = count;
    for (int i = 0; i < count; i++) {
        const RowHead *head = at->head;
        const double p = head->phase * per_phase;
        const DoublePair sum = row_sum(at, lane->weights);
        block->score[i] = setup->k * (sum[0] * p + sum[1] * (1.0 - p));
        const double target = loss_target(setup, head);
        const double weight = setup->game_weight ? setup->game_weight[head->game] : 1.0;
        const bool known = target == target;
        block->target[i] = known ? target : 0.5;
        lane->row_weight[i] = known ? weight : 0.0;
    }
}

static void lane_backward(Lane *lane, Cursor at) {
    const double per_phase = 1.0 / lane->rows->phase_max;
    for (int i = 0; i < lane->block.count; i++) {
        const double p = at.head->phase * per_phase;
        const double slope = lane->setup->k * lane->row_weight[i] * lane->block.slope[i];
        row_spread(&at, lane->gradient, (DoublePair){slope * p, slope * (1.0 - p)});
    }
}

static void lane_chunk(Lane *lane, const RowChunk *chunk) {
    Cursor at = {chunk->heads, chunk->indices, chunk->values};
    for (uint32_t done = 0; done < chunk->count; done += LOSS_BLOCK) {
        const uint32_t left = chunk->count - done;
        const Cursor begin = at;
        lane_forward(lane, &at, left < LOSS_BLOCK ? (int)left : LOSS_BLOCK);
        loss_block(lane->setup->kind, false, &lane->block);
        for (int i = 0; i < lane->block.count; i++) {
            lane->sums.loss += lane->row_weight[i] * lane->block.loss[i];
            lane->sums.weight += lane->row_weight[i];
        }
        if (lane->gradient) lane_backward(lane, begin);
    }
}

// The chunks of a lane: first to one before the returned end.
static size_t lane_range(size_t chunk_count, int lane, int lanes, size_t *first) {
    *first = chunk_count * (size_t)lane / (size_t)lanes;
    return chunk_count * ((size_t)lane + 1) / (size_t)lanes;
}

// The weights as pairs, followed by the pair that multiplies a row's offset.
static DoublePair *pairs_from(const double *weights, int pairs) {
    DoublePair *result = memory_aligned(64, ((size_t)pairs + 1) * sizeof *result);
    memcpy(result, weights, (size_t)pairs * sizeof *result);
    result[pairs] = (DoublePair){1.0, 1.0};
    return result;
}

// No more threads than there are chunks to share.
static int useful_threads(const RowSet *rows, const LossSetup *setup) {
    if ((size_t)setup->threads <= rows->chunk_count) return setup->threads;
    return rows->chunk_count ? (int)rows->chunk_count : 1;
}

LossSums loss_evaluate(const RowSet *rows, const LossSetup *setup, const double *weights,
                       double *gradient) {
    const size_t stride = ((size_t)rows->pairs + 1 + 7) / 8 * 8; // lanes apart by cache lines
    DoublePair *pairs = pairs_from(weights, rows->pairs);
    DoublePair *sums = gradient ? memory_aligned(64, LOSS_LANES * stride * sizeof *sums) : NULL;
    LossSums lane_sums[LOSS_LANES];
    const int threads = useful_threads(rows, setup);
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
    for (int i = 0; i < LOSS_LANES; i++) {
        Lane lane = {.rows = rows, .setup = setup, .weights = pairs};
        if (sums) {
            lane.gradient = sums + (size_t)i * stride;
            memset(lane.gradient, 0, stride * sizeof *sums);
        }
        size_t chunk;
        const size_t end = lane_range(rows->chunk_count, i, LOSS_LANES, &chunk);
        for (; chunk < end; chunk++) lane_chunk(&lane, &rows->chunks[chunk]);
        lane_sums[i] = lane.sums;
    }
    LossSums total = {0, 0};
    for (int i = 0; i < LOSS_LANES; i++) {
        total.loss += lane_sums[i].loss;
        total.weight += lane_sums[i].weight;
    }
    for (int k = 0; gradient && k < rows->pairs; k++) {
        DoublePair sum = {0, 0};
        for (int i = 0; i < LOSS_LANES; i++) sum += sums[(size_t)i * stride + (size_t)k];
        gradient[2 * k] = sum[0];
        gradient[2 * k + 1] = sum[1];
    }
    free(sums);
    free(pairs);
    return total;
}

void loss_chunk_scores(const RowSet *rows, size_t chunk, const double *weights, double *scores) {
    DoublePair *pairs = pairs_from(weights, rows->pairs);
    const RowChunk *c = &rows->chunks[chunk];
    Cursor at = {c->heads, c->indices, c->values};
    for (uint32_t i = 0; i < c->count; i++) {
        const double p = at.head->phase * (1.0 / rows->phase_max);
        const DoublePair sum = row_sum(&at, pairs);
        scores[i] = sum[0] * p + sum[1] * (1.0 - p);
    }
    free(pairs);
}

// ---- the Hessian --------------------------------------------------------------------------------

// Sums of products of two coefficients: cell [i][j] of a table with two more columns. A product of
// two entries of a row is added once, at the place of the entry that is listed first; the halves
// are joined at the end. Squares of an entry go to the last column, since an index given twice
// meets itself as another entry too. (The column before it is the row offset's, and not used.)
typedef struct Products {
    DoubleQuad *cells;
    size_t line; // columns: pairs + 2
} Products;

// Adds, for any two entries with coefficients c and d, c d add: (p p, p q, q q, 0) times a
// curvature.
static void row_outer(Cursor *at, const Products *table, DoubleQuad add) {
    const RowHead *head = at->head++;
    const int plus = head->plus, count = plus + head->minus;
    const uint16_t *index = at->index;
    for (int a = 0; a < plus; a++) {
        DoubleQuad *cells = table->cells + index[a] * table->line;
        for (int b = a + 1; b < plus; b++) cells[index[b]] += add;
        for (int b = plus; b < count; b++) cells[index[b]] -= add;
        cells[table->line - 1] += add;
    }
    for (int a = plus; a < count; a++) {
        DoubleQuad *cells = table->cells + index[a] * table->line;
        for (int b = a + 1; b < count; b++) cells[index[b]] += add;
        cells[table->line - 1] += add;
    }
    for (int a = 0; a < head->other; a++) {
        const double v = at->value[a];
        const DoubleQuad scaled = add * (DoubleQuad){v, v, v, v};
        DoubleQuad *cells = table->cells + index[count + a] * table->line;
        for (int b = 0; b < plus; b++) cells[index[b]] += scaled;
        for (int b = plus; b < count; b++) cells[index[b]] -= scaled;
        for (int b = a + 1; b < head->other; b++) {
            const double w = at->value[b];
            cells[index[count + b]] += scaled * (DoubleQuad){w, w, w, w};
        }
        cells[table->line - 1] += scaled * (DoubleQuad){v, v, v, v};
    }
    at->index += count + head->other;
    at->value += head->other;
}

static void lane_chunk_hessian(Lane *lane, const RowChunk *chunk, bool exact,
                               const Products *table) {
    const double per_phase = 1.0 / lane->rows->phase_max, k = lane->setup->k;
    Cursor at = {chunk->heads, chunk->indices, chunk->values};
    for (uint32_t done = 0; done < chunk->count; done += LOSS_BLOCK) {
        const uint32_t left = chunk->count - done;
        Cursor begin = at;
        lane_forward(lane, &at, left < LOSS_BLOCK ? (int)left : LOSS_BLOCK);
        loss_block(lane->setup->kind, exact, &lane->block);
        for (int i = 0; i < lane->block.count; i++) {
            const double p = begin.head->phase * per_phase, q = 1.0 - p;
            const double h = k * k * lane->row_weight[i] * lane->block.curvature[i];
            row_outer(&begin, table, (DoubleQuad){h * p * p, h * p * q, h * q * q, 0});
        }
    }
}

// Writes the 2 x 2 blocks of pairs i and j, and j and i.
static void store_block(double *hessian, size_t pairs, size_t i, size_t j, DoubleQuad sum) {
    const double block[2][2] = {{sum[0], sum[1]}, {sum[1], sum[2]}};
    for (size_t a = 0; a < 2; a++) {
        for (size_t b = 0; b < 2; b++) {
            hessian[(2 * i + a) * 2 * pairs + 2 * j + b] = block[a][b];
            hessian[(2 * j + b) * 2 * pairs + 2 * i + a] = block[a][b];
        }
    }
}

// Lanes of the Hessian: as many as fit into 256 MB, by the size of the problem alone.
static int hessian_lanes(size_t cells) {
    const size_t fit = ((size_t)256 << 20) / (cells * sizeof(DoubleQuad));
    return fit < 1 ? 1 : fit > 12 ? 12 : (int)fit;
}

void loss_hessian(const RowSet *rows, const LossSetup *setup, const double *weights, bool exact,
                  double *hessian) {
    const size_t pairs = (size_t)rows->pairs, line = pairs + 2, cells = (pairs + 1) * line;
    const int lanes = hessian_lanes(cells), threads = useful_threads(rows, setup);
    DoublePair *flat = pairs_from(weights, rows->pairs);
    DoubleQuad *sums = memory_aligned(64, (size_t)lanes * cells * sizeof *sums);
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
    for (int i = 0; i < lanes; i++) {
        Lane lane = {.rows = rows, .setup = setup, .weights = flat};
        const Products mine = {sums + (size_t)i * cells, line};
        memset(mine.cells, 0, cells * sizeof *mine.cells);
        size_t chunk;
        const size_t end = lane_range(rows->chunk_count, i, lanes, &chunk);
        for (; chunk < end; chunk++) lane_chunk_hessian(&lane, &rows->chunks[chunk], exact, &mine);
    }
#pragma omp parallel for schedule(dynamic, 8) num_threads(setup->threads)
    for (size_t i = 0; i < pairs; i++) {
        for (size_t j = i; j < pairs; j++) {
            DoubleQuad sum = {0, 0, 0, 0};
            for (int lane = 0; lane < lanes; lane++) {
                const DoubleQuad *mine = sums + (size_t)lane * cells;
                sum += mine[i * line + j] + mine[j * line + i];
                if (i == j) sum += mine[i * line + line - 1];
            }
            store_block(hessian, pairs, i, j, sum);
        }
    }
    free(sums);
    free(flat);
}
