// SPDX-License-Identifier: GPL-3.0-or-later
// The page of a network's fit: a chart of the losses by epoch, and the state.
#include <math.h>

#include "core/base/clock.h"
#include "core/base/memory.h"
#include "selfplay/pages/chart.h"
#include "tuner/train/train.h"

// Draws training and validation losses. The axis omits the losses of the first steps, which are
// much larger.
static void draw_losses(const Train *train, Text *html) {
    enum {
        WIDTH = 480,
        HEIGHT = 300,
        LEFT = 84,
        BOTTOM = 48,
        OMITTED = TRAIN_CURVE / 24,
        MOST_DOTS = 30
    };
    const TrainCurve *curve = &train->curve;
    const int epochs = train->setup.epochs;
    double x[TRAIN_CURVE], y[TRAIN_CURVE];
    Span span = {NAN, NAN};
    span_add(&span, curve->linear, 0);
    for (int i = 0; i < TRAIN_CURVE; i++) {
        x[i] = (i + 0.5) * epochs / TRAIN_CURVE;
        y[i] = curve->rows[i] > 0 ? curve->sum[i] / curve->rows[i] : NAN;
        if (i >= OMITTED) span_add(&span, y[i], 0);
    }
    for (int i = 0; i < epochs; i++) span_add(&span, curve->valid[i], 0);
    Chart chart;
    const char *desc = "Mean loss of a position, in nats, by epoch.";
    text_add(html, "<figure><h3>Loss by epoch</h3>\n");
    chart_begin(&chart, html, "loss", "Loss by epoch", desc, WIDTH, HEIGHT, LEFT, BOTTOM);
    chart_axis_x(&chart, 0, epochs, epochs < 8 ? epochs : 8, "epoch");
    chart_axis_y(&chart, span.low, span.high, 6, "loss, nats per position");
    chart_rule_y(&chart, curve->linear, "ideal");
    for (int i = 0; i < TRAIN_CURVE; i++) y[i] = isnan(y[i]) ? NAN : fmin(y[i], chart.y1);
    chart_line(&chart, 1, x, y, TRAIN_CURVE);
    AUTO_FREE double *ends = memory_alloc((size_t)epochs, sizeof *ends);
    for (int i = 0; i < epochs; i++) ends[i] = i + 1;
    chart_line(&chart, 2, ends, curve->valid, epochs);
    for (int i = 0; i < epochs && epochs <= MOST_DOTS; i++) {
        chart_point(&chart, 2, i + 1, curve->valid[i], NAN, 5, "validation, epoch %d", i + 1);
    }
    chart_legend(&chart, 1, true, "training");
    chart_legend(&chart, 2, true, "validation");
    chart_end(&chart);
    text_add(html, "<figcaption>Dashed: the linear weights on the validation games, ");
    page_add_number(html, curve->linear, 5, false);
    text_add(html,
             ". A training loss is the mean over some steps, with the network at that time. If "
             "validation losses rise while training losses fall, the network learns these games "
             "by heart; use fewer epochs or more games.");
    if (train->begun_epochs > 0) {
        text_add(html,
                 " This call resumed after epoch %d; the page does not know the losses before it.",
                 train->begun_epochs);
    }
    text_add(html, "</figcaption></figure>\n");
}

static void add_cards(const Train *train, LiveFacts *facts) {
    const TrainCurve *curve = &train->curve;
    char note[64];
    int last = TRAIN_CURVE - 1;
    while (last > 0 && curve->rows[last] == 0) last--;
    snprintf(note, sizeof note, "of %d", train->setup.epochs);
    live_add_card(facts, "finished epochs", note, "%d", train->epochs_done);
    if (curve->rows[last] > 0) {
        live_add_card(facts, "training loss", "recent steps", "%.5f",
                      curve->sum[last] / curve->rows[last]);
    }
    if (isfinite(train->best_loss)) {
        snprintf(note, sizeof note, "linear weights: %.5f", curve->linear);
        live_add_card(facts, "best validation loss", note, "%.5f", train->best_loss);
    }
    live_add_card(facts, "hidden units", NULL, "%d", train->setup.units);
}

void train_page_update(const Train *train, const char *stage) {
    LiveFacts facts = {.unit = NULL};
    if (!train->page) return;
    text_add(&facts.title, "Training of %s", train->name);
    text_add(&facts.verdict, "%s", stage);
    if (train->begun_s > 0) {
        const double rows = (double)train->data->part[PART_TRAIN].count;
        facts.unit = "positions";
        facts.rate_s = 1;
        facts.done = train->rows_done;
        facts.before = rows * train->begun_epochs;
        facts.end = rows * train->setup.epochs;
        facts.seconds = clock_now_s() - train->begun_s;
        add_cards(train, &facts);
        text_add(&facts.body, "<div class='pictures'>\n");
        draw_losses(train, &facts.body);
        text_add(&facts.body, "</div>\n");
    }
    live_page_update(train->page, &facts);
}
