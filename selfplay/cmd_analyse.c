// SPDX-License-Identifier: GPL-3.0-or-later
// paotai analyse: prints scores and best lines of positions, and runs suites of test positions.
#include "core/base/memory.h"
#include "core/board/record_input.h"
#include "core/command/common_rows.h"
#include "core/command/progress.h"
#include "core/rules/rules_options.h"
#include "core/system/interrupt.h"
#include "selfplay/analysis/analyse_output.h"
#include "selfplay/analysis/review_output.h"

typedef struct AnalyseSettings {
    SearchOptions search;
    AnalyseSpec spec; // command-line options are stored directly in some members
    int threads, rules, notation;
    bool json, quiet, review;
    const char *page;
} AnalyseSettings;

static const OptionRow analyse_rows[] = {
    SEARCH_ROWS(AnalyseSettings, search, "best", "100000", "4"),
    OPT_FLAG("static", AnalyseSettings, spec.static_only,
             "print the static evaluation instead of searching; with a network, also print the "
             "two parts of the evaluation, linear and network"),
    OPT_FLAG("explain", AnalyseSettings, spec.explain,
             "print the tactics in the given moves and in the best line, on lines that begin "
             "with '#'"),
    OPT_INT("multipv", AnalyseSettings, spec.multi_pv, 1, MAX_MULTI_PV, "1", "N",
            "print this number of best lines for each position, the best one first"),
    OPT_FLAG("review", AnalyseSettings, review,
             "review the games of FILE (a run, or a file in any format that 'data import' "
             "reads): print what each move lost, and the best line"),
    OPT_TEXT("page", AnalyseSettings, page, NULL, "FILE",
             "with --review: also write the games to this HTML page, with a graph of the "
             "expected points and with marks in the list of moves"),
    ROW_THREADS_PLAYERS(AnalyseSettings),
    RULES_OPTION(AnalyseSettings, rules),
    OPT_CHOICE("notation", AnalyseSettings, notation, "uci", NOTATION_CHOICES,
               "notation of the moves in the EPD operations bm and am"),
    ROW_JSON(AnalyseSettings),
    ROW_QUIET(AnalyseSettings),
    OPTION_END,
};

static Status fill_spec(const CommandCall *call, AnalyseSpec *spec, PlayerSetup *player, Err *err) {
    const AnalyseSettings *settings = call->settings;
    *spec = settings->spec;
    spec->player = player;
    spec->rules = rules_default((RuleSet)settings->rules);
    spec->threads = settings->threads;
    spec->notation = (NotationSystem)settings->notation;
    TRY(player_setup_resolve_judge(call, &settings->search, player, err));
    if (spec->static_only) {
        return command_refuse(call, "nodes depth movetime multipv player hash rules",
                              "has no effect, because --static does not search", err);
    }
    TRY(player_setup_refuse_engine(call, player, err));
    if (player->spec.program) {
        return command_refuse(
            call, "multipv",
            "not possible, because a program in --player reports only its best line", err);
    }
    if (player->threads > 1) {
        return err_set(
            err, STATUS_USAGE,
            "--player: results of searches with several threads cannot be reproduced; omit "
            "threads=");
    }
    return memory_check_threads(player->hash_mb, settings->threads, err);
}

static Status review(const CommandCall *call, PlayerSetup *player, const AnalyseSpec *spec,
                     Err *err) {
    const AnalyseSettings *settings = call->settings;
    const ReviewOutput output = {.out = call->out, .json = settings->json, .page = settings->page};
    ReviewSpec games = {.path = call->arg_count ? call->args[0] : NULL,
                        .player = player,
                        .rules = spec->rules,
                        .threads = spec->threads};
    Progress progress;
    TRY(command_refuse_change(
        call, "static explain multipv notation",
        "has an effect only on positions, not on games; omit it with --review", err));
    player->stop = interrupt_flag();
    progress_init(&progress, call->err, settings->quiet, "moves", 0);
    return review_write(&games, &output, &progress, err);
}

static Status run_analyse(const CommandCall *call, Err *err) {
    const AnalyseSettings *settings = call->settings;
    AnalyseSpec spec;
    AUTO(PlayerSetup) player = {.weights = NULL};
    const char *path = call->arg_count ? call->args[0] : NULL;
    Progress progress;
    TRY(fill_spec(call, &spec, &player, err));
    TRY(record_input_begin(call, "FEN", err));
    if (settings->review) return review(call, &player, &spec, err);
    TRY(command_refuse(call, "page", "has an effect only with --review", err));
    progress_init(&progress, call->err, settings->quiet, "positions", 0);
    return analyse_write(&spec, path, settings->json, call->out, settings->quiet ? NULL : call->err,
                         &progress, err);
}

const Command command_analyse = {
    .name = "analyse",
    .summary = "print scores and best lines of positions, or review games",
    .usage = "[FILE]",
    .details =
        "Each line of FILE or standard input is a FEN, optionally with coordinate moves "
        "after a tab. If the FEN does not state the side to move, Red moves. For each line the "
        "command prints the score from Red's side in units "
        "(100 is a soldier of the classic table) or 'mate N' (moves; above 0 if Red mates), "
        "the depth and the best line, "
        "separated by tabs. Each search begins with an empty transposition table, so without "
        "a limit of time scores and lines do not depend on --threads. The default evaluation is "
        "`best`, as in UCI "
        "mode; `--weights default` selects the linear evaluation. A program in --player "
        "gets a new game for each position; the result is the last score and line that it "
        "prints.\n\nEPD lines "
        "with the operations bm (best moves) or am (moves to avoid), each ended by a "
        "semicolon, are tests. The output of a solved test ends with 'solved' and the milliseconds "
        "and nodes after which the search found a correct best move and kept it. Otherwise it ends "
        "with 'failed' and the milliseconds and nodes of the whole search. The last lines are "
        "the totals.\n\nWith --review, FILE is a run, a shard, or a "
        "file of games of any format that 'data import' reads. Each move has a line: game, "
        "ply, move, loss, mark and best line, separated by tabs. The loss is the number of "
        "expected points that the move lost. The expected points of a score are 1 / (1 + "
        "exp(-K score)), where K comes from the fit of the weights. The mark tells how bad the "
        "move is. The marks, each followed by its smallest loss in expected points, are "
#define REVIEW_MARK(id, name, from) "'" name "' " #from ", "
    REVIEW_MARKS(REVIEW_MARK)
#undef REVIEW_MARK
        "where '-' means no mark. The opening, if the run or {book} in the PGN says which moves it "
        "has, "
        "is not reviewed: the players did not choose these moves. If the loss is at least that of "
        "an inaccuracy, further searches "
        "compare the move with the best move and correct the loss. The last line of a "
        "game begins with '#' and has the accuracy of both sides. This is the mean over its moves "
        "of a percentage that is 100 for a loss of 0, 64 for 0.1 and 40 for 0.2. A game is "
        "searched from its end to its beginning by one thread with one transposition table.\n\n"
#define TACTIC(id, name, meaning) "  " name ": " meaning "\n"
        "Tactics that --explain prints:\n"
#include "core/rules/tactics.def"
        "\n"
        "paotai analyse --nodes 100000 --threads 2 positions.txt\n"
        "paotai analyse --movetime 1000 --notation wxf suite.epd\n"
        "paotai analyse --player cmd=fairy-stockfish,depth=12 positions.txt\n"
        "paotai analyse --review --threads 2 --page review.html games.pgn",
    .rows = analyse_rows,
    .settings_size = sizeof(AnalyseSettings),
    .reads_weights = true,
    .max_args = -1, // record_input_begin() checks them
    .run = run_analyse,
};
