// SPDX-License-Identifier: GPL-3.0-or-later
// The section about the terms that are new or whose weights the fit changed most.
#include <math.h>

#include "tuner/report/report_internal.h"
#include "tuner/report/weight_show.h"

enum { MOST_CHANGED = 5 }; // largest number of terms that the report marks as "changed most"

const char *report_mark(const Report *report, const WeightTerm *term) {
    const TermChange *change = &report->change[term - weight_terms];
    return change->is_new ? "new" : change->most ? "changed most" : "";
}

void report_order(const Report *report, int order[WEIGHT_TERM_COUNT]) {
    int count = 0;
    for (int rank = 0; rank < 3; rank++) {
        for (int t = 0; t < WEIGHT_TERM_COUNT; t++) {
            const TermChange *change = &report->change[t];
            if ((change->is_new ? 0 : change->most ? 1 : 2) == rank) order[count++] = t;
        }
    }
}

bool report_has_changes(const Report *report) {
    bool any = false;
    for (int t = 0; t < WEIGHT_TERM_COUNT; t++) any = any || *report_mark(report, &weight_terms[t]);
    return any;
}

void report_find_changes(Report *report) {
    const FitRecord *record = &report->record;
    for (int t = 0; t < WEIGHT_TERM_COUNT; t++) {
        const WeightTerm *term = &weight_terms[t];
        TermChange *change = &report->change[t];
        *change = (TermChange){.is_new = record->new_term[t], .weight = -1};
        for (int i = 2 * term->first; i < 2 * (term->first + term->count); i++) {
            const double size = fabs(report->flat[i] - record->start[i]) / record->error[i];
            if (!(record->error[i] > 0) || !(size > change->size)) continue;
            if (report_is_prior(report, i)) continue;
            change->size = size;
            change->weight = i;
        }
    }
    for (int k = 0; k < MOST_CHANGED; k++) {
        TermChange *largest = NULL;
        for (int t = 0; t < WEIGHT_TERM_COUNT; t++) {
            TermChange *change = &report->change[t];
            // A change that is smaller than its 95 % error may be chance.
            if (change->is_new || change->most || !(change->size > Z95)) continue;
            if (!largest || change->size > largest->size) largest = change;
        }
        if (largest) largest->most = true;
    }
}

// Appends the description of a term as a link to the picture that shows the term, followed by the
// name of the term.
static void add_link(Report *report, const WeightTerm *term) {
    const bool table = term->shape != SHAPE_NONE;
    page_add(report->html, "<a href='#%s%s'>%s</a> <code>%s</code>",
             table             ? "board-"
             : term->count > 1 ? "count-"
                               : "",
             table || term->count > 1      ? term->name
             : term->part == TERM_MATERIAL ? "material"
                                           : "singles",
             term->meaning, term->name);
}

static void add_change(Report *report, int t) {
    const WeightTerm *term = &weight_terms[t];
    const int weight = report->change[t].weight;
    page_add(report->html, "<tr><td>");
    add_link(report, term);
    page_add(report->html, "</td><td>");
    if (weight >= 0) {
        AUTO(Text) name = {0};
        weight_show_name(weight / 2, &name);
        page_add(report->html, "%s, %s: ", name.data, weight % 2 ? "endgame" : "middlegame");
        page_add_number(report->html, report->record.start[weight], 0, false);
        page_add(report->html, "\xc2\xa0\xe2\x86\x92\xc2\xa0");
        page_add_number(report->html, report->flat[weight], 0, false);
        page_add(report->html, "\xc2\xa0\xc2\xb1\xc2\xa0%.0f", Z95 * report->record.error[weight]);
    } else {
        page_add(report->html, "each weight kept its start value or was determined by the prior");
    }
    page_add(report->html, "</td></tr>\n");
}

void report_changes(Report *report) {
    int order[WEIGHT_TERM_COUNT];
    size_t length = 0;
    const char *start = fit_record_option(&report->record, "weights", &length);
    report_order(report, order);
    page_paragraph(report,
                   "The fit started from %.*s. These are the terms that the start did not know, "
                   "and at most %d others, whose weights changed most in units of their "
                   "standard errors, and by more than half the 95 %% interval. Changes of weights "
                   "that the prior "
                   "determined do not count. Each term is shown with its largest change. These "
                   "terms come first in their sections, where they have a mark.",
                   (int)length, start ? start : "", MOST_CHANGED);
    page_add(report->html, "<figure id='changes'><table class='facts'><tbody>\n");
    for (int k = 0; k < WEIGHT_TERM_COUNT && *report_mark(report, &weight_terms[order[k]]); k++) {
        const bool is_new = report->change[order[k]].is_new;
        if (k == 0 || is_new != report->change[order[k - 1]].is_new) {
            page_add(report->html, "<tr><th colspan='2' scope='rowgroup'>%s</th></tr>\n",
                     is_new ? "New terms" : "Terms that changed most");
        }
        add_change(report, order[k]);
    }
    page_add(report->html, "</tbody></table>\n");
    page_figure_end(report, "A weight in units (100: a classic soldier) at the start of the fit "
                            "and after it, with its 95 % interval.");
}
