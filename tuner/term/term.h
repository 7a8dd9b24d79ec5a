// SPDX-License-Identifier: GPL-3.0-or-later
// `paotai term`: studies a term that was just added to the evaluation, and gives one verdict.
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
    TERM_NEVER, // the group occurs in no position
    TERM_COPY,  // other terms explain it completely
    TERM_KEEP,  // stronger with the group, and its values differ from 0
    TERM_DROP,  // weaker or level with the group, or the gain that the test looks for is excluded
    TERM_UNDECIDED, // too few games
} TermVerdict;
const char *term_verdict_word(TermVerdict verdict);

// The study of a group of terms. The steps fill the members in this order and stop as soon as the
// verdict is known.
typedef struct TermStudy {
    const CommandCall *call;
    const TermSettings *settings;
    const char *name;  // name or pattern of the terms; borrowed
    Text dir;          // directory of this study
    Text runs;         // the runs with games, separated by blanks
    bool known_before; // the start already has a value for the group
    Weights start;
    double start_flat[2 * WEIGHT_COUNT], start_se[2 * WEIGHT_COUNT];
    bool terms[WEIGHT_TERM_COUNT], pairs[WEIGHT_COUNT], weights[2 * WEIGHT_COUNT]; // the group
    TermSame same;
    RowSet rows; // with their boards
    TermSearch search;
    Ablation ablation; // only `occurrence` is valid unless `fitted` is set
    bool fitted;       // the members up to `unchanged` are valid
    AblationBase base;
    FitErrors errors;
    Weights with, without; // the players of the match
    bool told;             // a value differs from 0 by more than chance
    bool unchanged;        // the rounded values equal those without the group
    TermVerdict verdict;
    Text sentence;
} TermStudy;
void term_study_clear(TermStudy *study);
AUTO_VALUE(TermStudy, term_study_clear)

// Runs the steps and writes files below --out.
Status term_study_run(TermStudy *study, Err *err);

// ---- output -------------------------------------------------------------------------------------

// Prints the results on one screen, the verdict last.
void term_print(const TermStudy *study);
// Appends the path of the page: --page, or DIR.html.
void term_page_path(const TermStudy *study, Text *path);
Status term_page_write(const TermStudy *study, Err *err);
