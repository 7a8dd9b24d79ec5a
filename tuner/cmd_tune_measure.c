// SPDX-License-Identifier: GPL-3.0-or-later
// paotai tune --measure and --compare.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/json.h"
#include "core/base/text.h"
#include "tuner/cmd_tune.h"
#include "tuner/fit/measure.h"

// ---- measuring ----------------------------------------------------------------------------------

// How the weights are measured: *loss with its k; game_weight of it is to be freed.
static Status fit_k(const CommandCall *call, const RowSet *rows, const double *weights,
                    LossSetup *loss, Err *err) {
    const TuneSettings *settings = call->settings;
    *loss = fit_loss_setup(&settings->setup, NULL);
    Status status = fit_check_rows(rows, err);
    if (status != STATUS_OK) return status;
    loss->game_weight = fit_game_weights(rows, settings->setup.weigh);
    return loss_fit_slopes(rows, loss, weights, err);
}

static void clear(RowSet *rows, LossSetup *loss, int count) {
    for (int i = 0; i < count; i++) free((void *)loss[i].game_weight);
    row_set_clear(rows);
}

// Results by what was predicted, and beside them the targets where scores are blended in (else
// NULL).
static void print_bins(const CommandCall *call, const CalibrationBin *bins,
                       const CalibrationBin *targets) {
    const bool json = ((const TuneSettings *)call->settings)->json;
    if (!json) {
        fprintf(call->out, "%-12s %10s %10s %10s %10s%s\n", "predicted", "mean", "observed",
                "error", "positions", targets ? "     target      error" : "");
    }
    for (int i = 0; i < CALIBRATION_BINS; i++) {
        const CalibrationBin *bin = &bins[i], *target = targets ? &targets[i] : bin;
        record_row(call->out, json,
                   targets ? "{bin_low}%.1f-{bin_high}%.1f      {predicted}%10.4f "
                             "{observed}%10.4f {observed_error}%10.4f {positions}%10llu "
                             "{target}%10.4f {target_error}%10.4f\n"
                           : "{bin_low}%.1f-{bin_high}%.1f      {predicted}%10.4f "
                             "{observed}%10.4f {observed_error}%10.4f {positions}%10llu\n",
                   (double)i / CALIBRATION_BINS, (i + 1.0) / CALIBRATION_BINS, bin->predicted,
                   bin->observed.value, bin->observed.error, (unsigned long long)bin->rows,
                   target->observed.value, target->observed.error);
    }
}

// Here all games are measured: says so of weights that a fit has written.
static void tell_fitted(const CommandCall *call, const char *name) {
    const TuneSettings *settings = call->settings;
    char *text = NULL;
    size_t length;
    if (settings->quiet || text_read_file(name, &text, &length, NULL) != STATUS_OK) return;
    if (strstr(text, "\n# split_by=")) {
        fprintf(call->err,
                "%s was fitted: games of its fit, where they are among these, flatter it; 'paotai "
                "report' leaves them out\n",
                name);
    }
    free(text);
}

Status tune_measure(const CommandCall *call, Err *err) {
    const TuneSettings *settings = call->settings;
    Weights weights;
    RowSet rows = {0};
    LossSetup loss = {0};
    double flat[2 * WEIGHT_COUNT];
    Status status = weights_load(settings->weights, &weights, err);
    if (status == STATUS_OK)
        status = tune_load(call, call->args, call->arg_count, &rows, NULL, err);
    if (status == STATUS_OK) tell_fitted(call, settings->weights);
    values_flat(&weights, flat);
    if (status == STATUS_OK) status = fit_k(call, &rows, flat, &loss, err);
    if (status != STATUS_OK) {
        clear(&rows, &loss, 1);
        return err->status;
    }
    CalibrationBin bins[CALIBRATION_BINS], targets[CALIBRATION_BINS];
    LossSetup results = loss;
    results.lambda = 1;
    measure_calibration(&rows, &results, flat, bins);
    measure_calibration(&rows, &loss, flat, targets);
    print_bins(call, bins, loss.lambda < 1 ? targets : NULL);
    tune_print_values(call, &rows, flat, NULL);
    const Estimate mean = measure_loss(&rows, &loss, flat);
    record_print(call->out, settings->json,
                 "games %zu positions %zu k %.8f loss %.7f loss_error %.7f", rows.game_count,
                 rows.count, loss.k, mean.value, mean.error);
    clear(&rows, &loss, 1);
    return STATUS_OK;
}

Status tune_compare(const CommandCall *call, Err *err) {
    const TuneSettings *settings = call->settings;
    Weights weights[2];
    LossSetup loss[2] = {{0}};
    double flat[2][2 * WEIGHT_COUNT];
    RowSet rows = {0};
    Status status = call->arg_count >= (settings->rows ? 2 : 3)
                        ? STATUS_OK
                        : err_set(err, STATUS_USAGE, "--compare wants two weight sets and a DIR");
    for (int i = 0; i < 2 && status == STATUS_OK; i++) {
        status = weights_load(call->args[i], &weights[i], err);
        if (status == STATUS_OK) values_flat(&weights[i], flat[i]);
    }
    if (status == STATUS_OK) {
        status = tune_load(call, call->args + 2, call->arg_count - 2, &rows, NULL, err);
    }
    for (int i = 0; i < 2 && status == STATUS_OK; i++) {
        tell_fitted(call, call->args[i]);
        status = fit_k(call, &rows, flat[i], &loss[i], err);
    }
    if (status != STATUS_OK) {
        clear(&rows, loss, 2);
        return err->status;
    }
    const Estimate difference = measure_difference(&rows, &loss[0], flat[0], &loss[1], flat[1]);
    record_print(call->out, settings->json,
                 "games %zu positions %zu k_a %.8f k_b %.8f loss_a %.7f loss_b %.7f "
                 "difference %.7f difference_error %.7f",
                 rows.game_count, rows.count, loss[0].k, loss[1].k,
                 measure_loss(&rows, &loss[0], flat[0]).value,
                 measure_loss(&rows, &loss[1], flat[1]).value, difference.value, difference.error);
    clear(&rows, loss, 2);
    return STATUS_OK;
}
