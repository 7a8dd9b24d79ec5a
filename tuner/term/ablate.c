// SPDX-License-Identifier: GPL-3.0-or-later
#include "tuner/term/ablate.h"

#include <math.h>
#include <string.h>

#include "core/base/json.h"
#include "core/base/memory.h"
#include "core/system/interrupt.h"
#include "datasets/store/run.h"
#include "tuner/rows/terms.h"
#include "tuner/term/ablate_table.h"
#include "tuner/term/significance.h"

typedef struct Ablate {
    const CommandCall *call;
    const AblateSettings *settings;
    AblationBase base;
    bool *chosen;      // true for each weight of the current group of terms
    Ablation ablation; // result of the current group of terms
    Text head;         // first line of the table: numbers of games and positions, and options
    AblateTable *table;
} Ablate;

static void ablate_clear(Ablate *ablate) {
    ablation_base_clear(&ablate->base);
    free(ablate->chosen);
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

// ---- measuring ----------------------------------------------------------------------------------

static Status play(Ablate *ablate, const Fit *without, Err *err) {
    const AblateSettings *settings = ablate->settings;
    AUTO(Text) a = {0}, b = {0};
    add_path(ablate, "with.txt", &a);
    add_path(ablate, "without.txt", &b);
    TRY(ablation_write(without, b.data, err));
    const TermMatchSpec match = {.with = a.data,
                                 .without = b.data,
                                 .sprt = &term_match_sprt,
                                 .pairs = settings->match_pairs,
                                 .nodes = settings->nodes,
                                 .seed = settings->setup.seed,
                                 .threads = settings->setup.threads};
    return term_match_play(ablate->call, &match, &ablate->ablation.match, err);
}

// Refuses a group of terms if no other weight remains to be fitted.
static Status check_some_remain(const Ablate *ablate, const char *terms, Err *err) {
    const Fit *fit = &ablate->base.with;
    for (int i = 0; i < fit->n; i++) {
        if (!ablate->chosen[i] && !fit->frozen[i]) return STATUS_OK;
    }
    return err_set(err, STATUS_USAGE,
                   "no weight remains to fit: --terms %s matches all %d weights; name fewer terms",
                   terms, fit->n);
}

static Status ablate_group(Ablate *ablate, const char *terms, Err *err) {
    Ablation *ablation = &ablate->ablation;
    const RowSet *rows = ablate->base.rows;
    AUTO(Fit) without = {0};
    snprintf(ablation->terms, sizeof ablation->terms, "%s", terms);
    memset(ablate->chosen, 0, (size_t)ablate->base.with.n * sizeof *ablate->chosen);
    TRY(row_choose_weights(rows, terms, true, ablate->chosen, err));
    TRY(check_some_remain(ablate, terms, err));
    TRY(ablation_measure(&ablate->base, ablate->chosen, ablation, &without, err));
    if (ablate->settings->match_pairs && ablation_can_play(ablation)) {
        TRY(play(ablate, &without, err));
    }
    ablate_table_add(ablate->table, ablation, rows);
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
    if (settings->resume) TRY(ablate_table_read(table, ablate->head.data, path.data, err));
    progress_init(&progress, ablate->call->err, settings->quiet, "groups", (uint64_t)count);
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

// Prints the weights of the group in the fit with all terms, unless there are more than 24. Sets
// *significant to whether a weight of the group differs from 0 by more than chance.
static Status print_values(Ablate *ablate, bool *significant, Err *err) {
    enum { MOST = 24 };
    const Fit *fit = &ablate->base.with;
    const AblateSettings *settings = ablate->settings;
    AUTO(FitErrors) errors = {0};
    int count = 0;
    double flat[2 * WEIGHT_COUNT];
    for (int i = 0; i < fit->n; i++) count += ablate->chosen[i];
    TRY(errors_of_fit(fit, false, &errors, err));
    TRY(ablation_scaled(fit, flat, err));
    *significant = term_differs_from_zero(flat, errors.weight, ablate->chosen, fit->n);
    for (int i = 0; i < fit->n && count <= MOST; i++) {
        char name[WEIGHT_NAME_SIZE];
        if (!ablate->chosen[i]) continue;
        row_weight_name(fit->rows, i, name);
        record_row(ablate->call->out, settings->json,
                   "{weight}%-28s {value}%8.1f +- {value_error95}%.1f in {games}%.0f games\n", name,
                   flat[i], Z95 * errors.weight[i], errors.games[i]);
    }
    if (count > MOST && !settings->quiet) {
        fprintf(ablate->call->err, "the %d weights of these terms are in %s/with.txt\n", count,
                settings->out);
    }
    return STATUS_OK;
}

// Appends to a sentence that no fitted value of the group differs significantly from 0. If the
// match was decided, also appends that its result may be due to chance.
static void add_within_errors(const Ablation *ablation, Text *sentence) {
    const StrengthWord word = ablation->match.verdict.word;
    text_add(sentence, "; no weight of these terms differs from 0 by more than chance");
    if (word != STRENGTH_STRONGER && word != STRENGTH_WEAKER) return;
    text_add(sentence,
             ", so the result of the match may be due to chance, which happens in one match of 20");
}

// Prints the results for one group of terms. The verdict and its sentence are last.
static Status print_one(Ablate *ablate, Err *err) {
    const AblateSettings *settings = ablate->settings;
    const Ablation *ablation = &ablate->ablation;
    const bool never = occurrence_never(&ablation->occurrence);
    bool significant = true;
    AUTO(Text) sentence = {0}, path = {0}, by = {0}, word = {0};
    Record record;
    record_begin(&record, ablate->call->out, settings->json);
    record_add(&record, "positions_with_term %llu games_with_term %llu",
               (unsigned long long)ablation->occurrence.positions,
               (unsigned long long)ablation->occurrence.games);
    collinearity_add_list(&ablation->collinearity, ablate->base.rows, &by);
    if (!never) {
        record_add(&record, "r2 %.4f explained_by %s", ablation->collinearity.r2,
                   by.length ? by.data : "-");
    }
    if (term_match_games(&ablation->match) > 0) {
        record_add(&record, "match_games %lld", term_match_games(&ablation->match));
        term_match_record(&ablation->match, &record);
    }
    if (!never) {
        record_add(&record, "loss_change %.7f loss_change_error95 %.7f", ablation->change.value,
                   Z95 * ablation->change.error);
    }
    record_end(&record);
    if (!never) TRY(print_values(ablate, &significant, err));
    ablation_sentence(ablation, ablate->base.rows, &sentence);
    if (!significant && !collinearity_is_copy(&ablation->collinearity))
        add_within_errors(ablation, &sentence);
    if (settings->setup.prior.se_times > 0) {
        text_add(
            &sentence,
            "; the standard deviation of the prior of both fits is %g times each weight's standard "
            "error in %s (--prior-errors)",
            settings->setup.prior.se_times, settings->weights);
    }
    add_table_path(ablate, &path);
    record_begin(&record, ablate->call->out, settings->json);
    ablation_word_add(ablation, &word);
    record_add(&record, "table %s verdict %s", path.data, word.data);
    if (settings->json) record_add(&record, "sentence %s", sentence.data);
    record_end(&record);
    if (!settings->json) fprintf(ablate->call->out, "%s: %s\n", ablation->terms, sentence.data);
    return STATUS_OK;
}

// Prints the results for the terms of --terms, or with --each-group the table of all groups of
// terms and the path of its file.
static Status print(Ablate *ablate, Err *err) {
    const AblateSettings *settings = ablate->settings;
    AUTO(Text) path = {0};
    if (settings->terms) return print_one(ablate, err);
    ablate_table_print(ablate->table, settings->json, ablate->call->out);
    add_table_path(ablate, &path);
    record_print(ablate->call->out, settings->json, "table %s", path.data);
    return STATUS_OK;
}

// ---- the run ------------------------------------------------------------------------------------

// Refuses --prior-errors if the start weights have no standard errors, because the option would
// have no effect.
static Status check_prior(const AblateSettings *settings, const double *se, Err *err) {
    bool known = settings->setup.prior.se_times == 0;
    for (int i = 0; i < 2 * WEIGHT_COUNT; i++) known = known || se[i] > 0;
    if (known) return STATUS_OK;
    return err_set(err, STATUS_USAGE,
                   "--prior-errors has no effect: --weights %s has no standard errors",
                   settings->weights);
}

// Sets the first line of the table: the number of positions and games, and the options.
static void begin_head(Ablate *ablate, const RowSet *rows) {
    AUTO(Text) options = {0};
    text_add(&ablate->head, "# %zu games %zu positions; ", rows->game_count, rows->count);
    run_identity_begin(ablate->call, "ablate", &options);
    for (char *end = options.data; end && (end = strchr(end, '\n'));) *end = ' ';
    text_add(&ablate->head, "%s\n", text_get(&options));
}

Status ablate_run(const CommandCall *call, const RowSet *rows, Err *err) {
    const AblateSettings *settings = call->settings;
    AUTO(Ablate) ablate = {.call = call, .settings = settings};
    AUTO(Text) with = {0};
    double start[2 * WEIGHT_COUNT], start_se[2 * WEIGHT_COUNT];
    FitSetup setup = settings->setup;
    TRY(tune_read_start(settings->weights, start, start_se, err));
    TRY(check_prior(settings, start_se, err));
    setup.prior.se = start_se;
    TRY(ablation_base_fit(rows, &setup, start, NULL, &ablate.base, err));
    if (!settings->json) {
        record_print(call->out, false, "games %zu positions %zu valid_games %llu", rows->game_count,
                     rows->count, (unsigned long long)ablate.base.with.games[PART_VALID]);
    }
    AUTO_POINTER(RunLock) lock = NULL;
    TRY(run_directory_prepare(settings->out, err));
    TRY(run_directory_lock(settings->out, &lock, err));
    add_path(&ablate, "with.txt", &with);
    TRY(ablation_write(&ablate.base.with, with.data, err));
    begin_head(&ablate, rows);
    ablate.chosen = memory_alloc((size_t)ablate.base.with.n, sizeof *ablate.chosen);
    ablate.table = memory_alloc(1, sizeof *ablate.table);
    const Status status = ablate_all(&ablate, err);
    if (status != STATUS_OK && settings->terms) return status;
    // With --each-group, print the results so far even after Ctrl-C or an error.
    TRY(print(&ablate, err));
    return status;
}
