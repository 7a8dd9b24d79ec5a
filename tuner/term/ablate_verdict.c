// SPDX-License-Identifier: GPL-3.0-or-later
#include "tuner/term/ablate_verdict.h"

#include <math.h>

#include "selfplay/stats/stats.h"

// Returns -1 if the confidence interval lies below 0, 1 if it lies above 0, else 0.
static int side_of(double low, double high) {
    return low > 0 ? 1 : high < 0 ? -1 : 0;
}

static int side_of_loss(const Estimate *change) {
    const double error = Z95 * change->error;
    return side_of(change->value - error, change->value + error);
}

void ablate_word_add(const Study *study, Text *text) {
    static const char *const by_loss[] = {"helps", "not decided", "hurts"};
    if (occurrence_never(&study->occurrence)) {
        text_add(text, "never");
    } else if (collinearity_is_copy(&study->collinearity)) {
        text_add(text, "copy");
    } else if (weights_match_games(&study->match) > 0) {
        strength_word_add(text, &study->match.verdict);
    } else {
        text_add(text, "%s", by_loss[1 + side_of_loss(&study->change)]);
    }
}

static void add_match(const WeightsMatch *match, Text *text) {
    const StrengthVerdict *verdict = &match->verdict;
    text_add(text, "; with them ");
    strength_word_add(text, verdict);
    text_add(text, " (");
    strength_interval_add(text, verdict);
    text_add(text, ", %lld games, 95 %%%s", weights_match_games(match),
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

// Appends how the validation loss of the fit without the terms differs, with its 95 % error. With
// fewer than two validation games, appends instead that the standard error is unknown.
static void add_change(Text *text, const Estimate *change) {
    if (isnan(change->error)) {
        text_add(text, "standard error unknown, because there are fewer than two validation games");
    } else {
        text_add(text, "the loss without them is %.6f +- %.6f %s", fabs(change->value),
                 Z95 * change->error, change->value > 0 ? "lower" : "higher");
    }
}

void ablate_sentence_add(const Study *study, Text *text) {
    static const char *const by_loss[] = {"they help to predict", "no difference seen in the loss",
                                          "they make predictions worse"};
    AUTO(Text) others = {0};
    if (occurrence_never(&study->occurrence)) {
        occurrence_describe(&study->occurrence, text);
        return;
    }
    const bool explained = collinearity_describe(&study->collinearity, &study->rows, &others);
    if (collinearity_is_copy(&study->collinearity)) {
        text_add(text, "copy: %s; ", others.data);
        add_change(text, &study->change);
        text_add(text, ", no match is played");
        return;
    }
    text_add(text, "%s (", by_loss[1 + side_of_loss(&study->change)]);
    add_change(text, &study->change);
    text_add(text, ")");
    if (weights_match_games(&study->match) > 0) add_match(&study->match, text);
    const char *word = collinearity_word(&study->collinearity);
    if (explained) text_add(text, "; %s%s%s", word ? word : "", word ? ": " : "", others.data);
    if (study->occurrence.games >= OCCURRENCE_FEW_GAMES) return;
    text_add(text, "; the term ");
    occurrence_describe(&study->occurrence, text);
}
