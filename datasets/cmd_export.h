// SPDX-License-Identifier: GPL-3.0-or-later
// What the files of `paotai data export` share.
#pragma once

#include "core/base/options.h"
#include "datasets/formats/export.h"

typedef struct ExportSettings {
    int format;    // 0 auto, else 1 + index among the formats that are written
    int moves;     // 0 auto, else NotationSystem + 1
    int positions; // 0 sampled, 1 all
    const char *out, *weights;
    bool unscored, rows, json, quiet;
} ExportSettings;

// data export --rows: writes --out, or the first argument where that is not given.
Status export_rows_file(const CommandCall *call, const ExportSettings *settings,
                        ExportReport *report, Err *err);
