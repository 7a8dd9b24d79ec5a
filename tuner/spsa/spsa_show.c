// SPDX-License-Identifier: GPL-3.0-or-later
// The output of `paotai spsa`.
#include <math.h>

#include "core/base/json.h"
#include "core/base/out_file.h"
#include "tuner/spsa/spsa_show.h"

// Each parameter at both ends of its range against the start, in Elo.
static void print_probes(const CommandCall *call, const SpsaSpec *spec, const SpsaTrace *trace) {
    const SpsaSettings *settings = call->settings;
    int unseen = 0;
    for (int i = 0; i < spec->count; i++) {
        Strength low, high;
        strength_from_counts(&trace->probes[i][0], &low);
        strength_from_counts(&trace->probes[i][1], &high);
        record_row(call->out, settings->contest.json,
                   "probe {probe}%-26s at {min}%g: {min_elo}%+.0f +- {min_elo_error95}%.0f Elo, at "
                   "{max}%g: {max_elo}%+.0f +- {max_elo_error95}%.0f Elo\n",
                   spec->params[i].name, spec->params[i].min, low.elo, low.elo_error95,
                   spec->params[i].max, high.elo, high.elo_error95);
        unseen += spsa_unseen(trace, i);
    }
    if (unseen == 0 || settings->contest.json) return;
    fprintf(call->out, "games cannot tell the ends of these from the start:");
    for (int i = 0; i < spec->count; i++) {
        if (spsa_unseen(trace, i)) fprintf(call->out, " %s", spec->params[i].name);
    }
    fprintf(call->out, "; leave them out, widen their ranges, or probe with more pairs\n");
}

void spsa_show_iteration(void *context, const SpsaTrace *trace) {
    SpsaShow *show = context;
    const SpsaSettings *settings = show->call->settings;
    const SpsaRow *row = &trace->rows[trace->count - 1];
    if (trace->count == 1) { // a probe
        const int played = trace->probe_count, all = 2 * show->spec->count;
        if (played < all) {
            progress_update(&show->progress, 0, show->spec->params[played / 2].name);
        } else {
            print_probes(show->call, show->spec, trace);
        }
        return;
    }
    AUTO(Text) detail = {0};
    for (int i = 0; i < show->spec->count && i < 3; i++) {
        text_add(&detail, "%s%s %.1f", i ? ", " : "", show->spec->params[i].name, row->theta[i]);
    }
    progress_update(&show->progress, trace->count - 1, text_get(&detail));
    if (!settings->contest.json) return;
    Record record;
    record_begin(&record, show->call->out, true);
    record_add(&record, "iteration %d wins %lld losses %lld draws %lld", row->iteration, row->wins,
               row->losses, row->draws);
    for (int i = 0; i < show->spec->count; i++) {
        record_add(&record, "%s %.3f", show->spec->params[i].name, row->theta[i]);
    }
    record_end(&record);
}

void spsa_print_result(const CommandCall *call, const SpsaRun *run, const SpsaTrace *trace) {
    const SpsaSettings *settings = call->settings;
    AUTO(Text) use = {0};
    double means[SPSA_PARAMS_MAX];
    long long games = 0;
    if (!settings->contest.json) {
        fprintf(call->out, "%-26s %8s %9s %9s %9s %9s %s\n", "parameter", "start", "last", "mean",
                "scatter", "drift", "verdict");
    }
    text_add(&use, "%s", settings->player);
    for (int i = 0; i < run->spec.count; i++) {
        const SpsaParam *param = &run->spec.params[i];
        const SpsaTail tail = spsa_tail(trace, i);
        record_row(call->out, settings->contest.json,
                   "{param}%-26s {start}%8g {last}%9.2f {tail_mean}%9.2f {tail_scatter}%9.2f "
                   "{tail_drift}%+9.2f {verdict}%s\n",
                   param->name, param->start, trace->rows[trace->count - 1].theta[i], tail.mean,
                   tail.scatter, tail.drift, tail.verdict);
        means[i] = tail.mean;
        text_add(&use, "%soption.%s=%.0f", use.length ? "," : "", param->name, tail.mean);
    }
    for (size_t i = 1; i < trace->count; i++) {
        games += trace->rows[i].wins + trace->rows[i].losses + trace->rows[i].draws;
    }
    if (!settings->contest.json) spsa_print_lines(call, &run->spec, means);
    record_print(call->out, settings->contest.json, "iterations %zu games %lld use %s",
                 trace->count - 1, games, text_get(&use));
}

void spsa_print_check(const CommandCall *call, const MatchCounts *counts) {
    const SpsaSettings *settings = call->settings;
    Strength strength;
    strength_from_counts(counts, &strength);
    record_print(call->out, settings->contest.json,
                 "check_games %lld check_elo %.1f check_elo_error95 %.1f",
                 match_counts_games(counts), strength.elo, strength.elo_error95);
    if (settings->contest.json) return;
    fprintf(call->out,
            fabs(strength.elo) <= strength.elo_error95
                ? "the result and the start are level: %+.0f +- %.0f Elo\n"
            : strength.elo > 0 ? "the result is stronger than the start: %+.0f +- %.0f Elo\n"
                               : "the result is weaker than the start: %+.0f +- %.0f Elo\n",
            strength.elo, strength.elo_error95);
}

Status spsa_write_files(const SpsaRun *run, const SpsaTrace *trace, Err *err) {
    double means[SPSA_PARAMS_MAX];
    AUTO(Text) page = {0}, lines = {0}, path = {0};
    text_add(&page, "%s/spsa.html", run->dir);
    TRY(spsa_write_page(&run->spec, trace, page.data, err));
    text_add(&path, "%s/params.txt", run->dir);
    for (int i = 0; i < run->spec.count; i++) means[i] = spsa_tail(trace, i).mean;
    spsa_add_lines(&run->spec, SPSA_OPENBENCH, means, &lines);
    return text_write_file(path.data, lines.data, lines.length, err);
}

void spsa_print_lines(const CommandCall *call, const SpsaSpec *spec, const double *values) {
    AUTO(Text) text = {0};
    spsa_add_lines(spec, SPSA_FISHTEST, values, &text);
    fputs(text_get(&text), call->out);
}
