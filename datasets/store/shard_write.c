// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/store/store.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <zlib.h>

#include "core/system/version.h"
#include "datasets/store/h5.h"

// The data from which a shard file is written.
typedef struct FileSpec {
    OptionRange range;
    char content_hash[SHA256_HEX_SIZE];
    const Provenance *provenance;
    const GameBatch *batch;
} FileSpec;

// Returns true if the file omits the column, because all its values are 0.
static bool is_absent(const Column *column, const char *records, size_t count, size_t row_size) {
    if (!column_may_lack(column)) return false;
    uint64_t value = 0;
    for (size_t i = 0; i < count && value == 0; i++) {
        memcpy(&value, records + i * row_size + column->offset, column->size);
    }
    return value == 0;
}

static Status write_columns(hid_t group, const ColumnGroup *table, const void *records,
                            size_t count, Err *err) {
    for (size_t i = 0; i < table->column_count; i++) {
        const Column *column = &table->columns[i];
        if (is_absent(column, records, count, table->row_size)) continue;
        TRY(h5_write_column(group, column, table->row_size, records, count, err));
    }
    return STATUS_OK;
}

static Status write_groups(hid_t file, const GameBatch *batch, Err *err) {
    for (int id = 0; id < ROW_GROUP_COUNT; id++) {
        const ColumnGroup *table = column_group((GroupId)id);
        size_t count;
        const void *records = game_batch_rows(batch, (GroupId)id, &count);
        if (id == GROUP_TAGS && count == 0) continue;
        const hid_t group = H5Gcreate2(file, table->name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        if (group < 0) return h5_fail(err, STATUS_IO, table->name);
        const Status status = write_columns(group, table, records, count, err);
        const bool closed = H5Gclose(group) >= 0;
        TRY(status);
        if (!closed) return h5_fail(err, STATUS_IO, table->name);
    }
    return STATUS_OK;
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
#define PROVENANCE(name, value) {#name, value},
#include "datasets/store/provenance.def"
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

static Status write_content(hid_t file, const FileSpec *spec, Err *err) {
    TRY(h5_write_text(file, "format", H5_FORMAT_GAMES, err));
    TRY(h5_write_text(file, "content_hash", spec->content_hash, err));
    TRY(h5_write_u64(file, "schema_version", STORE_SCHEMA_VERSION, err));
    TRY(h5_write_u64(file, "first_game", spec->range.first, err));
    TRY(h5_write_u64(file, "end_game", spec->range.end, err));
    TRY(write_provenance(file, spec->provenance, err));
    TRY(write_groups(file, spec->batch, err));
    return H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0 ? STATUS_OK : h5_fail(err, STATUS_IO, "flush");
}

static Status write_file(const char *path, const FileSpec *spec, Err *err) {
    AUTO_H5 hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    // Selects the file format of HDF5 1.10. It has checksums on all its structures, and needs no
    // chunk index if a data set has a single chunk.
    if (access < 0 || H5Pset_fclose_degree(access, H5F_CLOSE_STRONG) < 0 ||
        H5Pset_libver_bounds(access, H5F_LIBVER_V110, H5F_LIBVER_V110) < 0) {
        return h5_fail(err, STATUS_IO, path);
    }
    // Removes an existing file or link, because H5F_ACC_EXCL refuses an existing path.
    unlink(path);
    const hid_t file = H5Fcreate(path, H5F_ACC_EXCL, H5P_DEFAULT, access);
    if (file < 0) return h5_fail(err, STATUS_IO, path);
    Status status = write_content(file, spec, err);
    if (H5Fclose(file) < 0 && status == STATUS_OK) status = h5_fail(err, STATUS_IO, path);
    return status == STATUS_OK ? STATUS_OK : err_prefix(err, "cannot write %s", path);
}

static Status sync_path(const char *path, int flags, Err *err) {
    const int fd = open(path, flags | O_CLOEXEC);
    const bool good = fd >= 0 && fsync(fd) == 0;
    const int why = errno;
    if (fd >= 0) close(fd);
    return good ? STATUS_OK : err_set(err, STATUS_IO, "cannot sync %s: %s", path, strerror(why));
}

Status shard_write_file(const char *path, const GameBatch *batch, OptionRange range,
                        const Provenance *provenance, Err *err) {
    FileSpec spec = {.range = range, .provenance = provenance, .batch = batch};
    content_hash_batch(batch, spec.content_hash);
    h5_lock();
    const Status status = write_file(path, &spec, err);
    h5_unlock();
    return status == STATUS_OK ? sync_path(path, O_RDONLY, err) : status;
}

static Status check_range(const GameBatch *batch, OptionRange range, Err *err) {
    const bool inside = batch->count == 0 || (batch->games[0].index >= range.first &&
                                              batch->games[batch->count - 1].index < range.end);
    if (range.first < range.end && inside) return STATUS_OK;
    return err_set(err, STATUS_BAD_INPUT,
                   "the numbers of the games are not in the range %llu:%llu of the shard",
                   (unsigned long long)range.first, (unsigned long long)range.end);
}

Status shard_write(const char *dir, GameBatch *batch, OptionRange range,
                   const Provenance *provenance, char name[SHARD_NAME_SIZE], Err *err) {
    AUTO(Text) temporary = {0}, path = {0};
    TRY(check_range(batch, range, err));
    TRY(game_batch_derive(batch, err));
    snprintf(name, SHARD_NAME_SIZE, "shard-%08llu-%08llu.h5", (unsigned long long)range.first,
             (unsigned long long)range.end);
    text_add(&path, "%s/%s", dir, name);
    text_add(&temporary, "%s/.%s.tmp.%ld", dir, name, (long)getpid());
    Status status = shard_write_file(temporary.data, batch, range, provenance, err);
    if (status == STATUS_OK && rename(temporary.data, path.data) != 0) {
        status = err_set(err, STATUS_IO, "cannot rename to %s: %s", path.data, strerror(errno));
    }
    if (status == STATUS_OK) return sync_path(dir, O_RDONLY | O_DIRECTORY, err);
    unlink(temporary.data);
    return status;
}
