// SPDX-License-Identifier: GPL-3.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/memory.h"
#include "core/system/in_file.h"
#include "core/system/out_file.h"
#include "core/system/version.h"
#include "datasets/store/run.h"
#include "tuner/spsa/spsa.h"

void spsa_trace_clear(SpsaTrace *trace) {
    free(trace->rows);
    *trace = (SpsaTrace){0};
}

void spsa_trace_add(SpsaTrace *trace, const SpsaRow *row) {
    if (row->iteration < 0) {
        const int at = trace->probe_count++;
        MatchCounts *counts = &trace->probes[at / 2][at % 2];
        *counts = (MatchCounts){.has_pairs = true,
                                .has_games = true,
                                .wins = row->wins,
                                .losses = row->losses,
                                .draws = row->draws};
        memcpy(counts->penta, row->penta, sizeof row->penta);
        trace->alike[at / 2][at % 2] = row->alike > 0 && row->alike == match_counts_pairs(counts);
        return;
    }
    trace->rows = memory_room(trace->rows, &trace->capacity, trace->count + 1, sizeof *trace->rows);
    trace->rows[trace->count++] = *row;
}

static void log_path(const SpsaRun *run, Text *path) {
    text_add(path, "%s/spsa.log", run->dir);
}

static void format_row(const SpsaSpec *spec, const SpsaRow *row, Text *text) {
    text_add(text, "%d\t%lld\t%lld\t%lld", row->iteration, row->wins, row->losses, row->draws);
    for (int i = 0; i < PAIR_OUTCOMES; i++) text_add(text, "%c%lld", i ? ',' : '\t', row->penta[i]);
    text_add(text, "\t%lld", row->alike);
    for (int i = 0; i < spec->count; i++) {
        text_add(text, "\t");
        text_add_real(text, row->theta[i]);
    }
    text_add(text, "\n");
}

// Appends the lines of run->identity as comments, and the names of the columns.
static void format_head(const SpsaRun *run, Text *text) {
    for (const char *at = run->identity; *at;) {
        const size_t length = strcspn(at, "\n");
        text_add(text, "# %.*s\n", (int)length, at);
        at += length + (at[length] == '\n');
    }
    text_add(text, "# revision=%s\niteration\twins\tlosses\tdraws\tpairs\tpairs_alike",
             version_revision());
    for (int i = 0; i < run->spec.count; i++) text_add(text, "\t%s", run->spec.params[i].name);
    text_add(text, "\n");
}

// Compares the header of a log with the header that this run would write. Moves *at to the text
// after the header.
static Status check_head(const SpsaRun *run, const char *path, const char **at, Err *err) {
    AUTO(Text) then = {0}, now = {0};
    format_head(run, &now);
    for (bool more = true; more && **at;) {
        const size_t length = strcspn(*at, "\n");
        more = **at == '#';
        text_add_bytes(&then, *at, length + ((*at)[length] == '\n'));
        *at += length + ((*at)[length] == '\n');
    }
    const Status status = run_identity_check(path, text_get(&then), text_get(&now), NULL, err);
    if (status != STATUS_OK && err && strstr(err->text, "'# iterations=")) {
        err_remedy(err, "all steps and perturbations depend on the number of iterations; to "
                        "continue further, start a new run with the last values in --param");
    }
    return status;
}

static bool read_row(const char *line, const SpsaRun *run, int iteration, SpsaRow *row) {
    char *end;
    *row = (SpsaRow){.iteration = (int)strtol(line, &end, 10)};
    row->wins = strtoll(end, &end, 10);
    row->losses = strtoll(end, &end, 10);
    row->draws = strtoll(end, &end, 10);
    for (int i = 0; i < PAIR_OUTCOMES; i++) {
        if (*end != (i ? ',' : '\t')) return false;
        row->penta[i] = strtoll(end + 1, &end, 10);
    }
    row->alike = strtoll(end, &end, 10);
    for (int i = 0; i < run->spec.count; i++) {
        const char *from = end;
        row->theta[i] = strtod(from, &end);
        if (end == from || !isfinite(row->theta[i])) return false;
    }
    return *end == '\n' && row->iteration == iteration;
}

static Status read_log(const SpsaRun *run, const char *path, const char *text, SpsaTrace *trace,
                       Err *err) {
    const char *at = text;
    TRY(check_head(run, path, &at, err));
    while (strchr(at, '\n')) {
        const bool probes = run->probe_pairs && trace->probe_count < 2 * run->spec.count;
        const int k = probes ? -1 - trace->probe_count : (int)trace->count;
        SpsaRow row;
        if (k > run->spec.iterations || !read_row(at, run, k, &row)) {
            int line = 1;
            for (const char *to = text; to < at; to++) line += *to == '\n';
            return err_set(err, STATUS_CORRUPT,
                           "%s line %d is damaged: remove it and all later lines, then repeat the "
                           "command with --resume",
                           path, line);
        }
        spsa_trace_add(trace, &row);
        at = strchr(at, '\n') + 1;
    }
    if (*at == '\0') return STATUS_OK;
    // Write the log without its incomplete last line.
    return text_write_file(path, text, (size_t)(at - text), err);
}

Status spsa_log_begin(const SpsaRun *run, SpsaTrace *trace, Err *err) {
    SpsaRow start = {.iteration = 0};
    for (int i = 0; i < run->spec.count; i++) start.theta[i] = run->spec.params[i].start;
    spsa_trace_add(trace, &start);
    if (!run->dir) return STATUS_OK;
    static const char *const files[] = {"spsa.log", "spsa.html", "params.txt", NULL};
    AUTO(Text) path = {0}, head = {0};
    AUTO_FREE char *text = NULL;
    size_t length;
    bool begun = false;
    TRY(run_directory_claim(run->dir, files, run->resume, run->tell, &begun, err));
    log_path(run, &path);
    format_head(run, &head);
    if (!begun) return text_write_file(path.data, head.data, head.length, err);
    TRY(text_read_file(path.data, &text, &length, err));
    return read_log(run, path.data, text, trace, err);
}

Status spsa_log_add(const SpsaRun *run, const SpsaRow *row, Err *err) {
    if (!run->dir) return STATUS_OK;
    AUTO(Text) path = {0}, line = {0};
    Status status = STATUS_OK;
    log_path(run, &path);
    format_row(&run->spec, row, &line);
    const int file = open(path.data, O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC);
    if (file < 0 || write(file, line.data, line.length) != (ssize_t)line.length ||
        fsync(file) != 0) {
        status = err_set(err, STATUS_IO, "cannot write %s: %s", path.data, strerror(errno));
    }
    if (file >= 0 && close(file) != 0 && status == STATUS_OK) {
        status = err_set(err, STATUS_IO, "cannot close %s: %s", path.data, strerror(errno));
    }
    return status;
}
