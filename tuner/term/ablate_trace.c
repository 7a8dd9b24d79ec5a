// SPDX-License-Identifier: GPL-3.0-or-later
// paotai ablate --trace: the worth of terms of another engine, by fits with and without them.
#include <math.h>
#include <string.h>

#include "core/base/json.h"
#include "core/base/memory.h"
#include "tuner/rows/terms.h"
#include "tuner/term/ablate.h"
#include "tuner/term/ablation.h"
#include "tuner/term/significance.h"
#include "tuner/trace/trace_load.h"

// The fit with all terms, and the group of terms that the other fit leaves out.
typedef struct Traced {
    const CommandCall *call;
    RowSet rows;
    SparseTerms terms;
    TraceReport report;
    AblationBase base;
    Ablation ablation;
    bool *chosen;
} Traced;

static void traced_clear(Traced *traced) {
    ablation_base_clear(&traced->base);
    trace_report_clear(&traced->report);
    sparse_terms_clear(&traced->terms);
    row_set_clear(&traced->rows);
    free(traced->chosen);
}
AUTO_VALUE(Traced, traced_clear)

static Status load(Traced *traced, Err *err) {
    const CommandCall *call = traced->call;
    const AblateSettings *settings = call->settings;
    AUTO(Tracer) tracer = {.threads = 0};
    TRY(tracer_open(settings->trace, 0, settings->setup.threads, &tracer, err));
    tracer.with_faults = settings->setup.with_faults;
    TRY(trace_load(&tracer, call->args, call->arg_count, settings->quiet ? NULL : call->err,
                   &traced->rows, &traced->terms, &traced->report, err));
    return trace_verdict(&traced->report, &traced->terms, settings->max_mismatch, err);
}

// Chooses the weights of --terms. Refuses terms that the engine declares fixed.
static Status choose(Traced *traced, bool *fitted, Err *err) {
    const AblateSettings *settings = traced->call->settings;
    const int n = 2 * traced->rows.pairs;
    bool any = false;
    TRY(row_choose_weights(&traced->rows, settings->terms, true, traced->chosen, err));
    for (int i = 0; i < n; i++) {
        fitted[i] = traced->terms.fixed[i / 2][i % 2] == 0;
        traced->chosen[i] = traced->chosen[i] && fitted[i];
        any = any || traced->chosen[i];
    }
    if (any) return STATUS_OK;
    return err_set(err, STATUS_USAGE, "--terms %s: the engine declares these terms fixed",
                   settings->terms);
}

static Status print_values(const Traced *traced, Err *err) {
    enum { MOST = 24 };
    const AblateSettings *settings = traced->call->settings;
    const Fit *fit = &traced->base.with;
    AUTO(FitErrors) errors = {0};
    int count = 0;
    TRY(errors_of_fit(fit, false, &errors, err));
    for (int i = 0; i < fit->n && count < MOST; i++) {
        char name[WEIGHT_NAME_SIZE];
        if (!traced->chosen[i] || !(errors.games[i] > 0)) continue;
        count++;
        row_weight_name(fit->rows, i, name);
        record_row(traced->call->out, settings->json,
                   "{weight}%-28s {value}%8.1f +- {value_error95}%.1f in {games}%.0f games\n", name,
                   fit->weights[i], Z95 * errors.weight[i], errors.games[i]);
    }
    return STATUS_OK;
}

static Status print(const Traced *traced, Err *err) {
    const AblateSettings *settings = traced->call->settings;
    const Ablation *ablation = &traced->ablation;
    const bool never = occurrence_never(&ablation->occurrence);
    AUTO(Text) sentence = {0}, by = {0}, word = {0};
    Record record;
    record_begin(&record, traced->call->out, settings->json);
    record_add(&record, "positions_with_term %llu games_with_term %llu",
               (unsigned long long)ablation->occurrence.positions,
               (unsigned long long)ablation->occurrence.games);
    collinearity_add_list(&ablation->collinearity, &traced->rows, &by);
    if (!never) {
        record_add(&record, "r2 %.4f explained_by %s loss_change %.7f loss_change_error95 %.7f",
                   ablation->collinearity.r2, by.length ? by.data : "-", ablation->change.value,
                   Z95 * ablation->change.error);
    }
    record_end(&record);
    if (!never) TRY(print_values(traced, err));
    ablation_sentence(ablation, &traced->rows, &sentence);
    ablation_word_add(ablation, &word);
    record_print(traced->call->out, settings->json, "verdict %s", word.data);
    record_print(traced->call->out, settings->json, "sentence %s", sentence.data);
    record_print(traced->call->out, settings->json, "next %s",
                 "build the engine with and without these terms, and play paotai match --a "
                 "cmd=WITH,nodes=5000 --b cmd=WITHOUT,nodes=5000 --sprt");
    return STATUS_OK;
}

Status ablate_traced(const CommandCall *call, Err *err) {
    const AblateSettings *settings = call->settings;
    AUTO(Traced) traced = {.call = call};
    AUTO(Fit) without = {0};
    FitSetup setup = settings->setup;
    TRY(load(&traced, err));
    const size_t n = 2 * (size_t)traced.rows.pairs;
    AUTO_FREE bool *fitted = memory_alloc(n, sizeof *fitted);
    traced.chosen = memory_alloc(n, sizeof *traced.chosen);
    TRY(choose(&traced, fitted, err));
    setup.prior.times = 1;
    if (!command_given(call, "prior-sd")) setup.prior.terms = &traced.terms;
    TRY(ablation_base_fit(&traced.rows, &setup, traced.terms.start[0], fitted, &traced.base, err));
    snprintf(traced.ablation.terms, sizeof traced.ablation.terms, "%s", settings->terms);
    TRY(ablation_measure(&traced.base, traced.chosen, &traced.ablation, &without, err));
    record_print(call->out, settings->json, "games %zu positions %zu valid_games %llu",
                 traced.rows.game_count, traced.rows.count,
                 (unsigned long long)traced.base.with.games[PART_VALID]);
    return print(&traced, err);
}
