// SPDX-License-Identifier: GPL-3.0-or-later
#include "tuner/fit/piece_table.h"

#include <math.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/board/attacks.h"
#include "core/eval/eval.h"

enum { N = 2 * WEIGHT_COUNT, POINTS = 9, GROUPS = GROUP_SOLDIER_CROSSED + 1 };

// ---- rows ---------------------------------------------------------------------------------------

// Conditions for a piece to count in a row of the table of piece values: it is of the kind `group`,
// its side has exactly `of` pieces of this kind (0: any number), and the enemy has exactly
// `chariots` chariots (-1: any number).
typedef struct PieceLine {
    WeightGroup group;
    int of, chariots;
} PieceLine;

static PieceLine piece_line(int line) {
    static const WeightGroup order[PIECE_KINDS] = {
        GROUP_CHARIOT, GROUP_CANNON,  GROUP_HORSE,          GROUP_ELEPHANT,
        GROUP_ADVISOR, GROUP_SOLDIER, GROUP_SOLDIER_CROSSED};
    if (line < PIECE_KINDS) return (PieceLine){order[line], 0, -1};
    const int rest = line - PIECE_KINDS, guards = rest - 2 * 5;
    if (guards < 0) return (PieceLine){order[rest / 2], 1 + rest % 2, -1};
    return (PieceLine){guards < 6 ? GROUP_ELEPHANT : GROUP_ADVISOR, 1 + guards % 2, guards / 2 % 3};
}

void piece_line_name(int line, char name[PIECE_NAME_SIZE]) {
    static const char *const ranks[] = {"", "1st ", "2nd "};
    const PieceLine of = piece_line(line);
    const int length =
        snprintf(name, PIECE_NAME_SIZE, "%s%s", ranks[of.of], weight_group_name(of.group));
    if (of.chariots < 0) return;
    snprintf(name + length, PIECE_NAME_SIZE - (size_t)length, ", %d chariot%s", of.chariots,
             of.chariots == 1 ? "" : "s");
}

double piece_line_books(int line) {
    const WeightTerm *term = weight_terms;
    while (term->part != TERM_MATERIAL || term->group != piece_line(line).group) term++;
    return term->classic / 100.0;
}

int piece_form(int line, Stage stage) {
    if (line < PIECE_KINDS) return line * STAGES + (int)stage;
    return stage == STAGE_ALL ? PIECE_KINDS * (STAGES - 1) + line : -1;
}

void piece_table_init(PieceTable *table) {
    for (int i = 0; i < PIECE_LINES; i++) {
        for (int k = 0; k < STAGES; k++) table->value[i][k] = table->se[i][k] = NAN;
        table->positions[i] = 0;
    }
}

// ---- a position ---------------------------------------------------------------------------------

// For one piece value: the number of positions in which it was measured, and the sum of the
// measured values, in the units of the weights.
typedef struct FormSums {
    double count, x;
} FormSums;

typedef struct Pass {
    const double *weights;
    // weights for evaluate_traced(); the coefficients that the trace records do not depend on them
    Weights any;
    // The fall of the evaluation when a piece is removed, from the view of the piece's owner, is a
    // linear function of the weights. `lost` holds its coefficients times PHASE_MAX, summed over
    // the pieces of each side and kind. One piece is removed at a time.
    int16_t lost[SIDE_COUNT][GROUPS][N];
    int pieces[SIDE_COUNT][GROUPS];
    FormSums sums[PIECE_FORMS];
    // sums of each piece value over the positions of a game, [PIECE_FORMS][games]
    FormSums *by_game;
    size_t game, games;
    // derivatives of each piece value with respect to the weights, summed over the positions,
    // [PIECE_FORMS][N]
    double *share;
} Pass;

static WeightGroup group_of(PieceType type, Side side, int square) {
    static const WeightGroup groups[PIECE_TYPE_COUNT] = {
        [ADVISOR] = GROUP_ADVISOR, [ELEPHANT] = GROUP_ELEPHANT, [HORSE] = GROUP_HORSE,
        [CHARIOT] = GROUP_CHARIOT, [CANNON] = GROUP_CANNON,     [SOLDIER] = GROUP_SOLDIER};
    return type == SOLDIER && square_crossed(square, side) ? GROUP_SOLDIER_CROSSED : groups[type];
}

// Adds to `lost` the coefficients of a position (`with`) minus those of the position after one
// piece was removed (`without`), from the view of the owner of this piece (`side`).
static void add_loss(int16_t *lost, const EvalTrace *with, const EvalTrace *without, Side side) {
    const int sign = side == RED ? 1 : -1;
    for (int i = 0; i < WEIGHT_COUNT; i++) {
        const int a = sign * (with->count[RED][i] - with->count[BLACK][i]);
        const int b = sign * (without->count[RED][i] - without->count[BLACK][i]);
        const int middle = a * with->phase - b * without->phase;
        lost[2 * i] = (int16_t)(lost[2 * i] + middle);
        lost[2 * i + 1] = (int16_t)(lost[2 * i + 1] + PHASE_MAX * (a - b) - middle);
    }
}

// Removes one piece at a time and adds up the changes of the evaluation's coefficients in
// pass->lost.
static void take_pieces(Pass *pass, const Position *board, const EvalTrace *with) {
    memset(pass->lost, 0, sizeof pass->lost);
    memset(pass->pieces, 0, sizeof pass->pieces);
    Bitboard left = position_occupied(board) & ~board->by_type[GENERAL];
    while (left) {
        const int square = bb_pop(&left);
        const Piece piece = board->board[square];
        const Side side = piece_side(piece);
        const WeightGroup group = group_of(piece_type(piece), side, square);
        Position rest = *board;
        EvalTrace without;
        position_toggle(&rest, piece, square);
        evaluate_traced(&rest, &pass->any, &without);
        add_loss(pass->lost[side][group], with, &without, side);
        pass->pieces[side][group]++;
    }
}

static void add_sums(FormSums *to, double count, double x) {
    to->count += count;
    to->x += x;
}

// Adds the current position to the sums of one row of the table of piece values: the mean value of
// the pieces in the position that count in this row. Adds nothing if there are none.
static void add_line(Pass *pass, int number, Stage stage) {
    const PieceLine line = piece_line(number);
    int pieces = 0;
    const int16_t *lost[SIDE_COUNT] = {NULL};
    for (int side = RED; side <= BLACK; side++) {
        const int count = pass->pieces[side][line.group];
        const int against = pass->pieces[!side][GROUP_CHARIOT];
        if (count == 0 || (line.of && count != line.of)) continue;
        if (line.chariots >= 0 && line.chariots != against) continue;
        pieces += count;
        lost[side] = pass->lost[side][line.group];
    }
    if (pieces == 0) return;
    const int form = piece_form(number, number < PIECE_KINDS ? stage : STAGE_ALL);
    const double times = 1.0 / (PHASE_MAX * pieces);
    double x = 0.0, *share = pass->share + (size_t)form * N;
    const int16_t *a = lost[RED] ? lost[RED] : lost[BLACK];
    const int16_t *b = lost[RED] && lost[BLACK] ? lost[BLACK] : NULL;
    for (int i = 0; i < N; i++) {
        const double mean = times * (a[i] + (b ? b[i] : 0));
        share[i] += mean;
        x += mean * pass->weights[i];
    }
    add_sums(&pass->sums[form], 1, x);
    add_sums(&pass->by_game[(size_t)form * pass->games + pass->game], 1, x);
}

// ---- the table ----------------------------------------------------------------------------------

// For each kind of piece, computes the sums over all positions (STAGE_ALL) from the sums over
// endgame, middlegame and opening positions.
static void add_stages(Pass *pass) {
    for (int line = 0; line < PIECE_KINDS; line++) {
        const int all = piece_form(line, STAGE_ALL);
        for (int stage = 0; stage < STAGE_ALL; stage++) {
            const int form = piece_form(line, (Stage)stage);
            add_sums(&pass->sums[all], pass->sums[form].count, pass->sums[form].x);
            for (size_t g = 0; g < pass->games; g++) {
                const FormSums *from = &pass->by_game[(size_t)form * pass->games + g];
                add_sums(&pass->by_game[(size_t)all * pass->games + g], from->count, from->x);
            }
            for (size_t i = 0; i < N; i++) {
                pass->share[(size_t)all * N + i] += pass->share[(size_t)form * N + i];
            }
        }
    }
}

// Returns the variance of mean(a) / mean(b), the quotient of two piece values, with the games as
// independent samples (first-order approximation; Cochran, Sampling Techniques, 3rd ed., 2.11).
// Returns NAN if there is only one game.
static double ratio_variance(const Pass *pass, int a, int b) {
    const FormSums *x = &pass->sums[a], *y = &pass->sums[b];
    const double x_mean = x->x / x->count, y_mean = y->x / y->count, ratio = x_mean / y_mean;
    double squares = 0, units = 0;
    for (size_t g = 0; g < pass->games; g++) {
        const FormSums *of = &pass->by_game[(size_t)a * pass->games + g];
        const FormSums *than = &pass->by_game[(size_t)b * pass->games + g];
        const double away = (of->x - x_mean * of->count) / x->count -
                            ratio * (than->x - y_mean * than->count) / y->count;
        squares += away * away;
        units += of->count > 0 || than->count > 0;
    }
    return units > 1 ? squares * units / (units - 1) / (y_mean * y_mean) : NAN;
}

// Computes one value in points: 9 x / y, where x is the mean value of the piece and y that of a
// chariot, both in units.
static void take_value(const Pass *pass, int line, Stage stage, PieceTable *table, double *forms) {
    const int form = piece_form(line, stage), chariot = piece_form(0, stage);
    const FormSums *a = &pass->sums[form], *c = &pass->sums[chariot];
    const double x = a->x / a->count, y = c->x / c->count, ratio = x / y;
    if (stage == STAGE_ALL) table->positions[line] = a->count;
    if (!(a->count > 0 && y > 0)) return;
    table->value[line][stage] = POINTS * ratio;
    table->se[line][stage] =
        form == chariot ? 0 : POINTS * sqrt(ratio_variance(pass, form, chariot));
    for (size_t i = 0; forms && i < N; i++) {
        forms[(size_t)form * N + i] = POINTS / y *
                                      (pass->share[(size_t)form * N + i] / a->count -
                                       ratio * pass->share[(size_t)chariot * N + i] / c->count);
    }
}

void piece_table_measure(const RowSet *rows, const double *weights, PieceTable *table,
                         double *forms) {
    AUTO_FREE Pass *pass = memory_alloc(1, sizeof *pass);
    AUTO_FREE double *share = memory_alloc((size_t)PIECE_FORMS * N, sizeof *share);
    pass->weights = weights;
    pass->share = share;
    AUTO_FREE size_t *game = memory_alloc(rows->sample_count, sizeof *game);
    for (size_t i = 0; i < rows->sample_count; i++) {
        const RowSample *at = &rows->sample[i], *last = i > 0 ? at - 1 : NULL;
        pass->games += !last || last->game != at->game || last->source != at->source;
        game[i] = pass->games - 1;
    }
    AUTO_FREE FormSums *by_game = memory_alloc((size_t)PIECE_FORMS * pass->games, sizeof *by_game);
    pass->by_game = by_game;
    weights_classic(&pass->any);
    piece_table_init(table);
    for (size_t i = 0; i < rows->sample_count; i++) {
        EvalTrace with;
        evaluate_traced(&rows->sample[i].board, &pass->any, &with);
        take_pieces(pass, &rows->sample[i].board, &with);
        pass->game = game[i];
        const Stage stage = (Stage)(with.phase / STAGE_PHASES);
        for (int line = 0; line < PIECE_LINES; line++) add_line(pass, line, stage);
    }
    add_stages(pass);
    for (int line = 0; line < PIECE_LINES; line++) {
        for (int stage = 0; stage < STAGES; stage++) {
            if (piece_form(line, (Stage)stage) < 0) continue;
            take_value(pass, line, (Stage)stage, table, forms);
        }
    }
}
