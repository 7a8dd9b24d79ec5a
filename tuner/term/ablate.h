// SPDX-License-Identifier: GPL-3.0-or-later
// The run of `paotai ablate`: one group of terms, or each group in turn.
#pragma once

#include "tuner/tune/tune.h"

typedef struct AblateSettings {
    const char *terms, *weights, *out;
    bool each_group, resume, json, quiet;
    uint64_t match_pairs, nodes;
    FitSetup setup;
} AblateSettings;

// Measures, writes the weights of the fits and the table to --out, and prints. The settings of the
// call are AblateSettings.
Status ablate_run(const CommandCall *call, const RowSet *rows, Err *err);
