// SPDX-License-Identifier: GPL-3.0-or-later
// paotai bench compare: our perft and search beside those of other programs.
#include "bench/commands.h"
#include "bench/peers/compare_peers.h"
#include "core/base/common_rows.h"

typedef struct CompareSettings {
    int runs, movetime_ms, depth;
    uint64_t max_nodes;
    OptionTexts peers;
    bool json, quiet;
} CompareSettings;

static const OptionRow compare_rows[] = {
    {"runs", OPTION_INT, offsetof(CompareSettings, runs), 1, COMPARE_RUNS_MAX, "5", "N",
     "of each measurement; medians are compared"},
    {"max-nodes", OPTION_U64, offsetof(CompareSettings, max_nodes), 0, 0, "18446744073709551615",
     "N", "leave perft positions with more nodes out"},
    {"movetime", OPTION_INT, offsetof(CompareSettings, movetime_ms), 0, 600000, "500", "MS",
     "of each search; 0: no searches"},
    {"depth", OPTION_INT, offsetof(CompareSettings, depth), 0, 60, "0", "N",
     "plies of each search instead of a time: two revisions of one program; 0: a time"},
    {"peer", OPTION_TEXTS, offsetof(CompareSettings, peers), 0, 0, NULL, "PLAYER",
     "another program (cmd=, profile=, ...) instead of those of Debian; may be repeated"},
    ROW_JSON(CompareSettings),
    ROW_QUIET(CompareSettings),
    OPTION_END,
};

static int run_compare(const CommandCall *call) {
    const CompareSettings *settings = call->settings;
    PlayerSpec peers[OPTION_TEXTS_MAX];
    CompareOptions options = {.runs = settings->runs,
                              .max_nodes = settings->max_nodes,
                              .movetime_ms = settings->movetime_ms,
                              .depth = settings->depth,
                              .peers = peers};
    Err err = {0};
    Status status = STATUS_OK;
    for (int i = 0; i < settings->peers.count && status == STATUS_OK; i++) {
        status = player_spec_parse(settings->peers.texts[i], "--peer", &peers[i], &err);
        if (status != STATUS_OK) break;
        options.peer_count++;
        if (!peers[i].program) {
            status =
                err_set(&err, STATUS_USAGE,
                        "--peer %s: give a program, cmd= or profile=", settings->peers.texts[i]);
        }
    }
    Compare compare = {0};
    Progress progress;
    progress_init(&progress, call->err, settings->quiet, "measurements", 0);
    if (status == STATUS_OK) status = compare_run(&options, &progress, &compare, &err);
    const bool wrong = compare.wrong;
    if (status == STATUS_OK) {
        compare_print(&compare, settings->json, call->out);
        if (compare.absent.length) fprintf(call->err, "not installed: %s\n", compare.absent.data);
        if (compare.program_count == 1) {
            fprintf(call->err, "there is no program to compare with: these are our numbers\n");
        }
    }
    compare_clear(&compare);
    for (int i = 0; i < options.peer_count; i++) player_spec_clear(&peers[i]);
    return status == STATUS_OK ? wrong : command_fail(call, &err);
}

const Command command_bench_compare = {
    .name = "bench compare",
    .summary = "our perft and search speed beside those of other programs",
    .usage = "",
    .details =
        "Every program in turn, run by run: fairy-stockfish, sjaakii and hoixiangqi where they "
        "are\n"
        "installed, or those of --peer. Numbers are millions of nodes in a second of processor "
        "time\n"
        "(median, quartile distance in per cent of it, and how many times ours is faster); one\n"
        "thread each, - where a program cannot, ! where it counts other moves than the rules "
        "allow.\n"
        "All of it takes about seven minutes. bench/compare is the same.\n\n"
        "paotai bench compare --runs 1 --max-nodes 20000000\n"
        "paotai bench compare --peer cmd=fairy-stockfish --movetime 0\n"
        "paotai bench compare --peer cmd=older/paotai,name=older --max-nodes 0 --depth 13",
    .rows = compare_rows,
    .settings_size = sizeof(CompareSettings),
    .min_args = 0,
    .max_args = 0,
    .run = run_compare,
};
