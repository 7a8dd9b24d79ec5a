// SPDX-License-Identifier: GPL-3.0-or-later
// `paotai ablate`: measures the worth of one group of terms, or of each group in turn.
#pragma once

#include "tuner/fit/fit_options.h"

typedef struct AblateSettings {
    const char *terms, *weights, *out, *trace;
    double max_mismatch;
    bool each_group, resume, json, quiet;
    uint64_t match_pairs, nodes;
    FitSetup setup;
} AblateSettings;

// Measures the groups of terms and prints the results. Writes these files to the directory --out:
// the table of results, with.txt (the fit with all terms), and, if a match is played, without.txt
// (the fit without the group whose match was played last). With --trace, measures terms of that
// engine as one group, and writes no files. call->settings is an AblateSettings.
Status ablate_run(const CommandCall *call, Err *err);
