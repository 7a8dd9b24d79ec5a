// SPDX-License-Identifier: GPL-3.0-or-later
// paotai tournament: plays games between many players and prints their results and ratings.
#include <stdlib.h>

#include "core/command/options.h"
#include "selfplay/contest/contest_options.h"
#include "selfplay/contest/contest_report.h"

enum { MOST_PLAYERS = 200 };

typedef struct TournamentSettings {
    int kind, anchor;
    uint64_t rounds;
    double anchor_elo;
    ContestOptions contest;
} TournamentSettings;

static const OptionRow tournament_rows[] = {
    OPT_CHOICE("kind", TournamentSettings, kind, "round-robin", "round-robin|gauntlet",
               "who plays whom; round-robin: all players against each other; gauntlet: the "
               "first player against each of the others"),
    OPT_ROW("rounds", OPTION_U64, TournamentSettings, rounds, 1,
            GAMES_MAX / MOST_PLAYERS / MOST_PLAYERS, "10", "N",
            "number of opening pairs that each two opponents play; a pair is two games with the "
            "same opening",
            OPTION_NEUTRAL),
    OPT_INT("anchor", TournamentSettings, anchor, 1, MOST_PLAYERS, "1", "N",
            "number of the player (1 is the first) whose rating is fixed at --anchor-elo",
            OPTION_NEUTRAL),
    OPT_REAL("anchor-elo", TournamentSettings, anchor_elo, -10000, 10000, "0", "ELO",
             "rating of the player that --anchor selects", OPTION_NEUTRAL),
    CONTEST_ROWS(TournamentSettings),
    OPTION_END,
};

static Status play_tournament(const CommandCall *given, LivePage *page, Err *err) {
    TournamentSettings resolved = *(const TournamentSettings *)given->settings;
    TournamentSettings *settings = &resolved;
    CommandCall own = BORROW(*given), *call = &own;
    // Defaults that depend on the players are written into this copy of the options.
    own.settings = settings;
    AUTO(ContestSpec) spec = {.kind = (ContestKind)settings->kind, .rounds = settings->rounds};
    AUTO(ContestResult) result = {.pairings = NULL};
    TournamentShow show = {.spec = &spec,
                           .page = page,
                           .out = call->out,
                           .json = settings->contest.json,
                           .anchor = settings->anchor - 1,
                           .anchor_elo = settings->anchor_elo};
    if (settings->anchor > call->arg_count) {
        return err_set(err, STATUS_USAGE, "--anchor %d: there are only %d players, numbered from 1",
                       settings->anchor, call->arg_count);
    }
    TRY(contest_options_resolve(call, &settings->contest, call->args, NULL, call->arg_count, &spec,
                                err));
    if (!show.json) contest_print_conditions(call, &spec);
    progress_init(&show.progress, call->err, settings->contest.quiet, "games",
                  contest_games(&spec));
    Status status = contest_options_run(call, &settings->contest, &spec, &show.progress,
                                        tournament_report_game, &show, &result, err);
    progress_finish(&show.progress, result.games, result.interrupted ? "interrupted" : "");
    if (result.games > 0) tournament_page_update(&show, &result);
    status = contest_options_close(call, &settings->contest, &result, status, err);
    if (result.games > 0) {
        Err table = {0};
        const Status printed = tournament_print(&show, &result, &table);
        if (status == STATUS_OK && (status = printed) != STATUS_OK) *err = table;
    }
    if (status == STATUS_OK && result.stopped > 0) {
        status = err_set(
            err, STATUS_ENGINE,
            "%zu of %zu pairings were stopped, because in each a player failed to play in more "
            "than %d games (crash, time forfeit, illegal move or protocol fault)",
            result.stopped, result.pairing_count, CONTEST_MOST_FAULTS);
    }
    return status;
}

static Status run_tournament(const CommandCall *call, Err *err) {
    const TournamentSettings *settings = call->settings;
    LivePage *page;
    TRY(live_page_open(call, settings->contest.page, &page, err));
    return live_page_close(page, play_tournament(call, page, err), err);
}

const Command command_tournament = {
    .name = "tournament",
    .summary = "play games among many players; print ratings with errors",
    .usage = "PLAYER PLAYER...",
    .details =
        "A PLAYER is a list of keys; 'paotai match --help' explains them. In a round all pairings "
        "play the same opening, each twice with colours exchanged. Ratings are maximum likelihood "
        "estimates relative to the anchor; with two players they are the Elo of a match. If one "
        "group of players won all games against another group, the most likely ratings are "
        "infinite. Then one draw is added to each pairing between these groups, and players "
        "outside the anchor's group are marked *. A tournament with --out can be continued after "
        "any end (--resume). " CONTEST_DEFAULTS_HELP "\n\n"
        "paotai tournament weights=default weights=classic cmd=fairy-stockfish,nodes=1000 --rounds "
        "20\n"
        "paotai tournament --kind gauntlet weights=new.txt weights=a.txt weights=b.txt --threads 2",
    .rows = tournament_rows,
    .settings_size = sizeof(TournamentSettings),
    .reads_weights = true,
    .min_args = 2,
    .max_args = MOST_PLAYERS,
    .on_ranks = true,
    .run = run_tournament,
};
