// SPDX-License-Identifier: GPL-3.0-or-later
// paotai tune: fits weights to training positions and writes the files of the fit.
#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/base/json.h"
#include "core/base/memory.h"
#include "core/system/interrupt.h"
#include "core/system/out_file.h"
#include "core/system/ranks.h"
#include "core/system/version.h"
#include "datasets/sparse/weights_hdf5.h"
#include "tuner/fit/prior_size.h"
#include "tuner/report/report.h"
#include "tuner/rows/row_notes.h"
#include "tuner/rows/row_ranks.h"
#include "tuner/rows/term_names.h"
#include "tuner/rows/terms.h"
#include "tuner/trace/trace_origin.h"
#include "tuner/tune/tune.h"

// ---- the problem --------------------------------------------------------------------------------

// Reads the weights with which the fit starts. For built-in terms these are the weights of
// --weights. For terms of another program (--rows), these are the start values in the file, or 0 if
// the file has none. With such terms, refuses options that need built-in terms.
static Status read_start(TuneFit *tune, double *start, Err *err) {
    if (tune->terms) {
        const SparseTerms *terms = tune->terms;
        const size_t n = 2 * (size_t)tune->rows.pairs;
        if (terms->start) memcpy(start, terms->start, n * sizeof *start);
        const bool pictures = terms->unit || term_names_have_indices(terms);
        return command_refuse(
            tune->call,
            pictures ? "weights errors smooth-sd material-sd prior-errors show"
                     : "weights errors report smooth-sd material-sd prior-errors show",
            "this option applies to built-in terms only; the terms of --trace and of the file of "
            "--rows are those of another program, and their fit starts from its values",
            err);
    }
    TRY(fit_record_load(tune->settings.weights, &tune->start, err));
    tune->settings.setup.prior.se = tune->start_se;
    return fit_read_start(tune->settings.weights, start, tune->start_se, err);
}

// Factor of the prior's scales in fits to results alone, times the root of the positions per game.
// Chosen in E-124; with 110 positions per game, Pikafish-HCE gained with 15 units, and lost
// with 80.
#define RESULTS_TIMES 0.6

// Returns the offset of a position, a part of the evaluation that no weight multiplies.
static double offset_of(const RowSet *rows, const RowChunk *chunk, uint32_t i) {
    const uint32_t end = chunk->begin[i + 1];
    if (end == chunk->begin[i] || chunk->pair[end - 1] != rows->pairs) return 0;
    return row_coefficient(chunk, end - 1);
}

// Returns true if the offsets of the positions predict their results, or their search scores if no
// result is known: their correlation is more than four standard errors above 0.
static bool offsets_predict(const RowSet *rows) {
    const bool results = rows->without_result < rows->count;
    double n = 0, x = 0, y = 0, xx = 0, xy = 0, yy = 0;
    for (size_t c = rows->own_first; c < rows->own_end; c++) {
        const RowChunk *chunk = &rows->chunks[c];
        for (uint32_t i = 0; i < chunk->count; i++) {
            if (results ? chunk->result[i] < 0 : chunk->score_red[i] == SCORE_UNKNOWN) continue;
            const double a = offset_of(rows, chunk, i);
            const double b = results ? (double)chunk->result[i] : (double)chunk->score_red[i];
            n++;
            x += a;
            y += b;
            xx += a * a;
            xy += a * b;
            yy += b * b;
        }
    }
    const double both = (xx - x * x / n) * (yy - y * y / n);
    return n > 0 && both > 0 && (xy - x * y / n) / sqrt(both) * sqrt(n) > 4;
}

// Sets tune->scale. For terms of another program, also sets the prior. If an engine traced the
// terms, or if names have indices, start values and names set it (prior_terms.h). Otherwise, or
// with --prior-sd, all weights get the same standard deviation. Without --k, the slope K of the
// sigmoid is fitted later, with the start weights held fixed. If all start weights are 0, K is
// fitted to the offsets of the positions, if these predict the results. Otherwise K is
// LOSS_USUAL_K, and the size of the fitted weights depends on this choice.
static void choose_scale(TuneFit *tune, const double *start) {
    FitSetup *setup = &tune->settings.setup;
    const bool k_given = setup->k > 0;
    if (!tune->terms) {
        tune->scale = values_have_scale(&tune->rows) ? "chariot" : "k";
        return;
    }
    const bool started = tune->terms->start != NULL;
    const double guess = FOREIGN_PRIOR_SD * (k_given ? LOSS_USUAL_K / setup->k : 1);
    tune->open_prior = !started && !command_given(tune->call, "prior-sd");
    const double sd = tune->open_prior ? fmin(guess, PRIOR_SIZE_MAX) : setup->prior.sd;
    bool zero = true;
    setup->prior = (PriorSetup){.sd = sd, .material_sd = sd, .times = 1};
    const bool known = started && (tune->terms->unit || term_names_have_indices(tune->terms));
    if (known && !command_given(tune->call, "prior-sd")) setup->prior.terms = tune->terms;
    // All positions of a game share its result, so results alone say less than the number of
    // positions suggests. The prior must then be stronger.
    if (setup->lambda >= 1 || tune->rows.without_score == tune->rows.count) {
        const double positions = (double)tune->rows.count / (double)tune->rows.game_count;
        setup->prior.times = fmin(1, RESULTS_TIMES / sqrt(positions));
    }
    setup->prior.times *= tune->settings.prior_times;
    tune->scale = k_given ? "set by --k" : "that of the start";
    for (int i = 0; i < 2 * tune->rows.pairs && zero; i++) zero = start[i] == 0.0;
    if (!zero || k_given) return;
    if (offsets_predict(&tune->rows)) {
        tune->scale = "that of the offset";
        return;
    }
    tune->scale = "400 units mean odds of 10 to 1";
    setup->k = LOSS_USUAL_K;
    if (!tune->settings.quiet) {
        fprintf(tune->call->err,
                "%s: 400 units mean odds of 10 to 1 (K = ln(10) / 400); set another scale with "
                "--k\n",
                started ? "all start weights are 0" : "the file has no start weights");
    }
}

Status tune_choose_frozen(const TuneFit *tune, bool *frozen, Err *err) {
    const TuneSettings *settings = &tune->settings;
    const int n = 2 * tune->rows.pairs;
    int free = 0, fixed = 0;
    for (int i = 0; i < n; i++) frozen[i] = settings->fit != NULL;
    if (settings->fit) TRY(row_choose_weights(&tune->rows, settings->fit, false, frozen, err));
    if (settings->freeze) TRY(row_choose_weights(&tune->rows, settings->freeze, true, frozen, err));
    for (int i = 0; i < n; i++) {
        const bool held =
            tune->terms && tune->terms->fixed && tune->terms->fixed[i / 2][i % 2] != 0;
        fixed += held && !frozen[i];
        frozen[i] = frozen[i] || held;
        free += !frozen[i];
    }
    if (free > 0) return STATUS_OK;
    return err_set(err, STATUS_USAGE, "no weight remains to fit with %s%s%s%s%s%s",
                   settings->fit ? "--fit " : "", settings->fit ? settings->fit : "",
                   settings->fit && settings->freeze ? " and " : "",
                   settings->freeze ? "--freeze " : "", settings->freeze ? settings->freeze : "",
                   fixed ? " (the engine declares other terms fixed)" : "");
}

static Status choose_frozen(TuneFit *tune, Err *err) {
    TRY(tune_choose_frozen(tune, tune->fit.frozen, err));
    if (!tune->terms && !fit_is_whole(&tune->fit)) tune->scale = "start";
    return STATUS_OK;
}

// Warns about positions without a search score, which --lambda does not affect. Prints nothing with
// --quiet, or if lambda is 1.
static void warn_results_alone(const TuneFit *tune) {
    enum { MANY_GAMES = 5000 };
    const RowSet *rows = &tune->rows;
    if (tune->settings.quiet || tune->settings.setup.lambda >= 1 || !rows->without_score) return;
    if (rows->without_score < rows->count) {
        fprintf(tune->call->err,
                "%.0f %% of the positions have no search score: their target is the result alone\n",
                100.0 * (double)rows->without_score / (double)rows->count);
        return;
    }
    fprintf(tune->call->err,
            "no position has a search score: --lambda %g has no effect, and the target is the "
            "result alone\n",
            tune->settings.setup.lambda);
    if (rows->game_count < MANY_GAMES && !tune->terms) {
        fprintf(
            tune->call->err,
            "without search scores, %zu games give only %zu results, which determine large weights "
            "such as piece values only roughly; the prior determines most other weights.\n"
            "To get scores, search the positions with 'paotai rescore DIR --out SCORED' and fit "
            "SCORED\n",
            rows->game_count, rows->game_count);
    }
}

// ---- files --------------------------------------------------------------------------------------

// Returns the median of the ratio (standard error in a fit to results alone) / (standard error in
// this fit) over the weights for which both errors are known; NAN if there are none. The errors are
// those without the prior's pull, which is similar in both fits.
static double compare_errors(const TuneFit *tune) {
    AUTO_FREE double *times = memory_alloc((size_t)tune->fit.n, sizeof *times);
    size_t count = 0;
    for (int i = 0; i < tune->fit.n; i++) {
        const double error = tune->errors.data[i], alone = tune->alone.data[i];
        if (error > 0 && alone > 0) times[count++] = alone / error;
    }
    gsl_sort(times, 1, count);
    return count ? times[count / 2] : NAN;
}

void tune_add_provenance(const TuneFit *tune, Text *text) {
    const CommandCall *call = tune->call;
    const Fit *fit = &tune->fit;
    const LossSetup *loss = &fit->loss;
    text_add(text, "made by paotai %s %s: tune", PAOTAI_VERSION, version_revision());
    for (int i = 0; i < call->arg_count; i++) text_add(text, " %s", call->args[i]);
    text_add(text, "\n");
    command_given_text(call, true, text);
    command_options_text(call, true, text);
    text_add(text, "split_by=%s\n", tune->rows.split_by_content ? "content" : "rows");
    text_add(text, "games %zu positions %zu train %llu valid %llu test %llu\n",
             tune->rows.game_count, tune->rows.count,
             (unsigned long long)fit->part_rows[PART_TRAIN],
             (unsigned long long)fit->part_rows[PART_VALID],
             (unsigned long long)fit->part_rows[PART_TEST]);
    text_add(text, "fitted_k=%.8g\nfitted_k_score=%.8g\nfitted_mover_units=%.8g\n", loss->k,
             loss->k_score, loss->mover_units);
    for (int j = 0; j < SCORE_KNOTS - 1; j++) {
        text_add(text, "fitted_k_bend%d=%.8g\n", j, loss->k_bend[j]);
    }
    text_add(text, "scale %s\n", tune->scale);
    text_add(text, "k %.8g train_loss %.7f valid_loss %.7f converged %s\n", loss->k,
             fit->part_loss[PART_TRAIN].value, fit->part_loss[PART_VALID].value,
             fit->converged ? "yes" : "no");
    // The standard errors of a fit to search scores assume that the scores are exact.
    if (tune->alone.weight) fit_condition_format(tune->results_times, text);
}

// Appends the comment lines of the weight file, which record the fit (fit_record.h).
static void format_notes(const TuneFit *tune, Text *notes) {
    const CommandCall *call = tune->call;
    tune_add_provenance(tune, notes);
    for (int i = 0; i < call->arg_count; i++) {
        text_add(notes, "data %s content_hash %s\n", call->args[i], tune->rows.content[i]);
    }
    fit_record_format(&tune->fit, &tune->errors, &tune->start, notes);
    for (int t = 0; t < WEIGHT_TERM_COUNT; t++) {
        if (tune_is_new_term(tune, t)) text_add(notes, "new_term %s\n", weight_terms[t].name);
    }
}

static Status write_report(const TuneFit *tune, const Weights *rounded, const Text *file,
                           Err *err) {
    const TuneSettings *settings = &tune->settings;
    const CommandCall *call = tune->call;
    AUTO(Text) data = {0}, command = {0};
    if (settings->rows) text_add(&data, "%s", settings->rows);
    for (int i = 0; i < call->arg_count; i++) text_add(&data, "%s%s", i ? ", " : "", call->args[i]);
    command_line(call, &command);
    const ReportSource source = {.name = settings->out ? settings->out : "the fit",
                                 .text = text_get(file),
                                 .weights = rounded,
                                 .rows = &tune->rows,
                                 .fitted_rows = true,
                                 .data = text_get(&data),
                                 .command = command.data,
                                 .setup = tune->fit.setup};
    return report_write(&source, settings->report, err);
}

static Status write_files(const TuneFit *tune, const Weights *rounded, Err *err) {
    const TuneSettings *settings = &tune->settings;
    AUTO(Text) text = {0}, notes = {0};
    if (settings->out || settings->report) {
        format_notes(tune, &notes);
        weights_format(rounded, text_get(&notes), &text);
    }
    if (text_ends_in(settings->out, ".h5")) {
        TRY(weights_write_hdf5(rounded, tune->errors.weight, settings->out, text_get(&notes), err));
    } else if (settings->out) {
        TRY(text_write_file(settings->out, text_get(&text), text.length, err));
    }
    if (settings->report) TRY(write_report(tune, rounded, &text, err));
    if (!settings->errors) return STATUS_OK;
    text_reset(&text);
    errors_format(&tune->fit, &tune->errors, tune->alone.weight, &text);
    return text_write_file(settings->errors, text_get(&text), text.length, err);
}

// Largest differences of scores that values_check() accepts, in units. Rounding the weights changes
// scores by much less than rounding_slack. values_centre() and values_apply_scale() change
// predictions only by floating-point errors, less than exact_slack.
static const double rounding_slack = 40.0, exact_slack = 1e-6;

// Moves the mean of each table into the material term of its piece, and scales the weights to the
// usual value of a chariot (values_centre(), values_apply_scale()). Skips both steps if some
// weights are frozen. Then rounds, writes and prints the weights of the built-in terms. Checks for
// every position that the final weights predict the same result as the fitted weights, up to
// rounding.
static Status finish_ours(TuneFit *tune, Err *err) {
    const RowSet *rows = &tune->rows;
    Fit *fit = &tune->fit;
    Weights rounded;
    AUTO(Text) contain = {0};
    const double k_fitted = fit->loss.k;
    double fitted[2 * WEIGHT_COUNT], flat[2 * WEIGHT_COUNT];
    memcpy(fitted, fit->weights, sizeof fitted);
    if (fit_is_whole(fit)) {
        values_centre(rows, fit->weights);
        TRY(values_apply_scale(rows, fit->weights, &fit->loss.k, err));
    }
    TRY(values_check(rows, fitted, k_fitted, fit->weights, fit->loss.k, exact_slack, err));
    // fit->hessian belongs to the weights before scaling. Rounding may use it, because rounding
    // depends only on ratios of curvatures, which scaling does not change.
    TRY(values_round(rows, fit->weights, fit->hessian, fit->frozen, &rounded, err));
    values_flat(&rounded, flat);
    TRY(values_check(rows, fitted, k_fitted, flat, fit->loss.k, rounding_slack, err));
    fit_compare(fit, flat); // measures the rounded weights, because these are written to the file
    if (mpi_rank() == 0) TRY(write_files(tune, &rounded, err));
    fit_contain_describe(fit->frozen, &tune->start, true, &contain);
    tune_print_values(tune->call, &tune->errors.pieces, contain.data, tune->settings.verbose,
                      tune->settings.json);
    tune_print_terms(tune);
    tune_print_notes(tune);
    tune_print_summary(tune);
    return STATUS_OK;
}

// Protects an existing file from an interrupted fit: if *path names a regular file, sets *path to
// NULL, so that nothing is written to it. Prints whether the fit is written.
static void spare_file(const CommandCall *call, const char **path) {
    struct stat there;
    AUTO(Text) word = {0};
    if (!*path) return;
    const bool spared = stat(*path, &there) == 0 && S_ISREG(there.st_mode);
    text_add_word(&word, *path);
    fprintf(call->err, "paotai tune: interrupted: %s %s\n", word.data,
            spared ? "is unchanged; to keep an interrupted fit, name a file that does not exist"
                   : "receives a fit that did not converge");
    if (spared) *path = NULL;
}

// If search scores are part of the target, computes the standard errors of a fit to results alone
// for comparison. The errors of a fit to search scores assume that the scores are exact.
static Status find_errors_alone(TuneFit *tune, Err *err) {
    const LossSetup *loss = &tune->fit.loss;
    const bool scored = loss->lambda < 1 && loss->k_score > 0;
    if (!scored || tune->rows.without_result == tune->rows.count) return STATUS_OK;
    AUTO(Fit) alone = {0};
    TRY(fit_results_alone(&tune->fit, &alone, err));
    TRY(errors_of_fit(&alone, false, &tune->alone, err));
    tune->results_times = compare_errors(tune);
    return STATUS_OK;
}

static Status finish(TuneFit *tune, Err *err) {
    TuneSettings *settings = &tune->settings;
    if (interrupt_requested() && !tune->fit.converged && mpi_rank() == 0) {
        const char **const paths[] = {&settings->out, &settings->report, &settings->errors};
        for (int i = 0; i < 3; i++) spare_file(tune->call, paths[i]);
    }
    TRY(errors_of_fit(&tune->fit, true, &tune->errors, err));
    identify(&tune->fit, &tune->identity);
    if (tune->terms) identify_separable(&tune->fit, &tune->identity);
    tune->half.value = NAN;
    if (tune->fit.converged && tune->fit.part_rows[PART_VALID])
        TRY(fit_half(&tune->fit, &tune->half, err));
    TRY(find_errors_alone(tune, err));
    tune_count_decided(tune);
    tune_print_head(tune);
    return tune->terms ? tune_finish_terms(tune, err) : finish_ours(tune, err);
}

static Status fit_rows(TuneFit *tune, Err *err) {
    TuneSettings *settings = &tune->settings;
    AUTO_FREE double *start = memory_alloc(2 * (size_t)tune->rows.pairs, sizeof *start);
    TRY(read_start(tune, start, err));
    choose_scale(tune, start);
    fit_init(&tune->fit, &tune->rows, &settings->setup, start);
    TRY(choose_frozen(tune, err));
    tune->shown = memory_alloc((size_t)tune->fit.n, sizeof *tune->shown);
    for (int i = 0; i < tune->fit.n; i++) tune->shown[i] = settings->json && !settings->show;
    if (settings->show) {
        TRY(row_choose_weights(&tune->rows, settings->show, true, tune->shown, err));
    }
    if (!settings->out && !settings->quiet) {
        fprintf(tune->call->err,
                "the fitted weights are printed but not saved; --out FILE saves them\n");
    }
    warn_results_alone(tune);
    TRY(tune_check_prior(tune, err));
    if (settings->cv > 1) TRY(tune_cross_validate(tune, err));
    if (tune->open_prior && settings->cv < 2) {
        TRY(prior_choose_size(&tune->fit, err));
        settings->setup.prior = tune->fit.setup.prior;
    }
    if (tune->terms && !settings->quiet) tune_say_prior(tune);
    tune->fit.report = tune_print_step;
    tune->fit.report_context = (void *)tune->call;
    TRY(fit_run(&tune->fit, err));
    return finish(tune, err);
}

// Prints what has changed since the rows of --rows were made.
static void say_differences(const TuneFit *tune) {
    AUTO(Text) text = {0};
    trace_origin_compare(tune->terms, &text);
    for (char *cursor = text.data, *line; text.length && (line = text_next_field(&cursor, '\n'));) {
        if (*line) record_print(tune->call->out, tune->settings.json, "difference %s", line);
    }
}

// Reads the positions, and compares rows of another program with its values.
static Status load_rows(TuneFit *tune, Err *err) {
    const CommandCall *call = tune->call;
    if (tune->settings.trace) return tune_load_trace(tune, err);
    TRY(tune_load(call, call->args, call->arg_count, &tune->rows, &tune->foreign, &tune->check,
                  err));
    if (tune->foreign.terms > 0) tune->terms = &tune->foreign;
    if (tune->terms) say_differences(tune);
    if (tune->check.terms == 0 || !tune->terms) return STATUS_OK;
    AUTO_FREE bool *frozen = memory_alloc(2 * (size_t)tune->rows.pairs, sizeof *frozen);
    TRY(tune_choose_frozen(tune, frozen, err));
    TRY(row_check_verdict(&tune->check, tune->terms, tune->settings.max_mismatch, err));
    TRY(row_check_terms(&tune->check, tune->terms, frozen, ROW_CHECK_LEAST, err));
    tune_print_checked(call, tune->terms, &tune->check);
    return STATUS_OK;
}

Status tune_fit(const CommandCall *as_given, Err *err) {
    CommandCall call = BORROW(*as_given);
    TuneFit tune = {
        .call = &call, .results_times = NAN, .settings = *(const TuneSettings *)as_given->settings};
    call.settings = &tune.settings;
    if (!tune.settings.rows && !tune.settings.trace && !tune.settings.quiet && mpi_rank() == 0) {
        rows_say_players(&call, tune.settings.weights, ", from which the fit starts");
    }
    Status status = load_rows(&tune, err);
    if (status == STATUS_OK) status = fit_rows(&tune, err);
    if (status == STATUS_OK && call.result) {
        const Fit *fit = &tune.fit;
        const Estimate unknown = {.value = NAN, .error = NAN};
        const bool known = fit->part_rows[PART_VALID] > 0;
        *(ValidLoss *)call.result =
            (ValidLoss){.start = known ? fit->start_loss[PART_VALID] : unknown,
                        .fitted = known ? fit->part_loss[PART_VALID] : unknown,
                        .change = known ? fit->loss_change[PART_VALID] : unknown};
    }
    // If an MPI process was lost, report the loss instead of later errors that it caused.
    if (row_set_lost(&tune.rows, err) != STATUS_OK) status = err->status;
    errors_clear(&tune.errors);
    errors_clear(&tune.alone);
    identity_clear(&tune.identity);
    text_clear(&tune.new_terms);
    fit_record_clear(&tune.start);
    free(tune.shown);
    fit_clear(&tune.fit);
    sparse_terms_clear(&tune.foreign);
    row_check_clear(&tune.check);
    row_set_clear(&tune.rows);
    return status;
}
