// SPDX-License-Identifier: GPL-3.0-or-later
// paotai data columns: the table of every data set of a shard, as datasets/README.md has it.
#include "core/base/common_rows.h"
#include "core/base/json.h"
#include "datasets/store/columns.h"

typedef struct ColumnsSettings {
    bool provenance, json;
} ColumnsSettings;

static const OptionRow columns_rows[] = {
    OPT_FLAG("provenance", ColumnsSettings, provenance, "the texts of /provenance instead"),
    ROW_JSON(ColumnsSettings),
    OPTION_END,
};

// The heading of a table in Markdown; JSON names the values in each row.
static void print_heading(const CommandCall *call, const char *heading) {
    const ColumnsSettings *settings = call->settings;
    if (!settings->json) fputs(heading, call->out);
}

static void print_columns(const CommandCall *call) {
    const ColumnsSettings *settings = call->settings;
    static const char *const types[] = {
        [COLUMN_U8] = "uint8",        [COLUMN_I8] = "int8",           [COLUMN_U16] = "uint16",
        [COLUMN_I16] = "int16",       [COLUMN_U32] = "uint32",        [COLUMN_U64] = "uint64",
        [COLUMN_MOVE] = "uint16",     [COLUMN_SQUARES] = "uint8[32]", [COLUMN_NAME] = "char[24]",
        [COLUMN_VALUE] = "char[104]",
    };
    print_heading(call, "| data set | type | unit | meaning |\n|---|---|---|---|\n");
    for (int id = 0; id < ROW_GROUP_COUNT; id++) {
        const ColumnGroup *group = column_group((GroupId)id);
        for (size_t i = 0; i < group->column_count; i++) {
            const Column *column = &group->columns[i];
            char path[64];
            snprintf(path, sizeof path, "/%s/%s", group->name, column->name);
            record_row(call->out, settings->json,
                       "| `{data_set}%s` | {type}%s | {unit}%s | {meaning}%s |\n", path,
                       types[column->type], column->unit, column->description);
        }
    }
}

static void print_units(const CommandCall *call) {
    const ColumnsSettings *settings = call->settings;
    static const char *const units[] = {"enum side", "enum result", "enum reason"};
    print_heading(call, "\n| unit | values |\n|---|---|\n");
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        AUTO(Text) values = {0}, joined = {0};
        column_add_values(units[i], &values);
        for (char *line, *at = values.data; at && *(line = text_next_field(&at, '\n'));) {
            text_add(&joined, "%s%s", line == values.data ? "" : "; ", line);
        }
        record_row(call->out, settings->json, "| {unit}%s | {values}%s |\n", units[i],
                   text_get(&joined));
    }
}

static void print_provenance(const CommandCall *call) {
    const ColumnsSettings *settings = call->settings;
    print_heading(call, "| attribute | meaning |\n|---|---|\n");
#define PROVENANCE(name, value, meaning)                                                           \
    record_row(call->out, settings->json, "| `{attribute}%s` | {meaning}%s |\n", #name, meaning);
#include "datasets/store/provenance.def"
}

static Status run_columns(const CommandCall *call, Err *err) {
    const ColumnsSettings *settings = call->settings;
    (void)err;
    if (settings->provenance) {
        print_provenance(call);
    } else {
        print_columns(call);
        print_units(call);
    }
    return STATUS_OK;
}

const Command command_data_columns = {
    .name = "data columns",
    .summary = "print the table of all columns of a shard, in Markdown",
    .usage = "",
    .rows = columns_rows,
    .settings_size = sizeof(ColumnsSettings),
    .run = run_columns,
};
