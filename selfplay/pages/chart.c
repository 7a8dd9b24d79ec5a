// SPDX-License-Identifier: GPL-3.0-or-later
#include "selfplay/pages/chart.h"

#include <math.h>
#include <string.h>

// END is the distance of the largest value of an x axis from the frame, so that a line or point
// there does not end on the frame.
enum { TOP = 34, RIGHT = 28, TICK_ROOM = 6, END = 8 };
// Estimated width of one letter in a chart on a phone, divided by the width of the chart.
#define LETTER 0.0195

void chart_begin(Chart *chart, Html *svg, const char *id, const char *title, const char *desc,
                 double width, double height, double left, double bottom) {
    *chart = (Chart){.svg = svg,
                     .whole = width,
                     .left = left,
                     .top = TOP,
                     .width = width - left - RIGHT,
                     .height = height - TOP - bottom,
                     .x1 = 1,
                     .y1 = 1};
    page_add(svg,
             "<svg class='chart w%g' xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %g %g' "
             "role='img' aria-labelledby='%s-title %s-desc'>\n<title id='%s-title'>%s</title>\n"
             "<desc id='%s-desc'>%s</desc>\n",
             width, width, height, id, id, id, title, id, desc);
}

static void add_frame(Chart *chart) {
    if (chart->framed) return;
    chart->framed = true;
    page_add(chart->svg, "<rect class='axis' x='%.1f' y='%.1f' width='%.1f' height='%.1f'/>\n",
             chart->left, chart->top, chart->width, chart->height);
}

void chart_end(Chart *chart) {
    add_frame(chart);
    page_add(chart->svg, "</svg>\n");
}

double chart_x(const Chart *chart, double value) {
    return chart->left + (chart->width - END) * (value - chart->x0) / (chart->x1 - chart->x0);
}
double chart_y(const Chart *chart, double value) {
    return chart->top + chart->height * (chart->y1 - value) / (chart->y1 - chart->y0);
}

void span_add(Span *span, double value, double half) {
    const double ends[] = {value - half, value, value + half};
    for (int i = 0; i < 3; i++) {
        if (!isfinite(ends[i])) continue;
        if (!(span->low <= ends[i])) span->low = ends[i];
        if (!(span->high >= ends[i])) span->high = ends[i];
    }
}

void span_widen(Span *span) {
    const double room = 0.04 * (span->high - span->low);
    span->low -= room;
    span->high += room;
}

// ---- axes ---------------------------------------------------------------------------------------

// Widens the range *low..*high to multiples of a round number, and sets *step to this number, the
// distance of the ticks. The range then has at most `most` + 1 steps. Replaces a range that is
// empty or not finite.
static void chart_nice(double *low, double *high, int most, double *step) {
    if (!isfinite(*high - *low)) {
        *low = 0;
        *high = 1;
    }
    if (!(*high - *low > 1e-12 * fmax(1.0, fabs(*low)))) {
        const double room = fabs(*low) < 1e-6 ? 1 : fmax(1e-6, 0.01 * fabs(*low));
        *low -= room;
        *high += room;
    }
    const double rough = (*high - *low) / most, decade = pow(10.0, floor(log10(rough)));
    static const double kinds[] = {1, 2, 2.5, 5, 10};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        *step = kinds[i] * decade;
        if (*step >= rough * (1 - 1e-9)) break;
    }
    *low = floor(*low / *step + 1e-9) * *step;
    *high = ceil(*high / *step - 1e-9) * *step;
}

// Returns the number of decimals that the numbers at the ticks need if `step` is the distance of
// the ticks.
static int chart_decimals(double step) {
    int decimals = 0;
    while (decimals < 12 && fabs(step - round(step)) > 1e-6 * step) {
        step *= 10.0;
        decimals++;
    }
    return decimals;
}

static void chart_text(Chart *chart, double x, double y, const char *anchor, const char *class_name,
                       const char *text) {
    page_add(chart->svg, "<text x='%.1f' y='%.1f' text-anchor='%s' class='%s'>%s</text>\n", x, y,
             anchor, class_name, text);
}

static void grid_line(Chart *chart, double x1, double y1, double x2, double y2, const char *name) {
    page_add(chart->svg, "<line class='%s' x1='%.1f' y1='%.1f' x2='%.1f' y2='%.1f'/>\n", name, x1,
             y1, x2, y2);
}

void chart_rule_y(Chart *chart, double y, const char *class_name) {
    const double at = chart_y(chart, y);
    grid_line(chart, chart->left, at, chart->left + chart->width, at, class_name);
}
void chart_rule_x(Chart *chart, double x, const char *class_name) {
    const double at = chart_x(chart, x);
    grid_line(chart, at, chart->top, at, chart->top + chart->height, class_name);
}

static void add_tick(Chart *chart, bool across, double value, int decimals) {
    (across ? chart_rule_x : chart_rule_y)(chart, value, "grid");
    page_add(chart->svg, "<text x='%.1f' y='%.1f' text-anchor='%s' class='tick'>",
             across ? chart_x(chart, value) : chart->left - TICK_ROOM,
             across ? chart->top + chart->height + 21 : chart_y(chart, value) + 4,
             across ? "middle" : "end");
    page_add_number(chart->svg, value, decimals, false);
    page_add(chart->svg, "</text>\n");
}

// Returns true if the numbers at the ticks of an x axis would overlap.
static bool is_crowded(const Chart *chart, double low, double high, double step) {
    const int decimals = chart_decimals(step);
    const int a = snprintf(NULL, 0, "%.*f", decimals, low);
    const int b = snprintf(NULL, 0, "%.*f", decimals, high);
    return LETTER * chart->whole * ((a > b ? a : b) + 0.5) * (high - low) / step > chart->width;
}

// Sets the range of an axis and draws its grid lines and numbers.
static void add_axis(Chart *chart, bool across, double from, double to, int most) {
    double low, high, step;
    do {
        low = from;
        high = to;
        chart_nice(&low, &high, most, &step);
    } while (across && most-- > 2 && is_crowded(chart, low, high, step));
    *(across ? &chart->x0 : &chart->y0) = low;
    *(across ? &chart->x1 : &chart->y1) = high;
    const int ticks = (int)lround((high - low) / step);
    for (int i = 0; i <= ticks; i++) {
        add_tick(chart, across, low + i * step, chart_decimals(step));
    }
}

// Writes the name of the x axis below the middle of the plotting area. A long name is moved to the
// left, so that it fits into the picture.
static void name_axis_x(Chart *chart, const char *name) {
    const double half = LETTER * chart->whole * (double)strlen(name) / 2;
    chart_text(chart, fmin(chart->left + chart->width / 2, chart->whole - half),
               chart->top + chart->height + 44, "middle", "label", name);
}

void chart_axis_x(Chart *chart, double low, double high, int most, const char *name) {
    add_axis(chart, true, low, high, most);
    name_axis_x(chart, name);
}

void chart_axis_count(Chart *chart, int last, int most, const char *name) {
    if (last < 1) last = 1;
    double low = 0, high = last, step;
    chart_nice(&low, &high, most, &step);
    step = ceil(step);
    chart->x0 = 0;
    chart->x1 = last;
    for (double at = 0; last - at >= step / 2; at += step) add_tick(chart, true, at, 0);
    add_tick(chart, true, last, 0);
    name_axis_x(chart, name);
}

void chart_axis_y(Chart *chart, double low, double high, int most, const char *name) {
    add_axis(chart, false, low, high, most);
    const double middle = chart->top + chart->height / 2;
    page_add(chart->svg,
             "<text x='19' y='%.1f' transform='rotate(-90 19 %.1f)' text-anchor='middle' "
             "class='label'>%s</text>\n",
             middle, middle, name);
}

// ---- data ---------------------------------------------------------------------------------------

void chart_line(Chart *chart, int series, const double *x, const double *y, int count) {
    bool begun = false;
    add_frame(chart);
    page_add(chart->svg, "<path class='line series-%d' d='", series);
    for (int i = 0; i < count; i++) {
        if (!isfinite(x[i]) || !isfinite(y[i])) continue;
        page_add(chart->svg, "%c%.1f %.1f", begun ? 'L' : 'M', chart_x(chart, x[i]),
                 chart_y(chart, y[i]));
        begun = true;
    }
    if (!begun) page_add(chart->svg, "M0 0");
    page_add(chart->svg, "'/>\n");
}

// Draws a point. Series 1, 2 and 3 have different shapes for readers who cannot distinguish the
// colours.
static void dot(Chart *chart, int series, double x, double y) {
    char style[32];
    snprintf(style, sizeof style, chart->hollow ? "hollow series-%d" : "dot-%d", series);
    if (series == 1) {
        page_add(chart->svg, "<circle class='%s' cx='%.1f' cy='%.1f' r='4'/>", style, x, y);
    } else if (series == 2) {
        page_add(chart->svg, "<rect class='%s' x='%.1f' y='%.1f' width='7.6' height='7.6'/>", style,
                 x - 3.8, y - 3.8);
    } else {
        page_add(chart->svg, "<path class='%s' d='M%.1f %.1fl5.4 5.4l-5.4 5.4l-5.4 -5.4z'/>", style,
                 x, y - 5.4);
    }
}

// Returns the coordinate of a data value on the axis of the values. A value outside of the range of
// the axis gets the coordinate of the nearer end.
static double value_place(const Chart *chart, double value) {
    const double a = chart->across ? chart->x0 : chart->y0,
                 b = chart->across ? chart->x1 : chart->y1;
    const double at = fmax(a, fmin(b, value));
    return chart->across ? chart_x(chart, at) : chart_y(chart, at);
}

void chart_bar(Chart *chart, int series, double at, double low, double high) {
    const double from = value_place(chart, low), to = value_place(chart, high);
    const double across = chart->across ? chart_y(chart, at) : chart_x(chart, at);
    add_frame(chart);
    page_add(chart->svg, "<line class='bar series-%d' x1='%.1f' y1='%.1f' x2='%.1f' y2='%.1f'/>",
             series, chart->across ? from : across, chart->across ? across : from,
             chart->across ? to : across, chart->across ? across : to);
}

void chart_point(Chart *chart, int series, double at, double value, double half, int decimals,
                 const char *what, ...) {
    AUTO(Text) tip = {0};
    va_list args;
    const double along = value_place(chart, value);
    const double across = chart->across ? chart_y(chart, at) : chart_x(chart, at);
    if (!isfinite(at) || !isfinite(value)) return;
    add_frame(chart);
    va_start(args, what);
    text_add_args(&tip, what, args);
    va_end(args);
    text_add(&tip, ": ");
    text_add_number(&tip, value, decimals, false);
    if (isfinite(half)) text_add(&tip, " \xc2\xb1 %.*f (95 %%)", decimals, half);
    page_add(chart->svg, "<g><title>%s</title>", tip.data);
    if (isfinite(half)) chart_bar(chart, series, at, value - half, value + half);
    dot(chart, series, chart->across ? along : across, chart->across ? across : along);
    page_add(chart->svg, "</g>\n");
}

double chart_rows_left(const char *const *names, int count, double width) {
    size_t longest = 0;
    for (int i = 0; i < count; i++) {
        for (const char *line = names[i]; *line; line += *line == '\n') {
            const size_t length = strcspn(line, "\n");
            longest = length > longest ? length : longest;
            line += length;
        }
    }
    return 12 + LETTER * width * (double)longest;
}

void chart_rows(Chart *chart, const char *const *names, int count) {
    chart->across = true;
    chart->y0 = count > 0 ? count : 1;
    chart->y1 = 0;
    for (int i = 0; i < count; i++) {
        AUTO(Text) name = {0};
        text_add(&name, "%s", names[i]);
        int lines = 1;
        for (const char *c = names[i]; *c; c++) lines += *c == '\n';
        char *rest = name.data, *line;
        double y = chart_y(chart, i + 0.5) + 4 - CHART_ROW_LINE * (lines - 1) / 2.0;
        for (; (line = text_next_field(&rest, '\n')); y += CHART_ROW_LINE) {
            chart_text(chart, chart->left - 8, y, "end", "tick", line);
        }
    }
}

void chart_legend(Chart *chart, int series, bool line, const char *text) {
    // The long names of rows leave little width to the right of them, so the legend begins at the
    // left edge of the picture.
    const double x = (chart->across ? 8 : chart->left) + chart->legend, y = 17;
    if (line) {
        page_add(chart->svg, "<path class='line series-%d' d='M%.1f %.1fh20'/>", series, x, y);
    }
    dot(chart, series, x + 10, y);
    chart_text(chart, x + 25, y + 4, "start", "tick", text);
    chart->legend += 44 + LETTER * chart->whole * (double)strlen(text);
}
