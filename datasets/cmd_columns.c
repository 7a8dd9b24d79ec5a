// SPDX-License-Identifier: GPL-3.0-or-later
// paotai data columns: the table of every data set of a shard, as datasets/README.md has it.
#include "core/base/common_rows.h"
#include "datasets/commands.h"
#include "datasets/store/columns.h"

typedef struct ColumnsSettings {
    bool provenance, json;
} ColumnsSettings;

static const OptionRow columns_rows[] = {
    OPT_FLAG("provenance", ColumnsSettings, provenance, "the texts of /provenance instead"),
    ROW_JSON(ColumnsSettings),
    OPTION_END,
};

static int run_columns(const CommandCall *call) {
    Text table = {0};
    const ColumnsSettings *settings = call->settings;
    if (settings->provenance) {
        provenance_add_table(settings->json, &table);
    } else {
        columns_add_table(settings->json, &table);
    }
    fputs(text_get(&table), call->out);
    text_clear(&table);
    return 0;
}

const Command command_data_columns = {
    .name = "data columns",
    .summary = "the table of every column of a shard, in Markdown",
    .usage = "",
    .details = NULL,
    .rows = columns_rows,
    .settings_size = sizeof(ColumnsSettings),
    .min_args = 0,
    .max_args = 0,
    .run = run_columns,
};
