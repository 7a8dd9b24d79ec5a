// SPDX-License-Identifier: GPL-3.0-or-later
#include "tuner/report/chart.h"

#include <math.h>
#include <string.h>

enum { TOP = 34, RIGHT = 14, TICK_ROOM = 6 };

void svg_add_escaped(Text *svg, const char *text) {
    const char *end = text + strlen(text);
    while (text < end) {
        const char *from = text;
        const int32_t c = text_next_utf8(&text, end);
        if (c == '&') {
            text_add(svg, "&amp;");
        } else if (c == '<') {
            text_add(svg, "&lt;");
        } else if (c == '>') {
            text_add(svg, "&gt;");
        } else if (c == '\'' || c == '"') {
            text_add(svg, "&#%d;", (int)c);
        } else if (c < 0 || (c < ' ' && c != '\n' && c != '\t') || c == 0xfffe || c == 0xffff) {
            text_add(svg, "?");
        } else {
            text_add_bytes(svg, from, (size_t)(text - from));
        }
    }
}

void svg_add_number(Text *svg, double value, int decimals, bool plus) {
    char digits[64];
    if (!isfinite(value)) {
        text_add(svg, "\xe2\x80\x93"); // a dash
        return;
    }
    snprintf(digits, sizeof digits, "%.*f", decimals, fabs(value));
    const bool zero = strspn(digits, "0.") == strlen(digits);
    text_add(svg, "%s%s", zero ? "" : value < 0 ? "\xe2\x88\x92" : plus ? "+" : "", digits);
}

void chart_begin(Chart *chart, Text *svg, const char *id, const char *title, const char *desc,
                 double width, double height, double left, double bottom) {
    *chart = (Chart){svg, left, TOP, width - left - RIGHT, height - TOP - bottom, 0, 1, 0, 1};
    text_add(svg,
             "<svg class='chart' xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %g %g' role='img' "
             "aria-labelledby='%s-title %s-desc'>\n<title id='%s-title'>",
             width, height, id, id, id);
    svg_add_escaped(svg, title);
    text_add(svg, "</title>\n<desc id='%s-desc'>", id);
    svg_add_escaped(svg, desc);
    text_add(svg, "</desc>\n");
}

void chart_end(Chart *chart) {
    text_add(chart->svg, "<rect class='axis' x='%.1f' y='%.1f' width='%.1f' height='%.1f'/>\n",
             chart->left, chart->top, chart->width, chart->height);
    text_add(chart->svg, "</svg>\n");
}

double chart_x(const Chart *chart, double value) {
    return chart->left + chart->width * (value - chart->x0) / (chart->x1 - chart->x0);
}
double chart_y(const Chart *chart, double value) {
    return chart->top + chart->height * (chart->y1 - value) / (chart->y1 - chart->y0);
}

// ---- axes ---------------------------------------------------------------------------------------

void chart_nice(double *low, double *high, int most, double *step) {
    if (!isfinite(*high - *low)) {
        *low = 0;
        *high = 1;
    }
    if (!(*high - *low > 1e-12 * fmax(1.0, fabs(*low)))) {
        const double room = fmax(1e-6, 0.01 * fabs(*low));
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

int chart_decimals(double step) {
    int decimals = 0;
    while (decimals < 12 && fabs(step - round(step)) > 1e-6 * step) {
        step *= 10.0;
        decimals++;
    }
    return decimals;
}

void chart_text(Chart *chart, double x, double y, const char *anchor, const char *class_name,
                const char *text) {
    text_add(chart->svg, "<text x='%.1f' y='%.1f' text-anchor='%s' class='%s'>", x, y, anchor,
             class_name);
    svg_add_escaped(chart->svg, text);
    text_add(chart->svg, "</text>\n");
}

static void grid_line(Chart *chart, double x1, double y1, double x2, double y2, const char *name) {
    text_add(chart->svg, "<line class='%s' x1='%.1f' y1='%.1f' x2='%.1f' y2='%.1f'/>\n", name, x1,
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

static void name_x(Chart *chart, const char *name) {
    chart_text(chart, chart->left + chart->width / 2, chart->top + chart->height + 38, "middle",
               "label", name);
}

void chart_axis_x(Chart *chart, double low, double high, int most, const char *name) {
    double step;
    chart_nice(&low, &high, most, &step);
    chart->x0 = low;
    chart->x1 = high;
    const int ticks = (int)lround((high - low) / step);
    for (int i = 0; i <= ticks; i++) {
        const double value = low + i * step;
        chart_rule_x(chart, value, "grid");
        text_add(chart->svg, "<text x='%.1f' y='%.1f' text-anchor='middle' class='tick'>",
                 chart_x(chart, value), chart->top + chart->height + 17);
        svg_add_number(chart->svg, value, chart_decimals(step), false);
        text_add(chart->svg, "</text>\n");
    }
    name_x(chart, name);
}

void chart_axis_x_names(Chart *chart, const char *const *names, int count, const char *name) {
    chart->x0 = 0;
    chart->x1 = count;
    for (int i = 0; i < count; i++) {
        chart_text(chart, chart_x(chart, i + 0.5), chart->top + chart->height + 17, "middle",
                   "tick", names[i]);
    }
    name_x(chart, name);
}

void chart_axis_y(Chart *chart, double low, double high, int most, bool power, const char *name) {
    double step;
    if (power) {
        low = isfinite(low) ? floor(low) : 0;
        high = ceil(high);
        if (!(high > low)) high = low + 1;
        step = fmax(1.0, ceil((high - low) / most));
        high = low + step * ceil((high - low) / step);
    } else {
        chart_nice(&low, &high, most, &step);
    }
    chart->y0 = low;
    chart->y1 = high;
    const int ticks = (int)lround((high - low) / step);
    for (int i = 0; i <= ticks; i++) {
        const double value = low + i * step;
        chart_rule_y(chart, value, "grid");
        text_add(chart->svg, "<text x='%.1f' y='%.1f' text-anchor='end' class='tick'>",
                 chart->left - TICK_ROOM, chart_y(chart, value) + 4);
        if (power) {
            text_add(chart->svg, "10<tspan class='power' dy='-5'>");
            svg_add_number(chart->svg, value, 0, false);
            text_add(chart->svg, "</tspan>");
        } else {
            svg_add_number(chart->svg, value, chart_decimals(step), false);
        }
        text_add(chart->svg, "</text>\n");
    }
    const double middle = chart->top + chart->height / 2;
    text_add(chart->svg,
             "<text x='14' y='%.1f' transform='rotate(-90 14 %.1f)' text-anchor='middle' "
             "class='label'>",
             middle, middle);
    svg_add_escaped(chart->svg, name);
    text_add(chart->svg, "</text>\n");
}

// ---- data ---------------------------------------------------------------------------------------

void chart_line(Chart *chart, int series, const double *x, const double *y, int count) {
    bool begun = false;
    text_add(chart->svg, "<path class='line series-%d' d='", series);
    for (int i = 0; i < count; i++) {
        if (!isfinite(x[i]) || !isfinite(y[i])) continue;
        text_add(chart->svg, "%c%.1f %.1f", begun ? 'L' : 'M', chart_x(chart, x[i]),
                 chart_y(chart, y[i]));
        begun = true;
    }
    text_add(chart->svg, "%s'/>\n", begun ? "" : "M0 0");
}

// The shapes of the series differ, too, for those who do not tell the colours apart.
static void dot(Chart *chart, int series, double x, double y) {
    if (series == 1) {
        text_add(chart->svg, "<circle class='dot-1' cx='%.1f' cy='%.1f' r='4'/>", x, y);
    } else if (series == 2) {
        text_add(chart->svg, "<rect class='dot-2' x='%.1f' y='%.1f' width='7.6' height='7.6'/>",
                 x - 3.8, y - 3.8);
    } else {
        text_add(chart->svg, "<path class='dot-%d' d='M%.1f %.1fl5.4 5.4l-5.4 5.4l-5.4 -5.4z'/>",
                 series, x, y - 5.4);
    }
}

static void dot_with_bar(Chart *chart, int series, double x, double y, const double bar[4],
                         const char *tooltip) {
    text_add(chart->svg, "<g><title>");
    svg_add_escaped(chart->svg, tooltip);
    text_add(chart->svg, "</title>");
    if (isfinite(bar[0] + bar[1] + bar[2] + bar[3])) {
        text_add(chart->svg,
                 "<line class='bar series-%d' x1='%.1f' y1='%.1f' x2='%.1f' y2='%.1f'/>", series,
                 bar[0], bar[1], bar[2], bar[3]);
    }
    dot(chart, series, x, y);
    text_add(chart->svg, "</g>\n");
}

static double within(double value, double low, double high) {
    return value < low ? low : value > high ? high : value;
}

void chart_dot_y(Chart *chart, int series, double x, double y, double low, double high,
                 const char *tooltip) {
    if (!isfinite(x) || !isfinite(y)) return;
    const double at = chart_x(chart, x);
    const double bar[4] = {at, chart_y(chart, within(low, chart->y0, chart->y1)), at,
                           chart_y(chart, within(high, chart->y0, chart->y1))};
    dot_with_bar(chart, series, at, chart_y(chart, within(y, chart->y0, chart->y1)), bar, tooltip);
}

void chart_dot_x(Chart *chart, int series, double x, double y, double low, double high,
                 const char *tooltip) {
    if (!isfinite(x) || !isfinite(y)) return;
    const double at = chart_y(chart, y);
    const double bar[4] = {chart_x(chart, within(low, chart->x0, chart->x1)), at,
                           chart_x(chart, within(high, chart->x0, chart->x1)), at};
    dot_with_bar(chart, series, chart_x(chart, within(x, chart->x0, chart->x1)), at, bar, tooltip);
}

double chart_legend(Chart *chart, double at, int series, bool line, const char *text) {
    const double x = chart->left + at, y = 17;
    if (line) {
        text_add(chart->svg, "<path class='line series-%d' d='M%.1f %.1fh20'/>", series, x, y);
    }
    dot(chart, series, x + 10, y);
    chart_text(chart, x + 25, y + 4, "start", "tick", text);
    return at + 44 + 6.9 * (double)strlen(text);
}
