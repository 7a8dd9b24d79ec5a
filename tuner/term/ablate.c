// SPDX-License-Identifier: GPL-3.0-or-later
#include "tuner/term/ablate.h"

#include <math.h>
#include <string.h>

#include "core/base/json.h"
#include "core/base/memory.h"
#include "core/system/interrupt.h"
#include "core/system/out_file.h"
#include "datasets/store/run.h"
#include "tuner/rows/load.h"
#include "tuner/rows/row_notes.h"
#include "tuner/rows/terms.h"
#include "tuner/term/ablate_table.h"
#include "tuner/term/ablate_verdict.h"
#include "tuner/trace/trace_load.h"

typedef struct Ablate {
    const AblateSettings *settings;
    Study study;                       // the current group of terms
    double start_se[2 * WEIGHT_COUNT]; // standard errors of the start weights
    SparseTerms foreign;               // terms of the engine of --trace
    Text head; // first line of the table: numbers of games and positions, and options
    AblateTable *table;
} Ablate;

static void ablate_clear(Ablate *ablate) {
    study_clear(&ablate->study);
    sparse_terms_clear(&ablate->foreign);
    free(ablate->table);
    text_clear(&ablate->head);
}
AUTO_VALUE(Ablate, ablate_clear)

static void add_path(const Ablate *ablate, const char *name, Text *path) {
    text_add(path, "%s/%s", ablate->settings->out, name);
}

static void add_table_path(const Ablate *ablate, Text *path) {
    add_path(ablate, ablate->settings->terms ? "terms.tsv" : "ablate.tsv", path);
}

// ---- the fit with all terms ---------------------------------------------------------------------

// Makes the terms that match the patterns `terms` the group of the study. Refuses terms that the
// engine of --trace declares fixed.
static Status choose(Ablate *ablate, const char *terms, Err *err) {
    Study *study = &ablate->study;
    const int n = 2 * study->rows.pairs;
    bool any = false;
    if (!study->chosen) study->chosen = memory_alloc((size_t)n, sizeof *study->chosen);
    memset(study->chosen, 0, (size_t)n * sizeof *study->chosen);
    study->terms = terms;
    TRY(row_choose_weights(&study->rows, terms, true, study->chosen, err));
    for (int i = 0; i < n; i++) {
        if (ablate->foreign.fixed && ablate->foreign.fixed[i / 2][i % 2] != 0) {
            study->chosen[i] = false;
        }
        any = any || study->chosen[i];
    }
    if (any) return STATUS_OK;
    return err_set(err, STATUS_USAGE, "--terms %s: the engine declares these terms fixed", terms);
}

// Refuses --prior-errors if the start weights have no standard errors, because the option would
// have no effect.
static Status check_prior(const Ablate *ablate, Err *err) {
    const AblateSettings *settings = ablate->settings;
    bool known = settings->setup.prior.se_times == 0;
    for (int i = 0; i < 2 * WEIGHT_COUNT; i++) known = known || ablate->start_se[i] > 0;
    if (known) return STATUS_OK;
    return err_set(err, STATUS_USAGE,
                   "--prior-errors has no effect: --weights %s has no standard errors",
                   settings->weights);
}

static Status fit_own(Ablate *ablate, Err *err) {
    const AblateSettings *settings = ablate->settings;
    Study *study = &ablate->study;
    const CommandCall *call = study->call;
    const RowChoice choice = {.with_faults = settings->setup.with_faults};
    double start[2 * WEIGHT_COUNT];
    FitSetup setup = settings->setup;
    TRY(rows_load(call->args, call->arg_count, &choice, setup.threads,
                  settings->quiet ? NULL : call->err, &study->rows, err));
    rows_note(&study->rows, settings->quiet, call->err);
    TRY(fit_read_start(settings->weights, start, ablate->start_se, err));
    TRY(check_prior(ablate, err));
    setup.prior.se = ablate->start_se;
    return study_fit_with(study, &setup, start, NULL, err);
}

// Loads the rows of the engine of --trace, and fits its terms.
static Status fit_traced(Ablate *ablate, Err *err) {
    const AblateSettings *settings = ablate->settings;
    Study *study = &ablate->study;
    const CommandCall *call = study->call;
    AUTO(Tracer) tracer = {.threads = 0};
    AUTO(TraceReport) report = {.none = 0};
    FitSetup setup = settings->setup;
    TRY(tracer_open(settings->trace, 0, setup.threads, &tracer, err));
    tracer.with_faults = setup.with_faults;
    TRY(trace_load(&tracer, call->args, call->arg_count, settings->quiet ? NULL : call->err,
                   &study->rows, &ablate->foreign, &report, err));
    TRY(trace_verdict(&report, &ablate->foreign, settings->max_mismatch, err));
    TRY(choose(ablate, settings->terms, err));
    const int n = 2 * study->rows.pairs;
    AUTO_FREE bool *fitted = memory_alloc((size_t)n, sizeof *fitted);
    for (int i = 0; i < n; i++) fitted[i] = ablate->foreign.fixed[i / 2][i % 2] == 0;
    setup.prior.times = 1;
    if (!command_given(call, "prior-sd")) setup.prior.terms = &ablate->foreign;
    return study_fit_with(study, &setup, ablate->foreign.start[0], fitted, err);
}

// ---- measuring ----------------------------------------------------------------------------------

// Rounds the weights of a fit and writes them to a weight file of --out.
static Status write_weights(const Ablate *ablate, const Fit *fit, const char *name, Err *err) {
    double flat[2 * WEIGHT_COUNT];
    Weights rounded;
    AUTO(Text) path = {0}, text = {0};
    TRY(study_scaled_values(fit, flat, err));
    TRY(values_round(fit->rows, flat, fit->hessian, fit->frozen, &rounded, err));
    weights_format(&rounded, "made by paotai ablate\n", &text);
    add_path(ablate, name, &path);
    return text_write_file(path.data, text.data, text.length, err);
}

static Status play_ablate_match(Ablate *ablate, Err *err) {
    const AblateSettings *settings = ablate->settings;
    Study *study = &ablate->study;
    if (!settings->match_pairs || !study_can_play(study)) return STATUS_OK;
    TRY(write_weights(ablate, &study->without, "without.txt", err));
    const WeightsMatchSpec match = {.sprt = &weights_match_sprt,
                                    .pairs = settings->match_pairs,
                                    .nodes = settings->nodes,
                                    .seed = settings->setup.seed,
                                    .threads = settings->setup.threads};
    return study_play(study, settings->out, &match, &study->match, err);
}

// Refuses a group of terms if no other weight remains to be fitted.
static Status check_some_remain(const Study *study, Err *err) {
    const Fit *fit = &study->with;
    for (int i = 0; i < fit->n; i++) {
        if (!study->chosen[i] && !fit->frozen[i]) return STATUS_OK;
    }
    return err_set(err, STATUS_USAGE,
                   "no weight remains to fit: --terms %s matches all %d weights; name fewer terms",
                   study->terms, fit->n);
}

static Status ablate_group(Ablate *ablate, const char *terms, Err *err) {
    Study *study = &ablate->study;
    TRY(choose(ablate, terms, err));
    TRY(check_some_remain(study, err));
    TRY(study_fit_without(study, err));
    TRY(play_ablate_match(ablate, err));
    ablate_table_add(ablate->table, study);
    return STATUS_OK;
}

// Measures the terms of --terms as one group, or with --each-group all groups of terms that the
// table of results does not contain yet.
static Status ablate_all(Ablate *ablate, Err *err) {
    const AblateSettings *settings = ablate->settings;
    AblateTable *table = ablate->table;
    char groups[GROUPS_MAX][GROUP_NAME_SIZE];
    const int count = settings->terms ? 1 : ablate_groups(groups);
    AUTO(Text) path = {0};
    Progress progress;
    add_table_path(ablate, &path);
    progress_init(&progress, ablate->study.call->err, settings->quiet, "groups", (uint64_t)count);
    progress.before = (uint64_t)table->count;
    while (table->count < count) {
        const char *terms = settings->terms ? settings->terms : groups[table->count];
        progress_update(&progress, (uint64_t)table->count, terms);
        TRY(ablate_group(ablate, terms, err));
        TRY(ablate_table_write(table, ablate->head.data, path.data, err));
        if (table->count == count || !interrupt_requested()) continue;
        return err_set(err, STATUS_INTERRUPTED, "interrupted; --resume continues");
    }
    progress_finish(&progress, (uint64_t)table->count, "");
    return STATUS_OK;
}

// ---- output -------------------------------------------------------------------------------------

static Status print_values(Ablate *ablate, Err *err) {
    const AblateSettings *settings = ablate->settings;
    Study *study = &ablate->study;
    const bool traced = settings->trace != NULL;
    const ValueChoice choice = {.most = 24, .all_or_none = !traced, .only_met = traced};
    TRY(study_find_values(study, !traced, err));
    const int hidden = study_print_values(study, &choice, settings->json);
    if (hidden > 0 && !traced && !settings->quiet) {
        fprintf(study->call->err, "the %d weights of these terms are in %s/with.txt\n", hidden,
                settings->out);
    }
    return STATUS_OK;
}

// Appends to a sentence that no fitted value of the group differs significantly from 0. If the
// match was decided, also appends that its result may be due to chance.
static void add_within_errors(const Study *study, Text *sentence) {
    const StrengthWord word = study->match.verdict.word;
    text_add(sentence, "; no weight of these terms differs from 0 by more than chance");
    if (word != STRENGTH_STRONGER && word != STRENGTH_WEAKER) return;
    text_add(sentence,
             ", so the result of the match may be due to chance, which happens in one match of 20");
}

static void add_sentence(const Ablate *ablate, Text *sentence) {
    const AblateSettings *settings = ablate->settings;
    const Study *study = &ablate->study;
    ablate_sentence_add(study, sentence);
    if (settings->trace) return;
    if (study->values && !study->significant && !collinearity_is_copy(&study->collinearity)) {
        add_within_errors(study, sentence);
    }
    if (settings->setup.prior.se_times > 0) {
        text_add(
            sentence,
            "; the standard deviation of the prior of both fits is %g times each weight's standard "
            "error in %s (--prior-errors)",
            settings->setup.prior.se_times, settings->weights);
    }
}

// Prints the verdict and its sentence. With --trace, prints how to play a match; otherwise, prints
// the path of the table.
static void print_verdict(const Ablate *ablate) {
    const AblateSettings *settings = ablate->settings;
    const Study *study = &ablate->study;
    FILE *out = study->call->out;
    AUTO(Text) sentence = {0}, path = {0}, word = {0};
    Record record;
    ablate_word_add(study, &word);
    add_sentence(ablate, &sentence);
    if (settings->trace) {
        record_print(out, settings->json, "verdict %s", word.data);
        record_print(out, settings->json, "sentence %s", sentence.data);
        record_print(out, settings->json, "next %s",
                     "build the engine with and without these terms, and play paotai match --a "
                     "cmd=WITH,nodes=5000 --b cmd=WITHOUT,nodes=5000 --sprt");
        return;
    }
    add_table_path(ablate, &path);
    record_begin(&record, out, settings->json);
    record_add(&record, "table %s verdict %s", path.data, word.data);
    if (settings->json) record_add(&record, "sentence %s", sentence.data);
    record_end(&record);
    if (!settings->json) fprintf(out, "%s: %s\n", study->terms, sentence.data);
}

// Prints the results for one group of terms. The verdict and its sentence are last.
static Status print_one(Ablate *ablate, Err *err) {
    const Study *study = &ablate->study;
    const bool never = occurrence_never(&study->occurrence);
    Record record;
    record_begin(&record, study->call->out, ablate->settings->json);
    record_add(&record, "positions_with_term %llu games_with_term %llu",
               (unsigned long long)study->occurrence.positions,
               (unsigned long long)study->occurrence.games);
    if (!never) study_record_explained(study, &record);
    if (weights_match_games(&study->match) > 0) {
        record_add(&record, "match_games %lld", weights_match_games(&study->match));
        weights_match_record(&study->match, &record);
    }
    if (!never) study_record_change(study, &record);
    record_end(&record);
    if (!never) TRY(print_values(ablate, err));
    print_verdict(ablate);
    return STATUS_OK;
}

// Prints the results for the terms of --terms, or with --each-group the table of all groups of
// terms and the path of its file.
static Status print(Ablate *ablate, Err *err) {
    const AblateSettings *settings = ablate->settings;
    FILE *out = ablate->study.call->out;
    AUTO(Text) path = {0};
    if (settings->terms) return print_one(ablate, err);
    ablate_table_print(ablate->table, settings->json, out);
    add_table_path(ablate, &path);
    record_print(out, settings->json, "table %s", path.data);
    return STATUS_OK;
}

// ---- the run ------------------------------------------------------------------------------------

static void print_games(const Ablate *ablate) {
    const Study *study = &ablate->study;
    const AblateSettings *settings = ablate->settings;
    if (settings->json && !settings->trace) return;
    record_print(study->call->out, settings->json, "games %zu positions %zu valid_games %llu",
                 study->rows.game_count, study->rows.count,
                 (unsigned long long)study->with.games[PART_VALID]);
}

// Sets the first line of the table: the number of positions and games, and the options.
static void begin_head(Ablate *ablate) {
    const RowSet *rows = &ablate->study.rows;
    AUTO(Text) options = {0};
    text_add(&ablate->head, "# %zu games %zu positions; ", rows->game_count, rows->count);
    run_identity_begin(ablate->study.call, "ablate", &options);
    for (char *end = options.data; end && (end = strchr(end, '\n'));) *end = ' ';
    text_add(&ablate->head, "%s\n", text_get(&options));
}

static Status run_own(Ablate *ablate, Err *err) {
    const AblateSettings *settings = ablate->settings;
    AUTO_POINTER(RunLock) lock = NULL;
    AUTO(Text) path = {0};
    TRY(fit_own(ablate, err));
    print_games(ablate);
    TRY(run_directory_prepare(settings->out, err));
    TRY(run_directory_lock(settings->out, &lock, err));
    begin_head(ablate);
    add_table_path(ablate, &path);
    ablate->table = memory_alloc(1, sizeof *ablate->table);
    // A table of other games or options is refused before anything is written.
    if (settings->resume) {
        TRY(ablate_table_read(ablate->table, ablate->head.data, path.data, err));
    }
    TRY(write_weights(ablate, &ablate->study.with, "with.txt", err));
    const Status status = ablate_all(ablate, err);
    if (status != STATUS_OK && settings->terms) return status;
    // With --each-group, print the results so far even after Ctrl-C or an error.
    TRY(print(ablate, err));
    return status;
}

static Status run_traced(Ablate *ablate, Err *err) {
    TRY(fit_traced(ablate, err));
    TRY(study_fit_without(&ablate->study, err));
    print_games(ablate);
    return print_one(ablate, err);
}

Status ablate_run(const CommandCall *call, Err *err) {
    const AblateSettings *settings = call->settings;
    AUTO(Ablate) ablate = {.settings = settings, .study = {.call = call}};
    return settings->trace ? run_traced(&ablate, err) : run_own(&ablate, err);
}
