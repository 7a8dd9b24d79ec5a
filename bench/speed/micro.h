// SPDX-License-Identifier: GPL-3.0-or-later
// The cost of the engine's parts, those of micro.def: nanoseconds of one call.
#pragma once

#include <stdio.h>

#include "core/eval/weights.h"

// Measures every part `runs` times, in turn, so that a disturbance falls on all, and prints a row
// for each. The positions are those of bench and random games from them, always the same.
void micro_run(const Weights *weights, int runs, bool json, FILE *out);
