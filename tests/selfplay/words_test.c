// SPDX-License-Identifier: GPL-3.0-or-later
// Simulates matches and tournaments, and counts how often their conclusions are false.
#include <math.h>
#include <string.h>

#include "core/base/random.h"
#include "selfplay/pages/standings.h"
#include "selfplay/stats/strength_verdict.h"
#include "tests/test.h"

// Plays pairs of games of players that differ by `elo`; a third of the games are draws. Adds the
// results of the first player.
static void play_pairs(double elo, long long pairs, Random *random, PairingCounts *counts) {
    const double win = 1 / (1 + pow(10, -elo / 400)) - 1.0 / 6;
    for (long long pair = 0; pair < pairs; pair++) {
        int points = 0;
        for (int game = 0; game < 2; game++) {
            const double u = random_real(random);
            const int half_points = u < win ? 2 : u < win + 1.0 / 3 ? 1 : 0;
            counts->wins += half_points == 2;
            counts->draws += half_points == 1;
            counts->losses += half_points == 0;
            points += half_points;
        }
        counts->pairs[points]++;
    }
}

// In a tournament of equal players, the word "significantly" for the lead of the first is false. It
// is said in at most 5 of 100 tournaments, of any number of players.
void test_words_tournament(TestContext *t) {
    enum { MOST = 8 };
    static const char *const names[MOST] = {"a", "b", "c", "d", "e", "f", "g", "h"};
    const int runs = t->full ? 2000 : 200;
    for (int players = 2; players <= MOST; players *= 2) {
        for (int pairs = 5; pairs <= 100; pairs *= 20) {
            int leads = 0;
            for (int run = 0; run < runs; run++) {
                PairingCounts counts[MOST * MOST] = {{0}};
                size_t pairings = 0;
                AUTO(Text) text = {0};
                Random random;
                random_init(&random, (uint64_t)run, (uint64_t)players);
                for (int b = 0; b < players; b++) {
                    for (int a = 0; a < b; a++) {
                        counts[pairings].first = a;
                        counts[pairings].second = b;
                        play_pairs(0, pairs, &random, &counts[pairings++]);
                    }
                }
                standings_verdict_add(names, players, counts, pairings, &text);
                leads += strstr(text.data, " leads significantly") != NULL;
            }
            if (t->full) {
                printf("leads_significantly_%d_players_%d_pairs %.2f\n", players, pairs,
                       100.0 * leads / runs);
            }
            CHECK_MSG(leads <= 0.09 * runs, "%d players, %d pairs: %d of %d", players, pairs, leads,
                      runs);
        }
    }
}

// The number of further pairs that "would decide if the score stays as it is" is an estimate from
// the measured score. It suffices in half of the matches of a large difference, but rarely of a
// small one, because the measured score of a few games is mostly luck.
void test_words_more_pairs(TestContext *t) {
    const int runs = t->full ? 2000 : 100;
    for (int elo = 10; elo <= 90; elo *= 3) {
        int undecided = 0, decided = 0, twice = 0;
        for (int run = 0; run < runs; run++) {
            PairingCounts pairing = {.first = 0, .second = 1};
            MatchCounts counts;
            StrengthVerdict verdict;
            Random random;
            random_init(&random, (uint64_t)run, (uint64_t)elo);
            play_pairs(elo, 20, &random, &pairing);
            pairing_match_counts(&pairing, &counts);
            strength_verdict(&counts, NULL, false, &verdict);
            if (verdict.word != STRENGTH_UNDECIDED) continue;
            undecided++;
            const long long more = (long long)fmin(verdict.more, 1e6);
            for (int times = 1; times <= 2; times++) {
                play_pairs(elo, more, &random, &pairing);
                pairing_match_counts(&pairing, &counts);
                strength_verdict(&counts, NULL, false, &verdict);
                decided += times == 1 && verdict.word != STRENGTH_UNDECIDED;
                twice += times == 2 && verdict.word != STRENGTH_UNDECIDED;
            }
        }
        if (t->full) {
            printf("# %d Elo: of %d undecided matches, %d are decided by the named pairs, %d by "
                   "twice as many\nmore_pairs_suffice_%d %.3f\n",
                   elo, undecided, decided, twice, elo, decided / (double)undecided);
        }
        CHECK_MSG(5 * decided > undecided && (elo < 90 || 3 * decided > 2 * undecided),
                  "%d Elo: %d of %d", elo, decided, undecided);
    }
}

// After a match that an SPRT stopped, the 95 % interval of the estimate contains the true strength
// in at least 95 of 100 matches.
void test_words_stopped(TestContext *t) {
    const SprtSpec sprt = {SPRT_NORMALIZED, 0, 40, 0.05, 0.05};
    const int runs = t->full ? 1000 : 100;
    for (int elo = -10; elo <= 50; elo += 20) {
        int outside = 0;
        long long games = 0;
        for (int run = 0; run < runs; run++) {
            PairingCounts pairing = {.first = 0, .second = 1};
            MatchCounts counts;
            StrengthVerdict verdict;
            SprtReport report = {.decision = SPRT_CONTINUE};
            Random random;
            random_init(&random, (uint64_t)run, (uint64_t)(100 + elo));
            while (report.decision == SPRT_CONTINUE) {
                play_pairs(elo, 4, &random, &pairing);
                pairing_match_counts(&pairing, &counts);
                if (!CHECK_OK(sprt_report(&sprt, &counts, &report, NULL), (Err){0})) return;
            }
            strength_verdict(&counts, &sprt, true, &verdict);
            outside += elo < verdict.ci_low || elo > verdict.ci_high;
            games += match_counts_games(&counts);
        }
        if (t->full) {
            printf("stopped_outside_at_%d_elo %.2f\n# %.0f games in the mean\n", elo,
                   100.0 * outside / runs, (double)games / runs);
        }
        CHECK_MSG(outside <= 0.1 * runs, "%+d Elo: %d of %d", elo, outside, runs);
    }
}
