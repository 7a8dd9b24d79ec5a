// SPDX-License-Identifier: GPL-3.0-or-later
// paotai tune --trace: reads the rows of an engine, checks them, and prints what was found.
#include <string.h>

#include "core/base/json.h"
#include "core/base/memory.h"
#include "core/system/version.h"
#include "datasets/store/store.h"
#include "tuner/rows/row_notes.h"
#include "tuner/rows/term_names.h"
#include "tuner/trace/trace_origin.h"
#include "tuner/trace/trace_trial.h"
#include "tuner/tune/tune.h"

// Appends the names of the marked terms. If they are many, appends one name for each group of terms
// whose names differ only in numeric indices, with the number of marked terms in the group.
static void add_names(const SparseTerms *terms, const bool *marked, size_t count, Text *text) {
    enum { SHOWN = 40 };
    AUTO(TermFamilies) families = {0};
    size_t found = 0;
    for (size_t i = 0; i < count; i++) found += marked[i];
    term_families_init(&families, terms);
    for (int f = 0; f < families.count; f++) {
        const TermFamily *family = &families.list[f];
        const bool whole = found > SHOWN && family->count > 1;
        int in_family = 0;
        for (int i = 0; i < family->count; i++) {
            const int term = family->terms[i];
            in_family += marked[term];
            if (!marked[term] || whole) continue;
            text_add(text, "%s%s", text->length ? ", " : "", terms->names[term]);
        }
        if (!whole || in_family == 0) continue;
        text_add(text, "%s%s (%d of %d)", text->length ? ", " : "", family->name, in_family,
                 family->count);
    }
}

void tune_print_checked(const CommandCall *call, const SparseTerms *terms, const RowCheck *check) {
    RowExplanation best[ROW_EXPLANATIONS];
    FILE *out = call->out;
    const bool json = ((const TuneSettings *)call->settings)->json;
    if (check->terms == 0) return;
    record_print(out, json, "checked_positions %llu mismatches %llu value_sd %.4g",
                 (unsigned long long)check->rows, (unsigned long long)check->mismatches,
                 row_check_deviation(check));
    const double phase = row_check_phase(check);
    if (phase != 0) {
        record_print(out, json, "phase_wrong_by %.2f phase_note %s", -phase,
                     "the rows and values differ by at most two units, but their differences "
                     "follow the phase; correct the phase of the trace");
    }
    if (check->mismatches == 0) return;
    record_print(out, json, "worst_mismatch %s value %.9g sum %.9g", check->worst,
                 check->worst_value, check->worst_sum);
    const int count = row_check_explain(check, terms, best);
    for (int i = 0; i < count && best[i].share > 0.1; i++) {
        record_print(out, json, "mismatches_explained %s share %.2f", best[i].name, best[i].share);
    }
}

// Checks the terms that the engine's values do not show, and prints those that stay unchecked.
static Status check_rare(const TuneFit *tune, Tracer *tracer, const RowCheck *check,
                         const bool *frozen, Err *err) {
    const size_t n = tracer->engines[0].terms.count;
    AUTO_FREE bool *unchecked = memory_alloc(n, sizeof *unchecked);
    AUTO(Text) names = {0};
    if (trace_unchecked(tracer, check, unchecked) == 0) return STATUS_OK;
    TRY(trace_trial(tracer, &tune->rows, check, tune->terms, unchecked, frozen, err));
    add_names(tune->terms, unchecked, n, &names);
    if (!names.length) return STATUS_OK;
    record_print(tune->call->out, tune->settings.json, "not_checked %s", names.data);
    if (tune->settings.quiet || tune->settings.json) return STATUS_OK;
    fprintf(tune->call->err,
            "terms that occur in fewer than %d positions, or whose values are at most two units of "
            "the evaluation, such as 0, are not checked; an engine that answers 'trace set' is "
            "checked with trial values\n",
            ROW_CHECK_LEAST);
    return STATUS_OK;
}

// Writes the rows, with hashes of what made them.
static Status write_rows(const TuneFit *tune, const Tracer *tracer, const TraceReport *report,
                         SparseTerms *terms, Err *err) {
    const CommandCall *call = tune->call;
    AUTO(Text) origin = {0}, provenance = {0};
    if (!tune->settings.rows_out) return STATUS_OK;
    TRY(trace_origin(tracer, terms, call->args, call->arg_count, &origin, err));
    terms->origin = memory_copy_text(text_get(&origin));
    text_add(&provenance, "paotai %s %s: tune --trace", PAOTAI_VERSION, version_revision());
    return rows_write_sparse(&tune->rows, terms, report->values, tune->settings.rows_out,
                             provenance.data, err);
}

static Status load(TuneFit *tune, Tracer *tracer, TraceReport *report, Err *err) {
    const TuneSettings *settings = &tune->settings;
    const CommandCall *call = tune->call;
    TRY(trace_load(tracer, call->args, call->arg_count, settings->quiet ? NULL : call->err,
                   &tune->rows, &tune->foreign, report, err));
    rows_note(&tune->rows, settings->quiet, call->err);
    tune->terms = &tune->foreign;
    AUTO_FREE bool *frozen = memory_alloc(2 * (size_t)tune->rows.pairs, sizeof *frozen);
    TRY(tune_choose_frozen(tune, frozen, err));
    TRY(trace_verdict(report, tune->terms, settings->max_mismatch, err));
    TRY(row_check_terms(&report->check, tune->terms, frozen, ROW_CHECK_LEAST, err));
    if (report->none > 0) {
        record_print(call->out, settings->json, "positions_without_value %llu",
                     (unsigned long long)report->none);
    }
    tune_print_checked(call, tune->terms, &report->check);
    TRY(check_rare(tune, tracer, &report->check, frozen, err));
    return write_rows(tune, tracer, report, &tune->foreign, err);
}

Status tune_load_trace(TuneFit *tune, Err *err) {
    const TuneSettings *settings = &tune->settings;
    AUTO(Tracer) tracer = {.threads = 0};
    AUTO(TraceReport) report = {.none = 0};
    TRY(tracer_open(settings->trace, settings->trace_plies, settings->setup.threads, &tracer, err));
    tracer.with_faults = settings->setup.with_faults;
    return load(tune, &tracer, &report, err);
}
