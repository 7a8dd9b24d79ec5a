// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/store/shard.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <zlib.h>

#include "core/base/memory.h"
#include "core/base/out_file.h"
#include "core/base/version.h"
#include "datasets/store/h5.h"

enum { MAX_COLUMNS = 32 };

// A group, packed.
typedef struct PackedGroup {
    PackedColumn columns[MAX_COLUMNS];
} PackedGroup;

static void pack_groups(const ShardRows *rows, PackedGroup groups[ROW_GROUP_COUNT]) {
    const struct {
        const void *rows;
        size_t count;
    } tables[ROW_GROUP_COUNT] = {
        [GROUP_GAMES] = {rows->games, rows->game_count},
        [GROUP_PLIES] = {rows->plies, rows->ply_count},
        [GROUP_POSITIONS] = {rows->positions, rows->position_count},
    };
    ChunkWork work = {0};
    for (int id = 0; id < ROW_GROUP_COUNT; id++) {
        const ColumnGroup *table = column_group((GroupId)id);
        assert(table->column_count <= MAX_COLUMNS);
        PackedColumn *columns = groups[id].columns;
        for (size_t i = 0; i < table->column_count; i++) {
            column_pack_begin(&table->columns[i], tables[id].count, &columns[i]);
        }
        // Chunk after chunk: its rows stay in the cache while every column takes its own of them.
        for (size_t chunk = 0; chunk < columns[0].chunk_count; chunk++) {
            for (size_t i = 0; i < table->column_count; i++) {
                column_pack_chunk(&columns[i], chunk, table->row_size, tables[id].rows, &work);
            }
        }
    }
    chunk_work_clear(&work);
}

static void clear_groups(PackedGroup groups[ROW_GROUP_COUNT]) {
    for (int id = 0; id < ROW_GROUP_COUNT; id++) {
        for (size_t i = 0; i < MAX_COLUMNS; i++) packed_column_clear(&groups[id].columns[i]);
    }
}

// One column of a group as a function writes it.
typedef Status WriteColumn(hid_t group, GroupId id, size_t column, const void *context, Err *err);

static Status write_group(hid_t file, GroupId id, WriteColumn *write, const void *context,
                          Err *err) {
    const ColumnGroup *table = column_group(id);
    const hid_t group = H5Gcreate2(file, table->name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    if (group < 0) return h5_fail(err, STATUS_IO, table->name);
    Status status = STATUS_OK;
    for (size_t i = 0; i < table->column_count && status == STATUS_OK; i++) {
        status = write(group, id, i, context, err);
    }
    if (H5Gclose(group) < 0 && status == STATUS_OK) status = h5_fail(err, STATUS_IO, table->name);
    return status;
}

static Status write_packed(hid_t group, GroupId id, size_t column, const void *context, Err *err) {
    const PackedGroup *groups = context;
    return h5_write_column(group, &groups[id].columns[column], err);
}

static Status write_packed_groups(hid_t file, const void *context, Err *err) {
    Status status = STATUS_OK;
    for (int id = 0; id < ROW_GROUP_COUNT && status == STATUS_OK; id++) {
        status = write_group(file, (GroupId)id, write_packed, context, err);
    }
    return status;
}

static Status write_provenance(hid_t file, const Provenance *given, Err *err) {
    unsigned major = 0, minor = 0, release = 0;
    struct {
        char hdf5[32], created[32];
    } libraries;
    H5get_libversion(&major, &minor, &release);
    snprintf(libraries.hdf5, sizeof libraries.hdf5, "%u.%u.%u", major, minor, release);
    const time_t now = time(NULL);
    struct tm utc;
    gmtime_r(&now, &utc);
    strftime(libraries.created, sizeof libraries.created, "%Y-%m-%dT%H:%M:%SZ", &utc);
    const struct {
        const char *name, *value;
    } texts[] = {
#define PROVENANCE(name, value, meaning) {#name, value},
#include "datasets/store/provenance.def"
#undef PROVENANCE
    };
    const hid_t group = H5Gcreate2(file, "provenance", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    if (group < 0) return h5_fail(err, STATUS_IO, "provenance");
    Status status = h5_write_u64(group, "seed", given->seed, err);
    for (size_t i = 0; i < sizeof texts / sizeof *texts && status == STATUS_OK; i++) {
        status = h5_write_text(group, texts[i].name, texts[i].value, err);
    }
    if (H5Gclose(group) < 0 && status == STATUS_OK) status = h5_fail(err, STATUS_IO, "provenance");
    return status;
}

static Status write_head(hid_t file, const char *content_hash, OptionRange range, Err *err) {
    Status status = h5_write_text(file, "format", "paotai games", err);
    if (status == STATUS_OK) status = h5_write_text(file, "content_hash", content_hash, err);
    const struct {
        const char *name;
        uint64_t value;
    } numbers[] = {
        {"schema_version", STORE_SCHEMA_VERSION},
        {"first_game", range.first},
        {"end_game", range.end},
    };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers && status == STATUS_OK; i++) {
        status = h5_write_u64(file, numbers[i].name, numbers[i].value, err);
    }
    return status;
}

// The file without its columns, and how to write these.
typedef struct FileSpec {
    OptionRange range;
    const char *content_hash;
    const Provenance *provenance;
    Status (*write_columns)(hid_t file, const void *context, Err *err);
    const void *context;
} FileSpec;

static Status write_file(const char *path, const FileSpec *spec, Err *err) {
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    // The 1.10 format has checksums on all its structures and no index for a single chunk.
    if (access < 0 || H5Pset_fclose_degree(access, H5F_CLOSE_STRONG) < 0 ||
        H5Pset_libver_bounds(access, H5F_LIBVER_V110, H5F_LIBVER_V110) < 0) {
        if (access >= 0) H5Pclose(access);
        return h5_fail(err, STATUS_IO, path);
    }
    const hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, access);
    H5Pclose(access);
    if (file < 0) return h5_fail(err, STATUS_IO, path);
    Status status = write_head(file, spec->content_hash, spec->range, err);
    if (status == STATUS_OK) status = write_provenance(file, spec->provenance, err);
    if (status == STATUS_OK) status = spec->write_columns(file, spec->context, err);
    if (status == STATUS_OK && H5Fflush(file, H5F_SCOPE_GLOBAL) < 0) {
        status = h5_fail(err, STATUS_IO, path);
    }
    if (H5Fclose(file) < 0 && status == STATUS_OK) status = h5_fail(err, STATUS_IO, path);
    if (status != STATUS_OK) err_prefix(err, "cannot write %s", path);
    return status;
}

static Status sync_path(const char *path, int flags, Err *err) {
    const int fd = open(path, flags | O_CLOEXEC);
    const bool good = fd >= 0 && fsync(fd) == 0;
    const int why = errno;
    if (fd >= 0) close(fd);
    return good ? STATUS_OK : err_set(err, STATUS_IO, "cannot sync %s: %s", path, strerror(why));
}

Status shard_write_rows(const char *path, const ShardRows *rows, OptionRange range,
                        const Provenance *provenance, Err *err) {
    char content_hash[SHA256_HEX_SIZE];
    Status status = content_hash_rows(rows, content_hash, err);
    if (status != STATUS_OK) return status;
    // Everything that costs time is done before the library's lock is taken.
    PackedGroup *groups = memory_alloc(ROW_GROUP_COUNT, sizeof *groups);
    pack_groups(rows, groups);
    const FileSpec spec = {range, content_hash, provenance, write_packed_groups, groups};
    h5_lock();
    status = write_file(path, &spec, err);
    h5_unlock();
    clear_groups(groups);
    free(groups);
    return status == STATUS_OK ? sync_path(path, O_RDONLY, err) : status;
}

static Status check_range(const GameBatch *batch, OptionRange range, Err *err) {
    const bool inside = batch->count == 0 || (batch->games[0].index >= range.first &&
                                              batch->games[batch->count - 1].index < range.end);
    if (range.first < range.end && inside) return STATUS_OK;
    return err_set(err, STATUS_BAD_INPUT, "the games are not those of the range %llu:%llu",
                   (unsigned long long)range.first, (unsigned long long)range.end);
}

// Gives a finished temporary file its name, or removes it when `status` is a failure.
static Status publish(const char *temporary, const char *path, const char *dir, Status status,
                      Err *err) {
    if (status == STATUS_OK && rename(temporary, path) != 0) {
        status = err_set(err, STATUS_IO, "cannot rename to %s: %s", path, strerror(errno));
    }
    if (status == STATUS_OK) return sync_path(dir, O_RDONLY | O_DIRECTORY, err);
    unlink(temporary);
    return status;
}

Status shard_write(const char *dir, const GameBatch *batch, OptionRange range,
                   const Provenance *provenance, char name[SHARD_NAME_SIZE], Err *err) {
    Status status = check_range(batch, range, err);
    if (status != STATUS_OK) return status;
    ShardRows rows;
    status = shard_rows_from_batch(batch, &rows, err);
    if (status != STATUS_OK) return status;
    Text temporary = {0}, path = {0};
    snprintf(name, SHARD_NAME_SIZE, "shard-%08llu-%08llu.h5", (unsigned long long)range.first,
             (unsigned long long)range.end);
    text_add(&path, "%s/%s", dir, name);
    text_add(&temporary, "%s/.%s.tmp.%ld", dir, name, (long)getpid());
    status = shard_write_rows(temporary.data, &rows, range, provenance, err);
    status = publish(temporary.data, path.data, dir, status, err);
    text_clear(&temporary);
    text_clear(&path);
    shard_rows_clear(&rows);
    return status;
}

// ---- virtual files -----------------------------------------------------------------------------

typedef struct VirtualFile {
    const VirtualPart *parts;
    size_t count;
    const char *const *names; // of the parts, as the file finds them
} VirtualFile;

static Status write_virtual(hid_t group, GroupId id, size_t column, const void *context, Err *err) {
    const VirtualFile *file = context;
    size_t *counts = memory_alloc(file->count, sizeof *counts);
    for (size_t i = 0; i < file->count; i++) counts[i] = file->parts[i].head->counts[id];
    const Status status =
        h5_write_virtual_column(group, column_group(id)->name, &column_group(id)->columns[column],
                                file->names, counts, file->count, err);
    free(counts);
    return status;
}

static Status write_virtual_groups(hid_t file, const void *context, Err *err) {
    const VirtualFile *virtual_file = context;
    Text sources = {0};
    for (size_t i = 0; i < virtual_file->count; i++) {
        text_add(&sources, "%s %s\n", virtual_file->parts[i].head->content_hash,
                 virtual_file->names[i]);
    }
    Status status = h5_write_text(file, SOURCES_ATTRIBUTE, text_get(&sources), err);
    text_clear(&sources);
    for (int id = 0; id < ROW_GROUP_COUNT && status == STATUS_OK; id++) {
        status = write_group(file, (GroupId)id, write_virtual, context, err);
    }
    return status;
}

// The name under which a file in `dir` finds `path`: relative when it lies below, else absolute.
// The caller frees it; NULL when there is no such file.
static char *name_seen_from(const char *dir, const char *path) {
    char *absolute_dir = realpath(dir, NULL), *absolute = realpath(path, NULL), *name = NULL;
    if (absolute_dir && absolute) {
        const size_t length = strlen(absolute_dir);
        const bool below = strncmp(absolute, absolute_dir, length) == 0 && absolute[length] == '/';
        name = memory_copy_text(below ? absolute + length + 1 : absolute);
    }
    free(absolute_dir);
    free(absolute);
    return name;
}

Status shard_write_virtual(const char *path, const VirtualPart *parts, size_t count,
                           OptionRange range, const char *content_hash,
                           const Provenance *provenance, Err *err) {
    const char *slash = strrchr(path, '/');
    Text dir = {0}, temporary = {0};
    Status status = out_file_must_be_regular(path, err);
    if (status != STATUS_OK) return status;
    text_add(&dir, "%.*s", slash ? (int)(slash - path) : 1, slash ? path : ".");
    if (dir.length == 0) text_add(&dir, "/");
    text_add(&temporary, "%s.tmp.%ld", path, (long)getpid());
    char **names = memory_alloc(count, sizeof *names);
    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        names[i] = name_seen_from(dir.data, parts[i].path);
        if (!names[i]) {
            status = err_set(err, STATUS_IO, "cannot write %s: there is no %s", path,
                             access(dir.data, F_OK) == 0 ? parts[i].path : dir.data);
        }
    }
    if (status == STATUS_OK) {
        const VirtualFile file = {parts, count, (const char *const *)names};
        const FileSpec spec = {range, content_hash, provenance, write_virtual_groups, &file};
        h5_lock();
        status = write_file(temporary.data, &spec, err);
        h5_unlock();
        if (status == STATUS_OK) status = sync_path(temporary.data, O_RDONLY, err);
        status = publish(temporary.data, path, dir.data, status, err);
    }
    for (size_t i = 0; i < count; i++) free(names[i]);
    free(names);
    text_clear(&dir);
    text_clear(&temporary);
    return status;
}
