// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/progress.h"

#include <unistd.h>

#include "core/base/clock.h"

void progress_init(Progress *progress, FILE *out, bool quiet, const char *what, uint64_t total) {
    *progress = (Progress){.out = quiet ? NULL : out, .what = what, .total = total};
    progress->started_s = progress->shown_s = clock_now_s();
    progress->terminal = out && isatty(fileno(out));
}

double progress_elapsed_s(const Progress *progress) {
    return clock_now_s() - progress->started_s;
}

static void print_duration(FILE *out, double seconds) {
    const long long whole = (long long)(seconds + 0.5);
    if (whole >= 3600) {
        fprintf(out, "%lldh%02lldm", whole / 3600, whole % 3600 / 60);
    } else if (whole >= 60) {
        fprintf(out, "%lldm%02llds", whole / 60, whole % 60);
    } else {
        fprintf(out, "%llds", whole);
    }
}

static void show(Progress *progress, uint64_t done, const char *detail, bool last) {
    const double elapsed = progress_elapsed_s(progress);
    const double rate = elapsed > 0 ? (double)done / elapsed : 0;
    if (progress->terminal) fputc('\r', progress->out);
    fprintf(progress->out, "%llu", (unsigned long long)done);
    if (progress->total) fprintf(progress->out, "/%llu", (unsigned long long)progress->total);
    fprintf(progress->out, " %s  %.1f/s", progress->what, rate);
    if (detail && *detail) fprintf(progress->out, "  %s", detail);
    if (last) {
        fprintf(progress->out, "  in ");
        print_duration(progress->out, elapsed);
    } else if (progress->total > done && rate > 0) {
        fprintf(progress->out, "  ETA ");
        print_duration(progress->out, (double)(progress->total - done) / rate);
    }
    fputs(progress->terminal ? "\033[K" : "\n", progress->out);
    fflush(progress->out);
    progress->shown_s = clock_now_s();
}

void progress_update(Progress *progress, uint64_t done, const char *detail) {
    if (!progress->out) return;
    const double pause = progress->terminal ? 0.2 : 10.0;
    if (clock_now_s() - progress->shown_s >= pause) show(progress, done, detail, false);
}

void progress_finish(Progress *progress, uint64_t done, const char *detail) {
    if (!progress->out) return;
    const bool shown = progress->shown_s > progress->started_s;
    if (!shown && progress_elapsed_s(progress) < 1.0) return; // too short to be worth a line
    show(progress, done, detail, true);
    if (progress->terminal) fputc('\n', progress->out);
    progress->out = NULL;
}
