// SPDX-License-Identifier: GPL-3.0-or-later
// What the files of `paotai spsa` share.
#pragma once

#include "selfplay/contest/contest_options.h"
#include "tuner/spsa/spsa.h"

typedef struct SpsaSettings {
    OptionTexts params;
    const char *player, *params_file;
    int iterations, pairs;
    uint64_t probe_pairs, check_pairs;
    double a_ratio, alpha, gamma, r_end;
    bool save_games;
    ContestOptions contest;
} SpsaSettings;

typedef struct SpsaShow {
    const CommandCall *call;
    const SpsaSpec *spec;
    Progress progress;
} SpsaShow;

// A SpsaIterationDone: the progress line, what the probes say, and with --json an object for each
// iteration.
void spsa_show_iteration(void *context, const SpsaTrace *trace);
// The table of what came out, and the line that uses it.
void spsa_print_result(const CommandCall *call, const SpsaRun *run, const SpsaTrace *trace);
Status spsa_write_files(const SpsaRun *run, const SpsaTrace *trace, Err *err);
void spsa_print_check(const CommandCall *call, const MatchCounts *counts);
// The parameters as lines of fishtest, with these values (NULL: their starts).
void spsa_print_lines(const CommandCall *call, const SpsaSpec *spec, const double *values);
