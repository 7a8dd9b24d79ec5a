// SPDX-License-Identifier: GPL-3.0-or-later
// paotai bench store: bytes and seconds of the store, on the games of a run.
#include "bench/commands.h"
#include "bench/speed/store_speed.h"
#include "core/base/common_rows.h"
#include "core/base/json.h"
#include "core/base/memory.h"

typedef struct BenchStoreSettings {
    int keep, level;
    const char *scratch;
    bool columns, json;
} BenchStoreSettings;

static const OptionRow bench_store_rows[] = {
    {"keep", OPTION_INT, offsetof(BenchStoreSettings, keep), 0, 1000000, "0", "N",
     "sample one position in N, at random; 0: those the run has sampled"},
    {"scratch", OPTION_TEXT, offsetof(BenchStoreSettings, scratch), 0, 0, "build", "DIR",
     "directory of the file that is written, read and removed"},
    ROW_LEVEL(BenchStoreSettings),
    {"columns", OPTION_FLAG, offsetof(BenchStoreSettings, columns), 0, 0, NULL, NULL,
     "every column by itself: bytes a row, MB/s packed and unpacked"},
    ROW_JSON(BenchStoreSettings),
    OPTION_END,
};

static Status read_games(const char *path, GameBatch *batch, Err *err) {
    Store *store = NULL;
    Status status = store_open(path, &store, err);
    for (size_t i = 0; status == STATUS_OK && i < store_shard_count(store); i++) {
        status = store_read_games(store, i, batch, err);
    }
    store_close(store);
    return status;
}

static double rate(double amount, double seconds) {
    return seconds > 0 ? amount / seconds : 0;
}

static void print(const CommandCall *call, const StoreSpeed *speed) {
    const BenchStoreSettings *settings = call->settings;
    const double positions = (double)speed->positions, megabytes = (double)speed->row_bytes / 1e6;
    Record record;
    record_begin(&record, call->out, settings->json);
    record_int(&record, "games", (long long)speed->games);
    record_int(&record, "plies", (long long)speed->plies);
    record_int(&record, "positions", (long long)speed->positions);
    record_int(&record, "file_bytes", (long long)speed->file_bytes);
    record_real(&record, "bytes_per_ply", speed->ply_bytes, 3);
    record_real(&record, "bytes_per_position", speed->position_bytes, 3);
    record_real(&record, "derive_plies_per_s", rate((double)speed->plies, speed->derive_s), 0);
    record_real(&record, "hash_mb_per_s", rate(megabytes, speed->hash_s), 1);
    record_real(&record, "write_mb_per_s", rate(megabytes, speed->write_s), 1);
    record_real(&record, "pack_mb_per_s", rate(megabytes, speed->write_s - speed->hash_s), 1);
    record_real(&record, "read_mb_per_s", rate(megabytes, speed->read_rows_s), 1);
    record_real(&record, "read_boards_per_s", rate(positions, speed->read_boards_s), 0);
    record_real(&record, "read_positions_per_s", rate(positions, speed->read_positions_s), 0);
    record_real(&record, "read_records_per_s", rate(positions, speed->read_records_s), 0);
    record_end(&record);
}

static void print_columns(const CommandCall *call, const GameBatch *batch, int level, Err *err) {
    const BenchStoreSettings *settings = call->settings;
    ColumnSpeed speeds[COLUMN_SPEEDS_MAX];
    const int count = store_speed_columns(batch, level, speeds, err);
    for (int i = 0; i < count; i++) {
        const ColumnSpeed *speed = &speeds[i];
        const double megabytes = (double)speed->raw_bytes / 1e6;
        const double pack = rate(megabytes, speed->pack_s),
                     unpack = rate(megabytes, speed->unpack_s);
        char name[64];
        snprintf(name, sizeof name, "%s/%s", speed->group, speed->name);
        if (!settings->json) {
            fprintf(call->out,
                    "column %-26s %10llu bytes of %10llu  pack %8.1f MB/s  unpack %8.1f MB/s\n",
                    name, (unsigned long long)speed->bytes, (unsigned long long)speed->raw_bytes,
                    pack, unpack);
            continue;
        }
        Record record;
        record_begin(&record, call->out, true);
        record_text(&record, "column", name);
        record_int(&record, "bytes", (long long)speed->bytes);
        record_int(&record, "raw_bytes", (long long)speed->raw_bytes);
        record_real(&record, "pack_mb_per_s", pack, 1);
        record_real(&record, "unpack_mb_per_s", unpack, 1);
        record_end(&record);
    }
}

static int run_bench_store(const CommandCall *call) {
    const BenchStoreSettings *settings = call->settings;
    GameBatch batch = {0};
    StoreSpeed speed;
    Text path = {0};
    Err err = {0};
    text_add(&path, "%s/bench_store.h5", settings->scratch);
    Status status = read_games(call->args[0], &batch, &err);
    const int level = settings->level == PACK_SMALL ? DEFLATE_SMALL : DEFLATE_FAST;
    if (status == STATUS_OK) {
        store_speed_sample(&batch, settings->keep);
        status = store_speed_measure(&batch, level, path.data, &speed, &err);
    }
    if (status == STATUS_OK && settings->columns) print_columns(call, &batch, level, &err);
    game_batch_clear(&batch);
    text_clear(&path);
    if (status != STATUS_OK) return command_fail(call, &err);
    print(call, &speed);
    return 0;
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
