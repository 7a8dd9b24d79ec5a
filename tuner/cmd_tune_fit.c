// SPDX-License-Identifier: GPL-3.0-or-later
// paotai tune: from directories to a fit.
#include <stdlib.h>
#include <string.h>

#include "core/base/interrupt.h"
#include "core/base/json.h"
#include "core/base/memory.h"
#include "tuner/cmd_tune.h"
#include "tuner/rows/load.h"
#include "tuner/rows/row_ranks.h"
#include "tuner/rows/terms.h"

// The usual scale of chess programs, where a file gives no weights to find the slope with: 400
// units are ten to one.
static const double usual_k = 0.0057564627324851146; // ln(10) / 400

static Status load_rows_file(const CommandCall *call, RowSet *rows, SparseReader **terms,
                             Err *err) {
    const TuneSettings *settings = call->settings;
    SparseReader *reader = NULL;
    Progress progress;
    Status status = sparse_reader_open(settings->rows, &reader, err);
    if (status != STATUS_OK) return status;
    progress_init(&progress, call->err, settings->quiet, "rows", sparse_reader_rows(reader));
    status = rows_load_sparse(reader, settings->rows, &progress, rows, err);
    progress_finish(&progress, rows->count, "read");
    if (status == STATUS_OK && rows->names && !terms) {
        row_set_clear(rows);
        status = err_set(err, STATUS_BAD_INPUT,
                         "%s: its terms are not our evaluation's: they can be fitted, but not "
                         "measured with our weights",
                         settings->rows);
    }
    if (status == STATUS_OK && rows->names) {
        *terms = reader;
    } else {
        sparse_reader_close(reader);
    }
    return status;
}

Status tune_load(const CommandCall *call, const char *const *dirs, int count, RowSet *rows,
                 SparseReader **terms, Err *err) {
    const TuneSettings *settings = call->settings;
    if (settings->rows) return load_rows_file(call, rows, terms, err);
    Progress progress;
    progress_init(&progress, call->err, settings->quiet, "positions", 0);
    const Status status = rows_load(dirs, count, settings->setup.threads, &progress, rows, err);
    progress_finish(&progress, rows->count, "read");
    if (status == STATUS_OK && rows->copies && !settings->quiet) {
        fprintf(call->err, "%llu games are left out: an earlier one has their start and moves\n",
                (unsigned long long)rows->copies);
    }
    if (status == STATUS_OK && rows->empty && !settings->quiet) {
        fprintf(call->err, "%llu games are left out: they have no sampled position\n",
                (unsigned long long)rows->empty);
    }
    return status;
}

// All ranks end where rank 0 was interrupted.
static bool go_on(void) {
    bool more = !interrupt_requested();
    return ranks_share(&more, sizeof more, NULL) == STATUS_OK && more;
}

// A line or an object for each iteration.
static bool print_step(void *context, const OptimiserStep *step, double train, double valid) {
    const CommandCall *call = context;
    const TuneSettings *settings = call->settings;
    if (settings->quiet && !settings->json) return go_on();
    if (step->iteration == 0 && !settings->json) {
        fprintf(call->out, "%9s %11s %11s %10s %10s %8s\n", "iteration", "train", "valid",
                "gradient", "gap", "seconds");
    }
    record_row(call->out, settings->json,
               "{iteration}%9d {train_loss}%11.7f {valid_loss}%11.7f{!objective}%f "
               "{gradient_norm}%10.2e {gap}%10.2e {seconds}%8.2f\n",
               step->iteration, train, valid, step->value, step->gradient_norm, step->gap,
               step->time_s);
    return go_on();
}

// ---- what is fitted -----------------------------------------------------------------------------

// What needs our own terms is refused rather than passed over.
static Status check_options(const CommandCall *call, Err *err) {
    static const char *const ours[] = {"weights", "errors", "report", "smooth-sd", "material-sd"};
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++) {
        if (!command_given(call, ours[i])) continue;
        return err_set(err, STATUS_USAGE,
                       "--%s is for our own evaluation's terms; those of the file are others%s",
                       ours[i], i == 0 ? ": its data set 'start' is where their fit begins" : "");
    }
    return STATUS_OK;
}

static Status choose_start(TuneFit *fit, Err *err) {
    const size_t n = (size_t)fit->n;
    fit->start = memory_alloc(n, sizeof *fit->start);
    if (fit->terms) {
        const SparseTerms *terms = sparse_reader_terms(fit->terms);
        if (terms->start) memcpy(fit->start, terms->start, n * sizeof *fit->start);
        return STATUS_OK;
    }
    Weights start;
    const Status status = weights_load(fit->settings->weights, &start, err);
    if (status == STATUS_OK) values_flat(&start, fit->start);
    return status;
}

static Status choose_frozen(TuneFit *fit, Err *err) {
    const TuneSettings *settings = fit->settings;
    Status status = STATUS_OK;
    fit->frozen = memory_alloc((size_t)fit->n, sizeof *fit->frozen);
    for (int i = 0; i < fit->n; i++) fit->frozen[i] = settings->fit != NULL;
    if (settings->fit) {
        status = row_choose_weights(&fit->rows, settings->fit, false, fit->frozen, err);
    }
    if (status == STATUS_OK && settings->freeze) {
        status = row_choose_weights(&fit->rows, settings->freeze, true, fit->frozen, err);
    }
    fit->setup.frozen = fit->frozen;
    return status;
}

// Of other people's terms nothing is known: one ridge for all. The slope is fitted to the start;
// where that is 0 everywhere any slope does, for it is a scale.
static void choose_scale(TuneFit *fit) {
    const TuneSettings *settings = fit->settings;
    const bool started = fit->terms && sparse_reader_terms(fit->terms)->start;
    bool zero = fit->terms != NULL;
    fit->strengths = settings->prior;
    if (fit->terms) {
        const bool open = !started && !command_given(fit->call, "prior-sd");
        const double sd = open ? FOREIGN_PRIOR_SD : settings->prior.sd;
        fit->strengths = (PriorSetup){.sd = sd, .material_sd = sd};
    }
    for (int i = 0; i < fit->n && zero; i++) zero = fit->start[i] == 0.0;
    fit->scale = fit->terms && fit->setup.k > 0  ? "as --k says"
                 : fit->terms                    ? "that of the start"
                 : values_have_scale(&fit->rows) ? "chariot"
                                                 : "k";
    if (!zero || fit->setup.k > 0) return;
    fit->scale = "400 units are odds of ten to one";
    fit->setup.k = usual_k;
    if (!settings->quiet) {
        fprintf(fit->call->err,
                "the file has no start weights: 400 units are odds of ten to one (K is ln(10) / "
                "400); --k sets another scale\n");
    }
}

// The prior of the fit, kept among the settings for its provenance.
static void note_prior(TuneFit *fit) {
    TuneSettings *settings = fit->settings;
    if (fit->terms) fit->strengths.material_sd = fit->strengths.sd;
    settings->prior = fit->strengths;
    if (fit->terms && !settings->quiet) {
        fprintf(fit->call->err, "the prior: a ridge of %g units around %s; --prior-sd sets it\n",
                settings->prior.sd,
                sparse_reader_terms(fit->terms)->start ? "the start weights" : "0");
    }
}

// Where there are no scores, lambda says nothing.
static void warn_results_alone(const TuneFit *fit) {
    enum { MANY_GAMES = 5000 };
    const RowSet *rows = &fit->rows;
    if (fit->settings->quiet || fit->setup.lambda >= 1 || !rows->without_score) return;
    if (rows->without_score < rows->count) {
        fprintf(fit->call->err,
                "%.0f %% of the positions have no score: their target is the result alone\n",
                100.0 * (double)rows->without_score / (double)rows->count);
        return;
    }
    fprintf(fit->call->err,
            "the positions have no scores: --lambda %g changes nothing, the target is the result "
            "alone\n",
            fit->setup.lambda);
    if (rows->game_count < MANY_GAMES && !fit->terms) {
        fprintf(fit->call->err,
                "%zu games are %zu results: they tell the large values roughly, and the prior "
                "decides the rest.\n"
                "'paotai rescore DIR --out SCORED' searches the positions; then fit SCORED\n",
                rows->game_count, rows->game_count);
    }
}

static Status fit_rows(TuneFit *fit, Err *err) {
    const TuneSettings *settings = fit->settings;
    Status status = fit->terms ? check_options(fit->call, err) : STATUS_OK;
    if (status == STATUS_OK) status = choose_start(fit, err);
    if (status == STATUS_OK) status = choose_frozen(fit, err);
    if (status != STATUS_OK) return status;
    if (!settings->out && !settings->quiet) {
        fprintf(fit->call->err, "without --out the fitted weights are shown, but not kept\n");
    }
    warn_results_alone(fit);
    choose_scale(fit);
    if (settings->cv > 1) status = tune_cross_validate(fit, err);
    if (status != STATUS_OK) return status;
    note_prior(fit);
    prior_for_evaluation(&fit->prior, &fit->strengths, &fit->rows, fit->start);
    status = fit_run(&fit->rows, &fit->setup, &fit->prior, fit->start, &fit->result, err);
    return status == STATUS_OK ? tune_finish(fit, err) : status;
}

Status tune_fit(const CommandCall *as_given, Err *err) {
    TuneSettings settings = *(const TuneSettings *)as_given->settings;
    CommandCall call = *as_given;
    TuneFit fit = {.call = &call, .settings = &settings, .setup = settings.setup};
    call.settings = &settings;
    fit.setup.report = print_step;
    fit.setup.report_context = &call;
    Status status = tune_load(&call, call.args, call.arg_count, &fit.rows, &fit.terms, err);
    fit.n = 2 * fit.rows.pairs;
    if (status == STATUS_OK) status = fit_rows(&fit, err);
    // What followed from the loss of a rank is not what failed.
    if (row_set_trouble(&fit.rows, err) != STATUS_OK) status = err->status;
    errors_clear(&fit.errors);
    errors_clear(&fit.alone);
    fit_result_clear(&fit.result);
    prior_clear(&fit.prior);
    free(fit.start);
    free(fit.frozen);
    sparse_reader_close(fit.terms);
    row_set_clear(&fit.rows);
    return status;
}
