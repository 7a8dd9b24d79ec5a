// SPDX-License-Identifier: GPL-3.0-or-later
// Ratings by maximum likelihood, against examples worked by hand.
#include <math.h>

#include "selfplay/stats/ratings.h"
#include "tests/test.h"

static const double UNIT = 173.71779276130073; // 400 / ln 10

// One pairing: with one draw added, 7 wins and 2 draws of 10 are 8.5 points of 11: odds 8.5 : 2.5.
// The information of 11 games is 11 p (1 - p).
void test_ratings_pair(TestContext *t) {
    const PairingCounts counts[] = {{.first = 0, .second = 1, .wins = 7, .draws = 2, .losses = 1}};
    Rating ratings[2];
    int loose;
    Err err = {0};
    CHECK_OK(ratings_fit(counts, 1, 2, 1, 100, ratings, &loose, &err), err);
    const double p = 8.5 / 11;
    CHECK_NEAR(ratings[0].elo, 100 + 400 * log10(8.5 / 2.5), 1e-9);
    CHECK_NEAR(ratings[0].error95, 1.959963984540054 * UNIT / sqrt(11 * p * (1 - p)), 1e-9);
    CHECK_NEAR(ratings[1].elo, 100, 0);
    CHECK_NEAR(ratings[1].error95, 0, 0);
    CHECK_NEAR(ratings[0].points, 8, 0);
}

// Three players whose results fit the model exactly: A beats B as B beats C, 3 : 1 with the added
// draws, and A beats C 9 : 1. B is then 400 log10 3 above C, A twice that. Errors by hand: the
// information matrix of A and B, C the anchor, is [[3.75 + 1.8, -3.75], [-3.75, 7.5]].
void test_ratings_three(TestContext *t) {
    const PairingCounts counts[] = {
        {.first = 0, .second = 1, .wins = 14, .draws = 1, .losses = 4},
        {.first = 0, .second = 2, .wins = 17, .draws = 1, .losses = 1},
        {.first = 1, .second = 2, .wins = 14, .draws = 1, .losses = 4},
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

// A hundred pairs in which Red always wins say more of two equal players than two hundred games
// by the toss of a coin, and so do draws: their points do not scatter. With the pair that is added
// and the draw the variance is 3/4, the information 201/4. Pairs that end 2 : 0 or 0 : 2 say less.
void test_ratings_pairs(TestContext *t) {
    PairingCounts counts[] = {{.first = 0, .second = 1, .wins = 100, .losses = 100}};
    Rating ratings[2];
    int loose;
    Err err = {0};
    const double scale = 1.959963984540054 * UNIT;
    CHECK(ratings_fit(counts, 1, 2, 1, 0, ratings, &loose, &err) == STATUS_OK);
    CHECK_NEAR(ratings[0].error95, scale / sqrt(201.0 / 4), 1e-9);
    counts[0].pairs[2] = 100;
    CHECK(ratings_fit(counts, 1, 2, 1, 0, ratings, &loose, &err) == STATUS_OK);
    CHECK_NEAR(ratings[0].error95, scale * sqrt(0.75) / (201.0 / 4), 1e-9);
    counts[0].pairs[2] = 0;
    counts[0].pairs[0] = counts[0].pairs[4] = 50;
    CHECK(ratings_fit(counts, 1, 2, 1, 0, ratings, &loose, &err) == STATUS_OK);
    CHECK_NEAR(ratings[0].error95, scale * sqrt(0.75 + 100.0 * 100 / 99) / (201.0 / 4), 1e-9);
}

// A match of few pairs that ended alike is as unsure as its rating; one of many as ever.
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

// All wins give a number; players that nothing ties to the anchor are named.
void test_ratings_edges(TestContext *t) {
    PairingCounts counts[] = {{.first = 0, .second = 1, .wins = 1000},
                              {.first = 2, .second = 3, .draws = 4}};
    Rating ratings[4];
    int loose;
    Err err = {0};
    CHECK(ratings_fit(counts, 1, 2, 0, 0, ratings, &loose, &err) == STATUS_OK);
    CHECK(isfinite(ratings[1].elo) && ratings[1].elo < -1000 && isfinite(ratings[1].error95));
    CHECK(ratings_fit(counts, 2, 4, 0, 0, ratings, &loose, &err) == STATUS_NUMERIC);
    CHECK_INT(loose, 2);
}
