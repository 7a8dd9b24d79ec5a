// SPDX-License-Identifier: GPL-3.0-or-later
// What `paotai spsa` shows on the way and at its end.
#include <math.h>

#include "core/base/json.h"
#include "core/base/out_file.h"
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
    record_add(&record, "iteration %d wins %lld losses %lld draws %lld", row->iteration, row->wins,
               row->losses, row->draws);
    for (int i = 0; i < show->spec->count; i++) {
        record_add(&record, "%s %.3f", show->spec->params[i].name, row->theta[i]);
    }
    record_end(&record);
}

static void print_param(const CommandCall *call, const SpsaParam *param, const SpsaTrace *trace,
                        int i) {
    enum { LENGTH = 32, SCATTER_ITERATIONS = 10 };
    const SpsaSettings *settings = call->settings;
    const double last = trace->rows[trace->count - 1].theta[i];
    double mean, scatter;
    Text path = {0};
    spsa_tail(trace, i, &mean, &scatter);
    spsa_sparkline(trace, i, LENGTH, &path);
    // A quarter of a few iterations has no scatter to speak of.
    const bool few = trace->count <= SCATTER_ITERATIONS && !settings->contest.json;
    record_row(
        call->out, settings->contest.json,
        "{param}%-26s {start}%10g {last}%10.2f {tail_mean}%10.2f +- {tail_scatter}%-8.2f %s\n",
        param->name, param->start, last, mean, few ? NAN : scatter, text_get(&path));
    text_clear(&path);
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
    record_print(call->out, settings->contest.json, "iterations %zu games %lld use %s",
                 trace->count - 1, games, text_get(&use));
    text_clear(&use);
}

Status spsa_write_files(const SpsaRun *run, const SpsaTrace *trace, Err *err) {
    double means[SPSA_PARAMS_MAX], scatter;
    Text path = {0}, lines = {0};
    text_add(&path, "%s/spsa.html", run->dir);
    Status status = spsa_write_page(&run->spec, trace, path.data, err);
    text_reset(&path);
    text_add(&path, "%s/params.txt", run->dir);
    for (int i = 0; i < run->spec.count; i++) spsa_tail(trace, i, &means[i], &scatter);
    spsa_add_lines(&run->spec, SPSA_OPENBENCH, means, &lines);
    if (status == STATUS_OK) status = text_write_file(path.data, lines.data, lines.length, err);
    text_clear(&path);
    text_clear(&lines);
    return status;
}

void spsa_print_lines(const CommandCall *call, const SpsaSpec *spec) {
    const SpsaSettings *settings = call->settings;
    Text text = {0};
    spsa_add_lines(spec, (SpsaForm)settings->lines, NULL, &text);
    fputs(text_get(&text), call->out);
    text_clear(&text);
}
