// SPDX-License-Identifier: GPL-3.0-or-later
// The cost of the engine's parts: nanoseconds of one call, measured many times.
#pragma once

#include "core/eval/weights.h"

enum {
    MICRO_COUNT = 0
#define MICRO(items, name, unit, meaning, expression) +1
#include "bench/speed/micro.def"
};

typedef struct MicroResult {
    const char *name, *unit, *meaning;
    // Of one unit: the median, the quartiles and the least of all runs.
    double ns, ns_q1, ns_q3, ns_min;
    uint64_t units;    // measured in each run
    uint64_t checksum; // of what one pass computed: the same everywhere for the same weights
} MicroResult;

// Measures every operation `runs` times, in turn, so that a disturbance falls on all. The positions
// are those of bench and random games from them, always the same.
void micro_run(const Weights *weights, int runs, MicroResult results[MICRO_COUNT]);
