// SPDX-License-Identifier: GPL-3.0-or-later
// paotai ablate: terms, or each group of terms in turn, taken out and the rest fitted anew.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/common_rows.h"
#include "core/base/interrupt.h"
#include "core/base/json.h"
#include "core/base/memory.h"
#include "core/base/out_file.h"
#include "datasets/store/run.h"
#include "selfplay/stats/strength_verdict.h"
#include "tuner/loop/words.h"
#include "tuner/rows/load.h"
#include "tuner/rows/terms.h"
#include "tuner/tune/tune.h"

// The match is played by its command.
extern const Command command_match, command_ablate;

typedef struct AblateSettings {
    const char *terms, *weights, *out;
    bool each_group, resume, json, quiet;
    uint64_t match_pairs, nodes;
    FitSetup setup;
} AblateSettings;

static const OptionRow ablate_rows[] = {
    OPT_TEXT("terms", AblateSettings, terms, NULL, "PATTERNS",
             "the terms to take out: names with * and ?, as for 'tune --fit'"),
    OPT_FLAG("each-group", AblateSettings, each_group,
             "take out each group of terms in turn: those whose names begin alike"),
    OPT_TEXT("weights", AblateSettings, weights, "default", "NAME|FILE",
             "start and prior of both fits"),
    OPT_U64(
        "match-pairs", AblateSettings, match_pairs, "0", "N",
        "then play the match with against without, at most N pairs, by an SPRT of 0,5; 0: none"),
    ROW_NODES(AblateSettings, nodes, "1000"),
    OPT_TEXT("out", AblateSettings, out, "build/ablate", "DIR",
             "directory for the fitted weights and the table", OPTION_NEUTRAL),
    OPT_FLAG("resume", AblateSettings, resume, "go on behind the groups that --out has",
             OPTION_NEUTRAL),
    ROW_LAMBDA(AblateSettings, setup),
    ROWS_PRIOR(AblateSettings, setup),
    OPT_REAL("valid-fraction", AblateSettings, setup.valid_fraction, 0.01, 0.9, "0.2", "SHARE",
             "games kept for validation: the loss is compared on them"),
    ROW_FIT_THREADS(AblateSettings, setup),
    OPT_U64("seed", AblateSettings, setup.seed, "1", "N", "seed of the split and of the match"),
    ROW_JSON(AblateSettings),
    ROW_QUIET(AblateSettings),
    OPTION_END,
};

enum { GROUP_NAME_SIZE = TERM_NAME_SIZE + 2, GROUPS_MAX = WEIGHT_TERM_COUNT };

// One line of the table.
typedef struct Ablation {
    char terms[256];
    Estimate change;         // loss with the terms less loss without, on the validation games
    MatchCounts counts;      // of the match of with against without; all 0 if none was played
    StrengthVerdict match;   // what they say
    double elo, elo_error95; // NAN without a match, or if it was too one-sided for a number
} Ablation;

typedef struct Ablate {
    const CommandCall *call;
    const AblateSettings *settings;
    RowSet rows;
    Fit with;
    double *valid; // weights of the validation games
    bool *chosen;  // [n]: what is out
    double start_se[2 * WEIGHT_COUNT];
    Ablation done[GROUPS_MAX];
    int count;
} Ablate;

// ---- a pair of fits -----------------------------------------------------------------------------

// The weights of a fit as tune centres and scales them.
static Status scaled_weights(const Fit *fit, double flat[2 * WEIGHT_COUNT], Err *err) {
    double k = fit->loss.k;
    memcpy(flat, fit->weights, 2 * WEIGHT_COUNT * sizeof *flat);
    values_centre(fit->rows, flat);
    return values_apply_scale(fit->rows, flat, &k, err);
}

// Rounded as tune does it, but that terms which are out stay 0: what the match plays.
static Status write_weights(const Ablate *ablate, const Fit *fit, const char *name, Err *err) {
    double flat[2 * WEIGHT_COUNT];
    Weights rounded;
    AUTO(Text) path = {0}, text = {0};
    TRY(scaled_weights(fit, flat, err));
    TRY(values_round(&ablate->rows, flat, fit->hessian, fit->frozen, &rounded, err));
    text_add(&path, "%s/%s", ablate->settings->out, name);
    weights_format(&rounded, "made by paotai ablate\n", &text);
    return text_write_file(path.data, text.data, text.length, err);
}

// The fit without the chosen weights: they are 0, the others begin at their start.
static Status fit_without(Ablate *ablate, Fit *without, Err *err) {
    const bool *chosen = ablate->chosen;
    const Fit *with = &ablate->with;
    double start[2 * WEIGHT_COUNT];
    for (int i = 0; i < with->n; i++) start[i] = chosen[i] ? 0.0 : with->start[i];
    fit_init(without, &ablate->rows, &with->setup, start);
    memcpy(without->frozen, chosen, (size_t)with->n * sizeof *chosen);
    // The same slopes: losses are comparable, and the scale is free in both.
    without->loss = with->loss;
    without->loss.game_weight = without->train;
    return fit_minimise(without, true, err);
}

// The test of the match.
static const SprtSpec match_test = {
    .model = SPRT_NORMALIZED, .elo0 = 0, .elo1 = 5, .alpha = 0.05, .beta = 0.05};

// Fills what follows from the pentanomial of a match ("-": none was played).
static Status read_match(Ablation *result, const char *pentanomial, Err *err) {
    result->elo = result->elo_error95 = NAN;
    if (strcmp(pentanomial, "-") == 0) return STATUS_OK;
    TRY(match_counts_parse(pentanomial, &result->counts, err));
    strength_verdict(&result->counts, &match_test, true, &result->match);
    if (result->match.one_sided) return STATUS_OK;
    result->elo = result->match.elo;
    result->elo_error95 = 0.5 * (result->match.ci_high - result->match.ci_low);
    return STATUS_OK;
}

static Status play_match(Ablate *ablate, Ablation *result, Err *err) {
    const AblateSettings *settings = ablate->settings;
    AUTO(Words) words = {0};
    AUTO(Text) with = {0}, without = {0}, output = {0};
    text_add(&with, "%s/with.txt", settings->out);
    text_add(&without, "%s/without.txt", settings->out);
    words_add_player(&words, "--a", with.data, "with");
    words_add_player(&words, "--b", without.data, "without");
    words_add(&words,
              "--pairs\n%llu\n--nodes\n%llu\n--seed\n%llu\n--threads\n%d\n--sprt\n%g,%g\n--quiet",
              (unsigned long long)settings->match_pairs, (unsigned long long)settings->nodes,
              (unsigned long long)settings->setup.seed, settings->setup.threads, match_test.elo0,
              match_test.elo1);
    TRY(words_run(&words, &command_match, ablate->call->err, &output, err));
    AUTO_FREE char *pentanomial = output_value(output.data, "pentanomial");
    return read_match(result, pentanomial, err);
}

// Takes the terms out, and adds what they are worth.
static Status ablate_terms(Ablate *ablate, const char *terms, Err *err) {
    Ablation *result = &ablate->done[ablate->count];
    AUTO(Fit) without = {0};
    *result = (Ablation){.elo = NAN, .elo_error95 = NAN};
    snprintf(result->terms, sizeof result->terms, "%s", terms);
    memset(ablate->chosen, 0, (size_t)ablate->with.n * sizeof *ablate->chosen);
    TRY(row_choose_weights(&ablate->rows, terms, true, ablate->chosen, err));
    TRY(fit_without(ablate, &without, err));
    LossSetup loss = ablate->with.loss;
    loss.game_weight = ablate->valid;
    result->change =
        measure_difference(&ablate->rows, &loss, ablate->with.weights, &loss, without.weights);
    if (ablate->settings->match_pairs) {
        TRY(write_weights(ablate, &without, "without.txt", err));
        TRY(play_match(ablate, result, err));
    }
    ablate->count++;
    return STATUS_OK;
}

// ---- output -------------------------------------------------------------------------------------

// The chosen weights by the fit with them; tables and other long terms are left to the file.
static Status print_values(Ablate *ablate, Err *err) {
    const bool *chosen = ablate->chosen;
    enum { MOST = 24 };
    AUTO(FitErrors) errors = {0};
    const Fit *fit = &ablate->with;
    int count = 0;
    double flat[2 * WEIGHT_COUNT];
    for (int i = 0; i < fit->n; i++) count += chosen[i];
    TRY(errors_of_fit(fit, false, &errors, err));
    TRY(scaled_weights(fit, flat, err));
    for (int i = 0; i < fit->n && count <= MOST; i++) {
        char name[WEIGHT_NAME_SIZE];
        if (!chosen[i]) continue;
        row_weight_name(&ablate->rows, i, name);
        record_row(ablate->call->out, ablate->settings->json,
                   "{weight}%-28s {value}%8.1f +- {value_error95}%.1f in {games}%.0f games\n", name,
                   flat[i], Z95 * errors.weight[i], errors.games[i]);
    }
    if (count > MOST && !ablate->settings->quiet) {
        fprintf(ablate->call->err, "%d weights: %s/with.txt has them\n", count,
                ablate->settings->out);
    }
    return STATUS_OK;
}

static const char *verdict_by(double value, double error, const char *const words[3]) {
    return words[isnan(value) || fabs(value) <= error ? 1 : value < 0 ? 0 : 2];
}

static const char *const by_loss[] = {"they help to predict", "no difference seen in the loss",
                                      "they make predictions worse"};

// Appends the verdict of the match, which must have been played: "with them stronger".
static void add_match_words(Text *text, const Ablation *result) {
    text_add(text, "with them ");
    strength_word_add(text, &result->match);
}

static void print_verdict(const Ablate *ablate, const Ablation *result) {
    const double error = Z95 * result->change.error;
    fprintf(ablate->call->out, "%s: %s (%+.6f +- %.6f)", result->terms,
            verdict_by(result->change.value, error, by_loss), result->change.value, error);
    const long long games = match_counts_games(&result->counts);
    AUTO(Text) text = {0};
    if (games > 0) {
        text_add(&text, "; ");
        add_match_words(&text, result);
        text_add(&text, " (");
        strength_interval_add(&text, &result->match);
        text_add(&text, ", %lld games, 95 %%%s", games,
                 result->match.word == STRENGTH_UNDECIDED ? "; " : "");
        strength_more_add(&text, &result->match);
        text_add(&text, ")");
    }
    fprintf(ablate->call->out, "%s\n", text_get(&text));
}

static int by_worth(const void *a, const void *b) {
    const Ablation *first = a, *second = b;
    const bool matched = !isnan(first->elo) && !isnan(second->elo);
    const double x = matched ? -first->elo : first->change.value;
    const double y = matched ? -second->elo : second->change.value;
    return (x > y) - (x < y);
}

static void print_table(Ablate *ablate) {
    FILE *out = ablate->call->out;
    const bool json = ablate->settings->json;
    int helping = 0, hurting = 0;
    qsort(ablate->done, (size_t)ablate->count, sizeof *ablate->done, by_worth);
    if (!json) {
        fprintf(out, "%-16s %11s    %9s %8s    %-6s\n", "terms", "loss", "95 %", "elo", "95 %");
    }
    for (int i = 0; i < ablate->count; i++) {
        const Ablation *result = &ablate->done[i];
        const double error = Z95 * result->change.error;
        AUTO(Text) words = {0};
        if (match_counts_games(&result->counts) > 0) add_match_words(&words, result);
        record_row(out, json,
                   "{terms}%-16s {loss_change}%+11.6f +- {loss_change_error95}%9.6f {elo}%+8.1f +- "
                   "{elo_error95}%-6.1f {verdict}%s\n",
                   result->terms, result->change.value, error, result->elo, result->elo_error95,
                   words.length ? words.data : verdict_by(result->change.value, error, by_loss));
        helping += result->change.value < -error;
        hurting += result->change.value > error;
    }
    if (json || ablate->count == 0) return;
    fprintf(out, "Of %d groups %d help to predict and %d make predictions worse; worth most: %s\n",
            ablate->count, helping, hurting, ablate->done[0].terms);
}

// ---- groups, and the file that keeps them -------------------------------------------------------

// The groups of our terms: those whose names have the first word in common; not the material.
static int list_groups(char groups[][GROUP_NAME_SIZE]) {
    int count = 0;
    for (int t = 0; t < WEIGHT_TERM_COUNT; t++) {
        const char *name = weight_terms[t].name;
        const int length = (int)strcspn(name, "_");
        char group[GROUP_NAME_SIZE];
        snprintf(group, sizeof group, "%.*s%s", length, name, name[length] ? "_*" : "");
        bool known = strncmp(name, "material", 8) == 0;
        for (int i = 0; i < count && !known; i++) known = strcmp(groups[i], group) == 0;
        if (!known) memcpy(groups[count++], group, sizeof group);
    }
    return count;
}

static void table_path(const Ablate *ablate, Text *path) {
    text_add(path, "%s/%s.tsv", ablate->settings->out,
             ablate->settings->each_group ? "ablate" : "terms");
}

// The groups that a run before has finished, under the same head line.
static Status read_table(Ablate *ablate, const char *head, Err *err) {
    AUTO(Text) path = {0};
    AUTO_FREE char *text = NULL;
    size_t length;
    table_path(ablate, &path);
    TRY(text_read_file(path.data, &text, &length, err));
    if (strncmp(text, head, strlen(head)) != 0) {
        return err_set(err, STATUS_MISMATCH,
                       "%s is of other games or options: use the same, or another --out",
                       path.data);
    }
    char *cursor = text + strlen(head), *line;
    while ((line = text_next_field(&cursor, '\n')) && ablate->count < GROUPS_MAX) {
        Ablation *result = &ablate->done[ablate->count];
        char pentanomial[128];
        if (sscanf(line, "%255s %lf %lf %*s %*s %*s %127s", result->terms, &result->change.value,
                   &result->change.error, pentanomial) != 4) {
            break;
        }
        TRY(read_match(result, pentanomial, err));
        ablate->count++;
    }
    return STATUS_OK;
}

static Status write_table(const Ablate *ablate, const char *head, Err *err) {
    AUTO(Text) path = {0}, text = {0};
    table_path(ablate, &path);
    text_add(&text, "%s", head);
    for (int i = 0; i < ablate->count; i++) {
        const Ablation *result = &ablate->done[i];
        const long long games = match_counts_games(&result->counts);
        const long long *penta = result->counts.penta;
        text_add(&text, "%s\t%.9g\t%.9g\t%g\t%g\t%lld\t", result->terms, result->change.value,
                 result->change.error, result->elo, result->elo_error95, games);
        if (games > 0) {
            text_add(&text, "%lld,%lld,%lld,%lld,%lld\n", penta[0], penta[1], penta[2], penta[3],
                     penta[4]);
        } else {
            text_add(&text, "-\n");
        }
    }
    return text_write_file(path.data, text.data, text.length, err);
}

// One set of terms, or each group behind those that are done.
static Status ablate_all(Ablate *ablate, const char *head, Err *err) {
    const AblateSettings *settings = ablate->settings;
    char groups[GROUPS_MAX][GROUP_NAME_SIZE];
    const int count = settings->terms ? 1 : list_groups(groups);
    Progress progress;
    if (settings->resume && !settings->terms) TRY(read_table(ablate, head, err));
    progress_init(&progress, ablate->call->err, settings->quiet, "groups", (uint64_t)count);
    while (ablate->count < count) {
        const char *terms = settings->terms ? settings->terms : groups[ablate->count];
        progress_update(&progress, (uint64_t)ablate->count, terms);
        TRY(ablate_terms(ablate, terms, err));
        TRY(write_table(ablate, head, err));
        if (ablate->count == count || !interrupt_requested()) continue;
        return err_set(err, STATUS_INTERRUPTED, "interrupted; --resume goes on");
    }
    progress_finish(&progress, (uint64_t)ablate->count, "");
    return STATUS_OK;
}

static Status print_one(Ablate *ablate, Err *err) {
    const bool json = ablate->settings->json;
    const Ablation *result = &ablate->done[0];
    if (ablate->settings->match_pairs) {
        record_print(ablate->call->out, json, "match_games %lld elo %.1f elo_error95 %.1f",
                     match_counts_games(&result->counts), result->elo, result->elo_error95);
    }
    record_print(ablate->call->out, json, "loss_change %.7f loss_change_error95 %.7f",
                 result->change.value, Z95 * result->change.error);
    TRY(print_values(ablate, err));
    if (!json) print_verdict(ablate, result);
    return STATUS_OK;
}

static Status run_rows(Ablate *ablate, Err *err) {
    const AblateSettings *settings = ablate->settings;
    double start[2 * WEIGHT_COUNT];
    FitSetup setup = settings->setup;
    TRY(tune_read_start(settings->weights, start, ablate->start_se, err));
    setup.prior.se = ablate->start_se;
    fit_init(&ablate->with, &ablate->rows, &setup, start);
    TRY(fit_run(&ablate->with, err));
    ablate->valid = fit_part_weights(&ablate->rows, &settings->setup, PART_VALID);
    if (!settings->json) {
        record_print(ablate->call->out, false, "games %zu positions %zu valid_games %llu",
                     ablate->rows.game_count, ablate->rows.count,
                     (unsigned long long)ablate->with.games[PART_VALID]);
    }
    AUTO_POINTER(RunLock) lock = NULL;
    TRY(run_directory_prepare(settings->out, err));
    TRY(run_directory_lock(settings->out, &lock, err));
    TRY(write_weights(ablate, &ablate->with, "with.txt", err));
    AUTO(Text) head = {0}, options = {0};
    text_add(&head, "# %zu games %zu positions;", ablate->rows.game_count, ablate->rows.count);
    run_identity_begin(ablate->call, "ablate", &options);
    for (char *end = options.data; end && (end = strchr(end, '\n'));) *end = ' ';
    text_add(&head, "%s\n", text_get(&options));
    ablate->chosen = memory_alloc((size_t)ablate->with.n, sizeof *ablate->chosen);
    const Status status = ablate_all(ablate, head.data, err);
    if (settings->each_group) print_table(ablate);
    return status == STATUS_OK && settings->terms ? print_one(ablate, err) : status;
}

static Status run_ablate(const CommandCall *call, Err *err) {
    const AblateSettings *settings = call->settings;
    Ablate ablate = {.call = call, .settings = settings};
    if (!settings->terms == !settings->each_group) {
        return err_set(err, STATUS_USAGE, "give --terms PATTERNS or --each-group");
    }
    Status status = rows_load(call->args, call->arg_count, NULL, settings->setup.threads,
                              settings->quiet ? NULL : call->err, &ablate.rows, err);
    if (status == STATUS_OK) status = run_rows(&ablate, err);
    free(ablate.valid);
    free(ablate.chosen);
    fit_clear(&ablate.with);
    row_set_clear(&ablate.rows);
    return status;
}

const Command command_ablate = {
    .name = "ablate",
    .summary = "what terms are worth: fits with and without them",
    .usage = "DIR...",
    .details =
        "paotai ablate --terms 'soldiers_linked' build/games --match-pairs 500 --threads 2\n"
        "paotai ablate --each-group build/games --threads 2 --out build/ladder\n\n"
        "Both fits begin at --weights, with the same games, split and prior; in the second the\n"
        "terms are 0. loss_change is the loss with them less the loss without, on the games kept\n"
        "for validation: below 0 they help to predict. Its error is clustered by game. The match\n"
        "plays DIR/with.txt against DIR/without.txt. --each-group prints a table sorted by worth;\n"
        "DIR/ablate.tsv keeps each group when it is done, --resume goes on behind it, and\n"
        "'paotai report --ablate DIR/ablate.tsv' (of --terms: terms.tsv) draws it.",
    .rows = ablate_rows,
    .settings_size = sizeof(AblateSettings),
    .reads_weights = true,
    .min_args = 1,
    .max_args = -1,
    .run = run_ablate,
};
