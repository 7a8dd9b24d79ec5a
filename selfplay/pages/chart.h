// SPDX-License-Identifier: GPL-3.0-or-later
// Charts as inline SVG for an HTML page: axes with units, lines, and points with error bars.
// Colours and fonts come from the style sheet of all pages (core/command/page.h; classes grid,
// axis, tick, label, series-N, bar and dot-N). Lengths are in the units of the picture's
// coordinates.
#pragma once

#include <stdbool.h>

#include "core/command/page.h"

typedef struct Chart {
    Html *svg;                       // text to which the SVG is appended; borrowed
    double whole;                    // width of the picture
    double left, top, width, height; // edges and size of the plotting area
    double x0, x1, y0, y1;           // data values at the edges of the plotting area
    bool across;                     // data values lie along x, not along y; set by chart_rows()
    bool framed;                     // true after the frame of the plotting area was drawn
    bool hollow;                     // draw the next points hollow; the caller sets this member
    double legend;                   // total width of the legend's entries so far
} Chart;

// A range of data values, for example of an axis. {NAN, NAN} is the empty range.
typedef struct Span {
    double low, high;
} Span;
// Extends the range to value - half, value and value + half, as far as these are finite.
void span_add(Span *span, double value, double half);

// Extends the range at both ends by 4 % of its length, so that no value lies at the end of an axis.
void span_widen(Span *span);

// Begins a picture. `id` is its name in the page, `title` its name and `desc` a description of the
// data; screen readers read both. `left` and `bottom` are the space for the labels of the axes.
void chart_begin(Chart *chart, Html *svg, const char *id, const char *title, const char *desc,
                 double width, double height, double left, double bottom);
void chart_end(Chart *chart);

// Return the coordinate of a data value in the picture.
double chart_x(const Chart *chart, double value);
double chart_y(const Chart *chart, double value);

// Sets the range of an axis to `low`..`high`, widened to the next ticks. Draws grid lines and
// numbers at the ticks, about `most` of them, and the name of the axis, which includes its unit.
void chart_axis_x(Chart *chart, double low, double high, int most, const char *name);
void chart_axis_y(Chart *chart, double low, double high, int most, const char *name);
// Like chart_axis_x() for a count: the axis goes from 0 to `last`, at least 1, and only whole
// numbers have ticks.
void chart_axis_count(Chart *chart, int last, int most, const char *name);
// Draw a line across the whole plotting area, at a data value of y or x. `class_name` is its class
// in the style sheet.
void chart_rule_y(Chart *chart, double y, const char *class_name);
void chart_rule_x(Chart *chart, double x, const char *class_name);

// Draws a line through `count` points. Omits points that are not finite. `series` 1, 2, ... selects
// the colour.
void chart_line(Chart *chart, int series, const double *x, const double *y, int count);
// Vertical distance between the lines of a name that chart_rows() draws.
enum { CHART_ROW_LINE = 19 };
// Returns the space that chart_rows() needs to the left of the plotting area for the names of the
// rows, in a picture of this width. Assumes letters as on a phone, where they are widest in
// relation to the picture (page.css).
double chart_rows_left(const char *const *names, int count, double width);
// Divides the plotting area into named rows, from the top down. The rows replace the y axis: row i
// covers y from i to i + 1. A name may have several lines.
void chart_rows(Chart *chart, const char *const *names, int count);
// Draws an error bar from `low` to `high`, cut off at the edges of the plotting area. The bar is
// vertical at x = `at` or, in a chart with rows (chart_rows()), horizontal at y = `at`.
void chart_bar(Chart *chart, int series, double at, double low, double high);
// Draws a point with an error bar of `half` to both sides and the tooltip "WHAT: VALUE +- HALF (95
// %)". If `half` is NAN, the point has no error bar. Draws nothing if `at` or `value` is not
// finite.
void chart_point(Chart *chart, int series, double at, double value, double half, int decimals,
                 const char *what, ...) PRINTF_LIKE(7, 8);
// Adds an entry to the legend above the plotting area. The entry shows a point of the series, on a
// short line if `line` is set, and then the text.
void chart_legend(Chart *chart, int series, bool line, const char *text);
