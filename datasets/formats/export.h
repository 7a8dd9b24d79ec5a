// SPDX-License-Identifier: GPL-3.0-or-later
// Writes games of stores to files of other programs.
#pragma once

#include <stdio.h>

#include "core/base/progress.h"
#include "datasets/formats/formats.h"

typedef struct Weights Weights; // core/eval/weights.h

typedef struct ExportSpec {
    const GameFormat *format; // a format that can be written
    int system;         // NotationSystem of the moves, or MOVES_DETECTED for the format's default
    bool all_positions; // formats of positions: write all, not only the sampled positions
    const char *folder; // formats with one game per file: folder of the files
    bool unscored;      // formats of positions: also write positions without a score
    const uint8_t *chosen; // for each game, in order, true if it is written; NULL: all games
    const char *out_name;  // name of the written file in error messages
} ExportSpec;

typedef struct ExportReport {
    uint64_t games, plies, bytes;
    uint64_t variations;              // games written as variations of another game
    uint64_t lost[EXPORT_LOSS_COUNT]; // data that the format cannot hold, or only shortened
    uint64_t copies;    // rows: games omitted because an earlier game has the same start and moves
    uint64_t positions; // formats of positions: number written
    uint64_t skipped;   // formats of positions: number without the score or result that they need
} ExportReport;

// Finds the name of player `number` in provenance/weights, without the hash or profile after it.
void export_player_name(const char *weights, uint8_t number, char *name, size_t size);

// Writes the games of run directories and shard files, each in game order, and counts them. Formats
// with one game per file (format->single) write files game-NUMBER.EXTENSION in spec->folder,
// numbered from 0, and do not use `out`. Returns STATUS_INTERRUPTED after Ctrl-C.
Status export_games(const ExportSpec *spec, const char *const *paths, size_t path_count, FILE *out,
                    Progress *progress, ExportReport *report, Err *err);
// Like export_games(), but writes the file spec->out_name, or into spec->folder, which is created
// if it does not exist.
Status export_games_to(const ExportSpec *spec, const char *const *paths, size_t path_count,
                       Progress *progress, ExportReport *report, Err *err);

// Writes the sampled positions of the stores (directories or shards) to a file of sparse rows, with
// `start` as the initial weights of a fit. Refuses a position whose row times these weights differs
// from its evaluation. Returns STATUS_INTERRUPTED after Ctrl-C; there is then no file. In
// datasets/sparse/export_sparse.c.
Status export_sparse(const char *const *paths, int count, const char *out, const Weights *start,
                     Progress *progress, ExportReport *report, Err *err);
