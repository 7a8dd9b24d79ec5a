// SPDX-License-Identifier: GPL-3.0-or-later
// paotai bench: searches fixed positions to a fixed depth, and then again with few nodes. The sum
// of the nodes is the signature of the search: with one thread it is the same for every machine,
// compiler and build. The nodes per second are the speed.
#include "bench/speed/micro.h"
#include "core/base/json.h"
#include "core/base/memory.h"
#include "core/board/bench_positions.h"
#include "core/command/common_rows.h"
#include "core/eval/network.h"
#include "core/search/smp.h"
#include "core/system/clock.h"

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
    OPT_INT("hash", BenchSettings, hash_mb, 1, 65536, "16", "MB",
            "size of the transposition table in megabytes"),
    OPT_INT("threads", BenchSettings, threads, 1, SMP_THREADS_MAX, "1", "N",
            "number of threads of each search; with more than one, the node count differs from run "
            "to run"),
    OPT_TEXT("weights", BenchSettings, weights, "best", "NAME|FILE", WEIGHTS_HELP),
    OPT_FLAG("micro", BenchSettings, micro,
             "measure the time per call of single engine functions instead of searching"),
    OPT_INT("runs", BenchSettings, runs, 3, 10000, "31", "N",
            "number of measurements of each function, with --micro"),
    ROW_JSON(BenchSettings),
    OPT_FLAG("quiet", BenchSettings, quiet, "print only the last line; has no effect with --micro"),
    OPTION_END,
};

// The second search of each position has a small node limit, as in self-play. Searches of at most
// few_nodes nodes use the parameters few_* of search_params.def. Most of these searches reach the
// depth limit before the node limit, so their node count depends on the tree. Every ninth search
// (FEW_EVERY) has a node limit just above few_nodes and uses the usual parameters.
enum { FEW_DEPTH = 9, FEW_NODES = 20000, FEW_EVERY = 9 };

typedef struct Bench {
    const CommandCall *call;
    Smp *smp;
    uint64_t nodes;
    double seconds; // search time, without the time for clearing the transposition table between
                    // searches
} Bench;

static Status bench_search(Bench *bench, const char *fen, const SearchLimits *limits, Err *err) {
    const BenchSettings *settings = bench->call->settings;
    Position position;
    AUTO(Game) game = {0};
    SearchResult result;
    TRY(position_from_fen(&position, fen, err));
    game_init(&game, &position);
    smp_clear(bench->smp);
    const double start = clock_now_s();
    smp_run(bench->smp, &game, limits, &result);
    bench->seconds += clock_now_s() - start;
    bench->nodes += result.nodes;
    if (settings->quiet) return STATUS_OK;
    char move[5] = "-";
    if (result.best != MOVE_NONE) move_to_uci(result.best, move);
    record_row(bench->call->out, settings->json, "{nodes}%12llu  {score}%5d  {move}%s  {fen}%s\n",
               (unsigned long long)result.nodes, result.line.score, move, fen);
    return STATUS_OK;
}

static Status run_bench(const CommandCall *call, Err *err) {
    const BenchSettings *settings = call->settings;
    Weights weights;
    AUTO_POINTER(Network) network = NULL;
    char hash[SHA256_HEX_SIZE];
    AUTO(Text) evaluation = {0};
    TRY(settings->micro
            ? command_refuse(call, "depth hash threads", "has no effect with --micro", err)
            : command_refuse(call, "runs", "has an effect only with --micro", err));
    TRY(memory_check(settings->hash_mb, err));
    TRY(evaluation_load(settings->weights, &weights, &network, hash, err));
    if (settings->micro) {
        micro_run(&weights, settings->runs, settings->json, call->out);
        return STATUS_OK;
    }
    AUTO_POINTER(Smp) smp = smp_new(&weights, settings->hash_mb, settings->threads);
    smp_set_network(smp, network);
    Bench bench = {.call = call, .smp = smp};
    const SearchLimits plies = {.depth = settings->depth};
    const int few_depth = settings->depth < FEW_DEPTH ? settings->depth : FEW_DEPTH;
    for (size_t i = 0; i < BENCH_POSITION_COUNT; i++)
        TRY(bench_search(&bench, bench_fens[i], &plies, err));
    for (size_t i = 0; i < BENCH_POSITION_COUNT; i++) {
        const SearchLimits few = {.depth = few_depth,
                                  .nodes = FEW_NODES + (i % FEW_EVERY == FEW_EVERY - 1)};
        TRY(bench_search(&bench, bench_fens[i], &few, err));
    }
    const double nps = (double)bench.nodes / (bench.seconds > 1e-9 ? bench.seconds : 1e-9);
    network_describe(settings->weights, network, hash, &evaluation);
    if (!settings->quiet && !settings->json) {
        fprintf(call->out,
                "%s\n%.0f ms for two searches of each position: one to depth %d, and one to depth "
                "%d with at most about %d nodes\n",
                evaluation.data, bench.seconds * 1e3, settings->depth, few_depth, FEW_NODES);
    }
    record_row(call->out, settings->json, "{nodes}%llu nodes{!ms}%lld {nps}%lld nps\n",
               (unsigned long long)bench.nodes, (long long)(bench.seconds * 1e3), (long long)nps);
    return STATUS_OK;
}

const Command command_bench = {
    .name = "bench",
    .summary = "search fixed positions and print node count and speed",
    .usage = "[DEPTH]",
    .details =
        "The last line is `N nodes N nps`. With one thread the node count is the same for every "
        "compiler and build. A commit that changes the node count changes how the engine plays. By "
        "default "
        "bench searches with the evaluation `best`, as the engine does over UCI; `--weights "
        "default` is the linear evaluation. Each position is searched to --depth. Then it is "
        "searched again to at most depth 9 and about 20000 nodes. Most of these searches use the "
        "few_* "
        "search parameters, which replace others if the node limit is small.",
    .rows = bench_rows,
    .settings_size = sizeof(BenchSettings),
    .reads_weights = true,
    .run = run_bench,
};
