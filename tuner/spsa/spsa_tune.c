// SPDX-License-Identifier: GPL-3.0-or-later
// The stages of `paotai spsa`: probes and iterations, the match of the tuned values against the
// start values, and the output.
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

Status spsa_tune(SpsaShow *show, Err *err) {
    const SpsaRun *run = show->run;
    AUTO(SpsaTrace) trace = {0};
    MatchCounts counts = {0};
    bool interrupted;
    progress_init(&show->progress, show->call->err, show->quiet, "iterations",
                  (uint64_t)run->spec.iterations);
    const Status status = spsa_run(run, spsa_show_iteration, show, &trace, &interrupted, err);
    spsa_finish_progress(show, &trace, interrupted ? "interrupted" : "");
    if (status != STATUS_OK) return status;
    const bool check = !interrupted && run->check_pairs;
    if (check) TRY(play_check(show, &trace, &counts, err));
    if (trace.count == 0) return STATUS_OK;
    spsa_print_result(show, &trace);
    if (check) spsa_print_check(show, &trace, &counts);
    return run->dir ? spsa_write_files(run, &trace, err) : STATUS_OK;
}
