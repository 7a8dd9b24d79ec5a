// SPDX-License-Identifier: GPL-3.0-or-later
#include "tuner/term/ablation.h"

#include <math.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/system/out_file.h"
#include "selfplay/stats/stats.h"
#include "tuner/fit/values.h"

Status ablation_base_fit(const RowSet *rows, const FitSetup *setup, const double *start,
                         const bool *only, AblationBase *base, Err *err) {
    *base = (AblationBase){.rows = rows};
    fit_init(&base->with, rows, setup, start);
    for (int i = 0; i < base->with.n && only; i++) base->with.frozen[i] = !only[i];
    base->valid = fit_part_weights(rows, setup, PART_VALID);
    return fit_run(&base->with, err);
}

void ablation_base_clear(AblationBase *base) {
    fit_clear(&base->with);
    free(base->valid);
    *base = (AblationBase){0};
}

// Fits with the chosen weights fixed at 0. This fit and the fit with all weights convert scores to
// expected results with the same slopes, so that their losses are comparable.
static Status fit_without(const AblationBase *base, const bool *chosen, Fit *without, Err *err) {
    const Fit *with = &base->with;
    AUTO_FREE double *start = memory_alloc((size_t)with->n, sizeof *start);
    for (int i = 0; i < with->n; i++) start[i] = chosen[i] ? 0.0 : with->start[i];
    fit_init(without, base->rows, &with->setup, start);
    bool free = false;
    for (int i = 0; i < with->n; i++) {
        without->frozen[i] = chosen[i] || with->frozen[i];
        free = free || !without->frozen[i];
    }
    without->loss = with->loss;
    without->loss.game_weight = without->train;
    return free ? fit_minimise(without, true, err) : STATUS_OK;
}

Status ablation_measure(const AblationBase *base, const bool *chosen, Ablation *ablation,
                        Fit *without, Err *err) {
    ablation->match = term_match_of(NULL, &term_match_sprt);
    ablation->change = (Estimate){0};
    ablation->collinearity = (Collinearity){.r2 = NAN};
    occurrence_measure(base->rows, chosen, &ablation->occurrence);
    if (occurrence_never(&ablation->occurrence)) return STATUS_OK;
    collinearity_of_group(&base->with, chosen, &ablation->collinearity);
    TRY(fit_without(base, chosen, without, err));
    LossSetup loss = base->with.loss;
    loss.game_weight = base->valid;
    ablation->change =
        measure_difference(base->rows, &loss, base->with.weights, &loss, without->weights);
    return STATUS_OK;
}

bool ablation_can_play(const Ablation *ablation) {
    return !occurrence_never(&ablation->occurrence) &&
           !collinearity_is_copy(&ablation->collinearity);
}

Status ablation_scaled(const Fit *fit, double *flat, Err *err) {
    double k = fit->loss.k;
    memcpy(flat, fit->weights, (size_t)fit->n * sizeof *flat);
    values_centre(fit->rows, flat);
    return values_apply_scale(fit->rows, flat, &k, err);
}

Status ablation_write(const Fit *fit, const char *path, Err *err) {
    double flat[2 * WEIGHT_COUNT];
    Weights rounded;
    AUTO(Text) text = {0};
    TRY(ablation_scaled(fit, flat, err));
    TRY(values_round(fit->rows, flat, fit->hessian, fit->frozen, &rounded, err));
    weights_format(&rounded, "made by paotai ablate\n", &text);
    return text_write_file(path, text.data, text.length, err);
}

// ---- verdicts -----------------------------------------------------------------------------------

// Returns -1 if the confidence interval lies below 0, 1 if it lies above 0, else 0.
static int side_of(double low, double high) {
    return low > 0 ? 1 : high < 0 ? -1 : 0;
}

static int side_of_loss(const Estimate *change) {
    const double error = Z95 * change->error;
    return side_of(change->value - error, change->value + error);
}

void ablation_word_add(const Ablation *ablation, Text *text) {
    static const char *const by_loss[] = {"helps", "not decided", "hurts"};
    if (occurrence_never(&ablation->occurrence)) {
        text_add(text, "never");
    } else if (collinearity_is_copy(&ablation->collinearity)) {
        text_add(text, "copy");
    } else if (term_match_games(&ablation->match) > 0) {
        strength_word_add(text, &ablation->match.verdict);
    } else {
        text_add(text, "%s", by_loss[1 + side_of_loss(&ablation->change)]);
    }
}

static void add_match(const TermMatch *match, Text *text) {
    const StrengthVerdict *verdict = &match->verdict;
    text_add(text, "; with them ");
    strength_word_add(text, verdict);
    text_add(text, " (");
    strength_interval_add(text, verdict);
    text_add(text, ", %lld games, 95 %%%s", term_match_games(match),
             verdict->word == STRENGTH_UNDECIDED ? "; " : "");
    strength_remark_add(text, verdict);
    strength_more_add(text, verdict);
    if (verdict->word == STRENGTH_UNDECIDED) {
        StrengthPower power;
        strength_power(&match->counts, match->game_cpu_s, &power);
        text_add(text, "; ");
        strength_power_add(text, &power);
    }
    text_add(text, ")");
}

// Appends the change of the validation loss with its 95 % error. With fewer than two validation
// games, appends instead that the standard error is unknown.
static void add_change(Text *text, const Estimate *change) {
    if (isnan(change->error)) {
        text_add(text, "standard error unknown, because there are fewer than two validation games");
    } else {
        text_add(text, "%+.6f +- %.6f", change->value, Z95 * change->error);
    }
}

void ablation_sentence(const Ablation *ablation, const RowSet *rows, Text *text) {
    static const char *const by_loss[] = {"they help to predict", "no difference seen in the loss",
                                          "they make predictions worse"};
    AUTO(Text) others = {0};
    if (occurrence_never(&ablation->occurrence)) {
        occurrence_describe(&ablation->occurrence, text);
        return;
    }
    const bool explained = collinearity_describe(&ablation->collinearity, rows, &others);
    if (collinearity_is_copy(&ablation->collinearity)) {
        text_add(text, "copy: %s; change of the loss: ", others.data);
        add_change(text, &ablation->change);
        text_add(text, ", no match is played");
        return;
    }
    text_add(text, "%s (", by_loss[1 + side_of_loss(&ablation->change)]);
    add_change(text, &ablation->change);
    text_add(text, ")");
    if (term_match_games(&ablation->match) > 0) add_match(&ablation->match, text);
    const char *word = collinearity_word(&ablation->collinearity);
    if (explained) text_add(text, "; %s%s%s", word ? word : "", word ? ": " : "", others.data);
    if (ablation->occurrence.games >= OCCURRENCE_FEW_GAMES) return;
    text_add(text, "; the term ");
    occurrence_describe(&ablation->occurrence, text);
}
