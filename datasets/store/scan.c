// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/store/scan.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "core/base/interrupt.h"
#include "core/base/memory.h"

// Plies of a block: about 16 MB with their positions.
enum { BLOCK_PLIES = 200000 };

// ---- the list of files -------------------------------------------------------------------------

bool is_shard_name(const char *name) {
    const size_t length = strlen(name);
    return strncmp(name, "shard-", 6) == 0 && length > 9 && strcmp(name + length - 3, ".h5") == 0;
}

// Names of one length sort by their numbers; longer numbers are greater.
static int compare_paths(const void *a, const void *b) {
    const char *x = *(char *const *)a, *y = *(char *const *)b;
    const char *dash_x = strchr(strrchr(x, '/'), '-') + 1;
    const char *dash_y = strchr(strrchr(y, '/'), '-') + 1;
    const size_t length_x = strcspn(dash_x, "-"), length_y = strcspn(dash_y, "-");
    if (length_x != length_y) return length_x < length_y ? -1 : 1;
    return strcmp(dash_x, dash_y);
}

static Status list_directory(const char *dir, PathList *list, Err *err) {
    PathList names = {0};
    Text path = {0};
    const Status status = path_list_read_directory(&names, dir, err);
    for (size_t i = 0; i < names.count && status == STATUS_OK; i++) {
        if (!is_shard_name(names.paths[i])) continue;
        text_reset(&path);
        text_add(&path, "%s/%s", dir, names.paths[i]);
        path_list_add(list, path.data);
    }
    text_clear(&path);
    path_list_clear(&names);
    if (list->count > 1) qsort(list->paths, list->count, sizeof *list->paths, compare_paths);
    return status;
}

Status store_list_files(const char *path, PathList *list, Err *err) {
    *list = (PathList){0};
    struct stat info;
    if (stat(path, &info) != 0) {
        return err_set(err, STATUS_NOT_FOUND, "cannot open %s: %s", path, strerror(errno));
    }
    if (S_ISDIR(info.st_mode)) return list_directory(path, list, err);
    path_list_add(list, path);
    return STATUS_OK;
}

// ---- the scan ----------------------------------------------------------------------------------

// Reads and visits the next block; *more is false when there is none. *broken: the file is at
// fault.
static Status scan_block(const ScanHooks *hooks, const char *path, ShardReader *reader,
                         uint64_t *games, bool *more, bool *broken, Err *err) {
    GameBatch batch = {0};
    *broken = true;
    Status status = shard_reader_next(reader, BLOCK_PLIES, &batch, err);
    *more = status == STATUS_OK && batch.count > 0;
    if (*more) {
        const ScanBlock block = {path, reader, &batch};
        *broken = false;
        if (hooks->block) status = hooks->block(hooks->context, &block, err);
        *games += batch.count;
    }
    game_batch_clear(&batch);
    return status;
}

static Status scan_file(const ScanHooks *hooks, const char *path, Progress *progress,
                        uint64_t *games, bool *broken, Err *err) {
    ShardReader *reader = NULL;
    *broken = true;
    Status status = shard_reader_open(path, &reader, err);
    if (status == STATUS_OK && hooks->opened) {
        *broken = false;
        status = hooks->opened(hooks->context, path, reader, err);
    }
    bool more = true;
    while (status == STATUS_OK && more) {
        status = scan_block(hooks, path, reader, games, &more, broken, err);
        if (progress) progress_update(progress, *games, NULL);
        if (status == STATUS_OK && interrupt_requested()) {
            *broken = false;
            status = err_set(err, STATUS_INTERRUPTED, "interrupted");
        }
    }
    if (status == STATUS_OK && hooks->finished) {
        *broken = false;
        status = hooks->finished(hooks->context, path, shard_reader_head(reader), err);
    }
    shard_reader_close(reader);
    return status;
}

// The games of all files, for the time that is left; what cannot be read counts when its turn
// comes.
static uint64_t count_games(const PathList *files) {
    uint64_t games = 0;
    for (size_t i = 0; i < files->count; i++) {
        ShardHead head;
        if (shard_read_head(files->paths[i], &head, NULL) == STATUS_OK) {
            games += head.counts[GROUP_GAMES];
        }
    }
    return games;
}

Status store_scan_files(const PathList *files, const ScanHooks *hooks, Progress *progress,
                        Err *err) {
    Status status = STATUS_OK;
    uint64_t games = 0;
    if (progress && progress->out && progress->total == 0) progress->total = count_games(files);
    for (size_t i = 0; i < files->count && status == STATUS_OK; i++) {
        bool broken = false;
        Err why = {0};
        status = scan_file(hooks, files->paths[i], progress, &games, &broken, &why);
        if (status != STATUS_OK && broken && hooks->broken) {
            hooks->broken(hooks->context, files->paths[i], &why);
            status = STATUS_OK;
        } else if (status != STATUS_OK && err) {
            *err = why;
        }
    }
    return status;
}

Status store_scan_paths(const char *const *paths, size_t count, const ScanHooks *hooks,
                        Progress *progress, Err *err) {
    PathList all = {0};
    Status status = STATUS_OK;
    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        PathList list = {0};
        status = store_list_files(paths[i], &list, err);
        if (status == STATUS_OK && list.count == 0) {
            status = err_set(err, STATUS_NOT_FOUND, "%s holds no shards (shard-*.h5)", paths[i]);
        }
        for (size_t k = 0; k < list.count; k++) path_list_add(&all, list.paths[k]);
        path_list_clear(&list);
    }
    if (status == STATUS_OK) status = store_scan_files(&all, hooks, progress, err);
    path_list_clear(&all);
    return status;
}

Status store_scan(const char *path, const ScanHooks *hooks, Progress *progress, Err *err) {
    return store_scan_paths(&path, 1, hooks, progress, err);
}
