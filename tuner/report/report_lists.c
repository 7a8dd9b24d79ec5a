// SPDX-License-Identifier: GPL-3.0-or-later
// Lists of weights with their 95 % bars: terms of one weight, the most and the least certain ones,
// and what terms were worth in 'paotai ablate'.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "tuner/report/report_internal.h"

// ---- a list -------------------------------------------------------------------------------------

void page_list(Report *report, const PageList *list) {
    enum { MARGIN = 12, LETTER = 7, ROW = 22 };
    AUTO(Text) heads = {0};
    AUTO_FREE const char **names = memory_alloc((size_t)list->count + 1, sizeof *names);
    int series = 0;
    while (series < 3 && list->series[series]) series++;
    size_t longest = 0;
    Span range = {0, 0};
    Chart chart;
    text_add(&heads, "%s", list->what);
    for (int s = 0; s < series; s++) {
        text_add(&heads, s < 2 ? "|%s|\xc2\xb1 95 %%" : "|%s", list->series[s]);
    }
    if (list->more) text_add(&heads, "|%s", list->more);
    for (int i = 0; i < list->count; i++) {
        const ListRow *row = &list->rows[i];
        names[i] = row->name;
        if (list->drawn && i >= list->drawn) continue;
        longest = strlen(row->name) > longest ? strlen(row->name) : longest;
        for (int s = 0; s < series; s++) span_add(&range, row->value[s], row->half[s]);
    }
    const int drawn = list->drawn > 0 ? list->drawn : list->count;
    const double left = (double)(MARGIN + LETTER * longest);
    page_chart(report, &chart, list->id, list->heading, list->caption, fmax(left + 260, 500),
               CHART_BOTTOM + 40 + (series > 1 ? 1.5 : 1.0) * ROW * drawn, left);
    const double limit = list->limit > 0 ? list->limit : INFINITY;
    chart_axis_x(&chart, fmax(range.low, -limit), fmin(range.high, limit), 4, list->axis);
    chart_rows(&chart, names, drawn);
    chart_rule_x(&chart, 0, "ideal");
    for (int i = 0; i < drawn; i++) {
        const ListRow *row = &list->rows[i];
        for (int s = 0; s < series; s++) {
            chart_point(&chart, s + 1, i + (s + 1.0) / (series + 1.0), row->value[s], row->half[s],
                        list->decimals, "%s, %s", row->name, list->series[s]);
        }
    }
    for (int s = 0; s < series; s++) chart_legend(&chart, s + 1, false, list->series[s]);
    chart_end(&chart);
    page_table(report, "The numbers", heads.data);
    for (int i = 0; i < list->count; i++) {
        const ListRow *row = &list->rows[i];
        AUTO(Text) line = {0};
        text_add(&line, "%s", row->name);
        for (int s = 0; s < series; s++) {
            text_add(&line, "|%.*f", list->decimals, row->value[s]);
            if (s < 2) text_add(&line, "|%.*f", list->decimals + !list->decimals, row->half[s]);
        }
        if (list->more) text_add(&line, "|%s", row->more);
        page_row(report, "%s", line.data);
    }
    page_table_end(report);
    page_figure_end(report, list->caption);
}

// ---- terms of one weight ------------------------------------------------------------------------

static void add_games(const FitRecord *record, int weight, Text *more) {
    if (record->decided[weight] >= 0) text_add(more, "%.0f %%", 100 * record->decided[weight]);
}

// Material stands on another scale.
static void single_terms(Report *report, bool material, PageList *list) {
    const FitRecord *record = &report->record;
    ListRow rows[WEIGHT_TERM_COUNT] = {0};
    list->rows = rows;
    for (int t = 0; t < WEIGHT_TERM_COUNT; t++) {
        const WeightTerm *term = &weight_terms[t];
        if (term->count > 1 || (term->part == TERM_MATERIAL) != material) continue;
        ListRow *row = &rows[list->count++];
        AUTO(Text) more = {0};
        snprintf(row->name, sizeof row->name, "%s", term->name);
        for (int phase = 0; phase < 2; phase++) {
            row->value[phase] = report->flat[2 * term->first + phase];
            row->half[phase] = Z95 * record->error[2 * term->first + phase];
            text_add(&more, phase ? "|" : "");
            add_games(record, 2 * term->first + phase, &more);
        }
        snprintf(row->more, sizeof row->more, "%s|%s", more.data, term->meaning);
    }
    page_list(report, list);
}

void report_singles(Report *report) {
    PageList list = {.id = "singles",
                     .heading = "Terms of one weight",
                     .caption = "What each adds for the side that has it, once for every time it "
                                "occurs. Where a bar crosses the dashed line, even the sign is "
                                "not certain.",
                     .axis = "value (units; 100: a classic soldier)",
                     .what = "term",
                     .series = {"middlegame", "endgame"},
                     .more = "games decided, mg|eg|meaning"};
    PageList material = list;
    single_terms(report, false, &list);
    material.id = "material";
    material.heading = "Material";
    material.caption =
        "The part of a piece's worth that does not depend on where it stands. Tables, "
        "mobility and guards add the rest: what a piece is worth stands above.";
    single_terms(report, true, &material);
}

// ---- certainty ----------------------------------------------------------------------------------

enum { LISTED = 14 };

// Indices sorted by error; the sorting is by insertion into a short list.
static int sort_by_error(const FitRecord *record, bool largest, int list[LISTED]) {
    int count = 0;
    for (int i = 0; i < 2 * WEIGHT_COUNT; i++) {
        // Material has a picture of its own, on another scale.
        if (weight_term_of(i / 2)->part == TERM_MATERIAL) continue;
        if (!(record->decided[i] >= 0.5) || !(record->error[i] > 0)) continue;
        int at = count < LISTED ? count++ : LISTED;
        for (; at > 0; at--) {
            const double a = record->error[i], b = record->error[list[at - 1]];
            if (largest ? a <= b : a >= b) break;
            if (at < LISTED) list[at] = list[at - 1];
        }
        if (at < LISTED) list[at] = i;
    }
    return count;
}

static void prior_paragraph(Report *report) {
    const FitRecord *record = &report->record;
    int games = 0, prior = 0;
    for (int i = 0; i < 2 * WEIGHT_COUNT; i++) {
        games += record->decided[i] >= 0.5;
        prior += record->decided[i] < BOARD_UNSURE;
    }
    page_paragraph(report,
                   "Of %d weights the games decided %d (at least half of each), %d were left to "
                   "the prior (games decided less than a tenth), and %d were shared between the "
                   "two. More games, or games of another kind, move weights from the prior to the "
                   "games.",
                   2 * WEIGHT_COUNT, games, prior, 2 * WEIGHT_COUNT - games - prior);
}

static void certainty(Report *report, bool largest, PageList *list) {
    const FitRecord *record = &report->record;
    int weights[LISTED];
    ListRow rows[LISTED] = {0};
    list->rows = rows;
    list->count = sort_by_error(record, largest, weights);
    list->axis = "value (units)";
    list->what = "weight";
    list->series[0] = "value, with 95 % bar";
    list->more = "games decided";
    for (int i = 0; i < list->count; i++) {
        AUTO(Text) name = {0}, more = {0};
        page_weight_name(weights[i] / 2, &name);
        add_games(record, weights[i], &more);
        snprintf(rows[i].name, sizeof rows[i].name, "%s (%s)", name.data,
                 weights[i] % 2 ? "eg" : "mg");
        snprintf(rows[i].more, sizeof rows[i].more, "%s", text_get(&more));
        rows[i].value[0] = report->flat[weights[i]];
        rows[i].half[0] = Z95 * record->error[weights[i]];
    }
    page_list(report, list);
}

void report_certainty(Report *report) {
    const FitRecord *record = &report->record;
    if (!record->has_errors) {
        page_figure(report, "certain", "The most and the least certain weights");
        page_figure_end(report, "Not shown: this weight file does not tell the errors of its fit. "
                                "Files that paotai tune --out writes do.");
        return;
    }
    prior_paragraph(report);
    certainty(report, false,
              &(PageList){.id = "certain",
                          .heading = "The most certain weights",
                          .caption = "The smallest intervals among the weights that the games "
                                     "decided, without material. mg: middlegame, eg: endgame. "
                                     "Points are named from the piece's own side."});
    certainty(report, true,
              &(PageList){.id = "uncertain",
                          .heading = "The least certain weights",
                          .caption = "The largest intervals among weights that the games decided: "
                                     "here more games would tell most. Where a bar crosses the "
                                     "dashed line, even the sign is not certain."});
}
