// SPDX-License-Identifier: GPL-3.0-or-later
#include "selfplay/contest/contest_report.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/memory.h"
#include "selfplay/contest/contest_options.h"
#include "selfplay/pages/standings.h"

SideMeans side_means(const SideTally *tally) {
    const double moves = tally->moves ? (double)tally->moves : 1.0;
    const double timed = tally->timed ? (double)tally->timed : 1.0;
    return (SideMeans){.depth = (double)tally->depth_sum / moves,
                       .nodes = (double)tally->nodes / moves,
                       .ms = (double)tally->time_ns * 1e-6 / timed};
}

// Adds a player's mean time per move in milliseconds. The time is unknown ("-") if all games of the
// player were stored before the run was resumed.
static void side_time_record(Record *record, const char *key, const SideTally *tally) {
    if (tally->timed || !tally->moves) {
        record_add(record, "%s %.3f", key, side_means(tally).ms);
    } else {
        record_unknown(record, key);
    }
}

static void add_score_faults(Record *record, const char *prefix, const PlayerSpec *player,
                             const ContestTally *tally) {
    const ScoreFaults faults = {tally->side.bounds, tally->side.unread, &tally->signs};
    score_faults_record(&faults, player, prefix, record);
}

// Adds how the nodes of a program compare with its node limit. Names a program that does not keep
// the limit.
static void add_ratios(Record *record, const char *letter, const PlayerSpec *player,
                       const NodeRatios *ratios) {
    if (ratios->moves == 0) return;
    record_add(record,
               "%s_node_ratio_mean %.3f %s_node_ratio_median %.3f %s_node_ratio_largest %.3f",
               letter, node_ratios_mean(ratios), letter, node_ratios_median(ratios), letter,
               ratios->largest);
    if (!node_ratios_differ(ratios)) return;
    AUTO(Text) text = {0};
    text_add(&text, "%s ", player->name);
    node_ratios_describe(ratios, player->limits.nodes, &text);
    record_add(record, "node_limit %s", text.data);
}

// Adds the number of moves for which programs reported only bounds, if a program plays.
static void add_bounds(Record *record, const ContestSpec *spec, const ContestResult *result) {
    uint64_t bounds = 0;
    bool programs = false;
    for (int i = 0; i < spec->player_count; i++) {
        bounds += result->tallies[i].side.bounds;
        programs = programs || spec->players[i].spec.program;
    }
    if (programs) record_add(record, "bounds %lu", bounds);
}

// ---- report of a match --------------------------------------------------------------------------

double match_pairs_to_go(const ContestSpec *spec, const ContestResult *result, double *sd) {
    double deviation = 0;
    double more = (double)spec->rounds - (double)match_counts_pairs(&result->counts);
    if (spec->has_sprt) {
        more = fmin(more, ceil(sprt_expected_more(&spec->sprt, &result->counts, &deviation)));
    }
    if (sd) *sd = deviation;
    return more;
}

static void add_estimate(Text *text, const MatchCounts *counts, const char *name, double value,
                         double error95) {
    value = text_zero_unsigned(value, 1);
    if (match_counts_one_sided(counts)) {
        text_add(text, "%s -", name);
    } else if (match_counts_few(counts)) {
        text_add(text, "%s %+.1f", name, value);
    } else {
        text_add(text, "%s %+.1f +- %.1f", name, value, error95);
    }
}

// Appends the reason why the estimates have no 95 % intervals, if there are too few pairs.
static void add_few(Text *text, const MatchCounts *counts) {
    if (match_counts_one_sided(counts) || !match_counts_few(counts)) return;
    text_add(text, " (too few pairs for a 95 %% interval)");
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
    add_estimate(table, counts, "elo    ", strength->elo, strength->elo_error95);
    add_estimate(table, counts, "   nelo", strength->nelo, strength->nelo_error95);
    text_add(table, "   los %.1f %%", 100 * strength->los);
    add_few(table, counts);
    text_add(table, "\n");
    if (show->spec->has_sprt) {
        const SprtReport *sprt = &result->sprt;
        double sd;
        const double more = match_pairs_to_go(show->spec, result, &sd);
        const double share = sprt->llr > 0 ? sprt->llr / sprt->upper : sprt->llr / sprt->lower;
        text_add(
            table,
            "sprt    elo %g against %g, llr %.2f [%.2f, %.2f], about %.0f pairs to go (standard "
            "deviation %.0f), llr at %.0f %% of the %s bound\n",
            show->spec->sprt.elo0, show->spec->sprt.elo1, sprt->llr, sprt->lower, sprt->upper, more,
            sd, 100 * share, sprt->llr > 0 ? "upper" : "lower");
    }
    text_add(table, "points  red %.1f %%   black %.1f %%   plies per game %.1f\n",
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
        const ContestTally *tally = &result->tallies[i];
        const SideMeans mean = side_means(&tally->side);
        text_add(table, "%c       %-15.15s depth %4.1f  %7.1f ms  %8.0f nodes/move  faults %llu\n",
                 'a' + i, show->spec->players[i].spec.name, mean.depth, mean.ms, mean.nodes,
                 (unsigned long long)tally->faults);
    }
}

void match_report_finish(MatchShow *show, const ContestResult *result) {
    const uint64_t pairs = (uint64_t)match_counts_pairs(&result->counts);
    AUTO(Text) table = {0};
    Strength strength;
    strength_of_match(&result->counts, &strength);
    if (pairs > 0) make_table(show, result, &strength, &table);
    show->progress.table = text_get(&table);
    progress_finish(&show->progress, pairs, result->interrupted ? "interrupted" : "");
    if (pairs > 0) match_page_update(show, result);
}

void match_report_pair(void *context, const ContestResult *result) {
    MatchShow *show = context;
    Progress *progress = &show->progress;
    const long long pairs = match_counts_pairs(&result->counts);
    if (show->page && pairs > 0) {
        match_curve_add(&show->curve, &result->counts,
                        show->spec->has_sprt ? &show->spec->sprt : NULL);
    }
    if (live_page_is_due(show->page)) match_page_update(show, result);
    progress->before = result->already / 2;
    if (!progress_is_due(progress) || pairs == 0) return;
    Strength strength;
    strength_of_match(&result->counts, &strength);
    const long long *penta = result->counts.penta;
    double sd;
    const double more = match_pairs_to_go(show->spec, result, &sd);
    AUTO(Text) detail = {0};
    AUTO(Text) table = {0};
    if (!progress->terminal) {
        text_add(&detail, "[%lld %lld %lld %lld %lld]  ", penta[0], penta[1], penta[2], penta[3],
                 penta[4]);
        add_estimate(&detail, &result->counts, "elo", strength.elo, strength.elo_error95);
        add_few(&detail, &result->counts);
        text_add(&detail, "  points of red %.1f %%",
                 50 + 25 * ((double)result->red_wins - (double)result->black_wins) / (double)pairs);
        if (show->spec->has_sprt) {
            text_add(&detail,
                     "  llr %.2f [%.2f, %.2f], about %.0f pairs to go "
                     "(standard deviation %.0f)",
                     result->sprt.llr, result->sprt.lower, result->sprt.upper, more, sd);
        }
    }
    make_table(show, result, &strength, &table);
    progress->expected = (uint64_t)((double)pairs + more + 0.5);
    progress->table = text_get(&table);
    progress_update(progress, (uint64_t)pairs, text_get(&detail));
    progress->table = NULL;
}

void match_outcome_complete(MatchOutcome *outcome, long long alike) {
    const MatchCounts *counts = &outcome->counts;
    if (outcome->test) sprt_report(outcome->test, counts, &outcome->sprt, NULL);
    strength_of_match(counts, &outcome->strength);
    strength_verdict(counts, outcome->test, true, &outcome->verdict);
    const long long games = match_counts_games(counts);
    outcome->alike = games > 0 && 2 * alike == games;
    // If both players made the same moves in all pairs, further games would probably be the same
    // too and would not decide the match.
    if (outcome->alike) outcome->verdict.more = 0;
}

void match_outcome(const ContestSpec *spec, const ContestResult *result, MatchOutcome *outcome) {
    *outcome = (MatchOutcome){.names = {spec->players[0].spec.name, spec->players[1].spec.name},
                              .counts = result->counts,
                              .test = spec->has_sprt ? &spec->sprt : NULL};
    match_outcome_complete(outcome, result->pairings[0].alike);
}

void match_outcome_add_short(const MatchOutcome *outcome, Text *text) {
    const StrengthVerdict *verdict = &outcome->verdict;
    const char *const a = outcome->names[0], *const b = outcome->names[1];
    if (outcome->alike) {
        text_add(text, "A and B made the same moves in all %lld games; nothing was measured",
                 match_counts_games(&outcome->counts));
        return;
    }
    AUTO(Text) word = {0};
    strength_word_add(&word, verdict);
    if (verdict->word == STRENGTH_UNDECIDED) {
        text_add(text, "%s: A (%s) against B (%s), ", word.data, a, b);
    } else if (verdict->word == STRENGTH_LEVEL) {
        text_add(text, "A (%s) and B (%s) are %s: ", a, b, word.data);
    } else {
        text_add(text, "A (%s) is %s than B (%s): ", a, word.data, b);
    }
    strength_interval_add(text, verdict);
    text_add(text, " (%lld games, 95 %%%s%s", match_counts_games(&outcome->counts),
             verdict->few_pairs ? ", corrected for few pairs" : "",
             verdict->stopped ? ", corrected for the stopping rule" : "");
    strength_remark_add(text, verdict);
    text_add(text, ")");
}

void match_outcome_add(const MatchOutcome *outcome, Text *text) {
    const StrengthVerdict *verdict = &outcome->verdict;
    StrengthPower power;
    match_outcome_add_short(outcome, text);
    if (outcome->alike) return;
    if (verdict->word == STRENGTH_UNDECIDED) {
        text_add(text, "; ");
        strength_more_add(text, verdict);
        text_add(text, "; ");
        strength_power(&outcome->counts, 0, &power);
        strength_power_add(text, &power);
    }
    if (outcome->test) {
        text_add(text, "; SPRT %g,%g: %s", outcome->test->elo0, outcome->test->elo1,
                 sprt_decision_words(outcome->sprt.decision));
    }
}

void match_report_verdict(Record *record, const ContestSpec *spec, const ContestResult *result) {
    MatchOutcome outcome;
    AUTO(Text) text = {0};
    if (match_counts_games(&result->counts) == 0) return;
    match_outcome(spec, result, &outcome);
    match_outcome_add(&outcome, &text);
    record_add(record, "verdict %s", text.data);
}

// Adds to the record the Elo difference that a match of this length can detect, and the number of
// games needed to detect SMALL_ELO. Both are unknown ("-") unless the verdict is "not decided" and
// the players made different moves. If both are known, also adds the CPU time of these games, if it
// can be estimated.
static void record_power(Record *record, const ContestResult *result, const MatchOutcome *outcome) {
    StrengthPower power;
    const bool undecided = outcome->verdict.word == STRENGTH_UNDECIDED && !outcome->alike &&
                           match_counts_games(&result->counts) > 0;
    strength_power(&result->counts, contest_cpu_s_per_game(result), &power);
    strength_power_record(record, undecided ? &power : NULL);
}

// Adds two numbers about the cost of the match in processor time. One is normalized Elo divided by
// the square root of the seconds per game. The other is the total time in seconds that the match
// needs for a verdict: the time of all games so far and of the further pairs that are expected.
static void record_cost(Record *record, const ContestResult *result, const MatchOutcome *outcome) {
    const double per_game = contest_cpu_s_per_game(result);
    const double games = (double)match_counts_games(&result->counts);
    if (per_game <= 0 || outcome->alike) {
        record_unknown(record, "nelo_per_root_cpu_second");
        record_unknown(record, "seconds_cpu_to_verdict");
        return;
    }
    Strength strength;
    strength_of_match(&result->counts, &strength);
    if (match_counts_one_sided(&result->counts)) {
        record_unknown(record, "nelo_per_root_cpu_second");
    } else {
        // In a fixed processor time, the number of games is proportional to 1 / (time per game), so
        // the standard error of normalized Elo is proportional to sqrt(time per game). Normalized
        // Elo / sqrt(time per game) therefore measures how clearly a match of this kind separates
        // the players in a fixed processor time.
        record_add(record, "nelo_per_root_cpu_second %.3f", strength.nelo / sqrt(per_game));
    }
    record_add(record, "seconds_cpu_to_verdict %.2f",
               per_game * (games + 2 * outcome->verdict.more));
}

void match_report(Record *record, const ContestSpec *spec, const ContestResult *result, bool all) {
    static const char *const letters[MATCH_PLAYERS] = {"a", "b"};
    MatchOutcome outcome;
    match_outcome(spec, result, &outcome);
    const StrengthVerdict *verdict = &outcome.verdict;
    for (int i = 0; i < MATCH_PLAYERS; i++) {
        const ContestTally *tally = &result->tallies[i];
        const SideMeans mean = side_means(&tally->side);
        const char *letter = letters[i];
        char key[32];
        record_add(record, "%s %s %s_faults %lu", letter, spec->players[i].spec.name, letter,
                   tally->faults);
        const Text *evaluation = &spec->players[i].evaluation;
        if (evaluation->length) {
            record_add(record, "%s_evaluation %s", letter, evaluation->data);
        } else {
            snprintf(key, sizeof key, "%s_evaluation", letter);
            record_unknown(record, key);
        }
        add_score_faults(record, i == 0 ? "a_" : "b_", &spec->players[i].spec, tally);
        add_ratios(record, letter, &spec->players[i].spec, &tally->ratios);
        if (!all) continue;
        snprintf(key, sizeof key, "%s_ms_per_move", letter);
        record_add(record, "%s_claims %lu %s_depth %.2f %s_nodes_per_move %.1f", letter,
                   tally->claims, letter, mean.depth, letter, mean.nodes);
        side_time_record(record, key, &tally->side);
    }
    add_bounds(record, spec, result);
    match_report_record(record, &result->counts, spec->has_sprt ? &result->sprt : NULL);
    record_add(record, "pairs_alike %lld", result->pairings[0].alike);
    if (verdict->stopped) record_add(record, "elo_median %.*g", REPORT_DIGITS, verdict->elo);
    strength_verdict_record(record, verdict, true);
    record_power(record, result, &outcome);
    const double games = (double)match_counts_games(&result->counts);
    record_add(record, "drawn_games %.4f", games > 0 ? (double)result->counts.draws / games : 0);
    if (all) record_cost(record, result, &outcome);
    const double red = (double)result->red_wins, black = (double)result->black_wins;
    record_add(record, "red_share %.4f black_share %.4f",
               games > 0 ? (red + games - black) / (2 * games) : 0.5,
               games > 0 ? (black + games - red) / (2 * games) : 0.5);
    for (int i = 1; i < END_REASON_COUNT; i++) {
        if (!result->reasons[i]) continue;
        record_add(record, "end_%s %lu", end_reason_name((EndReason)i), result->reasons[i]);
    }
    if (!all) return;
    record_add(record, "plies_mean %.1f", games > 0 ? (double)result->plies / games : 0);
    const size_t openings = openings_distinct(&spec->openings);
    if (openings) record_add(record, "openings_distinct %zu", openings);
}

// ---- report of a tournament ---------------------------------------------------------------------

// Appends the verdict about the first player of a pairing: "stronger: +53 Elo, 20 to 90".
static void add_pairing_words(Text *text, const StrengthVerdict *verdict) {
    strength_word_add(text, verdict);
    text_add(text, ": ");
    strength_interval_add(text, verdict);
    if (verdict->word == STRENGTH_UNDECIDED) text_add(text, "; ");
    strength_more_add(text, verdict);
}

static void print_pairings(const TournamentShow *show, const ContestResult *result) {
    const PlayerSetup *players = show->spec->players;
    for (size_t i = 0; i < result->pairing_count; i++) {
        const PairingCounts *p = &result->pairings[i];
        const char *why = result->faults[i].why;
        StrengthVerdict verdict;
        MatchCounts counts;
        Record record;
        pairing_match_counts(p, &counts);
        const long long games = match_counts_games(&counts);
        const bool alike = games > 0 && 2 * p->alike == games, played = games > 0 && !alike;
        if (played) strength_verdict(&counts, NULL, false, &verdict);
        if (show->json) {
            record_begin(&record, show->out, true);
            record_add(&record, "first %s second %s wins %lld draws %lld losses %lld",
                       players[p->first].spec.name, players[p->second].spec.name, p->wins, p->draws,
                       p->losses);
            if (played) strength_verdict_record(&record, &verdict, true);
            record_add(&record, "pairs_alike %lld", p->alike);
            if (why[0]) record_add(&record, "stopped %s", why);
            record_end(&record);
        } else {
            AUTO(Text) words = {0};
            if (played) add_pairing_words(&words, &verdict);
            if (alike) text_add(&words, "they made the same moves in all games");
            fprintf(show->out, "pairing %s - %s: +%lld =%lld -%lld  %s%s%s\n",
                    players[p->first].spec.name, players[p->second].spec.name, p->wins, p->draws,
                    p->losses, text_get(&words), why[0] ? "  stopped: " : "", why);
        }
    }
}

static void print_player(const TournamentShow *show, const ContestResult *result, int place,
                         int who, const Rating *rating) {
    const char *name = show->spec->players[who].spec.name;
    const ContestTally *tally = &result->tallies[who];
    const SideMeans mean = side_means(&tally->side);
    const double share = rating->games ? rating->points / (double)rating->games : 0;
    if (!show->json) {
        fprintf(show->out, "%4d  %-28s %8.1f%c%8.1f %9.1f %7lld %7.1f%% %9.2f %9.2f %7llu\n", place,
                name, text_zero_unsigned(rating->elo, 1), rating->prior ? '*' : ' ',
                rating->error95, rating->points, rating->games, 100 * share, mean.depth, mean.ms,
                (unsigned long long)tally->faults);
        return;
    }
    Record record;
    record_begin(&record, show->out, true);
    record_add(&record,
               "rank %d name %s elo %.1f elo_error95 %.1f prior_draws %d points %.1f games %lld "
               "score %.4f "
               "depth %.2f",
               place, name, rating->elo, rating->error95, rating->prior, rating->points,
               rating->games, share, mean.depth);
    side_time_record(&record, "ms_per_move", &tally->side);
    record_add(&record, "faults %lu claims %lu", tally->faults, tally->claims);
    add_score_faults(&record, "", &show->spec->players[who].spec, tally);
    record_end(&record);
}

Status tournament_print(const TournamentShow *show, const ContestResult *result, Err *err) {
    const int players = show->spec->player_count;
    AUTO_FREE Rating *ratings = memory_alloc((size_t)players, sizeof *ratings);
    int loose = -1;
    print_pairings(show, result);
    const Status status = ratings_fit(result->pairings, result->pairing_count, players,
                                      show->anchor, show->anchor_elo, ratings, &loose, err);
    if (loose >= 0) err_prefix(err, "%s", show->spec->players[loose].spec.name);
    if (status == STATUS_OK && !show->json) {
        fprintf(show->out, "rank  %-28s %8s %8s %9s %7s %8s %9s %9s %7s\n", "player", "elo", "95 %",
                "points", "games", "score", "depth", "ms/move", "faults");
    }
    AUTO_FREE int *order = memory_alloc((size_t)players, sizeof *order);
    bool priors = false;
    if (status == STATUS_OK) ratings_order(ratings, players, order);
    for (int i = 0; i < players && status == STATUS_OK; i++) {
        priors = priors || ratings[order[i]].prior;
        print_player(show, result, i + 1, order[i], &ratings[order[i]]);
    }
    if (priors && !show->json) {
        fprintf(show->out,
                "* without a prior this rating would be infinite, because a group of players won "
                "all games against another group; one draw is added to each pairing of players "
                "from different groups\n");
    }
    Record record;
    record_begin(&record, show->out, show->json);
    record_add(&record, "games %lu", result->games);
    add_bounds(&record, show->spec, result);
    if (show->json) contest_add_conditions(show->spec, &record);
    AUTO(Text) verdict = {0};
    AUTO_FREE const char **names = memory_alloc((size_t)players, sizeof *names);
    for (int i = 0; i < players; i++) names[i] = show->spec->players[i].spec.name;
    standings_verdict_add(names, players, result->pairings, result->pairing_count, &verdict);
    if (verdict.length) record_add(&record, "verdict %s", verdict.data);
    record_end(&record);
    return status;
}

// Returns the report as text, or NULL if the ratings cannot be computed yet. The caller must free
// the text.
static char *tournament_text(const TournamentShow *show, const ContestResult *result) {
    char *text = NULL;
    size_t length = 0;
    TournamentShow shown = *show;
    shown.out = open_memstream(&text, &length);
    if (!shown.out) return NULL;
    shown.json = false;
    const Status status = tournament_print(&shown, result, NULL);
    if (fclose(shown.out) == 0 && status == STATUS_OK) return text;
    free(text);
    return NULL;
}

void tournament_report_game(void *context, const ContestResult *result) {
    TournamentShow *show = context;
    Progress *progress = &show->progress;
    progress->before = result->already;
    const bool drawn = progress->terminal && progress_is_due(progress);
    AUTO_FREE char *text = drawn ? tournament_text(show, result) : NULL;
    if (live_page_is_due(show->page)) tournament_page_update(show, result);
    progress->table = text;
    progress_update(progress, result->games, NULL);
    progress->table = NULL;
}
