// SPDX-License-Identifier: GPL-3.0-or-later
#include "tuner/spsa/spsa.h"

#include <math.h>

#include "core/base/random.h"
#include "core/base/ranks.h"

// Gives a player of the match its parameters.
static Status set_player(const SpsaSpec *spec, const long long *values, ContestPlayer *player,
                         Err *err) {
    Status status = STATUS_OK;
    for (int i = 0; i < spec->count && status == STATUS_OK; i++) {
        char value[32];
        snprintf(value, sizeof value, "%lld", values[i]);
        status = player->spec.program
                     ? player_spec_set_option(&player->spec, spec->params[i].name, value, err)
                     : search_params_set(&player->engine.params, spec->params[i].name, value, err);
    }
    return status;
}

static Status play_iteration(const SpsaRun *run, int k, const double *theta, ContestResult *result,
                             Err *err) {
    long long values[MATCH_PLAYERS][SPSA_PARAMS_MAX];
    Text dir = {0};
    ContestSpec match = run->match;
    // Each iteration has openings of its own.
    match.contest.seed = random_mix(random_mix(run->spec.seed) + (uint64_t)k);
    if (run->save_games) {
        text_add(&dir, "%s/games-%06d", run->dir, k);
        match.schedule.run = (RunSpec){.dir = dir.data, .resume = true};
    }
    spsa_perturb(&run->spec, theta, k, values[0], values[1]);
    Status status = STATUS_OK;
    for (int i = 0; i < MATCH_PLAYERS && status == STATUS_OK; i++) {
        status = set_player(&run->spec, values[i], &match.contest.players[i], err);
    }
    if (status == STATUS_OK) status = contest_run(&match, NULL, NULL, result, err);
    text_clear(&dir);
    return status;
}

static Status iterate(const SpsaRun *run, SpsaIterationDone *done, void *context, SpsaTrace *trace,
                      bool *interrupted, Err *err) {
    for (int k = (int)trace->count; k <= run->spec.iterations; k++) {
        SpsaRow row = trace->rows[trace->count - 1];
        ContestResult result;
        row.iteration = k;
        Status status = ranks_share(&row, sizeof row, err);
        if (status != STATUS_OK) return status;
        status = play_iteration(run, k, row.theta, &result, err);
        const MatchCounts *counts = &result.counts;
        *interrupted = result.interrupted;
        contest_result_clear(&result);
        if (status != STATUS_OK) return err_prefix(err, "iteration %d", k);
        // An iteration that was broken off is played again.
        if ((uint64_t)match_counts_pairs(counts) < run->match.rounds) return STATUS_OK;
        row = (SpsaRow){
            .iteration = k, .wins = counts->wins, .losses = counts->losses, .draws = counts->draws};
        for (int i = 0; i < run->spec.count; i++) {
            row.theta[i] = trace->rows[trace->count - 1].theta[i];
        }
        spsa_update(&run->spec, row.theta, k,
                    (double)(counts->wins - counts->losses) / (double)run->match.rounds);
        status = spsa_log_add(run, &row, err);
        if (status != STATUS_OK) return status;
        spsa_trace_add(trace, &row);
        if (done) done(context, trace);
        if (*interrupted) return STATUS_OK;
    }
    return STATUS_OK;
}

// What another rank does: the iterations that rank 0 names, until it has no more.
static Status help_iterate(const SpsaRun *run, Err *err) {
    SpsaRow row;
    Status status;
    while ((status = ranks_share(&row, sizeof row, err)) == STATUS_OK) {
        ContestResult result;
        status = play_iteration(run, row.iteration, row.theta, &result, err);
        contest_result_clear(&result);
        if (status != STATUS_ENDED) return status;
    }
    return status;
}

Status spsa_run(const SpsaRun *run, SpsaIterationDone *done, void *context, SpsaTrace *trace,
                bool *interrupted, Err *err) {
    RunLock *lock = NULL;
    Status status = STATUS_OK;
    *interrupted = false;
    if (rank_self() > 0) return help_iterate(run, err);
    if (run->dir) status = run_directory_prepare(run->dir, err);
    if (status == STATUS_OK && run->dir) status = run_directory_lock(run->dir, &lock, err);
    if (status == STATUS_OK) status = spsa_log_begin(run, trace, err);
    if (status == STATUS_OK) status = iterate(run, done, context, trace, interrupted, err);
    run_directory_unlock(lock);
    return status;
}

void spsa_tail(const SpsaTrace *trace, int param, double *mean, double *scatter) {
    const size_t from = trace->count - (trace->count + 3) / 4;
    double sum = 0, squares = 0;
    const double n = (double)(trace->count - from);
    for (size_t i = from; i < trace->count; i++) sum += trace->rows[i].theta[param];
    *mean = sum / n;
    for (size_t i = from; i < trace->count; i++) {
        const double away = trace->rows[i].theta[param] - *mean;
        squares += away * away;
    }
    *scatter = sqrt(squares / n);
}
