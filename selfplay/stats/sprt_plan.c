// SPDX-License-Identifier: GPL-3.0-or-later
#include "selfplay/stats/sprt.h"

#include <math.h>
#include <stdatomic.h>

#include "core/base/memory.h"
#include "core/base/random.h"
#include "core/system/interrupt.h"

// Smallest probability of an outcome, before the probabilities are divided by their sum. Every
// outcome must be possible.
static const double least_weight = 1e-9;
const int plan_quantiles[PLAN_QUANTILE_COUNT] = {5, 25, 50, 75, 95, 99};
// A test with fewer pairs or games than this always computes the exact LLR.
enum { EXACT_PAIRS = 100 };

// Data that all simulated tests share.
typedef struct Simulation {
    const PlanSpec *spec;
    int kinds;                       // number of possible outcomes of a sample (pair or game)
    int games_per_sample;            // games in a sample: 2 if it is a pair, 1 if it is a game
    double cumulative[OUTCOMES_MAX]; // cumulative probabilities of the `kinds` outcomes
    double near_lower, near_upper;   // if the approximate LLR lies between these values, the exact
                                     // LLR lies between the bounds of the test and is not computed
    double first, second; // hypotheses H0 and H1 for the approximate LLR: t values (normalized
                          // model) or mean scores (logistic model); unused in a Bayesian test
} Simulation;

typedef struct SimulatedTest {
    long long games;
    SprtDecision decision;
} SimulatedTest;

// State of a simulated test: counts of results for the exact LLR (log likelihood ratio), and sums
// of scores for the approximate LLR.
typedef struct Running {
    MatchCounts counts;
    double size, sum, squares;
} Running;

static void even_games(int kinds, double draw_ratio, Sample *sample) {
    const double game[GAME_OUTCOMES] = {0.5 * (1.0 - draw_ratio), draw_ratio,
                                        0.5 * (1.0 - draw_ratio)};
    double weights[OUTCOMES_MAX] = {0};
    for (int i = 0; i < GAME_OUTCOMES; i++) {
        if (kinds == GAME_OUTCOMES) weights[i] = game[i];
        for (int k = 0; kinds == PAIR_OUTCOMES && k < GAME_OUTCOMES; k++) {
            weights[i + k] += game[i] * game[k];
        }
    }
    for (int i = 0; i < kinds; i++) weights[i] = fmax(weights[i], least_weight);
    sample_from_weights(sample, kinds, weights);
}

// Computes the distribution from which all tests take random outcomes, as cumulative probabilities,
// and its mean score.
static Status true_distribution(Simulation *simulation, double *score, Err *err) {
    const PlanSpec *spec = simulation->spec;
    const SprtModel model = spec->sprt.model;
    Sample sample;
    if (spec->pilot) {
        TRY(sprt_sample(&spec->sprt, spec->pilot, &sample, err));
    } else {
        even_games(model == SPRT_BAYESIAN ? GAME_OUTCOMES : PAIR_OUTCOMES, spec->draw_ratio,
                   &sample);
    }
    double ratio[OUTCOMES_MAX], sum = 0.0;
    TRY(sprt_fit(model, &sample, spec->true_elo, ratio, err));
    simulation->kinds = sample.kinds;
    simulation->games_per_sample = sample.kinds == PAIR_OUTCOMES ? 2 : 1;
    *score = 0.0;
    for (int i = 0; i < sample.kinds; i++) {
        sum += sample.p[i] / ratio[i];
        *score += sample.p[i] / ratio[i] * sample_score(&sample, i);
        simulation->cumulative[i] = sum;
    }
    *score /= sum;
    for (int i = 0; i < sample.kinds; i++) simulation->cumulative[i] /= sum;
    return STATUS_OK;
}

static Status prepare(const PlanSpec *spec, Simulation *simulation, double *score, Err *err) {
    *simulation = (Simulation){.spec = spec};
    TRY(sprt_check(&spec->sprt, err));
    if (!(fabs(spec->true_elo) <= SPRT_ELO_MAX)) {
        return err_set(err, STATUS_USAGE, "the true Elo %g must be within +-%g", spec->true_elo,
                       SPRT_ELO_MAX);
    }
    TRY(true_distribution(simulation, score, err));
    const SprtSpec *sprt = &spec->sprt;
    const bool normalized = sprt->model == SPRT_NORMALIZED;
    const double per_nelo = sample_t_per_nelo(&(Sample){.kinds = simulation->kinds});
    simulation->first = normalized ? sprt->elo0 * per_nelo : score_from_elo(sprt->elo0);
    simulation->second = normalized ? sprt->elo1 * per_nelo : score_from_elo(sprt->elo1);
    // The approximate LLR is accurate only for hypotheses near 0 Elo. The farther a hypothesis is
    // from 0, the narrower is therefore the range from near_lower to near_upper, in which the exact
    // LLR is not computed. A unit test compares the results with those of a simulation that always
    // computes the exact LLR (every_pair_exact).
    const double size = fmax(fabs(sprt->elo0), fabs(sprt->elo1)) * M_SQRT2 / NELO_PER_SIGMA;
    const double trust = fmax(0.0, 0.9 - size);
    simulation->near_lower = trust * sprt_lower(sprt);
    simulation->near_upper = trust * sprt_upper(sprt);
    return STATUS_OK;
}

static void draw_outcome(const Simulation *simulation, Random *random, Running *running) {
    const double u = random_real(random);
    int outcome = 0;
    while (outcome < simulation->kinds - 1 && u >= simulation->cumulative[outcome]) outcome++;
    const double score = (double)outcome / (simulation->kinds - 1);
    running->size += 1.0;
    running->sum += score;
    running->squares += score * score;
    MatchCounts *counts = &running->counts;
    if (simulation->kinds == PAIR_OUTCOMES) {
        counts->penta[outcome]++;
    } else {
        counts->losses += outcome == 0;
        counts->draws += outcome == 1;
        counts->wins += outcome == 2;
    }
}

// Returns an approximation of the log likelihood ratio by a closed-form formula (LLR_normalized_alt
// and LLR_alt2 of fishtest).
static double approximate_llr(const Simulation *simulation, const Running *running) {
    const double mean = running->sum / running->size;
    const double variance = running->squares / running->size - mean * mean;
    const double first = simulation->first, second = simulation->second;
    if (simulation->spec->sprt.model == SPRT_NORMALIZED) {
        const double t = (mean - 0.5) / sqrt(variance);
        return 0.5 * running->size *
               log((1.0 + (t - first) * (t - first)) / (1.0 + (t - second) * (t - second)));
    }
    return 0.5 * running->size * (second - first) * (2.0 * mean - first - second) / variance;
}

// Returns true if the approximate LLR shows that the test continues, so that the exact LLR need not
// be computed.
static bool clearly_between(const Simulation *simulation, const Running *running) {
    if (simulation->spec->every_pair_exact || running->size < EXACT_PAIRS ||
        simulation->spec->sprt.model == SPRT_BAYESIAN) {
        return false;
    }
    const double llr = approximate_llr(simulation, running);
    return llr > simulation->near_lower && llr < simulation->near_upper;
}

static Status simulate(const Simulation *simulation, uint64_t index, SimulatedTest *test,
                       Err *err) {
    Random random;
    random_init(&random, simulation->spec->seed, index);
    Running running = {.counts = {.has_pairs = simulation->kinds == PAIR_OUTCOMES,
                                  .has_games = simulation->kinds == GAME_OUTCOMES}};
    *test = (SimulatedTest){.decision = SPRT_CONTINUE};
    while (test->decision == SPRT_CONTINUE && (uint64_t)test->games < simulation->spec->max_games) {
        draw_outcome(simulation, &random, &running);
        test->games += simulation->games_per_sample;
        if (clearly_between(simulation, &running)) continue;
        SprtReport report;
        TRY(sprt_report(&simulation->spec->sprt, &running.counts, &report, err));
        test->decision = report.decision;
    }
    if (simulation->spec->final) simulation->spec->final[index] = running.counts;
    return STATUS_OK;
}

static int compare_games(const void *a, const void *b) {
    const long long left = ((const SimulatedTest *)a)->games,
                    right = ((const SimulatedTest *)b)->games;
    return (left > right) - (left < right);
}

static void summarise(SimulatedTest *tests, int count, PlanReport *report) {
    long long games = 0;
    for (int i = 0; i < count; i++) {
        report->accepted_h0 += tests[i].decision == SPRT_ACCEPT_H0;
        report->accepted_h1 += tests[i].decision == SPRT_ACCEPT_H1;
        games += tests[i].games;
    }
    report->runs = count;
    report->unfinished = count - report->accepted_h0 - report->accepted_h1;
    report->mean_games = (double)games / count;
    qsort(tests, (size_t)count, sizeof *tests, compare_games);
    for (int i = 0; i < PLAN_QUANTILE_COUNT; i++) {
        // Nearest-rank quantile: the value of rank ceil(count * percent / 100), counted from 1.
        const int rank = (int)(((long long)count * plan_quantiles[i] + 99) / 100);
        report->games[i] = tests[rank - 1].games;
    }
}

Status sprt_plan(const PlanSpec *spec, PlanReport *report, Progress *progress, Err *err) {
    Simulation simulation;
    *report = (PlanReport){0};
    TRY(prepare(spec, &simulation, &report->score, err));
    Status status = STATUS_OK;
    AUTO_FREE SimulatedTest *tests = memory_alloc((size_t)spec->runs, sizeof *tests);
    atomic_bool failed = false;
    uint64_t done = 0;
#pragma omp parallel for schedule(dynamic, 1) num_threads(spec->threads)
    for (int i = 0; i < spec->runs; i++) {
        if (failed || interrupt_requested()) continue;
        Err own = {0};
        const Status outcome = simulate(&simulation, (uint64_t)i, &tests[i], &own);
#pragma omp critical(sprt_plan)
        {
            if (outcome != STATUS_OK && !failed) {
                failed = true;
                status = err_set(err, outcome, "%s", own.text);
            }
            done++;
            if (progress) progress_update(progress, done, NULL);
        }
    }
    if (progress) progress_finish(progress, done, NULL);
    if (status == STATUS_OK && interrupt_requested()) {
        status = err_set(err, STATUS_INTERRUPTED, "interrupted after %llu of %d simulated SPRTs",
                         (unsigned long long)done, spec->runs);
    }
    if (status == STATUS_OK) summarise(tests, spec->runs, report);
    return status;
}

void sprt_plan_record(Record *record, const PlanSpec *spec, const PlanReport *report) {
    const double runs = report->runs, passed = report->accepted_h1 / runs;
    const int digits = REPORT_DIGITS;
    record_add(record,
               "true_elo %.*g score %.*g runs %d accept_h1 %.*g accept_h1_error95 %.4g "
               "accept_h0 %.*g unfinished %.*g games_mean %.*g",
               digits, spec->true_elo, digits, report->score, report->runs, digits, passed,
               1.96 * sqrt(passed * (1.0 - passed) / runs), digits, report->accepted_h0 / runs,
               digits, report->unfinished / runs, digits, report->mean_games);
    for (int i = 0; i < PLAN_QUANTILE_COUNT; i++) {
        char key[16];
        snprintf(key, sizeof key, "games_p%d", plan_quantiles[i]);
        record_add(record, "%s %lld", key, report->games[i]);
    }
}
