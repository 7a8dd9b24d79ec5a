// SPDX-License-Identifier: GPL-3.0-or-later
// Verifies a store: replays every game and applies the rules of the game to it.
#pragma once

#include "core/command/progress.h"
#include "datasets/store/record.h"

typedef struct VerifyReport {
    uint64_t shards, games, plies, positions; // counts of what could be read
    uint64_t faults;
    char content_hash[SHA256_HEX_SIZE]; // content hash of all games that could be read
} VerifyReport;

// Checks one game of a batch under `rules`, and appends its faults to `lines`, one per line.
// *judged is scratch memory, which the caller has initialised by game_init().
void verify_game(const Rules *rules, const GameBatch *batch, GameRecord *game, Game *judged,
                 Text *lines);

// Callback for faults, called in the order of the shards and games. `path` is the path of the
// shard, or of the run for a fault of the whole run. `what` is the message. It names the game and
// the ply if the fault is in one game or ply.
typedef void VerifyFault(void *context, const char *path, const char *what);

// Verifies a store by replaying all games. For every game it checks the start position, the moves,
// the sides of the plies, the preferred moves (column `best`) and the tags. If a game was
// not imported, result and end reason must agree with the rules, and no move may follow the end of
// the game. An imported game may have any result and may go on after its end by the rules, but its
// columns end_ply and end_reason must agree with the rules. In games with odds (a handicap), the
// odds must allow each move. The sampled positions must be exactly those of the replay. For every
// shard it checks the content hash, and that the games are in the shard's range of game indices.
// This range must not overlap that of the previous shard. An unfinished run is a fault. Faults are
// reported and counted, and the function returns STATUS_OK. It returns an error if the store has no
// shards, and STATUS_INTERRUPTED after Ctrl-C.
Status store_verify(const char *path, int threads, Progress *progress, VerifyFault *fault,
                    void *context, VerifyReport *report, Err *err);
