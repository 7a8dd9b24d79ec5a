// SPDX-License-Identifier: GPL-3.0-or-later
// The output of `paotai analyse` for positions.
#pragma once

#include <stdio.h>

#include "core/base/progress.h"
#include "selfplay/run/analyse.h"

// Analyses each line of the file `path` (NULL: standard input) and prints the result: score_red,
// depth and pv, separated by tabs. If multi_pv > 1, the number of the line follows, 1 for the best.
// For a test its verdict, milliseconds and nodes follow. With `json` each line is an object with
// the same names. Finally prints the number of solved tests, if there were tests. The caller has
// initialised `progress`. Returns STATUS_REPORTED if some lines could not be read.
Status analyse_write(const AnalyseSpec *spec, const char *path, bool json, FILE *out,
                     Progress *progress, Err *err);
