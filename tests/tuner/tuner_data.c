// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/tuner/tuner_data.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/random.h"

void invent_weights(Weights *weights) {
    Random random;
    random_init(&random, 99, 0);
    weights_classic(weights);
    WeightPair *flat = weights_flat(weights);
    for (int i = 0; i < WEIGHT_COUNT; i++) {
        flat[i].mg += (int32_t)random_below(&random, 61) - 30;
        flat[i].eg += (int32_t)random_below(&random, 61) - 30;
    }
}

// Sets the initial position. In every other game about half of the pieces are removed, so that the
// evaluation terms take more different values.
static void first_position(Random *random, int game, Position *position) {
    Piece board[SQUARE_COUNT];
    position_init_start(position);
    if (game % 2 == 0) return;
    memcpy(board, position->board, sizeof board);
    for (int square = 0; square < SQUARE_COUNT; square++) {
        if (piece_type(board[square]) == GENERAL || random_below(random, 2)) continue;
        board[square] = PIECE_NONE;
    }
    Position fewer;
    const Side stm = random_below(random, 2) ? RED : BLACK;
    if (position_from_board(&fewer, board, stm, 0, 1, NULL) == STATUS_OK) *position = fewer;
}

bool random_rows(TestContext *t, int games, double k, Weights *truth, double *flat, RowSet *rows) {
    Err err = {0};
    invent_weights(truth);
    if (flat) values_flat(truth, flat);
    row_set_init(rows, WEIGHT_COUNT, PHASE_MAX);
    rows->chunk_rows = TEST_CHUNK;
    for (int g = 0; g < games; g++) {
        RowPart part = {0};
        Random random;
        random_init(&random, 4, (uint64_t)g);
        Position position;
        first_position(&random, g, &position);
        for (uint16_t ply = 0; ply < 120; ply++) {
            MoveList moves;
            position_legal_moves(&position, &moves);
            if (moves.count == 0) break;
            const Move move = moves.moves[random_below(&random, (uint64_t)moves.count)];
            if (ply >= 10 && ply % 4 == 0) {
                const RowGame game = {.id = (uint64_t)g, .split = (uint64_t)g};
                PositionRecord record = {.game = (uint64_t)g, .stm = position.stm, .ply = ply};
                squares_from_position(&position, record.squares);
                const int score = evaluate(&position, truth) * (position.stm == RED ? 1 : -1);
                const double sigma = 1.0 / (1.0 + exp(-k * score));
                record.score_red = (int16_t)score;
                record.result = random_below(&random, 3) == 0  ? 0
                                : random_real(&random) < sigma ? 1
                                                               : -1;
                const Status status =
                    row_part_add_board(&part, &record, &position, &game, truth, &err);
                if (!CHECK_OK(status, err)) return false;
            }
            Position after;
            position_do_move(&position, move, &after);
            position = after;
        }
        row_set_append(rows, &part);
        row_part_clear(&part);
    }
    row_set_finish(rows);
    return true;
}

void draw_results(const RowSet *rows, const double *flat, double k, bool by_game, uint64_t seed) {
    double scores[TEST_CHUNK];
    for (size_t c = 0; c < rows->chunk_count; c++) {
        Random random;
        random_init(&random, seed, c);
        loss_chunk_scores(rows, c, flat, scores);
        for (uint32_t i = 0; i < rows->chunks[c].count; i++) {
            if (by_game) random_init(&random, seed, rows->chunks[c].game[i]);
            const bool win = random_real(&random) < 1.0 / (1.0 + exp(-k * scores[i]));
            ((float *)rows->chunks[c].result)[i] = win ? 1 : 0;
        }
    }
}

FitSetup fit_setup(int threads) {
    return (FitSetup){.loss = LOSS_CROSS_ENTROPY,
                      .lambda = 1.0,
                      .prior = {.sd = 40, .material_sd = 1000},
                      .valid_fraction = 0.2,
                      .seed = 3,
                      .threads = threads};
}

bool run_fit(TestContext *t, const RowSet *rows, const FitSetup *setup, const Weights *start,
             Fit *fit) {
    double flat[N];
    Err err = {0};
    values_flat(start, flat);
    fit_init(fit, rows, setup, flat);
    return CHECK_OK(fit_run(fit, &err), err);
}
