// SPDX-License-Identifier: GPL-3.0-or-later
// Declarations that the files of the report share.
#pragma once

#include "selfplay/pages/chart.h"
#include "selfplay/stats/stats.h"
#include "tuner/fit/measure.h"
#include "tuner/report/report.h"
#include "tuner/report/weight_board.h"

// in the classic table of piece values a chariot has 900 units, which are 9 points
#define UNITS_A_POINT 100.0

// The place of a position: the number of its game on the page of games, and its ply.
typedef struct Place {
    uint64_t game;
    int ply; // -1: unknown
} Place;

// The change of a term by the fit.
typedef struct TermChange {
    bool is_new; // true if the start weights did not contain the term
    bool most;   // true if the term is not new, but among the terms that changed most (at most 5)
    // index of the weight of this term whose change is largest in units of its standard error,
    // except weights that the prior determined; -1: no such change has a known error
    int weight;
    double size; // change of this weight, in units of its standard error
} TermChange;

// The standard error of a bin with fewer games than this is not reliable: its point is hollow and
// has no error bar.
enum { REPORT_FEW_GAMES = 10 };

// All data of a report.
typedef struct Report {
    Html *html;
    const ReportSource *source;
    FitRecord record;
    double flat[2 * WEIGHT_COUNT];
    // true if there were games to measure; if false, the members below, up to `pieces`, are not set
    bool measured;
    const char *part; // name of the measured games, such as "test games" or "all games"
    // The measured games: the test, validation or training games of the fit. PART_COUNT: all games,
    // because ReportSource.unseen is set or the fit's division of the games is unknown.
    FitPart fit_part;
    uint64_t games, positions;
    LossSetup loss;
    Estimate mean, against_classic; // mean loss; mean loss minus that of the classic piece values
    CalibrationBin bins[CALIBRATION_BINS];        // calibration against the results of the games
    CalibrationBin target_bins[CALIBRATION_BINS]; // calibration against the targets of the fit
    Residuals residuals;
    Place *places; // game and ply of each position; NULL: the report has no page of games
    // For each entry of a term: number, counted from 1, of the first position in which the entry
    // occurs and whose game and ply are known; 0: no such position.
    uint64_t seen[WEIGHT_COUNT];
    PieceTable pieces;
    TermChange change[WEIGHT_TERM_COUNT]; // change of each term by the fit
    // [rows] loss of the weights minus loss of the network in each position; NAN: the position was
    // not measured. NULL: no network.
    float *surplus;
    Estimate surplus_mean;
    double surplus_k[2]; // slope K of the weights and of the network, each the best on its scores
    float *network_red;  // [rows] total score of the network from Red's view
} Report;

// ---- pieces of a page ---------------------------------------------------------------------------

enum { CHART_WIDTH = 480, CHART_HEIGHT = 340, CHART_LEFT = 84, CHART_BOTTOM = 54 };
// page_figure() and page_term_figure() begin a <figure> with a heading; page_figure_end() ends it
// with a caption in plain text. The heading of page_term_figure() consists of `prefix` and of the
// meaning, the name and the mark (report_mark()) of the term.
void page_figure(Report *report, const char *id, const char *heading);
void page_term_figure(Report *report, const char *id, const char *prefix, const WeightTerm *term);
void page_figure_end(Report *report, const char *caption);
// Appends a <figure> with a heading and the caption "Not shown: WHY", without a picture.
void page_not_shown(Report *report, const char *id, const char *heading, const char *why);
// Append a folded table with the numbers of a picture. In `heads` and in the formatted row, '|'
// separates the cells.
void page_table(Report *report, const char *summary, const char *heads);
void page_row(Report *report, const char *format, ...) PRINTF_LIKE(2, 3);
void page_table_end(Report *report);
// page_position() returns a table cell for page_row(): '|' and a link from position number `row`,
// counted from 1, to its place on the page of games. The cell is empty if `row` is 0, or if game
// and ply of the position are unknown. page_position_head() returns the head of the column with
// these cells. If the report has no page of games, both functions return "", and the table has no
// such column.
enum { POSITION_SIZE = 48 };
const char *page_position(const Report *report, uint64_t row, char text[POSITION_SIZE]);
const char *page_position_head(const Report *report);
void page_paragraph(Report *report, const char *format, ...) PRINTF_LIKE(2, 3);
// Appends a sentence in large type.
void page_verdict(Report *report, const char *sentence);

// A row of a PageList.
typedef struct ListRow {
    char name[200];
    char more[200]; // cells of the table in the columns PageList.more, separated by '|'
    // term whose description is the label; NULL: the label is `name`
    const WeightTerm *term;
    uint64_t row;             // number of an example position, counted from 1; 0: no example
    double value[3], half[3]; // values of the series, and half widths of their 95 % intervals
    bool few[3];              // true if the value rests on fewer than REPORT_FEW_GAMES games
    // true if the prior determined the value (report_is_prior())
    bool prior[3];
} ListRow;
// A chart of values with bars for their 95 % intervals, and a table of its numbers.
typedef struct PageList {
    const char *id, *heading, *caption;
    // Title of the axis; headings of the first column and of the last columns of the table. `more`
    // may be NULL.
    const char *axis, *what, *more;
    // Names of the series of values, NULL after the last one. The third series has no error bars.
    const char *series[3];
    const WeightTerm *term; // term whose description is the heading; NULL: `heading`
    const ListRow *rows;
    int count, decimals;
    int drawn;        // number of rows in the picture; 0: all
    bool short_names; // true: the description of a term is cut after one line, not after two
    double limit;     // the axis shows no values beyond -limit and +limit; 0: it shows all values
    bool exact;       // true if the values are shown without error bars
} PageList;
void page_list(Report *report, const PageList *list);
// Sentence for the caption of a chart in which hollow points mark weights that the prior
// determined.
#define PRIOR_CAPTION " Hollow points: the prior, not the games, determined the value."
// Headings of the columns that page_list_entry() writes to `more`.
#define DECIDED_HEADS "middlegame determined by games|endgame determined by games"
// Calls weight_show_is_prior() with the weight file of the report.
bool report_is_prior(const Report *report, int weight);
// Fills the members row, value, half, prior and more of *row for the middlegame and endgame weight
// of entry `pair`. `more` says how much of each weight the games determined.
void page_list_entry(const Report *report, int pair, ListRow *row);
typedef struct WeightRow {
    // index of the weight: 2 * i for the middlegame and 2 * i + 1 for the endgame weight of entry i
    int weight;
    // The number to show (the weight, or its difference between two weight sets), and the standard
    // error of this number; NAN: unknown.
    double value, error;
    char more[40]; // like ListRow.more
} WeightRow;
// Appends a list of at most 14 weights: those with the largest ratio of value to standard error if
// `by_errors` is set, otherwise those with the largest standard error. Overwrites `weights`.
void page_weights(Report *report, PageList *list, WeightRow *weights, int count, bool by_errors);

// calibration_chart() begins a <figure> and draws the calibration chart of report->bins in it, with
// `second` as a second series unless it is NULL. calibration_numbers() appends a table with the
// numbers of the bins.
void calibration_chart(Report *report, const char *desc, const char *name,
                       const CalibrationBin *second, const char *second_name);
void calibration_numbers(Report *report, const char *summary, const CalibrationBin *bins);

// ---- the report ---------------------------------------------------------------------------------

// report_begin() starts a report and measures its weights on its rows; report_clear() frees it.
Status report_begin(Report *report, const ReportSource *source, Html *html, Err *err);
void report_clear(Report *report);
AUTO_VALUE(Report, report_clear)
// Fits the sigmoids of *loss that are unknown (loss_fit_slopes()). Uses all loaded games of the
// source, not only the measured ones.
Status report_fit_slopes(const ReportSource *source, LossSetup *loss, const double *weights,
                         Err *err);
// If the report links to a page of games, finds the game and ply of each position of the first run
// (report->places), and an example position for each entry of a term (report->seen). Leaves game
// and ply unknown for positions of variations.
Status report_find_places(Report *report, Err *err);
// Returns the words that follow the number of measured games: "games", "test games".
const char *part_noun(const Report *report);
// report_verdict() appends the verdict of the match, if one was played. report_card() appends a box
// with a large number and a remark; its formatted text must be "VALUE|REMARK".
void report_verdict(Report *report);
void report_card(Report *report, const char *name, const char *format, ...) PRINTF_LIKE(3, 4);

// ---- sections -----------------------------------------------------------------------------------

void report_calibration(Report *report);
void report_residuals(Report *report);
// report_measure_surplus() computes the loss of the weights minus the loss of the network in each
// measured position (report->surplus). report_surplus() shows in which positions the network is
// better.
Status report_measure_surplus(Report *report, Err *err);
void report_surplus(Report *report);
// Appends the sentence that says whether the network has a lower loss than the weights.
void surplus_verdict(Report *report);
// Shows the positions in which the network changes the prediction most, maps of its hidden units,
// and how the strength of networks grows with the number of training positions.
void report_network(Report *report);
// These functions append charts. report_values(): piece values. report_boards(): piece-square
// tables as boards. report_counts(): other terms with several entries. report_singles(): terms with
// one entry. report_worth(): the Elo or loss that groups of terms are worth (from the table of
// 'paotai ablate').
void report_values(Report *report);
void report_boards(Report *report);
void report_counts(Report *report);
void report_singles(Report *report);
void report_worth(Report *report);
// report_certainty() appends sentences about the units and the certainty of the weights.
// report_uncertain() appends a list of the weights with the largest errors, without material
// weights and weights that the prior determined.
void report_certainty(Report *report);
void report_uncertain(Report *report);
// report_find_changes() finds the terms that are new or whose weights the fit changed most.
// report_has_changes() returns true if there are such terms. report_changes() shows them.
void report_find_changes(Report *report);
bool report_has_changes(const Report *report);
void report_changes(Report *report);
// Returns the mark of a term: "new", "changed most" or "".
const char *report_mark(const Report *report, const WeightTerm *term);
// Fills order[] with the numbers of all terms: first the new terms, then the terms that changed
// most, then the other terms.
void report_order(const Report *report, int order[WEIGHT_TERM_COUNT]);
