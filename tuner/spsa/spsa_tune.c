// SPDX-License-Identifier: GPL-3.0-or-later
// The stages of `paotai spsa`: probes and iterations, the match of the tuned values against the
// start values, and the output.
#include "core/system/ranks.h"
#include "tuner/spsa/spsa.h"

// Plays a match of the tuned values against the start values, unless they are equal after rounding.
static Status play_check(const SpsaShow *show, const SpsaTrace *trace, MatchCounts *counts,
                         Err *err) {
    const SpsaRun *run = show->run;
    double result[SPSA_PARAMS_MAX];
    bool interrupted;
    spsa_result(&run->spec, trace, result);
    if (spsa_is_start(&run->spec, result)) return STATUS_OK;
    if (!show->quiet) {
        fprintf(show->call->err, "the tuned values play against the start values: %llu pairs\n",
                (unsigned long long)run->check_pairs);
    }
    return spsa_play_start(run, result, run->check_pairs, counts, &interrupted, err);
}

// Names the parameters whose perturbations are so small that, after rounding, both players often
// have the same value, or have their values in reverse order.
static void warn_small(const SpsaShow *show) {
    const SpsaSpec *spec = &show->run->spec;
    for (int i = 0; i < spec->count && !show->quiet; i++) {
        double equal, reversed;
        spsa_shares(spec->params[i].c_end, &equal, &reversed);
        if (equal + reversed <= 0.01) continue;
        fprintf(show->call->err,
                "%s: C %g is small: towards the end of the run, both players have the same value "
                "in %.0f %% of the iterations and reversed values in %.0f %%; C of 1 or more has "
                "none\n",
                spec->params[i].name, spec->params[i].c_end, 100 * equal, 100 * reversed);
    }
}

Status spsa_tune(SpsaShow *show, Err *err) {
    const SpsaRun *run = show->run;
    AUTO(SpsaTrace) trace = {0};
    bool interrupted;
    if (mpi_rank() == 0) warn_small(show);
    progress_init(&show->progress, show->call->err, show->quiet, "iterations",
                  (uint64_t)run->spec.iterations);
    const Status status = spsa_run(run, spsa_show_iteration, show, &trace, &interrupted, err);
    spsa_finish_progress(show, &trace, interrupted ? "interrupted" : "");
    if (status != STATUS_OK) return status;
    const bool check = !interrupted && run->check_pairs;
    if (check) TRY(play_check(show, &trace, &trace.check, err));
    if (trace.count == 0) return STATUS_OK;
    spsa_judge(&run->spec, &trace);
    spsa_print_result(show, &trace);
    if (check) spsa_print_check(show, &trace, &trace.check);
    return run->dir ? spsa_write_files(run, &trace, err) : STATUS_OK;
}
