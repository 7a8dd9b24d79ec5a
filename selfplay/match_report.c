// SPDX-License-Identifier: GPL-3.0-or-later
#include "selfplay/match_report.h"

void match_report_pair(void *context, const MatchResult *result) {
    Progress *progress = context;
    Strength strength;
    strength_from_counts(&result->counts, &strength);
    const long long *penta = result->counts.penta;
    char detail[200];
    snprintf(detail, sizeof detail,
             "[%lld %lld %lld %lld %lld]  Elo %+.1f +- %.1f  LLR %.2f [%.2f %.2f]", penta[0],
             penta[1], penta[2], penta[3], penta[4], strength.elo, strength.elo_error95,
             result->sprt.llr, result->sprt.lower, result->sprt.upper);
    progress_update(progress, (uint64_t)match_counts_pairs(&result->counts), detail);
}

static void report_player(Record *record, const char *letter, const ContestPlayer *player,
                          const ContestTally *counted) {
    const SideTally *tally = &counted->side;
    const double moves = tally->moves ? (double)tally->moves : 1.0;
    char key[32];
    record_text(record, letter, player->spec.name);
    snprintf(key, sizeof key, "%s_depth", letter);
    record_real(record, key, (double)tally->depth_sum / moves, 2);
    snprintf(key, sizeof key, "%s_nodes_per_move", letter);
    record_real(record, key, (double)tally->nodes / moves, 1);
    snprintf(key, sizeof key, "%s_ms_per_move", letter);
    record_real(record, key, (double)tally->time_ns * 1e-6 / moves, 3);
    snprintf(key, sizeof key, "%s_faults", letter);
    record_int(record, key, (long long)counted->faults);
}

void match_report(Record *record, const MatchSpec *spec, const MatchResult *result,
                  double seconds) {
    static const char *const letters[MATCH_PLAYERS] = {"a", "b"};
    for (int i = 0; i < MATCH_PLAYERS; i++) {
        report_player(record, letters[i], &spec->contest.players[i], &result->tally[i]);
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
    record_int(record, "already", (long long)result->already);
    record_real(record, "seconds", seconds, 2);
}
