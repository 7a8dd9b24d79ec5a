// SPDX-License-Identifier: GPL-3.0-or-later
// The picture of a loop: strength by generation.
#include <math.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/base/out_file.h"
#include "selfplay/pages/chart.h"
#include "tuner/loop/generations.h"

// The candidate of a generation, by the sum of the matches up to it.
typedef struct Step {
    double elo, error95;    // over the start
    bool promoted, counted; // not counted: too one-sided for a number
} Step;

// The errors of different matches are independent: their squares add up.
static Status read_steps(const LoopSpec *spec, int count, Step *steps, Err *err) {
    Step champion = {0, 0, true, true};
    for (int i = 0; i < count; i++) {
        AUTO_POINTER(Generation) generation = NULL;
        TRY(generation_read(spec, i + 1, &generation, err));
        const double elo = generation_number(generation, "elo_median");
        const double width =
            generation_number(generation, "ci_high") - generation_number(generation, "ci_low");
        steps[i] = champion;
        steps[i].counted = !isnan(elo);
        if (steps[i].counted) {
            steps[i].elo += elo;
            steps[i].error95 = hypot(champion.error95, 0.5 * width);
        }
        steps[i].promoted = strcmp(generation_value(generation, "promoted"), "yes") == 0;
        if (steps[i].promoted) champion = steps[i];
    }
    return STATUS_OK;
}

static void draw_steps(const Step *steps, int count, Text *html) {
    enum { WIDTH = 720, HEIGHT = 400, LEFT = 70, BOTTOM = 52 };
    Span span = {0, 0};
    AUTO_FREE double *x = memory_alloc((size_t)count + 1, sizeof *x);
    AUTO_FREE double *y = memory_alloc((size_t)count + 1, sizeof *y);
    int line = 1; // from the start at (0, 0)
    for (int i = 0; i < count; i++) {
        span_add(&span, steps[i].elo, steps[i].error95);
        if (!steps[i].promoted) continue;
        x[line] = i + 1;
        y[line++] = steps[i].elo;
    }
    Chart chart;
    char desc[100];
    snprintf(desc, sizeof desc, "After %d generations the champion is %.0f Elo over the start.",
             count, y[line - 1]);
    text_add(html, "<figure>\n");
    chart_begin(&chart, html, "strength", "Elo over the start", desc, WIDTH, HEIGHT, LEFT, BOTTOM);
    chart_axis_x(&chart, 0, count + 0.5, count < 10 ? count + 1 : 10, "generation");
    chart_axis_y(&chart, span.low, span.high > 10 ? span.high : 10, 8, "Elo over the start");
    chart_rule_y(&chart, 0, "ideal");
    chart_line(&chart, 1, x, y, line);
    for (int i = 0; i < count; i++) {
        chart_point(&chart, steps[i].promoted ? 1 : 2, i + 1, steps[i].elo, steps[i].error95, 0,
                    "generation %d, %s%s", i + 1, steps[i].promoted ? "promoted" : "rejected",
                    steps[i].counted ? "" : ", too one-sided for a number and counted as 0");
    }
    chart_legend(&chart, 1, true, "promoted");
    chart_legend(&chart, 2, false, "rejected");
    chart_end(&chart);
    text_add(html, "<figcaption>%s Bars: 95 %%.</figcaption></figure>\n", desc);
}

Status loop_write_page(const LoopSpec *spec, int count, Err *err) {
    AUTO(Text) html = {0}, path = {0};
    AUTO_FREE Step *steps = memory_alloc((size_t)count, sizeof *steps);
    TRY(read_steps(spec, count, steps, err));
    chart_page_begin(&html, "The loop: strength by generation");
    text_add(&html, "<p>Each candidate was measured against the champion before it; the picture "
                    "adds these matches up. Elo does not add up exactly: for the whole way play "
                    "the champion against <code>start.txt</code>. <code>log.md</code> has every "
                    "command.</p>\n");
    draw_steps(steps, count, &html);
    chart_page_end(&html);
    text_add(&path, "%s/strength.html", spec->dir);
    return text_write_file(path.data, html.data, html.length, err);
}
