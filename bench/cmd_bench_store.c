// SPDX-License-Identifier: GPL-3.0-or-later
// paotai bench store: bytes and seconds of the store, on the games of a run.
#include "bench/commands.h"
#include "bench/store_speed.h"
#include "core/base/common_rows.h"
#include "core/base/json.h"
#include "core/base/memory.h"

typedef struct BenchStoreSettings {
    int keep;
    const char *scratch;
    bool json;
} BenchStoreSettings;

static const OptionRow bench_store_rows[] = {
    {"keep", OPTION_INT, offsetof(BenchStoreSettings, keep), 0, 1000000, "0", "N",
     "sample one position in N, at random; 0: those the run has sampled"},
    {"scratch", OPTION_TEXT, offsetof(BenchStoreSettings, scratch), 0, 0, "build", "DIR",
     "directory of the file that is written, read and removed"},
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
    record_real(&record, "read_boards_per_s", rate(positions, speed->read_squares_s), 0);
    record_real(&record, "read_positions_per_s", rate(positions, speed->read_positions_s), 0);
    record_end(&record);
}

static int run_bench_store(const CommandCall *call) {
    const BenchStoreSettings *settings = call->settings;
    GameBatch batch = {0};
    StoreSpeed speed;
    Text path = {0};
    Err err = {0};
    text_add(&path, "%s/bench_store.h5", settings->scratch);
    Status status = read_games(call->args[0], &batch, &err);
    if (status == STATUS_OK) {
        status = store_speed_measure(&batch, settings->keep, path.data, &speed, &err);
    }
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
        "syncing the file; bytes_per_ply counts moves, scores and mates.\n\n"
        "paotai bench store --keep 4 build/games",
    .rows = bench_store_rows,
    .settings_size = sizeof(BenchStoreSettings),
    .min_args = 1,
    .max_args = 1,
    .run = run_bench_store,
};
