// SPDX-License-Identifier: GPL-3.0-or-later
// Tests SPSA without games: step sizes, limits of the values, and a noisy quadratic function with a
// known optimum.
#include "tuner/spsa/spsa.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/base/random.h"
#include "core/search/search_params.h"
#include "tests/test.h"

static SpsaSpec spec_of(const char *const *params, int count, int iterations) {
    SpsaSpec spec = {.iterations = iterations,
                     .pairs = 1,
                     .a_ratio = 0.1,
                     .alpha = 0.602,
                     .gamma = 0.101,
                     .seed = 1};
    Err err = {0};
    for (int i = 0; i < count; i++) spsa_add_param(&spec, params[i], 0.02, &err);
    return spec;
}

// spsa_c() returns c_t = c / t^gamma. spsa_gain() returns a_t / c_t, where a_t = a / (A + t)^alpha.
// t is the number of the first pair of games of an iteration, as in fishtest's worker. In the last
// of 1000 iterations, c_t must be the requested c_end = 10, and a_t / c_t must be r_end * c_end =
// 0.02 * 10. The expected values of the first iteration were computed by hand.
void test_spsa_gains(TestContext *t) {
    static const char *const params[] = {"x,0,-500,500,10"};
    const SpsaSpec spec = spec_of(params, 1, 1000);
    CHECK_INT(spec.count, 1);
    CHECK_NEAR(spsa_c(&spec, 0, 1000), 10.0, 1e-12);
    CHECK_NEAR(spsa_gain(&spec, 0, 1000), 0.2, 1e-12);
    // The c_t of the first iteration: c_1 = c_end * 1000^gamma with gamma = 0.101.
    CHECK_NEAR(spsa_c(&spec, 0, 1), 20.09092813, 1e-8);
    // a_1 / c_1 with a_1 = r_end * c_end^2 * ((A + 1000) / (A + 1))^alpha; A = 100, alpha = 0.602.
    CHECK_NEAR(spsa_gain(&spec, 0, 1), 0.41912824, 1e-7);
    // With 8 pairs per iteration, iteration 26 begins with pair 201. Its c_t and a_t equal those of
    // iteration 201 with one pair per iteration.
    SpsaSpec eights = spec_of(params, 1, 125);
    eights.pairs = 8;
    CHECK_NEAR(spsa_c(&eights, 0, 26), spsa_c(&spec, 0, 201), 1e-12);
    CHECK_NEAR(spsa_gain(&eights, 0, 26), spsa_gain(&spec, 0, 201), 1e-12);
}

void test_spsa_params(TestContext *t) {
    static const struct {
        const char *text, *word;
    } bad[] = {{"nonsense", "no search parameter"},
               {"lmr_cuts", "is now called lmr_cutoff_count"},
               {"x,1,2", "name,start,min,max,c"},
               {"x,1,0,5,1,1,1", "name,start,min,max,c"},
               {"x,9,0,5,1", "start 9 is outside"},
               {"x,1,5,0,1", "not below"},
               {"x,1,0,5,0", "c"},
               {"x,a,0,5,1", "start"},
               {"x,1,0.5,5,1", "integers"},
               {",1,0,5,1", "name"},
               {"y,1,0,5,1", "twice"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        SpsaSpec spec = {.iterations = 10};
        Err err = {0};
        CHECK(spsa_add_param(&spec, "y,1,0,5,1,0.5", 0.1, &err) == STATUS_OK);
        CHECK_NEAR(spec.params[0].r_end, 0.5, 0);
        CHECK_INT(spsa_add_param(&spec, bad[i].text, 0.1, &err), STATUS_USAGE);
        CHECK_MSG(strstr(err.text, bad[i].word) != NULL, "'%s': %s", bad[i].text, err.text);
        CHECK_INT(spec.count, 1);
    }
    SpsaSpec spec = {.iterations = 10};
    Err err = {0};
    CHECK(spsa_add_param(&spec, "all", 0.1, &err) == STATUS_OK);
    CHECK_INT(spec.count, SEARCH_PARAM_COUNT);
    CHECK_NEAR(spec.params[1].start, search_param_rows[1].value, 0);
}

// Tests the two sets of values that play in an iteration, theta + c_t and theta - c_t, rounded at
// random. Over many iterations the mean of the rounded values is theta, and the two sets differ by
// at least 2 c_end on average. No value leaves its range. The same iteration always gives the same
// sets.
void test_spsa_perturbation(TestContext *t) {
    static const char *const params[] = {"x,3.3,-500,500,0.4", "y,0,0,5,2"};
    const SpsaSpec spec = spec_of(params, 2, 20000);
    const double theta[] = {3.3, 0.1};
    double mean = 0, apart = 0;
    bool inside = true;
    for (int k = 1; k <= spec.iterations; k++) {
        long long plus[2], minus[2], again[2], ignored[2];
        spsa_perturb(&spec, theta, k, plus, minus);
        spsa_perturb(&spec, theta, k, again, ignored);
        inside = inside && plus[1] >= 0 && plus[1] <= 5 && minus[1] >= 0 && minus[1] <= 5 &&
                 again[0] == plus[0];
        mean += (double)(plus[0] + minus[0]) / 2;
        apart += fabs((double)(plus[0] - minus[0]));
    }
    CHECK(inside);
    CHECK_NEAR(mean / spec.iterations, 3.3, 0.01);
    CHECK(apart / spec.iterations > 0.8);
}

// Returns the Elo of parameter values: 0 at the optimum `top`, minus 40 times the square of each
// parameter's distance from it in units of `width`.
static double hill(const long long *x, const double *top, const double *width, int count) {
    double elo = 0;
    for (int i = 0; i < count; i++) {
        const double away = ((double)x[i] - top[i]) / width[i];
        elo -= 40.0 * away * away;
    }
    return elo;
}

// Plays simulated games between players that differ by `elo`; a third of the games are draws.
static MatchCounts play(double elo, int pairs, Random *random) {
    const double score = 1 / (1 + pow(10, -elo / 400)), win = fmax(0, score - 1.0 / 6);
    MatchCounts counts = {.has_pairs = true, .has_games = true};
    for (int pair = 0; pair < pairs; pair++) {
        int points = 2; // half points of the pair
        for (int game = 0; game < 2; game++) {
            const double u = random_real(random);
            const int result = u < win ? 1 : u < win + 1.0 / 3 ? 0 : -1;
            counts.wins += result > 0;
            counts.losses += result < 0;
            counts.draws += result == 0;
            points += result;
        }
        counts.penta[points]++;
    }
    return counts;
}

// A synthetic player: hill() without the parameters from `acting` on, which have no effect. If
// `turn` is not 0, the parameters act together: each pair adds -80 * turn * the product of their
// distances from the optimum, so that the ridge of the hill runs across the parameters.
typedef struct Hill {
    const double *top, *width;
    int acting;
    double turn;
} Hill;

static double elo_of(const Hill *player, const long long *x) {
    double elo = hill(x, player->top, player->width, player->acting);
    for (int i = 0; i < player->acting; i++) {
        for (int j = 0; j < i; j++) {
            elo -= 80 * player->turn * ((double)x[i] - player->top[i]) / player->width[i] *
                   ((double)x[j] - player->top[j]) / player->width[j];
        }
    }
    return elo;
}

// Appends the result of a simulated match of two sets of values to the trace.
static void add_played(const Hill *player, SpsaRow *row, const long long *a, const long long *b,
                       int pairs, Random *random, SpsaTrace *trace) {
    const MatchCounts counts = play(elo_of(player, a) - elo_of(player, b), pairs, random);
    row->wins = counts.wins;
    row->losses = counts.losses;
    row->draws = counts.draws;
    memcpy(row->penta, counts.penta, sizeof row->penta);
    spsa_trace_add(trace, row);
}

// Runs SPSA with simulated games: probes with `probe_pairs` pairs, the iterations, and the match of
// the result against the start values. The caller frees the trace with spsa_trace_clear().
static SpsaTrace climb_with(const SpsaSpec *spec, const Hill *player, int probe_pairs,
                            int check_pairs) {
    SpsaTrace trace = {0};
    SpsaRow row = {0};
    Random random;
    long long a[SPSA_PARAMS_MAX], start[SPSA_PARAMS_MAX];
    double result[SPSA_PARAMS_MAX];
    random_init(&random, 77, spec->seed);
    for (int i = 0; i < spec->count; i++) {
        row.theta[i] = spec->params[i].start;
        start[i] = spsa_round(spec->params[i].start);
    }
    spsa_trace_add(&trace, &row);
    for (int probe = 0; probe_pairs && probe < 2 * spec->count; probe++) {
        const SpsaParam *param = &spec->params[probe / 2];
        SpsaRow ended = {.iteration = -1 - probe};
        memcpy(a, start, sizeof a);
        a[probe / 2] = (long long)(probe % 2 ? param->max : param->min);
        add_played(player, &ended, a, start, probe_pairs, &random, &trace);
    }
    for (int k = 1; k <= spec->iterations; k++) {
        long long plus[SPSA_PARAMS_MAX], minus[SPSA_PARAMS_MAX];
        const MatchCounts counts =
            (spsa_perturb(spec, row.theta, k, plus, minus),
             play(elo_of(player, plus) - elo_of(player, minus), spec->pairs, &random));
        row.iteration = k;
        row.wins = counts.wins;
        row.losses = counts.losses;
        row.draws = counts.draws;
        spsa_update(spec, row.theta, k, (double)(row.wins - row.losses));
        spsa_trace_add(&trace, &row);
    }
    spsa_result(spec, &trace, result);
    for (int i = 0; i < spec->count; i++) a[i] = spsa_round(result[i]);
    trace.check = play(elo_of(player, a) - elo_of(player, start), check_pairs, &random);
    return MOVE(trace);
}

static SpsaTrace climb(const SpsaSpec *spec, const double *top, const double *width) {
    return climb_with(spec, &(Hill){top, width, spec->count, 0}, 0, 0);
}

// A verdict needs ten iterations. Before, each parameter is undecided, and no number is claimed.
void test_spsa_few_iterations(TestContext *t) {
    static const char *const params[] = {"x,0,-500,800,20"};
    static const double top[] = {200}, width[] = {200};
    for (int iterations = 1; iterations <= 10; iterations++) {
        const SpsaSpec spec = spec_of(params, 1, iterations);
        AUTO(SpsaTrace) trace = climb(&spec, top, width);
        spsa_judge(&spec, &trace);
        const SpsaVerdict *verdict = &trace.verdicts[0];
        const bool few = strcmp(verdict->text, "undecided: too few iterations") == 0;
        CHECK_MSG(few == (iterations < 10), "%d iterations: %s", iterations, verdict->text);
        CHECK(few == isnan(verdict->missing_high) && few == isnan(verdict->range_high));
        CHECK(!few || verdict->word == SPSA_UNDECIDED);
    }
}

// A parameter whose optimum lies outside its range ends at the edge of the range.
void test_spsa_edge(TestContext *t) {
    static const char *const params[] = {"x,50,0,60,2", "y,50,0,100,2"};
    static const double top[] = {200, 50}, width[] = {20, 20};
    SpsaSpec spec = spec_of(params, 2, 300);
    spec.pairs = 8;
    AUTO(SpsaTrace) trace = climb(&spec, top, width);
    spsa_judge(&spec, &trace);
    CHECK_INT(trace.verdicts[0].word, SPSA_EDGE);
    CHECK(trace.verdicts[1].word != SPSA_EDGE);
}

// Compares the shares of equal and reversed values with counts of the values that play. theta moves
// over all fractions. The numbers of C 0.2 and 0.5 were also computed by hand.
void test_spsa_shares(TestContext *t) {
    static const struct {
        double c, equal, reversed;
    } rows[] = {{0.2, 0.53867, 0.036}, {0.5, 1.0 / 6, 0}, {1, 0, 0}, {7, 0, 0}};
    for (size_t row = 0; row < sizeof rows / sizeof *rows; row++) {
        enum { COUNT = 20000 };
        char text[40];
        const char *const params[] = {text};
        double equal, reversed;
        int same = 0, turned = 0;
        snprintf(text, sizeof text, "x,0,-90000,90000,%g", rows[row].c);
        SpsaSpec spec = spec_of(params, 1, COUNT);
        spec.gamma = 0; // the perturbation is C in all iterations
        for (int k = 1; k <= COUNT; k++) {
            const double theta = k * 0.61803398875;
            long long plus, minus, up;
            spsa_perturb(&spec, &theta, k, &plus, &minus);
            double moved = theta;
            spsa_update(&spec, &moved, k, 1);
            up = moved > theta ? plus - minus : minus - plus;
            same += up == 0;
            turned += up < 0;
        }
        spsa_shares(rows[row].c, &equal, &reversed);
        CHECK_NEAR(equal, rows[row].equal, 1e-3);
        CHECK_NEAR(reversed, rows[row].reversed, 1e-3);
        CHECK_NEAR(equal, (double)same / COUNT, 0.015);
        CHECK_NEAR(reversed, (double)turned / COUNT, 0.015);
    }
}

// Each of three parameters starts 10 c_end away from its optimum, which costs 50 Elo (c_end: size
// of the perturbation at the end). With the defaults, 8,000 pairs bring all three to within 10 Elo
// of the optimum in each of 20 runs. With an eighth of the default r_end they stay more than 30 Elo
// away.
void test_spsa_reaches_the_top(TestContext *t) {
    enum { COUNT = 3, RUNS = 20 };
    static const char *const params[] = {"a,0,-500,800,20", "b,400,-200,900,20", "c,2,-50,80,3"};
    static const double top[COUNT] = {200, 200, 32};
    // In hill(), a parameter that is `width` away from its optimum costs 40 Elo. With the widths
    // below, each start value costs 50 Elo.
    const double unit = sqrt(40.0 / 50);
    const double width[SPSA_PARAMS_MAX] = {200 * unit, 200 * unit, 30 * unit};
    SpsaSpec spec = spec_of(params, COUNT, 1000);
    double worst = 0, nearest = 1e9;
    spec.pairs = 8;
    for (int run = 0; run < 2 * RUNS; run++) {
        const bool slow = run % 2;
        double left = 0;
        spec.seed = (uint64_t)run / 2 + 1;
        for (int i = 0; i < COUNT; i++) spec.params[i].r_end = slow ? 0.0025 : 0.02;
        AUTO(SpsaTrace) trace = climb(&spec, top, width);
        for (int i = 0; i < COUNT; i++) {
            const SpsaTail tail = spsa_tail(&trace, i);
            const double away = (tail.mean - top[i]) / width[i];
            left += 40 * away * away;
        }
        if (!slow) worst = fmax(worst, left);
        if (slow) nearest = fmin(nearest, left);
    }
    CHECK_MSG(worst < 10, "a run ends %.1f Elo below the top", worst);
    CHECK_MSG(nearest > 30, "a slow run ends %.1f Elo below the top", nearest);
}

// Counts of the verdicts of many runs, and of those that were false.
typedef struct Words {
    int said[SPSA_WORDS], settled_false, no_effect_false, missing_false, runs;
    int all_settled, together_false; // runs whose parameters all settled; with too much missing
    int better, better_false; // "other values are better"; with at most BETTER_FALSE_ELO missing
    double missing;           // sum of the Elo that were missing
} Words;

#define BETTER_FALSE_ELO 1.0

// Counts "other values are better". The words count as false if at most BETTER_FALSE_ELO are
// missing, because such a run need not continue.
static void count_better(const SpsaVerdict *verdict, double missing, Words *words) {
    const bool said = strstr(verdict->text, "other values are better") != NULL;
    words->better += said;
    words->better_false += said && missing <= BETTER_FALSE_ELO;
}

// Kinds of simulated parameters: the best value is 200, and its effect is 50 Elo at a distance of
// 200, or nothing.
static const struct {
    const char *name, *text;
    bool acts;
} kinds[] = {{"50 Elo away", "x,0,-500,800,20", true},
             {"at its best value", "y,200,-500,800,20", true},
             {"without effect", "z,100,-500,800,20", false}};
enum { KINDS = sizeof kinds / sizeof *kinds };

// Counts the word of a verdict, and whether it is false: `missing` Elo are missing, and the values
// of the range differ by `range` Elo.
static void count_word(const SpsaVerdict *verdict, double missing, double range, Words *words) {
    words->said[verdict->word]++;
    words->settled_false += verdict->word == SPSA_SETTLED && missing > SPSA_SETTLED_ELO;
    words->no_effect_false += verdict->word == SPSA_NO_EFFECT && range > verdict->range_high;
    words->missing_false += verdict->word == SPSA_UNDECIDED && verdict->missing_high < missing;
}

// Counts the verdict on parameter `i`, which is of this kind, in one of `runs` runs.
static void count_verdict(const SpsaTrace *trace, int i, int kind, int runs, Words *words) {
    const double width = 200 * sqrt(40.0 / 50);
    const SpsaVerdict *verdict = &trace->verdicts[i];
    const double away = (spsa_tail(trace, i).mean - 200) / width;
    const double missing = kinds[kind].acts ? 40 * away * away : 0;
    const double range = kinds[kind].acts ? 40 * pow(700 / width, 2) : 0;
    words->runs = runs;
    words->missing += missing / runs;
    count_word(verdict, missing, range, words);
    count_better(verdict, missing, words);
}

// Judges simulated runs of the parameters of kinds first..end - 1, which are tuned together. Adds
// the verdicts of each to words[kind].
static void judge_runs(int iterations, int first, int end, int runs, Words words[KINDS]) {
    const char *params[KINDS];
    double top[KINDS], width[KINDS];
    const int count = end - first;
    for (int i = 0; i < count; i++) {
        params[i] = kinds[first + i].text;
        top[i] = 200;
        width[i] = kinds[first + i].acts ? 200 * sqrt(40.0 / 50) : 1e9;
    }
    SpsaSpec spec = spec_of(params, count, iterations);
    const Hill player = {top, width, count, 0};
    spec.pairs = 8;
    for (int run = 0; run < runs; run++) {
        spec.seed = (uint64_t)run + 1;
        AUTO(SpsaTrace) trace = climb_with(&spec, &player, 100, 200);
        spsa_judge(&spec, &trace);
        for (int i = 0; i < count; i++) {
            count_verdict(&trace, i, first + i, runs, &words[first + i]);
        }
    }
}

// Each word is false in at most one of twenty runs, and most parameters without effect are named.
static void check_words(TestContext *t, const char *with, int kind, int iterations,
                        const Words *words) {
    const int *said = words->said;
    if (t->full) {
        printf(
            "# %s%s, %d iterations: settled %d (false %d), no effect %d (false %d), undecided %d, "
            "edge %d; missing %.1f Elo, beyond undecided %d; other values better %d (false %d)\n",
            kinds[kind].name, with, iterations, said[SPSA_SETTLED], words->settled_false,
            said[SPSA_NO_EFFECT], words->no_effect_false, said[SPSA_UNDECIDED], said[SPSA_EDGE],
            words->missing, words->missing_false, words->better, words->better_false);
    }
    const int most = words->runs / 20;
    CHECK_MSG(words->settled_false <= most && words->no_effect_false <= most &&
                  words->missing_false <= most && words->better_false <= most,
              "%s%s, %d iterations: %d, %d, %d and %d of %d false", kinds[kind].name, with,
              iterations, words->settled_false, words->no_effect_false, words->missing_false,
              words->better_false, words->runs);
    CHECK_MSG(kinds[kind].acts || 10 * (said[SPSA_NO_EFFECT] + said[SPSA_EDGE]) >= 8 * words->runs,
              "%d of %d are said to have no effect%s", said[SPSA_NO_EFFECT], words->runs, with);
}

// "settled" is false if more than 5 Elo are missing, and "no effect seen, up to +-X" if the true
// range of the values is larger than X. Each is false in at most one of twenty runs. Parameters
// without effect are mostly called so, and most parameters that are at their best value settle
// after 1,000 iterations. The runs take less than a second.
void test_spsa_verdicts(TestContext *t) {
    static const int iterations[] = {150, 400, 1000};
    const int runs = 100;
    for (int k = 0; k < 3; k++) {
        Words alone[KINDS] = {0}, together[KINDS] = {0};
        for (int kind = 0; kind < KINDS; kind++) {
            judge_runs(iterations[k], kind, kind + 1, runs, alone);
            check_words(t, "", kind, iterations[k], &alone[kind]);
        }
        CHECK_MSG(k < 2 || 2 * alone[1].said[SPSA_SETTLED] >= runs, "%d of %d settled",
                  alone[1].said[SPSA_SETTLED], runs);
        judge_runs(iterations[k], 0, KINDS, runs, together);
        for (int kind = 0; kind < KINDS; kind++) {
            check_words(t, ", with the other two", kind, iterations[k], &together[kind]);
        }
    }
}

// Counts the verdicts on parameters that act together. The Elo that are missing, and the true range
// of the values, are those of changes of this parameter alone, from the result. If all parameters
// of a run settled, at most SPSA_SETTLED_ELO for each may be missing together.
static void count_turned(const SpsaSpec *spec, const SpsaTrace *trace, const Hill *player,
                         Words *words) {
    double result[SPSA_PARAMS_MAX];
    long long x[SPSA_PARAMS_MAX];
    spsa_result(spec, trace, result);
    for (int i = 0; i < spec->count; i++) x[i] = spsa_round(result[i]);
    const double here = elo_of(player, x); // the best values together have 0
    bool all = true;
    for (int i = 0; i < spec->count; i++) all = all && trace->verdicts[i].word == SPSA_SETTLED;
    words->all_settled += all;
    words->together_false += all && -here > SPSA_SETTLED_ELO * spec->count;
    for (int i = 0; i < spec->count; i++) {
        const SpsaVerdict *verdict = &trace->verdicts[i];
        const long long kept = x[i];
        double best = here, worst = here;
        for (int step = 0; step <= 100; step++) {
            const SpsaParam *param = &spec->params[i];
            x[i] = (long long)(param->min + (param->max - param->min) * step / 100);
            best = fmax(best, elo_of(player, x));
            worst = fmin(worst, elo_of(player, x));
        }
        x[i] = kept;
        words->runs++;
        words->missing += best - here;
        count_word(verdict, best - here, best - worst, words);
        count_better(verdict, -here, words);
    }
}

// The verdicts are also false in at most one of twenty cases if two or three parameters act
// together, and start at different distances from their best values. "Other values are better"
// counts all parameters: a change of several may gain where a change of one does not.
void test_spsa_turned(TestContext *t) {
    static const char *const params[] = {"x,0,-500,800,20", "y,200,-500,800,20",
                                         "z,100,-500,800,20"};
    static const double top[] = {200, 200, 200}, turns[] = {0.5, 0.8, -0.4};
    static const int iterations[] = {150, 400, 1000};
    const double width[] = {200 * sqrt(0.8), 200 * sqrt(0.8), 200 * sqrt(0.8)};
    const int runs = t->full ? 100 : 20;
    for (int round = 0; round < (t->full ? 18 : 6); round++) {
        const int count = 2 + round % 2, steps = iterations[round / 6 == 0   ? 1
                                                            : round / 6 == 1 ? 2
                                                                             : 0];
        SpsaSpec spec = spec_of(params, count, steps);
        const Hill player = {top, width, count, turns[round / 2 % 3]};
        Words words = {0};
        spec.pairs = 8;
        for (int run = 0; run < runs; run++) {
            spec.seed = (uint64_t)run + 1;
            AUTO(SpsaTrace) trace = climb_with(&spec, &player, 100, 200);
            spsa_judge(&spec, &trace);
            count_turned(&spec, &trace, &player, &words);
        }
        if (t->full) {
            printf("# %d parameters, turn %.1f, %d iterations: settled %d (false %d), no effect %d "
                   "(false "
                   "%d), undecided %d (false %d), edge %d of %d; missing %.1f Elo; all settled in "
                   "%d runs (false %d); other values better %d (false %d)\n",
                   count, player.turn, steps, words.said[SPSA_SETTLED], words.settled_false,
                   words.said[SPSA_NO_EFFECT], words.no_effect_false, words.said[SPSA_UNDECIDED],
                   words.missing_false, words.said[SPSA_EDGE], words.runs,
                   words.missing / words.runs, words.all_settled, words.together_false,
                   words.better, words.better_false);
        }
        const int most = words.runs / 20;
        CHECK_MSG(words.settled_false <= most && words.no_effect_false <= most &&
                      words.missing_false <= most && words.better_false <= most &&
                      words.together_false <= runs / 20,
                  "%d parameters, turn %.1f, %d iterations: %d, %d, %d, %d and %d of %d false",
                  count, player.turn, steps, words.settled_false, words.no_effect_false,
                  words.missing_false, words.better_false, words.together_false, words.runs);
    }
}

// Probes are recorded apart from the iterations. If the start value is itself the minimum or the
// maximum, the probe of this end is recorded without games, and has no verdict.
void test_spsa_probes(TestContext *t) {
    SpsaTrace trace = {0};
    SpsaRow row = {
        .iteration = -1, .wins = 40, .losses = 120, .draws = 40, .penta = {40, 20, 30, 5, 5}};
    StrengthVerdict verdict;
    spsa_trace_add(&trace, &row);
    CHECK(spsa_probe_verdict(&trace, 0, 0, &verdict) && verdict.word == STRENGTH_WEAKER);
    for (int probe = -2; probe >= -4; probe--) {
        row = (SpsaRow){.iteration = probe};
        spsa_trace_add(&trace, &row);
    }
    CHECK(!spsa_probe_verdict(&trace, 0, 1, &verdict));
    CHECK_INT(trace.count, 0);
    CHECK_INT(trace.probe_count, 4);
    // Results of 100 games of two identical players. Every pair ends 1-1, so the variance of the
    // pairs is 0.
    row = (SpsaRow){.iteration = -5, .wins = 50, .losses = 50, .penta = {0, 0, 50, 0, 0}};
    spsa_trace_add(&trace, &row);
    Strength strength;
    strength_from_counts(&trace.probes[2][0], &strength);
    CHECK_MSG(strength.elo_error95 < 2, "the error of the Elo of identical players is %.1f",
              strength.elo_error95);
}

// Returns what spsa_print_check() prints if the result, 310 instead of 300, plays this match
// against the start values.
static char *printed_check(const MatchCounts *counts, bool json) {
    char *printed = NULL;
    size_t size;
    PlayerSetup players[MATCH_PLAYERS] = {{.threads = 1}};
    const ContestSpec match = {.kind = MATCH, .players = players};
    const SpsaRun run = {.spec = {.count = 1, .params = {{.name = "razor_margin", .start = 300}}},
                         .match = &match,
                         .dir = "run"};
    const CommandCall call = {.out = open_memstream(&printed, &size)};
    const SpsaShow show = {.call = &call, .run = &run, .json = json};
    SpsaRow rows[2] = {{.theta = {300}}, {.iteration = 1, .theta = {310}}};
    const SpsaTrace trace = {.rows = rows, .count = 2};
    spsa_print_check(&show, &trace, counts);
    fclose(call.out);
    return printed;
}

// The command that makes the result the default is printed only if the result is stronger than the
// start values.
void test_spsa_adopt(TestContext *t) {
    static const struct {
        long long penta[PAIR_OUTCOMES];
        bool stronger;
    } rows[] = {{{0, 2, 20, 20, 8}, true}, {{8, 20, 20, 2, 0}, false}, {{5, 10, 20, 10, 5}, false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        MatchCounts counts = {.has_pairs = true, .has_games = true};
        for (int k = 0; k < PAIR_OUTCOMES; k++) {
            counts.penta[k] = rows[i].penta[k];
            counts.wins += rows[i].penta[k] * (k == 4 ? 2 : k == 3);
            counts.losses += rows[i].penta[k] * (k == 0 ? 2 : k == 1);
            counts.draws += rows[i].penta[k] * (k == 2 ? 2 : k == 1 || k == 3);
        }
        for (int json = 0; json < 2; json++) {
            AUTO_FREE char *printed = printed_check(&counts, json);
            const char *line = json ? "\"adopt\":\"make adopt SEARCH=run/params.txt\""
                                    : "\nadopt make adopt SEARCH=run/params.txt\n";
            CHECK_MSG((strstr(printed, line) != NULL) == rows[i].stronger &&
                          (strstr(printed, "adopt") != NULL) == rows[i].stronger,
                      "match %zu: %s", i, printed);
        }
    }
}
