// SPDX-License-Identifier: GPL-3.0-or-later
// The research step of `paotai term`: all that is known of a term that was just added, and one
// verdict.
#pragma once

#include "tuner/term/ablation.h"
#include "tuner/term/term_same.h"
#include "tuner/term/term_search.h"
#include "tuner/tune/tune.h"

typedef struct TermSettings {
    const char *weights, *rev, *out, *page, *elos;
    uint64_t games, nodes, match_pairs, seed;
    int threads;
    SprtSpec sprt; // filled from `elos`
    bool json, quiet;
} TermSettings;

typedef enum TermVerdict {
    TERM_NEVER,     // it occurs nowhere
    TERM_COPY,      // other terms explain it wholly
    TERM_KEEP,      // stronger with it, and its values differ from 0
    TERM_DROP,      // weaker or level with it, or the gain that the test looks for is excluded
    TERM_UNDECIDED, // too few games say something
} TermVerdict;
const char *term_verdict_word(TermVerdict verdict);

// One study of a term or of a group of terms. The steps fill it in the order of its members; the
// first step that knows the answer is the last one.
typedef struct TermStudy {
    const CommandCall *call;
    const TermSettings *settings;
    const char *name;  // a term or a pattern, borrowed
    Text dir;          // directory of this study
    Text runs;         // the runs with games, separated by blanks
    bool known_before; // the start has a value for it already
    Weights start;
    double start_flat[2 * WEIGHT_COUNT], start_se[2 * WEIGHT_COUNT];
    bool terms[WEIGHT_TERM_COUNT], pairs[WEIGHT_COUNT], weights[2 * WEIGHT_COUNT]; // the group
    TermSame same;
    RowSet rows; // with boards
    TermSearch search;
    Ablation ablation; // its occurrence is measured first
    bool fitted;       // the following members are known
    AblationBase base;
    FitErrors errors;
    Weights with, without; // the players of the match
    bool told;             // a value differs from 0 by more than chance
    bool unchanged;        // rounded, every value is what it is without the term
    TermVerdict verdict;
    Text sentence;
} TermStudy;
void term_study_clear(TermStudy *study);
AUTO_VALUE(TermStudy, term_study_clear)

// Runs the steps. Files are written below --out.
Status term_study_run(TermStudy *study, Err *err);

// ---- output -------------------------------------------------------------------------------------

// Prints what is known, on one screen; the verdict last.
void term_print(const TermStudy *study);
// Appends the path of the page: that of --page, or DIR.html.
void term_page_path(const TermStudy *study, Text *path);
// Writes the page.
Status term_page_write(const TermStudy *study, Err *err);
