// SPDX-License-Identifier: GPL-3.0-or-later
// Is a store true? Every game is replayed through the referee.
#pragma once

#include "core/base/progress.h"
#include "datasets/store/record.h"

typedef struct VerifyReport {
    uint64_t shards, games, plies, positions;
    uint64_t faults;
    char content_hash[SHA256_HEX_SIZE]; // of what could be read
} VerifyReport;

// Checks one game of a batch by the rules it was played by and adds its faults to the text, one a
// line. *judged is memory to work in.
void verify_game(const Rules *rules, const GameBatch *batch, GameRecord *game, Game *judged,
                 Text *lines);

// Called for each fault, in game order: `what` names the game and ply.
typedef void VerifyFault(void *context, const char *path, const char *what);

// Checks for every game: the start position, that each move is legal, who moved, the result and
// reason against the referee (imported games: end_ply and end_reason), that no game runs on past an
// end, and that the sampled positions are exactly those of a replay; for every shard: the range of
// its games, that no two overlap, and its content hash. Faults are no failure: they are reported
// and counted.
Status store_verify(const char *path, int threads, Progress *progress, VerifyFault *fault,
                    void *context, VerifyReport *report, Err *err);
