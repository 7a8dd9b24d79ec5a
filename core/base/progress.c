// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/progress.h"

#include <string.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/terminal.h"

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

// The lines below, each cut so that none takes two: the way back up would be wrong.
static void draw_table(Progress *progress, const char *table) {
    const int width = terminal_width(progress->out);
    for (progress->lines = 0; *table; progress->lines++) {
        const int length = (int)strcspn(table, "\n");
        fprintf(progress->out, "\n%.*s\033[K", length < width ? length : width - 1, table);
        table += length + (table[length] != '\0');
    }
}

static void show(Progress *progress, uint64_t done, const char *detail, const char *table,
                 bool last) {
    const uint64_t end = progress->expected ? progress->expected : progress->total;
    const double elapsed = progress_elapsed_s(progress);
    const double rate = elapsed > 0 ? (double)done / elapsed : 0;
    if (progress->terminal && progress->lines > 0) {
        fprintf(progress->out, "\033[%dA", progress->lines);
    }
    if (progress->terminal) fputc('\r', progress->out);
    fprintf(progress->out, "%llu", (unsigned long long)done);
    if (progress->total) fprintf(progress->out, "/%llu", (unsigned long long)progress->total);
    fprintf(progress->out, " %s  %.1f/s", progress->what, rate);
    if (detail && *detail) fprintf(progress->out, "  %s", detail);
    if (last) {
        fprintf(progress->out, "  in ");
        print_duration(progress->out, elapsed);
    } else if (end > done && rate > 0) {
        fprintf(progress->out, "  ETA ");
        print_duration(progress->out, (double)(end - done) / rate);
    }
    fputs(progress->terminal ? "\033[K" : "\n", progress->out);
    if (progress->terminal && table) {
        draw_table(progress, table);
    } else if (progress->terminal && progress->lines > 0) {
        fprintf(progress->out, "\033[%dB", progress->lines);
    }
    fflush(progress->out);
    progress->shown_s = clock_now_s();
}

bool progress_is_due(const Progress *progress) {
    const double pause = progress->terminal ? 0.2 : 10.0;
    return progress->out && clock_now_s() - progress->shown_s >= pause;
}

void progress_update_table(Progress *progress, uint64_t done, const char *detail,
                           const char *table) {
    if (progress_is_due(progress)) show(progress, done, detail, table, false);
}

void progress_update(Progress *progress, uint64_t done, const char *detail) {
    progress_update_table(progress, done, detail, NULL);
}

void progress_say(Progress *progress, const char *sentence) {
    if (!progress->out) return;
    if (progress->terminal) {
        if (progress->lines > 0) fprintf(progress->out, "\033[%dA", progress->lines);
        fprintf(progress->out, "\r%s\033[K\n\033[J", sentence);
        progress->lines = 0;
        progress->shown_s = 0; // the next update draws everything anew, below
    } else {
        fprintf(progress->out, "%s\n", sentence);
    }
    fflush(progress->out);
}

void progress_finish_table(Progress *progress, uint64_t done, const char *detail,
                           const char *table) {
    if (!progress->out) return;
    const bool shown = progress->shown_s > progress->started_s;
    if (!shown && progress_elapsed_s(progress) < 1.0) return; // too short to be worth a line
    show(progress, done, detail, table, true);
    if (progress->terminal) fputc('\n', progress->out);
    progress->out = NULL;
}

void progress_finish(Progress *progress, uint64_t done, const char *detail) {
    progress_finish_table(progress, done, detail, NULL);
}
