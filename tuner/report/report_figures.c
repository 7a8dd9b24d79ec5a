// SPDX-License-Identifier: GPL-3.0-or-later
// The plots of the report: loss, calibration, residuals, piece values.
#include <math.h>
#include <string.h>

#include "core/base/memory.h"
#include "tuner/report/report_internal.h"

enum { WIDTH = 480, WIDE = 580, HEIGHT = 340, LEFT = 66, BOTTOM = 48 };

typedef struct Span {
    double low, high;
} Span;

static void span_add(Span *span, double value) {
    if (!isfinite(value)) return;
    if (!(span->low <= value)) span->low = value;
    if (!(span->high >= value)) span->high = value;
}
static void span_add_estimate(Span *span, Estimate e) {
    span_add(span, e.value);
    span_add(span, e.value - QUANTILE_95 * e.error);
    span_add(span, e.value + QUANTILE_95 * e.error);
}

// ---- loss by iteration --------------------------------------------------------------------------

// Two curves over the iterations of a fit.
typedef struct Curves {
    const char *id, *title, *desc, *axis;
    const char *name[2], *dot[2]; // in the legend; in tooltips, before the number
    bool power;                   // they are shown as powers of ten
    double *x, *y[2];
    int count;
} Curves;

static double shown(const Curves *c, int series, int i) {
    const double value = c->y[series][i];
    return !c->power ? value : value > 0 ? log10(value) : NAN;
}

static void draw_curves(Report *report, const Curves *c) {
    Span range = {NAN, NAN};
    double *y = memory_alloc((size_t)c->count, sizeof *y), next = 0;
    const double last = fmax(1, c->x[c->count - 1]);
    Chart chart;
    for (int k = 0; k < 2 * c->count; k++) span_add(&range, shown(c, k % 2, k / 2));
    page_figure(report, c->id, c->title);
    chart_begin(&chart, report->html, c->id, c->title, c->desc, WIDTH, HEIGHT, LEFT + 10, BOTTOM);
    chart_axis_x(&chart, 0, last, last > 8 ? 8 : (int)last, "iteration"); // whole numbers
    chart_axis_y(&chart, range.low, range.high, c->power ? 8 : 6, c->power, c->axis);
    for (int series = 0; series < 2; series++) {
        for (int i = 0; i < c->count; i++) y[i] = shown(c, series, i);
        chart_line(&chart, 1 + series, c->x, y, c->count);
        for (int i = 0; i < c->count && c->count <= 40; i++) {
            char tip[120];
            snprintf(tip, sizeof tip,
                     c->power ? "iteration %.0f: %s %.2e" : "iteration %.0f: %s %.7f", c->x[i],
                     c->dot[series], c->y[series][i]);
            chart_dot_y(&chart, 1 + series, c->x[i], y[i], NAN, NAN, tip);
        }
        if (isfinite(y[c->count - 1])) {
            next = chart_legend(&chart, next, 1 + series, true, c->name[series]);
        }
    }
    chart_end(&chart);
    free(y);
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
                                "Files that `paotai tune --out FILE` writes do.");
        return;
    }
    size_t length;
    const char *kind = fit_record_option(record, "loss", &length);
    double *memory = memory_alloc(3 * count, sizeof *memory);
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
    free(memory);
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
        const double half = QUANTILE_95 * bin->observed.error;
        char what[120], tip[TIP_SIZE];
        snprintf(what, sizeof what, "%llu positions, predicted %.3f, observed",
                 (unsigned long long)bin->rows, bin->predicted);
        page_tip(tip, what, bin->observed.value, half, 3);
        chart_dot_y(chart, series, bin->predicted, bin->observed.value, bin->observed.value - half,
                    bin->observed.value + half, tip);
    }
}

// Bins whose observation lies off the prediction by more than the 95 % error; *seen is of how many.
static int bins_apart(const CalibrationBin *bins, int *seen) {
    int apart = 0;
    *seen = 0;
    for (int i = 0; i < CALIBRATION_BINS; i++) {
        if (bins[i].rows == 0 || !(bins[i].observed.error > 0)) continue; // a game or two
        ++*seen;
        apart +=
            fabs(bins[i].observed.value - bins[i].predicted) > QUANTILE_95 * bins[i].observed.error;
    }
    return apart;
}

static void calibration_numbers(Report *report, const char *summary, const CalibrationBin *bins) {
    page_table(report, summary, "predicted from|to|mean|observed|\xc2\xb1 95 %|positions");
    for (int i = 0; i < CALIBRATION_BINS; i++) {
        const CalibrationBin *bin = &bins[i];
        page_row(report, "%.1f|%.1f|%.4f|%.4f|%.4f|%llu", i / 10.0, (i + 1) / 10.0, bin->predicted,
                 bin->observed.value, QUANTILE_95 * bin->observed.error,
                 (unsigned long long)bin->rows);
    }
    page_table_end(report);
}

void report_calibration(Report *report) {
    page_figure(report, "calibration", "Calibration");
    if (!report->measured) {
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
    chart_begin(&chart, report->html, "calibration", "Calibration", desc, WIDTH, HEIGHT, LEFT,
                BOTTOM);
    chart_axis_x(&chart, 0, 1, 5, "predicted result (0: Black wins, 1: Red wins)");
    chart_axis_y(&chart, 0, 1, 5, false, "observed, mean");
    draw_counts(report, &chart);
    text_add(chart.svg, "<line class='ideal' x1='%.1f' y1='%.1f' x2='%.1f' y2='%.1f'/>\n",
             chart_x(&chart, 0), chart_y(&chart, 0), chart_x(&chart, 1), chart_y(&chart, 1));
    if (blended) draw_observed(&chart, 2, report->target_bins);
    draw_observed(&chart, 1, report->bins);
    const double next = chart_legend(&chart, 0, 1, false, "results of games");
    if (blended) chart_legend(&chart, next, 2, false, "what was fitted");
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

static void bin_rows(Report *report, const char *const *names, const ResidualBin *bins, int count) {
    for (int i = 0; i < count; i++) {
        page_row(report, "%s|%+.4f|%.4f|%llu", names[i], bins[i].residual.value,
                 QUANTILE_95 * bins[i].residual.error, (unsigned long long)bins[i].rows);
    }
}

static void draw_bins(Chart *chart, int series, const char *const *names, const ResidualBin *bins,
                      int count, double shift) {
    for (int i = 0; i < count; i++) {
        const Estimate e = bins[i].residual;
        const double half = QUANTILE_95 * e.error;
        char what[120], tip[TIP_SIZE];
        snprintf(what, sizeof what, "%s, %llu positions", names[i],
                 (unsigned long long)bins[i].rows);
        page_tip(tip, what, e.value, half, 4);
        chart_dot_y(chart, series, i + 0.5 + shift, e.value, e.value - half, e.value + half, tip);
    }
}

static const char *const residual_axis = "observed \xe2\x88\x92 predicted result";

static void begin_residuals(Report *report, Chart *chart, const char *id, const char *title,
                            const char *desc, const ResidualBin *bins, int count) {
    Span y = {-0.01, 0.01};
    for (int i = 0; i < count; i++) span_add_estimate(&y, bins[i].residual);
    page_figure(report, id, title);
    chart_begin(chart, report->html, id, title, desc, WIDE, HEIGHT, LEFT, BOTTOM);
    // A bin of a few games must not hide the others.
    chart_axis_y(chart, fmax(y.low, -0.25), fmin(y.high, 0.25), 6, false, residual_axis);
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
    const double next = chart_legend(&chart, 0, 1, false, "Red's view");
    chart_legend(&chart, next, 2, false, "view of the side ahead");
    chart_end(&chart);
    page_table(report, "The numbers: Red's view", "phase|residual|\xc2\xb1 95 %|positions");
    bin_rows(report, names, r->phase_red, RESIDUAL_PHASES);
    page_table_end(report);
    page_table(report, "The numbers: view of the side ahead",
               "phase|residual|\xc2\xb1 95 %|positions");
    bin_rows(report, names, r->phase_leader, RESIDUAL_PHASES);
    page_table_end(report);
    page_figure_end(report,
                    "Left is the endgame, right the full board. Dots on the dashed line: the "
                    "predictions are right on average. Above it Red (round) scores more than "
                    "predicted, or the side that the evaluation has ahead (square) does: its leads "
                    "are worth more there than the weights say; below it, less.");
}

static void lead_residuals(Report *report) {
    const Residuals *r = &report->residuals;
    const char *names[RESIDUAL_LEADS];
    char memory[RESIDUAL_LEADS][32];
    for (int i = 0; i < RESIDUAL_LEADS; i++) {
        const bool last = i == RESIDUAL_LEADS - 1;
        snprintf(memory[i], sizeof memory[i], "%s%.0f",
                 i == 0 ? ""
                 : last ? "> "
                        : "\xe2\x89\xa4 ",
                 floor(last ? r->lead[i].low : r->lead[i].high));
        names[i] = memory[i];
    }
    Chart chart;
    begin_residuals(report, &chart, "residual-material", "Residuals by material",
                    "Observed minus predicted result by the lead in material, as the side ahead "
                    "sees it.",
                    r->lead, RESIDUAL_LEADS);
    chart_axis_x_names(&chart, names, RESIDUAL_LEADS,
                       "lead in material (points of the classic table)");
    draw_bins(&chart, 1, names, r->lead, RESIDUAL_LEADS, 0);
    chart_legend(&chart, 0, 1, false, "view of the side ahead, with 95 % bars");
    chart_end(&chart);
    page_table(report, "The numbers", "lead|residual|\xc2\xb1 95 %|positions");
    bin_rows(report, names, r->lead, RESIDUAL_LEADS);
    page_table_end(report);
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
    Chart chart;
    begin_residuals(report, &chart, "residual-kind", "Residuals by kind of piece",
                    "Observed minus predicted result of the side that has more pieces of a kind.",
                    bins, pieces.count);
    chart_axis_x_names(&chart, pieces.name, pieces.count,
                       "more pieces of this kind than the opponent");
    draw_bins(&chart, 1, pieces.name, bins, pieces.count, 0);
    chart_legend(&chart, 0, 1, false, "view of the side that has more, with 95 % bars");
    chart_end(&chart);
    page_table(report, "The numbers", "kind|residual|\xc2\xb1 95 %|positions");
    bin_rows(report, pieces.name, bins, pieces.count);
    page_table_end(report);
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

static double half_width(double error) {
    return QUANTILE_95 * error / UNITS_A_POINT;
}

static void draw_value(Chart *chart, int series, const char *piece, const char *phase, double y,
                       double value, double half) {
    char what[80], tip[TIP_SIZE];
    snprintf(what, sizeof what, "%s, %s", piece, phase);
    page_tip(tip, what, value, half, 2);
    chart_dot_x(chart, series, value, y, value - half, value + half, tip);
}

// The values of the fit's own file where it tells them, with their errors; else those measured.
static void draw_values(Report *report, const PieceValue *values, const PieceValue *errors) {
    Chart chart;
    Span x = {0, 9};
    const Pieces pieces = pieces_list();
    for (int i = 0; i < pieces.count; i++) {
        const PieceValue *v = &values[pieces.term[i]->group], *e = &errors[pieces.term[i]->group];
        span_add_estimate(&x,
                          (Estimate){v->middlegame / UNITS_A_POINT, e->middlegame / UNITS_A_POINT});
        span_add_estimate(&x, (Estimate){v->endgame / UNITS_A_POINT, e->endgame / UNITS_A_POINT});
        span_add(&x, v->middlegame / UNITS_A_POINT);
        span_add(&x, v->endgame / UNITS_A_POINT);
    }
    chart_begin(&chart, report->html, "values", "Piece values",
                "For each kind of piece its value in the middlegame and in the endgame with 95 % "
                "bars, beside the classic value; a chariot is 9 on average.",
                WIDTH, 400, 112, BOTTOM);
    chart_axis_x(&chart, x.low, x.high, 8, "points; the chariot's mean is 9");
    chart.y0 = pieces.count;
    chart.y1 = 0;
    for (int i = 0; i < pieces.count; i++) {
        const WeightGroup g = pieces.term[i]->group;
        const char *name = pieces.name[i];
        const double classic = pieces.term[i]->classic / UNITS_A_POINT;
        char tip[100];
        if (i) chart_rule_y(&chart, i, "grid");
        chart_text(&chart, chart.left - 8, chart_y(&chart, i + 0.5) + 4, "end", "tick", name);
        draw_value(&chart, 1, name, "middlegame", i + 0.28, values[g].middlegame / UNITS_A_POINT,
                   half_width(errors[g].middlegame));
        draw_value(&chart, 2, name, "endgame", i + 0.5, values[g].endgame / UNITS_A_POINT,
                   half_width(errors[g].endgame));
        snprintf(tip, sizeof tip, "%s, classic: %.1f", name, classic);
        chart_dot_x(&chart, 3, classic, i + 0.74, NAN, NAN, tip);
    }
    double next = chart_legend(&chart, 0, 1, false, "middlegame");
    next = chart_legend(&chart, next, 2, false, "endgame");
    chart_legend(&chart, next, 3, false, "classic");
    chart_end(&chart);
}

void report_values(Report *report) {
    const bool known = report->record.has_values;
    const PieceValue *values = known ? report->record.value : report->values;
    const PieceValue *errors = report->record.value_error;
    page_figure(report, "values", "Piece values");
    if (!known && !report->measured) {
        page_figure_end(report, "Not shown: a piece's value is what it counts on average in games. "
                                "Name a run with --data DIR.");
        return;
    }
    draw_values(report, values, errors);
    page_table(report, "The numbers",
               "piece|middlegame|\xc2\xb1 95 %|endgame|\xc2\xb1 95 %|mean|\xc2\xb1 95 "
               "%|classic|pieces seen");
    const Pieces pieces = pieces_list();
    for (int i = 0; i < pieces.count; i++) {
        const PieceValue *v = &values[pieces.term[i]->group], *e = &errors[pieces.term[i]->group];
        page_row(report, "%s|%.2f|%.2f|%.2f|%.2f|%.2f|%.2f|%.1f|%.0f", pieces.name[i],
                 v->middlegame / UNITS_A_POINT, half_width(e->middlegame),
                 v->endgame / UNITS_A_POINT, half_width(e->endgame), v->mean / UNITS_A_POINT,
                 half_width(e->mean), pieces.term[i]->classic / UNITS_A_POINT, v->pieces);
    }
    page_table_end(report);
    page_figure_end(report,
                    known ? "What a piece of each kind counts on average in the fitted games: its "
                            "material, the point it stands on and its mobility together. The bars "
                            "hold the value that endless games of this kind would give in 19 of 20 "
                            "fits; the scale itself is part of the error, only the chariot's mean "
                            "is 9 by definition. Values far from the diamonds are where the games "
                            "disagree with the books."
                          : "What a piece of each kind counts on average in the games measured: "
                            "its material, point and mobility together. There are no bars, since "
                            "this weight file does not tell the errors of its fit.");
}
