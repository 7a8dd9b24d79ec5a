// SPDX-License-Identifier: GPL-3.0-or-later
// paotai tune --measure, --compare and --speed.
#include <math.h>
#include <stdlib.h>

#include "core/base/clock.h"
#include "core/base/json.h"
#include "tuner/cmd_tune.h"
#include "tuner/fit/measure.h"

// ---- measuring ----------------------------------------------------------------------------------

// How the weights are measured: *loss with its k; game_weight of it is to be freed.
static Status fit_k(const CommandCall *call, const RowSet *rows, const double *weights,
                    LossSetup *loss, Err *err) {
    const TuneSettings *settings = call->settings;
    const FitSetup setup = tune_fit_setup(settings);
    *loss = fit_loss_setup(&setup, NULL);
    Status status = fit_check_rows(rows, err);
    if (status != STATUS_OK) return status;
    loss->game_weight = fit_game_weights(rows, (FitWeigh)settings->weigh);
    return loss_fit_slopes(rows, loss, weights, err);
}

static void clear(RowSet *rows, LossSetup *loss, int count) {
    for (int i = 0; i < count; i++) free((void *)loss[i].game_weight);
    row_set_clear(rows);
}

// A number of a table, - where there is none.
static void print_cell(FILE *out, double value) {
    if (isfinite(value)) {
        fprintf(out, " %10.4f", value);
    } else {
        fprintf(out, " %10s", "-");
    }
}

// Results by what was predicted, and beside them the targets where scores are blended in (else
// NULL).
static void print_bins(const CommandCall *call, const CalibrationBin *bins,
                       const CalibrationBin *targets) {
    const TuneSettings *settings = call->settings;
    if (!settings->json) {
        fprintf(call->out, "%-12s %10s %10s %10s %10s", "predicted", "mean", "observed", "error",
                "positions");
        if (targets) fprintf(call->out, " %10s %10s", "target", "error");
        fprintf(call->out, "\n");
    }
    for (int i = 0; i < CALIBRATION_BINS; i++) {
        const double low = (double)i / CALIBRATION_BINS, high = (i + 1.0) / CALIBRATION_BINS;
        if (!settings->json) {
            fprintf(call->out, "%.1f-%.1f     ", low, high);
            print_cell(call->out, bins[i].predicted);
            print_cell(call->out, bins[i].observed.value);
            print_cell(call->out, bins[i].observed.error);
            fprintf(call->out, " %10llu", (unsigned long long)bins[i].rows);
            if (targets) {
                print_cell(call->out, targets[i].observed.value);
                print_cell(call->out, targets[i].observed.error);
            }
            fprintf(call->out, "\n");
            continue;
        }
        Record record;
        record_begin(&record, call->out, true);
        record_real(&record, "bin_low", low, 2);
        record_real(&record, "bin_high", high, 2);
        record_real(&record, "predicted", bins[i].predicted, 6);
        record_real(&record, "observed", bins[i].observed.value, 6);
        record_real(&record, "observed_error", bins[i].observed.error, 6);
        if (targets) {
            record_real(&record, "target", targets[i].observed.value, 6);
            record_real(&record, "target_error", targets[i].observed.error, 6);
        }
        record_int(&record, "positions", (long long)bins[i].rows);
        record_end(&record);
    }
}

int tune_measure(const CommandCall *call) {
    const TuneSettings *settings = call->settings;
    Err err = {0};
    Weights weights;
    RowSet rows = {0};
    LossSetup loss = {0};
    double flat[2 * WEIGHT_COUNT];
    Status status = weights_load(settings->weights, &weights, &err);
    if (status == STATUS_OK)
        status = tune_load(call, call->args, call->arg_count, &rows, NULL, &err);
    values_flat(&weights, flat);
    if (status == STATUS_OK) status = fit_k(call, &rows, flat, &loss, &err);
    if (status != STATUS_OK) {
        clear(&rows, &loss, 1);
        return command_fail(call, &err);
    }
    CalibrationBin bins[CALIBRATION_BINS], targets[CALIBRATION_BINS];
    LossSetup results = loss;
    results.lambda = 1;
    measure_calibration(&rows, &results, flat, bins);
    measure_calibration(&rows, &loss, flat, targets);
    print_bins(call, bins, loss.lambda < 1 ? targets : NULL);
    tune_print_values(call, &rows, flat, NULL);
    const Estimate mean = measure_loss(&rows, &loss, flat);
    Record record;
    record_begin(&record, call->out, settings->json);
    record_int(&record, "games", (long long)rows.game_count);
    record_int(&record, "positions", (long long)rows.count);
    record_real(&record, "k", loss.k, 8);
    record_real(&record, "loss", mean.value, 7);
    record_real(&record, "loss_error", mean.error, 7);
    record_end(&record);
    clear(&rows, &loss, 1);
    return 0;
}

int tune_compare(const CommandCall *call) {
    const TuneSettings *settings = call->settings;
    Err err = {0};
    Weights weights[2];
    LossSetup loss[2] = {{0}};
    double flat[2][2 * WEIGHT_COUNT];
    RowSet rows = {0};
    Status status = call->arg_count >= (settings->rows ? 2 : 3)
                        ? STATUS_OK
                        : err_set(&err, STATUS_USAGE, "--compare wants two weight sets and a DIR");
    for (int i = 0; i < 2 && status == STATUS_OK; i++) {
        status = weights_load(call->args[i], &weights[i], &err);
        if (status == STATUS_OK) values_flat(&weights[i], flat[i]);
    }
    if (status == STATUS_OK) {
        status = tune_load(call, call->args + 2, call->arg_count - 2, &rows, NULL, &err);
    }
    for (int i = 0; i < 2 && status == STATUS_OK; i++) {
        status = fit_k(call, &rows, flat[i], &loss[i], &err);
    }
    if (status != STATUS_OK) {
        clear(&rows, loss, 2);
        return command_fail(call, &err);
    }
    const Estimate difference = measure_difference(&rows, &loss[0], flat[0], &loss[1], flat[1]);
    Record record;
    record_begin(&record, call->out, settings->json);
    record_int(&record, "games", (long long)rows.game_count);
    record_int(&record, "positions", (long long)rows.count);
    record_real(&record, "k_a", loss[0].k, 8);
    record_real(&record, "k_b", loss[1].k, 8);
    record_real(&record, "loss_a", measure_loss(&rows, &loss[0], flat[0]).value, 7);
    record_real(&record, "loss_b", measure_loss(&rows, &loss[1], flat[1]).value, 7);
    record_real(&record, "difference", difference.value, 7);
    record_real(&record, "difference_error", difference.error, 7);
    record_end(&record);
    clear(&rows, loss, 2);
    return 0;
}

int tune_speed(const CommandCall *call) {
    const TuneSettings *settings = call->settings;
    Err err = {0};
    RowSet rows = {0};
    Weights weights;
    double flat[2 * WEIGHT_COUNT], gradient[2 * WEIGHT_COUNT];
    weights_classic(&weights);
    values_flat(&weights, flat);
    Status status = tune_load(call, call->args, call->arg_count, &rows, NULL, &err);
    if (status == STATUS_OK) status = fit_check_rows(&rows, &err);
    if (status != STATUS_OK) return command_fail(call, &err);
    const LossSetup loss = {.kind = (LossKind)settings->loss,
                            .k = 0.003,
                            .k_score = 0.003,
                            .lambda = command_given(call, "lambda") ? settings->lambda : 1,
                            .threads = settings->threads};
    const double start = clock_now_s();
    double best = INFINITY;
    for (int i = 0; i < settings->speed; i++) {
        const double before = clock_now_s();
        loss_evaluate(&rows, &loss, flat, gradient);
        best = fmin(best, clock_now_s() - before);
    }
    const double seconds = (clock_now_s() - start) / settings->speed;
    Record record;
    record_begin(&record, call->out, settings->json);
    record_int(&record, "positions", (long long)rows.count);
    record_real(&record, "coefficients_per_row", (double)rows.coefficients / (double)rows.count, 3);
    record_real(&record, "bytes_per_coefficient",
                (double)row_set_coefficient_bytes(&rows) / (double)rows.coefficients, 3);
    record_real(&record, "bytes_per_row", (double)row_set_head_bytes(&rows) / (double)rows.count,
                2);
    record_int(&record, "threads", settings->threads);
    record_real(&record, "seconds_per_pass", seconds, 6);
    record_real(&record, "coefficients_per_second", (double)rows.coefficients / seconds, 0);
    record_real(&record, "best_coefficients_per_second", (double)rows.coefficients / best, 0);
    record_end(&record);
    row_set_clear(&rows);
    return 0;
}
