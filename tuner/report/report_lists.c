// SPDX-License-Identifier: GPL-3.0-or-later
// Lists of weights with 95 % bars: terms with one entry, the least certain weights, and what terms
// are worth (from 'paotai ablate').
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "tuner/report/report_internal.h"
#include "tuner/report/weight_show.h"

// ---- a list -------------------------------------------------------------------------------------

// Appends the label of a list row: row->name or, if the row shows a term, the meaning of the term,
// in at most `most` lines. Below the meaning of a term follow its name and, if it has only one
// entry, the word "new" or "changed most" (report_mark()).
static void add_label(const Report *report, const ListRow *row, int most, Text *text) {
    enum { WRAP = 24 };
    const char *name = row->term ? row->term->meaning : row->name;
    size_t line = 0;
    for (int lines = 1; *name;) {
        const size_t word = strcspn(name, " ");
        const bool wrapped = line > 0 && line + 1 + word > WRAP;
        if (wrapped && ++lines > most) {
            text_add(text, "\xe2\x80\xa6");
            break;
        }
        if (line > 0) text_add(text, wrapped ? "\n" : " ");
        line = line > 0 && !wrapped ? line + 1 + word : word;
        text_add_bytes(text, name, word);
        name += word + (name[word] == ' ');
    }
    if (!row->term) return;
    const char *mark = row->term->count == 1 ? report_mark(report, row->term) : "";
    text_add(text, "\n%s%s%s", row->term->name, *mark ? "\n" : "", mark);
}

// Appends the label of a row as one line.
static void add_row_name(const Report *report, const ListRow *row, Text *text) {
    if (!row->term) {
        text_add(text, "%s", row->name);
        return;
    }
    const char *mark = report_mark(report, row->term);
    text_add(text, "%s (%s)%s%s", row->term->meaning, row->term->name, *mark ? ", " : "", mark);
}

// Properties of a list that its chart, its table and its caption need.
typedef struct ListShape {
    int series;      // number of series
    int bars;        // only the first `bars` series have error bars
    int drawn;       // number of rows in the chart
    int lines;       // number of lines of the longest label
    bool few, prior; // true if a drawn row has a value that rests on few games, or on the prior
    Span range;      // range of the drawn values with their errors
} ListShape;

// Measures the rows to be drawn, and stores their labels.
static void measure_list(const Report *report, const PageList *list, Text *labels,
                         ListShape *shape) {
    *shape = (ListShape){.bars = list->exact ? 0 : 2,
                         .drawn = list->drawn > 0 ? list->drawn : list->count,
                         .lines = 1};
    while (shape->series < 3 && list->series[shape->series]) shape->series++;
    for (int i = 0; i < shape->drawn; i++) {
        const ListRow *row = &list->rows[i];
        int label_lines = 1;
        add_label(report, row, !row->term ? 3 : list->short_names ? 1 : 2, &labels[i]);
        for (const char *c = text_get(&labels[i]); *c; c++) label_lines += *c == '\n';
        shape->lines = label_lines > shape->lines ? label_lines : shape->lines;
        for (int s = 0; s < shape->series; s++) {
            span_add(&shape->range, row->value[s], row->few[s] ? NAN : row->half[s]);
            shape->few = shape->few || (row->few[s] && isfinite(row->value[s]));
            shape->prior = shape->prior || row->prior[s];
        }
    }
}

static void draw_list(Report *report, const PageList *list, const char *const *names,
                      const ListShape *shape) {
    enum { WIDTH = 500, ROW = 22 };
    Chart chart;
    const double row_height =
        fmax((shape->series > 1 ? 1.5 : 1.0) * ROW, CHART_ROW_LINE * shape->lines + 6);
    chart_begin(&chart, report->html, list->id, list->heading, list->caption, WIDTH,
                CHART_BOTTOM + 40 + row_height * shape->drawn,
                chart_rows_left(names, shape->drawn, WIDTH), CHART_BOTTOM);
    const double limit = list->limit > 0 ? list->limit : INFINITY;
    chart_axis_x(&chart, fmax(shape->range.low, -limit), fmin(shape->range.high, limit), 4,
                 list->axis);
    chart_rows(&chart, names, shape->drawn);
    chart_rule_x(&chart, 0, "ideal");
    for (int i = 0; i < shape->drawn; i++) {
        const ListRow *row = &list->rows[i];
        AUTO(Text) name = {0};
        add_row_name(report, row, &name);
        for (int s = 0; s < shape->series; s++) {
            chart.hollow = row->few[s] || row->prior[s];
            chart_point(&chart, s + 1, i + (s + 1.0) / (shape->series + 1.0), row->value[s],
                        row->few[s] || s >= shape->bars ? NAN : row->half[s], list->decimals,
                        "%s, %s", name.data, list->series[s]);
        }
        chart.hollow = false;
    }
    for (int s = 0; s < shape->series; s++) chart_legend(&chart, s + 1, false, list->series[s]);
    chart_end(&chart);
}

// Adds a table with all rows, also with those that are not drawn.
static void add_list_table(Report *report, const PageList *list, const ListShape *shape) {
    AUTO(Text) heads = {0};
    text_add(&heads, "%s%s", list->what, page_position_head(report));
    for (int s = 0; s < shape->series; s++) {
        text_add(&heads, s < shape->bars ? "|%s|\xc2\xb1 95 %%" : "|%s", list->series[s]);
    }
    if (list->more) text_add(&heads, "|%s", list->more);
    page_table(report, "Numbers", heads.data);
    for (int i = 0; i < list->count; i++) {
        const ListRow *row = &list->rows[i];
        AUTO(Text) line = {0};
        add_row_name(report, row, &line);
        text_add(&line, "%s", page_position(report, row->row, (char[POSITION_SIZE]){0}));
        for (int s = 0; s < shape->series; s++) {
            text_add(&line, "|%.*f", list->decimals, row->value[s]);
            if (s < shape->bars)
                text_add(&line, "|%.*f", list->decimals + !list->decimals, row->half[s]);
        }
        if (list->more) text_add(&line, "|%s", row->more);
        page_row(report, "%s", line.data);
    }
    page_table_end(report);
}

void page_list(Report *report, const PageList *list) {
    AUTO_FREE const char **names = memory_alloc((size_t)list->count + 1, sizeof *names);
    AUTO_FREE Text *labels = memory_alloc((size_t)list->count + 1, sizeof *labels);
    ListShape shape;
    measure_list(report, list, labels, &shape);
    for (int i = 0; i < shape.drawn; i++) names[i] = text_get(&labels[i]);
    if (list->term) {
        page_term_figure(report, list->id, "", list->term);
    } else {
        page_figure(report, list->id, list->heading);
    }
    draw_list(report, list, names, &shape);
    for (int i = 0; i < shape.drawn; i++) text_clear(&labels[i]);
    add_list_table(report, list, &shape);
    AUTO(Text) caption = {0};
    text_add(&caption, "%s", list->caption);
    if (shape.few) {
        text_add(&caption, " Hollow points rest on fewer than %d games and have no bar.",
                 REPORT_FEW_GAMES);
    }
    if (shape.prior) text_add(&caption, PRIOR_CAPTION);
    page_figure_end(report, caption.data);
}

// ---- terms with one entry -----------------------------------------------------------------------

bool report_is_prior(const Report *report, int weight) {
    return weight_show_is_prior(&report->record, weight);
}

void page_list_entry(const Report *report, int pair, ListRow *row) {
    AUTO(Text) more = {0};
    row->row = report->seen[pair];
    for (int phase = 0; phase < 2; phase++) {
        const double decided = report->record.decided[2 * pair + phase];
        row->value[phase] = report->flat[2 * pair + phase];
        row->half[phase] = Z95 * report->record.error[2 * pair + phase];
        row->prior[phase] = report_is_prior(report, 2 * pair + phase);
        text_add(&more, decided >= 0 ? "%s%.0f %%" : "%s", phase ? "|" : "", 100 * decided);
    }
    snprintf(row->more, sizeof row->more, "%s", more.data);
}

// Appends a list of the terms that have only one entry (pair of weights): material terms if
// `material` is set, else all others. Material terms have a list of their own, because their values
// are much larger.
static void single_terms(Report *report, bool material, PageList *list) {
    ListRow rows[WEIGHT_TERM_COUNT] = {0};
    int order[WEIGHT_TERM_COUNT];
    report_order(report, order);
    list->rows = rows;
    for (int k = 0; k < WEIGHT_TERM_COUNT; k++) {
        const WeightTerm *term = &weight_terms[order[k]];
        if (term->count > 1 || (term->part == TERM_MATERIAL) != material) continue;
        rows[list->count].term = term;
        page_list_entry(report, term->first, &rows[list->count++]);
    }
    page_list(report, list);
}

void report_singles(Report *report) {
    PageList list = {.id = "singles",
                     .heading = "Terms with one weight",
                     .caption = "The value of each occurrence for the side that has it, with its "
                                "95 % interval. If a bar crosses the dashed line, even the sign "
                                "is uncertain.",
                     .axis = "value (units; 100: a classic soldier)",
                     .what = "term",
                     .series = {"middlegame", "endgame"},
                     .more = DECIDED_HEADS};
    PageList material = list;
    material.id = "material";
    material.heading = "Material";
    material.caption =
        "The part of a piece's value that does not depend on its square, with its 95 % interval. "
        "Tables, mobility and guards add the rest; the piece values show the sum.";
    single_terms(report, false, &list);
    single_terms(report, true, &material);
}

// ---- lists of weights, sorted by certainty ------------------------------------------------------

// Returns true if `a` comes before `b` in the list. The list is sorted by the value in units of its
// error if `by_errors` is set, else by the error; the largest is first. Weights without an error
// come last.
static bool stands_before(const WeightRow *a, const WeightRow *b, bool by_errors) {
    if (!(b->error > 0)) return a->error > 0 || fabs(a->value) > fabs(b->value);
    if (!(a->error > 0)) return false;
    return by_errors ? fabs(a->value) * b->error > fabs(b->value) * a->error : a->error > b->error;
}

void page_weights(Report *report, PageList *list, WeightRow *weights, int count, bool by_errors) {
    enum { LISTED = 14 };
    ListRow rows[LISTED] = {0};
    list->rows = rows;
    list->what = "weight";
    list->count = count < LISTED ? count : LISTED;
    for (int i = 0; i < list->count; i++) {
        int first = i;
        for (int k = i + 1; k < count; k++) {
            if (stands_before(&weights[k], &weights[first], by_errors)) first = k;
        }
        const WeightRow chosen = weights[first];
        weights[first] = weights[i];
        AUTO(Text) name = {0};
        weight_show_name(chosen.weight / 2, &name);
        snprintf(rows[i].name, sizeof rows[i].name, "%s, %s", name.data,
                 chosen.weight % 2 ? "endgame" : "middlegame");
        snprintf(rows[i].more, sizeof rows[i].more, "%s", chosen.more);
        rows[i].row = report->seen[chosen.weight / 2];
        rows[i].value[0] = chosen.value;
        rows[i].half[0] = Z95 * chosen.error;
    }
    page_list(report, list);
}

// Appends a paragraph about the unit of piece values (points) and the unit of weights.
static void units_paragraph(Report *report) {
    const WeightTerm *term = weight_terms;
    while (term->part != TERM_MATERIAL || term->group != GROUP_CHARIOT) term++;
    page_paragraph(
        report,
        "Piece values are in points, scaled in each stage of the game so that a chariot is worth "
        "9. Weights are in units of the evaluation, which the fit scales freely: here the material "
        "of a chariot is %.0f units in the middlegame and %.0f in the endgame; 900 are its 9 "
        "points in the classic table. The evaluation blends both values of a weight by the pieces "
        "that are left.",
        report->flat[2 * term->first], report->flat[2 * term->first + 1]);
}

void report_certainty(Report *report) {
    const FitRecord *record = &report->record;
    int games = 0, prior = 0, known = 0;
    page_add(report->html, "<div class='words'>\n");
    units_paragraph(report);
    for (int i = 0; i < 2 * WEIGHT_COUNT; i++) {
        games += record->decided[i] >= 0.5;
        prior += report_is_prior(report, i);
        known += record->decided[i] >= 0;
    }
    if (record->has_errors && known > 0) {
        AUTO(Text) rest = {0};
        if (known < 2 * WEIGHT_COUNT) {
            text_add(&rest,
                     " The file does not say it about the other %d weights, which were not fitted.",
                     2 * WEIGHT_COUNT - known);
        }
        page_paragraph(
            report,
            "The file has %d weights. The games determined %d (by at least half), the prior %d "
            "(the "
            "games by less than a tenth), and both together %d.%s The prior (regularisation) pulls "
            "a weight to its start value or to its neighbours. If the prior determined a weight, "
            "%s "
            "Charts show such a weight as a hollow point, boards as a faint square.",
            2 * WEIGHT_COUNT, games, prior, known - games - prior, text_get(&rest),
            record->has_pull ? "its standard error comes mostly from the width of the prior."
                             : "its small standard error does not mean that it is well known: the "
                               "games hardly measured it.");
    }
    if (*record->contain)
        page_paragraph(report, "The standard errors contain: %s.", record->contain);
    if (record->has_pieces && *record->condition) {
        page_paragraph(
            report,
            "The standard errors of this fit depend on a condition: %s. The targets contain search "
            "scores, and the errors of these scores are not in the bars.",
            record->condition);
    }
    page_add(report->html, "</div>\n");
}

void report_uncertain(Report *report) {
    const FitRecord *record = &report->record;
    WeightRow weights[2 * WEIGHT_COUNT];
    int count = 0, known = 0;
    if (!record->has_errors) {
        page_not_shown(
            report, "uncertain", "The least certain weights",
            "this weight file does not contain the standard errors of its fit; files of paotai "
            "tune --out do.");
        return;
    }
    for (int i = 0; i < 2 * WEIGHT_COUNT; i++) {
        known += record->decided[i] >= 0;
        // Leave out material: its values are too large for the scale of this chart, and
        // report_singles() shows them.
        if (weight_term_of(i / 2)->part == TERM_MATERIAL || !(record->decided[i] >= 0.5)) continue;
        weights[count] =
            (WeightRow){.weight = i, .value = report->flat[i], .error = record->error[i]};
        snprintf(weights[count++].more, sizeof weights->more, "%.0f %%", 100 * record->decided[i]);
    }
    if (count == 0) {
        page_not_shown(report, "uncertain", "The least certain weights",
                       known
                           ? "the games determined none of these weights by at least half."
                           : "the weight file does not record which weights the games determined.");
        return;
    }
    page_weights(report,
                 &(PageList){.id = "uncertain",
                             .heading = "The least certain weights",
                             .caption = "The largest intervals among weights that the games "
                                        "determined, without material: here more games would "
                                        "help most. Bars are 95 % intervals. Squares are "
                                        "named from the piece's own side.",
                             .axis = "value (units)",
                             .series = {"value"},
                             .more = "determined by games"},
                 weights, count, false);
}

// ---- what terms are worth -----------------------------------------------------------------------

static int by_value(const void *a, const void *b) {
    const double x = ((const ListRow *)a)->value[0], y = ((const ListRow *)b)->value[0];
    return (x < y) - (x > y);
}

// Appends a list of the terms in the table of 'paotai ablate', sorted by the Elo of the match if
// `by_match` is set, else by the increase of the loss. With by_match, leaves out terms without an
// Elo. Appends nothing if no term remains. The error bar shows half the width of the Elo interval
// on each side, although the interval is asymmetric.
static void worth_list(Report *report, PageList *list, bool by_match) {
    ListRow rows[WEIGHT_TERM_COUNT] = {0};
    AUTO_FREE char *copy = memory_copy_text(report->source->worth);
    char *cursor = copy;
    for (char *line; (line = text_next_field(&cursor, '\n')) && list->count < WEIGHT_TERM_COUNT;) {
        ListRow *row = &rows[list->count];
        double change, error, elo, low, high;
        if (sscanf(line, "%199s %lf %lf %lf %lf %lf", row->name, &change, &error, &elo, &low,
                   &high) != 6 ||
            (by_match && isnan(elo))) {
            continue;
        }
        for (int t = 0; t < WEIGHT_TERM_COUNT; t++) {
            if (strcmp(weight_terms[t].name, row->name) == 0) row->term = &weight_terms[t];
        }
        row->value[0] = by_match ? elo : -1000 * change;
        row->half[0] = by_match ? (high - low) / 2 : 1000 * Z95 * error;
        list->count++;
    }
    qsort(rows, (size_t)list->count, sizeof *rows, by_value);
    list->rows = rows;
    list->what = "terms";
    if (list->count > 0) page_list(report, list);
}

void report_worth(Report *report) {
    worth_list(report,
               &(PageList){.id = "worth-loss",
                           .heading = "Worth by the loss",
                           .caption =
                               "The increase of the validation loss if the terms are "
                               "removed and the other terms are fitted again. To the right "
                               "of the dashed line the terms improve the predictions. Bars are "
                               "95 % intervals.",
                           .axis = "loss without minus loss with (1/1000)",
                           .series = {"worth"},
                           .decimals = 3},
               false);
    worth_list(report,
               &(PageList){.id = "worth-elo",
                           .heading = "Worth by the match",
                           .caption =
                               "A match of the fit with the terms against the fit without them, "
                               "with the 95 % interval of the Elo. Elo and interval take into "
                               "account that the SPRT may have stopped the match early.",
                           .axis = "Elo",
                           .series = {"worth"}},
               true);
}
