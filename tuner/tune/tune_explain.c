// SPDX-License-Identifier: GPL-3.0-or-later
// paotai tune --trace without a fit: --explain-trace shows how a trace adds up, and --check
// compares an engine with the fitted values that its author has written back.
#include <string.h>

#include "core/base/json.h"
#include "tuner/trace/trace_check.h"
#include "tuner/tune/tune.h"

// Prints a line for each term of a row, then offset, factor, sum and value.
static void print_row(const CommandCall *call, const TraceTerms *terms, const TraceRow *row) {
    const bool json = ((const TuneSettings *)call->settings)->json;
    const double share = row->phase / terms->phase_max;
    if (!json) {
        fprintf(call->out, "%-32s %12s %12s %12s %12s %12s\n", "term", "coefficient",
                terms->phased ? "(endgame)" : "", terms->phased ? "middlegame" : "value",
                terms->phased ? "endgame" : "", "product");
    }
    for (size_t i = 0; i < row->count; i++) {
        const struct TraceTerm *term = &terms->terms[row->index[i]];
        const double *c = row->coefficient[i];
        record_row(call->out, json,
                   "{term}%-32s {coefficient}%12.6g {coefficient_endgame}%12.6g {middlegame}%12.6g "
                   "{endgame}%12.6g {product}%12.6g\n",
                   term->name, c[0], c[1], term->start[0], term->start[1],
                   row->factor *
                       (share * c[0] * term->start[0] + (1 - share) * c[1] * term->start[1]));
    }
    double by_phase;
    const double sum = trace_row_sum(terms, row, &by_phase);
    record_print(call->out, json,
                 "phase %.9g phase_max %.9g offset %.9g factor %.9g sum %.9g value %.9g "
                 "difference %.9g",
                 row->phase, terms->phase_max, row->offset, row->factor, sum, row->value,
                 row->value - sum);
}

// Explains the mismatches among the positions of the runs.
static Status explain_sample(const CommandCall *call, Tracer *tracer, Err *err) {
    const TuneSettings *settings = call->settings;
    AUTO(RowSet) rows = {0};
    AUTO(SparseTerms) terms = {.terms = 0};
    AUTO(TraceReport) report = {.none = 0};
    if (call->arg_count == 0) return STATUS_OK;
    TRY(trace_load(tracer, call->args, call->arg_count, settings->quiet ? NULL : call->err, &rows,
                   &terms, &report, err));
    tune_print_checked(call, &terms, &report.check);
    return STATUS_OK;
}

static Status explain(const CommandCall *call, Tracer *tracer, Err *err) {
    const TuneSettings *settings = call->settings;
    TraceEngine *engine = &tracer->engines[0];
    AUTO(TraceRow) row = {.count = 0};
    Position board;
    if (position_from_fen(&board, settings->explain_trace, err) != STATUS_OK) {
        return err_usage(err, "explain-trace");
    }
    trace_row_init(&row, engine->terms.count);
    TRY(trace_engine_ask(engine, &board, NULL, &row, err));
    if (row.none[0]) {
        record_print(call->out, settings->json, "none %s", row.none);
    } else {
        print_row(call, &engine->terms, &row);
    }
    return explain_sample(call, tracer, err);
}

static Status check(const CommandCall *call, Tracer *tracer, Err *err) {
    const TuneSettings *settings = call->settings;
    AUTO(TraceValues) values = {.values = NULL};
    AUTO(RowCheck) sums = {.terms = 0};
    AUTO(SparseTerms) terms = {.terms = 0};
    AUTO(Text) text = {0};
    Err failure = {0};
    TRY(trace_values_read(settings->check, tracer, &values, err));
    const size_t differ = trace_compare_terms(tracer, &values, &text);
    fputs(text_get(&text), call->err);
    record_print(call->out, settings->json, "terms %zu terms_differ %zu",
                 tracer->engines[0].terms.count, differ);
    TRY(trace_compare_positions(tracer, call->args, call->arg_count, &sums, err));
    tracer_describe(tracer, NULL, &terms);
    tune_print_checked(call, &terms, &sums);
    if (row_check_verdict(&sums, &terms, settings->max_mismatch, &failure) != STATUS_OK) {
        return err_set(err, STATUS_MISMATCH, "the engine's values are not the sums of %s%s: %s",
                       settings->check, differ ? "" : ", although it prints the same terms",
                       failure.text);
    }
    if (differ == 0) return STATUS_OK;
    return err_set(err, STATUS_MISMATCH, "%zu terms of the engine and of %s differ", differ,
                   settings->check);
}

Status tune_explain(const CommandCall *call, Err *err) {
    const TuneSettings *settings = call->settings;
    AUTO(Tracer) tracer = {.threads = 0};
    TRY(tracer_open(settings->trace, settings->trace_plies, settings->setup.threads, &tracer, err));
    return settings->check ? check(call, &tracer, err) : explain(call, &tracer, err);
}
