// SPDX-License-Identifier: GPL-3.0-or-later
// paotai data verify: replays every game of a run directory or shard and checks it by the rules.
#include "core/base/json.h"
#include "core/command/common_rows.h"
#include "core/system/terminal.h"
#include "datasets/store/verify.h"

typedef struct VerifySettings {
    int threads, faults;
    bool json, quiet;
} VerifySettings;

static const OptionRow verify_rows[] = {
    ROW_THREADS(VerifySettings),
    OPT_INT("faults", VerifySettings, faults, 0, 1000000000, "100", "N",
            "print at most this number of faults; all faults are counted"),
    ROW_JSON(VerifySettings),
    ROW_QUIET(VerifySettings),
    OPTION_END,
};

typedef struct Printer {
    const CommandCall *call;
    int left; // number of faults that will still be printed
} Printer;

static void print_fault(void *context, const char *path, const char *what) {
    Printer *printer = context;
    const VerifySettings *settings = printer->call->settings;
    if (printer->left <= 0) return;
    printer->left--;
    terminal_begin_line(printer->call->out);
    record_row(printer->call->out, settings->json, "fault {file}%s: {fault}%s\n", path, what);
}

static Status run_verify(const CommandCall *call, Err *err) {
    const VerifySettings *settings = call->settings;
    Printer printer = {call, settings->faults};
    Progress progress;
    VerifyReport report;
    progress_init(&progress, call->err, settings->quiet, "games", 0);
    const Status status = store_verify(call->args[0], settings->threads, &progress, print_fault,
                                       &printer, &report, err);
    progress_finish(&progress, report.games, "");
    TRY(status);
    record_print(
        call->out, settings->json,
        "shards %lu games %lu plies %lu positions %lu content_hash %s faults %lu verdict %s",
        report.shards, report.games, report.plies, report.positions, report.content_hash,
        report.faults, report.faults ? "faulty" : "true");
    if (report.faults == 0) return STATUS_OK;
    fprintf(call->err,
            "paotai data verify: restore the faulty files from a copy, or move them away; a "
            "resumed run plays their games again\n");
    return STATUS_REPORTED;
}

const Command command_data_verify = {
    .name = "data verify",
    .summary = "replay every game through the rules and report faults",
    .usage = "DIR|FILE",
    .details =
        "The command replays all games. It checks moves, results, end reasons, sampled positions, "
        "tags and content hashes. It does not compare the result and the end reason of an imported "
        "game with the rules. Instead, it checks the ply and the reason that are stored as the end "
        "by the rules. Each fault is a line with the file and, if the fault is in one game or "
        "ply, with game and ply. The exit status is 1 if there is a fault.\n\n"
        "paotai data verify --threads 2 build/games",
    .rows = verify_rows,
    .settings_size = sizeof(VerifySettings),
    .min_args = 1,
    .max_args = 1,
    .run = run_verify,
};
