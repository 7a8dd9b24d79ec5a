// SPDX-License-Identifier: GPL-3.0-or-later
// paotai tune: writes and prints the fitted terms of another program (--rows, --trace).
#include <math.h>
#include <string.h>

#include "core/base/json.h"
#include "core/base/memory.h"
#include "tuner/fit/term_table.h"
#include "tuner/tune/tune.h"

// Appends a note that says why the games do not determine the weight of a term that a file of
// --rows defines. Appends nothing if the games determine the weight.
static void note_of(const TuneFit *tune, int term, Text *note) {
    const Identity *identity = &tune->identity;
    const int mg = 2 * term, eg = mg + 1;
    const bool few_mg = tune_few_games(tune, mg), few_eg = tune_few_games(tune, eg);
    if (identity->silent[mg] && identity->silent[eg]) {
        text_add(note, "never seen");
    } else if (identity->set[term]) {
        text_add(note, "tied");
    } else if (identity->separable[mg] || identity->separable[eg]) {
        text_add(note, "separable");
    }
    if (!few_mg && !few_eg) return;
    const double *games = tune->errors.games;
    const double count = few_mg && few_eg ? fmax(games[mg], games[eg]) : games[few_mg ? mg : eg];
    const bool apart = few_mg ? games[eg] > count : games[mg] > count;
    text_add(note, "%s%sin %.0f game%s", note->length ? ", " : "",
             !apart   ? ""
             : few_mg ? "middlegame "
                      : "endgame ",
             count, count > 1 ? "s" : "");
}

// Returns the number of terms. Later pairs of weights hold only endgame values of these terms.
static size_t count_terms(const SparseTerms *terms) {
    size_t count = 0;
    while (count < terms->terms && (!terms->value_of || terms->value_of[count][0] >= 0)) count++;
    return count;
}

// Copies numbers of the weights [2 * pairs] to an array with the two values of each term.
static void by_term(const SparseTerms *terms, const double *from, double (*to)[2]) {
    for (size_t i = 0; i < 2 * terms->terms; i++) {
        const double term = terms->value_of ? terms->value_of[i / 2][i % 2] : (double)(i / 2);
        if (term >= 0) to[(size_t)term][i % 2] = from[i];
    }
}

// Rounds the fitted weights to their units, and prints by how much this changes the losses.
static void round_weights(TuneFit *tune) {
    Fit *fit = &tune->fit;
    const SparseTerms *terms = tune->terms;
    const double train = fit->part_loss[PART_TRAIN].value, valid = fit->part_loss[PART_VALID].value;
    if (!terms->unit) return;
    for (int i = 0; i < fit->n; i++) {
        const double unit = terms->unit[i / 2][i % 2];
        if (!fit->frozen[i]) fit->weights[i] = round(fit->weights[i] / unit) * unit + 0.0;
    }
    fit_compare(fit, fit->weights); // the rounded weights are written to the file
    record_print(
        tune->call->out, tune->settings.json, "rounding_train_loss %.7f rounding_valid_loss %.7f",
        fit->part_loss[PART_TRAIN].value - train, fit->part_loss[PART_VALID].value - valid);
}

Status tune_finish_terms(TuneFit *tune, Err *err) {
    const TuneSettings *settings = &tune->settings;
    const size_t count = count_terms(tune->terms);
    AUTO_FREE double(*weights)[2] = memory_alloc(count, sizeof *weights);
    AUTO_FREE double(*errors)[2] = memory_alloc(count, sizeof *errors);
    AUTO_FREE char(*notes)[TERM_NOTE_SIZE] = memory_alloc(count, sizeof *notes);
    SparseTerms shown = BORROW(*tune->terms);
    const TermTable table = {.terms = &shown, .weights = weights, .errors = errors, .notes = notes};
    AUTO(Text) note = {0}, provenance = {0};
    shown.terms = count;
    round_weights(tune);
    by_term(tune->terms, tune->fit.weights, weights);
    by_term(tune->terms, tune->errors.weight, errors);
    for (size_t t = 0; t < count; t++) {
        text_reset(&note);
        note_of(tune, (int)t, &note);
        snprintf(notes[t], sizeof notes[t], "%s", text_get(&note));
    }
    tune_add_provenance(tune, &provenance);
    if (settings->out) TRY(term_table_write(&table, settings->out, text_get(&provenance), err));
    term_table_print(&table, settings->json, tune->call->out);
    tune_print_notes(tune);
    tune_print_moved(tune);
    tune_print_summary(tune);
    return STATUS_OK;
}
