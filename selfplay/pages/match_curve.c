// SPDX-License-Identifier: GPL-3.0-or-later
#include "selfplay/pages/match_curve.h"

#include <math.h>

#include "selfplay/pages/chart.h"

enum { WIDTH = 480, HEIGHT = 280, LEFT = 66, BOTTOM = 48 };

static MatchPoint point_of(const MatchCounts *counts, const SprtSpec *sprt) {
    Strength strength;
    SprtReport report;
    strength_of_match(counts, &strength);
    const bool tested = sprt && sprt_report(sprt, counts, &report, NULL) == STATUS_OK;
    return (MatchPoint){.pairs = (double)match_counts_pairs(counts),
                        .elo = match_counts_one_sided(counts) ? NAN : strength.elo,
                        .error95 = strength.elo_error95,
                        .llr = tested ? report.llr : NAN};
}

void match_curve_add(MatchCurve *curve, const MatchCounts *counts, const SprtSpec *sprt) {
    if (curve->every == 0) curve->every = 1;
    if (match_counts_pairs(counts) % curve->every != 0) return;
    if (curve->count == MATCH_CURVE_POINTS) {
        // The curve is full. Double the distance of its points: keep every second point.
        curve->every *= 2;
        curve->count /= 2;
        for (int i = 0; i < curve->count; i++) curve->points[i] = curve->points[2 * i + 1];
        if (match_counts_pairs(counts) % curve->every != 0) return;
    }
    curve->points[curve->count++] = point_of(counts, sprt);
}

// Returns the curve with a last point for the present results, `counts`.
static MatchCurve with_last(const MatchCurve *curve, const MatchCounts *counts,
                            const SprtSpec *sprt) {
    MatchCurve whole = *curve;
    const int last = whole.count - 1;
    if (last < 0 || whole.points[last].pairs < (double)match_counts_pairs(counts)) {
        whole.points[whole.count++] = point_of(counts, sprt);
    }
    return whole;
}

static void open_chart(Html *html, Chart *chart, const char *id, const char *title,
                       const char *desc, double pairs) {
    chart_begin(chart, html, id, title, desc, WIDTH, HEIGHT, LEFT, BOTTOM);
    chart_axis_count(chart, (int)pairs, 6, "opening pairs");
}

static double within(double value, const Chart *chart) {
    return fmin(fmax(value, chart->y0), chart->y1);
}

// Draws the 95 % intervals of the points as a band. Points without an Elo are omitted.
static void draw_band(const MatchCurve *curve, const Chart *chart, Html *html) {
    const int count = curve->count;
    bool begun = false;
    page_add(html, "<path class='band' d='");
    for (int i = 0; i < 2 * count; i++) {
        const MatchPoint *point = &curve->points[i < count ? i : 2 * count - 1 - i];
        const double y = point->elo + (i < count ? point->error95 : -point->error95);
        if (isnan(y)) continue;
        page_add(html, "%c%.1f %.1f", begun ? 'L' : 'M', chart_x(chart, point->pairs),
                 chart_y(chart, within(y, chart)));
        begun = true;
    }
    if (!begun) page_add(html, "M0 0");
    page_add(html, "Z'/>\n");
}

void match_curve_draw_elo(const MatchCurve *curve, const MatchCounts *counts, const Html *heading,
                          Html *html) {
    const MatchCurve whole = with_last(curve, counts, NULL);
    const MatchPoint *last = &whole.points[whole.count - 1];
    double x[MATCH_CURVE_POINTS + 1], y[MATCH_CURVE_POINTS + 1];
    char desc[160];
    Span span = {0, 0};
    // The first sixth of the points does not widen the y axis, because the errors of these points
    // are very large.
    for (int i = whole.count / 6; i < whole.count; i++) {
        span_add(&span, whole.points[i].elo, whole.points[i].error95);
    }
    if (isnan(last->elo)) {
        snprintf(desc, sizeof desc, "No Elo: one player has won every game of %.0f pair%s.",
                 last->pairs, last->pairs == 1 ? "" : "s");
    } else {
        snprintf(desc, sizeof desc, "%+.1f \xc2\xb1 %.1f Elo after %.0f %s.",
                 text_zero_unsigned(last->elo, 1), last->error95, last->pairs,
                 last->pairs == 1 ? "pair" : "pairs");
    }
    Chart chart;
    page_add(html, "<figure><h2>");
    page_add_html(html, heading);
    page_add(html, "</h2>\n");
    open_chart(html, &chart, "elo", "Elo of A against B", desc, last->pairs);
    span_widen(&span);
    chart_axis_y(&chart, span.low, span.high, 6, "Elo");
    chart_rule_y(&chart, 0, "ideal");
    draw_band(&whole, &chart, html);
    for (int i = 0; i < whole.count; i++) {
        x[i] = whole.points[i].pairs;
        y[i] = isnan(whole.points[i].elo) ? NAN : within(whole.points[i].elo, &chart);
    }
    chart_line(&chart, 1, x, y, whole.count);
    // A line of one point would be invisible.
    if (whole.count == 1) chart_point(&chart, 1, x[0], y[0], last->error95, 1, "1 pair");
    chart_end(&chart);
    page_add(html,
             "<figcaption>The line is the score in Elo, the band its 95&#160;%% interval by the "
             "normal distribution. The interval in the verdict is valid also for few pairs and for "
             "a match that an SPRT may stop.</figcaption></figure>\n");
}

// Appends a bar that shows where the log likelihood ratio lies between its bounds.
static void add_meter(const SprtSpec *sprt, const SprtReport *report, Html *html) {
    static const char *const models[] = {"normalized", "logistic", "Bayesian"};
    const double width = report->upper - report->lower;
    const double zero = -report->lower / width;
    const double at = fmin(fmax((report->llr - report->lower) / width, 0), 1);
    AUTO(Text) h0 = {0}, h1 = {0};
    text_add(&h0, "H0: %+g %s Elo", sprt->elo0, models[sprt->model]);
    text_add(&h1, "H1: %+g %s Elo", sprt->elo1, models[sprt->model]);
    page_add_meter(html, 100 * fmin(zero, at), 100 * fmax(zero, at));
    page_add(html, "\n<p class='ends'><span>");
    page_add_prose(html, h0.data);
    page_add(html, "</span><span>");
    page_add_prose(html, h1.data);
    page_add(html, "</span></p>\n");
}

void match_curve_draw_llr(const MatchCurve *curve, const MatchCounts *counts, const SprtSpec *sprt,
                          Html *html) {
    const MatchCurve whole = with_last(curve, counts, sprt);
    const int last = whole.count - 1;
    double x[MATCH_CURVE_POINTS + 1], y[MATCH_CURVE_POINTS + 1];
    static const char *const words[] = {"it has not decided between H0 and H1", "H0 is accepted",
                                        "H1 is accepted"};
    char desc[240];
    SprtReport report;
    if (sprt_report(sprt, counts, &report, NULL) != STATUS_OK) return;
    Span span = {report.lower, report.upper};
    for (int i = 0; i <= last; i++) {
        x[i] = whole.points[i].pairs;
        y[i] = whole.points[i].llr;
        span_add(&span, y[i], 0);
    }
    snprintf(
        desc, sizeof desc,
        "SPRT with elo0 %g and elo1 %g: the LLR is %.2f after %.0f pair%s; %s. It accepts H0 at "
        "%.2f and H1 at %.2f.",
        sprt->elo0, sprt->elo1, report.llr, x[last], x[last] == 1 ? "" : "s",
        words[report.decision], report.lower, report.upper);
    Chart chart;
    page_add(html, "<figure><h2>Log likelihood ratio of the SPRT: ");
    page_add_number(html, report.llr, 2, true);
    page_add(html, "</h2>\n");
    add_meter(sprt, &report, html);
    open_chart(html, &chart, "llr", "Log likelihood ratio of the SPRT", desc, x[last]);
    span_widen(&span);
    chart_axis_y(&chart, span.low, span.high, 6, "LLR");
    chart_rule_y(&chart, 0, "ideal");
    chart_rule_y(&chart, report.lower, "bound");
    chart_rule_y(&chart, report.upper, "bound");
    chart_line(&chart, 1, x, y, whole.count);
    chart_end(&chart);
    page_add(html, "<figcaption>");
    page_add_prose(html, desc);
    page_add(html, " The verdict of the match answers another question: which player is stronger.");
    if (sprt->model == SPRT_NORMALIZED) {
        page_add(html, " Normalized Elo measures a difference in standard deviations of the score "
                       "of a game, so that it hardly depends on the share of draws.");
    }
    page_add(html, "</figcaption></figure>\n");
}
