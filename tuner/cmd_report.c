// SPDX-License-Identifier: GPL-3.0-or-later
// paotai report: shows a weight set in pictures and measures it on games.
#include <stdlib.h>
#include <string.h>

#include "core/base/common_rows.h"
#include "core/base/json.h"
#include "datasets/store/store.h"
#include "selfplay/pages/view.h"
#include "tuner/report/report.h"
#include "tuner/rows/load.h"
#include "tuner/tune/tune.h"

typedef struct ReportSettings {
    const char *out, *match, *games, *ablate, *network;
    OptionTexts data;
    int threads;
    bool unseen, json, quiet;
} ReportSettings;

static const OptionRow report_rows[] = {
    OPT_TEXT("out", ReportSettings, out, NULL, "FILE", "file to write the report to (HTML)",
             OPTION_REQUIRED),
    OPT_TEXTS("data", ReportSettings, data, NULL, "DIR",
              "run directory with games to measure on; may be given several times"),
    OPT_FLAG("unseen", ReportSettings, unseen,
             "measure all games of --data, because the fit has seen none of them"),
    OPT_TEXT("match", ReportSettings, match, NULL, "FILE",
             "saved output of 'paotai match' of these weights, whose verdict begins the report"),
    OPT_TEXT("ablate", ReportSettings, ablate, NULL, "FILE",
             "table of 'paotai ablate', DIR/ablate.tsv, which shows the worth of its terms"),
    OPT_TEXT(
        "games", ReportSettings, games, NULL, "FILE",
        "file to write a page with the games of the first --data to ('view'); the report links it"),
    OPT_TEXT("network", ReportSettings, network, NULL, "FILE",
             "network to compare with: the report shows where it predicts --data better than the "
             "weights"),
    ROW_THREADS(ReportSettings),
    ROW_JSON(ReportSettings),
    ROW_QUIET(ReportSettings),
    OPTION_END,
};

// Returns true if the rows are exactly the runs of the fit, by content hash. The weight file has a
// line for each run.
static bool is_fitted_data(const RowSet *rows, const char *text) {
    static const char mark[] = " content_hash ";
    size_t named = 0;
    for (const char *at = text; (at = strstr(at, mark)); at++) named++;
    bool fitted = named == rows->source_count;
    for (size_t i = 0; i < rows->source_count; i++) {
        fitted = fitted && strstr(text, rows->content[i]) != NULL;
    }
    return fitted;
}

// Refuses --unseen for a run that the file of the weights or of the network names as its data.
static Status check_unseen(const CommandCall *call, const ReportSource *source, const RowSet *rows,
                           Err *err) {
    const ReportSettings *settings = call->settings;
    const Network *network = source->network;
    const char *names[] = {source->name, source->network_name};
    const char *heads[] = {source->text, network ? text_get(&network->provenance) : ""};
    for (size_t i = 0; source->unseen && i < rows->source_count; i++) {
        for (int k = 0; k < 2; k++) {
            if (!strstr(heads[k], rows->content[i])) continue;
            return err_set(err, STATUS_BAD_INPUT,
                           "--unseen: %s was %s the games of %s: give other games with --data, or "
                           "leave out --unseen",
                           names[k], k ? "trained on" : "fitted to", settings->data.texts[i]);
        }
    }
    return STATUS_OK;
}

// The part of the games that is measured. Of a large run only this part is read into rows.
typedef struct MeasuredPart {
    const FitSetup *setup;
    FitPart part;
} MeasuredPart;

static bool is_measured(const void *context, uint64_t split) {
    const MeasuredPart *measured = context;
    return fit_part_of_game(measured->setup, split) == measured->part;
}

// Sets *large if the measured games are enough to fit the slopes, so that the other games are not
// needed.
static Status is_large_run(const ReportSettings *settings, double share, bool *large, Err *err) {
    enum { MANY_GAMES = 2000 };
    double games = 0;
    for (int i = 0; i < settings->data.count; i++) {
        AUTO_POINTER(Store) store = NULL;
        TRY(store_open(settings->data.texts[i], &store, err));
        games += (double)store_game_count(store);
    }
    *large = share * games >= MANY_GAMES;
    return STATUS_OK;
}

static Status load(const CommandCall *call, ReportSource *source, RowSet *rows, Text *names,
                   Err *err) {
    const ReportSettings *settings = call->settings;
    const FitSetup *setup = &source->setup;
    const double test = setup->test_fraction, valid = setup->valid_fraction;
    const MeasuredPart measured = {setup, test > 0 ? PART_TEST : PART_VALID};
    RowChoice choice = {.context = &measured, .boards = settings->network};
    bool large;
    if (settings->data.count == 0) return STATUS_OK;
    TRY(is_large_run(settings, test > 0 ? test : valid, &large, err));
    large = large && !source->unseen && strstr(source->text, "\n# split_by=content\n");
    if (large) choice.take = is_measured;
    TRY(rows_load(settings->data.texts, settings->data.count, &choice, settings->threads,
                  settings->quiet ? NULL : call->err, rows, err));
    TRY(check_unseen(call, source, rows, err));
    source->fitted_rows = is_fitted_data(rows, source->text);
    for (int i = 0; i < settings->data.count; i++) {
        text_add(names, "%s%s", i ? ", " : "", settings->data.texts[i]);
    }
    source->rows = rows;
    source->data = text_get(names);
    return STATUS_OK;
}

// Reads the output of a finished match.
static Status read_match(const char *path, char **text, Err *err) {
    size_t length;
    if (!path) return STATUS_OK;
    if (text_read_file(path, text, &length, err) != STATUS_OK) {
        return err_prefix(err, "--match %s", path);
    }
    if (strstr(*text, "\nelo_error95 ") && strstr(*text, "\ngames ")) return STATUS_OK;
    return err_set(err, STATUS_BAD_INPUT,
                   "--match %s: is not the output of a finished 'paotai match'", path);
}

// Refuses a match in which neither player had the evaluation of the report. Programs of other
// engines, and matches of version 0.1, do not name their evaluation: they are accepted.
static Status check_match(const char *path, const char *match, const ReportSource *source,
                          Err *err) {
    char hash[SHA256_HEX_SIZE];
    if (!match || !strstr(match, "\na_evaluation ") || strstr(match, "_evaluation -")) {
        return STATUS_OK;
    }
    weights_hash(source->weights, hash);
    if (strstr(match, hash) || (source->network && strstr(match, source->network->hash))) {
        return STATUS_OK;
    }
    return err_set(err, STATUS_BAD_INPUT,
                   "--match %s: neither player played with %s (hash %.12s): give a match of these "
                   "weights",
                   path, source->name, hash);
}

// Returns the path of a file relative to the report if both are in one directory, else the path as
// given.
static const char *seen_from(const char *out, const char *path) {
    const char *slash = strrchr(out, '/');
    const size_t length = slash ? (size_t)(slash + 1 - out) : 0;
    const bool beside = strncmp(out, path, length) == 0 && !strchr(path + length, '/');
    return beside ? path + length : path;
}

static Status write_games(const CommandCall *call, ReportSource *source, Err *err) {
    const ReportSettings *settings = call->settings;
    if (!settings->games) return STATUS_OK;
    if (settings->data.count == 0) {
        return err_set(err, STATUS_USAGE, "--games needs --data, the run whose games it shows");
    }
    const ViewSpec spec = {.path = settings->data.texts[0],
                           .read = {.system = MOVES_DETECTED},
                           .notation = MOVES_DETECTED,
                           .out = settings->games};
    ViewCounts counts = {0};
    Progress progress;
    progress_init(&progress, call->err, settings->quiet, "games", 0);
    const Status status = view_write(&spec, &progress, &counts, err);
    progress_finish(&progress, counts.games, "shown");
    source->games = seen_from(settings->out, settings->games);
    source->run = settings->data.texts[0];
    return status;
}

// Reads a weight set into *weights and *source. The caller frees *text, the text of its file with
// the record of its fit.
static Status read_set(const CommandCall *call, const char *name, Weights *weights, char **text,
                       ReportSource *source, Err *err) {
    const ReportSettings *settings = call->settings;
    AUTO(FitRecord) record = {0};
    TRY(weights_read_text(name, text, err));
    TRY(weights_parse(*text, name, weights, err));
    source->name = name;
    source->weights = weights;
    source->text = *text;
    source->unseen = settings->unseen;
    fit_record_parse(source->text, &record);
    source->setup = tune_setup_of_record(&record);
    source->setup.threads = settings->threads;
    return STATUS_OK;
}

// Writes the report of two sets, measured on the games that the first one's fit keeps for test or
// validation.
static Status write_pair(const CommandCall *call, const ReportSource *first, Err *err) {
    const ReportSettings *settings = call->settings;
    AUTO_FREE char *text = NULL;
    Weights weights;
    ReportSource second = {.rows = first->rows, .data = first->data};
    Estimate difference;
    TRY(read_set(call, call->args[1], &weights, &text, &second, err));
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
    AUTO_FREE char *text = NULL, *match = NULL, *worth = NULL;
    AUTO_POINTER(Network) network = NULL;
    size_t length;
    command_line(call, &command);
    ReportSource source = {.command = command.data};
    if (call->arg_count > 1 && settings->data.count == 0) {
        return err_set(err, STATUS_USAGE,
                       "two weight sets need --data, the games to compare them on");
    }
    TRY(read_set(call, call->args[0], &weights, &text, &source, err));
    TRY(read_match(settings->match, &match, err));
    if (settings->network) {
        AUTO_FREE char *file = NULL;
        if (settings->data.count == 0 || call->arg_count > 1) {
            return err_set(err, STATUS_USAGE, "--network needs --data and exactly one weight set");
        }
        TRY(text_read_file(settings->network, &file, &length, err));
        TRY(network_parse(file, length, settings->network, &network, err));
        source.network = network;
        source.network_name = settings->network;
    }
    TRY(check_match(settings->match, match, &source, err));
    if (settings->ablate) TRY(text_read_file(settings->ablate, &worth, &length, err));
    source.match = match;
    source.worth = worth;
    TRY(load(call, &source, &rows, &names, err));
    TRY(write_games(call, &source, err));
    if (call->arg_count > 1) return write_pair(call, &source, err);
    TRY(report_write(&source, settings->out, err));
    record_print(call->out, settings->json, "report %s", settings->out);
    return STATUS_OK;
}

const Command command_report = {
    .name = "report",
    .summary = "show a weight set and its errors on games in one HTML file",
    .usage = "NAME|FILE [NAME|FILE]",
    .details =
        "paotai report --data build/games --out build/report.html build/weights.txt\n"
        "paotai report --data build/games --out build/two.html build/old.txt build/new.txt\n\n"
        "The report of one set shows calibration, residuals by phase and material, piece values, "
        "tables on boards, the least certain weights, and provenance. With --network it also shows "
        "where a network predicts better. The report of two sets compares their piece values, "
        "their largest differences in units of their errors, and loss and calibration on the games "
        "that the fit of the first set keeps for test or validation. Standard errors come from "
        "the weight file, where `paotai tune --out` writes them. Only games that the fit keeps for "
        "test or validation are measured. The start and the moves of a game decide its part, so "
        "no fitted game is measured, even if runs were merged or split. The file needs neither "
        "the Internet nor scripts. `paotai tune --report FILE` writes this report after a fit.",
    .rows = report_rows,
    .settings_size = sizeof(ReportSettings),
    .reads_weights = true,
    .min_args = 1,
    .max_args = 2,
    .run = run_report,
};
