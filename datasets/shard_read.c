// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/shard.h"

#include <string.h>

#include "core/base/memory.h"
#include "datasets/h5.h"

static Status open_file(const char *path, hid_t *file, Err *err) {
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    if (access < 0 || H5Pset_fclose_degree(access, H5F_CLOSE_STRONG) < 0) {
        if (access >= 0) H5Pclose(access);
        return h5_fail(err, STATUS_IO, path);
    }
    *file = H5Fopen(path, H5F_ACC_RDONLY, access);
    H5Pclose(access);
    if (*file >= 0) return STATUS_OK;
    h5_fail(err, STATUS_CORRUPT, path);
    return err_prefix(err, "cannot open as HDF5");
}

static Status group_count(hid_t file, GroupId id, size_t *count, Err *err) {
    const ColumnGroup *table = column_group(id);
    const hid_t group = H5Gopen2(file, table->name, H5P_DEFAULT);
    if (group < 0) return h5_fail(err, STATUS_CORRUPT, table->name);
    Status status = STATUS_OK;
    for (size_t i = 0; i < table->column_count && status == STATUS_OK; i++) {
        size_t length = 0;
        status = h5_column_count(group, &table->columns[i], &length, err);
        if (status == STATUS_OK && i > 0 && length != *count) {
            status = err_set(err, STATUS_CORRUPT, "%s has %zu rows, not %zu",
                             table->columns[i].name, length, *count);
        }
        *count = length;
    }
    H5Gclose(group);
    return status == STATUS_OK ? STATUS_OK : err_prefix(err, "/%s", table->name);
}

static Status check_schema(hid_t file, Err *err) {
    char *format = NULL;
    uint64_t version = 0;
    Status status = h5_read_text(file, "format", &format, err);
    if (status == STATUS_OK && strcmp(format, "paotai games") != 0) {
        status = err_set(err, STATUS_CORRUPT, "format is '%s', not 'paotai games'", format);
    }
    free(format);
    if (status == STATUS_OK) status = h5_read_u64(file, "schema_version", &version, err);
    if (status == STATUS_OK && version != STORE_SCHEMA_VERSION) {
        status =
            err_set(err, STATUS_MISMATCH,
                    "schema_version is %llu, this program reads %d: use the program that wrote it",
                    (unsigned long long)version, STORE_SCHEMA_VERSION);
    }
    return status;
}

static Status read_head(hid_t file, ShardHead *head, Err *err) {
    *head = (ShardHead){0};
    char *hash = NULL;
    Status status = check_schema(file, err);
    if (status == STATUS_OK) status = h5_read_u64(file, "first_game", &head->range.first, err);
    if (status == STATUS_OK) status = h5_read_u64(file, "end_game", &head->range.end, err);
    if (status == STATUS_OK) status = h5_read_text(file, "content_hash", &hash, err);
    if (status == STATUS_OK && strlen(hash) != SHA256_HEX_SIZE - 1) {
        status = err_set(err, STATUS_CORRUPT, "content_hash is '%s'", hash);
    }
    if (status == STATUS_OK) memcpy(head->content_hash, hash, sizeof head->content_hash);
    free(hash);
    for (int id = 0; id < GROUP_COUNT && status == STATUS_OK; id++) {
        status = group_count(file, (GroupId)id, &head->counts[id], err);
    }
    return status;
}

Status shard_read_head(const char *path, ShardHead *head, Err *err) {
    hid_t file;
    h5_lock();
    Status status = open_file(path, &file, err);
    if (status == STATUS_OK) {
        status = read_head(file, head, err);
        H5Fclose(file);
        if (status != STATUS_OK) err_prefix(err, "%s", path);
    }
    h5_unlock();
    return status;
}

static Status read_group(hid_t file, GroupId id, void *rows, size_t count, Err *err) {
    const ColumnGroup *table = column_group(id);
    const hid_t group = H5Gopen2(file, table->name, H5P_DEFAULT);
    if (group < 0) return h5_fail(err, STATUS_CORRUPT, table->name);
    Status status = STATUS_OK;
    for (size_t i = 0; i < table->column_count && status == STATUS_OK; i++) {
        status = h5_read_column(group, &table->columns[i], table->row_size, rows, 0, count, err);
    }
    H5Gclose(group);
    return status == STATUS_OK ? STATUS_OK : err_prefix(err, "/%s", table->name);
}

static Status check_ply_counts(const ShardRows *rows, Err *err) {
    uint64_t sum = 0;
    for (size_t i = 0; i < rows->game_count; i++) sum += rows->games[i].ply_count;
    if (sum == rows->ply_count) return STATUS_OK;
    return err_set(err, STATUS_CORRUPT, "the games have %llu plies, /plies has %zu",
                   (unsigned long long)sum, rows->ply_count);
}

static Status read_rows(hid_t file, bool games, bool positions, ShardRows *rows, Err *err) {
    ShardHead head;
    Status status = read_head(file, &head, err);
    if (status == STATUS_OK && games) {
        rows->game_count = head.counts[GROUP_GAMES];
        rows->ply_count = head.counts[GROUP_PLIES];
        rows->games = memory_alloc(rows->game_count, sizeof(GameRow));
        rows->plies = memory_alloc(rows->ply_count, sizeof(PlyRow));
        status = read_group(file, GROUP_GAMES, rows->games, rows->game_count, err);
        if (status == STATUS_OK) {
            status = read_group(file, GROUP_PLIES, rows->plies, rows->ply_count, err);
        }
        if (status == STATUS_OK) status = check_ply_counts(rows, err);
    }
    if (status == STATUS_OK && positions) {
        rows->position_count = head.counts[GROUP_POSITIONS];
        rows->positions = memory_alloc(rows->position_count, sizeof(PositionRow));
        status = read_group(file, GROUP_POSITIONS, rows->positions, rows->position_count, err);
    }
    return status;
}

Status shard_read_rows(const char *path, bool games, bool positions, ShardRows *rows, Err *err) {
    hid_t file;
    *rows = (ShardRows){0};
    h5_lock();
    Status status = open_file(path, &file, err);
    if (status == STATUS_OK) {
        status = read_rows(file, games, positions, rows, err);
        H5Fclose(file);
        if (status != STATUS_OK) err_prefix(err, "%s", path);
    }
    h5_unlock();
    if (status != STATUS_OK) shard_rows_clear(rows);
    return status;
}

static Status read_provenance(hid_t file, Text *text, Err *err) {
    static const char *const names[] = {"kind",    "command",  "rules",    "weights", "source",
                                        "version", "revision", "compiler", "flags",   "hdf5",
                                        "zlib",    "gsl",      "created",  "options"};
    uint64_t seed = 0;
    const hid_t group = H5Gopen2(file, "provenance", H5P_DEFAULT);
    if (group < 0) return h5_fail(err, STATUS_CORRUPT, "provenance");
    Status status = h5_read_u64(group, "seed", &seed, err);
    if (status == STATUS_OK) text_add(text, "seed=%llu\n", (unsigned long long)seed);
    for (size_t i = 0; i < sizeof names / sizeof *names && status == STATUS_OK; i++) {
        char *value = NULL;
        status = h5_read_text(group, names[i], &value, err);
        if (status == STATUS_OK) text_add(text, "%s=%s\n", names[i], value);
        free(value);
    }
    H5Gclose(group);
    return status;
}

Status shard_read_provenance(const char *path, char **text, Err *err) {
    hid_t file;
    Text lines = {0};
    h5_lock();
    Status status = open_file(path, &file, err);
    if (status == STATUS_OK) {
        status = check_schema(file, err);
        if (status == STATUS_OK) status = read_provenance(file, &lines, err);
        H5Fclose(file);
        if (status != STATUS_OK) err_prefix(err, "%s", path);
    }
    h5_unlock();
    if (status != STATUS_OK) {
        text_clear(&lines);
        return status;
    }
    *text = lines.data;
    return STATUS_OK;
}
