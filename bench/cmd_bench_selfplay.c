// SPDX-License-Identifier: GPL-3.0-or-later
// paotai bench selfplay: plies a second, the share of searching, what threads bring, memory.
#include <stdlib.h>

#include "bench/commands.h"
#include "bench/speed/selfplay_speed.h"
#include "core/base/interrupt.h"
#include "core/base/json.h"
#include "core/base/memory.h"
#include "selfplay/run/play_options.h"

typedef struct BenchSelfplaySettings {
    int games, rounds, threads, shard_games;
    uint64_t seed;
    const char *scratch;
    SearchOptions search;
    PlayOptions play;
    bool json, quiet;
} BenchSelfplaySettings;

static const OptionRow bench_selfplay_rows[] = {
    {"games", OPTION_INT, offsetof(BenchSelfplaySettings, games), 1, 1000000, "400", "N",
     "games of each run"},
    {"rounds", OPTION_INT, offsetof(BenchSelfplaySettings, rounds), 1, 1000, "3", "N",
     "so often one run with one thread and one with --threads, in turns"},
    {"threads", OPTION_INT, offsetof(BenchSelfplaySettings, threads), 2, 4096, "2", "N",
     "threads that are compared with one"},
    ROW_SEED(BenchSelfplaySettings),
    {"scratch", OPTION_TEXT, offsetof(BenchSelfplaySettings, scratch), 0, 0, "build/bench_selfplay",
     "DIR", "run directory that is filled and emptied"},
    {"shard-games", OPTION_INT, offsetof(BenchSelfplaySettings, shard_games), 1, 1000000, "256",
     "N", "games of one file"},
    SEARCH_ROWS(BenchSelfplaySettings, search),
    PLAY_ROWS(BenchSelfplaySettings, play),
    ROW_JSON(BenchSelfplaySettings),
    ROW_QUIET(BenchSelfplaySettings),
    OPTION_END,
};

static Status fill_spec(const CommandCall *call, SelfplaySpec *spec, PlayThings *things,
                        Searcher *searcher, Err *err) {
    const BenchSelfplaySettings *settings = call->settings;
    *spec = (SelfplaySpec){.games = {0, (uint64_t)settings->games},
                           .seed = settings->seed,
                           .searcher = searcher,
                           .out = settings->scratch,
                           .shard_games = (uint64_t)settings->shard_games,
                           .provenance = {.kind = "bench", .rules = "axf"}};
    Status status =
        play_options_resolve(call, &settings->play, things, &spec->play, &spec->openings, err);
    if (status == STATUS_OK) status = searcher_resolve(call, &settings->search, searcher, err);
    spec->play.controls[RED] = spec->play.controls[BLACK] = searcher->control;
    spec->play.margin_ns = spec->play.patience_ns = 600000 * MS_NS;
    return status;
}

static double plies_per_s(const SelfplaySpeed *speed) {
    return (double)speed->summary.plies / speed->seconds;
}
static double plies_per_cpu_s(const SelfplaySpeed *speed) {
    return (double)speed->summary.plies / speed->cpu_s;
}
static double search_share(const SelfplaySpeed *speed) {
    const SelfplaySummary *summary = &speed->summary;
    return (double)(summary->search_ns + summary->opening_ns) / (double)summary->worker_ns;
}
static double opening_share(const SelfplaySpeed *speed) {
    return (double)speed->summary.opening_ns / (double)speed->summary.worker_ns;
}

static int compare_values(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(const SelfplaySpeed *runs, int count, double (*value)(const SelfplaySpeed *)) {
    double *values = memory_alloc((size_t)count, sizeof *values);
    for (int i = 0; i < count; i++) values[i] = value(&runs[i]);
    qsort(values, (size_t)count, sizeof *values, compare_values);
    const double middle = (values[(count - 1) / 2] + values[count / 2]) / 2;
    free(values);
    return middle;
}

static void print(const CommandCall *call, const SelfplaySpeed *one, const SelfplaySpeed *many,
                  uint64_t worker_memory) {
    const BenchSelfplaySettings *settings = call->settings;
    const int rounds = settings->rounds;
    double *ratios = memory_alloc((size_t)rounds, sizeof *ratios);
    for (int i = 0; i < rounds; i++) ratios[i] = plies_per_s(&many[i]) / plies_per_s(&one[i]);
    qsort(ratios, (size_t)rounds, sizeof *ratios, compare_values);
    Record record;
    record_begin(&record, call->out, settings->json);
    record_int(&record, "games", settings->games);
    record_int(&record, "plies", (long long)one->summary.plies);
    record_int(&record, "nodes", (long long)one->summary.nodes);
    record_int(&record, "rounds", rounds);
    record_int(&record, "threads", settings->threads);
    record_real(&record, "plies_per_second", median(one, rounds, plies_per_s), 1);
    record_real(&record, "plies_per_cpu_second", median(one, rounds, plies_per_cpu_s), 1);
    record_real(&record, "search_share", median(one, rounds, search_share), 4);
    record_real(&record, "opening_share", median(one, rounds, opening_share), 4);
    record_real(&record, "threads_plies_per_second", median(many, rounds, plies_per_s), 1);
    record_real(&record, "threads_plies_per_cpu_second", median(many, rounds, plies_per_cpu_s), 1);
    record_real(&record, "threads_search_share", median(many, rounds, search_share), 4);
    record_real(&record, "speedup", (ratios[(rounds - 1) / 2] + ratios[rounds / 2]) / 2, 3);
    record_real(&record, "speedup_min", ratios[0], 3);
    record_real(&record, "speedup_max", ratios[rounds - 1], 3);
    record_int(&record, "worker_memory_kb", (long long)(worker_memory / 1024));
    record_int(&record, "process_memory_kb", (long long)(one->peak_memory / 1024));
    record_end(&record);
    free(ratios);
}

// Resident memory that one worker more takes: from runs of one game a worker.
static Status measure_memory(const SelfplaySpec *spec, uint64_t *worker_memory, Err *err) {
    enum { WORKERS = 9 };
    SelfplaySpec brief = *spec;
    SelfplaySpeed one, many;
    brief.games = (OptionRange){0, WORKERS};
    Status status = selfplay_speed_measure(&brief, 1, &one, err);
    if (status == STATUS_OK) status = selfplay_speed_measure(&brief, WORKERS, &many, err);
    if (status != STATUS_OK) return status;
    const uint64_t more =
        many.peak_memory > one.peak_memory ? many.peak_memory - one.peak_memory : 0;
    *worker_memory = more / (WORKERS - 1);
    return STATUS_OK;
}

static Status measure(const CommandCall *call, const SelfplaySpec *spec, SelfplaySpeed *one,
                      SelfplaySpeed *many, uint64_t *worker_memory, Err *err) {
    const BenchSelfplaySettings *settings = call->settings;
    Progress progress;
    progress_init(&progress, call->err, settings->quiet, "rounds", (uint64_t)settings->rounds);
    Status status = measure_memory(spec, worker_memory, err);
    for (int i = 0; i < settings->rounds && status == STATUS_OK; i++) {
        status = selfplay_speed_measure(spec, 1, &one[i], err);
        if (status == STATUS_OK) {
            status = selfplay_speed_measure(spec, settings->threads, &many[i], err);
        }
        progress_update(&progress, (uint64_t)i + 1, NULL);
        if (status == STATUS_OK && interrupt_requested()) {
            status = err_set(err, STATUS_INTERRUPTED, "interrupted");
        }
    }
    progress_finish(&progress, (uint64_t)settings->rounds, NULL);
    return status;
}

static int run_bench_selfplay(const CommandCall *call) {
    const BenchSelfplaySettings *settings = call->settings;
    const size_t rounds = (size_t)settings->rounds;
    SelfplaySpeed *runs = memory_alloc(2 * rounds, sizeof *runs);
    SelfplaySpec spec;
    PlayThings things = {0};
    Searcher searcher = {.limits = {0}};
    uint64_t worker_memory = 0;
    Err err = {0};
    Status status = fill_spec(call, &spec, &things, &searcher, &err);
    if (status == STATUS_OK) {
        status = measure(call, &spec, runs, runs + rounds, &worker_memory, &err);
    }
    if (status == STATUS_OK) print(call, runs, runs + rounds, worker_memory);
    book_clear(&things.book);
    searcher_clear(&searcher);
    free(runs);
    return status == STATUS_OK ? 0 : command_fail(call, &err);
}

const Command command_bench_selfplay = {
    .name = "bench selfplay",
    .summary = "speed of self-play, its share of searching, what threads bring, memory",
    .usage = "",
    .details =
        "The same games with one thread and with several, in turns, each run in a process of its\n"
        "own; medians. search_share is the time of the workers spent in searches, of moves and of\n"
        "openings (opening_share of it); speedup compares runs that follow each other. Memory is\n"
        "resident: of one worker more, and of the whole process with one.\n\n"
        "paotai bench selfplay --games 400 --rounds 5",
    .rows = bench_selfplay_rows,
    .settings_size = sizeof(BenchSelfplaySettings),
    .min_args = 0,
    .max_args = 0,
    .run = run_bench_selfplay,
};
