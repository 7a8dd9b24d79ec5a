// SPDX-License-Identifier: GPL-3.0-or-later
// The output of `paotai analyse` for positions.
#pragma once

#include <stdio.h>

#include "core/command/progress.h"
#include "selfplay/analysis/analyse.h"

// Analyses each line of the file `path` (NULL: standard input) and prints the result: score from
// Red's side, depth and principal variation, separated by tabs. For a static evaluation with a
// network, its linear part and the network's part follow. If multi_pv > 1, the rank of the
// variation follows, 1 for the best. For a test, verdict, milliseconds and nodes follow. With
// AnalyseSpec.explain, lines that begin with '#' then name the tactics of moves, such as forks.
// With `json` each result is a JSON object. Finally prints the totals of the tests, if there were
// tests. If `tell` is not NULL, prints to it how many lines did not state the side to move. The
// caller has initialised `progress`. Returns STATUS_REPORTED if a line could not be read or
// analysed.
Status analyse_write(const AnalyseSpec *spec, const char *path, bool json, FILE *out, FILE *tell,
                     Progress *progress, Err *err);
