// SPDX-License-Identifier: GPL-3.0-or-later
// paotai tune --cv: strengths of the prior by cross-validation.
#include "core/base/json.h"
#include "core/base/memory.h"
#include "tuner/cmd_tune.h"
#include "tuner/fit/cv.h"

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
    SETTINGS = WIDTHS * SMOOTHS
};

typedef struct Shown {
    Progress progress;
    uint64_t fits;
} Shown;

static void show_fit(void *context, int setting, int fold) {
    Shown *shown = context;
    (void)setting;
    (void)fold;
    progress_update(&shown->progress, ++shown->fits, NULL);
}

static void print_setting(const CommandCall *call, const CvSetting *setting, bool best) {
    const TuneSettings *settings = call->settings;
    if (settings->json) {
        Record record;
        record_begin(&record, call->out, true);
        record_real(&record, "prior_sd", setting->prior.sd, 3);
        record_real(&record, "smooth_sd", setting->prior.smooth_sd, 3);
        record_real(&record, "held_out_loss", setting->loss, 7);
        record_real(&record, "difference", setting->difference.value, 7);
        record_real(&record, "difference_error", setting->difference.error, 7);
        record_end(&record);
        return;
    }
    fprintf(call->out, "%8g %9g %13.7f %11.7f %11.7f%s\n", setting->prior.sd,
            setting->prior.smooth_sd, setting->loss, setting->difference.value,
            setting->difference.error, best ? "  <- best" : "");
}

Status tune_cross_validate(const CommandCall *call, const FitSetup *setup, const RowSet *rows,
                           const double *start, PriorSetup *strengths, Err *err) {
    const TuneSettings *settings = call->settings;
    CvSetting tried[SETTINGS];
    const bool unknown = rows->foreign && strengths->sd >= FOREIGN_PRIOR_SD;
    // Nothing is tied of terms we do not know.
    const int count = unknown ? WIDE : rows->foreign ? WIDTHS : SETTINGS;
    for (int i = 0; i < count; i++) {
        tried[i] = (CvSetting){.prior = {.sd = unknown ? wide[i] : widths[i % WIDTHS],
                                         .material_sd = strengths->material_sd,
                                         .smooth_sd = smooths[i / WIDTHS]}};
    }
    Shown shown = {.fits = 0};
    progress_init(&shown.progress, call->err, settings->quiet, "fits",
                  (uint64_t)settings->cv * (uint64_t)count);
    const CvProgress progress = {show_fit, &shown};
    int best = 0;
    const Status status =
        cv_run(rows, setup, start, settings->cv, tried, count, &progress, &best, err);
    progress_finish(&shown.progress, shown.fits, "cross-validation");
    if (status != STATUS_OK) return status;
    if (!settings->json) {
        fprintf(call->out, "%8s %9s %13s %11s %11s   (%d folds)\n", "prior-sd", "smooth-sd",
                "held-out loss", "difference", "error", settings->cv);
    }
    for (int i = 0; i < count; i++) print_setting(call, &tried[i], i == best);
    *strengths = tried[best].prior;
    return STATUS_OK;
}
