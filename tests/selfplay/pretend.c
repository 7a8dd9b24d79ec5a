// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/selfplay/pretend.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "core/base/memory.h"
#include "core/base/ranks.h"
#include "core/board/attacks.h"
#include "datasets/store/store.h"
#include "selfplay/run/scheduler.h"

enum { PLIES = 120, SHARD_GAMES = 256, STORING = 16 };

typedef struct Pretence {
    uint64_t counters[1]; // games accepted
} Pretence;

static void *worker_new(void *context) {
    return context;
}

// Nothing to free.
static void worker_free(void *worker) {
    (void)worker;
}

// Red's and Black's chariots go forth and back.
static Status pretend(void *context, void *worker, uint64_t index, PlayedGame *played, Err *err) {
    (void)context, (void)worker, (void)err;
    static const char *const moves[] = {"a0a1", "a9a8", "a1a0", "a8a9"};
    if (rank_self() == 0) nanosleep(&(struct timespec){.tv_nsec = 10 * MS_NS}, NULL);
    played->plies = memory_alloc(PLIES, sizeof *played->plies);
    played->capacity = PLIES;
    played->record.index = index;
    position_init_start(&played->record.start);
    played->record.ply_count = played->record.end_ply = PLIES;
    played->record.reason = played->record.end_reason = END_MAX_PLIES;
    for (int i = 0; i < PLIES; i++) {
        played->plies[i] = (PlyRecord){.score_red = 10, .depth = 8, .nodes = 1000};
        played->plies[i].move = move_from_uci(moves[i % 4]);
    }
    return STATUS_OK;
}

static bool accept(void *context, const PlayedGame *played) {
    ((Pretence *)context)->counters[0] += played->record.ply_count > 0;
    return true;
}

static Status play(const char *mode, uint64_t games, uint64_t *accepted) {
    Pretence pretence = {{0}};
    const OptionRange range = {0, games};
    const bool by_games = strcmp(mode, "blocks") != 0;
    char dir[] = "/tmp/paotai-pretend.XXXXXX";
    const bool stored = strcmp(mode, "stored") == 0;
    const GameSource source = {.context = &pretence,
                               .worker_new = worker_new,
                               .worker_free = worker_free,
                               .play = pretend,
                               .accept = accept,
                               .counters = pretence.counters,
                               .counter_count = 1,
                               .records_only = strcmp(mode, "games") == 0};
    Schedule schedule = {.run = {.wanted = &range, .wanted_count = 1, .identity = ""},
                         .threads = rank_self() == 0 && stored ? STORING : 1,
                         .provenance = {.kind = "selfplay",
                                        .command = "pretend",
                                        .rules = "axf",
                                        .weights = "",
                                        .source = "",
                                        .identity = "",
                                        .options = ""},
                         .shard_games = SHARD_GAMES,
                         .gather = by_games};
    if (stored && rank_self() == 0) schedule.run.dir = mkdtemp(dir);
    Run opened;
    Err err = {0};
    Status status = run_open(&schedule.run, &opened, &err);
    if (status == STATUS_OK) status = schedule_play(&schedule, &opened, &source, &err);
    run_close(&opened);
    *accepted = pretence.counters[0];
    if (status != STATUS_OK && status != STATUS_ENDED) fprintf(stderr, "%s\n", err.text);
    return status;
}

static double seconds(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

// The thread that is counted apart serves the other ranks; those that store are others.
static int pretend_command(const char *mode, int argc, char **argv, FILE *out, FILE *err) {
    (void)err;
    uint64_t accepted = 0;
    static const clockid_t clocks[] = {CLOCK_PROCESS_CPUTIME_ID, CLOCK_THREAD_CPUTIME_ID,
                                       CLOCK_MONOTONIC};
    double s[3];
    for (int i = 0; i < 3; i++) s[i] = seconds(clocks[i]);
    if (argc < 1 || play(mode, strtoull(argv[0], NULL, 10), &accepted) != STATUS_OK) return 0;
    for (int i = 0; i < 3; i++) s[i] = seconds(clocks[i]) - s[i];
    fprintf(out,
            "mode %s games %llu rank0_cpu_s %.3f games_per_cpu_s %.0f served_per_cpu_s %.0f "
            "wall_s %.2f\n",
            mode, (unsigned long long)accepted, s[0], (double)accepted / s[0],
            (double)accepted / s[1], s[2]);
    return 0;
}

int pretend_main(int argc, char **argv) {
    if (argc != 2) return 2;
    ranks_start();
    core_init();
    datasets_library_init();
    if (rank_self() > 0) {
        ranks_serve(pretend_command);
        return 0;
    }
    ranks_command_begin(argv[0], false, argc - 1, argv + 1);
    const int status = pretend_command(argv[0], argc - 1, argv + 1, stdout, stderr);
    ranks_command_end();
    return ranks_end(status);
}
