// SPDX-License-Identifier: GPL-3.0-or-later
// Going through a whole store, shard after shard in game order, in blocks of whole games.
#pragma once

#include "core/base/paths.h"
#include "core/base/progress.h"
#include "datasets/store/shard.h"

// The shard files of a run directory in game order, or the one file that is named. The caller
// frees the list with path_list_clear().
Status store_list_files(const char *path, PathList *list, Err *err);
// Is it the name, without folders, of a shard: shard-*.h5?
bool is_shard_name(const char *name);

// Some games of one shard.
typedef struct ScanBlock {
    const char *path;
    const ShardReader *reader;
    GameBatch *games; // not yet checked (game_batch_check()); the hook may change them
} ScanBlock;

// What is called on the way; any member may be NULL. A failure ends the scan with that failure.
typedef struct ScanHooks {
    Status (*opened)(void *context, const char *path, ShardReader *reader, Err *err);
    Status (*block)(void *context, const ScanBlock *block, Err *err);
    Status (*finished)(void *context, const char *path, const ShardHead *head, Err *err);
    // A file that cannot be read. NULL: the scan fails. Else it goes on with the next file.
    void (*broken)(void *context, const char *path, const Err *err);
    void *context;
} ScanHooks;

// STATUS_INTERRUPTED after Ctrl-C, between two blocks. progress may be NULL.
Status store_scan_files(const PathList *files, const ScanHooks *hooks, Progress *progress,
                        Err *err);
// The same for all shards of each directory, or each file, that is named, in that order; it is an
// error when one of them has none.
Status store_scan_paths(const char *const *paths, size_t count, const ScanHooks *hooks,
                        Progress *progress, Err *err);
Status store_scan(const char *path, const ScanHooks *hooks, Progress *progress, Err *err);
