// SPDX-License-Identifier: GPL-3.0-or-later
// Writes the result files of a run: a page with charts of the parameters, and the result as
// parameter lines.
#include <math.h>
#include <stdlib.h>

#include "core/base/memory.h"
#include "core/system/out_file.h"
#include "selfplay/pages/chart.h"
#include "tuner/spsa/spsa.h"

static void one_param(const SpsaSpec *spec, const SpsaTrace *trace, int param, Html *html) {
    enum { WIDTH = 480, HEIGHT = 280, LEFT = 66, BOTTOM = 48, MOST_POINTS = 1200 };
    const SpsaParam *p = &spec->params[param];
    const size_t every = (trace->count + MOST_POINTS - 1) / MOST_POINTS;
    AUTO_FREE double *x = memory_alloc(trace->count, sizeof *x);
    AUTO_FREE double *y = memory_alloc(trace->count, sizeof *y);
    const SpsaTail tail = spsa_tail(trace, param);
    Span range = {NAN, NAN};
    int count = 0;
    for (size_t i = 0; i < trace->count; i++) {
        span_add(&range, trace->rows[i].theta[param], 0);
        if (i % every != 0 && i != trace->count - 1) continue;
        x[count] = trace->rows[i].iteration;
        y[count++] = trace->rows[i].theta[param];
    }
    char id[32], desc[200];
    Chart chart;
    snprintf(id, sizeof id, "param-%d", param);
    snprintf(desc, sizeof desc, "The parameter moved from %g to %.2f.", p->start,
             trace->rows[trace->count - 1].theta[param]);
    page_add(html, "<figure><h2>%s</h2>\n", p->name);
    chart_begin(&chart, html, id, p->name, desc, WIDTH, HEIGHT, LEFT, BOTTOM);
    const int last = trace->rows[trace->count - 1].iteration;
    chart_axis_x(&chart, 0, last > 1 ? last : 1, last > 6 ? 6 : last > 1 ? last : 1, "iteration");
    // Extend the value axis at both ends by c_end, the perturbation at the end of the run.
    chart_axis_y(&chart, range.low - p->c_end, range.high + p->c_end, 6, "value");
    chart_rule_y(&chart, p->start, "ideal");
    chart_line(&chart, 1, x, y, count);
    // The bar shows a standard deviation of the values. chart_point() must not draw it, because its
    // tooltip would call the bar a 95 % interval.
    chart_bar(&chart, 2, x[count - 1], tail.mean - tail.scatter, tail.mean + tail.scatter);
    chart_point(&chart, 2, x[count - 1], tail.mean, NAN, 2,
                "mean of the last quarter, with scatter %.2f", tail.scatter);
    chart_end(&chart);
    page_add(
        html,
        "<figcaption>The dashed line is the start value, %g. The square is the mean of the last "
        "quarter, %.2f, and its bar the scatter (standard deviation), %.2f. The drift over the "
        "last half is %+.2f: %s. The range is %g to %g, the perturbation at the end %g."
        "</figcaption></figure>\n",
        p->start, tail.mean, tail.scatter, tail.drift, trace->verdicts[param].text, p->min, p->max,
        p->c_end);
}

// Writes a page with a chart of each parameter over the iterations.
static Status write_page(const SpsaSpec *spec, const SpsaTrace *trace, const char *path, Err *err) {
    AUTO(Html) html = {0};
    page_begin(&html, "SPSA: parameters by iteration", NULL);
    page_add(
        &html,
        "<p>Each chart shows a parameter over %zu of %d iterations. Scatter and drift describe the "
        "path; they are not errors of the value. A match of the tuned values against the start "
        "values measures the gain. The verdicts use all matches of the run. \"Settled\": at most "
        "%.0f "
        "Elo are missing. \"No effect seen, up to +-X\": no match shows an effect, and the values "
        "of the range differ by at most X Elo.</p>\n"
        "<div class='pictures'>\n",
        trace->count - 1, spec->iterations, SPSA_SETTLED_ELO);
    for (int i = 0; i < spec->count; i++) one_param(spec, trace, i, &html);
    page_add(&html, "</div>\n");
    page_end(&html, NULL);
    return page_write(&html, path, err);
}

Status spsa_write_files(const SpsaRun *run, const SpsaTrace *trace, Err *err) {
    double means[SPSA_PARAMS_MAX];
    AUTO(Text) page = {0}, lines = {0}, path = {0};
    text_add(&page, "%s/spsa.html", run->dir);
    TRY(write_page(&run->spec, trace, page.data, err));
    text_add(&path, "%s/params.txt", run->dir);
    spsa_result(&run->spec, trace, means);
    spsa_add_lines(&run->spec, SPSA_OPENBENCH, means, &lines);
    return text_write_file(path.data, lines.data, lines.length, err);
}
