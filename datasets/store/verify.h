// SPDX-License-Identifier: GPL-3.0-or-later
// Verifies a store by replaying every game through the referee.
#pragma once

#include "core/base/progress.h"
#include "datasets/store/record.h"

typedef struct VerifyReport {
    uint64_t shards, games, plies, positions;
    uint64_t faults;
    char content_hash[SHA256_HEX_SIZE]; // hash of the games that could be read
} VerifyReport;

// Checks one game of a batch under its rules, and appends its faults, one per line. *judged is
// scratch memory.
void verify_game(const Rules *rules, const GameBatch *batch, GameRecord *game, Game *judged,
                 Text *lines);

// Receives each fault, in game order. `what` names game and ply.
typedef void VerifyFault(void *context, const char *path, const char *what);

// Verifies a store. For every game it checks the start position, that each move is legal, the
// sides, result and reason against the referee (for imported games end_ply and end_reason), that
// the game does not continue after its end, and that the sampled positions are exactly those of a
// replay. For every shard it checks the range of its games, that no two shards overlap, and the
// content hash. Faults are reported and counted; they are no failure of the function.
Status store_verify(const char *path, int threads, Progress *progress, VerifyFault *fault,
                    void *context, VerifyReport *report, Err *err);
