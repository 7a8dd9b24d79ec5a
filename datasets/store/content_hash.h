// SPDX-License-Identifier: GPL-3.0-or-later
// The content hash: SHA-256 over the digests of the games, in game order. A game's digest is the
// SHA-256 of its row, its plies and its positions: values little-endian in the order of
// columns.def. Nothing of the layout, the provenance or the machine enters.
#pragma once

#include "core/base/hash.h"
#include "datasets/store/record.h"

// The digest of one game of a batch; games may be digested in any order and by any thread.
void content_digest(const GameBatch *batch, const GameRecord *game, uint8_t digest[SHA256_BYTES]);

// The hash of all its games: what a shard's attribute content_hash holds.
void content_hash_batch(const GameBatch *batch, char hex[SHA256_HEX_SIZE]);
