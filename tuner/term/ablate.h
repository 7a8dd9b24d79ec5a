// SPDX-License-Identifier: GPL-3.0-or-later
// `paotai ablate`: measures one group of terms, or each group in turn.
#pragma once

#include "tuner/tune/tune.h"

typedef struct AblateSettings {
    const char *terms, *weights, *out;
    bool each_group, resume, json, quiet;
    uint64_t match_pairs, nodes;
    FitSetup setup;
} AblateSettings;

// Measures; writes the weights of the fits and the table to --out; prints. call->settings are
// AblateSettings.
Status ablate_run(const CommandCall *call, const RowSet *rows, Err *err);
