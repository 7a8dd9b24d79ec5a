// SPDX-License-Identifier: GPL-3.0-or-later
// Tests that positions are read back unchanged from chunks of sparse rows, and that scores, loss
// and gradient are computed from them correctly.
#include <math.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/base/random.h"
#include "tests/test.h"
#include "tuner/fit/loss.h"
#include "tuner/rows/row_pass.h"

enum { PAIRS = 300, ROWS = 700, CHUNK = 256 };

typedef struct Dense {
    // Coefficients of each position. The last number is its offset, the part of its score to which
    // no weight contributes.
    double coefficient[ROWS][PAIRS + 1];
    uint64_t game[ROWS];
} Dense;

// Sets at most `places` coefficients of a position to random numbers. If `others` is set, some of
// them are not whole numbers.
static void change(Random *random, double *row, int places, bool others) {
    for (int k = 0; k < places; k++) {
        row[random_below(random, PAIRS)] =
            others && random_below(random, 20) == 0 ? 0.3 : (double)random_below(random, 7) - 3.0;
    }
}

// Makes games of 1 to 40 positions. There are six kinds of games. In most kinds a position differs
// little from the previous one. In kind 1 its coefficients are new, in kind 4 they are those of the
// previous position with opposite signs. Kind 2 has fractional coefficients, kind 3 has offsets
// (parts of the score to which no weight contributes), and kinds 4 and 5 have many coefficients.
static void invent_rows(Dense *dense) {
    Random random;
    random_init(&random, 11, 0);
    for (int row = 0, left = 0, game = -1, kind = 0; row < ROWS; row++, left--) {
        if (left == 0) {
            left = 1 + (int)random_below(&random, 40);
            kind = ++game % 6;
            change(&random, dense->coefficient[row], kind >= 4 ? 180 : 25, false);
        } else if (kind == 1) {
            change(&random, dense->coefficient[row], 25, false);
        } else if (kind == 4) {
            for (int i = 0; i < PAIRS; i++) {
                dense->coefficient[row][i] = -dense->coefficient[row - 1][i];
            }
        } else {
            memcpy(dense->coefficient[row], dense->coefficient[row - 1],
                   sizeof *dense->coefficient);
            change(&random, dense->coefficient[row], (int)random_below(&random, 7), kind == 2);
            dense->coefficient[row][PAIRS] = kind == 3 && random_below(&random, 3) == 0 ? 20 : 0;
        }
        dense->game[row] = (uint64_t)game;
    }
}

static void fill(const Dense *dense, RowSet *rows) {
    RowPart part = {0};
    row_set_init(rows, PAIRS, 24);
    rows->chunk_rows = CHUNK;
    for (int row = 0; row < ROWS; row++) {
        int64_t index[PAIRS];
        double value[PAIRS];
        size_t count = 0;
        for (int i = 0; i < PAIRS; i++) {
            if (dense->coefficient[row][i] == 0) continue;
            index[count] = i;
            value[count++] = dense->coefficient[row][i];
        }
        const RowHead head = {.phase = (float)(row % 25),
                              .result = 0.5f * (float)(row % 3),
                              .score_red = SCORE_UNKNOWN};
        const double offset = dense->coefficient[row][PAIRS];
        const RowGame game = {.id = dense->game[row]};
        row_part_add_entries(&part, PAIRS, index, value, count, offset, &head, &game);
    }
    row_set_append(rows, &part);
    row_part_clear(&part);
    row_set_finish(rows);
}

static double weight_of(int place) {
    return (place * 37 % 101) - 50.0;
}

static void check_entries(TestContext *t, const Dense *dense, const RowSet *rows) {
    for (size_t row = 0; row < ROWS; row++) {
        const RowChunk *chunk = &rows->chunks[row / CHUNK];
        double again[PAIRS + 1] = {0};
        for (uint32_t k = chunk->begin[row % CHUNK]; k < chunk->begin[row % CHUNK + 1]; k++) {
            again[chunk->pair[k]] += row_coefficient(chunk, k);
        }
        for (int i = 0; i <= PAIRS; i++) {
            CHECK_MSG(fabs(again[i] - dense->coefficient[row][i]) < 1e-7,
                      "row %zu, term %d: the coefficient is %g, expected %g", row, i, again[i],
                      dense->coefficient[row][i]);
        }
    }
}

// Compares scores, loss and gradient of positions stored as sparse coefficients with values that
// are computed from the full arrays of coefficients.
static void check_pass(TestContext *t, const Dense *dense, const RowSet *rows) {
    double weights[2 * PAIRS], gradient[2 * PAIRS], expected[2 * PAIRS] = {0}, scores[CHUNK];
    const LossSetup setup = {.kind = LOSS_CROSS_ENTROPY, .k = 0.002, .lambda = 1, .threads = 1};
    double loss = 0;
    for (int i = 0; i < 2 * PAIRS; i++) weights[i] = weight_of(i);
    for (size_t row = 0; row < ROWS; row++) {
        const double *x = dense->coefficient[row], p = (double)(row % 25) / 24;
        double score = x[PAIRS];
        for (int i = 0; i < PAIRS; i++) {
            score += x[i] * (p * weights[2 * i] + (1 - p) * weights[2 * i + 1]);
        }
        if (row % CHUNK == 0) loss_chunk_scores(rows, row / CHUNK, weights, scores);
        CHECK_NEAR(scores[row % CHUNK], score, 1e-4);
        const double target = 0.5 * (double)(row % 3), u = setup.k * score;
        loss += log1p(exp(-u)) + (1 - target) * u;
        for (int i = 0; i < PAIRS; i++) {
            const double slope = setup.k * (1 / (1 + exp(-u)) - target) * x[i];
            expected[2 * i] += slope * p;
            expected[2 * i + 1] += slope * (1 - p);
        }
    }
    CHECK_NEAR(loss_evaluate(rows, &setup, weights, gradient).loss, loss, 1e-5);
    for (int i = 0; i < 2 * PAIRS; i++) CHECK_NEAR(gradient[i], expected[i], 1e-7);
}

void test_row_differences(TestContext *t) {
    AUTO_FREE Dense *dense = memory_alloc(1, sizeof *dense);
    AUTO(RowSet) rows;
    invent_rows(dense);
    fill(dense, &rows);
    check_entries(t, dense, &rows);
    check_pass(t, dense, &rows);
}
