// SPDX-License-Identifier: GPL-3.0-or-later
// paotai tune --cv and --study: strengths of the prior, and what the data can tell.
#include <stdlib.h>
#include <string.h>

#include "core/base/json.h"
#include "core/base/memory.h"
#include "core/base/progress.h"
#include "tuner/cmd_tune.h"
#include "tuner/fit/resample.h"
#include "tuner/rows/terms.h"

// ---- cross-validation ---------------------------------------------------------------------------

// What is tried: every width with every smoothness, in this order, so that each fit begins near the
// one before it.
static const double widths[] = {20, 40, 80, 160};
static const double smooths[] = {0, 40, 20, 10};
// Of other people's terms without a start, which lie around 0 as far as the worth of their pieces.
static const double wide[] = {20, 80, 320, 1280, FOREIGN_PRIOR_SD};
enum {
    WIDTHS = sizeof widths / sizeof *widths,
    SMOOTHS = sizeof smooths / sizeof *smooths,
    WIDE = sizeof wide / sizeof *wide,
    TRIED = WIDTHS * SMOOTHS
};

static void show_fits(void *context, int done) {
    progress_update(context, (uint64_t)done, NULL);
}

Status tune_cross_validate(TuneFit *fit, Err *err) {
    const TuneSettings *settings = fit->settings;
    CvSetting tried[TRIED];
    const bool unknown = fit->terms && fit->strengths.sd >= FOREIGN_PRIOR_SD;
    // Nothing is tied of terms we do not know.
    const int count = unknown ? WIDE : fit->terms ? WIDTHS : TRIED;
    for (int i = 0; i < count; i++) {
        tried[i] = (CvSetting){.prior = {.sd = unknown ? wide[i] : widths[i % WIDTHS],
                                         .material_sd = fit->strengths.material_sd,
                                         .smooth_sd = smooths[i / WIDTHS]}};
    }
    Progress progress;
    progress_init(&progress, fit->call->err, settings->quiet, "fits",
                  (uint64_t)settings->cv * (uint64_t)count);
    int best = 0;
    const Status status = cv_run(&fit->rows, &fit->setup, fit->start, settings->cv, tried, count,
                                 show_fits, &progress, &best, err);
    progress_finish(&progress, (uint64_t)settings->cv * (uint64_t)count, "cross-validation");
    if (status != STATUS_OK) return status;
    if (!settings->json) {
        fprintf(fit->call->out, "%8s %9s %13s %11s %11s   (%d folds)\n", "prior-sd", "smooth-sd",
                "held-out loss", "difference", "error", settings->cv);
    }
    for (int i = 0; i < count; i++) {
        record_row(fit->call->out, settings->json,
                   "{prior_sd}%8g {smooth_sd}%9g {held_out_loss}%13.7f {difference}%11.7f "
                   "{difference_error}%11.7f%s\n",
                   tried[i].prior.sd, tried[i].prior.smooth_sd, tried[i].loss,
                   tried[i].difference.value, tried[i].difference.error,
                   i == best ? "  <- best" : "");
    }
    fit->strengths = tried[best].prior;
    return STATUS_OK;
}

// ---- study --------------------------------------------------------------------------------------

static void print_tie(const TuneFit *fit, const Identity *identity, int tie) {
    Text names = {0};
    for (int t = 0; t < row_term_count(&fit->rows); t++) {
        if (identity->tie[t] != tie) continue;
        text_add(&names, "%s%s", names.length ? "," : "", row_term(&fit->rows, t).name);
    }
    record_row(fit->call->out, fit->settings->json,
               "tied {tied}%s ({directions}%d directions change no prediction)\n", text_get(&names),
               identity->directions[tie]);
    text_clear(&names);
}

// Else a term has one weight: the endgame's is no weight at all.
static bool has_phases(const TuneFit *fit) {
    return !fit->terms || sparse_reader_terms(fit->terms)->phased;
}

// The names of the weights that are marked, "-" for none.
static void record_names(const TuneFit *fit, Record *record, const char *key, const bool *marked) {
    Text names = {0};
    for (int i = 0; i < fit->n; i++) {
        char name[WEIGHT_NAME_SIZE];
        if (!marked[i] || (i % 2 && !has_phases(fit))) continue;
        row_weight_name(&fit->rows, i, name);
        if (!has_phases(fit)) name[strlen(name) - strlen(".mg")] = '\0';
        text_add(&names, "%s%s", names.length ? "," : "", name);
    }
    record_add(record, "%s %s", key, names.length ? text_get(&names) : "-");
    text_clear(&names);
}

bool tune_few_games(const TuneFit *fit, int weight) {
    const double games = fit->frozen[weight] ? 0 : fit->errors.games[weight];
    return games > 0 && games < ERRORS_FEW_GAMES;
}

static void print_identity(const TuneFit *fit, const Identity *identity) {
    Record record;
    for (int tie = 1; tie <= identity->ties; tie++) print_tie(fit, identity, tie);
    record_begin(&record, fit->call->out, fit->settings->json);
    record_add(&record, "weights_all %d weights_active %d rank %d condition %.4g",
               has_phases(fit) ? identity->weights : identity->weights / 2, identity->active,
               identity->rank, identity->condition);
    if (fit->terms) record_add(&record, "prior_sd %.3f", fit->strengths.sd);
    record_names(fit, &record, "never_active", identity->silent);
    record_names(fit, &record, "separable", identity->separable);
    if (identity->separated) {
        record_add(&record, "separable_note %s",
                   "separable together: the prior alone gives their size");
    }
    bool *few = memory_alloc((size_t)fit->n, sizeof *few);
    for (int i = 0; i < fit->n; i++) few[i] = tune_few_games(fit, i);
    record_names(fit, &record, "in_few_games", few);
    record_end(&record);
    free(few);
}

enum { SHOWN_PAIRS = 10 };

static void print_pairs(const TuneFit *fit, const double *covariance) {
    CorrelatedPair pairs[SHOWN_PAIRS];
    const int count = correlated_pairs(covariance, fit->n, pairs, SHOWN_PAIRS);
    for (int i = 0; i < count; i++) {
        char a[WEIGHT_NAME_SIZE], b[WEIGHT_NAME_SIZE];
        row_weight_name(&fit->rows, pairs[i].a, a);
        row_weight_name(&fit->rows, pairs[i].b, b);
        record_row(fit->call->out, fit->settings->json,
                   "correlated {correlation}%+.3f {a}%s {b}%s\n", pairs[i].correlation, a, b);
    }
}

Status tune_study(const TuneFit *fit, Identity *identity, Err *err) {
    Status status = identify(&fit->rows, &fit->setup, &fit->prior, &fit->result, identity, err);
    if (status != STATUS_OK) return status;
    print_identity(fit, identity);
    if (!fit->settings->study) return STATUS_OK;
    double *covariance = NULL;
    status = errors_covariance(&fit->rows, &fit->setup, &fit->result, &covariance, err);
    if (status == STATUS_OK) print_pairs(fit, covariance);
    free(covariance);
    return status;
}

// ---- errors of the results alone ----------------------------------------------------------------

// One line of the table: what the errors are of, and each of them beside the other's.
static void print_errors(const TuneFit *fit, const char *name, const char *other, int count,
                         const double *mine, const double *others) {
    static const char *const keys[] = {"middlegame", "endgame", "mean"};
    if (!fit->settings->json) {
        fprintf(fit->call->out, "%-16s", name);
        for (int i = 0; i < count; i++) {
            fprintf(fit->call->out, " %8.3f %9.3f", mine[i], others[i]);
        }
        fprintf(fit->call->out, "\n");
        return;
    }
    Record record;
    record_begin(&record, fit->call->out, true);
    record_add(&record, "errors_of %s", name);
    for (int i = 0; i < count; i++) {
        record_add(&record, "%s %.5f %s_%s %.5f", keys[i], mine[i], keys[i], other, others[i]);
    }
    record_end(&record);
}

// The fit's errors beside other ones: of piece values, in points; of terms that are not ours, of
// each, in units.
static void print_beside(const TuneFit *fit, const char *other, const FitErrors *others) {
    const double unit = SCALE_CHARIOT / 9.0;
    if (!fit->settings->json) {
        fprintf(fit->call->out, "%-16s %8s %9s %8s %9s", "standard errors", "midgame", other,
                "endgame", other);
        if (!fit->terms) fprintf(fit->call->out, " %8s %9s", "mean", other);
        fprintf(fit->call->out, "\n");
    }
    for (int t = 0; fit->terms && t < fit->rows.pairs; t++) {
        print_errors(fit, fit->rows.names[t], other, 2, fit->errors.weight + 2 * t,
                     others->weight + 2 * t);
    }
    for (int t = 0; !fit->terms && t < WEIGHT_TERM_COUNT; t++) {
        if (weight_terms[t].part != TERM_MATERIAL) continue;
        const WeightGroup group = weight_terms[t].group;
        const PieceValue a = fit->errors.value[group], b = others->value[group];
        print_errors(fit, weight_group_name(group), other, 3,
                     (double[]){a.middlegame / unit, a.endgame / unit, a.mean / unit},
                     (double[]){b.middlegame / unit, b.endgame / unit, b.mean / unit});
    }
}

// Where scores are in the target, the errors take the search for a teacher that knows. Beside them:
// those of a fit to the results alone, with the same K.
Status tune_results_alone(TuneFit *fit, Err *err) {
    FitSetup setup = fit->setup;
    FitResult alone = {0};
    double *covariance = NULL;
    const LossSetup *loss = &fit->result.slopes;
    const bool scored = loss->lambda < 1 && loss->k_score > 0;
    if (loss->lambda < 1 && !scored) {
        fprintf(fit->call->err,
                "no position has a search score: the fit is one of results alone\n");
    }
    if (!scored || fit->rows.without_result == fit->rows.count) return STATUS_OK;
    setup.lambda = 1;
    setup.k = loss->k;
    setup.report = NULL;
    setup.near = fit->result.hessian;
    setup.only_weights = true;
    setup.tolerance = 1e-7;
    Status status = fit_run(&fit->rows, &setup, &fit->prior, fit->result.weights, &alone, err);
    if (status == STATUS_OK) {
        status = errors_covariance(&fit->rows, &setup, &alone, &covariance, err);
    }
    if (status == STATUS_OK) {
        errors_propagate(&fit->rows, &fit->result, covariance, &fit->alone);
        record_print(fit->call->out, fit->settings->json, "errors_given %s score_share %.3f",
                     "the search's scores; beside them: of results alone", 1 - loss->lambda);
        print_beside(fit, "results", &fit->alone);
    }
    free(covariance);
    fit_result_clear(&alone);
    return status;
}
