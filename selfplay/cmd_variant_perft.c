// SPDX-License-Identifier: GPL-3.0-or-later
// paotai variant perft: counts sequences of turns of a game other than xiangqi.
#include "core/base/json.h"
#include "core/system/clock.h"
#include "core/system/in_file.h"
#include "selfplay/variants/variant_command.h"

static const OptionRow perft_rows[] = {
    OPT_INT("depth", VariantSettings, player.limits.depth, 1, 20, "3", "N",
            "depth of the count in plies"),
    VARIANT_START_ROWS,
    OPT_TEXT("suite", VariantSettings, suite, NULL, "FILE",
             "compare the counts with the known counts in this file, which has lines "
             "'fen<TAB>depth<TAB>nodes'"),
    ROW_JSON(VariantSettings),
    OPTION_END,
};

// Compares the count of a row "fen<TAB>depth<TAB>nodes" with the program's count.
static Status check_row(const VariantPlan *plan, char *line, Err *err) {
    const char *fen = text_next_field(&line, '\t'), *depth = text_next_field(&line, '\t');
    const char *known = text_next_field(&line, '\t');
    VariantState state = {.key = 0};
    long long plies;
    uint64_t expected;
    if (!known) {
        return err_set(err, STATUS_BAD_INPUT,
                       "the row '%.40s...' is too short: it must have fen, depth and nodes, "
                       "separated by tabs",
                       fen);
    }
    TRY(parse_int(depth, 0, 20, &plies, "depth", err));
    TRY(parse_u64(known, &expected, "nodes", err));
    TRY(plan->game->read(fen, plan->choice, &state, err));
    const uint64_t nodes = variant_perft(plan->game, &state, (int)plies);
    if (nodes == expected) return STATUS_OK;
    return err_set(err, STATUS_MISMATCH, "nodes %llu, expected %llu: %s", (unsigned long long)nodes,
                   (unsigned long long)expected, fen);
}

static Status check_suite(const CommandCall *call, const VariantPlan *plan, Err *err) {
    const VariantSettings *settings = call->settings;
    LineReader suite;
    int passed = 0, failed = 0;
    TRY(line_reader_open(&suite, settings->suite, err));
    while (line_reader_next_record(&suite)) {
        Err bad = {0};
        if (strncmp(suite.line, "fen\t", 4) == 0) continue; // skip the header line
        if (check_row(plan, suite.line, &bad) == STATUS_OK) {
            passed++;
        } else {
            failed++;
            record_bad_line(call->out, settings->json, suite.number, bad.text);
        }
    }
    TRY(line_reader_close(&suite, err));
    record_row(call->out, settings->json, "{passed}%d passed, {failed}%d failed\n", passed, failed);
    if (passed + failed > 0) return failed ? STATUS_REPORTED : STATUS_OK;
    return err_set(err, STATUS_BAD_INPUT, "%s: the file contains no rows", settings->suite);
}

static Status run_perft(const CommandCall *call, Err *err) {
    const VariantSettings *settings = call->settings;
    const double start = clock_now_s();
    VariantPlan plan;
    TRY(variant_command_plan(call, &plan, err));
    if (settings->suite) {
        TRY(command_refuse(call, "depth fen", "has no effect with --suite", err));
        return check_suite(call, &plan, err);
    }
    const uint64_t nodes = variant_perft(plan.game, &plan.state, settings->player.limits.depth);
    const double seconds = clock_now_s() - start;
    record_row(call->out, settings->json, "nodes {nodes}%llu ms {ms}%.0f nps {nps}%.0f\n",
               (unsigned long long)nodes, seconds * 1e3, (double)nodes / (seconds + 1e-9));
    return STATUS_OK;
}

const Command command_variant_perft = {
    VARIANT_COMMAND,
    .name = "variant perft",
    .summary = "count sequences of turns of another game, or check a suite",
    .details = VARIANT_GAMES
    "A turn that uncovers a piece counts once for each kind of piece that may appear.\n\n"
    "paotai variant perft supply --depth 3\n"
    "paotai variant perft banqi --rules taiwan --suite tests/data/banqi_taiwan.tsv",
    .rows = perft_rows,
    .run = run_perft,
};
