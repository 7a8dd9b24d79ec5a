// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/speed/store_speed.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/memory.h"
#include "core/base/random.h"

void store_speed_sample(GameBatch *batch, int keep) {
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
static uint64_t packed_bytes(GroupId id, const char *name, int level, const void *rows,
                             size_t count) {
    PackedColumn packed;
    ChunkWork work = {0};
    uint64_t sum = 0;
    column_pack(column_find(id, name), column_group(id)->row_size, rows, count, level, &work,
                &packed);
    for (size_t i = 0; i < packed.chunk_count; i++) sum += packed.chunks[i].size;
    packed_column_clear(&packed);
    chunk_work_clear(&work);
    return sum;
}

static void measure_bytes(const ShardRows *rows, int level, StoreSpeed *speed) {
    static const char *const of_plies[] = {"move", "score_red", "mate_red"};
    uint64_t plies = 0, positions = 0;
    for (size_t i = 0; i < sizeof of_plies / sizeof *of_plies; i++) {
        plies += packed_bytes(GROUP_PLIES, of_plies[i], level, rows->plies, rows->ply_count);
    }
    const ColumnGroup *table = column_group(GROUP_POSITIONS);
    for (size_t i = 0; i < table->column_count; i++) {
        positions += packed_bytes(GROUP_POSITIONS, table->columns[i].name, level, rows->positions,
                                  rows->position_count);
    }
    speed->ply_bytes = rows->ply_count ? (double)plies / (double)rows->ply_count : 0;
    speed->position_bytes =
        rows->position_count ? (double)positions / (double)rows->position_count : 0;
    speed->row_bytes = rows->game_count * column_bytes(GROUP_GAMES) +
                       rows->ply_count * column_bytes(GROUP_PLIES) +
                       rows->position_count * column_bytes(GROUP_POSITIONS);
}

// Reads the positions of a shard as a function does, into rows that were used before.
static Status time_rows(const char *path, size_t count, PositionRow *rows,
                        Status (*read)(ShardReader *, size_t, size_t, PositionRow *, Err *),
                        double *seconds, Err *err) {
    ShardReader *reader = NULL;
    const double start = clock_cpu_s();
    Status status = shard_reader_open(path, &reader, err);
    if (status == STATUS_OK) status = read(reader, 0, count, rows, err);
    shard_reader_close(reader);
    *seconds = clock_cpu_s() - start;
    return status;
}

static Status time_records(const char *path, double *seconds, Err *err) {
    Store *store = NULL;
    PositionStream *stream = NULL;
    const PositionRecord *positions = NULL;
    size_t count = 1;
    Status status = store_open(path, &store, err);
    const double start = clock_cpu_s();
    if (status == STATUS_OK) status = position_stream_open(store, 0, &stream, err);
    while (status == STATUS_OK && count > 0) {
        status = position_stream_next(stream, &positions, &count, err);
    }
    *seconds = clock_cpu_s() - start;
    position_stream_close(stream);
    store_close(store);
    return status;
}

static Status measure_reading(const char *path, StoreSpeed *speed, Err *err) {
    ShardReader *reader = NULL;
    ShardRows rows = {0};
    const double start = clock_cpu_s();
    Status status = shard_reader_open(path, &reader, err);
    if (status == STATUS_OK) status = shard_reader_next(reader, 0, &rows, err);
    speed->read_rows_s = clock_cpu_s() - start;
    shard_reader_close(reader);
    PositionRow *positions = rows.positions;
    if (status == STATUS_OK) {
        status = time_rows(path, speed->positions, positions, shard_reader_boards,
                           &speed->read_boards_s, err);
    }
    if (status == STATUS_OK) {
        status = time_rows(path, speed->positions, positions, shard_reader_positions,
                           &speed->read_positions_s, err);
    }
    shard_rows_clear(&rows);
    return status == STATUS_OK ? time_records(path, &speed->read_records_s, err) : status;
}

Status store_speed_measure(const GameBatch *batch, int level, const char *path, StoreSpeed *speed,
                           Err *err) {
    const Provenance provenance = {
        .kind = "bench", .rules = "axf", .level = level == DEFLATE_SMALL ? PACK_SMALL : PACK_FAST};
    *speed = (StoreSpeed){0};
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
    measure_bytes(&rows, level, speed);
    shard_rows_clear(&rows);
    if (status == STATUS_OK) status = measure_reading(path, speed, err);
    unlink(path);
    return status;
}

// ---- columns -----------------------------------------------------------------------------------

// So small columns that the clock would not see them are packed again until it does.
static void measure_column(const Column *column, size_t row_size, void *rows, size_t count,
                           int level, ColumnSpeed *speed) {
    enum { ENOUGH_MS = 50 };
    PackedColumn packed = {0};
    ChunkWork work = {0};
    int times = 0;
    double start = clock_cpu_s();
    do {
        packed_column_clear(&packed);
        column_pack(column, row_size, rows, count, level, &work, &packed);
        times++;
        speed->pack_s = clock_cpu_s() - start;
    } while (speed->pack_s * 1e3 < ENOUGH_MS);
    speed->pack_s /= times;
    times = 0;
    start = clock_cpu_s();
    do {
        // What comes back is what was there.
        if (count) column_unpack(&packed, 0, count, row_size, &work, rows, NULL);
        times++;
        speed->unpack_s = clock_cpu_s() - start;
    } while (speed->unpack_s * 1e3 < ENOUGH_MS);
    speed->unpack_s /= times;
    speed->raw_bytes = count * column->size;
    for (size_t i = 0; i < packed.chunk_count; i++) speed->bytes += packed.chunks[i].size;
    packed_column_clear(&packed);
    chunk_work_clear(&work);
}

int store_speed_columns(const GameBatch *batch, int level, ColumnSpeed speeds[COLUMN_SPEEDS_MAX],
                        Err *err) {
    ShardRows rows;
    int count = 0;
    if (shard_rows_from_batch(batch, &rows, err) != STATUS_OK) return 0;
    struct {
        void *rows;
        size_t count;
    } const tables[ROW_GROUP_COUNT] = {
        [GROUP_GAMES] = {rows.games, rows.game_count},
        [GROUP_PLIES] = {rows.plies, rows.ply_count},
        [GROUP_POSITIONS] = {rows.positions, rows.position_count},
    };
    for (int id = 0; id < ROW_GROUP_COUNT; id++) {
        const ColumnGroup *group = column_group((GroupId)id);
        for (size_t i = 0; i < group->column_count && count < COLUMN_SPEEDS_MAX; i++) {
            ColumnSpeed *speed = &speeds[count++];
            *speed = (ColumnSpeed){.group = group->name, .name = group->columns[i].name};
            measure_column(&group->columns[i], group->row_size, tables[id].rows, tables[id].count,
                           level, speed);
        }
    }
    shard_rows_clear(&rows);
    return count;
}
