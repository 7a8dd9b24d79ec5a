// SPDX-License-Identifier: GPL-3.0-or-later
// Measures the worth of a group of evaluation terms: how often it occurs, which other terms explain
// it, and the validation loss of fits with and without it. Also stores the result of a match
// between the two fits (term_match.h).
#pragma once

#include "tuner/fit/fit.h"
#include "tuner/term/collinearity.h"
#include "tuner/term/occurrence.h"
#include "tuner/term/term_match.h"

// The fit with all terms, to which fits without a group of terms are compared.
// ablation_base_clear() frees it.
typedef struct AblationBase {
    const RowSet *rows; // all positions, borrowed from the caller
    Fit with;
    // weight of each game's positions in the validation loss; 0 for games outside the validation
    // set
    double *valid;
} AblationBase;

// Fits the weights marked in `only` [2 * rows->pairs], or all weights if `only` is NULL, starting
// from `start` [2 * rows->pairs]. Stores the fit in *base. `rows` and setup->prior.se must live as
// long as *base. The caller calls ablation_base_clear() even after an error.
Status ablation_base_fit(const RowSet *rows, const FitSetup *setup, const double *start,
                         const bool *only, AblationBase *base, Err *err);
void ablation_base_clear(AblationBase *base);
AUTO_VALUE(AblationBase, ablation_base_clear)

enum { ABLATION_NAME_SIZE = 256 };
typedef struct Ablation {
    char terms[ABLATION_NAME_SIZE]; // name patterns of the group's terms
    Occurrence occurrence;
    // how well other terms explain the group; its r2 is NAN if the group never occurs
    Collinearity collinearity;
    // Validation loss with the group minus loss without it; negative: the group helps. 0 +- 0 if
    // the group never occurs.
    Estimate change;
    TermMatch match;
} Ablation;

// Measures a group of terms without a match: sets all members of *ablation except `terms`. `match`
// becomes an empty result. `chosen` [2 * rows->pairs] marks the weights of the group. If the group
// occurs in the positions, *without becomes the fit in which these weights are 0. The caller
// initialises *without to {0}, and calls fit_clear() in any case.
Status ablation_measure(const AblationBase *base, const bool *chosen, Ablation *ablation,
                        Fit *without, Err *err);
// Returns true if a match between the fits with and without the group of terms can measure the
// group: it occurs in the games, and other terms do not explain it completely.
bool ablation_can_play(const Ablation *ablation);

// ablation_scaled() copies the weights of a fit to `flat`. It centres and scales them as `paotai
// tune` does after a fit of all weights, even if this fit has frozen weights. ablation_write() also
// rounds the weights and writes them to a weight file.
Status ablation_scaled(const Fit *fit, double *flat, Err *err);
Status ablation_write(const Fit *fit, const char *path, Err *err);

// ---- verdicts -----------------------------------------------------------------------------------

// Appends the verdict on the group of terms as a word. If no position contains information about
// the group (occurrence_never()), the word is "never". If other terms explain the group completely,
// it is "copy". Else, after a match, it is the word of strength_word_add(). Without a match, it is
// "helps", "hurts" or "not decided", as the validation loss shows.
void ablation_word_add(const Ablation *ablation, Text *text);
// Appends the verdict as a sentence, without the names of the group's terms.
void ablation_sentence(const Ablation *ablation, const RowSet *rows, Text *text);
