// SPDX-License-Identifier: GPL-3.0-or-later
// paotai tune --measure and --compare: measures how well given weights predict games.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/json.h"
#include "tuner/fit/measure.h"
#include "tuner/tune/tune.h"

// ---- measuring ----------------------------------------------------------------------------------

// A set of weights to measure, with the setup and slopes of its loss.
typedef struct Measured {
    double flat[2 * WEIGHT_COUNT];
    LossSetup loss;
    FitRecord record;
} Measured;

static void measured_clear(Measured *measured) {
    fit_record_clear(&measured->record);
}
AUTO_VALUE(Measured, measured_clear)

// Loads a set of weights. If a fit wrote them, prints a note unless --quiet is given: the games may
// contain the training games of the fit.
static Status measured_load(const CommandCall *call, const char *name, Measured *measured,
                            Err *err) {
    const TuneSettings *settings = call->settings;
    Weights weights;
    AUTO_FREE char *text = NULL;
    TRY(weights_read_text(name, &text, err));
    TRY(weights_parse(text, name, &weights, err));
    fit_record_parse(text, &measured->record);
    values_flat(&weights, measured->flat);
    if (settings->quiet || !strstr(text, "\n# split_by=")) return STATUS_OK;
    fprintf(call->err,
            "%s comes from a fit: its loss is too low if the fit was trained on some of these "
            "games; 'paotai report' leaves out the games that the fit was trained on\n",
            name);
    return STATUS_OK;
}

// Fits the slopes of the sigmoids that convert scores to expected results, for scores of the
// measured weights and for search scores. With --k, keeps the given slope K for scores of the
// weights.
static Status measured_fit(const FitSetup *setup, const RowSet *rows, const double *game_weight,
                           Measured *measured, Err *err) {
    measured->loss = fit_loss_setup(setup, game_weight);
    return loss_fit_slopes(rows, &measured->loss, measured->flat, err);
}

// Prints the mean result of the positions in each bin of the predicted result. If `targets` is not
// NULL, also prints the mean targets, which blend results and search scores.
static void print_bins(const CommandCall *call, const CalibrationBin *bins,
                       const CalibrationBin *targets) {
    const bool json = ((const TuneSettings *)call->settings)->json;
    if (!json) {
        fprintf(call->out, "%-12s %10s %10s %10s %10s%s\n", "predicted", "mean", "observed", "95 %",
                "positions", targets ? "     target       95 %" : "");
    }
    for (int i = 0; i < CALIBRATION_BINS; i++) {
        const CalibrationBin *bin = &bins[i], *target = targets ? &targets[i] : bin;
        record_row(call->out, json,
                   targets ? "{bin_low}%.1f-{bin_high}%.1f      {predicted}%10.4f "
                             "{observed}%10.4f {observed_error95}%10.4f {positions}%10llu "
                             "{target}%10.4f {target_error95}%10.4f\n"
                           : "{bin_low}%.1f-{bin_high}%.1f      {predicted}%10.4f "
                             "{observed}%10.4f {observed_error95}%10.4f {positions}%10llu\n",
                   (double)i / CALIBRATION_BINS, (i + 1.0) / CALIBRATION_BINS, bin->predicted,
                   bin->observed.value, Z95 * bin->observed.error, (unsigned long long)bin->rows,
                   target->observed.value, Z95 * target->observed.error);
    }
}

// Prints the piece values in the measured positions. Their errors contain the choice of these
// positions and, if the weight file records errors of piece values, these errors.
static void print_values(const CommandCall *call, const RowSet *rows, const Measured *measured) {
    const TuneSettings *settings = call->settings;
    const FitRecord *record = &measured->record;
    PieceTable pieces;
    AUTO(Text) contain = {0};
    piece_table_measure(rows, measured->flat, &pieces, NULL);
    for (int line = 0; line < PIECE_LINES && record->has_pieces; line++) {
        for (int k = 0; k < STAGES; k++) {
            pieces.se[line][k] = hypot(pieces.se[line][k], record->pieces.se[line][k]);
        }
    }
    text_add(&contain,
             record->has_pieces ? "%s (from the weight file); mix of these positions"
                                : ERRORS_OF_POSITIONS,
             record->contain);
    tune_print_values(call, &pieces, contain.data, settings->verbose, settings->json);
}

Status tune_measure(const CommandCall *call, Err *err) {
    const TuneSettings *settings = call->settings;
    AUTO(Measured) measured = {.record = {.has_errors = false}};
    AUTO(RowSet) rows = {0};
    TRY(measured_load(call, settings->weights, &measured, err));
    TRY(tune_load(call, call->args, call->arg_count, &rows, NULL, NULL, err));
    TRY(fit_check_rows(&rows, settings->setup.lambda, err));
    AUTO_FREE double *game_weight = fit_game_weights(&rows, settings->setup.weigh);
    TRY(measured_fit(&settings->setup, &rows, game_weight, &measured, err));
    CalibrationBin bins[CALIBRATION_BINS], targets[CALIBRATION_BINS];
    LossSetup results = measured.loss;
    results.lambda = 1;
    measure_calibration(&rows, &results, measured.flat, bins);
    measure_calibration(&rows, &measured.loss, measured.flat, targets);
    print_bins(call, bins, measured.loss.lambda < 1 ? targets : NULL);
    print_values(call, &rows, &measured);
    const Estimate mean = measure_loss(&rows, &measured.loss, measured.flat);
    record_print(call->out, settings->json,
                 "games %zu positions %zu k %.8f loss %.7f loss_error95 %.7f", rows.game_count,
                 rows.count, measured.loss.k, mean.value, Z95 * mean.error);
    return STATUS_OK;
}

Status tune_compare(const CommandCall *call, Err *err) {
    const TuneSettings *settings = call->settings;
    AUTO(Measured) a = {.record = {.has_errors = false}}, b = {.record = {.has_errors = false}};
    AUTO(RowSet) rows = {0};
    if (call->arg_count < (settings->rows ? 2 : 3)) {
        return err_set(err, STATUS_USAGE,
                       settings->rows
                           ? "--compare needs two weight sets: tune --compare A B --rows FILE"
                           : "--compare needs two weight sets and a DIR: tune --compare A B DIR");
    }
    TRY(measured_load(call, call->args[0], &a, err));
    TRY(measured_load(call, call->args[1], &b, err));
    TRY(tune_load(call, call->args + 2, call->arg_count - 2, &rows, NULL, NULL, err));
    TRY(fit_check_rows(&rows, settings->setup.lambda, err));
    AUTO_FREE double *game_weight = fit_game_weights(&rows, settings->setup.weigh);
    TRY(measured_fit(&settings->setup, &rows, game_weight, &a, err));
    TRY(measured_fit(&settings->setup, &rows, game_weight, &b, err));
    const Estimate difference = measure_difference(&rows, &a.loss, a.flat, &b.loss, b.flat);
    record_print(
        call->out, settings->json,
        "games %zu positions %zu k_a %.8f k_b %.8f loss_a %.7f loss_b %.7f "
        "difference %.7f difference_error95 %.7f",
        rows.game_count, rows.count, a.loss.k, b.loss.k, measure_loss(&rows, &a.loss, a.flat).value,
        measure_loss(&rows, &b.loss, b.flat).value, difference.value, Z95 * difference.error);
    return STATUS_OK;
}
