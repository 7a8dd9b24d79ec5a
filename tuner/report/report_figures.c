// SPDX-License-Identifier: GPL-3.0-or-later
// The charts of the report: calibration, residuals, piece values.
#include <math.h>

#include "tuner/report/report_internal.h"

// ---- calibration --------------------------------------------------------------------------------

static void draw_counts(const Report *report, Chart *chart) {
    uint64_t most = 1;
    for (int i = 0; i < CALIBRATION_BINS; i++) {
        if (report->bins[i].rows > most) most = report->bins[i].rows;
    }
    for (int i = 0; i < CALIBRATION_BINS; i++) {
        const double share = 0.16 * (double)report->bins[i].rows / (double)most;
        page_add(chart->svg,
                 "<rect class='count' x='%.1f' y='%.1f' width='%.1f' height='%.1f'><title>%llu "
                 "positions</title></rect>\n",
                 chart_x(chart, i / 10.0) + 1, chart_y(chart, share), chart->width / 10 - 2,
                 chart->height * share, (unsigned long long)report->bins[i].rows);
    }
}

static void draw_observed(Chart *chart, int series, const CalibrationBin *bins) {
    for (int i = 0; i < CALIBRATION_BINS; i++) {
        const CalibrationBin *bin = &bins[i];
        chart->hollow = bin->observed.games < REPORT_FEW_GAMES;
        chart_point(chart, series, bin->predicted, bin->observed.value,
                    chart->hollow ? NAN : Z95 * bin->observed.error, 3,
                    "%llu positions of %zu games, predicted %.3f, observed",
                    (unsigned long long)bin->rows, bin->observed.games, bin->predicted);
    }
    chart->hollow = false;
}

// Sets *seen to the number of bins with at least REPORT_FEW_GAMES games. Returns in how many of
// these bins the observation differs from the prediction by more than its 95 % error.
static int bins_apart(const CalibrationBin *bins, int *seen) {
    int apart = 0;
    *seen = 0;
    for (int i = 0; i < CALIBRATION_BINS; i++) {
        if (bins[i].observed.games < REPORT_FEW_GAMES) continue;
        ++*seen;
        apart += fabs(bins[i].observed.value - bins[i].predicted) > Z95 * bins[i].observed.error;
    }
    return apart;
}

void calibration_numbers(Report *report, const char *summary, const CalibrationBin *bins) {
    AUTO(Text) heads = {0};
    text_add(&heads, "predicted from|to|mean|observed|\xc2\xb1 95 %%|positions%s",
             page_position_head(report));
    page_table(report, summary, heads.data);
    for (int i = 0; i < CALIBRATION_BINS; i++) {
        const CalibrationBin *bin = &bins[i];
        page_row(report, "%.1f|%.1f|%.4f|%.4f|%.4f|%llu%s", i / 10.0, (i + 1) / 10.0,
                 bin->predicted, bin->observed.value, Z95 * bin->observed.error,
                 (unsigned long long)bin->rows,
                 page_position(report, bin->extremes.row[bin->observed.value > bin->predicted],
                               (char[POSITION_SIZE]){0}));
    }
    page_table_end(report);
}

void calibration_chart(Report *report, const char *desc, const char *name,
                       const CalibrationBin *second, const char *second_name) {
    Chart chart;
    page_figure(report, "calibration", "Calibration");
    chart_begin(&chart, report->html, "calibration", "Calibration", desc, CHART_WIDTH, CHART_HEIGHT,
                CHART_LEFT, CHART_BOTTOM);
    chart_axis_x(&chart, 0, 1, 5, "predicted result (0: Black wins, 1: Red wins)");
    chart_axis_y(&chart, 0, 1, 5, "observed, mean");
    draw_counts(report, &chart);
    page_add(chart.svg, "<line class='ideal' x1='%.1f' y1='%.1f' x2='%.1f' y2='%.1f'/>\n",
             chart_x(&chart, 0), chart_y(&chart, 0), chart_x(&chart, 1), chart_y(&chart, 1));
    if (second) draw_observed(&chart, 2, second);
    draw_observed(&chart, 1, report->bins);
    chart_legend(&chart, 1, false, name);
    if (second) chart_legend(&chart, 2, false, second_name);
    chart_end(&chart);
}

void report_calibration(Report *report) {
    if (!report->measured) {
        page_not_shown(report, "calibration", "Calibration",
                       "it needs games; name a run with --data DIR.");
        return;
    }
    int seen;
    const int apart = bins_apart(report->bins, &seen);
    const bool blended = report->loss.lambda < 1;
    char desc[200], caption[900];
    snprintf(desc, sizeof desc,
             "Observed against predicted result in ten bins: in %d of %d bins the 95 %% interval "
             "does not "
             "contain the diagonal.",
             apart, seen);
    calibration_chart(report, desc, "results of games", blended ? report->target_bins : NULL,
                      "targets of the fit");
    calibration_numbers(report, "Numbers: results of games", report->bins);
    if (blended) calibration_numbers(report, "Numbers: targets of the fit", report->target_bins);
    snprintf(
        caption, sizeof caption,
        "Positions are sorted by the result that the weights predict for Red; grey columns "
        "show their number. On the dashed line, predictions equal results. A flatter row of "
        "dots means that the predictions are too extreme, a steeper one that they are too "
        "cautious. %d of %d bins of results differ from the line by more than their 95 %% bar; "
        "by chance one in twenty would. The bars treat games as the independent units. Hollow "
        "points rest on fewer than %d games and have no bar.%s",
        apart, seen, REPORT_FEW_GAMES,
        blended ? " The target of the fit is a blend of result and search score (square). "
                  "Where round dots leave the line and square dots do not, search "
                  "scores and results disagree."
                : "");
    page_figure_end(report, caption);
}

// ---- residuals ----------------------------------------------------------------------------------

// Appends a list of residuals, one line for each bin. `second` has the residuals of the same bins
// from another point of view, such as that of the side that the evaluation prefers. If `second` is
// NULL, the list shows only `first`. The caller has set the names of the lines, rows[i].name.
static void residual_list(Report *report, PageList *list, ListRow *rows, const ResidualBin *first,
                          const ResidualBin *second) {
    const ResidualBin *const bins[] = {first, second};
    for (int i = 0; i < list->count; i++) {
        snprintf(rows[i].more, sizeof rows[i].more, "%llu", (unsigned long long)first[i].rows);
        rows[i].row = first[i].extremes.row[first[i].residual.value > 0];
        for (int s = 0; s < (second ? 2 : 1); s++) {
            rows[i].value[s] = bins[s][i].residual.value;
            rows[i].half[s] = Z95 * bins[s][i].residual.error;
            rows[i].few[s] = bins[s][i].residual.games < REPORT_FEW_GAMES;
        }
    }
    list->rows = rows;
    list->axis = "observed \xe2\x88\x92 predicted result";
    list->more = "positions";
    // largest value on the axis, so that a bin with few games does not compress the other bins
    list->limit = 0.25;
    list->decimals = 4;
    page_list(report, list);
}

static void phase_residuals(Report *report) {
    const Residuals *r = &report->residuals;
    ListRow rows[RESIDUAL_PHASES] = {0};
    for (int i = 0; i < RESIDUAL_PHASES; i++) {
        snprintf(rows[i].name, sizeof rows->name, "%.0f\xe2\x80\x93%.0f %%",
                 100 * r->phase_red[i].low, 100 * r->phase_red[i].high);
    }
    residual_list(
        report,
        &(PageList){.id = "residual-phase",
                    .heading = "Residuals by phase",
                    .caption = "The phase is 100 % with all pieces on the board and falls to 0 % "
                               "as they are exchanged. On the dashed line the "
                               "predictions are right on average. To its right, Red (round) or "
                               "the side that the evaluation prefers (square) scores more than "
                               "predicted. For the square this means that leads are worth more "
                               "there than the weights say; to the left, less.",
                    .what = "phase",
                    .series = {"result of Red", "result of the side ahead"},
                    .count = RESIDUAL_PHASES},
        rows, r->phase_red, r->phase_leader);
}

static void lead_residuals(Report *report) {
    const ResidualBin *lead = report->residuals.lead;
    ListRow rows[RESIDUAL_LEADS] = {0};
    for (int i = 0; i < RESIDUAL_LEADS; i++) {
        const bool last = i == RESIDUAL_LEADS - 1;
        snprintf(rows[i].name, sizeof rows->name, "%s%.0f",
                 i == 0 ? ""
                 : last ? "> "
                        : "\xe2\x89\xa4 ",
                 floor(last ? lead[i].low : lead[i].high));
    }
    residual_list(report,
                  &(PageList){.id = "residual-material",
                              .heading = "Residuals by material",
                              .caption =
                                  "The lead is counted in points of the classic table. To the "
                                  "right of the dashed line such leads score more than "
                                  "predicted, to the left less. \xe2\x89\xa4 2 means leads "
                                  "above 1 and up to 2. Even material (0) shows the result of "
                                  "Red.",
                              .what = "lead",
                              .series = {"result of the side ahead"},
                              .count = RESIDUAL_LEADS},
                  rows, lead, NULL);
}

// Appends the residuals by kind of piece, in the order of weights.def.
static void kind_residuals(Report *report) {
    ListRow rows[GROUP_COUNT] = {0};
    ResidualBin bins[GROUP_COUNT];
    int count = 0;
    for (int t = 0; t < WEIGHT_TERM_COUNT; t++) {
        const WeightGroup group = weight_terms[t].group;
        if (weight_terms[t].part != TERM_MATERIAL) continue;
        snprintf(rows[count].name, sizeof rows->name, "%s", weight_group_name(group));
        bins[count++] = report->residuals.kind[group];
    }
    residual_list(report,
                  &(PageList){.id = "residual-kind",
                              .heading = "Residuals by kind of piece",
                              .caption = "All positions in which one side has more pieces of a "
                                         "kind than the opponent. To the right of the dashed line "
                                         "the side with more pieces scores better than predicted, "
                                         "so the weights undervalue this kind; to the left they "
                                         "overvalue it.",
                              .what = "kind",
                              .series = {"result of the side with more pieces"},
                              .count = count},
                  rows, bins, NULL);
}

void report_residuals(Report *report) {
    if (!report->measured) {
        page_not_shown(report, "residual-phase", "Residuals by phase and by material",
                       "they need games; name a run with --data DIR.");
        return;
    }
    // With this order of the pictures, both columns of the page have about equal heights.
    lead_residuals(report);
    kind_residuals(report);
    phase_residuals(report);
}

// ---- piece values -------------------------------------------------------------------------------

// Shows the piece values that the weight file contains, with their errors. If it contains none,
// shows the values measured on the games.
void report_values(Report *report) {
    const bool known = report->record.has_pieces;
    const PieceTable *table = known ? &report->record.pieces : &report->pieces;
    if (!known && !report->measured) {
        page_not_shown(report, "values", "Piece values",
                       "a piece value is what the evaluation loses without the piece, on average "
                       "in games; name a run with --data DIR.");
        return;
    }
    ListRow rows[PIECE_LINES] = {0};
    for (int i = 0; i < PIECE_LINES; i++) {
        const double *value = table->value[i], *se = table->se[i];
        ListRow *row = &rows[i];
        piece_line_name(i, row->name);
        row->value[0] = value[STAGE_OPENING];
        row->half[0] = Z95 * se[STAGE_OPENING];
        row->value[1] = value[STAGE_ENDGAME];
        row->half[1] = Z95 * se[STAGE_ENDGAME];
        row->value[2] = piece_line_books(i);
        row->half[2] = NAN;
        snprintf(row->more, sizeof row->more, "%.2f|%.2f|%.2f|%.2f|%.0f", value[STAGE_MIDDLEGAME],
                 Z95 * se[STAGE_MIDDLEGAME], value[STAGE_ALL], Z95 * se[STAGE_ALL],
                 table->positions[i]);
    }
    const char *contain = known ? report->record.contain : ERRORS_OF_POSITIONS;
    char caption[1200];
    snprintf(caption, sizeof caption,
             "A value is what the evaluation loses when one such piece is removed, on average over "
             "the positions that have one. In each stage of the game a chariot is worth 9. The "
             "pieces that are left determine the stage: opening, middlegame (in the table only) or "
             "endgame. The bars are 95 %% intervals; their standard errors contain: %s. The table "
             "also has "
             "pieces by "
             "their number: in \"1st\" the side has one piece of the kind, in \"2nd\" two, and "
             "advisors and elephants have a row for each number of enemy chariots.",
             *contain ? contain : "unknown");
    page_list(report,
              &(PageList){.id = "values",
                          .heading = "Piece values",
                          .caption = caption,
                          .axis = "points; a chariot of the same stage is 9",
                          .what = "piece",
                          .series = {"opening", "endgame", "classic table"},
                          .more = "middlegame|\xc2\xb1 95 %|all stages|\xc2\xb1 95 %|positions",
                          .rows = rows,
                          .count = PIECE_LINES,
                          .drawn = PIECE_KINDS,
                          .decimals = 2});
}
