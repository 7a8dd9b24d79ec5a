// SPDX-License-Identifier: GPL-3.0-or-later
// paotai tune: writes and prints the fitted terms of another program (--rows, --trace).
#include <math.h>
#include <string.h>

#include "core/base/json.h"
#include "core/base/memory.h"
#include "tuner/fit/term_table.h"
#include "tuner/report/report_terms.h"
#include "tuner/rows/term_names.h"
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

// Appends whether the fitted values predict better, and what to do next.
static void judge_fit(const TuneFit *tune, Text *verdict, Text *next) {
    const Fit *fit = &tune->fit;
    const double change = fit->loss_change[PART_VALID].value;
    const double error = Z95 * fit->loss_change[PART_VALID].error;
    const char *out = tune->settings.out ? tune->settings.out : "--out FILE";
    if (fit->part_rows[PART_VALID] == 0) {
        text_add(verdict, "No games were kept aside to measure the fitted values.");
        text_add(next, "Next: fit again with --valid-fraction 0.1.");
    } else if (change + error < 0) {
        text_add(verdict, "On games that the fit did not see, the fitted values predict better.");
        text_add(next,
                 "Next: write the values of %s into the program and build it. 'paotai tune --trace "
                 "PLAYER --check FILE' proves that the program uses them. 'paotai match --a "
                 "cmd=NEW --b cmd=OLD --sprt 0,5' shows whether it plays better.",
                 out);
    } else if (change - error > 0) {
        text_add(verdict, "On games that the fit did not see, the fitted values predict worse.");
        text_add(next, "Next: fit to more games, or let the prior pull the values more strongly to "
                       "their start (a smaller --prior-sd). Do not use these values.");
    } else {
        text_add(verdict, "These games do not show whether the fitted values predict better.");
        text_add(next, "Next: fit to more games, such as those of 'paotai selfplay --player "
                       "PLAYER', or let a match decide: 'paotai match --a cmd=NEW --b cmd=OLD "
                       "--sprt 0,5'.");
    }
}

// Writes the page of --report.
static Status write_report(const TuneFit *tune, const TermTable *table, Err *err) {
    const Fit *fit = &tune->fit;
    AUTO_FREE double(*start)[2] = memory_alloc(table->terms->terms, sizeof *start);
    AUTO(Text) lines = {0}, command = {0}, verdict = {0}, next = {0};
    by_term(tune->terms, fit->start, start);
    command_line(tune->call, &command);
    judge_fit(tune, &verdict, &next);
    text_add(&lines, "%zu games, %zu positions\n", tune->rows.game_count, tune->rows.count);
    if (fit->part_rows[PART_VALID] > 0) {
        text_add(&lines, "validation loss %.6f with the start values, %.6f with the fitted ones\n",
                 fit->start_loss[PART_VALID].value, fit->part_loss[PART_VALID].value);
        text_add(&lines, "change of the validation loss %+.6f +- %.6f\n",
                 fit->loss_change[PART_VALID].value, Z95 * fit->loss_change[PART_VALID].error);
    }
    const TermsFacts facts = {verdict.data, next.data, lines.data, command.data};
    return report_terms_write(table, (const double(*)[2])start, &facts, tune->settings.report, err);
}

// Prints the terms. Of more than TABLE_ROWS terms of an engine, prints only those without numeric
// indices, and one line for each table or curve.
static void print_table(const TuneFit *tune, const TermTable *table) {
    enum { TABLE_ROWS = 60 };
    const bool all = table->terms->terms <= TABLE_ROWS || !table->terms->unit;
    AUTO(TermFamilies) families = {0};
    if (all || tune->settings.json) {
        term_table_print(table, tune->settings.json, tune->call->out);
        return;
    }
    term_families_init(&families, table->terms);
    const size_t count = (size_t)families.count;
    AUTO_FREE double(*weights)[2] = memory_alloc(count, sizeof *weights);
    AUTO_FREE double(*errors)[2] = memory_alloc(count, sizeof *errors);
    AUTO_FREE char(*notes)[TERM_NOTE_SIZE] = memory_alloc(count, sizeof *notes);
    AUTO_FREE char(*names)[SPARSE_NAME_SIZE] = memory_alloc(count, sizeof *names);
    SparseTerms shown = {.terms = count, .phased = table->terms->phased, .names = names};
    for (int f = 0; f < families.count; f++) {
        const TermFamily *family = &families.list[f];
        memcpy(names[f], family->name, sizeof names[f]);
        for (int k = 0; k < 2; k++) {
            for (int i = 0; i < family->count; i++) {
                weights[f][k] += table->weights[family->terms[i]][k] / family->count;
            }
            errors[f][k] = family->count == 1 ? table->errors[family->terms[0]][k] : NAN;
        }
        if (family->count > 1) {
            snprintf(notes[f], sizeof notes[f], "mean of %d", family->count);
        } else {
            memcpy(notes[f], table->notes[family->terms[0]], sizeof notes[f]);
        }
    }
    const TermTable means = {.terms = &shown, .weights = weights, .errors = errors, .notes = notes};
    term_table_print(&means, false, tune->call->out);
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
    if (settings->report) TRY(write_report(tune, &table, err));
    print_table(tune, &table);
    tune_print_notes(tune);
    tune_print_moved(tune);
    tune_print_strength(tune);
    tune_print_summary(tune);
    return STATUS_OK;
}
