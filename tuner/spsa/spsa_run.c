// SPDX-License-Identifier: GPL-3.0-or-later
#include "tuner/spsa/spsa.h"

#include <math.h>
#include <string.h>

#include "core/base/random.h"
#include "core/system/ranks.h"

static Status set_player(const SpsaSpec *spec, const long long *values, PlayerSetup *player,
                         Err *err) {
    for (int i = 0; i < spec->count; i++) {
        char value[32];
        snprintf(value, sizeof value, "%lld", values[i]);
        TRY(player_setup_set_option(player, spec->params[i].name, value, err));
    }
    return STATUS_OK;
}

// Computes the parameter values of both players in the match that *row describes
// (SpsaRow.iteration): the match of an iteration, a probe, or the last match, of the tuned values
// against the start values. Returns the number of pairs of games.
static uint64_t choose_values(const SpsaRun *run, const SpsaRow *row,
                              long long values[MATCH_PLAYERS][SPSA_PARAMS_MAX]) {
    const SpsaSpec *spec = &run->spec;
    if (row->iteration > 0 && row->iteration <= spec->iterations) {
        spsa_perturb(spec, row->theta, row->iteration, values[0], values[1]);
        return (uint64_t)spec->pairs;
    }
    for (int i = 0; i < spec->count; i++) {
        values[0][i] = spsa_round(row->theta[i]);
        values[1][i] = spsa_round(spec->params[i].start);
    }
    return row->iteration < 0 ? run->probe_pairs : row->pairs;
}

// Plays the match that *row describes (SpsaRow.iteration).
static Status play_row(const SpsaRun *run, const SpsaRow *row, ContestResult *result, Err *err) {
    const int k = row->iteration;
    long long values[MATCH_PLAYERS][SPSA_PARAMS_MAX];
    ContestSpec match = BORROW(*run->match);
    // Each match has its own seed, so that the matches have different openings.
    match.seed = random_mix(random_mix(run->spec.seed) + (uint64_t)k);
    match.rounds = choose_values(run, row, values);
    for (int i = 0; i < MATCH_PLAYERS; i++) {
        TRY(set_player(&run->spec, values[i], &match.players[i], err));
    }
    return contest_run(&match, NULL, NULL, result, err);
}

// Plays the match that *row describes on all MPI ranks. Called on rank 0.
static Status play_everywhere(const SpsaRun *run, SpsaRow *row, MatchCounts *counts,
                              bool *interrupted, Err *err) {
    AUTO(ContestResult) result = {0};
    TRY(ranks_share(row, sizeof *row, err));
    const Status status = play_row(run, row, &result, err);
    *counts = result.counts;
    row->alike = result.pairing_count ? result.pairings[0].alike : 0;
    *interrupted = result.interrupted;
    return status;
}

// Plays the match of an iteration or probe, `pairs` pairs of games, and saves its result as a line
// of the log. An interrupted match is not saved, so a resumed run plays it again.
static Status play_and_keep(const SpsaRun *run, SpsaRow *row, uint64_t pairs,
                            SpsaIterationDone *done, void *context, SpsaTrace *trace,
                            bool *interrupted, Err *err) {
    MatchCounts counts;
    TRY(play_everywhere(run, row, &counts, interrupted, err));
    *interrupted = *interrupted || (uint64_t)match_counts_pairs(&counts) < pairs;
    if ((uint64_t)match_counts_pairs(&counts) < pairs) return STATUS_OK;
    row->wins = counts.wins;
    row->losses = counts.losses;
    row->draws = counts.draws;
    memcpy(row->penta, counts.penta, sizeof row->penta);
    if (row->iteration > 0) {
        spsa_update(&run->spec, row->theta, row->iteration, (double)(row->wins - row->losses));
    }
    TRY(spsa_log_add(run, row, err));
    spsa_trace_add(trace, row);
    if (done) done(context, trace);
    return STATUS_OK;
}

// Plays the next probe: a match of a parameter's min or max against its start value. If both values
// are equal, saves a result without games.
static Status play_probe(const SpsaRun *run, SpsaIterationDone *done, void *context,
                         SpsaTrace *trace, bool *interrupted, Err *err) {
    const int i = trace->probe_count / 2, end = trace->probe_count % 2;
    const SpsaParam *param = &run->spec.params[i];
    SpsaRow row = trace->rows[0];
    row.iteration = -1 - trace->probe_count;
    row.theta[i] = end ? param->max : param->min;
    if (spsa_is_start(&run->spec, row.theta)) {
        TRY(spsa_log_add(run, &row, err));
        spsa_trace_add(trace, &row);
        if (done) done(context, trace);
        return STATUS_OK;
    }
    const Status status =
        play_and_keep(run, &row, run->probe_pairs, done, context, trace, interrupted, err);
    return status == STATUS_OK ? status : err_prefix(err, "%s at %.0f", param->name, row.theta[i]);
}

static Status play_all(const SpsaRun *run, SpsaIterationDone *done, void *context, SpsaTrace *trace,
                       bool *interrupted, Err *err) {
    const int probes = run->probe_pairs ? 2 * run->spec.count : 0;
    while (trace->probe_count < probes && !*interrupted) {
        TRY(play_probe(run, done, context, trace, interrupted, err));
    }
    while ((int)trace->count <= run->spec.iterations && !*interrupted) {
        SpsaRow row = trace->rows[trace->count - 1];
        row.iteration = (int)trace->count;
        if (play_and_keep(run, &row, (uint64_t)run->spec.pairs, done, context, trace, interrupted,
                          err) != STATUS_OK) {
            return err_prefix(err, "iteration %d", row.iteration);
        }
    }
    return STATUS_OK;
}

// Plays the matches that MPI rank 0 sends as SpsaRow, until rank 0 ends. Called on all other ranks.
static Status help_play(const SpsaRun *run, Err *err) {
    SpsaRow row;
    Status status;
    while ((status = ranks_share(&row, sizeof row, err)) == STATUS_OK) {
        AUTO(ContestResult) result = {0};
        status = play_row(run, &row, &result, err);
        if (status != STATUS_ENDED) return status;
    }
    return status;
}

Status spsa_run(const SpsaRun *run, SpsaIterationDone *done, void *context, SpsaTrace *trace,
                bool *interrupted, Err *err) {
    AUTO_POINTER(RunLock) lock = NULL;
    *interrupted = false;
    if (mpi_rank() > 0) return help_play(run, err);
    if (run->dir) {
        TRY(run_directory_prepare(run->dir, err));
        TRY(run_directory_lock(run->dir, &lock, err));
    }
    TRY(spsa_log_begin(run, trace, err));
    trace->stored = trace->count - 1;
    trace->stored_probes = trace->probe_count;
    return play_all(run, done, context, trace, interrupted, err);
}

Status spsa_play_start(const SpsaRun *run, const double *theta, uint64_t pairs, MatchCounts *counts,
                       bool *interrupted, Err *err) {
    SpsaRow row = {.iteration = run->spec.iterations + 1, .pairs = pairs};
    memcpy(row.theta, theta, (size_t)run->spec.count * sizeof *theta);
    return play_everywhere(run, &row, counts, interrupted, err);
}

bool spsa_probe_verdict(const SpsaTrace *trace, int param, int end, StrengthVerdict *verdict) {
    const MatchCounts *counts = &trace->probes[param][end];
    if (match_counts_games(counts) == 0) return false;
    strength_verdict(counts, NULL, false, verdict);
    return true;
}

SpsaTail spsa_tail(const SpsaTrace *trace, int param) {
    const size_t from = trace->count - (trace->count + 3) / 4, half = trace->count / 2;
    const double n = (double)(trace->count - from);
    double sum = 0, squares = 0;
    for (size_t i = from; i < trace->count; i++) sum += trace->rows[i].theta[param];
    SpsaTail tail = {.mean = sum / n};
    for (size_t i = from; i < trace->count; i++) {
        const double away = trace->rows[i].theta[param] - tail.mean;
        squares += away * away;
    }
    tail.scatter = sqrt(squares / n);
    tail.drift = trace->rows[trace->count - 1].theta[param] - trace->rows[half].theta[param];
    return tail;
}

void spsa_result(const SpsaSpec *spec, const SpsaTrace *trace, double *values) {
    for (int i = 0; i < spec->count; i++) values[i] = spsa_tail(trace, i).mean;
}
