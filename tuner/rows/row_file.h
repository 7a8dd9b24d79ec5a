// SPDX-License-Identifier: GPL-3.0-or-later
// The file of `tune --cache`: chunks that are not to fill the memory, and behind them the rest of
// the set, so that a later start takes the rows from there. Each rank has a file of its own.
#pragma once

#include "core/base/hash.h"
#include "tuner/rows/rows.h"

// What the rows of a file depend on: the program and the ranks (row_key_begin()), the files that
// are read, each by its size and time, and what the caller adds.
Status row_key_begin(Sha256 *key, Err *err);
Status row_key_add_file(Sha256 *key, const char *path, Err *err);

// Before the first row. Where the directory has a file of this key, which it ends, the set becomes
// what that file holds, with `reuse` ROWS_REUSED; else one is begun, which gets its name when it is
// whole. All ranks have their rows from files, or none.
Status row_file_begin(RowSet *set, const char *directory, Sha256 *key, Err *err);
// Of a set that is finished, and spread over the ranks: its chunks are mapped from here on, and
// read as if they were in memory. Nothing where there is no file, or it was there.
Status row_file_end(RowSet *set, Err *err);

// Moves a chunk's block into the file.
void row_file_take(RowFile *file, RowChunk *chunk);
void row_file_free(RowFile *file); // NULL is fine
