// SPDX-License-Identifier: GPL-3.0-or-later
// What the files of the report share.
#pragma once

#include "selfplay/pages/chart.h"
#include "selfplay/stats/stats.h"
#include "tuner/fit/measure.h"
#include "tuner/report/report.h"
#include "tuner/report/weight_board.h"

#define UNITS_A_POINT 100.0 // 900 units are a chariot of nine points

// Of a row: the game of the page of games, and the ply.
typedef struct Place {
    uint64_t game;
    int ply; // -1: not known
} Place;

// Everything that is shown.
typedef struct Report {
    Text *html;
    const ReportSource *source;
    FitRecord record;
    double flat[2 * WEIGHT_COUNT];
    bool measured; // what follows holds, measured on the rows
    const char *part;
    FitPart fit_part; // that these games are; PART_COUNT: no fit that is known split them
    uint64_t games, positions;
    LossSetup loss;
    Estimate mean, against_classic;               // loss, and its difference to the classic table's
    CalibrationBin bins[CALIBRATION_BINS];        // of the games' results
    CalibrationBin target_bins[CALIBRATION_BINS]; // of what the loss aims at
    Residuals residuals;
    Place *places;               // [rows], where there is a page of games; else NULL
    uint64_t seen[WEIGHT_COUNT]; // the first row of each pair, counted from 1; 0: none
    PieceTable pieces;
    float *surplus; // [rows], with a network (report_surplus.c); else NULL
} Report;

// ---- pieces of a page ---------------------------------------------------------------------------

enum { CHART_WIDTH = 480, CHART_HEIGHT = 340, CHART_LEFT = 84, CHART_BOTTOM = 54 };
// <figure> with a heading, and its end with a caption (plain text) behind whatever stands between.
void page_figure(Report *report, const char *id, const char *heading);
void page_figure_end(Report *report, const char *caption);
// A figure that has a reason instead of its picture.
void page_not_shown(Report *report, const char *id, const char *heading, const char *why);
// A figure with a heading that begins with a chart of this name.
void page_chart(Report *report, Chart *chart, const char *id, const char *title, const char *desc,
                double width, double height, double left);
// A folded table of the numbers of a picture: heads and cells are separated by '|'.
void page_table(Report *report, const char *summary, const char *heads);
void page_row(Report *report, const char *format, ...) PRINTF_LIKE(2, 3);
void page_table_end(Report *report);
// A column: a link to the position of a row, counted from 1 (0: none); "" without a page of
// games. Its head.
enum { POSITION_SIZE = 48 };
const char *page_position(const Report *report, uint64_t row, char text[POSITION_SIZE]);
const char *page_position_head(const Report *report);
void page_paragraph(Report *report, const char *format, ...) PRINTF_LIKE(2, 3);

// A list of values with 95 % bars, and its table.
typedef struct ListRow {
    char name[100], more[200];
    uint64_t row; // a position that shows it, counted from 1; 0: none
    double value[3], half[3];
} ListRow;
typedef struct PageList {
    const char *id, *heading, *caption;
    const char *axis, *what, *more; // the values; heads of the first and the last columns, or NULL
    const char *series[3];          // NULL behind the last; the third has no errors
    const ListRow *rows;
    int count, decimals;
    int drawn;    // rows of the picture; 0: all
    double limit; // of what the picture shows, both signs; 0: all
} PageList;
void page_list(Report *report, const PageList *list);
// Fills all but the name: middlegame and endgame of a pair; `more`: the shares that games decided.
void page_list_entry(const Report *report, int pair, ListRow *row);
// Some weights, 2 * index + phase, as a list: the first by their errors (or by how many errors each
// value is). Changes their order.
typedef struct WeightRow {
    int weight;
    double value, error; // NAN: not known
    char more[40];
} WeightRow;
void page_weights(Report *report, PageList *list, WeightRow *weights, int count, bool by_errors);
// A weight in words: "a horse on c4 g4", "mobility chariot, 7".
void page_weight_name(int pair, Text *text);

// The picture of report->bins, with a second row of dots unless `second` is NULL, and its numbers.
void calibration_chart(Report *report, const char *desc, const char *name,
                       const CalibrationBin *second, const char *second_name);
void calibration_numbers(Report *report, const char *summary, const CalibrationBin *bins);

// ---- the whole ----------------------------------------------------------------------------------

// A report of a source, its weights measured on its rows, and its end.
Status report_begin(Report *report, const ReportSource *source, Text *html, Err *err);
void report_clear(Report *report);
AUTO_VALUE(Report, report_clear)
// Fits the slopes of a loss to all games, so that a few that are measured do not choose them.
Status report_fit_slopes(const ReportSource *source, LossSetup *loss, const double *weights,
                         Err *err);
// Finds the places and the first rows of terms.
Status report_find_places(Report *report, Err *err);
// The verdict of its match, if any; a number in large figures: the format gives "value|remark".
void report_verdict(Report *report);
void report_card(Report *report, const char *name, const char *format, ...) PRINTF_LIKE(3, 4);

// ---- sections -----------------------------------------------------------------------------------

void report_calibration(Report *report);
void report_residuals(Report *report);
// Where the source's network predicts better than its weights.
Status report_measure_surplus(Report *report, Err *err);
void report_surplus(Report *report);
void report_values(Report *report);
void report_boards(Report *report);
void report_counts(Report *report); // terms of several entries that are no tables
void report_singles(Report *report);
void report_worth(Report *report); // of terms, by 'paotai ablate'
void report_certainty(Report *report);
