// SPDX-License-Identifier: GPL-3.0-or-later
// Games of stores into files of other programs.
#pragma once

#include <stdio.h>

#include "core/base/progress.h"
#include "datasets/formats/formats.h"

typedef struct Weights Weights; // core/eval/weights.h

typedef struct ExportSpec {
    const GameFormat *format; // one that is written
    int system;               // NotationSystem of the moves, or MOVES_DETECTED: the format's own
    bool all_positions;       // formats of positions: not only the sampled ones
    const char *folder;       // formats of one game a file: where the files go; it exists
    bool unscored;            // .plain: also positions of which no score is known
    const uint8_t *chosen;    // for each game, in order: is it written? NULL: all are
    const char *out_name;     // what errors call the file that is written
} ExportSpec;

typedef struct ExportReport {
    uint64_t games, plies, bytes;
    uint64_t variations; // games that were written as variations in the record of another game
    uint64_t lost[EXPORT_LOSS_COUNT]; // what the format cannot hold, or not whole
    uint64_t copies; // rows: games left out because an earlier game has the same start and moves
    uint64_t positions,
        skipped; // of formats of positions: written, and left out for want of a score or a result
} ExportReport;

// Finds the name of player `number` in provenance/weights, without the hash or profile after it.
void export_player_name(const char *weights, uint8_t number, char *name, size_t size);

// Writes the games of run directories and shard files, each in game order, and counts them. Formats
// of one game a file (format->single) go into files game-NUMBER.EXTENSION of spec->folder, numbers
// from 0, and `out` is not used. STATUS_INTERRUPTED after Ctrl-C.
Status export_games(const ExportSpec *spec, const char *const *paths, size_t path_count, FILE *out,
                    Progress *progress, ExportReport *report, Err *err);
// Like export_games(), but writes the file spec->out_name, or into spec->folder, which is created
// if it does not exist.
Status export_games_to(const ExportSpec *spec, const char *const *paths, size_t path_count,
                       Progress *progress, ExportReport *report, Err *err);

// Writes the sampled positions of the stores (directories or shards) into a file of sparse rows,
// with `start` as the weights a fit begins with. A position whose row times these weights is not
// its evaluation is refused by name. STATUS_INTERRUPTED after Ctrl-C; then there is no file.
Status export_sparse(const char *const *paths, int count, const char *out, const Weights *start,
                     const char *provenance, Progress *progress, ExportReport *report, Err *err);
