// SPDX-License-Identifier: GPL-3.0-or-later
// Counts of positions already met: a table that all threads share without locks.
#pragma once

#include "core/base/bits.h"

typedef struct PerftHash PerftHash;

// A table of at most `mebibytes` (at least one bucket). Free with perft_hash_free().
PerftHash *perft_hash_new(int mebibytes);
void perft_hash_free(PerftHash *hash);

// The count of the position with this Zobrist key (side to move included) at a depth; false:
// unknown. Two positions of equal 64-bit keys are taken for one: with n different positions in the
// table, a wrong answer has a chance of about n / 2^64 a question.
bool perft_hash_get(const PerftHash *hash, uint64_t key, int depth, uint64_t *nodes);
void perft_hash_put(PerftHash *hash, uint64_t key, int depth, uint64_t nodes);
