// SPDX-License-Identifier: GPL-3.0-or-later
// paotai tune: from directories to a fit.
#include "tuner/cmd_tune.h"
#include "tuner/rows/load.h"
#include "tuner/rows/select.h"

// Reads --rows. Terms that are not ours are refused unless `foreign` takes their names.
static Status load_rows_file(const CommandCall *call, RowSet *rows, SparseReader **foreign,
                             Err *err) {
    const TuneSettings *settings = call->settings;
    SparseReader *reader = NULL;
    Progress progress;
    Status status = sparse_reader_open(settings->rows, &reader, err);
    if (status != STATUS_OK) return status;
    progress_init(&progress, call->err, settings->quiet, "rows", sparse_reader_rows(reader));
    status = rows_load_sparse(reader, settings->cache, &progress, rows, err);
    progress_finish(&progress, rows->count, "read");
    if (status == STATUS_OK && rows->foreign && !foreign) {
        row_set_clear(rows);
        status = err_set(err, STATUS_BAD_INPUT,
                         "%s: its terms are not our evaluation's: they can be fitted, but not "
                         "measured with our weights",
                         settings->rows);
    }
    if (status == STATUS_OK && rows->foreign) {
        *foreign = reader;
    } else {
        sparse_reader_close(reader);
    }
    return status;
}

Status tune_load(const CommandCall *call, const char *const *dirs, int count, RowSet *rows,
                 Err *err) {
    const TuneSettings *settings = call->settings;
    Weights weights;
    if (settings->rows) return load_rows_file(call, rows, NULL, err);
    weights_classic(&weights);
    Progress progress;
    progress_init(&progress, call->err, settings->quiet, "positions", 0);
    const Status status =
        rows_load(dirs, count, &weights, settings->threads, settings->cache, &progress, rows, err);
    progress_finish(&progress, rows->count, "read");
    return status;
}

FitSetup tune_fit_setup(const CommandCall *call, const bool *frozen) {
    const TuneSettings *settings = call->settings;
    return (FitSetup){.frozen = frozen,
                      .loss = (LossKind)settings->loss,
                      .weigh = (FitWeigh)settings->weigh,
                      .lambda = settings->lambda,
                      .endgame_weight =
                          settings->endgame_weight == 1 ? 0 : settings->endgame_weight,
                      .joint = settings->joint,
                      .k = settings->k,
                      .valid_fraction = settings->valid_fraction,
                      .test_fraction = settings->test_fraction,
                      .seed = settings->seed,
                      .iterations = settings->iterations,
                      .tolerance = settings->tolerance,
                      .optimiser = (OptimiserKind)settings->optimiser,
                      .patience = settings->patience,
                      .threads = settings->threads,
                      .report = tune_print_step,
                      .report_context = (void *)call};
}

void tune_warn_not_kept(const CommandCall *call) {
    const TuneSettings *settings = call->settings;
    if (settings->out || settings->quiet) return;
    fprintf(call->err, "without --out the fitted weights are shown, but not kept\n");
}

static Status choose_frozen(const TuneSettings *settings, bool *frozen, Err *err) {
    Status status = STATUS_OK;
    for (int i = 0; i < 2 * WEIGHT_COUNT; i++) frozen[i] = settings->fit != NULL;
    if (settings->fit) status = select_weights(settings->fit, false, frozen, err);
    if (status == STATUS_OK && settings->freeze) {
        status = select_weights(settings->freeze, true, frozen, err);
    }
    return status;
}

// What is done with the rows once they are there. The settings are those of the call: they keep
// what cross-validation chooses.
static Status fit_rows(const CommandCall *call, TuneSettings *settings, const RowSet *rows,
                       const double *start, const bool *frozen, Err *err) {
    const FitSetup setup = tune_fit_setup(call, frozen);
    PriorSetup strengths = {settings->prior_sd, settings->material_sd, settings->smooth_sd};
    Status status = STATUS_OK;
    if (settings->cv > 1) {
        status = tune_cross_validate(call, &setup, rows, start, &strengths, err);
        if (status != STATUS_OK) return status;
    }
    tune_note_prior(settings, &strengths);
    Prior prior;
    FitResult result = {0};
    prior_for_evaluation(&prior, &strengths, rows, start);
    status = fit_run(rows, &setup, &prior, start, &result, err);
    if (status == STATUS_OK) status = tune_finish(call, &setup, rows, &prior, &result, err);
    fit_result_clear(&result);
    prior_clear(&prior);
    return status;
}

void tune_note_prior(TuneSettings *settings, const PriorSetup *strengths) {
    settings->prior_sd = strengths->sd;
    settings->material_sd = strengths->material_sd;
    settings->smooth_sd = strengths->smooth_sd;
}

int tune_fit(const CommandCall *as_given) {
    TuneSettings used = *(const TuneSettings *)as_given->settings, *settings = &used;
    CommandCall resolved = *as_given;
    const CommandCall *call = &resolved;
    resolved.settings = settings;
    Err err = {0};
    Weights start;
    RowSet rows = {0};
    double flat[2 * WEIGHT_COUNT];
    bool frozen[2 * WEIGHT_COUNT];
    SparseReader *foreign = NULL;
    Status status = weights_load(settings->weights, &start, &err);
    if (status == STATUS_OK) {
        status = settings->rows ? load_rows_file(call, &rows, &foreign, &err)
                                : tune_load(call, call->args, call->arg_count, &rows, &err);
    }
    if (status == STATUS_OK && foreign) {
        status = tune_foreign(call, settings, sparse_reader_terms(foreign), &rows, &err);
    } else if (status == STATUS_OK) {
        status = choose_frozen(settings, frozen, &err);
    }
    if (status == STATUS_OK && !foreign) {
        values_flat(&start, flat);
        tune_warn_not_kept(call);
        status = fit_rows(call, settings, &rows, flat, frozen, &err);
    }
    sparse_reader_close(foreign);
    row_set_clear(&rows);
    return status == STATUS_OK ? 0 : command_fail(call, &err);
}
