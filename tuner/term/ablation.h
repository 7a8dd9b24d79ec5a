// SPDX-License-Identifier: GPL-3.0-or-later
// The worth of a group of terms: where it occurs, which other terms explain it, the loss of fits
// with and without it on games kept for validation, and a match between these fits.
#pragma once

#include "tuner/fit/fit.h"
#include "tuner/term/occurrence.h"
#include "tuner/term/term_match.h"
#include "tuner/term/ties.h"

// The fit with all terms, which every ablation is compared with. ablation_base_clear() frees.
typedef struct AblationBase {
    const RowSet *rows; // borrowed
    Fit with;
    double *valid; // [game_count]: weights of the games kept for validation
} AblationBase;

// Fits from `start` [2 * rows->pairs]: the weights of `only` [2 * rows->pairs], or all weights if
// `only` is NULL. setup->prior.se is borrowed for as long as `base` is used.
Status ablation_base_fit(const RowSet *rows, const FitSetup *setup, const double *start,
                         const bool *only, AblationBase *base, Err *err);
void ablation_base_clear(AblationBase *base);
AUTO_VALUE(AblationBase, ablation_base_clear)

enum { ABLATION_NAME_SIZE = 256 };
typedef struct Ablation {
    char terms[ABLATION_NAME_SIZE]; // the group, as patterns
    Occurrence occurrence;
    Ties ties;       // r2 is NAN where the group does not occur
    Estimate change; // loss with the group less loss without; 0 +- 0 where it never occurs
    TermMatch match;
} Ablation;

// Measures all but the match. chosen [n]: the weights of the group; *without receives the fit in
// which they are 0, from the same slopes, unless the group never occurs; fit_clear() is the
// caller's in any case.
Status ablation_measure(const AblationBase *base, const bool *chosen, Ablation *ablation,
                        Fit *without, Err *err);
// Returns true if a match between the fits would measure something: the group occurs and is no
// copy.
bool ablation_can_play(const Ablation *ablation);

// The weights of a fit as tune centres, scales and rounds them; weights that are frozen stay.
Status ablation_scaled(const Fit *fit, double *flat, Err *err);
Status ablation_write(const Fit *fit, const char *path, Err *err);

// ---- verdicts -----------------------------------------------------------------------------------

// Returns one word: "never" and "copy" where nothing can be measured; "stronger", "weaker", "level"
// or "undecided" by a match; "helps", "hurts" or "undecided" by the loss alone.
const char *ablation_word(const Ablation *ablation);
// Appends the whole verdict as a sentence, without the names of the terms.
void ablation_sentence(const Ablation *ablation, const RowSet *rows, Text *text);
