// SPDX-License-Identifier: GPL-3.0-or-later
#include "tuner/term/study.h"

#include <math.h>
#include <string.h>

#include "core/base/memory.h"
#include "tuner/fit/significance.h"
#include "tuner/fit/values.h"
#include "tuner/rows/terms.h"

void study_clear(Study *study) {
    fit_clear(&study->with);
    fit_clear(&study->without);
    errors_clear(&study->errors);
    row_set_clear(&study->rows);
    free(study->chosen);
    free(study->valid);
    free(study->values);
    *study = (Study){.call = NULL};
}

// ---- fits ---------------------------------------------------------------------------------------

Status study_fit_with(Study *study, const FitSetup *setup, const double *start, const bool *only,
                      Err *err) {
    Fit *with = &study->with;
    fit_init(with, &study->rows, setup, start);
    for (int i = 0; i < with->n && only; i++) with->frozen[i] = !only[i];
    study->valid = fit_part_weights(&study->rows, setup, PART_VALID);
    return fit_run(with, err);
}

// Fits with the chosen weights fixed at 0. This fit and the fit with all weights convert scores to
// expected results with the same slopes, so that their losses are comparable.
static Status fit_without(Study *study, Err *err) {
    const Fit *with = &study->with;
    Fit *without = &study->without;
    AUTO_FREE double *start = memory_alloc((size_t)with->n, sizeof *start);
    for (int i = 0; i < with->n; i++) start[i] = study->chosen[i] ? 0.0 : with->start[i];
    fit_init(without, &study->rows, &with->setup, start);
    bool free = false;
    for (int i = 0; i < with->n; i++) {
        without->frozen[i] = study->chosen[i] || with->frozen[i];
        free = free || !without->frozen[i];
    }
    without->loss = with->loss;
    without->loss.game_weight = without->train;
    return free ? fit_minimise(without, true, err) : STATUS_OK;
}

Status study_fit_without(Study *study, Err *err) {
    const Fit *with = &study->with;
    fit_clear(&study->without);
    study->match = weights_match_of(NULL, &weights_match_sprt);
    study->change = (Estimate){0};
    study->collinearity = (Collinearity){.r2 = NAN};
    occurrence_measure(&study->rows, study->chosen, &study->occurrence);
    if (occurrence_never(&study->occurrence)) return STATUS_OK;
    collinearity_of_group(with, study->chosen, &study->collinearity);
    TRY(fit_without(study, err));
    LossSetup loss = with->loss;
    loss.game_weight = study->valid;
    study->change =
        measure_difference(&study->rows, &loss, with->weights, &loss, study->without.weights);
    return STATUS_OK;
}

Status study_scaled_values(const Fit *fit, double *flat, Err *err) {
    double k = fit->loss.k;
    memcpy(flat, fit->weights, (size_t)fit->n * sizeof *flat);
    values_centre(fit->rows, flat);
    return values_apply_scale(fit->rows, flat, &k, err);
}

Status study_find_values(Study *study, bool scaled, Err *err) {
    const Fit *with = &study->with;
    study->values = memory_alloc((size_t)with->n, sizeof *study->values);
    memcpy(study->values, with->weights, (size_t)with->n * sizeof *study->values);
    TRY(errors_of_fit(with, false, &study->errors, err));
    if (scaled) TRY(study_scaled_values(with, study->values, err));
    study->significant =
        term_differs_from_zero(study->values, study->errors.data, study->chosen, with->n);
    return STATUS_OK;
}

// ---- the match ----------------------------------------------------------------------------------

bool study_can_play(const Study *study) {
    return !occurrence_never(&study->occurrence) && !collinearity_is_copy(&study->collinearity);
}

Status study_play(const Study *study, const char *dir, const WeightsMatchSpec *spec,
                  WeightsMatch *match, Err *err) {
    WeightsMatchSpec players = *spec;
    AUTO(Text) with = {0}, without = {0};
    text_add(&with, "%s/with.txt", dir);
    text_add(&without, "%s/without.txt", dir);
    players.with = with.data;
    players.without = without.data;
    return weights_match_play(study->call, &players, match, err);
}

// ---- output -------------------------------------------------------------------------------------

int study_print_values(const Study *study, const ValueChoice *choice, bool json) {
    const Fit *fit = &study->with;
    int count = 0;
    AUTO_FREE bool *listed = memory_alloc((size_t)fit->n, sizeof *listed);
    for (int i = 0; i < fit->n; i++) {
        listed[i] = study->chosen[i] && (study->errors.games[i] > 0 || !choice->only_met);
        count += listed[i];
    }
    const int shown = count > choice->most ? choice->all_or_none ? 0 : choice->most : count;
    for (int i = 0, printed = 0; i < fit->n && printed < shown; i++) {
        char name[WEIGHT_NAME_SIZE];
        if (!listed[i]) continue;
        printed++;
        row_weight_name(&study->rows, i, name);
        record_row(study->call->out, json,
                   "{weight}%-28s {value}%8.1f +- {value_error95}%.1f in {games}%.0f games\n", name,
                   study->values[i], Z95 * study->errors.weight[i], study->errors.games[i]);
    }
    return count - shown;
}

void study_record_explained(const Study *study, Record *record) {
    AUTO(Text) by = {0};
    collinearity_add_list(&study->collinearity, &study->rows, &by);
    record_add(record, "r2 %.4f explained_by %s", study->collinearity.r2,
               by.length ? by.data : "-");
}

void study_record_change(const Study *study, Record *record) {
    record_add(record, "loss_change %.7f loss_change_error95 %.7f", study->change.value,
               Z95 * study->change.error);
}
