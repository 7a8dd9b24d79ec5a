// SPDX-License-Identifier: GPL-3.0-or-later
// paotai perft: counts legal move sequences, or checks a suite of known counts.
#include <string.h>

#include "bench/commands.h"
#include "bench/perft.h"
#include "core/base/clock.h"

typedef struct PerftSettings {
    int depth;
    const char *fen;
    bool divide;
    const char *suite;
    uint64_t max_nodes;
} PerftSettings;

static const OptionRow perft_rows[] = {
    {"depth", OPTION_INT, offsetof(PerftSettings, depth), 1, 20, "5", "N", "plies to count"},
    {"fen", OPTION_TEXT, offsetof(PerftSettings, fen), 0, 0, START_FEN, "FEN", "position to count from"},
    {"divide", OPTION_FLAG, offsetof(PerftSettings, divide), 0, 0, NULL, NULL, "the count of each first move"},
    {"suite", OPTION_TEXT, offsetof(PerftSettings, suite), 0, 0, NULL, "FILE", "check the known counts of a file (fen, depth, nodes)"},
    {"max-nodes", OPTION_U64, offsetof(PerftSettings, max_nodes), 0, 0, "18446744073709551615", "N", "skip rows of the suite with more nodes"},
    OPTION_END,
};

static int run_suite(const CommandCall *call, const PerftSettings *settings) {
    LineReader reader;
    Err err = {0};
    if (line_reader_open(&reader, settings->suite, &err) != STATUS_OK) return command_fail(call, &err);
    unsigned passed = 0, failed = 0, skipped = 0;
    while (line_reader_next_record(&reader)) {
        if (reader.number == 1 && strncmp(reader.line, "fen\t", 4) == 0) continue;
        char *cursor = reader.line;
        const char *fen = text_next_field(&cursor, '\t');
        const char *depth_text = text_next_field(&cursor, '\t');
        const char *nodes_text = text_next_field(&cursor, '\t');
        Position position;
        long long depth = 0;
        uint64_t expected = 0;
        Status status = depth_text && nodes_text
                            ? STATUS_OK
                            : err_set(&err, STATUS_BAD_INPUT, "want fen, depth and nodes, separated by tabs");
        if (status == STATUS_OK) status = position_from_fen(&position, fen, &err);
        if (status == STATUS_OK) status = parse_int(depth_text, 1, 20, &depth, "depth", &err);
        if (status == STATUS_OK) status = parse_u64(nodes_text, &expected, "nodes", &err);
        if (status != STATUS_OK) {
            fprintf(call->out, "error\tline %zu: %s\n", reader.number, err.text);
            failed++;
            continue;
        }
        if (expected > settings->max_nodes) {
            skipped++;
            continue;
        }
        const uint64_t nodes = perft_count(&position, (int)depth);
        if (nodes == expected) {
            passed++;
        } else {
            fprintf(call->out, "FAIL line %zu: depth %lld gives %llu, expected %llu: %s\n", reader.number,
                    depth, (unsigned long long)nodes, (unsigned long long)expected, fen);
            failed++;
        }
    }
    const Status status = line_reader_close(&reader, &err);
    if (status != STATUS_OK) return command_fail(call, &err);
    if (skipped) fprintf(call->err, "%u rows over --max-nodes skipped\n", skipped);
    fprintf(call->out, "%u passed, %u failed\n", passed, failed);
    return failed ? 1 : 0;
}

static int run_perft(const CommandCall *call) {
    const PerftSettings *settings = call->settings;
    if (settings->suite) return run_suite(call, settings);
    Position position;
    Err err = {0};
    if (position_from_fen(&position, settings->fen, &err) != STATUS_OK) {
        err_prefix(&err, "--fen");
        err.status = STATUS_USAGE;
        return command_fail(call, &err);
    }
    const double start = clock_now_s();
    uint64_t nodes = 0;
    if (settings->divide) {
        MoveList list;
        position_legal_moves(&position, &list);
        for (int i = 0; i < list.count; i++) {
            Position after;
            char text[5];
            position_do_move(&position, list.moves[i], &after);
            const uint64_t below = perft_count(&after, settings->depth - 1);
            move_to_uci(list.moves[i], text);
            fprintf(call->out, "%s %llu\n", text, (unsigned long long)below);
            nodes += below;
        }
    } else {
        nodes = perft_count(&position, settings->depth);
    }
    const double seconds = clock_now_s() - start;
    fprintf(call->out, "nodes %llu ms %.0f nps %.0f\n", (unsigned long long)nodes, seconds * 1e3,
            (double)nodes / (seconds > 1e-9 ? seconds : 1e-9));
    return 0;
}

const Command command_perft = {
    .name = "perft",
    .summary = "count legal move sequences, or check a suite of known counts",
    .usage = "",
    .details = "paotai perft --depth 5\n"
               "paotai perft --suite tests/data/perft.tsv --max-nodes 10000000",
    .rows = perft_rows,
    .settings_size = sizeof(PerftSettings),
    .min_args = 0,
    .max_args = 0,
    .run = run_perft,
};
