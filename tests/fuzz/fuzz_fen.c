// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzzes the FEN reader. If a FEN is accepted, the position is written in every dialect and must be
// read back unchanged. All legal moves must lead to consistent positions. The evaluation of each
// position must agree with the evaluation trace, and must be symmetric in left and right and in the
// colours.
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/board/position.h"
#include "core/eval/eval.h"
#include "tests/core/positions.h"
#include "tests/fuzz/fuzz.h"

static Weights weights;
static Evaluator evaluator;

static void prepare(void) {
    // No two middlegame weights are equal, and no two endgame weights are equal.
    for (int k = 0; k < WEIGHT_COUNT; k++) {
        weights_flat(&weights)[k].mg = k * 37 % 1009 - 500;
        weights_flat(&weights)[k].eg = k * 101 % 1013 - 500;
    }
    evaluator_init(&evaluator, &weights);
}

// Checks that the product of trace and weights equals the traced sums, and that the evaluation with
// and without a trace is equal. The mirrored position, and the position with colours and side to
// move exchanged, must have the same evaluation.
static void check_evaluation(const Position *position) {
    Position image;
    EvalTrace trace;
    const int score = evaluate_traced(position, &weights, &trace);
    long long mg = 0, eg = 0;
    for (int k = 0; k < WEIGHT_COUNT; k++) {
        const int coefficient = trace.count[RED][k] - trace.count[BLACK][k];
        mg += (long long)coefficient * weights_flat(&weights)[k].mg;
        eg += (long long)coefficient * weights_flat(&weights)[k].eg;
    }
    require(mg == trace.sum.mg && eg == trace.sum.eg);
    require(evaluator_score(&evaluator, position) == score);
    position_mirror(position, &image);
    require(evaluator_score(&evaluator, &image) == score);
    positions_swap_colours(position, &image);
    require(evaluator_score(&evaluator, &image) == score);
}

FUZZ(fen) {
    static bool ready;
    if (!ready) prepare();
    ready = true;
    char *fen = memory_alloc(size + 1, 1);
    if (size) memcpy(fen, data, size);
    Position position;
    Err err = {0};
    const Status status = position_from_fen(&position, fen, &err);
    free(fen);
    if (status != STATUS_OK) {
        require(err.text[0] != '\0');
        return;
    }
    require(position_is_consistent(&position));
    check_evaluation(&position);
    for (FenDialect dialect = FEN_UCI; dialect <= FEN_QH; dialect++) {
        char once[FEN_SIZE], twice[FEN_SIZE];
        Position again;
        position_to_fen(&position, dialect, once);
        require(position_from_fen(&again, once, &err) == STATUS_OK);
        position_to_fen(&again, dialect, twice);
        require(strcmp(once, twice) == 0);
    }
    MoveList list;
    position_legal_moves(&position, &list);
    for (int i = 0; i < list.count; i++) {
        Position after;
        position_do_move(&position, list.moves[i], &after);
        require(position_is_consistent(&after));
        check_evaluation(&after);
    }
}
