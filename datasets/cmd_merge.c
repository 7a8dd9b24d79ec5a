// SPDX-License-Identifier: GPL-3.0-or-later
// paotai data merge: several runs, or ranges of one run, as one.
#include "core/base/common_rows.h"
#include "core/base/json.h"
#include "datasets/commands.h"
#include "datasets/store/merge.h"

typedef struct MergeSettings {
    const char *out;
    int shard_games;
    bool any, renumber, json, quiet;
} MergeSettings;

static const OptionRow merge_rows[] = {
    OPT_TEXT("out", MergeSettings, out, NULL, "DIR", "run directory without games",
             OPTION_REQUIRED | OPTION_NEUTRAL),
    OPT_FLAG("any", MergeSettings, any,
             "merge runs of other options, seeds or weights, too; the rules must be the same"),
    OPT_FLAG("renumber", MergeSettings, renumber,
             "give the games new numbers in the order of the sources"),
    OPT_INT("shard-games", MergeSettings, shard_games, 1, 10000000, "4096", "N",
            "games of one file of the copy", OPTION_NEUTRAL),
    ROW_JSON(MergeSettings),
    ROW_QUIET(MergeSettings),
    OPTION_END,
};

static int run_merge(const CommandCall *call) {
    const MergeSettings *settings = call->settings;
    Err err = {0};
    Text options = {0}, identity = {0};
    command_options_text(call, &options);
    run_identity_begin(call, "derived", &identity);
    const MergeSpec spec = {.paths = call->args,
                            .path_count = call->arg_count,
                            .out = settings->out,
                            .shard_games = (size_t)settings->shard_games,
                            .any = settings->any,
                            .renumber = settings->renumber,
                            .command = call->command->name,
                            .options = text_get(&options),
                            .identity = text_get(&identity)};
    Progress progress;
    MergeReport report;
    progress_init(&progress, call->err, settings->quiet, "games", 0);
    const Status status = store_merge(&spec, &progress, &report, &err);
    progress_finish(&progress, report.games, "");
    text_clear(&options);
    text_clear(&identity);
    if (status != STATUS_OK) return command_fail(call, &err);
    Record record;
    record_begin(&record, call->out, settings->json);
    record_int(&record, "source_shards", (long long)report.shards);
    record_int(&record, "games", (long long)report.games);
    record_int(&record, "plies", (long long)report.plies);
    record_int(&record, "positions", (long long)report.positions);
    if (!settings->renumber) record_text(&record, "content_hash", report.content_hash);
    record_end(&record);
    return 0;
}

const Command command_data_merge = {
    .name = "data merge",
    .summary = "several runs, or ranges of one run, as one",
    .usage = "DIR|FILE...",
    .details =
        "Ranges of one run that several machines played become the run that one would have "
        "played,\n"
        "with the same content hash. What overlaps or was not made alike is refused, by name.\n\n"
        "paotai data merge --out build/all build/part1 build/part2",
    .rows = merge_rows,
    .settings_size = sizeof(MergeSettings),
    .min_args = 1,
    .max_args = -1,
    .run = run_merge,
};
