// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/command/progress.h"

#include <string.h>

#include "core/system/clock.h"
#include "core/system/ranks.h"
#include "core/system/terminal.h"

void progress_init(Progress *progress, FILE *out, bool quiet, const char *what, uint64_t total) {
    *progress =
        (Progress){.out = quiet || mpi_rank() > 0 ? NULL : out, .what = what, .total = total};
    progress->started_s = progress->shown_s = clock_now_s();
    progress->terminal = out && terminal_is(out);
}

double progress_elapsed_s(const Progress *progress) {
    return clock_now_s() - progress->started_s;
}

void progress_add_duration(Text *line, double seconds) {
    const long long whole = (long long)(seconds + 0.5);
    if (whole >= 3600) {
        text_add(line, "%lldh%02lldm", whole / 3600, whole % 3600 / 60);
    } else if (whole >= 60) {
        text_add(line, "%lldm%02llds", whole / 60, whole % 60);
    } else {
        text_add(line, "%llds", whole);
    }
}

// Draws Progress.table below the progress line. Each line is cut to the terminal width, because a
// line that the terminal wraps would make the later cursor movement wrong.
static void draw_table(Progress *progress) {
    const int width = terminal_width(progress->out);
    const char *table = progress->table;
    for (progress->lines = 0; *table; progress->lines++) {
        const int length = (int)strcspn(table, "\n");
        fprintf(progress->out, "\n%.*s\033[K", length < width ? length : width - 1, table);
        table += length + (table[length] != '\0');
    }
}

// Appends the text of the progress line: "DONE/TOTAL WHAT RATE/s DETAIL ETA TIME". If `last` is
// set, "in TIME" replaces "ETA TIME".
static void add_state(const Progress *progress, uint64_t done, const char *detail, bool last,
                      Text *line) {
    const uint64_t end = progress->expected ? progress->expected : progress->total;
    const double elapsed = progress_elapsed_s(progress);
    const uint64_t work = done - (done < progress->before ? done : progress->before);
    const double rate = elapsed > 0 ? (double)work / elapsed : 0;
    text_add(line, "%llu", (unsigned long long)done);
    if (progress->total) text_add(line, "/%llu", (unsigned long long)progress->total);
    text_add(line, " %s  %.1f/s", progress->what, rate);
    if (detail && *detail) text_add(line, "  %s", detail);
    if (last) {
        text_add(line, "  in ");
        progress_add_duration(line, elapsed);
    } else if (end > done && rate > 0) {
        text_add(line, "  ETA ");
        progress_add_duration(line, (double)(end - done) / rate);
    }
}

static void show(Progress *progress, uint64_t done, const char *detail, bool last) {
    AUTO(Text) line = {0};
    add_state(progress, done, detail, last, &line);
    if (!progress->terminal) {
        fprintf(progress->out, "%s\n", line.data);
    } else {
        if (progress->lines > 0) fprintf(progress->out, "\033[%dA", progress->lines);
        // The progress line is cut to the terminal width, because a wrapped line could not be
        // overwritten.
        fprintf(progress->out, "\r%.*s\033[K", terminal_width(progress->out) - 1, line.data);
        if (progress->table) {
            draw_table(progress);
        } else if (progress->lines > 0) {
            fprintf(progress->out, "\033[%dB", progress->lines);
        }
    }
    fflush(progress->out);
    progress->shown_s = clock_now_s();
}

bool progress_is_due(const Progress *progress) {
    const double pause = progress->terminal ? 0.2 : 10.0;
    return progress->out && clock_now_s() - progress->shown_s >= pause;
}

void progress_update(Progress *progress, uint64_t done, const char *detail) {
    if (progress_is_due(progress)) show(progress, done, detail, false);
}

void progress_say(Progress *progress, const char *sentence) {
    if (!progress->out) return;
    if (progress->terminal) {
        if (progress->lines > 0) fprintf(progress->out, "\033[%dA", progress->lines);
        fprintf(progress->out, "\r%s\033[K\n\033[J", sentence);
        progress->lines = 0;
        // This printed `sentence` over the progress line. Let the next progress_update() draw the
        // progress line and its table again, below the sentence.
        progress->shown_s = 0;
    } else {
        fprintf(progress->out, "%s\n", sentence);
    }
    fflush(progress->out);
}

void progress_finish(Progress *progress, uint64_t done, const char *detail) {
    if (!progress->out) return;
    const bool shown = progress->shown_s > progress->started_s;
    // Print nothing if the work ended within a second, before any progress line was shown.
    if (!shown && progress_elapsed_s(progress) < 1.0) return;
    show(progress, done, detail, true);
    if (progress->terminal) fputc('\n', progress->out);
    progress->out = NULL;
}
