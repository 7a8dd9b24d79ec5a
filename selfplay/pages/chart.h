// SPDX-License-Identifier: GPL-3.0-or-later
// Plots as inline SVG for an HTML page: axes with units, lines, points with error bars. Colours and
// fonts come from the page's style sheet (classes grid axis tick label series-N bar dot-N), so that
// light, dark and print each have theirs. Lengths are pixels of the picture's own coordinates.
#pragma once

#include <stdbool.h>

#include "core/base/text.h"

typedef struct Chart {
    Text *svg;                       // borrowed
    double left, top, width, height; // of the plotting area
    double x0, x1, y0, y1;           // data at its edges
    bool across;                     // values lie along x, as chart_rows() has it
    double legend;                   // pixels of the legend so far
} Chart;

// A range that values are added to; begins as {NAN, NAN}, or as one that is to be in it.
typedef struct Span {
    double low, high;
} Span;
// Adds value - half and value + half, of which those that are not finite say nothing.
void span_add(Span *span, double value, double half);

// Text as XML: & < > and quotes escaped, what is not UTF-8 or no character replaced by '?'.
void svg_add_escaped(Text *svg, const char *text);
// A number with a true minus sign; plus: a sign in front of positive ones, too.
void svg_add_number(Text *svg, double value, int decimals, bool plus);

// Opens the picture: id names it for labels, title says what it is and desc what is seen (both are
// read to those who do not see it). left and bottom: room for the labels of the axes.
void chart_begin(Chart *chart, Text *svg, const char *id, const char *title, const char *desc,
                 double width, double height, double left, double bottom);
void chart_end(Chart *chart);

double chart_x(const Chart *chart, double value);
double chart_y(const Chart *chart, double value);

// Sets the range, draws grid lines at the ticks with their numbers, and the axis's name with unit.
void chart_axis_x(Chart *chart, double low, double high, int most, const char *name);
void chart_axis_y(Chart *chart, double low, double high, int most, const char *name);
// A horizontal or vertical line of a class across the whole area.
void chart_rule_y(Chart *chart, double y, const char *class_name);
void chart_rule_x(Chart *chart, double x, const char *class_name);

// Points in order, joined; those that are not finite are left out. series 1, 2, ... are colours.
void chart_line(Chart *chart, int series, const double *x, const double *y, int count);
// Rows from the top down instead of a y axis: row i lies between i and i + 1 and has its name left.
void chart_rows(Chart *chart, const char *const *names, int count);
// A dot with a bar of `half` to both sides (NAN: none), cut off at the area's edges, and a tooltip:
// "WHAT: VALUE +- HALF (95 %)".
void chart_point(Chart *chart, int series, double at, double value, double half, int decimals,
                 const char *what, ...) PRINTF_LIKE(7, 8);
// The next entry of the legend above the area.
void chart_legend(Chart *chart, int series, bool line, const char *text);

// ---- the page they stand on ---------------------------------------------------------------------

// A file of the repository as a text in the program; the Makefile names it beside the object.
#define EMBED_TEXT(name, path)                                                                     \
    extern const char name[] __attribute__((visibility("hidden")));                                \
    __asm__(".pushsection .rodata\n" #name ":\n.incbin \"" path "\"\n.byte 0\n.popsection")

// The style of charts, boards and tables.
const char *chart_page_style(void);
// An HTML page, well-formed XML too, with the style of charts and boards and its title as heading;
// and its end.
void chart_page_begin(Text *html, const char *title);
void chart_page_end(Text *html);
