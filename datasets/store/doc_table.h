// SPDX-License-Identifier: GPL-3.0-or-later
// Tables of the documentation: Markdown, or one JSON object a row.
#pragma once

#include <stdbool.h>

#include "core/base/text.h"

enum { DOC_TABLE_COLUMNS = 4 };

typedef struct DocTable {
    Text *text; // where it is written to
    bool json;
    bool code;                           // the first column is something to type
    const char *keys[DOC_TABLE_COLUMNS]; // "data_set"; NULL behind the last
} DocTable;

// The heading; nothing in JSON.
void doc_table_begin(const DocTable *table);
// One value for each key.
void doc_table_row(const DocTable *table, const char *const *values);
