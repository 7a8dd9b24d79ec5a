// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of ratings by maximum likelihood, with examples computed by hand.
#include <math.h>

#include "selfplay/stats/ratings.h"
#include "tests/test.h"

static const double UNIT = 173.71779276130073; // Elo per unit of log odds, 400 / ln 10

// With two players, the rating and its error must equal the Elo and the error of their match,
// whichever player is the anchor. 19 wins in 20 games are about 400 log10 19 Elo; the 0.001 that
// replaces zero counts makes a small difference.
void test_ratings_pair(TestContext *t) {
    PairingCounts counts = {.first = 0, .second = 1, .wins = 19, .losses = 1};
    counts.pairs[2] = 1;
    counts.pairs[4] = 9;
    const MatchCounts match = {true, true, {0, 0, 1, 0, 9}, 1, 0, 19};
    Rating ratings[2];
    Strength strength;
    int loose;
    Err err = {0};
    strength_of_match(&match, &strength);
    CHECK_OK(ratings_fit(&counts, 1, 2, 1, 100, ratings, &loose, &err), err);
    CHECK_NEAR(ratings[0].elo, 100 + strength.elo, 1e-9);
    CHECK_NEAR(ratings[0].elo, 100 + 400 * log10(19), 1);
    CHECK_NEAR(ratings[0].error95, strength.elo_error95, 1e-9);
    CHECK_NEAR(ratings[1].elo, 100, 0);
    CHECK_NEAR(ratings[1].error95, 0, 0);
    CHECK_NEAR(ratings[0].points, 19, 0);
    CHECK(!ratings[0].prior && !ratings[1].prior);
    CHECK_OK(ratings_fit(&counts, 1, 2, 0, 0, ratings, &loose, &err), err);
    CHECK_NEAR(ratings[1].elo, -strength.elo, 1e-9);
}

// Three players whose results fit the model exactly: A scores 3 : 1 against B, B scores 3 : 1
// against C, A scores 9 : 1 against C, and the prior adds no draw. So B is 400 log10 3 Elo above C,
// and A is 800 log10 3 Elo above C. The expected errors were computed by hand: with C as anchor,
// the Fisher information matrix of A and B is [[3.75 + 1.8, -3.75], [-3.75, 7.5]].
void test_ratings_three(TestContext *t) {
    const PairingCounts counts[] = {
        {.first = 0, .second = 1, .wins = 14, .draws = 2, .losses = 4},
        {.first = 0, .second = 2, .wins = 17, .draws = 2, .losses = 1},
        {.first = 1, .second = 2, .wins = 14, .draws = 2, .losses = 4},
    };
    Rating ratings[3];
    int loose;
    Err err = {0};
    CHECK_OK(ratings_fit(counts, 3, 3, 2, 0, ratings, &loose, &err), err);
    CHECK_NEAR(ratings[1].elo, 400 * log10(3), 1e-9);
    CHECK_NEAR(ratings[0].elo, 800 * log10(3), 1e-9);
    const double determinant = 5.55 * 7.5 - 3.75 * 3.75;
    CHECK_NEAR(ratings[0].error95, 1.959963984540054 * UNIT * sqrt(7.5 / determinant), 1e-9);
    CHECK_NEAR(ratings[1].error95, 1.959963984540054 * UNIT * sqrt(5.55 / determinant), 1e-9);
}

// Tests that the errors of ratings follow from pairs of games. Two equal players win 100 games
// each, so the information I is 200/4 in all cases. The error is sqrt(J)/I, where J is the variance
// of the points. Without pairs, J is that of 200 independent games, 200/4. With pairs, J is the
// observed variance of the pairs plus 1/2, the expected variance of one more pair. If all 100 pairs
// end 1-1, as when Red wins every game, the observed variance is 0. If half of the pairs end 2-0
// and half 0-2, it is 100 * 100/99. The rating of the second player is fixed at 0, so the games of
// the third player against the second one do not influence the first player.
void test_ratings_pairs(TestContext *t) {
    PairingCounts counts[] = {{.first = 0, .second = 1, .wins = 100, .losses = 100},
                              {.first = 1, .second = 2, .wins = 10, .losses = 10}};
    Rating ratings[3];
    int loose;
    Err err = {0};
    const double scale = 1.959963984540054 * UNIT;
    CHECK(ratings_fit(counts, 2, 3, 1, 0, ratings, &loose, &err) == STATUS_OK);
    CHECK_NEAR(ratings[0].error95, scale / sqrt(50), 1e-9);
    counts[0].pairs[2] = 100;
    CHECK(ratings_fit(counts, 2, 3, 1, 0, ratings, &loose, &err) == STATUS_OK);
    CHECK_NEAR(ratings[0].error95, scale * sqrt(0.5) / 50, 1e-9);
    counts[0].pairs[2] = 0;
    counts[0].pairs[0] = counts[0].pairs[4] = 50;
    CHECK(ratings_fit(counts, 2, 3, 1, 0, ratings, &loose, &err) == STATUS_OK);
    CHECK_NEAR(ratings[0].error95, scale * sqrt(0.5 + 100.0 * 100 / 99) / 50, 1e-9);
}

// The prior adds a draw to a pairing only if a rating would otherwise not be finite. This happens
// if a player, or a group of players, won or lost all games against the others. The ratings of
// other players must not change.
void test_ratings_prior(TestContext *t) {
    PairingCounts counts[] = {{.first = 0, .second = 1, .wins = 9, .draws = 2, .losses = 5},
                              {.first = 0, .second = 2, .wins = 12},
                              {.first = 1, .second = 2, .wins = 12},
                              {.first = 2, .second = 3, .wins = 3, .losses = 1}};
    Rating ratings[4];
    int loose;
    Err err = {0};
    CHECK_OK(ratings_fit(counts, 4, 4, 1, 0, ratings, &loose, &err), err);
    CHECK(!ratings[0].prior && !ratings[1].prior && ratings[2].prior && ratings[3].prior);
    CHECK(isfinite(ratings[2].elo) && ratings[2].elo < -300);
    CHECK_NEAR(ratings[2].elo - ratings[3].elo, 400 * log10(3), 1e-6);
    CHECK_OK(ratings_fit(counts, 1, 2, 0, 0, ratings, &loose, &err), err);
    CHECK_NEAR(ratings[1].elo, 400 * log10(0.6),
               0.01); // player 0 scored 10 of 16 points against player 1
    // If the pairings of player 2 with players 0 and 1 already have a real draw, the prior adds
    // none, and the ratings stay the same.
    counts[1].draws = counts[2].draws = 1;
    Rating same[4];
    CHECK_OK(ratings_fit(counts, 4, 4, 1, 0, same, &loose, &err), err);
    CHECK(!same[2].prior);
    CHECK_NEAR(same[2].elo, ratings[2].elo, 1e-9);
}

// Tests the error of the Elo of a match. With one pair the error is corrected for the small sample,
// which makes it much larger. With FEW_PAIRS pairs it is not corrected.
void test_ratings_few_pairs(TestContext *t) {
    MatchCounts one = {true, true, {0, 0, 0, 1, 0}, 0, 1, 1}, many = one;
    Strength few, plain;
    strength_from_counts(&one, &plain);
    strength_of_match(&one, &few);
    CHECK(plain.elo_error95 < 60 && few.elo_error95 > 250 && few.elo == plain.elo);
    CHECK(few.los > 0.5 && few.los < 0.95 && plain.los > 0.999);
    many.penta[3] = many.draws = many.wins = FEW_PAIRS;
    strength_from_counts(&many, &plain);
    strength_of_match(&many, &few);
    CHECK(few.elo_error95 == plain.elo_error95 && few.los == plain.los);
}

// If one player won all games against another, both must get finite ratings from the prior. If no
// chain of games connects some players to the anchor, `loose` must be one of these players.
void test_ratings_edges(TestContext *t) {
    PairingCounts counts[] = {{.first = 0, .second = 1, .wins = 1000},
                              {.first = 2, .second = 3, .draws = 4}};
    Rating ratings[4];
    int loose;
    Err err = {0};
    CHECK(ratings_fit(counts, 1, 2, 0, 0, ratings, &loose, &err) == STATUS_OK);
    CHECK(ratings[1].prior && ratings[1].elo < -1000 && isfinite(ratings[1].error95));
    CHECK(ratings_fit(counts, 2, 4, 0, 0, ratings, &loose, &err) == STATUS_NUMERIC);
    CHECK_INT(loose, 2);
}
