// SPDX-License-Identifier: GPL-3.0-or-later
// Runs of older schemas, rewritten as this program's.
#pragma once

#include "core/base/progress.h"
#include "core/base/text.h"
#include "datasets/store/store.h"

typedef struct UpgradeReport {
    uint64_t shards, games, plies, positions;
    uint64_t upgraded;       // shards of an older schema
    uint64_t oldest_version; // among them
} UpgradeReport;

// Writes every shard of `path` (a run directory or one file) as one of the present schema, with the
// same range of games, into the directory `out`, which must not hold games. Provenance is handed on
// and tells of the upgrade. STATUS_MISMATCH when a schema is newer than this program or nothing is
// older, STATUS_CORRUPT when a file is not what its content hash says.
Status store_upgrade(const char *path, const char *out, Progress *progress, UpgradeReport *report,
                     Err *err);

// The schemas there were and what became of them, as datasets/README.md has it: Markdown, or one
// JSON object a row.
void schemas_add_table(bool json, Text *text);
