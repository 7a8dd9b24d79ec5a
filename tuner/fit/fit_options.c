// SPDX-License-Identifier: GPL-3.0-or-later
#include "tuner/fit/fit_options.h"

#include <string.h>

#include "tuner/fit/values.h"

typedef struct RecordedSettings {
    FitSetup setup;
} RecordedSettings;

static const OptionRow recorded_options[] = {ROWS_LOSS(RecordedSettings, setup),
                                             ROWS_PRIOR(RecordedSettings, setup, PRIOR_TIMES),
                                             ROWS_SPLIT(RecordedSettings, setup),
                                             ROW_FIT_THREADS(RecordedSettings, setup),
                                             ROW_FIT_SEED(RecordedSettings, setup),
                                             ROW_WITH_FAULTS(RecordedSettings, setup.with_faults),
                                             OPTION_END};

FitSetup fit_setup_of_record(const FitRecord *record) {
    RecordedSettings settings;
    options_defaults(recorded_options, &settings, sizeof settings, NULL);
    for (const OptionRow *row = recorded_options; row->name; row++) {
        size_t length;
        char value[64] = "";
        const char *text = fit_record_option(record, row->name, &length);
        if (!text || length >= sizeof value) continue;
        memcpy(value, text, length);
        option_set(row, value, &settings, NULL); // a value that cannot be read keeps its default
    }
    return settings.setup;
}

PriorSetup prior_setup_default(void) {
    RecordedSettings settings;
    options_defaults(recorded_options, &settings, sizeof settings, NULL);
    return settings.setup.prior;
}

Status fit_read_start(const char *name, double start[2 * WEIGHT_COUNT], double se[2 * WEIGHT_COUNT],
                      Err *err) {
    Weights weights;
    AUTO(FitRecord) record = {0};
    TRY(weights_load(name, &weights, err));
    TRY(fit_record_load(name, &record, err));
    memcpy(se, record.error_data, sizeof record.error_data);
    values_flat(&weights, start);
    return STATUS_OK;
}
