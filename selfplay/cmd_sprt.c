// SPDX-License-Identifier: GPL-3.0-or-later
// paotai sprt: what counts of results say about strength, and whether a test may stop.
#include "selfplay/commands.h"
#include "selfplay/sprt.h"

typedef struct SprtSettings {
    int model;
    double elo0, elo1, alpha, beta;
    const char *counts;
    bool json;
} SprtSettings;

static const OptionRow sprt_rows[] = {
    {"model", OPTION_CHOICE, offsetof(SprtSettings, model), 0, 0, "normalized", SPRT_MODEL_WORDS,
     "what elo0 and elo1 mean"},
    {"elo0", OPTION_REAL, offsetof(SprtSettings, elo0), -SPRT_ELO_MAX, SPRT_ELO_MAX, "0", "ELO",
     "strength under H0"},
    {"elo1", OPTION_REAL, offsetof(SprtSettings, elo1), -SPRT_ELO_MAX, SPRT_ELO_MAX, "2", "ELO",
     "strength under H1"},
    {"alpha", OPTION_REAL, offsetof(SprtSettings, alpha), 0, 0.5, "0.05", "P",
     "probability of accepting H1 under H0"},
    {"beta", OPTION_REAL, offsetof(SprtSettings, beta), 0, 0.5, "0.05", "P",
     "probability of accepting H0 under H1"},
    {"counts", OPTION_TEXT, offsetof(SprtSettings, counts), 0, 0, NULL, "COUNTS",
     "LL,LD,DD+WL,WD,WW of pairs, or L,D,W of games"},
    {"json", OPTION_FLAG, offsetof(SprtSettings, json), 0, 0, NULL, NULL, "one JSON object"},
    OPTION_END,
};

static int run_sprt(const CommandCall *call) {
    const SprtSettings *settings = call->settings;
    const SprtSpec spec = {.model = (SprtModel)settings->model,
                           .elo0 = settings->elo0,
                           .elo1 = settings->elo1,
                           .alpha = settings->alpha,
                           .beta = settings->beta};
    Err err = {0};
    MatchCounts counts = {0};
    SprtReport report;
    Status status = settings->counts ? match_counts_parse(settings->counts, &counts, &err)
                                     : err_set(&err, STATUS_USAGE, "--counts is missing");
    if (status == STATUS_OK) status = sprt_report(&spec, &counts, &report, &err);
    if (status != STATUS_OK) return command_fail(call, &err);
    Record record;
    record_begin(&record, call->out, settings->json);
    match_report_record(&record, &counts, &report);
    record_end(&record);
    return 0;
}

const Command command_sprt = {
    .name = "sprt",
    .summary = "Elo, errors and the state of a sequential test from counts of results",
    .usage = "",
    .details = "paotai sprt --elo0 0 --elo1 2 --counts 365,16618,36229,16974,390",
    .rows = sprt_rows,
    .settings_size = sizeof(SprtSettings),
    .min_args = 0,
    .max_args = 0,
    .run = run_sprt,
};
