// SPDX-License-Identifier: GPL-3.0-or-later
// The content hash: SHA-256 over the digests of the games, in game order. A game's digest is the
// SHA-256 of its row, its plies and its positions: values little-endian in the order of
// columns.def. Nothing of the layout, the provenance or the machine enters.
#pragma once

#include "core/base/hash.h"
#include "datasets/store/shard_rows.h"

// The digest of one game; games may be digested in any order and by any thread.
void content_digest(const GameSlice *slice, uint8_t digest[SHA256_BYTES]);

// The hash of rows alone: what a shard's attribute content_hash holds.
Status content_hash_rows(const ShardRows *rows, char hex[SHA256_HEX_SIZE], Err *err);
