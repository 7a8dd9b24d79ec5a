// SPDX-License-Identifier: GPL-3.0-or-later
// Judges terms in the output of `paotai tune`. For each new term, which the start weights do not
// contain, prints whether it occurs, which other terms explain it, and whether its value differs
// from 0. Also prints known terms that other terms explain with R2 above 0.9, and how much of each
// fitted term the frozen weights explain (R2).
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/json.h"
#include "core/base/memory.h"
#include "core/system/ranks.h"
#include "tuner/fit/collinearity.h"
#include "tuner/fit/occurrence.h"
#include "tuner/fit/significance.h"
#include "tuner/rows/terms.h"
#include "tuner/tune/tune.h"

bool tune_is_new_term(const TuneFit *tune, int number) {
    const RowTerm term = row_term(&tune->rows, number);
    bool start_known = false, fitted = false;
    for (int i = 0; i < tune->fit.n; i++) start_known = start_known || tune->start_se[i] > 0;
    for (int i = 2 * term.first; i < 2 * (term.first + term.count); i++) {
        if (tune->fit.start[i] != 0 || tune->start_se[i] > 0) return false;
        fitted = fitted || !tune->fit.frozen[i];
    }
    return start_known && fitted;
}

static void choose_term(const TuneFit *tune, int number, bool *chosen) {
    const RowTerm term = row_term(&tune->rows, number);
    memset(chosen, 0, (size_t)tune->fit.n * sizeof *chosen);
    for (int i = 2 * term.first; i < 2 * (term.first + term.count); i++) chosen[i] = true;
}

// Prints a line about a term: output key, name of the term, verdict as a word and as a sentence.
static void print_term_line(const TuneFit *tune, const char *key, const char *name,
                            const char *word, const char *sentence) {
    if (tune->settings.json) {
        record_print(tune->call->out, true, "%s %s term_verdict %s sentence %s", key, name, word,
                     sentence);
        return;
    }
    AUTO(Text) text = {0}, line = {0};
    text_add(&line, "%s %s: %s", name, word, sentence);
    text_add(&text, "%s", key);
    text_add_wrapped(&text, line.data);
    fputs(text.data, tune->call->out);
}

// Prints the verdict on a new term, and appends it to tune->new_terms.
static void print_new(TuneFit *tune, const char *name, const char *word, const char *sentence) {
    text_add(&tune->new_terms, "; %s: %s", name, word);
    print_term_line(tune, "new_term", name, word, sentence);
}

// Appends middlegame and endgame value of a term that has only one pair of weights, with their 95 %
// errors. Appends nothing for other terms.
static void add_value(const TuneFit *tune, const bool *chosen, Text *text) {
    int count = 0, first = 0;
    for (int i = tune->fit.n - 1; i >= 0; i--) {
        count += chosen[i];
        if (chosen[i]) first = i;
    }
    if (count != 2) return;
    const double *value = tune->fit.weights + first, *se = tune->errors.weight + first;
    text_add(text, " (middlegame %.1f +- %.1f, endgame %.1f +- %.1f)", value[0], Z95 * se[0],
             value[1], Z95 * se[1]);
}

// Prints the verdict on a new term that occurs in the fitted positions: "copy" or "near copy" if
// other terms explain it (R2), otherwise "differs from 0" or "may be 0". If only other new terms
// make it a copy, the verdict says so: no player uses these terms, and one of them may be worth
// keeping.
static void judge_by_collinearity(TuneFit *tune, const char *name, const bool *chosen,
                                  const Occurrence *occurrence) {
    const bool significant =
        term_differs_from_zero(tune->fit.weights, tune->errors.data, chosen, tune->fit.n);
    Collinearity all, playing;
    AUTO(Text) sentence = {0}, word = {0};
    collinearity_of_group(&tune->fit, chosen, &all);
    collinearity_of_playing(&tune->fit, chosen, &playing);
    const char *copy = collinearity_word(&all);
    const bool of_new = (collinearity_is_copy(&all) && !collinearity_is_copy(&playing)) ||
                        (copy && !collinearity_word(&playing));
    text_add(&word, "%s%s",
             copy          ? copy
             : significant ? "differs from 0"
                           : "may be 0",
             of_new ? " of other new terms" : "");
    if (collinearity_describe(&all, &tune->rows, &sentence)) text_add(&sentence, "; ");
    if (of_new) {
        text_add(&sentence,
                 "without the other new terms R2 is %.2f, so keep one of these terms and "
                 "fit again; ",
                 fmax(0, playing.r2));
    }
    text_add(&sentence, "its value");
    add_value(tune, chosen, &sentence);
    text_add(
        &sentence,
        collinearity_is_copy(&all) ? " has no meaning by itself"
        : significant
            ? " differs from 0 by more than chance"
            : " does not differ from 0 by more than chance: it may be 0, or the games are too few");
    if (occurrence->games < OCCURRENCE_FEW_GAMES) {
        text_add(&sentence, "; it ");
        occurrence_describe(occurrence, &sentence);
    }
    print_new(tune, name, word.data, sentence.data);
}

static void judge_new(TuneFit *tune, int number) {
    AUTO_FREE bool *chosen = memory_alloc((size_t)tune->fit.n, sizeof *chosen);
    const char *name = row_term(&tune->rows, number).name;
    Occurrence occurrence;
    choose_term(tune, number, chosen);
    occurrence_measure(&tune->rows, chosen, &occurrence);
    if (occurrence_never(&occurrence)) {
        AUTO(Text) sentence = {0};
        occurrence_describe(&occurrence, &sentence);
        print_new(tune, name, "never", sentence.data);
        return;
    }
    judge_by_collinearity(tune, name, chosen, &occurrence);
}

// Prints each known (not new) term that other known terms explain with R2 above
// COLLINEARITY_NEAR_R2. Skips material terms, and terms in which each piece counts in exactly one
// entry (TERM_ENTRY).
static void print_near_copies(const TuneFit *tune) {
    const int terms = row_term_count(&tune->rows);
    AUTO_FREE bool *wanted = memory_alloc((size_t)terms, sizeof *wanted);
    AUTO_FREE bool *by = memory_alloc((size_t)tune->fit.n, sizeof *by);
    AUTO_FREE bool *others = memory_alloc((size_t)tune->fit.n, sizeof *others);
    AUTO_FREE bool *chosen = memory_alloc((size_t)tune->fit.n, sizeof *chosen);
    AUTO_FREE double *r2 = memory_alloc((size_t)terms, sizeof *r2);
    for (int t = 0; t < terms; t++) {
        const RowTerm term = row_term(&tune->rows, t);
        const bool known = !tune_is_new_term(tune, t);
        wanted[t] = known && weight_terms[t].part > TERM_ENTRY;
        for (int i = 2 * term.first; i < 2 * (term.first + term.count); i++) by[i] = known;
    }
    collinearity_scan(&tune->fit, by, wanted, r2);
    for (int t = 0; t < terms; t++) {
        Collinearity collinearity;
        AUTO(Text) sentence = {0};
        if (!(r2[t] > COLLINEARITY_NEAR_R2)) continue;
        choose_term(tune, t, chosen);
        for (int i = 0; i < tune->fit.n; i++) others[i] = by[i] && !chosen[i];
        AUTO_POINTER(Regressors) regressors = regressors_new(&tune->fit, others);
        collinearity_measure(regressors, chosen, &collinearity);
        collinearity_describe(&collinearity, &tune->rows, &sentence);
        print_term_line(tune, "explained_term", row_term(&tune->rows, t).name,
                        collinearity_word(&collinearity), sentence.data);
    }
}

void tune_print_new_terms(TuneFit *tune) {
    if (tune->terms || mpi_size() > 1) return;
    for (int t = 0; t < row_term_count(&tune->rows); t++) {
        if (tune_is_new_term(tune, t)) judge_new(tune, t);
    }
    if (fit_is_whole(&tune->fit)) print_near_copies(tune);
}

// How well frozen weights explain a fitted term.
typedef struct Explained {
    int term;
    double r2;
    Text by; // names of the frozen terms that contribute most
} Explained;

static int compare_explained(const void *a, const void *b) {
    const Explained *x = a, *y = b;
    return x->r2 > y->r2 ? -1 : x->r2 < y->r2 ? 1 : x->term - y->term;
}

// Measures all fitted terms that occur. Returns their number.
static int explain_terms(const TuneFit *tune, const bool *held, Explained *list) {
    const RowSet *rows = &tune->rows;
    AUTO_FREE bool *chosen = memory_alloc((size_t)tune->fit.n, sizeof *chosen);
    AUTO_POINTER(Regressors) regressors = regressors_new(&tune->fit, held);
    int count = 0;
    for (int t = 0; t < row_term_count(rows); t++) {
        Collinearity collinearity;
        choose_term(tune, t, chosen);
        for (int i = 0; i < tune->fit.n; i++) chosen[i] = chosen[i] && !tune->fit.frozen[i];
        collinearity_measure(regressors, chosen, &collinearity);
        if (isnan(collinearity.r2)) continue;
        Explained *explained = &list[count++];
        *explained = (Explained){.term = t, .r2 = collinearity.r2};
        for (int k = 0; k < collinearity.count; k++) {
            // If only the middlegame or only the endgame weight of a term is frozen, this weight
            // may explain the other one. Do not list a term as an explanation of itself.
            if (collinearity.term[k] == t) continue;
            text_add(&explained->by, "%s%s", explained->by.length ? "," : "",
                     row_term(rows, collinearity.term[k]).name);
        }
    }
    return count;
}

void tune_print_explained(const TuneFit *tune) {
    enum { SHOWN = 10 };
    const RowSet *rows = &tune->rows;
    const bool json = tune->settings.json;
    AUTO_FREE bool *held = memory_alloc((size_t)tune->fit.n, sizeof *held);
    AUTO_FREE Explained *list = memory_alloc((size_t)row_term_count(rows), sizeof *list);
    bool any = false;
    for (int i = 0; i < tune->fit.n; i++) {
        const bool used =
            !tune->terms || !tune->terms->value_of || tune->terms->value_of[i / 2][i % 2] >= 0;
        held[i] = tune->fit.frozen[i] && used;
        any = any || held[i];
    }
    if (!any) return;
    const int count = explain_terms(tune, held, list);
    if (count > SHOWN) qsort(list, (size_t)count, sizeof *list, compare_explained);
    for (int i = 0; i < count; i++) {
        const char *name = row_term(rows, list[i].term).name, *by = text_get(&list[i].by);
        if (json || i < SHOWN) {
            record_row(tune->call->out, json,
                       "explained {explained}%s {by_frozen_terms}%.3f ({most_by}%s)\n", name,
                       list[i].r2, *by ? by : "-");
        }
        if (i < SHOWN && list[i].r2 > COLLINEARITY_SOME_R2 && *by) {
            fprintf(tune->call->err,
                    "%s: frozen terms explain %.0f %% of its variance, so its weights may "
                    "compensate for wrong weights of the frozen terms; fit these, too: --fit "
                    "'%s,%s'\n",
                    name, 100 * list[i].r2, name, by);
        }
        text_clear(&list[i].by);
    }
    if (count > SHOWN && !json) {
        fprintf(tune->call->out, "explained: the %d largest of %d terms\n", SHOWN, count);
    }
}
