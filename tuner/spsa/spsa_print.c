// SPDX-License-Identifier: GPL-3.0-or-later
// Prints the output of `paotai spsa`.
#include <math.h>

#include "core/base/json.h"
#include "selfplay/stats/strength_verdict.h"
#include "tuner/spsa/spsa.h"

void spsa_print_lines(const SpsaShow *show, const SpsaSpec *spec, const double *values) {
    AUTO(Text) text = {0};
    spsa_add_lines(spec, SPSA_FISHTEST, values, &text);
    fputs(text_get(&text), show->call->out);
}

// ---- probes -------------------------------------------------------------------------------------

// Appends the result of the match of one end of a parameter's range against the start value. If the
// two are equal, no games were played.
static void add_end(const SpsaTrace *trace, int param, int end, StrengthVerdict *verdict,
                    Text *text) {
    if (!spsa_probe_verdict(trace, param, end, verdict)) {
        *verdict = (StrengthVerdict){.elo = NAN, .ci_low = NAN, .ci_high = NAN};
        text_add(text, "equal to the start value, so no games were played");
    } else if (trace->alike[param][end]) {
        text_add(text, "plays like the start value: the same moves in all %lld games",
                 match_counts_games(&trace->probes[param][end]));
    } else {
        strength_word_add(text, verdict);
        text_add(text, " (");
        strength_interval_add(text, verdict);
        text_add(text, ", 95 %%%s)", verdict->few_pairs ? ", too few pairs" : "");
    }
}

// Prints the Elo of both ends of a parameter's range against the start value.
static void print_probe(const SpsaShow *show, const SpsaTrace *trace, int i) {
    const SpsaParam *param = &show->run->spec.params[i];
    StrengthVerdict low, high;
    AUTO(Text) at_min = {0}, at_max = {0};
    add_end(trace, i, 0, &low, &at_min);
    add_end(trace, i, 1, &high, &at_max);
    record_row(show->call->out, show->json,
               "probe {probe}%-26s at {min}%g: {min_result}%s; at {max}%g: {max_result}%s"
               "{!min_elo}%f{!min_ci_low}%f{!min_ci_high}%f{!max_elo}%f{!max_ci_low}%f"
               "{!max_ci_high}%f\n",
               param->name, param->min, at_min.data, param->max, at_max.data, low.elo, low.ci_low,
               low.ci_high, high.elo, high.ci_low, high.ci_high);
}

// ---- iterations ---------------------------------------------------------------------------------

// Prepares the progress line for probes or iterations. Returns the number of finished ones.
static uint64_t set_phase(SpsaShow *show, const SpsaTrace *trace, bool probes) {
    const SpsaSpec *spec = &show->run->spec;
    Progress *progress = &show->progress;
    progress->what = probes ? "probes" : "iterations";
    progress->total = (uint64_t)(probes ? 2 * spec->count : spec->iterations);
    progress->before = probes ? (uint64_t)trace->stored_probes : trace->stored;
    if (probes) return (uint64_t)trace->probe_count;
    return trace->count ? trace->count - 1 : 0;
}

// Shows progress after a probe. After the last probe, prints the results of all probes, and starts
// the clock of the iterations.
static void show_probe(SpsaShow *show, const SpsaTrace *trace) {
    const SpsaSpec *spec = &show->run->spec;
    const int played = trace->probe_count;
    const uint64_t done = set_phase(show, trace, true);
    AUTO(Text) detail = {0};
    if (played < 2 * spec->count) {
        text_add(&detail, "probe of %s", spec->params[played / 2].name);
        progress_update(&show->progress, done, detail.data);
        return;
    }
    progress_finish(&show->progress, done, "");
    progress_init(&show->progress, show->call->err, show->quiet, "iterations",
                  (uint64_t)spec->iterations);
    for (int i = 0; i < spec->count; i++) print_probe(show, trace, i);
}

void spsa_finish_progress(SpsaShow *show, const SpsaTrace *trace, const char *detail) {
    const bool probes = show->run->probe_pairs && trace->probe_count < 2 * show->run->spec.count;
    progress_finish(&show->progress, set_phase(show, trace, probes), detail);
}

void spsa_show_iteration(void *context, const SpsaTrace *trace) {
    SpsaShow *show = context;
    const SpsaSpec *spec = &show->run->spec;
    const SpsaRow *row = &trace->rows[trace->count - 1];
    // Before the first iteration, the matches are probes: one end of a parameter's range against
    // the start value.
    if (trace->count == 1) {
        show_probe(show, trace);
        return;
    }
    AUTO(Text) detail = {0};
    for (int i = 0; i < spec->count && i < 3; i++) {
        text_add(&detail, "%s%s %.1f", i ? ", " : "", spec->params[i].name, row->theta[i]);
    }
    const uint64_t done = set_phase(show, trace, false);
    progress_update(&show->progress, done, text_get(&detail));
    if (!show->json) return;
    Record record;
    record_begin(&record, show->call->out, true);
    record_add(&record, "iteration %d wins %lld losses %lld draws %lld", row->iteration, row->wins,
               row->losses, row->draws);
    for (int i = 0; i < spec->count; i++) {
        record_add(&record, "%s %.3f", spec->params[i].name, row->theta[i]);
    }
    record_end(&record);
}

// ---- the result ---------------------------------------------------------------------------------

static void print_table(const SpsaShow *show, const SpsaTrace *trace) {
    const SpsaSpec *spec = &show->run->spec;
    if (!show->json) {
        fprintf(show->call->out, "%-26s %8s %9s %9s %9s %9s %s\n", "parameter", "start", "last",
                "mean", "scatter", "drift", "verdict");
    }
    for (int i = 0; i < spec->count; i++) {
        const SpsaParam *param = &spec->params[i];
        const SpsaVerdict *verdict = &trace->verdicts[i];
        const SpsaTail tail = spsa_tail(trace, i);
        record_row(show->call->out, show->json,
                   "{param}%-26s {start}%8g {last}%9.2f {tail_mean}%9.2f {tail_scatter}%9.2f "
                   "{tail_drift}%+9.2f {verdict}%s{!missing_elo_high}%f"
                   "{!range_elo_high}%f\n",
                   param->name, param->start, trace->rows[trace->count - 1].theta[i], tail.mean,
                   tail.scatter, tail.drift, verdict->text, verdict->missing_high,
                   verdict->range_high);
    }
}

static bool tunes_paotai(const SpsaRun *run) {
    return !run->match->players[0].spec.program;
}

void spsa_print_result(const SpsaShow *show, const SpsaTrace *trace) {
    const SpsaRun *run = show->run;
    AUTO(Text) use = {0};
    double result[SPSA_PARAMS_MAX];
    long long games = 0;
    Record record;
    print_table(show, trace);
    spsa_result(&run->spec, trace, result);
    spsa_add_player(&run->spec, show->player, result, &use);
    for (size_t i = 1; i < trace->count; i++) {
        games += trace->rows[i].wins + trace->rows[i].losses + trace->rows[i].draws;
    }
    if (!show->json) spsa_print_lines(show, &run->spec, result);
    record_begin(&record, show->call->out, show->json);
    record_add(&record, "iterations %zu games %lld use %s", trace->count - 1, games,
               text_get(&use));
    record_end(&record);
    if (tunes_paotai(run) && !run->dir && !show->quiet) {
        fprintf(show->call->err,
                "the result is not saved; run with --out DIR to get DIR/params.txt\n");
    }
}

void spsa_print_check(const SpsaShow *show, const SpsaTrace *trace, const MatchCounts *counts) {
    FILE *out = show->call->out;
    const char *const dir = show->run->dir;
    double result[SPSA_PARAMS_MAX];
    Strength strength;
    spsa_result(&show->run->spec, trace, result);
    if (spsa_is_start(&show->run->spec, result)) {
        record_print(out, show->json, "check_games %d check_note %s", 0,
                     "the rounded result equals the start values, so no games were played");
        return;
    }
    // The match was interrupted before its first game ended.
    if (match_counts_games(counts) == 0) return;
    Record record;
    StrengthVerdict verdict;
    AUTO(Text) text = {0}, adopt = {0};
    strength_from_counts(counts, &strength);
    strength_verdict(counts, NULL, false, &verdict);
    record_begin(&record, out, show->json);
    record_add(&record, "check_games %lld check_elo %.1f check_elo_error95 %.1f",
               match_counts_games(counts), strength.elo, strength.elo_error95);
    strength_verdict_record(&record, &verdict, true);
    if (tunes_paotai(show->run) && verdict.word == STRENGTH_STRONGER) {
        text_add(&adopt, "make adopt SEARCH=%s/params.txt", dir ? dir : "DIR");
        record_add(&record, "adopt %s", adopt.data);
    }
    record_end(&record);
    if (show->json) return;
    text_add(&text, "the result against the start values: ");
    strength_word_add(&text, &verdict);
    text_add(&text, " (");
    strength_interval_add(&text, &verdict);
    text_add(&text, ", %lld games, 95 %%%s", match_counts_games(counts),
             verdict.word == STRENGTH_UNDECIDED ? "; " : "");
    strength_more_add(&text, &verdict);
    fprintf(out, "%s)\n", text.data);
}
