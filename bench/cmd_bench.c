// SPDX-License-Identifier: GPL-3.0-or-later
// paotai bench: searches fixed positions to a fixed depth. The nodes are the signature of play:
// equal on every machine, compiler and build; the nodes per second are the speed.
#include "bench/speed/micro.h"
#include "core/base/clock.h"
#include "core/base/common_rows.h"
#include "core/base/json.h"
#include "core/base/memory.h"
#include "core/eval/network.h"
#include "core/search/smp.h"

static const char *const bench_fens[] = {
#define BENCH_POSITION(fen) fen,
#include "bench/speed/positions.def"
};

typedef struct BenchSettings {
    int depth, threads;
    int hash_mb;
    const char *weights;
    bool micro;
    int runs;
    bool json, quiet;
} BenchSettings;

static const OptionRow bench_rows[] = {
    OPT_INT("depth", BenchSettings, depth, 1, 60, "12", "N", DEPTH_HELP, OPTION_BARE),
    OPT_INT("hash", BenchSettings, hash_mb, 1, 65536, "16", "MB", "size of the table"),
    OPT_INT("threads", BenchSettings, threads, 1, SMP_THREADS_MAX, "1", "N",
            "threads of each search; with several the nodes differ from run to run"),
    OPT_TEXT("weights", BenchSettings, weights, "default", "NAME|FILE", WEIGHTS_HELP),
    OPT_FLAG("micro", BenchSettings, micro, "time the parts of the engine instead"),
    OPT_INT("runs", BenchSettings, runs, 3, 10000, "31", "N",
            "measurements of each part, with --micro"),
    ROW_JSON(BenchSettings),
    OPT_FLAG("quiet", BenchSettings, quiet, "print only the last line"),
    OPTION_END,
};

static Status run_bench(const CommandCall *call, Err *err) {
    const BenchSettings *settings = call->settings;
    Weights weights;
    AUTO_POINTER(Network) network = NULL;
    char hash[SHA256_HEX_SIZE];
    TRY(settings->micro ? command_refuse(call, "depth hash threads", "not with --micro", err)
                        : command_refuse(call, "runs", "only with --micro", err));
    TRY(memory_check(settings->hash_mb, err));
    TRY(network_load(settings->weights, &weights, &network, hash, err));
    if (settings->micro) {
        micro_run(&weights, settings->runs, settings->json, call->out);
        return STATUS_OK;
    }
    AUTO_POINTER(Smp) smp = smp_new(&weights, settings->hash_mb, settings->threads);
    smp_set_network(smp, network);
    const SearchLimits limits = {.depth = settings->depth};
    uint64_t nodes = 0;
    double seconds = 0; // of the searches: what clears the tables between them is no part of it
    for (size_t i = 0; i < sizeof bench_fens / sizeof *bench_fens; i++) {
        Position position;
        AUTO(Game) game = {0};
        SearchResult result;
        TRY(position_from_fen(&position, bench_fens[i], err));
        game_init(&game, &position);
        smp_clear(smp);
        const double start = clock_now_s();
        smp_run(smp, &game, &limits, &result);
        seconds += clock_now_s() - start;
        nodes += result.nodes;
        if (settings->quiet) continue;
        char move[5] = "-";
        if (result.best != MOVE_NONE) move_to_uci(result.best, move);
        record_row(call->out, settings->json, "{nodes}%12llu  {score}%5d  {move}%s  {fen}%s\n",
                   (unsigned long long)result.nodes, result.line.score, move, bench_fens[i]);
    }
    const double nps = (double)nodes / (seconds > 1e-9 ? seconds : 1e-9);
    if (!settings->quiet && !settings->json) {
        fprintf(call->out, "%.0f ms to depth %d\n", seconds * 1e3, settings->depth);
    }
    record_row(call->out, settings->json, "{nodes}%llu nodes{!ms}%lld {nps}%lld nps\n",
               (unsigned long long)nodes, (long long)(seconds * 1e3), (long long)nps);
    return STATUS_OK;
}

const Command command_bench = {
    .name = "bench",
    .summary = "search fixed positions: the node signature and the speed",
    .usage = "[DEPTH]",
    .details = "The last line is `N nodes N nps`. The node count is the same for every compiler "
               "and build. A commit that changes it changes how the engine plays.",
    .rows = bench_rows,
    .settings_size = sizeof(BenchSettings),
    .run = run_bench,
};
