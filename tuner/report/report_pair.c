// SPDX-License-Identifier: GPL-3.0-or-later
// The report that compares two weight sets.
#include <math.h>
#include <string.h>

#include "core/system/out_file.h"
#include "tuner/report/report_internal.h"

typedef struct Pair {
    Report a, b;
    Estimate difference;
    bool equal; // true if no weight differs
} Pair;

static void pair_clear(Pair *pair) {
    report_clear(&pair->a);
    report_clear(&pair->b);
}
AUTO_VALUE(Pair, pair_clear)

// Measures the losses of both weight sets on the same targets, which are computed with the settings
// of set `a`. The slope that converts scores to expected results is fitted for each weight set to
// all loaded games.
static Status measure_pair(Pair *pair, Err *err) {
    Report *const both[] = {&pair->a, &pair->b};
    const RowSet *rows = pair->a.source->rows;
    for (int i = 0; i < 2; i++) {
        Report *report = both[i];
        const double *own = report->loss.game_weight;
        report->loss = pair->a.loss;
        report->loss.k = 0;
        report->loss.game_weight = own;
        TRY(report_fit_slopes(pair->a.source, &report->loss, report->flat, err));
        LossSetup loss = report->loss;
        loss.game_weight = pair->a.loss.game_weight;
        report->mean = measure_loss(rows, &loss, report->flat);
        loss.lambda = 1;
        measure_calibration(rows, &loss, report->flat, report->bins);
        fit_record_clear(&report->record);
        TRY(fit_record_load(report->source->name, &report->record, err));
    }
    LossSetup second = pair->b.loss;
    second.game_weight = pair->a.loss.game_weight;
    pair->difference = measure_difference(rows, &pair->a.loss, pair->a.flat, &second, pair->b.flat);
    return STATUS_OK;
}

static void summary(Pair *pair) {
    const double value = pair->difference.value, half = Z95 * pair->difference.error;
    Report *a = &pair->a;
    const char *better = value < 0 ? a->source->name : pair->b.source->name;
    AUTO(Text) verdict = {0};
    if (pair->equal) {
        text_add(&verdict, "Both sets are equal: no weight differs.");
    } else {
        text_add(&verdict, "%s%s.", fabs(value) > half ? better : "These games do not show which",
                 fabs(value) > half ? " predicts better" : " of the two predicts better");
    }
    page_verdict(a, verdict.data);
    page_add(a->html, "<dl class='cards live'>\n");
    report_card(a, "loss of the first set minus loss of the second (below 0: the first is better)",
                "%s%.5f|\xc2\xb1 %.5f (95 %%)",
                value < 0   ? "\xe2\x88\x92"
                : value > 0 ? "+"
                            : "",
                fabs(value), half);
    report_card(a, "loss of the first set (lower is better)", "%.5f|\xc2\xb1 %.5f (95 %%)",
                a->mean.value, Z95 * a->mean.error);
    report_card(a, "loss of the second set (lower is better)", "%.5f|\xc2\xb1 %.5f (95 %%)",
                pair->b.mean.value, Z95 * pair->b.mean.error);
    page_add(a->html, "</dl>\n");
    page_paragraph(
        a,
        "The first set is %s, the second %s. Both were measured on %llu %s of %s. Intervals treat "
        "games as the independent units. The difference is taken game by game, so its interval "
        "does "
        "not contain the variation between games. Weights are in units: 100 units are one point, "
        "the value of a soldier in the classic table. Piece values are in points, scaled so that a "
        "chariot is worth 9.",
        a->source->name, pair->b.source->name, (unsigned long long)a->games, part_noun(a),
        a->source->data);
}

// Appends the piece values of both sets, with errors. They come from the weight file or, if the
// file has no piece values, from the measured games.
static void values(Pair *pair) {
    Report *const both[] = {&pair->a, &pair->b};
    ListRow rows[PIECE_KINDS] = {0};
    for (int line = 0; line < PIECE_KINDS; line++) {
        piece_line_name(line, rows[line].name);
        for (int i = 0; i < 2; i++) {
            const FitRecord *record = &both[i]->record;
            const PieceTable *table = record->has_pieces ? &record->pieces : &both[i]->pieces;
            rows[line].value[i] = table->value[line][STAGE_ALL];
            rows[line].half[i] = Z95 * table->se[line][STAGE_ALL];
        }
    }
    page_list(&pair->a,
              &(PageList){.id = "values",
                          .heading = "Piece values",
                          .caption = "A value is what the evaluation loses when one such piece is "
                                     "removed, on average over the positions of the fit if the "
                                     "weight file contains values, else over these positions. "
                                     "Bars are 95 % intervals.",
                          .axis = "points; a chariot is 9",
                          .what = "piece",
                          .series = {"first", "second"},
                          .rows = rows,
                          .count = PIECE_KINDS,
                          .decimals = 2});
}

// Returns the standard error of a weight, NAN if unknown. A set without standard errors, such as
// classic, counts as exact.
static double error_of(const FitRecord *record, int weight) {
    return record->has_errors ? record->error[weight] : 0;
}

static void differences(Pair *pair) {
    if (pair->equal) return;
    WeightRow weights[2 * WEIGHT_COUNT];
    int count = 0, apart = 0, prior = 0;
    AUTO(Text) caption = {0};
    for (int i = 0; i < 2 * WEIGHT_COUNT; i++) {
        const double a = pair->a.flat[i], b = pair->b.flat[i];
        const double error = hypot(error_of(&pair->a.record, i), error_of(&pair->b.record, i));
        if (a == b) continue;
        if (report_is_prior(&pair->a, i) || report_is_prior(&pair->b, i)) {
            prior++;
            continue;
        }
        weights[count] = (WeightRow){.weight = i, .value = b - a, .error = error > 0 ? error : NAN};
        snprintf(weights[count++].more, sizeof weights->more, "%.0f|%.0f", a, b);
        apart += error > 0 && fabs(b - a) > Z95 * error;
    }
    if (count == 0) {
        text_add(
            &caption,
            "%d of %d weights differ, but each of these was determined by the prior, not by the "
            "games, in one file or in both.",
            prior, 2 * WEIGHT_COUNT);
        page_not_shown(&pair->a, "differences", "The largest differences", caption.data);
        return;
    }
    text_add(&caption,
             "Sorted by the difference divided by its standard error. %d of %d weights differ",
             count + prior, 2 * WEIGHT_COUNT);
    if (prior > 0) {
        text_add(&caption,
                 ". %d of these are left out, because in at least one file the games determined "
                 "less than a tenth of the weight, and the prior the rest. %d remain",
                 prior, count);
    }
    text_add(
        &caption,
        ", %d of them by more than the 95 %% error of the difference, which assumes independent "
        "fits. By chance alone, one in twenty weights would differ by more.%s",
        apart,
        pair->a.record.has_errors && pair->b.record.has_errors
            ? ""
            : " A set without standard errors counts as exact.");
    page_weights(&pair->a,
                 &(PageList){.id = "differences",
                             .heading = "The largest differences",
                             .caption = caption.data,
                             .axis = "second minus first (units)",
                             .series = {"difference"},
                             .more = "first|second"},
                 weights, count, true);
}

static void calibration(Pair *pair) {
    calibration_chart(&pair->a, "Observed against predicted result of both sets in ten bins.",
                      "first", pair->b.bins, "second");
    calibration_numbers(&pair->a, "Numbers: first", pair->a.bins);
    calibration_numbers(&pair->a, "Numbers: second", pair->b.bins);
    page_figure_end(&pair->a,
                    "Positions are sorted by the result that each set predicts for Red; grey "
                    "columns show their number for the first set. On the dashed line, "
                    "predictions equal results.");
}

static void page(Pair *pair) {
    AUTO(Text) title = {0};
    Report *a = &pair->a;
    text_add(&title, "%s and %s", a->source->name, pair->b.source->name);
    page_begin(a->html, title.data, NULL);
    report_verdict(a);
    summary(pair);
    page_add(a->html, "<h2>Where the sets differ</h2>\n<div class='pictures'>\n");
    values(pair);
    calibration(pair);
    differences(pair);
    page_add(a->html, "</div>\n");
    page_add(a->html, "<p>Made by: <code>");
    page_add_command(a->html, a->source->command);
    page_add(a->html, "</code></p>\n");
    page_end(a->html, NULL);
}

Status report_write_pair(const ReportSource *a, const ReportSource *b, const char *path,
                         Estimate *difference, Err *err) {
    AUTO(Html) html = {0};
    AUTO(Pair) pair = {.difference = {NAN, NAN, 0}};
    TRY(report_begin(&pair.a, a, &html, err));
    TRY(report_begin(&pair.b, b, &html, err));
    pair.equal = memcmp(a->weights, b->weights, sizeof *a->weights) == 0;
    TRY(measure_pair(&pair, err));
    page(&pair);
    *difference = pair.difference;
    return page_write(&html, path, err);
}
