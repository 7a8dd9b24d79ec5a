// SPDX-License-Identifier: GPL-3.0-or-later
// Tests that simulated SPRTs keep their error probabilities, and that a simulation is reproducible.
#include <math.h>
#include <string.h>

#include "selfplay/stats/sprt.h"
#include "tests/test.h"

static bool plan(TestContext *t, const PlanSpec *spec, PlanReport *report) {
    Err err = {0};
    return CHECK_OK(sprt_plan(spec, report, NULL, &err), err);
}

// Simulates SPRTs of Elo 0 against 20. If H0 is true, the share of tests that accept H1 must be
// alpha. If H1 is true, the share that accepts H0 must be beta. Wald's bounds make these shares
// slightly smaller, and the estimated variance makes them slightly larger. In 20,000 simulated
// tests, they were 0.049 to 0.052 instead of 0.05. The check allows three standard errors plus a
// tenth of the error probability.
void test_sprt_keeps_alpha_and_beta(TestContext *t) {
    const int runs = t->full ? 10000 : 500;
    for (SprtModel model = SPRT_NORMALIZED; model <= SPRT_BAYESIAN; model++) {
        for (int hypothesis = 0; hypothesis < 2; hypothesis++) {
            const double error = model == SPRT_NORMALIZED ? 0.05 : 0.1;
            const PlanSpec spec = {.sprt = {model, 0, 20, error, error},
                                   .true_elo = hypothesis ? 20 : 0,
                                   .draw_ratio = 0.4,
                                   .seed = 20260101,
                                   .runs = runs,
                                   .max_games = 1000000,
                                   .threads = 2};
            PlanReport report;
            if (!plan(t, &spec, &report)) continue;
            const double wrong =
                (hypothesis ? report.accepted_h0 : report.accepted_h1) / (double)report.runs;
            const double deviation = sqrt(error * (1.0 - error) / runs);
            CHECK_INT(report.unfinished, 0);
            CHECK_MSG(fabs(wrong - error) <= 3.0 * deviation + 0.1 * error,
                      "model %d, elo %g: a share %.4f of %d tests decided wrongly, requested "
                      "was %.2f",
                      (int)model, spec.true_elo, wrong, runs, error);
        }
    }
}

// The report about simulated SPRTs must be equal for one thread and three, and must differ for
// another seed. It must not change if the exact likelihood ratio is computed after every pair.
void test_sprt_plan_reproducible(TestContext *t) {
    const MatchCounts pilot = {.has_pairs = true, .penta = {10, 200, 500, 190, 12}};
    for (SprtModel model = SPRT_NORMALIZED; model <= SPRT_LOGISTIC; model++) {
        PlanSpec spec = {.sprt = {model, 0, 25, 0.05, 0.05},
                         .true_elo = 12,
                         .pilot = &pilot,
                         .seed = 7,
                         .runs = 60,
                         .max_games = 100000,
                         .threads = 1};
        PlanReport one, three, other, exact;
        if (!plan(t, &spec, &one)) return;
        spec.threads = 3;
        if (!plan(t, &spec, &three)) return;
        CHECK(memcmp(&one, &three, sizeof one) == 0);
        spec.every_pair_exact = true;
        if (!plan(t, &spec, &exact)) return;
        CHECK(memcmp(&one, &exact, sizeof one) == 0);
        spec.every_pair_exact = false;
        spec.seed = 8;
        if (!plan(t, &spec, &other)) return;
        CHECK(one.mean_games != other.mean_games);
    }
}

// A distribution of results that is built for a given Elo must have this Elo, in the unit of each
// SPRT model.
void test_sprt_plan_strength(TestContext *t) {
    PlanSpec spec = {.draw_ratio = 0.5, .runs = 1, .max_games = 2, .threads = 1};
    PlanReport report;
    spec.sprt = (SprtSpec){SPRT_LOGISTIC, 0, 20, 0.05, 0.05};
    spec.true_elo = 20;
    if (plan(t, &spec, &report)) CHECK_NEAR(elo_from_score(report.score), 20.0, 1e-9);
    CHECK_INT(report.unfinished, 1);
    // If games are independent and half of them are drawn, the standard deviation of a score is
    // sqrt(0.125), reduced slightly because Elo 5 makes wins and losses unequal.
    spec.sprt = (SprtSpec){SPRT_NORMALIZED, 0, 5, 0.05, 0.05};
    spec.true_elo = 5;
    if (plan(t, &spec, &report)) {
        CHECK_NEAR((report.score - 0.5) / sqrt(0.125) * NELO_PER_SIGMA, 5.0, 1e-3);
    }
    spec.sprt = (SprtSpec){SPRT_BAYESIAN, 0, 20, 0.05, 0.05};
    spec.true_elo = 0;
    if (plan(t, &spec, &report)) CHECK_NEAR(report.score, 0.5, 1e-12);
}
