// SPDX-License-Identifier: GPL-3.0-or-later
// Reads games one after another, wherever they are: from a run, a shard, or a file of any format
// that `data import` reads.
#pragma once

#include "core/base/progress.h"
#include "datasets/formats/import.h"

typedef struct GamesReading {
    const char *path;         // a run, a shard, or a file; NULL or "-": standard input
    const GameFormat *format; // format of a file; NULL: detect it
    ReadSettings read;        // settings for reading a file; variations are always read
    int system;               // ExportGame.system of the games, or MOVES_DETECTED
    // Receives each game with its variations. In a file, record.index counts all records, from 0.
    // The game is valid until the function returns. An error ends the reading.
    Status (*game)(void *context, const ExportGame *game, Err *err);
    ImportHooks hooks; // receives the records of a file that cannot be read
    void *context;     // first argument of `game`
} GamesReading;

// Returns true if the path is a run (a directory) or a shard (*.h5).
bool games_are_stored(const char *path);

// Reads all games. Games without a known result are included. Returns STATUS_USAGE if format or
// notation are given for a run or a shard, and STATUS_INTERRUPTED after Ctrl-C.
Status games_read(const GamesReading *reading, Progress *progress, Err *err);
