// SPDX-License-Identifier: GPL-3.0-or-later
// The plots of the report: loss, calibration, residuals, piece values.
#include <math.h>
#include <string.h>

#include "core/base/memory.h"
#include "tuner/report/report_internal.h"

// ---- loss by iteration --------------------------------------------------------------------------

// Two curves over the iterations of a fit.
typedef struct Curves {
    const char *id, *title, *desc, *axis;
    const char *name[2], *dot[2]; // in the legend; in tooltips, before the number
    bool power;                   // they are shown as powers of ten
    double *x, *y[2];
    int count;
} Curves;

static void draw_curves(Report *report, const Curves *c) {
    Span range = {NAN, NAN};
    const double last = fmax(1, c->x[c->count - 1]);
    Chart chart;
    for (int k = 0; k < 2 * c->count; k++) {
        const double value = c->y[k % 2][k / 2];
        if (!c->power || value > 0) span_add(&range, value, 0);
    }
    page_chart(report, &chart, c->id, c->title, c->desc, CHART_WIDTH, CHART_HEIGHT,
               CHART_LEFT + 10);
    chart_axis_x(&chart, 0, last, last > 8 ? 8 : (int)last, "iteration"); // whole numbers
    chart_axis_y(&chart, range.low, range.high, c->power ? 8 : 6, c->power, c->axis);
    for (int series = 0; series < 2; series++) {
        chart_line(&chart, 1 + series, c->x, c->y[series], c->count);
        for (int i = 0; i < c->count && c->count <= 40; i++) {
            chart_point(&chart, 1 + series, c->x[i], c->y[series][i], NAN, 7, "iteration %.0f, %s",
                        c->x[i], c->dot[series]);
        }
        if (isfinite(c->y[series][c->count - 1])) {
            chart_legend(&chart, 1 + series, true, c->name[series]);
        }
    }
    chart_end(&chart);
}

static void loss_picture(Report *report, const Curves *shared) {
    const FitRecord *record = &report->record;
    const int count = record->step_count;
    const FitStep *first = &record->steps[0], *last = &record->steps[count - 1];
    const bool validated = isfinite(last->valid);
    Curves c = *shared;
    char desc[300];
    snprintf(desc, sizeof desc,
             "Over %d iterations the loss on training games goes from %.5f to %.5f.",
             last->iteration, first->train, last->train);
    if (validated) {
        snprintf(desc + strlen(desc), sizeof desc - strlen(desc),
                 " A second line, of validation games, goes from %.5f to %.5f.", first->valid,
                 last->valid);
    }
    c.desc = desc;
    for (int i = 0; i < count; i++) {
        c.y[0][i] = record->steps[i].train;
        c.y[1][i] = record->steps[i].valid;
    }
    draw_curves(report, &c);
    page_table(report, "The numbers", "iteration|training loss|validation loss|gradient|gap");
    for (int i = 0; i < count; i++) {
        const FitStep *step = &record->steps[i];
        page_row(report, "%d|%.7f|%.7f|%.2e|%.2e", step->iteration, step->train, step->valid,
                 step->gradient_norm, step->gap);
    }
    page_table_end(report);
    page_figure_end(report,
                    validated
                        ? "Lower is better. The validation games were not fitted: while their line "
                          "falls with the other one, what is learned holds for new games, too. The "
                          "two lines are of different games, so the distance between them means "
                          "little; the error of the loss is in the summary above."
                        : "Lower is better. No games were kept for validation, so whether what is "
                          "learned holds for new games this picture cannot tell.");
}

void report_loss(Report *report) {
    const FitRecord *record = &report->record;
    const size_t count = (size_t)record->step_count;
    if (count == 0) {
        page_figure(report, "loss", "Loss by iteration");
        page_figure_end(report, "Not shown: this weight file does not tell how it was fitted. "
                                "Files that paotai tune --out writes do.");
        return;
    }
    size_t length;
    const char *kind = fit_record_option(record, "loss", &length);
    AUTO_FREE double *memory = memory_alloc(3 * count, sizeof *memory);
    Curves c = {.id = "loss",
                .title = "Loss by iteration",
                .axis = kind && *kind == 's' ? "mean loss of a position (squared points)"
                                             : "mean loss of a position (nats)",
                .name = {"training games", "validation games"},
                .dot = {"training", "validation"},
                .x = memory,
                .y = {memory + count, memory + 2 * count},
                .count = (int)count};
    for (size_t i = 0; i < count; i++) c.x[i] = record->steps[i].iteration;
    loss_picture(report, &c);
    c = (Curves){.id = "convergence",
                 .title = "How near the optimum",
                 .desc = "The gradient's length and the estimated distance to the least objective, "
                         "by iteration, on a scale of powers of ten.",
                 .axis = "loss; gradient (loss a unit)",
                 .name = {"length of the gradient", "gap to the optimum"},
                 .dot = {"gradient", "gap"},
                 .power = true,
                 .x = c.x,
                 .y = {c.y[0], c.y[1]},
                 .count = c.count};
    for (size_t i = 0; i < count; i++) {
        c.y[0][i] = record->steps[i].gradient_norm;
        c.y[1][i] = record->steps[i].gap;
    }
    draw_curves(report, &c);
    page_figure_end(report,
                    "Each step down the scale is a factor of ten. Newton's method doubles the "
                    "number of right digits with each iteration near the end, so both lines dive; "
                    "where the gap is a billionth of the loss, nothing is left to gain by fitting "
                    "longer. A method without an estimate of the gap shows its gradient alone. The "
                    "numbers are in the table of the loss.");
}

// ---- calibration --------------------------------------------------------------------------------

static void draw_counts(const Report *report, Chart *chart) {
    uint64_t most = 1;
    for (int i = 0; i < CALIBRATION_BINS; i++) {
        if (report->bins[i].rows > most) most = report->bins[i].rows;
    }
    for (int i = 0; i < CALIBRATION_BINS; i++) {
        const double share = 0.16 * (double)report->bins[i].rows / (double)most;
        text_add(chart->svg,
                 "<rect class='count' x='%.1f' y='%.1f' width='%.1f' height='%.1f'><title>%llu "
                 "positions</title></rect>\n",
                 chart_x(chart, i / 10.0) + 1, chart_y(chart, share), chart->width / 10 - 2,
                 chart->height * share, (unsigned long long)report->bins[i].rows);
    }
}

static void draw_observed(Chart *chart, int series, const CalibrationBin *bins) {
    for (int i = 0; i < CALIBRATION_BINS; i++) {
        const CalibrationBin *bin = &bins[i];
        chart_point(chart, series, bin->predicted, bin->observed.value, Z95 * bin->observed.error,
                    3, "%llu positions, predicted %.3f, observed", (unsigned long long)bin->rows,
                    bin->predicted);
    }
}

// Bins whose observation lies off the prediction by more than the 95 % error; *seen is of how many.
static int bins_apart(const CalibrationBin *bins, int *seen) {
    int apart = 0;
    *seen = 0;
    for (int i = 0; i < CALIBRATION_BINS; i++) {
        if (bins[i].rows == 0 || !(bins[i].observed.error > 0)) continue; // a game or two
        ++*seen;
        apart += fabs(bins[i].observed.value - bins[i].predicted) > Z95 * bins[i].observed.error;
    }
    return apart;
}

static void calibration_numbers(Report *report, const char *summary, const CalibrationBin *bins) {
    page_table(report, summary, "predicted from|to|mean|observed|\xc2\xb1 95 %|positions");
    for (int i = 0; i < CALIBRATION_BINS; i++) {
        const CalibrationBin *bin = &bins[i];
        page_row(report, "%.1f|%.1f|%.4f|%.4f|%.4f|%llu", i / 10.0, (i + 1) / 10.0, bin->predicted,
                 bin->observed.value, Z95 * bin->observed.error, (unsigned long long)bin->rows);
    }
    page_table_end(report);
}

void report_calibration(Report *report) {
    if (!report->measured) {
        page_figure(report, "calibration", "Calibration");
        page_figure_end(report, "Not shown: it needs games. Name a run with --data DIR.");
        return;
    }
    int seen;
    const int apart = bins_apart(report->bins, &seen);
    const bool blended = report->loss.lambda < 1;
    char desc[200], caption[800];
    snprintf(desc, sizeof desc,
             "Observed against predicted result in ten bins: %d of %d bins lie off the diagonal by "
             "more than their 95 %% error.",
             apart, seen);
    Chart chart;
    page_chart(report, &chart, "calibration", "Calibration", desc, CHART_WIDTH, CHART_HEIGHT,
               CHART_LEFT);
    chart_axis_x(&chart, 0, 1, 5, "predicted result (0: Black wins, 1: Red wins)");
    chart_axis_y(&chart, 0, 1, 5, false, "observed, mean");
    draw_counts(report, &chart);
    text_add(chart.svg, "<line class='ideal' x1='%.1f' y1='%.1f' x2='%.1f' y2='%.1f'/>\n",
             chart_x(&chart, 0), chart_y(&chart, 0), chart_x(&chart, 1), chart_y(&chart, 1));
    if (blended) draw_observed(&chart, 2, report->target_bins);
    draw_observed(&chart, 1, report->bins);
    chart_legend(&chart, 1, false, "results of games");
    if (blended) chart_legend(&chart, 2, false, "what was fitted");
    chart_end(&chart);
    calibration_numbers(report, "The numbers: results of games", report->bins);
    if (blended) calibration_numbers(report, "The numbers: what was fitted", report->target_bins);
    snprintf(caption, sizeof caption,
             "Positions sorted by the result that the weights predict for Red; grey: how many. On "
             "the dashed line what is predicted is what happens; a flatter row of dots means "
             "predictions that are too sure, a steeper one too timid. %d of %d bins of results lie "
             "off the line by more than their 95 %% bar; one in twenty would by chance. Positions "
             "of one game share its result, and the bars know it.%s",
             apart, seen,
             blended ? " The fit aims at a blend of result and search score (square): where the "
                       "round dots leave the line and the square ones do not, the search's "
                       "scores and the results disagree."
                     : "");
    page_figure_end(report, caption);
}

// ---- residuals ----------------------------------------------------------------------------------

static void bin_table(Report *report, const char *summary, const char *head,
                      const char *const *names, const ResidualBin *bins, int count) {
    AUTO(Text) heads = {0};
    text_add(&heads, "%s|residual|\xc2\xb1 95 %%|positions", head);
    page_table(report, summary, heads.data);
    for (int i = 0; i < count; i++) {
        page_row(report, "%s|%+.4f|%.4f|%llu", names[i], bins[i].residual.value,
                 Z95 * bins[i].residual.error, (unsigned long long)bins[i].rows);
    }
    page_table_end(report);
}

static void draw_bins(Chart *chart, int series, const char *const *names, const ResidualBin *bins,
                      int count, double shift) {
    for (int i = 0; i < count; i++) {
        chart_point(chart, series, i + 0.5 + shift, bins[i].residual.value,
                    Z95 * bins[i].residual.error, 4, "%s, %llu positions", names[i],
                    (unsigned long long)bins[i].rows);
    }
}

static void begin_residuals(Report *report, Chart *chart, const char *id, const char *title,
                            const char *desc, const ResidualBin *bins, int count) {
    Span y = {-0.01, 0.01};
    for (int i = 0; i < count; i++) {
        span_add(&y, bins[i].residual.value, Z95 * bins[i].residual.error);
    }
    page_chart(report, chart, id, title, desc, 580, CHART_HEIGHT, CHART_LEFT);
    // A bin of a few games must not hide the others.
    chart_axis_y(chart, fmax(y.low, -0.25), fmin(y.high, 0.25), 6, false,
                 "observed \xe2\x88\x92 predicted result");
    chart_rule_y(chart, 0, "ideal");
}

static void phase_residuals(Report *report) {
    const Residuals *r = &report->residuals;
    ResidualBin both[2 * RESIDUAL_PHASES];
    const char *names[RESIDUAL_PHASES];
    char memory[RESIDUAL_PHASES][24];
    for (int i = 0; i < RESIDUAL_PHASES; i++) {
        both[i] = r->phase_red[i];
        both[RESIDUAL_PHASES + i] = r->phase_leader[i];
        snprintf(memory[i], sizeof memory[i], "%.0f\xe2\x80\x93%.0f %%", 100 * r->phase_red[i].low,
                 100 * r->phase_red[i].high);
        names[i] = memory[i];
    }
    Chart chart;
    begin_residuals(report, &chart, "residual-phase", "Residuals by phase",
                    "Observed minus predicted result in twelve bins of the game's phase, as Red "
                    "sees it and as the side ahead sees it.",
                    both, 2 * RESIDUAL_PHASES);
    chart_axis_x(&chart, 0, 100, 5, "share of the middlegame (%); 100: all pieces");
    const double x1 = chart.x1;
    chart.x1 = RESIDUAL_PHASES;
    draw_bins(&chart, 1, names, r->phase_red, RESIDUAL_PHASES, -0.13);
    draw_bins(&chart, 2, names, r->phase_leader, RESIDUAL_PHASES, 0.13);
    chart.x1 = x1;
    chart_legend(&chart, 1, false, "Red's view");
    chart_legend(&chart, 2, false, "view of the side ahead");
    chart_end(&chart);
    bin_table(report, "The numbers: Red's view", "phase", names, r->phase_red, RESIDUAL_PHASES);
    bin_table(report, "The numbers: view of the side ahead", "phase", names, r->phase_leader,
              RESIDUAL_PHASES);
    page_figure_end(report,
                    "Left is the endgame, right the full board. Dots on the dashed line: the "
                    "predictions are right on average. Above it Red (round) scores more than "
                    "predicted, or the side that the evaluation has ahead (square) does: its leads "
                    "are worth more there than the weights say; below it, less.");
}

// Bins that have names, each seen by one side.
static void named_residuals(Report *report, const char *id, const char *title, const char *desc,
                            const char *axis, const char *view, const char *head,
                            const char *const *names, const ResidualBin *bins, int count) {
    Chart chart;
    begin_residuals(report, &chart, id, title, desc, bins, count);
    chart_axis_x_names(&chart, names, count, axis);
    draw_bins(&chart, 1, names, bins, count, 0);
    chart_legend(&chart, 1, false, view);
    chart_end(&chart);
    bin_table(report, "The numbers", head, names, bins, count);
}

static void lead_residuals(Report *report) {
    const ResidualBin *lead = report->residuals.lead;
    const char *names[RESIDUAL_LEADS];
    char memory[RESIDUAL_LEADS][32];
    for (int i = 0; i < RESIDUAL_LEADS; i++) {
        const bool last = i == RESIDUAL_LEADS - 1;
        snprintf(memory[i], sizeof memory[i], "%s%.0f",
                 i == 0 ? ""
                 : last ? "> "
                        : "\xe2\x89\xa4 ",
                 floor(last ? lead[i].low : lead[i].high));
        names[i] = memory[i];
    }
    named_residuals(report, "residual-material", "Residuals by material",
                    "Observed minus predicted result by the lead in material, as the side ahead "
                    "sees it.",
                    "lead in material (points of the classic table)",
                    "view of the side ahead, with 95 % bars", "lead", names, lead, RESIDUAL_LEADS);
    page_figure_end(report,
                    "Material is counted by the classic table, whatever the weights say. Above the "
                    "dashed line such leads score more than predicted, "
                    "below it less. \xe2\x89\xa4 2 holds leads above 1, up to 2. Even material "
                    "(0) is seen from Red.");
}

// What is shown of each kind of piece, in the order of weights.def.
enum { MOST_PIECES = GROUP_COUNT };
typedef struct Pieces {
    const WeightTerm *term[MOST_PIECES]; // of its material
    const char *name[MOST_PIECES];
    int count;
} Pieces;

static Pieces pieces_list(void) {
    Pieces pieces = {.count = 0};
    for (int t = 0; t < WEIGHT_TERM_COUNT; t++) {
        if (weight_terms[t].part != TERM_MATERIAL) continue;
        pieces.name[pieces.count] = weight_group_name(weight_terms[t].group);
        pieces.term[pieces.count++] = &weight_terms[t];
    }
    return pieces;
}

static void kind_residuals(Report *report) {
    const Pieces pieces = pieces_list();
    ResidualBin bins[MOST_PIECES];
    for (int i = 0; i < pieces.count; i++) {
        bins[i] = report->residuals.kind[pieces.term[i]->group];
    }
    named_residuals(report, "residual-kind", "Residuals by kind of piece",
                    "Observed minus predicted result of the side that has more pieces of a kind.",
                    "more pieces of this kind than the opponent",
                    "view of the side that has more, with 95 % bars", "kind", pieces.name, bins,
                    pieces.count);
    page_figure_end(report,
                    "All positions in which one side has more pieces of a kind. Above the dashed "
                    "line the side that has more scores better than predicted: the weights hold "
                    "the kind too cheap; below it, too dear.");
}

void report_residuals(Report *report) {
    if (!report->measured) {
        page_figure(report, "residual-phase", "Residuals by phase and by material");
        page_figure_end(report, "Not shown: they need games. Name a run with --data DIR.");
        return;
    }
    phase_residuals(report);
    lead_residuals(report);
    kind_residuals(report);
}

// ---- piece values -------------------------------------------------------------------------------

static void draw_values(Report *report, const PieceTable *table) {
    Chart chart;
    Span x = {0, 9};
    const char *names[PIECE_KINDS];
    char name[PIECE_KINDS][PIECE_NAME_SIZE];
    for (int i = 0; i < PIECE_KINDS; i++) {
        piece_line_name(i, name[i]);
        names[i] = name[i];
        span_add(&x, table->value[i][STAGE_OPENING], Z95 * table->se[i][STAGE_OPENING]);
        span_add(&x, table->value[i][STAGE_ENDGAME], Z95 * table->se[i][STAGE_ENDGAME]);
    }
    page_chart(report, &chart, "values", "Piece values",
               "For each kind of piece its value in the opening and in the endgame with 95 % bars, "
               "beside the books' number; a chariot is 9 in both.",
               CHART_WIDTH, 400, 112);
    chart_axis_x(&chart, x.low, x.high, 8, "points; a chariot of the same stage is 9");
    chart_rows(&chart, names, PIECE_KINDS);
    for (int i = 0; i < PIECE_KINDS; i++) {
        const double *value = table->value[i], *se = table->se[i];
        if (i) chart_rule_y(&chart, i, "grid");
        chart_point(&chart, 1, i + 0.28, value[STAGE_OPENING], Z95 * se[STAGE_OPENING], 2,
                    "%s, opening", names[i]);
        chart_point(&chart, 2, i + 0.5, value[STAGE_ENDGAME], Z95 * se[STAGE_ENDGAME], 2,
                    "%s, endgame", names[i]);
        chart_point(&chart, 3, i + 0.74, piece_line_books(i), NAN, 1, "%s, books", names[i]);
    }
    chart_legend(&chart, 1, false, "opening");
    chart_legend(&chart, 2, false, "endgame");
    chart_legend(&chart, 3, false, "books");
    chart_end(&chart);
}

// The values of the fit's own file where it tells them, with their errors; else those measured.
void report_values(Report *report) {
    const bool known = report->record.has_pieces;
    const PieceTable *table = known ? &report->record.pieces : &report->pieces;
    if (!known && !report->measured) {
        page_figure(report, "values", "Piece values");
        page_figure_end(report, "Not shown: a piece's value is what the evaluation loses without "
                                "it, on average in games. Name a run with --data DIR.");
        return;
    }
    draw_values(report, table);
    page_table(
        report, "The numbers",
        "piece|opening|\xc2\xb1 95 %|middlegame|\xc2\xb1 95 %|endgame|\xc2\xb1 95 %|all|\xc2\xb1 "
        "95 %|books|positions");
    for (int i = 0; i < PIECE_LINES; i++) {
        char name[PIECE_NAME_SIZE];
        const double *value = table->value[i], *se = table->se[i];
        piece_line_name(i, name);
        page_row(report, "%s|%.2f|%.2f|%.2f|%.2f|%.2f|%.2f|%.2f|%.2f|%.1f|%.0f", name,
                 value[STAGE_OPENING], Z95 * se[STAGE_OPENING], value[STAGE_MIDDLEGAME],
                 Z95 * se[STAGE_MIDDLEGAME], value[STAGE_ENDGAME], Z95 * se[STAGE_ENDGAME],
                 value[STAGE_ALL], Z95 * se[STAGE_ALL], piece_line_books(i), table->positions[i]);
    }
    page_table_end(report);
    page_figure_end(report,
                    "What the evaluation loses when one such piece is taken off the board, the "
                    "mean over the positions that have one; each stage has its own chariot as 9. "
                    "1st: the last one of its side; 2nd: each of two; the guards' also by the "
                    "enemy's chariots. Values far from the diamonds are where the games disagree "
                    "with the books. A bar is what games scatter; a file without errors has none "
                    "but that of the sample of positions.");
    if (!known || !*report->record.condition) return;
    page_paragraph(report,
                   "The errors of this fit are given %s. The search is its teacher, and what the "
                   "search gets wrong is in no bar.",
                   report->record.condition);
}
