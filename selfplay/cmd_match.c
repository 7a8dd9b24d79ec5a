// SPDX-License-Identifier: GPL-3.0-or-later
// paotai match: finds which of two players is stronger, and by how much.
#include "selfplay/contest/match.h"

static const OptionRow match_rows[] = {
    OPT_TEXT("a", MatchOptions, a, "weights=default", "PLAYER",
             "player A, as KEY=VALUE,... (see below)", OPTION_NEUTRAL),
    OPT_TEXT("b", MatchOptions, b, "weights=classic", "PLAYER",
             "player B, as KEY=VALUE,...; if --b is given without weights=, our engine plays with "
             "weights=default",
             OPTION_NEUTRAL),
    OPT_TEXTS("rev", MatchOptions, revs, NULL, "COMMIT",
              "build this revision and let it play; the option must be given twice: the newer "
              "revision plays as A and the other one as B; 'worktree' is the working tree "
              "with its uncommitted changes; --a and --b then add KEY=VALUE pairs to these players",
              OPTION_NEUTRAL),
    OPT_TEXT("repo", MatchOptions, build.repo, ".", "DIR",
             "repository of the revisions; any directory inside it may be given", OPTION_NEUTRAL),
    OPT_TEXT("build", MatchOptions, build.build, "make build/release/paotai", "COMMAND",
             "build each revision with this shell command, which runs in a directory with "
             "the files of the revision",
             OPTION_NEUTRAL),
    OPT_TEXT(
        "binary", MatchOptions, build.binary, "build/release/paotai", "PATH",
        "path of the program that --build makes, relative to the directory in which --build runs",
        OPTION_NEUTRAL),
    OPT_TEXT("rev-cache", MatchOptions, build.cache, "build/revisions", "DIR",
             "keep the programs that were built for --rev in this directory", OPTION_NEUTRAL),
    OPT_FLAG("no-bench", MatchOptions, build.no_bench,
             "with --rev: do not run the command 'bench' of the programs, which shows whether both "
             "search alike",
             OPTION_NEUTRAL),
    OPT_ROW("pairs", OPTION_U64, MatchOptions, pairs, 1, GAMES_MAX / 2, "100", "N",
            "play at most this number of opening pairs, two games each; with --sprt the default is "
            "no limit, or the number of different openings if more pairs would repeat games",
            OPTION_NEUTRAL),
    ROW_SPRT(MatchOptions, elos),
    SPRT_ROWS(MatchOptions, model, sprt),
    CONTEST_ROWS(MatchOptions),
    OPTION_END,
};

static Status run_match(const CommandCall *call, Err *err) {
    const MatchOptions *settings = call->settings;
    LivePage *page;
    TRY(live_page_open(call, settings->contest.page, &page, err));
    return live_page_close(page, match_play(call, page, err), err);
}

const Command command_match = {
    .name = "match",
    .summary = "find which of two players is stronger, with errors and SPRT",
    .usage = "",
    .details =
        "The players play each opening twice, with colours exchanged. All results are from A's "
        "side. The line `pentanomial` has the numbers of pairs with each result, "
        "LL,LD,DD+WL,WD,WW (L loss, D draw, W win of A). The result does not depend on --threads, "
        "unless a player is another program, has a time limit or searches with several threads "
        "(threads=).\n\n"
        "On a terminal the results are a short table. If the output is no terminal, and with "
        "--verbose, they are one line `key value` for each result.\n\n"
        "If the SPRT accepts H1 and E0 (see --sprt) is at least 0, A is stronger, even if the 95 % "
        "interval contains 0, because the SPRT's error is one-sided.\n\n" CONTEST_DEFAULTS_HELP
        "\n\n"
#include "selfplay/engines/player_help.def"
        "\n"
        "paotai match --a weights=build/fitted.txt --b weights=classic --pairs 300 --threads 2\n"
        "paotai match --a weights=new.txt --b weights=old.txt --pairs 5000 --sprt 0,5\n"
        "paotai match --a nodes=5000 --b cmd=fairy-stockfish,st=0.1 --pairs 20 --out build/match\n"
        "paotai match --rev HEAD --rev worktree --a nodes=1000 --b nodes=1000 --sprt 0,5\n"
        "paotai match --rev main --rev HEAD --repo ../engine --build 'make -j' --binary src/engine "
        "--a tc=10+0.1,ponder=yes --b tc=10+0.1",
    .rows = match_rows,
    .settings_size = sizeof(MatchOptions),
    .reads_weights = true,
    .on_ranks = true,
    .run = run_match,
};
