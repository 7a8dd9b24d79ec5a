// SPDX-License-Identifier: GPL-3.0-or-later
// The page of a network's fit: a chart of the losses by epoch, and the state.
#include <math.h>

#include "core/base/memory.h"
#include "core/system/clock.h"
#include "selfplay/pages/chart.h"
#include "tuner/train/train.h"

// Draws training and validation losses. The axis omits the losses of the first steps, which are
// much larger.
static void draw_losses(const Train *train, Html *html) {
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
    page_add(html, "<figure><h2>Loss by epoch</h2>\n");
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
    page_add(html, "<figcaption>The loss says how far the predicted results are from the targets; "
                   "a lower loss is better. The dashed line is the loss of the linear weights on "
                   "the validation games, ");
    page_add_number(html, curve->linear, 5, false);
    page_add(html, ".</figcaption></figure>\n");
}

// Appends a table of the training and validation losses of the last finished epochs, and an
// explanation of these losses.
static void add_epochs(const Train *train, Html *html) {
    enum { MOST_ROWS = 12 };
    const TrainCurve *curve = &train->curve;
    const int first = train->epochs_done > MOST_ROWS ? train->epochs_done - MOST_ROWS : 0;
    page_add(html, "<figure><h2>Training and validation loss</h2><table><thead><tr><th>epoch</th>"
                   "<th>training</th><th>validation</th></tr></thead><tbody>\n");
    for (int i = first; i < train->epochs_done; i++) {
        page_add(html, "<tr><td>%d</td><td>", i + 1);
        page_add_number(html, curve->train[i], 5, false);
        const bool best = curve->valid[i] <= train->best_loss;
        page_add(html, "</td><td>");
        if (best) page_add(html, "best: <b>");
        page_add_number(html, curve->valid[i], 5, false);
        if (best) page_add(html, "</b>");
        page_add(html, "</td></tr>\n");
    }
    page_add(
        html,
        "</tbody></table>\n<figcaption>%sThe training loss is measured on the games from which the "
        "network learns, before each step. The validation loss is measured after each epoch on "
        "other games, from which it does not learn. Only the validation loss shows how well the "
        "network predicts games that it does not know. The epoch with the least validation loss is "
        "saved. The two losses belong to different games, so one of them may always be above the "
        "other. If the validation loss rises while the training loss falls, the network overfits "
        "the training games: use fewer epochs or more games.</figcaption></figure>\n",
        first > 0 ? "The latest epochs. " : "");
}

static void add_cards(const Train *train, LiveFacts *facts) {
    const TrainCurve *curve = &train->curve;
    char note[64];
    int last = TRAIN_CURVE - 1;
    while (last > 0 && curve->rows[last] == 0) last--;
    if (isfinite(train->best_loss)) {
        snprintf(note, sizeof note, "loss of the linear weights: %.5f; lower is better",
                 curve->linear);
        live_add_card(facts, "best validation loss", note, "%.5f", train->best_loss);
    }
    if (curve->rows[last] > 0) {
        live_add_card(facts, "training loss", "recent steps", "%.5f",
                      curve->sum[last] / curve->rows[last]);
    }
    snprintf(note, sizeof note, "of %d", train->setup.epochs);
    live_add_card(facts, "finished epochs", note, "%d", train->epochs_done);
    live_add_detail(facts, "hidden units", NULL, "%d", train->setup.units);
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
        live_begin_row(&facts.body);
        draw_losses(train, &facts.body);
        add_epochs(train, &facts.body);
        live_end_row(&facts.body);
    }
    live_page_update(train->page, &facts);
}
