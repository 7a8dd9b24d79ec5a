// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of the linear evaluation: its symmetry, its trace, its tables, and the names of entries.
#include <string.h>

#include "core/base/memory.h"
#include "core/board/attacks.h"
#include "core/eval/eval.h"
#include "tests/core/positions.h"
#include "tests/test.h"

// Draws random weights without symmetry, so that an error in the side, the point or the phase of a
// term changes the score.
static void random_weights(Random *random, Weights *weights) {
    for (int i = 0; i < WEIGHT_COUNT; i++) {
        weights_flat(weights)[i] = (WeightPair){(int32_t)random_below(random, 2001) - 1000,
                                                (int32_t)random_below(random, 2001) - 1000};
    }
}

static void next_position(Random *random, int i, Position *position) {
    if (i % 4 == 3) {
        positions_random_crowd(random, position);
    } else if (i % 8 == 1) {
        while (!positions_random_siege(random, position)) {
        }
    } else {
        positions_random_step(random, position);
    }
}

// Checks the symmetry of the evaluation. If the colours are exchanged, the score for the side to
// move stays the same, and the sums of the trace change their sign. If the position is mirrored,
// the score stays the same.
static void check_images(TestContext *t, Evaluator *evaluator, const Position *position,
                         const EvalTrace *trace) {
    Position swapped, mirrored;
    EvalTrace other;
    positions_swap_colours(position, &swapped);
    position_mirror(position, &mirrored);
    const int score = evaluator_score(evaluator, position);
    CHECK_INT(evaluator_score(evaluator, &swapped), score);
    CHECK_INT(evaluator_score(evaluator, &mirrored), score);
    evaluate_traced(&swapped, &evaluator->weights, &other);
    CHECK_INT(other.score_red, -trace->score_red);
    CHECK_INT(other.sum.mg, -trace->sum.mg);
    CHECK_INT(other.sum.eg, -trace->sum.eg);
    CHECK_INT(other.phase, trace->phase);
}

// Checks the trace of the evaluation, which holds how often each term occurs. The counts times the
// weights must be exactly the middlegame and endgame sums. The score must be these sums,
// interpolated by the phase, and an evaluator must compute the same score without a trace.
void test_eval_trace(TestContext *t) {
    Random random;
    random_init(&random, 12, 0);
    Weights weights;
    random_weights(&random, &weights);
    AUTO_FREE Evaluator *evaluator = memory_aligned(64, sizeof *evaluator);
    evaluator_init(evaluator, &weights);
    Position walk;
    position_init_start(&walk);
    long long seen[WEIGHT_COUNT] = {0};
    // Positions with very few pieces seldom occur in random games.
    static const char *const bare[] = {"3k5/9/9/4P4/9/9/9/9/4R4/4K4 w",
                                       "3k5/9/9/4P4/9/9/4C4/9/4N4/4K4 w"};
    for (int i = 0; i < 20000 && !t->failures; i++) {
        next_position(&random, i, &walk);
        Err err;
        if (i < 2) CHECK(position_from_fen(&walk, bare[i], &err) == STATUS_OK);
        EvalTrace trace;
        const int score = evaluate_traced(&walk, &weights, &trace);
        CHECK_INT(evaluator_score(evaluator, &walk), score);
        CHECK_INT(evaluate(&walk, &weights), score);
        CHECK_INT(walk.stm == RED ? trace.score_red : -trace.score_red, score);
        long long mg = 0, eg = 0;
        for (int k = 0; k < WEIGHT_COUNT; k++) {
            const int coefficient = trace.count[RED][k] - trace.count[BLACK][k];
            mg += (long long)coefficient * weights_flat(&weights)[k].mg;
            eg += (long long)coefficient * weights_flat(&weights)[k].eg;
            seen[k] += trace.count[RED][k] + trace.count[BLACK][k];
        }
        CHECK_INT(trace.sum.mg, mg);
        CHECK_INT(trace.sum.eg, eg);
        CHECK_INT(trace.score_red, (mg * trace.phase + eg * (PHASE_MAX - trace.phase)) / PHASE_MAX);
        CHECK(trace.phase >= 0 && trace.phase <= PHASE_MAX);
        if (i % 5 == 0) check_images(t, evaluator, &walk, &trace);
        if (i % 4 == 3) position_init_start(&walk);
    }
    // Every weight must occur at least once, because this test checks only weights that occur.
    for (int k = 0; k < WEIGHT_COUNT; k++) {
        const WeightTerm *term = weight_term_of(k);
        CHECK_MSG(seen[k] > 0, "weight %s[%d] never occurred", term->name, k - term->first);
    }
}

// Checks the piece-square tables. In all tables except SOLDIER_HOME, each point of the table's
// ranks where a type of piece can stand has an entry, which only its mirror image shares. Black's
// points are seen from Black's side. A table has as many entries as its line in weights.def says.
void test_eval_tables(TestContext *t) {
    static const struct {
        TableShape shape;
        PieceType type;
        int first, last; // ranks that the table covers, counted from the own side
    } kinds[] = {{SHAPE_PALACE, GENERAL, 0, 9},
                 {SHAPE_ADVISOR, ADVISOR, 0, 9},
                 {SHAPE_ELEPHANT, ELEPHANT, 0, 9},
                 {SHAPE_BOARD, HORSE, 0, 9},
                 {SHAPE_ACROSS, SOLDIER, 5, 9}};
    FOR_EACH (row, kinds) {
        const TableShape shape = row->shape;
        for (int square = 0; square < SQUARE_COUNT; square++) {
            const int entry = eval_table_entry(shape, RED, square), rank = square_rank(square);
            CHECK_INT(entry >= 0, square_fits_piece(square, RED, row->type) && rank >= row->first &&
                                      rank <= row->last);
            CHECK_INT(eval_table_entry(shape, BLACK, square_flip(square)), entry);
            CHECK_INT(eval_table_entry(shape, RED, square_mirror(square)), entry);
        }
    }
    for (int i = 0; i < WEIGHT_TERM_COUNT; i++) {
        const WeightTerm *term = &weight_terms[i];
        int used[WEIGHT_COUNT] = {0};
        for (int square = 0; square < SQUARE_COUNT; square++) {
            const int entry = eval_table_entry(term->shape, RED, square);
            if (CHECK(entry < term->count) && entry >= 0) used[entry]++;
        }
        for (int k = 0; k < term->count && term->shape != SHAPE_NONE; k++) {
            CHECK_MSG(used[k] == 1 || used[k] == 2,
                      "table entry %s[%d] belongs to %d "
                      "points, expected 1 or 2",
                      term->name, k, used[k]);
        }
    }
}

static int pieces_of(const Position *board, Side side, WeightGroup group) {
    static const PieceType types[] = {GENERAL, ADVISOR, ELEPHANT, HORSE, CHARIOT, CANNON, SOLDIER};
    int count = 0;
    if (group < GROUP_SOLDIER) return bb_count(position_pieces(board, side, types[group]));
    for (int square = 0; square < SQUARE_COUNT; square++) {
        if (board->board[square] != piece_make(side, SOLDIER)) continue;
        count += square_crossed(square, side) == (group == GROUP_SOLDIER_CROSSED);
    }
    return count;
}

// Checks properties of weights.def that the fit relies on. A MATERIAL term occurs once for each
// piece of its group. In an ENTRY term, exactly one entry occurs for each piece of the group. Only
// MATERIAL terms have a classic value.
void test_eval_parts(TestContext *t) {
    Random random;
    Position walk;
    EvalTrace trace;
    Weights weights;
    random_init(&random, 14, 0);
    weights_classic(&weights);
    position_init_start(&walk);
    for (int i = 0; i < 2000 && !t->failures; i++) {
        // Legal moves lead to these positions, so every soldier stands on a point of its table. A
        // position from a FEN may have soldiers on other points.
        positions_random_step(&random, &walk);
        evaluate_traced(&walk, &weights, &trace);
        for (int k = 0; k < 2 * WEIGHT_TERM_COUNT; k++) {
            const WeightTerm *term = &weight_terms[k / 2];
            const Side side = k % 2 ? BLACK : RED;
            int count = 0;
            if (term->part > TERM_ENTRY) continue;
            for (int e = 0; e < term->count; e++) count += trace.count[side][term->first + e];
            CHECK_MSG(count == pieces_of(&walk, side, term->group),
                      "term %s occurs %d times for "
                      "%d pieces",
                      term->name, count, pieces_of(&walk, side, term->group));
        }
    }
    for (int i = 0; i < WEIGHT_TERM_COUNT; i++) {
        const WeightTerm *term = &weight_terms[i];
        CHECK_MSG(term->part == TERM_MATERIAL || term->classic == 0,
                  "term %s has the classic value "
                  "%d, expected 0",
                  term->name, term->classic);
    }
}

static int kinds(const char *names) {
    int count = 1;
    for (; *names; names++) count += *names == '|';
    return count;
}

// Checks that the entries of each evaluation term have different names of fewer than 48 bytes.
// Terms with one entry and piece-square tables are not checked.
void test_weight_entries(TestContext *t) {
    for (int i = 0; i < WEIGHT_TERM_COUNT; i++) {
        const WeightTerm *term = &weight_terms[i];
        const WeightAxis *axis = weight_axis_of(term);
        if (term->shape != SHAPE_NONE || term->count == 1) continue;
        CHECK_MSG(*axis->terms, "term %s is missing in the lines SCALE and KINDS of weights.def",
                  term->name);
        CHECK_MSG(axis->what || kinds(axis->outer) * kinds(axis->inner) == term->count,
                  "term %s: the number of kinds is not %d", term->name, term->count);
        for (int a = 0; a < term->count; a++) {
            char name[64], other[64];
            weight_entry_name(term, a, name, sizeof name);
            CHECK_MSG(*name && strlen(name) < 48,
                      "term %s, entry %d: the name '%s' is empty "
                      "or too long",
                      term->name, a, name);
            for (int b = 0; b < a; b++) {
                weight_entry_name(term, b, other, sizeof other);
                CHECK_MSG(strcmp(name, other) != 0, "term %s: two entries have the name '%s'",
                          term->name, name);
            }
        }
    }
    // The name of an entry consists of one name from each of two lists in weights.def. The lists of
    // this term are the side to move and the type of piece. If the index of an entry is too large,
    // the first name is the last one of its list.
    char text[48];
    weight_entry_name(&(WeightTerm){.name = "hanging_more", .count = 100}, 98, text, sizeof text);
    CHECK_TEXT(text, "their turn, horse");
}
