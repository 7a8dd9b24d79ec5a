// SPDX-License-Identifier: GPL-3.0-or-later
// paotai tune --study and --bootstrap: what the data can tell, and errors a second way.
#include "core/base/json.h"
#include "core/base/memory.h"
#include "core/base/progress.h"
#include "tuner/cmd_tune.h"
#include "tuner/fit/bootstrap.h"
#include "tuner/fit/identify.h"

enum { SHOWN_PAIRS = 10 };

static void add_names(const TiedTerms *tied, Text *text) {
    for (int i = 0; i < tied->count; i++) {
        text_add(text, "%s%s", i ? "," : "", weight_terms[tied->terms[i]].name);
    }
}

static void print_identity(const CommandCall *call, const Identity *identity) {
    const TuneSettings *settings = call->settings;
    Record record;
    for (int i = 0; i < identity->tied_count; i++) {
        Text names = {0};
        add_names(&identity->tied[i], &names);
        record_begin(&record, call->out, settings->json);
        if (settings->json) {
            record_text(&record, "tied", text_get(&names));
            record_int(&record, "directions", identity->tied[i].directions);
        } else {
            fprintf(call->out, "tied %s (%d directions change no prediction)\n", text_get(&names),
                    identity->tied[i].directions);
        }
        record_end(&record);
        text_clear(&names);
    }
    Text silent = {0};
    for (int i = 0; i < identity->silent_count; i++) {
        char name[WEIGHT_NAME_SIZE];
        weight_name(identity->silent[i], name);
        text_add(&silent, "%s%s", i ? "," : "", name);
    }
    record_begin(&record, call->out, settings->json);
    record_int(&record, "weights_all", identity->weights);
    record_int(&record, "weights_active", identity->active);
    record_int(&record, "rank", identity->rank);
    record_digits(&record, "condition", identity->condition, 4);
    record_text(&record, "never_active", silent.length ? text_get(&silent) : "-");
    record_end(&record);
    text_clear(&silent);
}

static void print_pairs(const CommandCall *call, const double *covariance) {
    const TuneSettings *settings = call->settings;
    CorrelatedPair pairs[SHOWN_PAIRS];
    const int count = correlated_pairs(covariance, 2 * WEIGHT_COUNT, pairs, SHOWN_PAIRS);
    for (int i = 0; i < count; i++) {
        char a[WEIGHT_NAME_SIZE], b[WEIGHT_NAME_SIZE];
        weight_name(pairs[i].a, a);
        weight_name(pairs[i].b, b);
        if (!settings->json) {
            fprintf(call->out, "correlated %+.3f %s %s\n", pairs[i].correlation, a, b);
            continue;
        }
        Record record;
        record_begin(&record, call->out, true);
        record_real(&record, "correlation", pairs[i].correlation, 4);
        record_text(&record, "a", a);
        record_text(&record, "b", b);
        record_end(&record);
    }
}

Status tune_study(const CommandCall *call, const FitSetup *setup, const RowSet *rows,
                  const Prior *prior, const FitResult *result, Err *err) {
    Identity *identity = memory_alloc(1, sizeof *identity);
    double *covariance = NULL;
    Status status = identify(prior, result, identity, err);
    if (status == STATUS_OK) status = errors_covariance(rows, setup, result, &covariance, err);
    if (status == STATUS_OK) {
        print_identity(call, identity);
        print_pairs(call, covariance);
    }
    free(identity);
    free(covariance);
    return status;
}

// ---- bootstrap ----------------------------------------------------------------------------------

static void show_run(void *context, int run) {
    progress_update(context, (uint64_t)run + 1, NULL);
}

Status tune_bootstrap(const CommandCall *call, const FitSetup *setup, const RowSet *rows,
                      const Prior *prior, const FitResult *result, FitErrors *errors, Err *err) {
    const TuneSettings *settings = call->settings;
    Progress progress;
    progress_init(&progress, call->err, settings->quiet, "fits", (uint64_t)settings->bootstrap);
    const Status status = bootstrap_run(rows, setup, prior, result, settings->bootstrap, show_run,
                                        &progress, errors, err);
    progress_finish(&progress, (uint64_t)settings->bootstrap, "bootstrap");
    return status;
}

void tune_print_bootstrap(const CommandCall *call, const FitErrors *sandwich,
                          const FitErrors *bootstrap) {
    const TuneSettings *settings = call->settings;
    if (!settings->json) {
        fprintf(call->out, "%-16s %8s %9s %8s %9s %8s %9s\n", "standard errors", "midgame",
                "bootstrap", "endgame", "bootstrap", "mean", "bootstrap");
    }
    const double unit = SCALE_CHARIOT / 9.0;
    for (int t = 0; t < WEIGHT_TERM_COUNT; t++) {
        if (weight_terms[t].part != TERM_MATERIAL) continue;
        const WeightGroup group = weight_terms[t].group;
        const PieceValue a = sandwich->value[group], b = bootstrap->value[group];
        const char *name = weight_group_name(group);
        if (!settings->json) {
            fprintf(call->out, "%-16s %8.3f %9.3f %8.3f %9.3f %8.3f %9.3f\n", name,
                    a.middlegame / unit, b.middlegame / unit, a.endgame / unit, b.endgame / unit,
                    a.mean / unit, b.mean / unit);
            continue;
        }
        Record record;
        record_begin(&record, call->out, true);
        record_text(&record, "errors_of", name);
        record_real(&record, "middlegame", a.middlegame / unit, 5);
        record_real(&record, "middlegame_bootstrap", b.middlegame / unit, 5);
        record_real(&record, "endgame", a.endgame / unit, 5);
        record_real(&record, "endgame_bootstrap", b.endgame / unit, 5);
        record_real(&record, "mean", a.mean / unit, 5);
        record_real(&record, "mean_bootstrap", b.mean / unit, 5);
        record_end(&record);
    }
}
