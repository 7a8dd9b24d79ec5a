// SPDX-License-Identifier: GPL-3.0-or-later
// Measures the time per call of the engine's functions listed in micro.def.
#pragma once

#include <stdio.h>

#include "core/eval/weights.h"

// Measures each operation `runs` times and prints one row per operation, with processor times. The
// operations take turns, so that other load on the machine affects all operations alike. The
// positions are always the same: they come from random games that start from the positions of
// bench.
void micro_run(const Weights *weights, int runs, bool json, FILE *out);
