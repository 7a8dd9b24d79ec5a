// SPDX-License-Identifier: GPL-3.0-or-later
// What `paotai tune` prints, and the provenance of its weight files.
#include "core/base/interrupt.h"
#include "core/base/json.h"
#include "core/base/version.h"
#include "datasets/store/summary.h"
#include "tuner/cmd_tune.h"
#include "tuner/fit/fit_record.h"
#include "tuner/report/report.h"

bool tune_print_step(void *context, const OptimiserStep *step, double train, double valid) {
    const CommandCall *call = context;
    const TuneSettings *settings = call->settings;
    if (settings->json) {
        Record record;
        record_begin(&record, call->out, true);
        record_int(&record, "iteration", step->iteration);
        record_real(&record, "train_loss", train, 9);
        record_real(&record, "valid_loss", valid, 9);
        record_real(&record, "objective", step->value, 12);
        record_real(&record, "gradient_norm", step->gradient_norm, 12);
        record_real(&record, "gap", step->gap, 15);
        record_real(&record, "seconds", step->time_s, 3);
        record_end(&record);
    } else if (!settings->quiet) {
        if (step->iteration == 0) {
            fprintf(call->out, "%9s %11s %11s %10s %10s %8s\n", "iteration", "train", "valid",
                    "gradient", "gap", "seconds");
        }
        fprintf(call->out, "%9d %11.7f %11.7f %10.2e %10.2e %8.2f\n", step->iteration, train, valid,
                step->gradient_norm, step->gap, step->time_s);
        fflush(call->out);
    }
    return !interrupt_requested();
}

void tune_print_summary(const CommandCall *call, const FitSetup *setup, const RowSet *rows,
                        const FitResult *result, const double *weights) {
    const TuneSettings *settings = call->settings;
    static const char *const parts[PART_COUNT] = {"train", "valid", "test"};
    Estimate loss[PART_COUNT];
    Record record;
    errors_of_losses(rows, setup, result, weights, loss);
    record_begin(&record, call->out, settings->json);
    record_int(&record, "games", (long long)rows->game_count);
    record_int(&record, "positions", (long long)rows->count);
    record_real(&record, "coefficients_per_row", (double)rows->coefficients / (double)rows->count,
                2);
    record_text(&record, "optimiser", optimiser_name((OptimiserKind)settings->optimiser));
    record_int(&record, "iterations", result->optimiser.iterations);
    record_text(&record, "converged", result->optimiser.converged ? "yes" : "no");
    record_digits(&record, "gradient_norm", result->optimiser.gradient_norm, 3);
    record_digits(&record, "gap", result->optimiser.gap, 3);
    record_real(&record, "seconds", result->optimiser.time_s, 3);
    record_real(&record, "k", result->slopes.k, 8);
    if (settings->loss == LOSS_DRAWS) {
        record_real(&record, "draw_width", result->slopes.draw_width, 6);
    }
    if (settings->lambda < 1) record_real(&record, "k_score", result->slopes.k_score, 8);
    for (int part = 0; part < PART_COUNT; part++) {
        char key[48];
        if (result->rows[part] == 0) continue;
        snprintf(key, sizeof key, "%s_positions", parts[part]);
        record_int(&record, key, (long long)result->rows[part]);
        snprintf(key, sizeof key, "%s_loss_start", parts[part]);
        record_real(&record, key, result->start_loss[part], 7);
        snprintf(key, sizeof key, "%s_loss", parts[part]);
        record_real(&record, key, result->loss[part], 7);
        snprintf(key, sizeof key, "%s_loss_error", parts[part]);
        record_real(&record, key, loss[part].error, 7);
    }
    if (settings->out) record_text(&record, "weights", settings->out);
    if (settings->report) record_text(&record, "report", settings->report);
    record_end(&record);
}

// What the rows were read from.
static void tune_data_names(const CommandCall *call, Text *text) {
    const TuneSettings *settings = call->settings;
    if (settings->rows) text_add(text, "%s", settings->rows);
    for (int i = 0; i < call->arg_count; i++) {
        text_add(text, "%s%s", i ? ", " : "", call->args[i]);
    }
}

// Which runs were read, by their content.
static Status add_data(const CommandCall *call, Text *text, Err *err) {
    const TuneSettings *settings = call->settings;
    Status status = STATUS_OK;
    for (int i = 0; i < call->arg_count && status == STATUS_OK; i++) {
        StoreSummary summary;
        status = store_summarise(call->args[i], settings->threads, NULL, &summary, err);
        text_add(text, "data %s content_hash %s\n", call->args[i], summary.content_hash);
    }
    return status;
}

static void add_provenance(const CommandCall *call, const RowSet *rows, const FitResult *result,
                           Text *text) {
    text_add(text, "made by paotai %s %s: tune", PAOTAI_VERSION, version_revision());
    for (int i = 0; i < call->arg_count; i++) text_add(text, " %s", call->args[i]);
    text_add(text, "\n");
    command_options_text(call, text);
    text_add(text, "games %zu positions %zu train %llu valid %llu test %llu\n", rows->game_count,
             rows->count, (unsigned long long)result->rows[PART_TRAIN],
             (unsigned long long)result->rows[PART_VALID],
             (unsigned long long)result->rows[PART_TEST]);
    text_add(text, "fitted_k=%.8g\nfitted_k_score=%.8g\nfitted_draw_width=%.8g\n", result->slopes.k,
             result->slopes.k_score, result->slopes.draw_width);
    text_add(text, "k %.8g train_loss %.7f valid_loss %.7f converged %s\n", result->slopes.k,
             result->loss[PART_TRAIN], result->loss[PART_VALID],
             result->optimiser.converged ? "yes" : "no");
}

// ---- the table of piece values ------------------------------------------------------------------

enum { POINTS_OF_CHARIOT = 9 };
static const double unit = (double)SCALE_CHARIOT / POINTS_OF_CHARIOT;

static void print_value_json(const CommandCall *call, WeightGroup group, const PieceValue *value,
                             const PieceValue *error, double classic) {
    Record record;
    record_begin(&record, call->out, true);
    record_text(&record, "piece", weight_group_name(group));
    record_real(&record, "middlegame", value->middlegame / unit, 4);
    record_real(&record, "endgame", value->endgame / unit, 4);
    record_real(&record, "mean", value->mean / unit, 4);
    if (error) {
        record_real(&record, "middlegame_error95", TUNE_QUANTILE_95 * error->middlegame / unit, 4);
        record_real(&record, "endgame_error95", TUNE_QUANTILE_95 * error->endgame / unit, 4);
        record_real(&record, "mean_error95", TUNE_QUANTILE_95 * error->mean / unit, 4);
    }
    record_real(&record, "classic", classic / unit, 4);
    record_int(&record, "pieces", (long long)value->pieces);
    record_end(&record);
}

static void print_value(const CommandCall *call, WeightGroup group, const PieceValue *value,
                        const PieceValue *error, double classic) {
    const double values[] = {value->middlegame, value->endgame, value->mean};
    const double errors[] = {error ? error->middlegame : 0, error ? error->endgame : 0,
                             error ? error->mean : 0};
    fprintf(call->out, "%-16s", weight_group_name(group));
    for (int i = 0; i < 3; i++) {
        fprintf(call->out, " %8.2f", values[i] / unit);
        if (error) fprintf(call->out, " +- %5.2f", TUNE_QUANTILE_95 * errors[i] / unit);
    }
    fprintf(call->out, " %8.2f %12.0f\n", classic / unit, value->pieces);
}

void tune_print_values(const CommandCall *call, const RowSet *rows, const double *weights,
                       const PieceValue *error) {
    const TuneSettings *settings = call->settings;
    PieceValue values[GROUP_COUNT];
    piece_values(rows, weights, values);
    if (!settings->json) {
        const char *gap = error ? "  95 % " : "";
        const int width = error ? 9 : 0;
        fprintf(call->out, "%-16s %8s %*s %8s %*s %8s %*s %8s %12s\n", "piece value", "midgame",
                width - 1, gap, "endgame", width - 1, gap, "mean", width - 1, gap, "classic",
                "pieces seen");
    }
    for (int t = 0; t < WEIGHT_TERM_COUNT; t++) {
        if (weight_terms[t].part != TERM_MATERIAL) continue;
        const WeightGroup group = weight_terms[t].group;
        const PieceValue *e = error ? &error[group] : NULL;
        if (settings->json) {
            print_value_json(call, group, &values[group], e, weight_terms[t].classic);
        } else {
            print_value(call, group, &values[group], e, weight_terms[t].classic);
        }
    }
}

// ---- the end of a fit ---------------------------------------------------------------------------

// What is known before the scale is set: errors, and what was asked for besides.
static Status finish_errors(const CommandCall *call, const FitSetup *setup, const RowSet *rows,
                            const Prior *prior, const FitResult *result, FitErrors *errors,
                            Err *err) {
    const TuneSettings *settings = call->settings;
    Status status = errors_of_fit(rows, setup, result, errors, err);
    if (status == STATUS_OK && settings->study) {
        status = tune_study(call, setup, rows, prior, result, err);
    }
    if (status == STATUS_OK && settings->bootstrap > 1) {
        FitErrors bootstrap;
        status = tune_bootstrap(call, setup, rows, prior, result, &bootstrap, err);
        if (status == STATUS_OK) tune_print_bootstrap(call, errors, &bootstrap);
    }
    return status;
}

// The weight file: values, and behind comment marks all that the fit knows of them.
static Status format_file(const CommandCall *call, const FitSetup *setup, const RowSet *rows,
                          const Prior *prior, const FitResult *result, const FitErrors *errors,
                          const Weights *rounded, Text *file, Err *err) {
    Text notes = {0};
    PieceValue values[GROUP_COUNT];
    double decided[2 * WEIGHT_COUNT], flat[2 * WEIGHT_COUNT];
    values_flat(rounded, flat);
    piece_values(rows, flat, values);
    add_provenance(call, rows, result, &notes);
    Status status = add_data(call, &notes, err);
    if (status == STATUS_OK) status = fit_decided(result, prior, setup->frozen, decided, err);
    if (status == STATUS_OK) {
        fit_record_format(result, errors, values, decided, &notes);
        weights_format(rounded, text_get(&notes), file);
    }
    text_clear(&notes);
    return status;
}

static Status write_files(const CommandCall *call, const FitSetup *setup, const RowSet *rows,
                          const Prior *prior, const FitResult *result, const FitErrors *errors,
                          const Weights *rounded, Err *err) {
    const TuneSettings *settings = call->settings;
    Text text = {0};
    Status status = STATUS_OK;
    if (settings->out || settings->report) {
        status = format_file(call, setup, rows, prior, result, errors, rounded, &text, err);
    }
    if (status == STATUS_OK && settings->out) {
        status = text_write_file(settings->out, text_get(&text), text.length, err);
    }
    if (status == STATUS_OK && settings->report) {
        Text data = {0};
        tune_data_names(call, &data);
        const ReportSource source = {.name = settings->out ? settings->out : "the fit",
                                     .text = text_get(&text),
                                     .weights = rounded,
                                     .rows = rows,
                                     .fitted_rows = true,
                                     .data = text_get(&data),
                                     .setup = *setup};
        status = report_write(&source, settings->report, err);
        text_clear(&data);
    }
    text_reset(&text);
    if (status == STATUS_OK && settings->errors) {
        errors_format(rows, result->weights, errors, &text);
        status = text_write_file(settings->errors, text_get(&text), text.length, err);
    }
    text_clear(&text);
    return status;
}

Status tune_finish(const CommandCall *call, const FitSetup *setup, const RowSet *rows,
                   const Prior *prior, FitResult *result, Err *err) {
    double flat[2 * WEIGHT_COUNT];
    Weights rounded;
    FitErrors errors;
    Status status = finish_errors(call, setup, rows, prior, result, &errors, err);
    if (status != STATUS_OK) return status;
    values_centre(rows, result->weights);
    status = values_apply_scale(rows, result->weights, &result->slopes.k, err);
    // The curvature was found before the scale was set; rounding only compares curvatures.
    if (status == STATUS_OK) {
        status = values_round(rows, result->weights, result->hessian, &rounded, err);
    }
    if (status != STATUS_OK) return status;
    values_flat(&rounded, flat);
    fit_measure(rows, setup, &result->slopes, flat, result->loss);
    status = write_files(call, setup, rows, prior, result, &errors, &rounded, err);
    if (status != STATUS_OK) return status;
    tune_print_values(call, rows, flat, errors.value);
    tune_print_summary(call, setup, rows, result, flat);
    return STATUS_OK;
}
