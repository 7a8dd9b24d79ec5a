// SPDX-License-Identifier: GPL-3.0-or-later
// The sections with the weights: tables as boards, mobility and other terms with several entries as
// curves or lists.
#include <math.h>
#include <string.h>

#include "core/board/types.h"
#include "core/eval/eval.h"
#include "tuner/report/report_internal.h"
#include "tuner/report/weight_show.h"

enum { ENTRY_NAME = 48 };

// ---- tables -------------------------------------------------------------------------------------

static void table_numbers(Report *report, const WeightTerm *term) {
    const FitRecord *record = &report->record;
    // Some weight files contain the standard errors of the weights, but not the share of each
    // weight that was determined by the games and not by the prior.
    const bool decided = record->has_errors && !isnan(record->decided[2 * term->first]);
    AUTO(Text) heads = {0};
    text_add(&heads, "points%s", page_position_head(report));
    for (int phase = 0; phase < 2; phase++) {
        text_add(&heads, "|%s%s%s", phase ? "endgame" : "middlegame",
                 record->has_errors ? "|\xc2\xb1 95 %" : "", decided ? "|determined by games" : "");
    }
    page_table(report, "Numbers", heads.data);
    for (int entry = 0; entry < term->count; entry++) {
        const int pair = term->first + entry;
        AUTO(Text) line = {0};
        weight_show_entry(term, entry, &line);
        text_add(&line, "%s", page_position(report, report->seen[pair], (char[POSITION_SIZE]){0}));
        for (int weight = 2 * pair; weight <= 2 * pair + 1; weight++) {
            text_add(&line, "|%.0f", report->flat[weight]);
            if (!record->has_errors) continue;
            text_add(&line, "|%.0f", Z95 * record->error[weight]);
            if (!decided) continue;
            text_add(&line, record->decided[weight] >= 0 ? "|%.0f %%" : "|",
                     100 * record->decided[weight]);
        }
        page_row(report, "%s", line.data);
    }
    page_table_end(report);
}

static void one_table(Report *report, const WeightTerm *term, int limit) {
    const FitRecord *record = &report->record;
    char id[80];
    snprintf(id, sizeof id, "board-%s", term->name);
    page_term_figure(report, id, "Value by square: ", term);
    page_add(report->html, "<div class='boards'>\n");
    for (int phase = 0; phase < 2; phase++) {
        const TermBoard board = {.weights = report->source->weights,
                                 .term = term,
                                 .endgame = phase != 0,
                                 .limit = limit,
                                 .error = record->has_errors ? record->error : NULL,
                                 .decided = record->has_errors ? record->decided : NULL};
        snprintf(id, sizeof id, "svg-%s-%s", term->name, phase ? "eg" : "mg");
        page_add(report->html, "<div><h4>%s</h4>\n", phase ? "Endgame" : "Middlegame");
        term_board_figure(&board, id, report->html);
        page_add(report->html, "</div>\n");
    }
    page_add(report->html, "</div>\n");
    table_numbers(report, term);
    page_figure_end(report, "Red is at the bottom. Each point shows what it adds to the average "
                            "value of the piece, in units.");
}

void report_boards(Report *report) {
    int limit = 1;
    for (int t = 0; t < WEIGHT_TERM_COUNT; t++) {
        if (weight_terms[t].shape == SHAPE_NONE) continue;
        const int most = term_board_limit(report->source->weights, &weight_terms[t]);
        if (most > limit) limit = most;
    }
    page_add(report->html, "<div class='key'>\n");
    page_paragraph(
        report, "%s",
        report->record.has_errors
            ? "Red points are better than the piece's average, blue points worse; all "
              "boards have one scale. A board shows the files a to e; the other half mirrors them. "
              "The smaller number is half of the 95 % interval. "
              "A faint, dashed point has the word \"prior\" instead: the games determined less "
              "than a tenth of its value, the prior (regularisation) the rest."
            : "Red points are better than the piece's average, blue points worse; all "
              "boards have one scale. A board shows the files a to e; the other half mirrors "
              "them. This file does not contain the standard errors of its fit.");
    term_board_legend(limit, report->html);
    page_add(report->html, "</div>\n");
    int order[WEIGHT_TERM_COUNT];
    report_order(report, order);
    for (int k = 0; k < WEIGHT_TERM_COUNT; k++) {
        const WeightTerm *term = &weight_terms[order[k]];
        if (term->shape != SHAPE_NONE) one_table(report, term, limit);
    }
}

// ---- terms with several entries -----------------------------------------------------------------

static const char units[] = "units (100: a classic soldier)";
static const char *const phase_names[] = {"middlegame", "endgame"};

// Draws a term whose entries stand for consecutive numbers, such as numbers of moves, as one curve
// for each phase. Returns true if the prior, not the games, determined one of the weights.
static bool entry_curves(Report *report, const WeightTerm *term, const char *id) {
    const WeightAxis *axis = weight_axis_of(term);
    const double *error = report->record.error + 2 * term->first;
    const double *flat = report->flat + 2 * term->first;
    const int steps = term->count - 1;
    double at[WEIGHT_COUNT], value[WEIGHT_COUNT];
    Span range = {0, 0};
    Chart chart;
    bool prior = false;
    for (int k = 0; k < 2 * term->count; k++) span_add(&range, flat[k], Z95 * error[k]);
    page_term_figure(report, id, "", term);
    chart_begin(&chart, report->html, id, term->name, term->meaning, CHART_WIDTH, CHART_HEIGHT,
                CHART_LEFT, CHART_BOTTOM);
    chart_axis_x(&chart, axis->first, axis->first + steps, steps > 9 ? 10 : steps, axis->what);
    chart_axis_y(&chart, range.low, range.high, 6, units);
    chart_rule_y(&chart, 0, "ideal");
    for (int phase = 0; phase < 2; phase++) {
        for (int i = 0; i < term->count; i++) {
            at[i] = axis->first + i;
            value[i] = flat[2 * i + phase];
        }
        chart_line(&chart, 1 + phase, at, value, term->count);
        for (int i = 0; i < term->count; i++) {
            char name[ENTRY_NAME];
            weight_entry_name(term, i, name, sizeof name);
            chart.hollow = report_is_prior(report, 2 * (term->first + i) + phase);
            prior = prior || chart.hollow;
            chart_point(&chart, 1 + phase, at[i], value[i], Z95 * error[2 * i + phase], 0, "%s, %s",
                        name, phase_names[phase]);
        }
        chart.hollow = false;
        chart_legend(&chart, 1 + phase, true, phase_names[phase]);
    }
    chart_end(&chart);
    table_numbers(report, term);
    return prior;
}

// Draws a term whose entries have no order, such as kinds of pieces, as a list.
static void entry_list(Report *report, const WeightTerm *term, const char *id,
                       const char *caption) {
    ListRow rows[WEIGHT_COUNT] = {0};
    for (int i = 0; i < term->count; i++) {
        weight_entry_name(term, i, rows[i].name, sizeof rows[i].name);
        page_list_entry(report, term->first + i, &rows[i]);
    }
    page_list(report, &(PageList){.id = id,
                                  .heading = term->name,
                                  .term = term,
                                  .caption = caption,
                                  .axis = units,
                                  .what = "kind",
                                  .series = {phase_names[0], phase_names[1]},
                                  .more = DECIDED_HEADS,
                                  .rows = rows,
                                  .count = term->count});
}

static void one_count(Report *report, const WeightTerm *term) {
    char id[80], caption[600];
    snprintf(id, sizeof id, "count-%s", term->name);
    snprintf(caption, sizeof caption,
             "%s.%s Bars are 95 %% intervals. Entries that hardly occur stay near their "
             "neighbours, because the prior keeps them there.",
             term->part == TERM_ENTRY ? "Addition to a piece's average" : "Value of each entry",
             strncmp(term->name, "mobility_", 9) == 0
                 ? " A rising line means that mobility is worth something."
                 : "");
    if (!weight_axis_of(term)->what) {
        entry_list(report, term, id, caption);
        return;
    }
    const size_t length = strlen(caption);
    if (entry_curves(report, term, id)) {
        snprintf(caption + length, sizeof caption - length, "%s", PRIOR_CAPTION);
    }
    page_figure_end(report, caption);
}

void report_counts(Report *report) {
    int order[WEIGHT_TERM_COUNT];
    report_order(report, order);
    for (int k = 0; k < WEIGHT_TERM_COUNT; k++) {
        const WeightTerm *term = &weight_terms[order[k]];
        if (term->count > 1 && term->shape == SHAPE_NONE) one_count(report, term);
    }
}
