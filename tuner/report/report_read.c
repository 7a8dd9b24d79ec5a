// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the input of a report: weight sets, games and a match. Declared in report.h.
#include <string.h>

#include "datasets/store/store.h"
#include "tuner/fit/fit_options.h"
#include "tuner/report/report.h"
#include "tuner/rows/load.h"

Status report_read_set(const char *name, Weights *weights, char **text, ReportSource *source,
                       Err *err) {
    const int threads = source->setup.threads;
    AUTO(FitRecord) record = {0};
    TRY(weights_read_text(name, text, err));
    TRY(weights_parse(*text, name, weights, err));
    source->name = name;
    source->weights = weights;
    source->text = *text;
    fit_record_parse(source->text, &record);
    source->setup = fit_setup_of_record(&record);
    source->setup.threads = threads;
    return STATUS_OK;
}

// Returns true if the loaded positions come from exactly the runs to which the weights were fitted.
// `text` is the content of the weight file. It has one line for each of these runs, with the
// content hash of the run.
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

// Returns an error if --unseen is set, but the weight file or the network file lists a loaded run
// as training data.
static Status check_unseen(const OptionTexts *data, const ReportSource *source, const RowSet *rows,
                           Err *err) {
    const Network *network = source->network;
    const char *names[] = {source->name, source->evaluation_name};
    const char *heads[] = {source->text, network ? text_get(&network->provenance) : ""};
    for (size_t i = 0; source->unseen && i < rows->source_count; i++) {
        for (int k = 0; k < 2; k++) {
            if (!strstr(heads[k], rows->content[i])) continue;
            return err_set(err, STATUS_BAD_INPUT,
                           "--unseen, but %s was %s the games of %s; give other games with --data, "
                           "or leave out --unseen",
                           names[k], k ? "trained on" : "fitted to", data->texts[i]);
        }
    }
    return STATUS_OK;
}

// The part of the games that is measured, such as the validation games. Of a large run only these
// games are loaded.
typedef struct MeasuredPart {
    const FitSetup *setup;
    FitPart part;
} MeasuredPart;

static bool is_measured(const void *context, uint64_t split) {
    const MeasuredPart *measured = context;
    return fit_part_of_game(measured->setup, split) == measured->part;
}

// Sets *large to true if the measured games alone are enough to fit the slopes that convert scores
// to expected results. `share` is the fraction of all games that is measured.
static Status is_large_run(const OptionTexts *data, double share, bool *large, Err *err) {
    enum { MANY_GAMES = 2000 };
    double games = 0;
    for (int i = 0; i < data->count; i++) {
        AUTO_POINTER(Store) store = NULL;
        TRY(store_open(data->texts[i], &store, err));
        games += (double)store_game_count(store);
    }
    *large = share * games >= MANY_GAMES;
    return STATUS_OK;
}

Status report_load_rows(const OptionTexts *data, FILE *show, ReportSource *source, RowSet *rows,
                        Text *names, Err *err) {
    const FitSetup *setup = &source->setup;
    const double test = setup->test_fraction, valid = setup->valid_fraction;
    const MeasuredPart measured = {setup, test > 0 ? PART_TEST : PART_VALID};
    RowChoice choice = {
        .context = &measured, .boards = source->network != NULL, .with_faults = setup->with_faults};
    bool large;
    if (data->count == 0) return STATUS_OK;
    TRY(is_large_run(data, test > 0 ? test : valid, &large, err));
    large = large && !source->unseen && strstr(source->text, "\n# split_by=content\n");
    if (large) choice.take = is_measured;
    TRY(rows_load(data->texts, data->count, &choice, setup->threads, show, rows, err));
    TRY(check_unseen(data, source, rows, err));
    source->fitted_rows = is_fitted_data(rows, source->text);
    for (int i = 0; i < data->count; i++) {
        text_add(names, "%s%s", i ? ", " : "", data->texts[i]);
    }
    source->rows = rows;
    source->data = text_get(names);
    return STATUS_OK;
}

Status report_read_network(const char *name, ReportSource *source, Network **network, Err *err) {
    Weights weights;
    char hash[SHA256_HEX_SIZE];
    TRY(evaluation_load(name, &weights, network, hash, err));
    if (!*network) {
        return err_set(err, STATUS_USAGE,
                       "--network %s: this evaluation has no network, only linear weights", name);
    }
    TRY(network_require_own(*network, name, err));
    source->network = *network;
    source->evaluation_name = name;
    return STATUS_OK;
}

void report_link_games(ReportSource *source, const char *out, const char *games, const char *run) {
    const char *slash = strrchr(out, '/');
    const size_t length = slash ? (size_t)(slash + 1 - out) : 0;
    const bool beside = strncmp(out, games, length) == 0 && !strchr(games + length, '/');
    source->games = beside ? games + length : games;
    source->run = run;
}

Status report_read_match(const char *run, ReportSource *source, StoredContest *contest,
                         MatchOutcome *outcome, Err *err) {
    char hash[SHA256_HEX_SIZE];
    if (stored_contest_read(run, contest, err) != STATUS_OK) return err_prefix(err, "--match");
    if (!contest->match || contest->pairs.length == 0) {
        return err_set(err, STATUS_BAD_INPUT,
                       "--match %s: contains no pairs of games of a match; give the directory of "
                       "'paotai match --out'",
                       run);
    }
    stored_match_outcome(contest, outcome);
    weights_hash(source->weights, hash);
    source->match = outcome;
    source->match_weights = stored_contest_players(contest, hash, &source->match_programs);
    if (source->network) {
        source->match_network =
            stored_contest_players(contest, source->network->hash, &source->match_programs);
    }
    if (source->match_weights | source->match_network | source->match_programs) return STATUS_OK;
    return err_set(err, STATUS_BAD_INPUT,
                   "--match %s: neither player played with %s (hash %.12s): give a match of these "
                   "weights",
                   run, source->name, hash);
}
