// SPDX-License-Identifier: GPL-3.0-or-later
// paotai tournament: many players, a table of results, ratings with errors.
#include <stdlib.h>
#include <string.h>

#include "core/base/json.h"
#include "core/base/memory.h"
#include "selfplay/commands.h"
#include "selfplay/contest/contest_options.h"
#include "selfplay/contest/contest_pgn.h"
#include "selfplay/contest/tournament.h"

enum { MOST_PLAYERS = 200 };

typedef struct TournamentSettings {
    int kind, anchor;
    uint64_t rounds;
    double anchor_elo;
    ContestOptions contest;
} TournamentSettings;

static const OptionRow tournament_rows[] = {
    OPT_CHOICE("kind", TournamentSettings, kind, "round-robin", "round-robin|gauntlet",
               "everybody against everybody, or the first player against each other one"),
    OPT_U64("rounds", TournamentSettings, rounds, "10", "N",
            "opening pairs of each pairing: twice as many games", OPTION_NEUTRAL),
    OPT_INT("anchor", TournamentSettings, anchor, 1, MOST_PLAYERS, "1", "N",
            "the player whose rating is given", OPTION_NEUTRAL),
    OPT_REAL("anchor-elo", TournamentSettings, anchor_elo, -10000, 10000, "0", "ELO", "that rating",
             OPTION_NEUTRAL),
    CONTEST_ROWS(TournamentSettings),
    OPTION_END,
};

static Status fill_spec(const CommandCall *call, TournamentSpec *spec, PlayThings *things,
                        Err *err) {
    const TournamentSettings *settings = call->settings;
    spec->kind = (TournamentKind)settings->kind;
    spec->rounds = settings->rounds;
    spec->threads = settings->contest.threads;
    spec->out = settings->contest.out;
    spec->shard_games = (uint64_t)settings->contest.shard_games;
    if (settings->rounds == 0 || settings->rounds > GAMES_MAX / MOST_PLAYERS / MOST_PLAYERS) {
        return err_set(err, STATUS_USAGE, "--rounds: from 1 to %llu",
                       GAMES_MAX / MOST_PLAYERS / MOST_PLAYERS);
    }
    if (settings->anchor > call->arg_count) {
        return err_set(err, STATUS_USAGE, "--anchor %d: there are %d players", settings->anchor,
                       call->arg_count);
    }
    const char *whats[MOST_PLAYERS];
    char numbers[MOST_PLAYERS][16];
    for (int i = 0; i < call->arg_count; i++) {
        snprintf(numbers[i], sizeof numbers[i], "player %d", (i + 1) % 1000);
        whats[i] = numbers[i];
    }
    return contest_options_resolve(call, &settings->contest, call->args, whats, call->arg_count,
                                   things, &spec->contest, err);
}

static void show_game(void *context, const TournamentResult *result) {
    progress_update(context, result->games - result->already, NULL);
}

// ---- the table
// -------------------------------------------------------------------------------------

static void print_pairings(const CommandCall *call, const TournamentSpec *spec,
                           const TournamentResult *result) {
    const TournamentSettings *settings = call->settings;
    for (size_t i = 0; i < result->pairing_count; i++) {
        const PairingCounts *p = &result->pairings[i];
        const char *why = result->faults[i].why;
        Record record;
        if (settings->contest.json) {
            record_begin(&record, call->out, true);
            record_text(&record, "first", spec->contest.players[p->first].spec.name);
            record_text(&record, "second", spec->contest.players[p->second].spec.name);
            record_int(&record, "wins", p->wins);
            record_int(&record, "draws", p->draws);
            record_int(&record, "losses", p->losses);
            if (why[0]) record_text(&record, "stopped", why);
            record_end(&record);
        } else {
            fprintf(call->out, "pairing %s - %s: +%lld =%lld -%lld%s%s\n",
                    spec->contest.players[p->first].spec.name,
                    spec->contest.players[p->second].spec.name, p->wins, p->draws, p->losses,
                    why[0] ? "  stopped: " : "", why);
        }
    }
}

static void print_player(const CommandCall *call, const TournamentSpec *spec,
                         const TournamentResult *result, int rank, int who, const Rating *rating) {
    const TournamentSettings *settings = call->settings;
    const ContestTally *tally = &result->tallies[who];
    const SideMeans mean = side_means(&tally->side);
    const double share = rating->games ? rating->points / (double)rating->games : 0;
    if (!settings->contest.json) {
        fprintf(call->out, "%4d  %-28s %8.1f %8.1f %9.1f %7lld %7.1f%% %9.2f %9.2f %7llu\n", rank,
                spec->contest.players[who].spec.name, rating->elo, rating->error95, rating->points,
                rating->games, 100 * share, mean.depth, mean.ms, (unsigned long long)tally->faults);
        return;
    }
    Record record;
    record_begin(&record, call->out, true);
    record_int(&record, "rank", rank);
    record_text(&record, "name", spec->contest.players[who].spec.name);
    record_real(&record, "elo", rating->elo, 1);
    record_real(&record, "elo_error95", rating->error95, 1);
    record_real(&record, "points", rating->points, 1);
    record_int(&record, "games", rating->games);
    record_real(&record, "score", share, 4);
    record_real(&record, "depth", mean.depth, 2);
    side_time_record(&record, "ms_per_move", &tally->side);
    record_int(&record, "faults", (long long)tally->faults);
    record_int(&record, "claims", (long long)tally->claims);
    record_end(&record);
}

static Status print_table(const CommandCall *call, const TournamentSpec *spec,
                          const TournamentResult *result, Err *err) {
    const TournamentSettings *settings = call->settings;
    const int players = spec->contest.player_count;
    Rating *ratings = memory_alloc((size_t)players, sizeof *ratings);
    int loose = -1;
    print_pairings(call, spec, result);
    const Status status =
        ratings_fit(result->pairings, result->pairing_count, players, settings->anchor - 1,
                    settings->anchor_elo, ratings, &loose, err);
    if (loose >= 0) err_prefix(err, "%s", spec->contest.players[loose].spec.name);
    if (status == STATUS_OK && !settings->contest.json) {
        fprintf(call->out, "rank  %-28s %8s %8s %9s %7s %8s %9s %9s %7s\n", "player", "elo", "95 %",
                "points", "games", "score", "depth", "ms/move", "faults");
    }
    bool *shown = memory_alloc((size_t)players, sizeof *shown);
    for (int rank = 1; rank <= players && status == STATUS_OK; rank++) {
        int best = -1;
        for (int i = 0; i < players; i++) {
            if (!shown[i] && (best < 0 || ratings[i].elo > ratings[best].elo)) best = i;
        }
        shown[best] = true;
        print_player(call, spec, result, rank, best, &ratings[best]);
    }
    free(shown);
    free(ratings);
    Record record;
    record_begin(&record, call->out, settings->contest.json);
    record_int(&record, "games", (long long)result->games);
    record_end(&record);
    return status;
}

static Status play_tournament(const CommandCall *call, TournamentSpec *spec,
                              const PlayThings *things, TournamentResult *result, Err *err) {
    const TournamentSettings *settings = call->settings;
    ContestPapers papers;
    const OptionRange games = {0, tournament_games(spec)};
    Status status =
        contest_papers(call, &settings->contest, &spec->contest, things, games, &papers, err);
    if (status == STATUS_OK) {
        status = contest_options_pgn(call, &settings->contest, &spec->contest, err);
    }
    if (status == STATUS_OK) {
        spec->provenance = papers.provenance;
        contest_options_warn_repeats(call, &spec->contest, spec->rounds, "rounds");
        Progress progress;
        progress_init(&progress, call->err, settings->contest.quiet, "games", games.end);
        contest_options_tell(&spec->contest, &progress);
        status = tournament_run(spec, show_game, &progress, result, err);
        progress_finish(&progress, result->games, result->interrupted ? "interrupted" : "");
        contest_options_close(call, &settings->contest, result->reasons, result->games,
                              result->interrupted);
        const Status closed =
            contest_pgn_close(spec->contest.pgn, status == STATUS_OK ? err : NULL);
        if (status == STATUS_OK) status = closed;
    }
    contest_papers_clear(&papers);
    return status;
}

static int run_tournament(const CommandCall *call) {
    Err err = {0};
    TournamentSpec spec = {.rounds = 0};
    PlayThings things = {0};
    TournamentResult result = {.pairings = NULL};
    Status status = fill_spec(call, &spec, &things, &err);
    if (status == STATUS_OK) status = play_tournament(call, &spec, &things, &result, &err);
    if (result.games > 0) {
        Err table = {0};
        const Status printed = print_table(call, &spec, &result, &table);
        if (status == STATUS_OK && (status = printed) != STATUS_OK) err = table;
    }
    if (status == STATUS_OK && result.stopped > 0) {
        status = err_set(&err, STATUS_ENGINE, "%zu of %zu pairings were stopped (--most-faults)",
                         result.stopped, result.pairing_count);
    }
    const bool interrupted = result.interrupted;
    tournament_clear(&result);
    contest_clear(&spec.contest);
    book_clear(&things.book);
    if (status != STATUS_OK) return command_fail(call, &err);
    return interrupted ? 1 : 0;
}

const Command command_tournament = {
    .name = "tournament",
    .summary = "many players, a table of results, ratings with errors",
    .usage = "PLAYER PLAYER...",
    .details = CONTEST_PLAYER_HELP
    " In a round every pairing plays the same opening, both ways. Ratings are by maximum\n"
    "likelihood against the anchor. With --out the tournament goes on after any end (--resume).\n\n"
    "paotai tournament weights=default weights=classic cmd=fairy-stockfish,nodes=1000 --rounds 20\n"
    "paotai tournament --kind gauntlet weights=new.txt weights=a.txt weights=b.txt --threads 2",
    .rows = tournament_rows,
    .settings_size = sizeof(TournamentSettings),
    .min_args = 2,
    .max_args = MOST_PLAYERS,
    .run = run_tournament,
};
