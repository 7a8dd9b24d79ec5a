// SPDX-License-Identifier: GPL-3.0-or-later
// Simulates fits to results alone, with true weights that are known. Tests whether the intervals
// with the prior's pull contain the true weights (errors.h), and whether the games choose a good
// prior if there are no start values (prior_size.h).
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/base/random.h"
#include "selfplay/stats/stats.h"
#include "tests/tuner/tuner_data.h"
#include "tuner/fit/errors.h"
#include "tuner/fit/prior_size.h"

#define TRUE_SD 60.0

static double normal(Random *random) {
    return sqrt(-2 * log(1 - random_real(random))) * cos(2 * M_PI * random_real(random));
}

typedef struct Simulation {
    int terms, rows;
    int game_rows; // rows of a game, which share a result
    double wide;   // factor of the standard deviation of every other term; 0 counts as 1
    double *truth; // [2 * terms]
    RowSet set;
} Simulation;

static void simulation_clear(Simulation *s) {
    free(s->truth);
    row_set_clear(&s->set);
}
AUTO_VALUE(Simulation, simulation_clear)

// Adds a row. The first term occurs in half of the rows, the last one in 1 of 500, and those
// between with frequencies between these. Returns the true score.
static double add_row(Simulation *s, RowPart *part, Random *random, double result, int row) {
    AUTO_FREE int64_t *index = memory_alloc((size_t)s->terms, sizeof *index);
    AUTO_FREE double *value = memory_alloc((size_t)s->terms, sizeof *value);
    const double phase = (double)random_below(random, 25);
    double score = 0;
    size_t count = 0;
    for (int term = 0; term < s->terms; term++) {
        if (random_real(random) > 0.5 * pow(0.004, term / (s->terms - 1.0))) continue;
        index[count] = term;
        value[count] = random_next(random) >> 63 ? 1 : -1;
        score += value[count] * (phase / 24 * s->truth[2 * (size_t)term] +
                                 (1 - phase / 24) * s->truth[2 * (size_t)term + 1]);
        count++;
    }
    const double expected = loss_expected_points(LOSS_USUAL_K * score);
    const RowHead head = {
        .phase = (float)phase, .result = result < expected ? 1 : 0, .score_red = SCORE_UNKNOWN};
    const RowGame game = {.id = (uint64_t)(row / s->game_rows),
                          .split = (uint64_t)(row / s->game_rows)};
    row_part_add_entries(part, s->terms, index, value, count, 0, &head, &game);
    return score;
}

// Draws true weights with the standard deviation TRUE_SD (of every other term, times s->wide)
// around 0, and rows with their results. One random number decides the results of all rows of a
// game.
static void simulate(Simulation *s, uint64_t seed) {
    Random random;
    RowPart part = {0};
    double luck = 0;
    random_init(&random, seed, 0);
    s->truth = memory_alloc(2 * (size_t)s->terms, sizeof *s->truth);
    for (int i = 0; i < 2 * s->terms; i++) {
        s->truth[i] = (i / 2 % 2 && s->wide > 0 ? s->wide : 1) * TRUE_SD * normal(&random);
    }
    row_set_init(&s->set, s->terms, 24);
    s->set.chunk_rows = TEST_CHUNK;
    s->set.names = memory_alloc((size_t)s->terms, sizeof *s->set.names);
    for (int i = 0; i < s->terms; i++) snprintf(s->set.names[i], TERM_NAME_SIZE, "t%d", i);
    for (int row = 0; row < s->rows; row++) {
        if (row % s->game_rows == 0) luck = random_real(&random);
        add_row(s, &part, &random, luck, row);
    }
    row_set_append(&s->set, &part);
    row_part_clear(&part);
    row_set_finish(&s->set);
}

// Shares that the games decided, in four classes, and what was counted in each.
enum { CLASSES = 4 };
static const double class_end[CLASSES] = {0.1, 0.3, 0.6, 1.01};
typedef struct Coverage {
    double weights[CLASSES], held[CLASSES], held_data[CLASSES], squares[CLASSES];
} Coverage;

static void count_intervals(const Simulation *s, const Fit *fit, const FitErrors *errors,
                            Coverage *coverage) {
    for (int i = 0; i < fit->n; i++) {
        const double away = fabs(fit->weights[i] - s->truth[i]);
        int class = 0;
        while (errors->decided[i] >= class_end[class]) class ++;
        coverage->weights[class]++;
        coverage->held[class] += away <= Z95 * errors->weight[i];
        coverage->held_data[class] += away <= Z95 * errors->data[i];
        coverage->squares[class] += pow(away / errors->weight[i], 2);
    }
}

// Returns the loss of the weights above that of the true weights, in the mean over new rows.
static double excess_loss(const Simulation *s, const double *weights) {
    enum { NEW_ROWS = 4000 };
    Simulation fresh = {.terms = s->terms, .game_rows = 1, .truth = s->truth};
    AUTO(RowSet) set = {0};
    AUTO_FREE double *score = memory_alloc(NEW_ROWS, sizeof *score);
    double scores[TEST_CHUNK], sum = 0;
    Random random;
    RowPart part = {0};
    random_init(&random, 4711, 1);
    row_set_init(&set, s->terms, 24);
    set.chunk_rows = TEST_CHUNK;
    for (int row = 0; row < NEW_ROWS; row++) score[row] = add_row(&fresh, &part, &random, 0.5, row);
    row_set_append(&set, &part);
    row_part_clear(&part);
    row_set_finish(&set);
    for (size_t c = 0, row = 0; c < set.chunk_count; c++) {
        loss_chunk_scores(&set, c, weights, scores);
        for (uint32_t i = 0; i < set.chunks[c].count; i++, row++) {
            const double u = LOSS_USUAL_K * score[row], v = LOSS_USUAL_K * scores[i];
            const double expected = loss_expected_points(u);
            sum += log1p(exp(-v)) - log1p(exp(-u)) + (1 - expected) * (v - u);
        }
    }
    return sum / NEW_ROWS;
}

// Fits with this prior; if `choose` is set, the games choose its size. Returns false, after a
// failed check, if the fit fails.
static bool fit_simulated(TestContext *t, const Simulation *s, double sd, bool choose, Fit *fit) {
    Err err = {0};
    FitSetup setup = fit_setup(2);
    AUTO_FREE double *start = memory_alloc(2 * (size_t)s->terms, sizeof *start);
    setup.k = LOSS_USUAL_K;
    setup.weigh = WEIGH_ROWS;
    setup.valid_fraction = 0;
    setup.prior = (PriorSetup){.sd = sd, .material_sd = sd};
    fit_init(fit, &s->set, &setup, start);
    if (choose && !CHECK_OK(prior_choose_size(fit, &err), err)) return false;
    return CHECK_OK(fit_run(fit, &err), err);
}

static void cover(TestContext *t, int terms, int rows, int game_rows, int runs, bool choose,
                  Coverage *coverage) {
    for (int run = 0; run < runs; run++) {
        AUTO(Simulation) s = {.terms = terms, .rows = rows, .game_rows = game_rows};
        AUTO(Fit) fit;
        AUTO(FitErrors) errors = {0};
        Err err = {0};
        simulate(&s, (uint64_t)run + 1);
        if (!fit_simulated(t, &s, choose ? 80 : TRUE_SD, choose, &fit)) return;
        if (!CHECK_OK(errors_of_fit(&fit, false, &errors, &err), err)) return;
        count_intervals(&s, &fit, &errors, coverage);
    }
}

// Simulates, and checks the shares of intervals that hold the true weights. If `choose` is set, the
// games choose the prior, else it is the true one.
static void check_coverage(TestContext *t, int game_rows, bool choose) {
    const int terms = t->full ? 500 : 60, rows = t->full ? 4000 : 1500, runs = t->full ? 4 : 6;
    const double least = choose ? 0.85 : 0.9, least_of_all = choose ? 0.9 : 0.925;
    // With 500 games for 1,000 weights (the long test) the errors are a little too small.
    const double most = game_rows == 1 ? 1.3 : choose ? 1.6 : 1.4;
    Coverage coverage = {0};
    double all = 0, held = 0;
    cover(t, terms, rows, game_rows, runs, choose, &coverage);
    for (int class = 0; class < CLASSES; class ++) {
        const double n = coverage.weights[class], share = coverage.held[class] / n;
        const double squares = coverage.squares[class] / n;
        all += n;
        held += coverage.held[class];
        if (t->full) {
            printf("# %d rows a game, prior %s, decided below %.1f: %g weights, %.3f held, "
                   "%.3f without pull, mean square %.2f\n",
                   game_rows, choose ? "chosen" : "true", class_end[class], n, share,
                   coverage.held_data[class] / n, squares);
        }
        if (n < 100) continue;
        CHECK_MSG(share > least, "class %d: %.3f of %g intervals hold the truth", class, share, n);
        CHECK_MSG(class < 2 || share < 0.985, "class %d: %.3f of %g intervals hold the truth",
                  class, share, n);
        CHECK_MSG(class < 3 || (squares > 0.7 && squares < most), "the mean square is %.2f",
                  squares);
        CHECK_MSG(class != 1 || coverage.held_data[class] < 0.8 * n,
                  "without the pull %.3f of %g intervals hold the truth",
                  coverage.held_data[class] / n, n);
    }
    if (t->full && !choose) printf("outside_%d_rows %.1f\n", game_rows, 100 * (1 - held / all));
    CHECK_MSG(held > least_of_all * all, "%g of %g intervals hold the truth", held, all);
}

// If the prior is right, the intervals with its pull contain the true weights in 95 % of the cases,
// also of weights that the games hardly decided; without it they contain few of these. In some
// cases the rows of a game share its result, or the games choose the prior.
void test_tuner_pull_coverage(TestContext *t) {
    for (int game_rows = 1; game_rows <= 8; game_rows += 7) {
        check_coverage(t, game_rows, false);
        check_coverage(t, game_rows, true);
    }
}

// The true weights of every other term have twice the standard deviation of the prior. If these
// terms are a kind of their own (Prior.kind), the intervals of both kinds contain the true weights.
// With one factor for both kinds, the intervals of the second kind are too narrow.
void test_tuner_pull_kinds(TestContext *t) {
    enum { TERMS = 80, RUNS = 4 };
    double squares[2] = {0}, held[2] = {0};
    for (int run = 0; run < RUNS; run++) {
        AUTO(Simulation) s = {.terms = TERMS, .rows = 4000, .game_rows = 1, .wide = 2};
        AUTO(Fit) fit;
        AUTO(FitErrors) errors = {0};
        Err err = {0};
        simulate(&s, (uint64_t)run + 1);
        if (!fit_simulated(t, &s, TRUE_SD, false, &fit)) return;
        fit.prior.kinds = 2;
        for (int i = 0; i < fit.n; i++) fit.prior.kind[i] = i / 2 % 2;
        if (!CHECK_OK(errors_of_fit(&fit, false, &errors, &err), err)) return;
        for (int i = 0; i < fit.n; i++) {
            const double away = fabs(fit.weights[i] - s.truth[i]) / errors.weight[i];
            held[i / 2 % 2] += (away <= Z95) / (double)(TERMS * RUNS);
            squares[i / 2 % 2] += away * away / (TERMS * RUNS);
        }
    }
    for (int kind = 0; kind < 2; kind++) {
        if (t->full) {
            printf("# kind %d: %.3f held, mean square %.2f\n", kind, held[kind], squares[kind]);
        }
        CHECK_MSG(held[kind] > 0.9 && held[kind] < 0.985, "kind %d: %.3f of the intervals hold",
                  kind, held[kind]);
        CHECK_MSG(squares[kind] > 0.7 && squares[kind] < 1.4, "kind %d: the mean square is %.2f",
                  kind, squares[kind]);
    }
}

// Without start values, the games find the size of the weights within 15 %, from a first guess
// that is 80 or far away. The loss is then below that of zeros, that of a wide prior, and nearly
// that of the right prior.
void test_tuner_prior_size(TestContext *t) {
    const int terms = t->full ? 500 : 60, rows = t->full ? 4000 : 800;
    AUTO(Simulation) s = {.terms = terms, .rows = rows, .game_rows = 1};
    AUTO_FREE double *zeros = memory_alloc(2 * (size_t)terms, sizeof *zeros);
    simulate(&s, 99);
    double loss[2];
    for (int wide = 0; wide < 2; wide++) {
        AUTO(Fit) fit;
        if (!fit_simulated(t, &s, wide ? 1e4 : TRUE_SD, false, &fit)) return;
        loss[wide] = excess_loss(&s, fit.weights);
    }
    const double none = excess_loss(&s, zeros);
    for (double guess = 8; guess < 1e3; guess *= 10) {
        AUTO(Fit) fit;
        if (!fit_simulated(t, &s, guess, true, &fit)) return;
        const double sd = fit.setup.prior.sd, chosen = excess_loss(&s, fit.weights);
        if (t->full) {
            printf("# loss above the truth: %.4f with the prior %.1f of the games, %.4f with %g, "
                   "%.4f with 10000, %.4f with zeros\n",
                   chosen, sd, loss[0], TRUE_SD, loss[1], none);
        }
        CHECK_MSG(sd > 0.85 * TRUE_SD && sd < 1.15 * TRUE_SD, "from %g: the games chose %.1f",
                  guess, sd);
        CHECK_MSG(chosen < 1.15 * loss[0], "%.4f above the truth instead of %.4f", chosen, loss[0]);
        CHECK_MSG(chosen < loss[1] / 2 && chosen < none / 2, "%.4f, wide %.4f, zeros %.4f", chosen,
                  loss[1], none);
    }
}
