// SPDX-License-Identifier: GPL-3.0-or-later
// paotai perft: counts legal move sequences, or checks a suite of known counts.
#include "bench/perft/perft.h"
#include "core/base/json.h"
#include "core/base/memory.h"
#include "core/command/options.h"
#include "core/system/clock.h"
#include "core/system/in_file.h"
#include "core/system/interrupt.h"
#include "core/system/terminal.h"

typedef struct PerftSettings {
    int depth;
    const char *fen;
    PerftOptions options;
    bool divide;
    const char *suite;
    uint64_t max_nodes;
    bool json, quiet;
} PerftSettings;

static const OptionRow perft_rows[] = {
    OPT_INT("depth", PerftSettings, depth, 1, 20, "5", "N", "depth of the count in plies",
            OPTION_BARE),
    OPT_TEXT("fen", PerftSettings, fen, START_FEN, "FEN",
             "position in which the counted move sequences begin"),
    OPT_INT("threads", PerftSettings, options.threads, 1, 1024, "1", "N",
            "number of threads that share the work"),
    OPT_INT("hash", PerftSettings, options.hash_mb, 0, 1048576, "0", "MB",
            "size in megabytes of the hash table that stores the counts of positions; 0: no hash "
            "table"),
    OPT_FLAG("divide", PerftSettings, divide, "also print the count of each first move"),
    OPT_TEXT("suite", PerftSettings, suite, NULL, "FILE",
             "compare the counts with the known counts in a file; each line has FEN, depth and "
             "number of nodes, separated by tabs"),
    OPT_U64("max-nodes", PerftSettings, max_nodes, "all", "N",
            "check only lines of the --suite file whose known count is at most N"),
    OPT_FLAG("json", PerftSettings, json, "print one JSON object per line"),
    OPT_FLAG("quiet", PerftSettings, quiet,
             "print no progress line, and no note about skipped lines of the --suite file"),
    OPTION_END,
};

static Status interrupted(Err *err) {
    return err_set(err, STATUS_INTERRUPTED, "interrupted: the count is not complete");
}

static Status run_position(const CommandCall *call, Perft *perft, Err *err) {
    const PerftSettings *settings = call->settings;
    Position position;
    if (position_from_fen(&position, settings->fen, err) != STATUS_OK) return err_usage(err, "fen");
    Progress progress;
    progress_init(&progress, call->err, settings->quiet, "subtrees", 0);
    const double start = clock_now_s();
    MoveList moves;
    uint64_t counts[MAX_MOVES], nodes = 0;
    const bool complete =
        perft_divide(perft, &position, settings->depth, &progress, &moves, counts);
    const double seconds = clock_now_s() - start;
    if (!complete) return interrupted(err);
    for (int i = 0; i < moves.count; i++) {
        char text[5];
        if (counts[i] > PERFT_OVERFLOW - nodes || counts[i] == PERFT_OVERFLOW) {
            return err_set(err, STATUS_BAD_INPUT,
                           "--depth %d: the count does not fit into 64 bits; give a smaller depth",
                           settings->depth);
        }
        nodes += counts[i];
        if (!settings->divide) continue;
        move_to_uci(moves.moves[i], text);
        record_row(call->out, settings->json, "{move}%s {nodes}%llu\n", text,
                   (unsigned long long)counts[i]);
    }
    record_row(call->out, settings->json, "nodes {nodes}%llu ms {ms}%.0f nps {nps}%.0f\n",
               (unsigned long long)nodes, seconds * 1e3,
               (double)nodes / (seconds > 1e-9 ? seconds : 1e-9));
    return STATUS_OK;
}

// Prints a row of the suite if its count is wrong or the row is invalid; with --json prints every
// row. `nodes` is the count of this program.
static void print_row(const CommandCall *call, const PerftRow *row, uint64_t nodes) {
    const bool json = ((const PerftSettings *)call->settings)->json;
    const bool bad = row->err.status != STATUS_OK, good = nodes == row->nodes;
    if (bad || json || !good) terminal_begin_line(call->out);
    if (bad) {
        record_bad_line(call->out, json, row->line, row->err.text);
    } else if (json || !good) {
        record_row(call->out, json,
                   "FAIL line {line}%zu: {!result}%sdepth {depth}%d gives {nodes}%llu, expected "
                   "{expected}%llu: %s\n",
                   row->line, good ? "passed" : "failed", row->depth, (unsigned long long)nodes,
                   (unsigned long long)row->nodes, row->fen);
    }
}

static Status run_suite(const CommandCall *call, Perft *perft, Err *err) {
    const PerftSettings *settings = call->settings;
    LineReader suite;
    PerftRow row;
    int passed = 0, failed = 0, skipped = 0;
    TRY(line_reader_open(&suite, settings->suite, err));
    Progress progress;
    progress_init(&progress, call->err, settings->quiet, "rows", 0);
    while (!interrupt_requested() && perft_read_row(&suite, &row)) {
        uint64_t nodes = 0;
        const bool bad = row.err.status != STATUS_OK;
        if (!bad && row.nodes > settings->max_nodes) {
            skipped++;
            continue;
        }
        if (!bad && !perft_count(perft, &row.position, row.depth, NULL, &nodes)) break;
        print_row(call, &row, nodes);
        *(!bad && nodes == row.nodes ? &passed : &failed) += 1;
        progress_update(&progress, (uint64_t)(passed + failed), NULL);
    }
    TRY(line_reader_close(&suite, err));
    if (interrupt_requested()) return interrupted(err);
    if (skipped && !settings->quiet) {
        fprintf(call->err, "%d rows were skipped, because their counts exceed --max-nodes\n",
                skipped);
    }
    record_row(call->out, settings->json, "{passed}%d passed, {failed}%d failed{!skipped}%d\n",
               passed, failed, skipped);
    if (passed + failed + skipped == 0) {
        return err_set(err, STATUS_BAD_INPUT,
                       "%s has no rows (fen, depth, nodes, separated by tabs)", settings->suite);
    }
    return failed ? STATUS_REPORTED : STATUS_OK;
}

static Status run_perft(const CommandCall *call, Err *err) {
    const PerftSettings *settings = call->settings;
    TRY(settings->suite
            ? command_refuse(call, "depth fen divide", "has no effect with --suite", err)
            : command_refuse(call, "max-nodes", "has an effect only with --suite", err));
    TRY(memory_check(settings->options.hash_mb, err));
    AUTO_POINTER(Perft) perft = perft_new(&settings->options);
    return settings->suite ? run_suite(call, perft, err) : run_position(call, perft, err);
}

const Command command_perft = {
    .name = "perft",
    .summary = "count legal move sequences, or check a suite of known counts",
    .usage = "[DEPTH]",
    .details = "perft uses the move generator of the engine. It counts the moves of the last ply "
               "without making them.\n\n"
               "paotai perft 6 --threads 2\n"
               "paotai perft --suite tests/data/perft.tsv --max-nodes 10000000",
    .rows = perft_rows,
    .settings_size = sizeof(PerftSettings),
    .run = run_perft,
};
