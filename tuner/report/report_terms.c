// SPDX-License-Identifier: GPL-3.0-or-later
#include "tuner/report/report_terms.h"

#include <math.h>
#include <string.h>

#include "core/base/memory.h"
#include "selfplay/pages/chart.h"
#include "selfplay/stats/stats.h"
#include "tuner/report/weight_board.h"
#include "tuner/rows/term_names.h"

enum { WIDTH = 480, HEIGHT = 260, LEFT = 80, BOTTOM = 48, HALF_FILES = 5 };

typedef struct TermsPage {
    const TermTable *table;
    const double (*start)[2];
    Html html;
    int figures; // number of figures so far, for their ids
} TermsPage;

static const char *phase_name(const TermsPage *page, int phase) {
    return !page->table->terms->phased ? "value" : phase ? "endgame" : "middlegame";
}

// ---- tables -------------------------------------------------------------------------------------

// Copies numbers of a family to the squares of a board. A table of five files shows both halves.
static void fill_board(const TermFamily *family, const double *of_member, double *board) {
    for (int s = 0; s < SQUARE_COUNT; s++) board[s] = NAN;
    for (int i = 0; i < family->count; i++) {
        const int files = family->kind == FAMILY_HALF ? HALF_FILES : FILE_COUNT;
        const int place = term_family_place(family, i), file = place % files, rank = place / files;
        if (rank >= RANK_COUNT) continue;
        board[rank * FILE_COUNT + file] = of_member[i];
        if (files == HALF_FILES) board[rank * FILE_COUNT + FILE_COUNT - 1 - file] = of_member[i];
    }
}

static void add_board(TermsPage *page, const TermFamily *family, int phase, bool change) {
    double board[SQUARE_COUNT];
    AUTO_FREE double *of_member = memory_alloc((size_t)family->count, sizeof *of_member);
    AUTO(Text) title = {0};
    for (int i = 0; i < family->count; i++) {
        const int term = family->terms[i];
        of_member[i] = page->table->weights[term][phase] - (change ? page->start[term][phase] : 0);
    }
    fill_board(family, of_member, board);
    text_add(&title, "%s, %s%s", family->name, phase_name(page, phase),
             change ? ": change by the fit" : "");
    page_add(&page->html, "<div><h4>%s</h4>\n", title.data);
    square_board_figure(board, title.data, &page->html);
    page_add(&page->html, "</div>\n");
}

static void add_table(TermsPage *page, const TermFamily *family) {
    page_add(&page->html, "<figure><h3>%s</h3><div class='boards'>\n", family->name);
    for (int phase = 0; phase < 1 + page->table->terms->phased; phase++) {
        add_board(page, family, phase, false);
        add_board(page, family, phase, true);
    }
    page_add(&page->html, "</div><figcaption>Values and changes by square, seen from the own side. "
                          "The largest absolute value of each board has the strongest colour."
                          "</figcaption></figure>\n");
}

// ---- curves -------------------------------------------------------------------------------------

static void add_curve(TermsPage *page, const TermFamily *family, int phase) {
    const size_t n = (size_t)family->count;
    AUTO_FREE double *x = memory_alloc(n, sizeof *x);
    AUTO_FREE double *fitted = memory_alloc(n, sizeof *fitted);
    AUTO_FREE double *old = memory_alloc(n, sizeof *old);
    AUTO(Text) title = {0};
    Span span = {NAN, NAN};
    Chart chart;
    char id[32];
    int last = 1;
    for (int i = 0; i < family->count; i++) {
        const int term = family->terms[i];
        x[i] = term_family_place(family, i);
        fitted[i] = page->table->weights[term][phase];
        old[i] = page->start[term][phase];
        last = x[i] > last ? (int)x[i] : last;
        span_add(&span, fitted[i], Z95 * page->table->errors[term][phase]);
        span_add(&span, old[i], 0);
    }
    span_widen(&span);
    text_add(&title, "%s, %s", family->name, phase_name(page, phase));
    snprintf(id, sizeof id, "curve-%d", page->figures++);
    page_add(&page->html, "<figure><h3>%s</h3>\n", title.data);
    chart_begin(&chart, &page->html, id, title.data, "Start and fitted values by number.", WIDTH,
                HEIGHT, LEFT, BOTTOM);
    chart_axis_count(&chart, last, 10, "number");
    chart_axis_y(&chart, span.low, span.high, 6, "value");
    chart_line(&chart, 2, x, old, family->count);
    chart_line(&chart, 1, x, fitted, family->count);
    for (int i = 0; i < family->count; i++) {
        const int term = family->terms[i];
        chart_point(&chart, 1, x[i], fitted[i], Z95 * page->table->errors[term][phase], 1, "%s",
                    page->table->terms->names[term]);
    }
    chart_legend(&chart, 1, true, "fitted");
    chart_legend(&chart, 2, true, "start");
    chart_end(&chart);
    page_add(&page->html, "</figure>\n");
}

// ---- other terms --------------------------------------------------------------------------------

static void add_cells(TermsPage *page, int term) {
    for (int phase = 0; phase < 1 + page->table->terms->phased; phase++) {
        page_add(&page->html, "<td>");
        page_add_number(&page->html, page->start[term][phase], 2, false);
        page_add(&page->html, "</td><td>");
        page_add_number(&page->html, page->table->weights[term][phase], 2, false);
        page_add(&page->html, "</td><td>");
        page_add_number(&page->html, Z95 * page->table->errors[term][phase], 2, false);
        page_add(&page->html, "</td>");
    }
}

// Returns true if a family has one term, which stands in the list. A curve needs two points.
static bool is_single(const TermFamily *family) {
    return family->kind == FAMILY_SINGLE || (family->kind == FAMILY_CURVE && family->count == 1);
}

static void add_singles(TermsPage *page, const TermFamilies *families) {
    const int phases = 1 + page->table->terms->phased;
    int rows = 0;
    for (int f = 0; f < families->count; f++) {
        const TermFamily *family = &families->list[f];
        if (!is_single(family)) continue;
        if (rows++ == 0) {
            page_section_begin(&page->html, "s-single", "Single terms", "");
            page_add(&page->html, "<figure><div class='scroll' tabindex='0'><table><thead><tr>"
                                  "<th>term</th>");
            for (int phase = 0; phase < phases; phase++) {
                page_add(&page->html, "<th>%s, start</th><th>fitted</th><th>\xc2\xb1 95 %%</th>",
                         phase_name(page, phase));
            }
            page_add(&page->html, "</tr></thead><tbody>\n");
        }
        page_add(&page->html, "<tr><td>%s</td>", family->name);
        add_cells(page, family->terms[0]);
        page_add(&page->html, "</tr>\n");
    }
    if (rows == 0) return;
    page_add(&page->html, "</tbody></table></div></figure>\n");
    page_section_end(&page->html);
}

static void add_curves(TermsPage *page, const TermFamilies *families) {
    bool begun = false;
    for (int f = 0; f < families->count; f++) {
        const TermFamily *family = &families->list[f];
        if (family->kind != FAMILY_CURVE || is_single(family)) continue;
        if (!begun) page_section_begin(&page->html, "s-curves", "Curves", "pictures");
        begun = true;
        for (int phase = 0; phase < 1 + page->table->terms->phased; phase++) {
            add_curve(page, family, phase);
        }
    }
    if (begun) page_section_end(&page->html);
}

static void add_tables(TermsPage *page, const TermFamilies *families) {
    bool begun = false;
    for (int f = 0; f < families->count; f++) {
        const TermFamily *family = &families->list[f];
        if (family->kind == FAMILY_CURVE || is_single(family)) continue;
        if (!begun) page_section_begin(&page->html, "s-tables", "Tables of squares", "");
        begun = true;
        add_table(page, family);
    }
    if (begun) page_section_end(&page->html);
}

// Adds the result of the fit, what to do next, and how the fit was made.
static void add_facts(TermsPage *page, const TermsFacts *facts) {
    AUTO_FREE char *lines = memory_copy_text(facts->lines);
    char *cursor = lines;
    page_add(&page->html, "<p class='verdict'>");
    page_add_prose(&page->html, facts->verdict);
    page_add(&page->html, "</p>\n<p>");
    page_add_prose(&page->html, facts->next);
    page_add(&page->html, "</p>\n<ul>\n");
    for (const char *line; (line = text_next_field(&cursor, '\n'));) {
        if (!*line) continue;
        page_add(&page->html, "<li>");
        page_add_prose(&page->html, line);
        page_add(&page->html, "</li>\n");
    }
    page_add(&page->html, "</ul>\n<p>Made by: <code>");
    page_add_command(&page->html, facts->command);
    page_add(&page->html, "</code></p>\n");
}

Status report_terms_write(const TermTable *table, const double (*start)[2], const TermsFacts *facts,
                          const char *path, Err *err) {
    AUTO(TermFamilies) families = {0};
    TermsPage page = {.table = table, .start = start};
    term_families_init(&families, table->terms);
    page_begin(&page.html, "Fitted terms", NULL);
    add_facts(&page, facts);
    add_singles(&page, &families);
    add_curves(&page, &families);
    add_tables(&page, &families);
    page_end(&page.html, NULL);
    const Status status = page_write(&page.html, path, err);
    html_clear(&page.html);
    return status;
}
