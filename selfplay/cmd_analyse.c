// SPDX-License-Identifier: GPL-3.0-or-later
// paotai analyse: scores and lines of many positions, and suites of tests.
#include "core/base/common_rows.h"
#include "core/base/interrupt.h"
#include "core/base/json.h"
#include "core/base/memory.h"
#include "core/base/progress.h"
#include "core/base/terminal.h"
#include "selfplay/run/analyse.h"

typedef struct AnalyseSettings {
    SearchOptions search;
    AnalyseSpec spec; // what the options below fill of it
    int threads, rules, notation;
    bool json, quiet;
} AnalyseSettings;

static const OptionRow analyse_rows[] = {
    SEARCH_ROWS(AnalyseSettings, search, "100000", "4"),
    OPT_FLAG("static", AnalyseSettings, spec.static_only,
             "the evaluation alone, without a search; with a network its two parts as well"),
    OPT_FLAG("explain", AnalyseSettings, spec.explain,
             "name the tactics of the moves given and of the best line, in lines that begin with "
             "'#'"),
    OPT_INT("multipv", AnalyseSettings, spec.multi_pv, 1, MAX_MULTI_PV, "1", "N",
            "lines of each position, best first"),
    ROW_THREADS(AnalyseSettings),
    RULES_OPTION(AnalyseSettings, rules),
    OPT_CHOICE("notation", AnalyseSettings, notation, "uci", NOTATION_CHOICES,
               "notation of the moves of bm and am"),
    ROW_JSON(AnalyseSettings),
    ROW_QUIET(AnalyseSettings),
    OPTION_END,
};

static Status fill_spec(const CommandCall *call, AnalyseSpec *spec, Searcher *searcher, Err *err) {
    const AnalyseSettings *settings = call->settings;
    *spec = settings->spec;
    spec->searcher = searcher;
    spec->rules = rules_default((RuleSet)settings->rules);
    spec->threads = settings->threads;
    spec->notation = (NotationSystem)settings->notation;
    TRY(searcher_resolve(call, &settings->search, searcher, err));
    if (spec->static_only) {
        return command_refuse(call, "nodes depth movetime multipv player hash rules",
                              "--static searches nothing", err);
    }
    TRY(searcher_refuse_engine(call, searcher, err));
    if (searcher->player.program) {
        return command_refuse(call, "multipv", "another program is asked for its best line", err);
    }
    if (searcher->engine.threads > 1) {
        return err_set(err, STATUS_USAGE, "--player: threads= would make searches differ");
    }
    return memory_check(searcher->engine.hash_mb * settings->threads, err);
}

typedef struct Output {
    const CommandCall *call;
    Progress progress;
    Text text;
    bool failed;
    uint64_t records, tests, solved;
    uint64_t solved_nodes; // to the solutions of the tests that were solved
    int64_t solved_time_ns;
} Output;

static bool print_record(void *context, const Analysis *analysis) {
    Output *output = context;
    const AnalyseSettings *settings = output->call->settings;
    terminal_begin_line(output->call->out);
    if (analysis->status == STATUS_OK) {
        text_reset(&output->text);
        analysis_text(analysis, settings->spec.multi_pv, settings->json, &output->text);
        fputs(text_get(&output->text), output->call->out);
    } else {
        output->failed = true;
        record_bad_line(output->call->out, settings->json, analysis->line, analysis->err.text);
    }
    output->tests += analysis->is_test;
    if (analysis->is_test && analysis->solved) {
        output->solved++;
        output->solved_nodes += analysis->solved_nodes;
        output->solved_time_ns += analysis->solved_time_ns;
    }
    progress_update(&output->progress, ++output->records, NULL);
    fflush(output->call->out);
    return !interrupt_requested();
}

static Status run_analyse(const CommandCall *call, Err *err) {
    const AnalyseSettings *settings = call->settings;
    AnalyseSpec spec;
    AUTO(Searcher) searcher = {.weights = NULL};
    LineReader reader;
    Output output = {.call = call};
    const char *path = call->arg_count ? call->args[0] : NULL;
    TRY(fill_spec(call, &spec, &searcher, err));
    if (line_reader_open(&reader, path, err) != STATUS_OK) {
        Position position;
        if (!path || position_from_fen(&position, path, NULL) != STATUS_OK) return err->status;
        return err_set(err, STATUS_USAGE,
                       "'%s' is a position, not a file: positions come by standard input, "
                       "echo 'FEN' | paotai analyse",
                       path);
    }
    progress_init(&output.progress, call->err, settings->quiet, "positions", 0);
    analyse_lines(&spec, &reader, print_record, &output);
    progress_finish(&output.progress, output.records, NULL);
    text_clear(&output.text);
    TRY(line_reader_close(&reader, err));
    const double ms = (double)output.solved_time_ns * 1e-6;
    if (output.tests && settings->json) {
        record_print(call->out, true, "solved %lu tests %lu solved_ms %.1f solved_nodes %lu",
                     output.solved, output.tests, ms, output.solved_nodes);
    } else if (output.tests) {
        fprintf(call->out, "to the solutions: %.1f ms, %lu nodes\nsolved %lu of %lu\n", ms,
                output.solved_nodes, output.solved, output.tests);
    }
    return output.failed ? STATUS_REPORTED : STATUS_OK;
}

const Command command_analyse = {
    .name = "analyse",
    .summary = "score many positions, with best lines; solve suites of test positions",
    .usage = "[FILE]",
    .details =
        "Each line of FILE or of standard input is a FEN, with coordinate "
        "moves after a tab if any. The answer, in the order of the input, is the score from Red's "
        "side in units (100 is a soldier of the classic table) or 'mate N', the depth, and the "
        "line, separated by tabs. Each search begins with an empty table, so that threads change "
        "no answer. Another program gets a new game for each position; its answer is its last "
        "word.\n\n"
        "EPD lines with the operations bm or am (best moves, moves to avoid; each ends with a "
        "semicolon) are tests: 'solved' or 'failed' follows, with the milliseconds and nodes after "
        "which the answer was right and stayed so; the last lines sum them up.\n\n"
#define TACTIC(id, name, meaning) "  " name ": " meaning "\n"
        "Tactics that --explain names:\n"
#include "core/rules/tactics.def"
        "\n"
        "paotai analyse --nodes 100000 --threads 2 positions.txt\n"
        "paotai analyse --movetime 1000 --notation wxf suite.epd\n"
        "paotai analyse --player cmd=fairy-stockfish,depth=12 positions.txt",
    .rows = analyse_rows,
    .settings_size = sizeof(AnalyseSettings),
    .reads_weights = true,
    .max_args = 1,
    .run = run_analyse,
};
