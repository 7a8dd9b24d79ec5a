// SPDX-License-Identifier: GPL-3.0-or-later
// Tests parts of the tuner: training positions, loss, prior, rounding, weight files, tables drawn
// on a board, and piece values.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/base/random.h"
#include "core/board/attacks.h"
#include "tests/tuner/tuner_data.h"
#include "tuner/fit/loss.h"
#include "tuner/fit/piece_table.h"
#include "tuner/report/weight_board.h"

static LossSetup loss_setup(LossKind kind, double lambda, int threads) {
    return (LossSetup){
        .kind = kind, .k = 0.004, .lambda = lambda, .k_score = 0.003, .threads = threads};
}

void test_tuner_rows(TestContext *t) {
    Weights weights;
    RowPart part = {0};
    Err err = {0};
    EvalTrace trace;
    Position position;
    const RowHead head = {.score_red = SCORE_UNKNOWN, .result = 1};
    const RowGame game = {.id = 5};
    invent_weights(&weights);
    const char *fen = "4k4/9/9/4P4/P1P3P1P/9/4p4/9/1C7/R3K4 w";
    CHECK(position_from_fen(&position, fen, &err) == STATUS_OK);
    evaluate_traced(&position, &weights, &trace);
    CHECK_OK(row_part_add(&part, &trace, &weights, &head, &game, &err), err);
    CHECK_INT(part.count, 1);
    CHECK(part.heads[0].result == 1);
    CHECK(part.heads[0].entries > 0);
    // A position is refused if its score and the trace of its evaluation disagree.
    EvalTrace broken = trace;
    broken.count[RED][WEIGHT_INDEX(material_chariot)]++;
    CHECK_INT(row_part_add(&part, &broken, &weights, &head, &game, &err), STATUS_MISMATCH);
    broken = trace;
    broken.sum.eg++;
    CHECK_INT(row_part_add(&part, &broken, &weights, &head, &game, &err), STATUS_MISMATCH);
    CHECK_INT(part.count, 1);
    PositionRecord record = {.game = 7, .stm = position.stm, .ply = 31, .result = 4};
    squares_from_position(&position, record.squares);
    CHECK_INT(position_record_board(&record, &position, &err), STATUS_CORRUPT);
    CHECK_MSG(strstr(err.text, "game 7, ply 31") && strstr(err.text, "result 4"), "%s", err.text);
    row_part_clear(&part);
    AUTO(RowSet) rows = {0};
    if (!random_rows(t, 200, 0.003, &weights, NULL, &rows)) return;
    CHECK_INT(rows.chunk_count, (rows.count + TEST_CHUNK - 1) / TEST_CHUNK);
    CHECK_INT(rows.game_count, 200);
    // The stored coefficients of a position times the weights must give the score of the
    // evaluation.
    double flat[N], scores[TEST_CHUNK];
    values_flat(&weights, flat);
    loss_chunk_scores(&rows, 0, flat, scores);
    for (uint32_t i = 0; i < rows.chunks[0].count; i++) {
        CHECK_MSG(fabs(scores[i] - rows.chunks[0].score_red[i]) < 1.0,
                  "row %u has the score %.2f, but the evaluation is %d", i, scores[i],
                  rows.chunks[0].score_red[i]);
    }
}

// Compares a gradient or a Hessian with central differences.
static void check_derivatives(TestContext *t, const RowSet *rows, const LossSetup *setup, double *x,
                              bool second) {
    static double hessian[N * N];
    double gradient[N], up[N], down[N], scale = 0.0;
    loss_evaluate(rows, setup, x, gradient);
    loss_hessian(rows, setup, x, hessian);
    for (int i = 0; i < N; i++) {
        scale = fmax(scale, fabs(second ? hessian[i * N + i] : gradient[i]));
    }
    for (int i = 0; i < N; i += 7) {
        const double step = 0.1, kept = x[i];
        x[i] = kept + step;
        const double above = loss_evaluate(rows, setup, x, up).loss;
        x[i] = kept - step;
        const double below = loss_evaluate(rows, setup, x, down).loss;
        x[i] = kept;
        const double slope = (above - below) / (2 * step);
        CHECK_MSG(second || fabs(slope - gradient[i]) < 1e-6 * scale,
                  "loss %d, weight %d: slope %.9g, by differences %.9g", setup->kind, i,
                  gradient[i], slope);
        for (int j = 0; j < N && second; j++) {
            const double by_difference = (up[j] - down[j]) / (2 * step);
            CHECK_MSG(fabs(by_difference - hessian[i * N + j]) < 1e-5 * scale,
                      "loss %d, weights %d %d: curvature %.9g, by differences %.9g", setup->kind, i,
                      j, hessian[i * N + j], by_difference);
        }
    }
}

// Checks the gradient of both loss functions and the Hessian of the cross entropy, with targets
// that blend result and score.
void test_tuner_derivatives(TestContext *t) {
    Weights weights;
    AUTO(RowSet) rows = {0};
    double x[N], scores[TEST_CHUNK];
    if (!random_rows(t, 60, 0.003, &weights, NULL, &rows)) return;
    values_flat(&weights, x);
    for (int kind = LOSS_CROSS_ENTROPY; kind <= LOSS_SQUARED; kind++) {
        LossSetup setup = loss_setup((LossKind)kind, 0.7, 2);
        check_derivatives(t, &rows, &setup, x, false);
        if (kind != LOSS_SQUARED) check_derivatives(t, &rows, &setup, x, true);
    }
    // If every prediction equals its target, the Gauss-Newton Hessian of the squared error is
    // exact.
    const LossSetup setup = loss_setup(LOSS_SQUARED, 1, 2);
    for (size_t c = 0; c < rows.chunk_count; c++) {
        loss_chunk_scores(&rows, c, x, scores);
        for (uint32_t i = 0; i < rows.chunks[c].count; i++) {
            ((float *)rows.chunks[c].result)[i] = (float)(1 / (1 + exp(-setup.k * scores[i])));
        }
    }
    check_derivatives(t, &rows, &setup, x, true);
}

// The target blends result and score. If a position has only one of the two, that is the target.
void test_tuner_targets(TestContext *t) {
    enum { SCORES = 8, ROWS = 4 * SCORES };
    static const float results[] = {0, 0.5f, 1, -1};
    static const int16_t scores[SCORES] = {
        0, 1, -250, 900, -31999, ROW_SCORE_MATE, -ROW_SCORE_MATE, SCORE_UNKNOWN};
    float result[ROWS], phase[ROWS] = {0};
    int16_t score[ROWS];
    int8_t mover[ROWS];
    double target[ROWS], weight[ROWS];
    const RowChunk chunk = {
        .result = result, .score_red = score, .side_to_move = mover, .phase = phase};
    for (int i = 0; i < ROWS; i++) {
        result[i] = results[i % 4];
        score[i] = scores[i / 4];
        mover[i] = (int8_t)(i % 3 - 1);
    }
    for (int lambda = 0; lambda <= 2; lambda++) {
        LossSetup setup = loss_setup(LOSS_CROSS_ENTROPY, 0.5 * lambda, 1);
        setup.mover_units = 20;
        loss_targets(&setup, &chunk, 0, ROWS, target, weight);
        for (int i = 0; i < ROWS; i++) {
            const double points = 1 / (1 + exp(-setup.k_score * (score[i] - 20 * mover[i])));
            const double scored = score[i] == ROW_SCORE_MATE    ? 1
                                  : score[i] == -ROW_SCORE_MATE ? 0
                                                                : points;
            const bool has_score = score[i] != SCORE_UNKNOWN, has_result = result[i] >= 0;
            const double share = !has_score ? 1 : has_result ? setup.lambda : 0;
            const double expected = share * (double)result[i] + (1 - share) * scored;
            CHECK(weight[i] == (has_score || has_result));
            CHECK_MSG(weight[i] == 0 || fabs(target[i] - expected) < 1e-15,
                      "result %g, score %d: expected the target %.17g, not %.17g",
                      (double)result[i], score[i], expected, target[i]);
        }
    }
}

// Fitted weights are equal bit for bit with 1 thread and with N threads. This also tests loss,
// gradient and Hessian, on which the weights depend.
void test_tuner_threads(TestContext *t) {
    Weights truth, start;
    AUTO(RowSet) rows = {0};
    weights_classic(&start);
    if (!random_rows(t, 200, 0.003, &truth, NULL, &rows)) return;
    FitSetup asked = fit_setup(1);
    AUTO(Fit) fit;
    if (!run_fit(t, &rows, &asked, &start, &fit)) return;
    for (int threads = 2; threads <= 4; threads++) {
        asked.threads = threads;
        AUTO(Fit) again;
        if (!run_fit(t, &rows, &asked, &start, &again)) return;
        CHECK(fit.loss.k == again.loss.k);
        CHECK(memcmp(fit.weights, again.weights, N * sizeof(double)) == 0);
    }
}

// The gradient and the Hessian of the prior equal finite differences. In piece-square tables,
// smoothing couples only neighbouring points of the board.
void test_tuner_prior(TestContext *t) {
    Weights weights;
    AUTO(RowSet) rows = {0};
    double centre[N], x[N], gradient[N], up[N], down[N];
    if (!random_rows(t, 20, 0.003, &weights, centre, &rows)) return;
    const PriorSetup strengths = {.sd = 40, .material_sd = 1000, .smooth_sd = 25};
    Prior prior;
    prior_for_evaluation(&prior, &strengths, &rows, centre);
    CHECK(prior_value(&prior, centre, NULL) == 0.0);
    AUTO_FREE double *hessian = memory_alloc((size_t)N * N, sizeof *hessian);
    prior_add_hessian(&prior, hessian);
    Random random;
    random_init(&random, 8, 0);
    for (int i = 0; i < N; i++) x[i] = centre[i] + 20 * random_real(&random);
    memset(gradient, 0, sizeof gradient);
    prior_value(&prior, x, gradient);
    for (int i = 0; i < N; i += 11) {
        const double kept = x[i];
        memset(up, 0, sizeof up);
        memset(down, 0, sizeof down);
        x[i] = kept + 1;
        const double above = prior_value(&prior, x, up);
        x[i] = kept - 1;
        const double below = prior_value(&prior, x, down);
        x[i] = kept;
        CHECK_NEAR((above - below) / 2, gradient[i], 1e-9);
        for (int j = 0; j < N; j++) CHECK_NEAR((up[j] - down[j]) / 2, hessian[i * N + j], 1e-9);
    }
    // Smoothing couples the table entry of b0 with the entries of the adjacent points a0, c0 and
    // b1. It does not couple a0 and d0, which are not adjacent.
    const WeightTerm *horse = weight_term_of(WEIGHT_INDEX(table_horse));
    const int b0 = 2 * (horse->first + eval_table_entry(SHAPE_BOARD, RED, square_make(1, 0)));
    const int a0 = 2 * (horse->first + eval_table_entry(SHAPE_BOARD, RED, square_make(0, 0)));
    const int d0 = 2 * (horse->first + eval_table_entry(SHAPE_BOARD, RED, square_make(3, 0)));
    const double tie = 1.0 / (25 * 25), tied = hessian[b0 * N + a0],
                 free_pair = hessian[a0 * N + d0];
    prior_clear(&prior);
    const PriorSetup rough = {.sd = 40, .material_sd = 1000};
    prior_for_evaluation(&prior, &rough, &rows, centre);
    memset(hessian, 0, (size_t)N * N * sizeof *hessian);
    prior_add_hessian(&prior, hessian);
    CHECK_NEAR(tied - hessian[b0 * N + a0], -tie, 1e-12);
    CHECK_NEAR(free_pair - hessian[a0 * N + d0], 0.0, 1e-12);
    prior_clear(&prior);
}

// Rounding with the Hessian of the loss must increase the loss less than rounding each weight to
// the nearest integer.
void test_tuner_rounding(TestContext *t) {
    AUTO_FREE double *hessian = memory_alloc((size_t)N * N, sizeof *hessian);
    double weights[N], mean[2] = {0, 0};
    Random random;
    Err err = {0};
    random_init(&random, 12, 0);
    // Without positions, values_round() has no mean value of a chariot to keep.
    AUTO(RowSet) rows;
    row_set_init(&rows, WEIGHT_COUNT, PHASE_MAX);
    for (int i = 0; i < N; i++) {
        weights[i] = random_real(&random) * 100;
        for (int j = 0; j < N; j++) hessian[i * N + j] = i == j ? 1.05 : 1.0;
    }
    for (int by_loss = 0; by_loss < 2; by_loss++) {
        Weights whole;
        double flat[N];
        CHECK(values_round(&rows, weights, by_loss ? hessian : NULL, NULL, &whole, &err) ==
              STATUS_OK);
        values_flat(&whole, flat);
        for (int i = 0; i < N; i++) {
            for (int j = 0; j < N; j++) {
                mean[by_loss] +=
                    (flat[i] - weights[i]) * hessian[i * N + j] * (flat[j] - weights[j]);
            }
        }
    }
    CHECK_MSG(mean[1] < 0.9 * mean[0],
              "the loss rises by %.4f if rounded by the loss, by %.4f if rounded to the nearest",
              mean[1], mean[0]);
}

void test_tuner_refusals(TestContext *t) {
    Weights weights;
    AUTO(RowSet) rows = {0};
    Err err = {0};
    double flat[N];
    invent_weights(&weights);
    values_flat(&weights, flat);
    if (!random_rows(t, 20, 1.0, &weights, NULL, &rows)) return;
    for (size_t c = 0; c < rows.chunk_count; c++) {
        for (uint32_t i = 0; i < rows.chunks[c].count; i++) {
            ((float *)rows.chunks[c].result)[i] = 1;
        }
    }
    CHECK_INT(fit_check_rows(&rows, 0.2, &err), STATUS_BAD_INPUT);
    CHECK_MSG(strstr(err.text, "wins for Red"), "%s", err.text);
    // A position without a result has a target only if its search score is used.
    ((float *)rows.chunks[0].result)[0] = -1;
    rows.without_result = 1;
    CHECK_INT(fit_check_rows(&rows, 0.2, &err), STATUS_OK);
    CHECK_INT(fit_check_rows(&rows, 1, &err), STATUS_BAD_INPUT);
    row_set_clear(&rows);
    if (!random_rows(t, 20, 0.003, &weights, NULL, &rows)) return;
    const FitSetup setup = fit_setup(1);
    AUTO(Fit) fit;
    flat[17] = NAN;
    fit_init(&fit, &rows, &setup, flat);
    CHECK_INT(fit_run(&fit, &err), STATUS_NUMERIC);
    CHECK_MSG(strstr(err.text, "nan"), "%s", err.text);
}

// Collects the notes that reading a weight file writes.
typedef struct Heard {
    ErrNotes notes;
    Text text;
} Heard;

static void hear(ErrNotes *notes, const char *text) {
    text_add(&((Heard *)notes)->text, "%s\n", text);
}

// Copies the text `from` to `to`, with the first occurrence of `find` replaced.
static void text_replace(const Text *from, const char *find, const char *replace, Text *to) {
    const char *at = strstr(text_get(from), find);
    text_reset(to);
    text_add_bytes(to, from->data, (size_t)(at - from->data));
    text_add(to, "%s%s", replace, at + strlen(find));
}

void test_weight_files(TestContext *t) {
    Weights weights, again;
    AUTO(Text) text = {0}, changed = {0};
    Err err = {0};
    invent_weights(&weights);
    weights_format(&weights, "who made it\nand how", &text);
    CHECK_OK(weights_parse(text_get(&text), "x", &again, &err), err);
    CHECK(memcmp(&weights, &again, sizeof weights) == 0);
    static const struct {
        const char *find, *replace, *word;
    } cases[] = {
        {"material_horse ", "material_pony ", "unknown term 'material_pony'"},
        {"table_advisor ", "material_horse 1 2\ntable_advisor ", "given twice"},
        {"material_horse ", "material_horse 1 ", "has 3 values"},
        {"material_horse ", "material_horse 1 2 ", "2 pairs of a middlegame and an endgame value"},
        {"material_horse ", "material_horse\n#", "has 0 pairs of"},
        {"material_horse ", "material_horse x", "x"},
        {"material_horse ", "material_horse 99999 1\n#", "99999"},
        {"material_horse ", "material_horse nan 1\n#", "nan"},
        {"material_horse ", "material_horse 400\n#", "has 1 values"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        text_replace(&text, cases[i].find, cases[i].replace, &changed);
        const Status status = weights_parse(changed.data, "file", &again, &err);
        CHECK_MSG(status != STATUS_OK && strstr(err.text, cases[i].word) &&
                      strstr(err.text, "file:"),
                  "case %zu: status %d, message '%s'", i, status, err.text);
    }
    CHECK(weights_parse("# nothing\n", "file", &again, &err) != STATUS_OK &&
          strstr(err.text, "has no term that this program knows"));
}

// Weight files match terms by name. A term that the file lacks gets the weights 0. A term unknown
// to the program is an error; with drop_unknown it is ignored. The hash ignores terms that are 0.
void test_weight_terms(TestContext *t) {
    Weights weights, again;
    AUTO(Text) text = {0}, changed = {0};
    char hash[SHA256_HEX_SIZE], other[SHA256_HEX_SIZE];
    Heard heard = {.notes.say = hear};
    Err err = {.notes = &heard.notes};
    invent_weights(&weights);
    weights_format(&weights, NULL, &text);
    weights.material_horse[0] = (WeightPair){0, 0};
    weights_hash(&weights, hash);
    text_replace(&text, "\nmaterial_horse ", "\n# material_horse ", &changed);
    CHECK_OK(weights_parse(changed.data, "file", &again, &err), err);
    CHECK(memcmp(&weights, &again, sizeof weights) == 0);
    CHECK_TEXT(text_get(&heard.text),
               "file has no weights for the terms material_horse: they are set to 0\n");
    weights_hash(&again, other);
    CHECK_TEXT(other, hash);
    // The order of the lines in a weight file, and the `schema` line of older files, have no
    // effect.
    text_reset(&text);
    text_add(&text, "schema 00\n%smaterial_horse 0 0\n", changed.data);
    text_reset(&heard.text);
    CHECK_OK(weights_parse(text.data, "file", &again, &err), err);
    CHECK(memcmp(&weights, &again, sizeof weights) == 0 && heard.text.length == 0);
    again.material_horse[0].eg = 1;
    weights_hash(&again, other);
    CHECK(strcmp(hash, other) != 0);
    // The hash also covers the names of terms: a value that moves to another term gives another
    // hash.
    Weights swapped = weights;
    swapped.material_horse[0] = weights.material_cannon[0];
    swapped.material_cannon[0] = (WeightPair){0, 0};
    weights_hash(&swapped, other);
    CHECK(strcmp(hash, other) != 0);
    heard.notes.drop_unknown = true;
    text_add(&text, "horses_of_glass 1 2 3 4\n");
    CHECK_OK(weights_parse(text.data, "file", &again, &err), err);
    CHECK(memcmp(&weights, &again, sizeof weights) == 0);
    CHECK(heard.text.length && strstr(heard.text.data, "horses_of_glass"));
    text_clear(&heard.text);
}

// The picture of a table has one field for each entry: files a to e, because tables are symmetric.
void test_board_tables(TestContext *t) {
    const WeightTerm *crossed = weight_term_of(WEIGHT_INDEX(table_soldier_crossed));
    CHECK_INT(eval_table_entry(crossed->shape, RED, square_make(4, 4)), -1);
    CHECK(eval_table_entry(crossed->shape, RED, square_make(4, 5)) >= 0);
    Weights weights;
    AUTO(Html) svg = {0};
    invent_weights(&weights);
    weights.table_soldier_crossed[4] = (WeightPair){-77, 1234};
    for (int endgame = 0; endgame < 2; endgame++) {
        const TermBoard board = {
            .weights = &weights, .term = crossed, .endgame = endgame, .limit = 1234};
        const char *value = endgame ? ">1234<" : ">−77<";
        html_clear(&svg);
        term_board_figure(&board, "id", &svg);
        CHECK(strstr(text_get(&svg.markup), value) != NULL);
        int fields = 0;
        for (const char *at = text_get(&svg.markup); (at = strstr(at, "<rect")); at++) fields++;
        CHECK_INT(fields, 25);
    }
}

// Returns by how much the score falls on average when one piece of a kind is removed: from the
// owner's view, times PHASE_MAX.
static double lost_by(const char *fen, PieceType type, const Weights *weights) {
    Position board;
    double lost = 0, pieces = 0;
    if (position_from_fen(&board, fen, NULL) != STATUS_OK) return NAN;
    for (int square = 0; square < SQUARE_COUNT; square++) {
        const Piece piece = board.board[square];
        if (piece == PIECE_NONE || piece_type(piece) != type) continue;
        Position rest = board;
        EvalTrace trace;
        double score[2];
        position_toggle(&rest, piece, square);
        for (int i = 0; i < 2; i++) {
            evaluate_traced(i ? &rest : &board, weights, &trace);
            score[i] =
                (double)(trace.sum.mg * trace.phase + trace.sum.eg * (PHASE_MAX - trace.phase));
        }
        lost += (score[0] - score[1]) * (piece_side(piece) == RED ? 1 : -1);
        pieces++;
    }
    return lost / pieces;
}

// The value of a piece is the fall of the evaluation when the piece is removed, in units in which a
// chariot is 9. Values do not depend on the scale of the weights, so the derivatives times the
// weights sum to 0.
void test_piece_table(TestContext *t) {
    static const char *const fens[] = {START_FEN, "3ak4/9/4b4/9/9/2r6/9/9/4A4/3AK1N1R w"};
    Weights weights;
    double flat[N];
    AUTO_FREE double *forms = memory_alloc(PIECE_FORMS * N, sizeof *forms);
    PieceTable table;
    invent_weights(&weights);
    values_flat(&weights, flat);
    for (int i = 0; i < 2; i++) {
        Position board;
        if (!CHECK(position_from_fen(&board, fens[i], NULL) == STATUS_OK)) return;
        RowSample sample = {.board = board};
        const RowSet rows = {.sample = &sample, .sample_count = 1, .count = 1};
        piece_table_measure(&rows, flat, &table, forms);
        const double chariot = lost_by(fens[i], CHARIOT, &weights);
        const double horse = 9 * lost_by(fens[i], HORSE, &weights) / chariot;
        const Stage stage = i ? STAGE_ENDGAME : STAGE_OPENING;
        CHECK_NEAR(table.value[0][stage], 9, 1e-12);
        CHECK_NEAR(table.value[2][stage], horse, 1e-9);
        CHECK_NEAR(table.value[2][STAGE_ALL], horse, 1e-9);
        CHECK(isnan(table.value[2][i ? STAGE_OPENING : STAGE_ENDGAME]));
        // In the initial position each side has two horses. In the other position a side has only
        // one.
        CHECK(isnan(table.value[PIECE_KINDS + 4][STAGE_ALL]) == (i == 0));
        CHECK(isnan(table.value[PIECE_KINDS + 5][STAGE_ALL]) == (i == 1));
        double sum = 0;
        for (int k = 0; k < N; k++) sum += forms[piece_form(2, STAGE_ALL) * N + k] * flat[k];
        CHECK_NEAR(sum, 0, 1e-9);
    }
    // Red has two advisors against a black chariot; Black has one advisor against a red chariot.
    CHECK_NEAR(table.positions[PIECE_LINES - 4], 1, 0);
    CHECK_NEAR(table.positions[PIECE_LINES - 3], 1, 0);
    CHECK_NEAR(table.positions[PIECE_LINES - 1], 0, 0);
}
