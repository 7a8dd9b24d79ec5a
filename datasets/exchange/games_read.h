// SPDX-License-Identifier: GPL-3.0-or-later
// Reads games one after another from a run, a shard, or a file in any format that 'data import'
// reads.
#pragma once

#include "core/command/progress.h"
#include "datasets/exchange/import.h"

typedef struct GamesReading {
    const char *path;         // path of a run, a shard or a file; NULL or "-": standard input
    const GameFormat *format; // format of a file; NULL: it is detected by the content or, if that
                              // fails, by the name
    ReadSettings read;        // settings for reading a file; variations are always read
    int system;               // NotationSystem stored in ExportGame.system, or MOVES_DETECTED
    // Callback for each game with its variations. For a file, game->game->index counts the records
    // of the file from 0, including refused ones. The game is valid until the callback returns. If
    // the callback returns an error, reading ends.
    Status (*game)(void *context, const ExportGame *game, Err *err);
    ImportHooks hooks; // callback for refused records and files, and the context passed to it
    void *context;     // passed to the callback `game` as its first argument
} GamesReading;

// Returns true if the path is a run (a directory) or a shard (its name ends in .h5), or if stat()
// fails for another reason than a missing path.
bool games_are_stored(const char *path);

// Reads all games, including games whose result is unknown. In files of positions a result is
// unknown if its scale is open: the numbers 1 and 0 alone do not decide it, and standard input
// cannot be read twice. A record that cannot be read is reported to the callback in `hooks` and
// skipped. Returns STATUS_USAGE if a format or notation is given for a run or a shard, and
// STATUS_INTERRUPTED after Ctrl-C.
Status games_read(const GamesReading *reading, Progress *progress, Err *err);
