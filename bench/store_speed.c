// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/store_speed.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/memory.h"
#include "core/base/random.h"
#include "datasets/chunk.h"

static void sample(GameBatch *batch, int keep) {
    Random random;
    random_init(&random, 1, 0);
    for (size_t i = 0; i < batch->ply_count && keep > 0; i++) {
        batch->plies[i].sampled = random_below(&random, (uint64_t)keep) == 0;
    }
}

static uint64_t column_bytes(GroupId id) {
    uint64_t sum = 0;
    const ColumnGroup *table = column_group(id);
    for (size_t i = 0; i < table->column_count; i++) sum += table->columns[i].size;
    return sum;
}

// Bytes on disk of a packed column, from a packing of its own: the same the writer makes.
static uint64_t packed_bytes(GroupId id, const char *name, const void *rows, size_t count) {
    PackedColumn packed;
    ChunkWork work = {0};
    uint64_t sum = 0;
    column_pack(column_find(id, name), column_group(id)->row_size, rows, count, DEFLATE_FAST, &work,
                &packed);
    for (size_t i = 0; i < packed.chunk_count; i++) sum += packed.chunks[i].size;
    packed_column_clear(&packed);
    chunk_work_clear(&work);
    return sum;
}

static void measure_bytes(const ShardRows *rows, StoreSpeed *speed) {
    static const char *const of_plies[] = {"move", "score_red", "mate_red"};
    uint64_t plies = 0, positions = 0;
    for (size_t i = 0; i < sizeof of_plies / sizeof *of_plies; i++) {
        plies += packed_bytes(GROUP_PLIES, of_plies[i], rows->plies, rows->ply_count);
    }
    const ColumnGroup *table = column_group(GROUP_POSITIONS);
    for (size_t i = 0; i < table->column_count; i++) {
        positions += packed_bytes(GROUP_POSITIONS, table->columns[i].name, rows->positions,
                                  rows->position_count);
    }
    speed->ply_bytes = rows->ply_count ? (double)plies / (double)rows->ply_count : 0;
    speed->position_bytes =
        rows->position_count ? (double)positions / (double)rows->position_count : 0;
    speed->row_bytes = rows->game_count * column_bytes(GROUP_GAMES) +
                       rows->ply_count * column_bytes(GROUP_PLIES) +
                       rows->position_count * column_bytes(GROUP_POSITIONS);
}

static Status measure_reading(const char *path, StoreSpeed *speed, Err *err) {
    ShardReader *reader = NULL;
    ShardRows rows = {0};
    double start = clock_cpu_s();
    Status status = shard_reader_open(path, &reader, err);
    if (status == STATUS_OK) status = shard_reader_next(reader, 0, &rows, err);
    speed->read_rows_s = clock_cpu_s() - start;
    shard_rows_clear(&rows);
    shard_reader_close(reader);
    if (status == STATUS_OK) status = shard_reader_open(path, &reader, err);
    PositionRow *positions_rows = memory_resize(NULL, speed->positions, sizeof *positions_rows);
    start = clock_cpu_s();
    if (status == STATUS_OK) {
        status = shard_reader_positions(reader, 0, speed->positions, positions_rows, err);
        shard_reader_close(reader);
    }
    speed->read_squares_s = clock_cpu_s() - start;
    free(positions_rows);
    Store *store = NULL;
    PositionStream *stream = NULL;
    const PositionRecord *positions = NULL;
    size_t count = 1;
    if (status == STATUS_OK) status = store_open(path, &store, err);
    start = clock_cpu_s();
    if (status == STATUS_OK) status = position_stream_open(store, 0, &stream, err);
    while (status == STATUS_OK && count > 0) {
        status = position_stream_next(stream, &positions, &count, err);
    }
    speed->read_positions_s = clock_cpu_s() - start;
    position_stream_close(stream);
    store_close(store);
    return status;
}

Status store_speed_measure(GameBatch *batch, int keep, const char *path, StoreSpeed *speed,
                           Err *err) {
    static const Provenance provenance = {.kind = "bench", .rules = "axf"};
    *speed = (StoreSpeed){0};
    sample(batch, keep);
    ShardRows rows;
    double start = clock_cpu_s();
    Status status = shard_rows_from_batch(batch, &rows, err);
    if (status != STATUS_OK) return status;
    speed->derive_s = clock_cpu_s() - start;
    speed->games = rows.game_count;
    speed->plies = rows.ply_count;
    speed->positions = rows.position_count;
    char hex[SHA256_HEX_SIZE];
    start = clock_cpu_s();
    status = content_hash_rows(&rows, hex, err);
    speed->hash_s = clock_cpu_s() - start;
    const OptionRange all = {0, UINT64_MAX};
    start = clock_cpu_s();
    if (status == STATUS_OK) status = shard_write_rows(path, &rows, all, &provenance, err);
    speed->write_s = clock_cpu_s() - start;
    struct stat info;
    if (stat(path, &info) == 0) speed->file_bytes = (uint64_t)info.st_size;
    measure_bytes(&rows, speed);
    shard_rows_clear(&rows);
    if (status == STATUS_OK) status = measure_reading(path, speed, err);
    unlink(path);
    return status;
}
