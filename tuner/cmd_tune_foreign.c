// SPDX-License-Identifier: GPL-3.0-or-later
// paotai tune --rows: a fit of other people's terms.
#include <math.h>
#include <string.h>

#include "core/base/json.h"
#include "core/base/memory.h"
#include "core/base/version.h"
#include "tuner/cmd_tune.h"
#include "tuner/rows/select.h"

// The usual scale of chess programs, where a file gives no weights to find the slope with: 400
// units are ten to one.
static const double usual_k = 0.0057564627324851146; // ln(10) / 400

typedef struct Foreign {
    const CommandCall *call;
    const SparseTerms *terms;
    const RowSet *rows;
    size_t n; // numbers: 2 * terms
    double *start, *error;
    double sd; // of the ridge
    bool *frozen;
} Foreign;

static Status choose_frozen(const Foreign *foreign, Err *err) {
    const TuneSettings *settings = foreign->call->settings;
    Status status = STATUS_OK;
    for (size_t i = 0; i < foreign->n; i++) foreign->frozen[i] = settings->fit != NULL;
    if (settings->fit) {
        status = select_names(settings->fit, foreign->terms, false, foreign->frozen, err);
    }
    if (status == STATUS_OK && settings->freeze) {
        status = select_names(settings->freeze, foreign->terms, true, foreign->frozen, err);
    }
    return status;
}

// What needs our own terms is refused rather than passed over.
static Status check_options(const CommandCall *call, Err *err) {
    static const char *const ours[] = {"weights",   "errors",    "report",     "study",
                                       "bootstrap", "smooth-sd", "material-sd"};
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++) {
        if (!command_given(call, ours[i])) continue;
        return err_set(err, STATUS_USAGE,
                       "--%s is for our own evaluation's terms; those of the file are others%s",
                       ours[i], i == 0 ? ": its data set 'start' is where their fit begins" : "");
    }
    return STATUS_OK;
}

// The slope is fitted to the start; where that is 0 everywhere any slope does, for it is a scale.
static void choose_k(const Foreign *foreign, FitSetup *setup) {
    const TuneSettings *settings = foreign->call->settings;
    bool zero = true;
    for (size_t i = 0; i < foreign->n && zero; i++) zero = foreign->start[i] == 0.0;
    if (!zero || setup->k > 0) return;
    setup->k = usual_k;
    if (!settings->quiet) {
        fprintf(foreign->call->err,
                "the file has no start weights: K is ln(10) / 400; --k sets another scale\n");
    }
}

// ---- output -------------------------------------------------------------------------------------

static const char *centre_name(const Foreign *foreign) {
    return foreign->terms->start ? "the start weights" : "0";
}

static void add_provenance(const Foreign *foreign, const FitResult *result, Text *text) {
    text_add(text, "made by paotai %s %s: tune\n", PAOTAI_VERSION, version_revision());
    command_options_text(foreign->call, text);
    text_add(text, "ridge of %g units around %s\n", foreign->sd, centre_name(foreign));
    text_add(text, "games %zu rows %zu k %.8g train_loss %.7f valid_loss %.7f converged %s\n",
             foreign->rows->game_count, foreign->rows->count, result->slopes.k,
             result->loss[PART_TRAIN], result->loss[PART_VALID],
             result->optimiser.converged ? "yes" : "no");
}

static void add_comment(Text *text, const char *lines) {
    for (const char *at = lines; *at;) {
        const size_t length = strcspn(at, "\n");
        text_add(text, "# %.*s\n", (int)length, at);
        at += length + (at[length] == '\n');
    }
}

static Status write_result(const Foreign *foreign, const FitResult *result, Err *err) {
    const TuneSettings *settings = foreign->call->settings;
    const size_t length = strlen(settings->out);
    Text provenance = {0}, text = {0};
    Status status;
    add_provenance(foreign, result, &provenance);
    if (length > 3 && strcmp(settings->out + length - 3, ".h5") == 0) {
        status = sparse_write_weights(settings->out, foreign->terms, result->weights,
                                      foreign->error, text_get(&provenance), err);
    } else {
        add_comment(&text, text_get(&provenance));
        text_add(&text, "# error: standard errors\n");
        text_add(&text, "term\tmiddlegame\terror\tendgame\terror\n");
        for (size_t i = 0; i < foreign->n; i += 2) {
            text_add(&text, "%s\t%.6f\t%.6f\t%.6f\t%.6f\n", foreign->terms->names[i / 2],
                     result->weights[i], foreign->error[i], result->weights[i + 1],
                     foreign->error[i + 1]);
        }
        status = text_write_file(settings->out, text_get(&text), text.length, err);
    }
    text_clear(&text);
    text_clear(&provenance);
    return status;
}

static void print_terms(const Foreign *foreign, const FitResult *result) {
    const TuneSettings *settings = foreign->call->settings;
    FILE *out = foreign->call->out;
    if (!settings->json) {
        fprintf(out, "%-32s %12s %13s %12s %13s\n", "term", "middlegame", "95 %", "endgame",
                "95 %");
    }
    for (size_t i = 0; i < foreign->n; i += 2) {
        const double *w = result->weights + i, *e = foreign->error + i;
        if (!settings->json) {
            fprintf(out, "%-32s %12.3f +- %10.3f %12.3f +- %10.3f\n", foreign->terms->names[i / 2],
                    w[0], TUNE_QUANTILE_95 * e[0], w[1], TUNE_QUANTILE_95 * e[1]);
            continue;
        }
        Record record;
        record_begin(&record, out, true);
        record_text(&record, "term", foreign->terms->names[i / 2]);
        record_real(&record, "middlegame", w[0], 9);
        record_real(&record, "middlegame_error", e[0], 9);
        record_real(&record, "middlegame_error95", TUNE_QUANTILE_95 * e[0], 9);
        record_real(&record, "endgame", w[1], 9);
        record_real(&record, "endgame_error", e[1], 9);
        record_real(&record, "endgame_error95", TUNE_QUANTILE_95 * e[1], 9);
        record_end(&record);
    }
}

// The ridge in force, and the weights of which the rows say nothing: what their Hessian holds is
// the ridge alone.
static void print_ridge(const Foreign *foreign, const FitResult *result) {
    const TuneSettings *settings = foreign->call->settings;
    const double ridge = 1.0 / (foreign->sd * foreign->sd);
    Text names = {0};
    for (size_t i = 0; i < foreign->n; i++) {
        if (result->weight * result->hessian[i * foreign->n + i] > ridge * (1.0 + 1e-9)) continue;
        text_add(&names, "%s%s.%s", names.length ? "," : "", foreign->terms->names[i / 2],
                 i % 2 ? "eg" : "mg");
    }
    Record record;
    record_begin(&record, foreign->call->out, settings->json);
    record_real(&record, "prior_sd", foreign->sd, 3);
    record_text(&record, "never_active", names.length ? text_get(&names) : "-");
    record_end(&record);
    text_clear(&names);
}

// ---- the fit ------------------------------------------------------------------------------------

static Status finish(const Foreign *foreign, const FitSetup *setup, const FitResult *result,
                     Err *err) {
    const TuneSettings *settings = foreign->call->settings;
    double *covariance = NULL;
    Status status = errors_covariance(foreign->rows, setup, result, &covariance, err);
    if (status != STATUS_OK) return status;
    for (size_t i = 0; i < foreign->n; i++) {
        foreign->error[i] = sqrt(fmax(0.0, covariance[i * foreign->n + i]));
    }
    free(covariance);
    if (settings->out) status = write_result(foreign, result, err);
    if (status != STATUS_OK) return status;
    print_terms(foreign, result);
    print_ridge(foreign, result);
    tune_print_summary(foreign->call, setup, foreign->rows, result, result->weights);
    return STATUS_OK;
}

static Status fit(Foreign *foreign, TuneSettings *settings, Err *err) {
    FitSetup setup = tune_fit_setup(foreign->call, foreign->frozen);
    const bool open = !foreign->terms->start && !command_given(foreign->call, "prior-sd");
    const double sd = open ? FOREIGN_PRIOR_SD : settings->prior_sd;
    PriorSetup strengths = {.sd = sd, .material_sd = sd}; // one ridge for all
    Prior prior;
    FitResult result = {0};
    Status status = STATUS_OK;
    choose_k(foreign, &setup);
    if (settings->cv > 1) {
        status = tune_cross_validate(foreign->call, &setup, foreign->rows, foreign->start,
                                     &strengths, err);
    }
    if (status != STATUS_OK) return status;
    foreign->sd = strengths.material_sd = strengths.sd;
    tune_note_prior(settings, &strengths);
    if (!settings->quiet) {
        fprintf(foreign->call->err,
                "the prior: a ridge of %g units around %s; --prior-sd sets it\n", foreign->sd,
                centre_name(foreign));
    }
    prior_for_evaluation(&prior, &strengths, foreign->rows, foreign->start);
    status = fit_run(foreign->rows, &setup, &prior, foreign->start, &result, err);
    if (status == STATUS_OK) status = finish(foreign, &setup, &result, err);
    fit_result_clear(&result);
    prior_clear(&prior);
    return status;
}

Status tune_foreign(const CommandCall *call, TuneSettings *settings, const SparseTerms *terms,
                    const RowSet *rows, Err *err) {
    const size_t n = 2 * terms->terms;
    Foreign foreign = {.call = call,
                       .terms = terms,
                       .rows = rows,
                       .n = n,
                       .start = memory_alloc(n, sizeof(double)),
                       .error = memory_alloc(n, sizeof(double)),
                       .frozen = memory_alloc(n, sizeof(bool))};
    if (terms->start) memcpy(foreign.start, terms->start, n * sizeof(double));
    Status status = check_options(call, err);
    if (status == STATUS_OK) status = choose_frozen(&foreign, err);
    if (status == STATUS_OK) {
        tune_warn_not_kept(call);
        status = fit(&foreign, settings, err);
    }
    free(foreign.start);
    free(foreign.error);
    free(foreign.frozen);
    return status;
}
