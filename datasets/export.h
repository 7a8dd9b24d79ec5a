// SPDX-License-Identifier: GPL-3.0-or-later
// Games of stores into files of other programs.
#pragma once

#include <stdio.h>

#include "core/base/progress.h"
#include "datasets/formats.h"

typedef struct ExportSpec {
    const GameFormat *format; // one that is written
    int system;               // NotationSystem of the moves, or MOVES_DETECTED: the format's own
    bool all_positions;       // formats of positions: not only the sampled ones
} ExportSpec;

typedef struct ExportReport {
    uint64_t games, plies, positions, bytes;
} ExportReport;

// Appends the games of a run directory or shard file to `out`, in game order, and counts them in
// *report (which the caller clears). The first line of the format is written when nothing has been
// counted yet. STATUS_INTERRUPTED after Ctrl-C.
Status export_games(const ExportSpec *spec, const char *path, FILE *out, Progress *progress,
                    ExportReport *report, Err *err);
