// SPDX-License-Identifier: GPL-3.0-or-later
// What a match costs beside the engines: our own processor time a ply, with programs as players
// that answer at once.
#pragma once

#include <stdio.h>

#include "core/base/status.h"
#include "core/rules/rules.h"

enum { HARNESS_PLIES = 100 }; // of each game

typedef struct HarnessSpec {
    const char *program; // one that serves harness_engine() when it is run
    uint64_t pairs;
    int threads;
    RuleSet rules;
    const char *dir; // of the store: an empty one, which is removed
} HarnessSpec;

typedef struct HarnessCost {
    uint64_t games, plies;
    double cpu_s;  // of this process, all threads, user and system
    double user_s; // the user's part
    double wall_s;
    long long waits; // times that we were put to sleep, or were overtaken
} HarnessCost;

// Plays the games over UCI and stores them. Starting the programs and writing the store are
// counted.
Status harness_measure(const HarnessSpec *spec, HarnessCost *cost, Err *err);

// Serves UCI: plays one game of HARNESS_PLIES plies, which no rule set ends, by heart, and knows
// nothing else. Returns at `quit` or the end of the input.
void harness_engine(FILE *in, FILE *out);
