// SPDX-License-Identifier: GPL-3.0-or-later
// What `paotai spsa` shows on the way and at its end.
#include "core/base/json.h"
#include "tuner/cmd_spsa.h"

void spsa_show_iteration(void *context, const SpsaTrace *trace) {
    SpsaShow *show = context;
    const SpsaSettings *settings = show->call->settings;
    const SpsaRow *row = &trace->rows[trace->count - 1];
    Text detail = {0};
    for (int i = 0; i < show->spec->count && i < 3; i++) {
        text_add(&detail, "%s%s %.1f", i ? ", " : "", show->spec->params[i].name, row->theta[i]);
    }
    progress_update(&show->progress, trace->count - 1, text_get(&detail));
    text_clear(&detail);
    if (!settings->contest.json) return;
    Record record;
    record_begin(&record, show->call->out, true);
    record_int(&record, "iteration", row->iteration);
    record_int(&record, "wins", row->wins);
    record_int(&record, "losses", row->losses);
    record_int(&record, "draws", row->draws);
    for (int i = 0; i < show->spec->count; i++) {
        record_real(&record, show->spec->params[i].name, row->theta[i], 3);
    }
    record_end(&record);
    fflush(show->call->out);
}

static void print_param(const CommandCall *call, const SpsaParam *param, const SpsaTrace *trace,
                        int i) {
    const SpsaSettings *settings = call->settings;
    const double last = trace->rows[trace->count - 1].theta[i];
    double mean, scatter;
    spsa_tail(trace, i, &mean, &scatter);
    if (!settings->contest.json) {
        enum { LENGTH = 32, SCATTER_ITERATIONS = 10 };
        Text path = {0};
        spsa_sparkline(trace, i, LENGTH, &path);
        // A quarter of a few iterations has no scatter to speak of.
        char width[24] = "-";
        if (trace->count > SCATTER_ITERATIONS) snprintf(width, sizeof width, "%.2f", scatter);
        fprintf(call->out, "%-26s %10g %10.2f %10.2f +- %-8s %s\n", param->name, param->start, last,
                mean, width, text_get(&path));
        text_clear(&path);
        return;
    }
    Record record;
    record_begin(&record, call->out, true);
    record_text(&record, "param", param->name);
    record_real(&record, "start", param->start, -1);
    record_real(&record, "last", last, -1);
    record_real(&record, "tail_mean", mean, -1);
    record_real(&record, "tail_scatter", scatter, -1);
    record_end(&record);
}

void spsa_print_result(const CommandCall *call, const SpsaRun *run, const SpsaTrace *trace) {
    const SpsaSettings *settings = call->settings;
    Text use = {0};
    long long games = 0;
    if (!settings->contest.json) {
        fprintf(call->out, "%-26s %10s %10s %10s %-11s %s\n", "parameter", "start", "last", "mean",
                "of the end", "path");
    }
    text_add(&use, "%s", settings->player);
    for (int i = 0; i < run->spec.count; i++) {
        double mean, scatter;
        print_param(call, &run->spec.params[i], trace, i);
        spsa_tail(trace, i, &mean, &scatter);
        text_add(&use, "%soption.%s=%.0f", use.length ? "," : "", run->spec.params[i].name, mean);
    }
    for (size_t i = 1; i < trace->count; i++) {
        games += trace->rows[i].wins + trace->rows[i].losses + trace->rows[i].draws;
    }
    Record record;
    record_begin(&record, call->out, settings->contest.json);
    record_int(&record, "iterations", (long long)trace->count - 1);
    record_int(&record, "games", games);
    record_text(&record, "use", text_get(&use));
    record_end(&record);
    text_clear(&use);
}
