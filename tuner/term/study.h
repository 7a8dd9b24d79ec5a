// SPDX-License-Identifier: GPL-3.0-or-later
// The study of a group of evaluation terms, for `paotai ablate` and `paotai term`: how often the
// group occurs, which other terms explain it, its values, the validation losses of fits with and
// without it, and a match between two weight sets, one with and one without the group.
#pragma once

#include "core/base/json.h"
#include "selfplay/contest/weights_match.h"
#include "tuner/fit/collinearity.h"
#include "tuner/fit/errors.h"
#include "tuner/fit/occurrence.h"

// The functions below fill the members, in the order in which they are declared. The caller
// initialises a study with its call and terms, and fills `rows` and `chosen`. study_clear() frees
// everything.
typedef struct Study {
    const CommandCall *call;
    const char *terms; // name patterns of the group's terms; borrowed from the caller
    RowSet rows;       // all positions
    bool *chosen;      // true for each of the 2 * rows.pairs weights that belongs to the group
    Fit with;          // the fit with the group
    // weight of each game's positions in the validation loss; 0 for games outside the validation
    // set
    double *valid;
    Fit without; // the fit in which the weights of the group are 0
    Occurrence occurrence;
    // how well other terms explain the group; its r2 is NAN if the group never occurs
    Collinearity collinearity;
    // Validation loss with the group minus loss without it; negative: the group helps. 0 +- 0 if
    // the group never occurs.
    Estimate change;
    WeightsMatch match; // empty if no match was played
    double *values;     // value of each weight, as the study prints it
    FitErrors errors;
    bool significant; // true if a value of the group differs from 0 by more than chance
} Study;
void study_clear(Study *study);
AUTO_VALUE(Study, study_clear)

// ---- steps --------------------------------------------------------------------------------------

// Fits the weights marked in `only` [2 * rows.pairs], or all weights if `only` is NULL, starting
// from `start` [2 * rows.pairs]. Sets `with` and `valid`. setup->prior.se and setup->prior.terms
// must live as long as *study.
Status study_fit_with(Study *study, const FitSetup *setup, const double *start, const bool *only,
                      Err *err);
// Fits without the chosen weights, and compares this fit with `with`. Sets `without`, `occurrence`,
// `collinearity` and `change`; `match` becomes empty. If the group never occurs, there is nothing
// to compare, so makes no fit. Another group of terms may be studied with the same `with`: the
// caller changes `terms` and `chosen` and calls this function again.
Status study_fit_without(Study *study, Err *err);
// Sets `errors` and `significant`. Sets `values` to the weights of `with`, or, if `scaled` is set,
// to these weights by study_scaled_values().
Status study_find_values(Study *study, bool scaled, Err *err);
// Returns true if a match between weights with and without the group can measure the group: it
// occurs in the games, and other terms do not explain it completely.
bool study_can_play(const Study *study);
// Plays a match between the weight files with.txt and without.txt of a directory. The caller has
// filled *spec except the members `with` and `without`, and passes &study->match as `match` if the
// result belongs to the study.
Status study_play(const Study *study, const char *dir, const WeightsMatchSpec *spec,
                  WeightsMatch *match, Err *err);

// Copies the weights of a fit to `flat` [fit->n]. Centres and scales them as `paotai tune` does
// after a fit of all weights, even if this fit has frozen weights.
Status study_scaled_values(const Fit *fit, double *flat, Err *err);

// ---- output -------------------------------------------------------------------------------------

// Which values of a group are printed.
typedef struct ValueChoice {
    int most;         // print at most this number of values
    bool all_or_none; // print no value if there are more than `most`
    bool only_met;    // leave out weights that occur in no game
} ValueChoice;
// Prints the values of the group with their errors, a line for each weight. Returns the number of
// values that were not printed because of `most`.
int study_print_values(const Study *study, const ValueChoice *choice, bool json);
// Add key-value pairs to a record: which terms explain the group; the change of the loss.
void study_record_explained(const Study *study, Record *record);
void study_record_change(const Study *study, Record *record);
