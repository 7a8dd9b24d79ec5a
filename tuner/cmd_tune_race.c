// SPDX-License-Identifier: GPL-3.0-or-later
// paotai tune --race: the exact optimum against iteration towards it.
#include <math.h>
#include <string.h>

#include "core/base/interrupt.h"
#include "core/base/json.h"
#include "core/base/memory.h"
#include "tuner/cmd_tune.h"

// How near the optimum counts as there, relative to its loss.
static const double newton_near = 1e-9, adam_near = 1e-6;
static const double learning_rates[] = {1, 3, 10, 30, 100}; // units a step
enum { RATES = sizeof learning_rates / sizeof *learning_rates };

// One runner: stops at the goal or when its time is up.
typedef struct Runner {
    double goal, limit_s;
    double reached_s; // NAN: never
    double value;
    int iterations;
} Runner;

static bool watch(void *context, const OptimiserStep *step) {
    Runner *runner = context;
    runner->value = step->value;
    runner->iterations = step->iteration;
    if (step->value <= runner->goal) {
        runner->reached_s = step->time_s;
        return false;
    }
    return step->time_s < runner->limit_s && !interrupt_requested();
}

static void print_runner(const CommandCall *call, const char *name, double rate, double near,
                         const Runner *runner, double optimum) {
    const TuneSettings *settings = call->settings;
    if (!settings->json) {
        fprintf(call->out, "%-7s %6g %8g %10d %12.3e ", name, rate, near, runner->iterations,
                runner->value / optimum - 1.0);
        if (isnan(runner->reached_s)) {
            fprintf(call->out, "  not in %g s\n", runner->limit_s);
        } else {
            fprintf(call->out, "%10.3f s\n", runner->reached_s);
        }
        fflush(call->out);
        return;
    }
    Record record;
    record_begin(&record, call->out, true);
    record_text(&record, "runner", name);
    record_real(&record, "learning_rate", rate, 3);
    record_real(&record, "near", near, 12);
    record_int(&record, "iterations", runner->iterations);
    record_real(&record, "excess", runner->value / optimum - 1.0, 12);
    record_real(&record, "seconds", runner->reached_s, 3);
    record_end(&record);
}

static Status run(FitProblem *problem, const double *start, Runner *runner, Err *err) {
    const size_t n = 2 * (size_t)problem->rows->pairs;
    double *weights = memory_alloc(n, sizeof *weights);
    OptimiserResult result;
    memcpy(weights, start, n * sizeof *weights);
    problem->options.max_iterations = 100000000;
    problem->options.report = watch;
    problem->options.report_context = runner;
    runner->reached_s = NAN;
    const Status status = fit_minimise(problem, weights, NULL, NULL, &result, err);
    free(weights);
    return status;
}

// The optimum, by Newton until nothing moves any more; then everybody from the start again.
static Status race(const CommandCall *call, FitProblem *problem, const double *start, Err *err) {
    const TuneSettings *settings = call->settings;
    Runner runner = {.goal = -INFINITY, .limit_s = INFINITY};
    problem->optimiser = OPTIMISER_NEWTON;
    problem->options.tolerance = 1e-15;
    Status status = run(problem, start, &runner, err);
    if (status != STATUS_OK) return status;
    const double optimum = runner.value;
    problem->options.tolerance = -1.0; // only the goal ends a run
    runner = (Runner){.goal = optimum * (1.0 + newton_near), .limit_s = settings->race};
    status = run(problem, start, &runner, err);
    if (status != STATUS_OK) return status;
    print_runner(call, "newton", 0, newton_near, &runner, optimum);
    const double newton_s = runner.reached_s;
    double best = INFINITY;
    problem->optimiser = OPTIMISER_ADAM;
    for (int i = 0; i < RATES && !interrupt_requested(); i++) {
        problem->options.learning_rate = learning_rates[i];
        runner = (Runner){.goal = optimum * (1.0 + adam_near), .limit_s = settings->race};
        status = run(problem, start, &runner, err);
        if (status != STATUS_OK) return status;
        print_runner(call, "adam", learning_rates[i], adam_near, &runner, optimum);
        best = fmin(best, isnan(runner.reached_s) ? INFINITY : runner.reached_s);
    }
    Record record;
    record_begin(&record, call->out, settings->json);
    record_int(&record, "positions", (long long)problem->rows->count);
    record_real(&record, "optimum", optimum, 12);
    record_real(&record, "newton_seconds", newton_s, 3);
    record_real(&record, "adam_seconds", best, 3);
    record_real(&record, "ratio", best / newton_s, 2);
    record_end(&record);
    return STATUS_OK;
}

Status tune_race(const CommandCall *call, const FitSetup *setup, const RowSet *rows,
                 const Prior *prior, const double *start, Err *err) {
    double *weight = fit_part_weights(rows, setup, PART_TRAIN);
    FitProblem problem = {.rows = rows,
                          .prior = prior,
                          .frozen = setup->frozen,
                          .loss = fit_loss_setup(setup, weight)};
    Status status = fit_check_rows(rows, err);
    if (status == STATUS_OK) status = loss_fit_slopes(rows, &problem.loss, start, err);
    if (status == STATUS_OK) status = race(call, &problem, start, err);
    free(weight);
    return status;
}
