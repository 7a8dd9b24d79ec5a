// SPDX-License-Identifier: GPL-3.0-or-later
#include "selfplay/contest/match_report.h"

#include <math.h>

// How many pairs the test may still take: as the ratio has gone so far, and not beyond the last
// one.
static double pairs_to_go(const MatchShow *show, const ContestResult *result) {
    const double pairs = (double)match_counts_pairs(&result->counts);
    const double left = (double)show->spec->rounds - pairs, llr = result->sprt.llr;
    if (!show->spec->has_sprt || llr == 0) return left;
    const double bound = llr > 0 ? result->sprt.upper : result->sprt.lower;
    const double more = pairs * (bound / llr - 1);
    return more < left ? more : left;
}

static void add_side(Text *table, char letter, const ContestPlayer *player,
                     const ContestTally *counted) {
    const SideMeans mean = side_means(&counted->side);
    text_add(table, "%c       %-18.18s depth %4.1f  %8.1f ms/move  faults %llu  %.0f nodes/move\n",
             letter, player->spec.name, mean.depth, mean.ms, (unsigned long long)counted->faults,
             mean.nodes);
}

static void make_table(const MatchShow *show, const ContestResult *result, const Strength *strength,
                       Text *table) {
    const MatchCounts *counts = &result->counts;
    const long long *penta = counts->penta;
    const double games = (double)match_counts_games(counts);
    text_add(table,
             "pairs   LL %lld  LD %lld  DD+WL %lld  WD %lld  WW %lld    games +%lld =%lld -%lld\n",
             penta[0], penta[1], penta[2], penta[3], penta[4], counts->wins, counts->draws,
             counts->losses);
    text_add(table, "elo     %+.1f +- %.1f   nelo %+.1f +- %.1f   los %.1f %%\n", strength->elo,
             strength->elo_error95, strength->nelo, strength->nelo_error95, 100 * strength->los);
    if (show->spec->has_sprt) {
        const SprtReport *sprt = &result->sprt;
        const double share = sprt->llr > 0 ? sprt->llr / sprt->upper : sprt->llr / sprt->lower;
        text_add(
            table,
            "sprt    llr %.2f [%.2f, %.2f] %.0f %% of elo %g against %g, some %.0f pairs to go\n",
            sprt->llr, sprt->lower, sprt->upper, 100 * share, show->spec->sprt.elo0,
            show->spec->sprt.elo1, pairs_to_go(show, result));
    }
    text_add(table, "red     %.1f %%   black %.1f %%   plies %.1f\n",
             50 + 50 * ((double)result->red_wins - (double)result->black_wins) / games,
             50 + 50 * ((double)result->black_wins - (double)result->red_wins) / games,
             (double)result->plies / games);
    text_add(table, "ends   ");
    for (int i = 1; i < END_REASON_COUNT; i++) {
        if (!result->reasons[i]) continue;
        text_add(table, " %s %llu", end_reason_name((EndReason)i),
                 (unsigned long long)result->reasons[i]);
    }
    text_add(table, "\n");
    for (int i = 0; i < MATCH_PLAYERS; i++) {
        add_side(table, (char)('a' + i), &show->spec->contest.players[i], &result->tallies[i]);
    }
}

void match_report_finish(MatchShow *show, const ContestResult *result) {
    const uint64_t pairs = (uint64_t)match_counts_pairs(&result->counts);
    Text table = {0};
    Strength strength;
    strength_from_counts(&result->counts, &strength);
    if (pairs > 0) make_table(show, result, &strength, &table);
    progress_finish_table(&show->progress, pairs, result->interrupted ? "interrupted" : "",
                          text_get(&table));
    text_clear(&table);
}

void match_report_pair(void *context, const ContestResult *result) {
    MatchShow *show = context;
    Progress *progress = &show->progress;
    const long long pairs = match_counts_pairs(&result->counts);
    if (!progress_is_due(progress) || pairs == 0) return;
    Strength strength;
    strength_from_counts(&result->counts, &strength);
    const long long *penta = result->counts.penta;
    char detail[240];
    size_t length = 0;
    if (!progress->terminal) {
        length = (size_t)snprintf(
            detail, sizeof detail, "[%lld %lld %lld %lld %lld]  elo %+.1f +- %.1f  red %.1f %%  ",
            penta[0], penta[1], penta[2], penta[3], penta[4], strength.elo, strength.elo_error95,
            50 + 25 * ((double)result->red_wins - (double)result->black_wins) / (double)pairs);
    }
    if (show->spec->has_sprt && !progress->terminal) {
        length +=
            (size_t)snprintf(detail + length, sizeof detail - length, "llr %.2f [%.2f, %.2f]  ",
                             result->sprt.llr, result->sprt.lower, result->sprt.upper);
    }
    detail[length > 2 ? length - 2 : 0] = '\0';
    Text table = {0};
    make_table(show, result, &strength, &table);
    progress->expected = (uint64_t)((double)pairs + pairs_to_go(show, result) + 0.5);
    progress_update_table(progress, (uint64_t)pairs, detail, text_get(&table));
    text_clear(&table);
}

static const char *player_name(const ContestSpec *spec, bool a) {
    return spec->contest.players[a ? 0 : 1].spec.name;
}

void match_report_sentence(const ContestSpec *spec, const ContestResult *result, Text *text) {
    const MatchCounts *counts = &result->counts;
    const long long games = match_counts_games(counts), pairs = match_counts_pairs(counts);
    Strength strength;
    strength_from_counts(counts, &strength);
    const bool a_leads = strength.elo > 0;
    const char letter = a_leads ? 'A' : 'B';
    const double elo = fabs(strength.elo), error = strength.elo_error95;
    if (counts->wins == games || counts->losses == games) {
        text_add(text, "%c (%s) won all %lld games: too one-sided for a number of Elo", letter,
                 player_name(spec, a_leads), games);
    } else if (counts->penta[2] == pairs) {
        text_add(text, "A and B are level: each of the %lld pairs ended even", pairs);
    } else if (elo > error) {
        text_add(text, "%c (%s) is stronger: %.0f +- %.0f Elo (%lld games, 95 %%)", letter,
                 player_name(spec, a_leads), elo, error, games);
    } else {
        text_add(text,
                 "who is stronger is not decided: A (%s) %+.0f +- %.0f Elo (%lld games, 95 %%)",
                 player_name(spec, true), elo < 0.5 ? 0.0 : strength.elo, error, games);
    }
    if (spec->has_sprt) {
        text_add(text, "; SPRT %g,%g: %s", spec->sprt.elo0, spec->sprt.elo1,
                 sprt_decision_text(result->sprt.decision));
    }
}

static void report_player(Record *record, const char *letter, const ContestPlayer *player,
                          const ContestTally *counted) {
    const SideMeans mean = side_means(&counted->side);
    char key[32];
    record_text(record, letter, player->spec.name);
    snprintf(key, sizeof key, "%s_depth", letter);
    record_real(record, key, mean.depth, 2);
    snprintf(key, sizeof key, "%s_nodes_per_move", letter);
    record_real(record, key, mean.nodes, 1);
    snprintf(key, sizeof key, "%s_ms_per_move", letter);
    side_time_record(record, key, &counted->side);
    snprintf(key, sizeof key, "%s_faults", letter);
    record_int(record, key, (long long)counted->faults);
    snprintf(key, sizeof key, "%s_claims", letter);
    record_int(record, key, (long long)counted->claims);
}

void match_report(Record *record, const ContestSpec *spec, const ContestResult *result,
                  double seconds) {
    static const char *const letters[MATCH_PLAYERS] = {"a", "b"};
    for (int i = 0; i < MATCH_PLAYERS; i++) {
        report_player(record, letters[i], &spec->contest.players[i], &result->tallies[i]);
    }
    match_report_record(record, &result->counts, spec->has_sprt ? &result->sprt : NULL);
    const double games = (double)match_counts_games(&result->counts);
    const double red = (double)result->red_wins, black = (double)result->black_wins;
    record_real(record, "red_share", games > 0 ? (red + games - black) / (2 * games) : 0.5, 4);
    record_real(record, "black_share", games > 0 ? (black + games - red) / (2 * games) : 0.5, 4);
    for (int i = 1; i < END_REASON_COUNT; i++) {
        if (!result->reasons[i]) continue;
        char key[64];
        snprintf(key, sizeof key, "end_%s", end_reason_name((EndReason)i));
        record_int(record, key, (long long)result->reasons[i]);
    }
    record_real(record, "plies_mean", games > 0 ? (double)result->plies / games : 0, 1);
    const uint64_t openings = openings_distinct(&spec->contest.openings);
    if (openings) record_int(record, "openings_distinct", (long long)openings);
    record_int(record, "already", (long long)result->already);
    record_real(record, "seconds", seconds, 2);
}
