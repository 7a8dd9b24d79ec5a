// SPDX-License-Identifier: GPL-3.0-or-later
// Writes the games of stores to files in the formats of other programs.
#pragma once

#include <stdio.h>

#include "core/command/progress.h"
#include "datasets/formats/formats.h"

typedef struct Weights Weights; // defined in core/eval/weights.h

typedef struct ExportSpec {
    const GameFormat *format; // format of the output; it must have a writer
    int system; // NotationSystem for the moves, or MOVES_DETECTED for the default of the format
    bool all_positions; // formats of positions: write every position, not only the sampled ones
    const char *folder; // formats with one game per file: directory for the files
    bool unscored;      // formats with GameFormat.scored set: also write positions without a score
    const uint8_t *chosen; // chosen[i] is set if the game that is read as number i, counted from 0
                           // over all paths, is written; NULL: write all games
    const char *out_name;  // name of the output for error messages; if `folder` is NULL,
                           // export_games_to() creates a file with this name
} ExportSpec;

typedef struct ExportReport {
    // numbers of selected games, of their plies, and of written bytes. An export of sparse rows
    // (`data export --rows`) counts a main game and its variations as one game, does not count
    // games without a row, and leaves `plies` 0.
    uint64_t games, plies, bytes;
    uint64_t variations; // number of games that were written as variations of another game
    // lost[i] is the number of items of kind i (ExportLoss) that were omitted or shortened, because
    // the format cannot hold them. Items are plies, tags, remarks or games.
    uint64_t lost[EXPORT_LOSS_COUNT];
    uint64_t copies; // data export --rows: number of games omitted because an earlier game, or its
                     // mirror image, has the same start and moves
    // number of positions written; 0 if the format holds games
    uint64_t positions;
    // number of positions omitted because their score or result is missing; 0 if the format holds
    // games
    uint64_t skipped;
} ExportReport;

// Copies the name of player `number` to `name`. `weights` is the text that a shard stores as
// provenance/weights. Omits the hash or profile that follows the name.
void export_player_name(const char *weights, uint8_t number, char *name, size_t size);

// Writes the games of run directories and shard files to `out`, and counts them. The games are in
// the order of the paths, and within a path in game order. A format with one game per file writes
// spec->folder/game-NUMBER.EXTENSION instead, with numbers from 00000000. Returns
// STATUS_INTERRUPTED after Ctrl-C.
Status export_games(const ExportSpec *spec, const char *const *paths, size_t path_count, FILE *out,
                    Progress *progress, ExportReport *report, Err *err);
// Like export_games(), but creates the output: the file spec->out_name or, if spec->folder is not
// NULL, that directory, which may exist.
Status export_games_to(const ExportSpec *spec, const char *const *paths, size_t path_count,
                       Progress *progress, ExportReport *report, Err *err);

// Writes the sampled positions of stores (directories or shards) to a file of sparse rows. Each row
// has the coefficients of the evaluation's terms in one position. Omits copies and near copies of
// earlier games. The file also contains the weights `start`, from which `tune --rows` starts its
// fit. Returns an error if the product of a row with these weights differs from the evaluation.
// Returns STATUS_INTERRUPTED after Ctrl-C and leaves no file. Defined in
// datasets/sparse/export_sparse.c.
Status export_sparse(const char *const *paths, int count, const char *out, const Weights *start,
                     Progress *progress, ExportReport *report, Err *err);
