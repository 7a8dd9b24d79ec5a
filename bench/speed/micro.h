// SPDX-License-Identifier: GPL-3.0-or-later
// Measures the time per call of the engine's functions listed in micro.def.
#pragma once

#include <stdio.h>

#include "core/eval/weights.h"

// Measures each operation `runs` times, in turn, so that a disturbance affects all, and prints a
// row for each. The positions are those of bench and of random games from them, always the same.
void micro_run(const Weights *weights, int runs, bool json, FILE *out);
