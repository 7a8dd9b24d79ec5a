// SPDX-License-Identifier: GPL-3.0-or-later
// Histograms of a store in the terminal.
#pragma once

#include <stdio.h>

#include "datasets/store/summary.h"

// Writes them as lines that begin with '#'.
void summary_print_bars(FILE *out, const StoreSummary *summary);
