// SPDX-License-Identifier: GPL-3.0-or-later
// `paotai term`: studies a term that was just added to the evaluation, and gives one verdict.
#pragma once

#include "tuner/fit/fit_options.h"
#include "tuner/term/study.h"
#include "tuner/term/term_same.h"
#include "tuner/term/term_search.h"

typedef struct TermSettings {
    const char *weights, *rev, *out, *page, *elos;
    uint64_t games, nodes, match_pairs, seed;
    // Node limit of the searches and number of pairs of a second match, which is played after the
    // verdict TERM_KEEP. If confirm_nodes is 0, it is not played.
    uint64_t confirm_nodes, confirm_pairs;
    int threads;
    SprtSpec sprt;    // the SPRT that stops the match, with the hypotheses of --sprt
    bool with_faults; // FitSetup.with_faults
    bool json, quiet;
} TermSettings;

typedef enum TermVerdict {
    // The new terms have no effect: both sides have equal counts of them in each position of the
    // games and of the bench searches.
    TERM_NEVER,
    TERM_COPY, // other terms explain the new terms completely
    TERM_KEEP, // the engine is stronger with the new terms
    // The engine is weaker or equally strong with the new terms, or the SPRT accepted H0, or all
    // values of the new terms are 0 when rounded. The sentence names the gain that is excluded.
    TERM_DROP,
    // There are too few games to decide, or the new terms lose the second match.
    TERM_UNDECIDED,
} TermVerdict;
const char *term_verdict_word(TermVerdict verdict);

// The study of one or several new evaluation terms. Its steps fill the members. The study stops as
// soon as the verdict is known.
typedef struct TermStudy {
    // The part of the study that `ablate` makes, too. Before the fits, only `rows`, `chosen` and
    // `occurrence` are set. Only terms that play, those with a start weight other than 0, count in
    // `collinearity`.
    Study base;
    const TermSettings *settings;
    Text dir;          // subdirectory of --out for the weights and the match
    Text runs;         // paths of the runs with games, separated by blanks
    bool known_before; // true if the start weights already contain values for the new terms
    Weights start;
    double start_flat[2 * WEIGHT_COUNT], start_se[2 * WEIGHT_COUNT];
    // true for the new terms, and for their pairs of weights
    bool terms[WEIGHT_TERM_COUNT], pairs[WEIGHT_COUNT];
    TermSame same;
    TermSearch search;
    bool fitted; // true if the fits were made; the members below, up to `unchanged`, are then valid
    Collinearity with_unused; // like base.collinearity, but all other terms count
    Weights with, without;    // weights of the two players of the match
    bool unchanged;           // true if all fitted values of the new terms are 0 when rounded
    WeightsMatch confirm;     // the second match; empty if it was not played
    int trials; // number of different terms that were tried with these games; 0: no match
    TermVerdict verdict;
    Text sentence;
} TermStudy;
void term_study_clear(TermStudy *study);
AUTO_VALUE(TermStudy, term_study_clear)

// Runs the steps of the study. Writes the games, the weights and the match to the directory --out,
// but does not write the page.
Status term_study_run(TermStudy *study, Err *err);

// ---- output -------------------------------------------------------------------------------------

// Prints the results of the study. The verdict and its sentence are last.
void term_print(const TermStudy *study);
// Appends the path of the HTML page: --page or, by default, study->dir with ".html" appended.
void term_page_path(const TermStudy *study, Text *path);
Status term_page_write(const TermStudy *study, Err *err);
