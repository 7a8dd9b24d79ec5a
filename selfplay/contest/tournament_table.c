// SPDX-License-Identifier: GPL-3.0-or-later
#include "selfplay/contest/tournament_table.h"

#include <stdlib.h>

#include "core/base/json.h"
#include "core/base/memory.h"

static void print_pairings(const TournamentTable *table, const Contest *contest,
                           const ContestResult *result) {
    for (size_t i = 0; i < result->pairing_count; i++) {
        const PairingCounts *p = &result->pairings[i];
        const char *why = result->faults[i].why;
        Record record;
        if (table->json) {
            record_begin(&record, table->out, true);
            record_text(&record, "first", contest->players[p->first].spec.name);
            record_text(&record, "second", contest->players[p->second].spec.name);
            record_int(&record, "wins", p->wins);
            record_int(&record, "draws", p->draws);
            record_int(&record, "losses", p->losses);
            if (why[0]) record_text(&record, "stopped", why);
            record_end(&record);
        } else {
            fprintf(table->out, "pairing %s - %s: +%lld =%lld -%lld%s%s\n",
                    contest->players[p->first].spec.name, contest->players[p->second].spec.name,
                    p->wins, p->draws, p->losses, why[0] ? "  stopped: " : "", why);
        }
    }
}

static void print_player(const TournamentTable *table, const Contest *contest,
                         const ContestResult *result, int rank, int who, const Rating *rating) {
    const ContestTally *tally = &result->tallies[who];
    const SideMeans mean = side_means(&tally->side);
    const double share = rating->games ? rating->points / (double)rating->games : 0;
    if (!table->json) {
        fprintf(table->out, "%4d  %-28s %8.1f %8.1f %9.1f %7lld %7.1f%% %9.2f %9.2f %7llu\n", rank,
                contest->players[who].spec.name, rating->elo, rating->error95, rating->points,
                rating->games, 100 * share, mean.depth, mean.ms, (unsigned long long)tally->faults);
        return;
    }
    Record record;
    record_begin(&record, table->out, true);
    record_int(&record, "rank", rank);
    record_text(&record, "name", contest->players[who].spec.name);
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

Status tournament_print(const TournamentTable *table, const Contest *contest,
                        const ContestResult *result, Err *err) {
    const int players = contest->player_count;
    Rating *ratings = memory_alloc((size_t)players, sizeof *ratings);
    int loose = -1;
    print_pairings(table, contest, result);
    const Status status = ratings_fit(result->pairings, result->pairing_count, players,
                                      table->anchor, table->anchor_elo, ratings, &loose, err);
    if (loose >= 0) err_prefix(err, "%s", contest->players[loose].spec.name);
    if (status == STATUS_OK && !table->json) {
        fprintf(table->out, "rank  %-28s %8s %8s %9s %7s %8s %9s %9s %7s\n", "player", "elo",
                "95 %", "points", "games", "score", "depth", "ms/move", "faults");
    }
    bool *shown = memory_alloc((size_t)players, sizeof *shown);
    for (int rank = 1; rank <= players && status == STATUS_OK; rank++) {
        int best = -1;
        for (int i = 0; i < players; i++) {
            if (!shown[i] && (best < 0 || ratings[i].elo > ratings[best].elo)) best = i;
        }
        shown[best] = true;
        print_player(table, contest, result, rank, best, &ratings[best]);
    }
    free(shown);
    free(ratings);
    Record record;
    record_begin(&record, table->out, table->json);
    record_int(&record, "games", (long long)result->games);
    record_end(&record);
    return status;
}
