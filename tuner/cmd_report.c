// SPDX-License-Identifier: GPL-3.0-or-later
// paotai report: shows a weight set in pictures and measures it on games.
#include "core/base/json.h"
#include "core/command/common_rows.h"
#include "core/system/in_file.h"
#include "selfplay/contest/contest_view.h"
#include "selfplay/stats/stats.h"
#include "tuner/report/report.h"
#include "tuner/term/ablate_table.h"

typedef struct ReportSettings {
    const char *out, *match, *games, *ablate, *network;
    OptionTexts data;
    int threads;
    bool unseen, json, quiet;
} ReportSettings;

static const OptionRow report_rows[] = {
    OPT_TEXT("out", ReportSettings, out, NULL, "FILE", "write the report to this HTML file",
             OPTION_REQUIRED),
    OPT_TEXTS("data", ReportSettings, data, NULL, "DIR",
              "measure the weights on the games of this run directory; may be given several times"),
    OPT_FLAG("unseen", ReportSettings, unseen,
             "measure on all games of --data; use this option only if the weights were fitted to "
             "none of these games"),
    OPT_TEXT(
        "match", ReportSettings, match, NULL, "DIR",
        "begin the report with the verdict of a match of these weights: the directory of 'paotai "
        "match --out'"),
    OPT_TEXT("ablate", ReportSettings, ablate, NULL, "FILE",
             "show the worth of terms from this table, which 'paotai ablate' writes to its --out "
             "directory: terms.tsv, or ablate.tsv with --each-group"),
    OPT_TEXT("games", ReportSettings, games, NULL, "FILE",
             "write the games of the first --data as a page, like that of 'paotai view', to this "
             "file; the report links to the page"),
    OPT_TEXT("network", ReportSettings, network, NULL, "NAME|FILE",
             "compare the weights with this network: show where the network predicts the games "
             "of --data better or worse than the weights"),
    ROW_THREADS(ReportSettings),
    ROW_JSON(ReportSettings),
    ROW_QUIET(ReportSettings),
    OPTION_END,
};

static Status write_games(const CommandCall *call, ReportSource *source, Err *err) {
    const ReportSettings *settings = call->settings;
    if (!settings->games) return STATUS_OK;
    if (settings->data.count == 0) {
        return err_set(err, STATUS_USAGE, "--games needs --data, the run whose games are shown");
    }
    const ViewSpec spec = {.path = settings->data.texts[0],
                           .read = {.system = MOVES_DETECTED},
                           .notation = MOVES_DETECTED,
                           .out = settings->games};
    ViewCounts counts = {0};
    Progress progress;
    progress_init(&progress, call->err, settings->quiet, "games", 0);
    const Status status = contest_view_write(&spec, &progress, &counts, err);
    progress_finish(&progress, counts.games, "shown");
    report_link_games(source, settings->out, settings->games, settings->data.texts[0]);
    return status;
}

// Writes the report of two weight sets. Both are measured on the same games, which the weight file
// of the first set selects (report_write_pair()).
static Status write_pair(const CommandCall *call, const ReportSource *first, Err *err) {
    const ReportSettings *settings = call->settings;
    AUTO_FREE char *text = NULL;
    Weights weights;
    ReportSource second = {.rows = first->rows,
                           .data = first->data,
                           .unseen = first->unseen,
                           .setup.threads = settings->threads};
    Estimate difference;
    TRY(report_read_set(call->args[1], &weights, &text, &second, err));
    TRY(report_write_pair(first, &second, settings->out, &difference, err));
    record_print(call->out, settings->json,
                 "report %s loss_difference %.7f loss_difference_error95 %.7f", settings->out,
                 difference.value, Z95 * difference.error);
    return STATUS_OK;
}

static Status run_report(const CommandCall *call, Err *err) {
    const ReportSettings *settings = call->settings;
    Weights weights;
    AUTO(RowSet) rows = {0};
    AUTO(Text) names = {0}, command = {0};
    AUTO_FREE char *text = NULL, *worth = NULL;
    AUTO_POINTER(Network) network = NULL;
    AUTO(StoredContest) contest = {0};
    MatchOutcome match;
    size_t length;
    command_line(call, &command);
    ReportSource source = {
        .command = command.data, .unseen = settings->unseen, .setup.threads = settings->threads};
    if (call->arg_count > 1 && settings->data.count == 0) {
        return err_set(err, STATUS_USAGE,
                       "two weight sets need --data, the games to compare them on");
    }
    TRY(report_read_set(call->args[0], &weights, &text, &source, err));
    if (settings->network) {
        if (settings->data.count == 0 || call->arg_count > 1) {
            return err_set(err, STATUS_USAGE, "--network needs --data and exactly one weight set");
        }
        TRY(report_read_network(settings->network, &source, &network, err));
    }
    if (settings->match) {
        TRY(report_read_match(settings->match, &source, &contest, &match, err));
    }
    if (settings->ablate) {
        TRY(text_read_file(settings->ablate, &worth, &length, err));
        if (!ablate_table_is(worth)) {
            return err_set(
                err, STATUS_BAD_INPUT,
                "--ablate %s: not a table of 'paotai ablate'; give the file terms.tsv or "
                "ablate.tsv from the directory of 'paotai ablate --out'",
                settings->ablate);
        }
    }
    source.worth = worth;
    FILE *show = settings->quiet ? NULL : call->err;
    TRY(report_load_rows(&settings->data, show, &source, &rows, &names, err));
    TRY(write_games(call, &source, err));
    if (call->arg_count > 1) return write_pair(call, &source, err);
    TRY(report_write(&source, settings->out, err));
    record_print(call->out, settings->json, "report %s", settings->out);
    return STATUS_OK;
}

const Command command_report = {
    .name = "report",
    .summary = "write an HTML report of a weight set and of its errors",
    .usage = "NAME|FILE [NAME|FILE]",
    .details =
        "paotai report --data build/games --out build/report.html build/weights.txt\n"
        "paotai report --data build/games --out build/two.html build/old.txt build/new.txt\n\n"
        "The report of one weight set shows calibration, residuals by phase and material, piece "
        "values, "
        "the tables of the evaluation drawn as boards, the least certain weights, and provenance. "
        "With --network it also shows "
        "where a network predicts better, up to ten positions in which it changes the prediction "
        "most, with the score of a search, and maps of its hidden units. The report of two weight "
        "sets compares their piece values, loss and calibration, and lists the weights that differ "
        "most, in units of the standard error. The weight file of the first set then decides which "
        "games are measured. Standard errors come "
        "from the weight file, where `paotai tune --out` writes them. Without --unseen, only the "
        "test games of the fit are measured, or only its validation games if --data has no test "
        "games. A hash of its start position and moves decides whether a game is a test game, so "
        "a fitted game is not measured, even if runs were merged or split. If --data has neither "
        "test nor validation "
        "games, or the weight file does not record how the games were split, all games are "
        "measured, and the report says so. The HTML file needs neither the Internet nor scripts. "
        "`paotai tune --report "
        "FILE` "
        "writes this report after a fit.",
    .rows = report_rows,
    .settings_size = sizeof(ReportSettings),
    .reads_weights = true,
    .min_args = 1,
    .max_args = 2,
    .run = run_report,
};
