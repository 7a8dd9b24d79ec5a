// SPDX-License-Identifier: GPL-3.0-or-later
// paotai data upgrade: makes a run of the present schema of an older one.
#include "core/base/common_rows.h"
#include "core/base/json.h"
#include "datasets/commands.h"
#include "datasets/store/upgrade.h"

typedef struct UpgradeSettings {
    const char *out;
    bool json, quiet;
} UpgradeSettings;

static const OptionRow upgrade_rows[] = {
    OPT_TEXT("out", UpgradeSettings, out, NULL, "DIR", "run directory without games",
             OPTION_REQUIRED),
    ROW_JSON(UpgradeSettings),
    ROW_QUIET(UpgradeSettings),
    OPTION_END,
};

static int run_upgrade(const CommandCall *call) {
    const UpgradeSettings *settings = call->settings;
    Progress progress;
    UpgradeReport report;
    Err err = {0};
    progress_init(&progress, call->err, settings->quiet, "shards", 0);
    const Status status = store_upgrade(call->args[0], settings->out, &progress, &report, &err);
    progress_finish(&progress, report.shards, "");
    if (status != STATUS_OK) return command_fail(call, &err);
    Record record;
    record_begin(&record, call->out, settings->json);
    record_int(&record, "shards", (long long)report.shards);
    record_int(&record, "upgraded", (long long)report.upgraded);
    record_int(&record, "from_schema", (long long)report.oldest_version);
    record_int(&record, "to_schema", STORE_SCHEMA_VERSION);
    record_int(&record, "games", (long long)report.games);
    record_int(&record, "plies", (long long)report.plies);
    record_int(&record, "positions", (long long)report.positions);
    record_end(&record);
    return 0;
}

const Command command_data_upgrade = {
    .name = "data upgrade",
    .summary = "make a run of the present schema of an older one",
    .usage = "DIR|FILE",
    .details =
        "The source stays as it is. Shards of the present schema are written again with the\n"
        "others. datasets/README.md lists the schemas; 'data verify' proves the new run.\n\n"
        "paotai data upgrade --out build/games2 build/games1",
    .rows = upgrade_rows,
    .settings_size = sizeof(UpgradeSettings),
    .min_args = 1,
    .max_args = 1,
    .run = run_upgrade,
};
