// SPDX-License-Identifier: GPL-3.0-or-later
// paotai data export: a store as text for other programs.
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "core/base/common_rows.h"
#include "core/base/json.h"
#include "datasets/commands.h"
#include "datasets/export.h"

typedef struct ExportSettings {
    int format;
    const char *out;
    bool json, quiet;
} ExportSettings;

static const OptionRow export_rows[] = {
    {"format", OPTION_CHOICE, offsetof(ExportSettings, format), 0, 0, "csv", EXPORT_CHOICES,
     "what to write"},
    {"out", OPTION_TEXT, offsetof(ExportSettings, out), 0, 0, NULL, "FILE",
     "file to write; without it standard output, and the counts on standard error"},
    ROW_JSON(ExportSettings),
    ROW_QUIET(ExportSettings),
    OPTION_END,
};

// Writes into a temporary file that takes the place of `path` when it is whole.
static Status export_file(const CommandCall *call, const char *path, Progress *progress,
                          ExportReport *report, Err *err) {
    const ExportSettings *settings = call->settings;
    Text temporary = {0};
    text_add(&temporary, "%s.tmp.%ld", path, (long)getpid());
    FILE *out = fopen(temporary.data, "wb");
    Status status = STATUS_OK;
    if (!out) {
        status = err_set(err, STATUS_IO, "cannot create %s: %s", path, strerror(errno));
    } else {
        status =
            store_export(call->args[0], (ExportFormat)settings->format, out, progress, report, err);
        const bool synced = status != STATUS_OK || fsync(fileno(out)) == 0;
        const bool closed = fclose(out) == 0;
        if (status == STATUS_OK && (!synced || !closed || rename(temporary.data, path) != 0)) {
            status = err_set(err, STATUS_IO, "cannot write %s: %s", path, strerror(errno));
        }
        if (status != STATUS_OK) unlink(temporary.data);
    }
    text_clear(&temporary);
    return status;
}

static int run_export(const CommandCall *call) {
    const ExportSettings *settings = call->settings;
    Progress progress;
    ExportReport report = {0};
    Err err = {0};
    progress_init(&progress, call->err, settings->quiet, "games", 0);
    const Status status = settings->out
                              ? export_file(call, settings->out, &progress, &report, &err)
                              : store_export(call->args[0], (ExportFormat)settings->format,
                                             call->out, &progress, &report, &err);
    progress_finish(&progress, report.games, "");
    if (status != STATUS_OK) return command_fail(call, &err);
    if (!settings->out && settings->quiet) return 0;
    Record record;
    record_begin(&record, settings->out ? call->out : call->err, settings->json);
    record_int(&record, "games", (long long)report.games);
    record_int(&record, "positions", (long long)report.positions);
    record_int(&record, "skipped", (long long)report.skipped);
    record_end(&record);
    return 0;
}

const Command command_data_export = {
    .name = "data export",
    .summary = "a store as text for other programs",
    .usage = "DIR|FILE",
    .details =
        "csv    a sampled position a line: fen,move,score_red,mate_red,result,game,ply\n"
        "epd    the same: sm the move, ce the score of the side to move (dm a mate), c9 the "
        "result\n"
        "plain  the same in the form of variant-nnue-tools, without those that have no score\n"
        "moves  a game a line, as 'data import' reads it\n\n"
        "paotai data export --format epd --out build/positions.epd build/games",
    .rows = export_rows,
    .settings_size = sizeof(ExportSettings),
    .min_args = 1,
    .max_args = 1,
    .run = run_export,
};
