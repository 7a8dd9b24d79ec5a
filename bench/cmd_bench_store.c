// SPDX-License-Identifier: GPL-3.0-or-later
// paotai bench store: bytes and seconds of the store, on the games of a run.
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/commands.h"
#include "core/base/clock.h"
#include "core/base/common_rows.h"
#include "core/base/json.h"
#include "core/base/random.h"
#include "datasets/store/chunk.h"
#include "datasets/store/store.h"

typedef struct BenchStoreSettings {
    int keep;
    const char *scratch;
    bool columns, json;
} BenchStoreSettings;

static const OptionRow bench_store_rows[] = {
    OPT_INT("keep", BenchStoreSettings, keep, 0, 1000000, "0", "N",
            "sample one position in N, at random; 0: those the run has sampled"),
    OPT_TEXT("scratch", BenchStoreSettings, scratch, "build", "DIR",
             "directory of the file that is written, read and removed"),
    OPT_FLAG("columns", BenchStoreSettings, columns,
             "every column by itself: bytes a row, MB/s packed and unpacked"),
    ROW_JSON(BenchStoreSettings),
    OPTION_END,
};

// One column packed and unpacked by itself.
typedef struct ColumnSpeed {
    uint64_t raw_bytes, bytes;
    double pack_s, unpack_s;
} ColumnSpeed;

// What has been measured, one step behind the other.
typedef struct Measure {
    const CommandCall *call;
    const BenchStoreSettings *settings;
    Record record;
    const char *path;
    GameBatch *games;
    ColumnSpeed all;         // the columns together
    uint64_t ply_bytes;      // of moves, scores and mates, packed
    uint64_t position_bytes; // of /positions, packed
} Measure;

static void add_rate(Measure *measure, const char *name, double amount, double seconds,
                     int decimals) {
    record_real(&measure->record, name, seconds > 0 ? amount / seconds : 0, decimals);
}

// ---- columns ---------------------------------------------------------------------------------

// Small columns are packed again until the clock sees them.
static ColumnSpeed measure_column(const Column *column, size_t row_size, void *rows, size_t count) {
    enum { ENOUGH_MS = 10 };
    PackedColumn packed = {0};
    ChunkWork work = {0};
    ColumnSpeed speed = {.raw_bytes = count * column->size};
    int times = 0;
    double start = clock_cpu_s();
    do {
        packed_column_clear(&packed);
        column_pack(column, row_size, rows, count, &work, &packed);
        speed.pack_s = (clock_cpu_s() - start) / ++times;
    } while (speed.pack_s * times * 1e3 < ENOUGH_MS);
    times = 0;
    start = clock_cpu_s();
    do {
        // What comes back is what was there.
        if (count) column_unpack(&packed, 0, count, row_size, &work, rows, NULL);
        speed.unpack_s = (clock_cpu_s() - start) / ++times;
    } while (speed.unpack_s * times * 1e3 < ENOUGH_MS);
    for (size_t i = 0; i < packed.chunk_count; i++) speed.bytes += packed.chunks[i].size;
    packed_column_clear(&packed);
    chunk_work_clear(&work);
    return speed;
}

static void print_column(Measure *measure, const char *group, const char *column,
                         const ColumnSpeed *speed) {
    const double megabytes = (double)speed->raw_bytes / 1e6;
    const double pack = megabytes / speed->pack_s, unpack = megabytes / speed->unpack_s;
    char name[64];
    snprintf(name, sizeof name, "%s/%s", group, column);
    if (!measure->settings->json) {
        fprintf(measure->call->out,
                "column %-26s %10llu bytes of %10llu  pack %8.1f MB/s  unpack %8.1f MB/s\n", name,
                (unsigned long long)speed->bytes, (unsigned long long)speed->raw_bytes, pack,
                unpack);
        return;
    }
    Record record;
    record_begin(&record, measure->call->out, true);
    record_text(&record, "column", name);
    record_int(&record, "bytes", (long long)speed->bytes);
    record_int(&record, "raw_bytes", (long long)speed->raw_bytes);
    record_real(&record, "pack_mb_per_s", pack, 1);
    record_real(&record, "unpack_mb_per_s", unpack, 1);
    record_end(&record);
}

static void measure_columns(Measure *measure) {
    for (int id = 0; id < ROW_GROUP_COUNT; id++) {
        const ColumnGroup *group = column_group((GroupId)id);
        size_t count;
        void *records = game_batch_rows(measure->games, (GroupId)id, &count);
        for (size_t i = 0; i < group->column_count; i++) {
            const Column *column = &group->columns[i];
            const ColumnSpeed speed = measure_column(column, group->row_size, records, count);
            if (measure->settings->columns) {
                print_column(measure, group->name, column->name, &speed);
            }
            measure->all.raw_bytes += speed.raw_bytes;
            measure->all.pack_s += speed.pack_s;
            if (id == GROUP_POSITIONS) measure->position_bytes += speed.bytes;
            if (id == GROUP_PLIES &&
                (strcmp(column->name, "move") == 0 || strstr(column->name, "_red"))) {
                measure->ply_bytes += speed.bytes;
            }
        }
    }
}

// ---- the file --------------------------------------------------------------------------------

static Status measure_writing(Measure *measure, Err *err) {
    const Provenance provenance = {.kind = "bench", .rules = "axf"};
    const GameBatch *games = measure->games;
    const double megabytes = (double)measure->all.raw_bytes / 1e6;
    char hex[SHA256_HEX_SIZE];
    struct stat info = {0};
    double start = clock_cpu_s();
    content_hash_batch(games, hex);
    const double hash_s = clock_cpu_s() - start;
    const OptionRange all = {0, UINT64_MAX};
    start = clock_cpu_s();
    Status status = shard_write_file(measure->path, games, all, &provenance, err);
    const double write_s = clock_cpu_s() - start;
    if (status != STATUS_OK || stat(measure->path, &info) != 0) return status;
    record_int(&measure->record, "file_bytes", (long long)info.st_size);
    add_rate(measure, "bytes_per_ply", (double)measure->ply_bytes, (double)games->ply_count, 3);
    add_rate(measure, "bytes_per_position", (double)measure->position_bytes,
             (double)games->position_count, 3);
    add_rate(measure, "hash_mb_per_s", megabytes, hash_s, 1);
    add_rate(measure, "write_mb_per_s", megabytes, write_s, 1);
    add_rate(measure, "pack_mb_per_s", megabytes, measure->all.pack_s, 1);
    return STATUS_OK;
}

typedef Status ReadPositions(ShardReader *, size_t, size_t, PositionRecord *, Err *);

// Reads the positions of the shard as a function does, into the rows that are there.
static Status measure_positions(Measure *measure, const char *name, ReadPositions *read, Err *err) {
    ShardReader *reader = NULL;
    const size_t count = measure->games->position_count;
    const double start = clock_cpu_s();
    Status status = shard_reader_open(measure->path, &reader, err);
    if (status == STATUS_OK) status = read(reader, 0, count, measure->games->positions, err);
    shard_reader_close(reader);
    add_rate(measure, name, (double)count, clock_cpu_s() - start, 0);
    return status;
}

static Status measure_rows(Measure *measure, Err *err) {
    ShardReader *reader = NULL;
    GameBatch games = {0};
    const double start = clock_cpu_s();
    Status status = shard_reader_open(measure->path, &reader, err);
    if (status == STATUS_OK) status = shard_reader_next(reader, 0, &games, err);
    add_rate(measure, "read_mb_per_s", (double)measure->all.raw_bytes / 1e6, clock_cpu_s() - start,
             1);
    shard_reader_close(reader);
    game_batch_clear(&games);
    return status;
}

// As the tuner reads: bitboards and keys, every position checked.
static Status measure_records(Measure *measure, Err *err) {
    Store *store = NULL;
    PositionRecord *positions = NULL;
    Position board;
    size_t count = 0;
    Status status = store_open(measure->path, &store, err);
    const double start = clock_cpu_s();
    if (status == STATUS_OK) status = store_read_positions(store, 0, &positions, &count, err);
    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        status = position_record_board(&positions[i], &board, err);
    }
    add_rate(measure, "read_records_per_s", (double)measure->games->position_count,
             clock_cpu_s() - start, 0);
    free(positions);
    store_close(store);
    return status;
}

// ---- the command -----------------------------------------------------------------------------

static Status read_games(const BenchStoreSettings *settings, const char *path, GameBatch *batch,
                         Err *err) {
    Store *store = NULL;
    Status status = store_open(path, &store, err);
    for (size_t i = 0; status == STATUS_OK && i < store_shard_count(store); i++) {
        status = store_read_games(store, i, batch, err);
    }
    store_close(store);
    Random random;
    random_init(&random, 1, 0);
    for (size_t i = 0; i < batch->ply_count && settings->keep > 0; i++) {
        batch->plies[i].sampled = random_below(&random, (uint64_t)settings->keep) == 0;
    }
    return status;
}

static Status measure_all(Measure *measure, Err *err) {
    const double start = clock_cpu_s();
    Status status = game_batch_derive(measure->games, err);
    if (status != STATUS_OK) return status;
    const double derive_s = clock_cpu_s() - start;
    const GameBatch *games = measure->games;
    record_int(&measure->record, "games", (long long)games->count);
    record_int(&measure->record, "plies", (long long)games->ply_count);
    record_int(&measure->record, "positions", (long long)games->position_count);
    add_rate(measure, "derive_plies_per_s", (double)games->ply_count, derive_s, 0);
    measure_columns(measure);
    status = measure_writing(measure, err);
    if (status == STATUS_OK) status = measure_rows(measure, err);
    if (status == STATUS_OK) {
        status = measure_positions(measure, "read_boards_per_s", shard_reader_boards, err);
    }
    if (status == STATUS_OK) {
        status = measure_positions(measure, "read_positions_per_s", shard_reader_positions, err);
    }
    if (status == STATUS_OK) status = measure_records(measure, err);
    unlink(measure->path);
    return status;
}

static int run_bench_store(const CommandCall *call) {
    const BenchStoreSettings *settings = call->settings;
    GameBatch batch = {0};
    Text path = {0};
    Err err = {0};
    text_add(&path, "%s/bench_store.h5", settings->scratch);
    Measure measure = {
        .call = call,
        .settings = settings,
        .path = path.data,
        .games = &batch,
    };
    record_begin(&measure.record, call->out, settings->json);
    Status status = read_games(settings, call->args[0], &batch, &err);
    if (status == STATUS_OK) status = measure_all(&measure, &err);
    if (status == STATUS_OK) record_end(&measure.record);
    if (status != STATUS_OK) text_clear(&measure.record.text);
    game_batch_clear(&batch);
    text_clear(&path);
    return status == STATUS_OK ? 0 : command_fail(call, &err);
}

const Command command_bench_store = {
    .name = "bench store",
    .summary = "bytes and seconds of the store, on the games of a run",
    .usage = "DIR",
    .details =
        "One thread. MB are uncompressed rows; writing includes the content hash, closing and\n"
        "syncing the file; bytes_per_ply counts moves, scores and mates. Boards are squares, side "
        "to\n"
        "move and result; positions all of their columns; records bitboards and keys, checked.\n\n"
        "paotai bench store --keep 4 build/games",
    .rows = bench_store_rows,
    .settings_size = sizeof(BenchStoreSettings),
    .min_args = 1,
    .max_args = 1,
    .run = run_bench_store,
};
