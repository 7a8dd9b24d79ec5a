// SPDX-License-Identifier: GPL-3.0-or-later
// What `paotai tune` prints and writes at the end of a fit.
#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/base/interrupt.h"
#include "core/base/json.h"
#include "core/base/memory.h"
#include "core/base/out_file.h"
#include "core/base/ranks.h"
#include "core/base/version.h"
#include "datasets/store/summary.h"
#include "tuner/cmd_tune.h"
#include "tuner/fit/term_table.h"
#include "tuner/report/report.h"

static void print_summary(const TuneFit *fit) {
#define PART(name)                                                                                 \
    name "_positions %llu " name "_loss_start %.7f " name "_loss %.7f " name                       \
         "_loss_error %.7f " name "_loss_change %.7f " name "_loss_change_error %.7f"
    static const char *const parts[PART_COUNT] = {PART("train"), PART("valid"), PART("test")};
#undef PART
    const TuneSettings *settings = fit->settings;
    const FitResult *result = &fit->result;
    const OptimiserResult *done = &result->optimiser;
    const RowSet *rows = &fit->rows;
    Record record;
    record_begin(&record, fit->call->out, settings->json);
    record_add(&record, "games %zu positions %zu", rows->game_count, rows->count);
    if (!settings->rows) record_add(&record, "copied_games %lu", rows->copies);
    if (rows->distinct) record_add(&record, "different_positions %lu", rows->distinct);
    record_add(&record,
               "coefficients_per_row %.2f optimiser %s iterations %d converged %s "
               "gradient_norm %.3g gap %.3g seconds %.3f",
               (double)rows->coefficients / (double)rows->count,
               optimiser_name(fit->setup.optimiser), done->iterations,
               done->converged ? "yes" : "no", done->gradient_norm, done->gap, done->time_s);
    record_add(&record, "scale %s", fit->scale);
    if (!fit->terms) record_add(&record, "rounding_units %.2f", fit->rounding);
    record_add(&record, "k %.8f", result->slopes.k);
    if (fit->setup.loss == LOSS_DRAWS)
        record_add(&record, "draw_width %.6f", result->slopes.draw_width);
    if (fit->setup.lambda < 1 && result->slopes.k_score > 0) {
        char phases[16 * SCORE_KNOTS] = "";
        for (int j = 0; j < SCORE_KNOTS; j++) {
            const double phase = result->slopes.phase_max * j / (SCORE_KNOTS - 1);
            snprintf(phases + strlen(phases), sizeof phases - strlen(phases), "%s%.5f",
                     j > 0 ? " " : "", loss_score_slope(&result->slopes, phase));
        }
        record_add(&record, "k_score %.8f k_score_by_phase %s mover_units %.2f",
                   result->slopes.k_score, phases, result->slopes.mover_units);
    }
    for (int part = 0; part < PART_COUNT; part++) {
        if (result->rows[part] == 0) continue;
        record_add(&record, parts[part], (unsigned long long)result->rows[part],
                   result->start_loss[part].value, result->loss[part].value,
                   result->loss[part].error, result->loss_change[part].value,
                   result->loss_change[part].error);
    }
    int few = 0;
    for (int i = 0; i < fit->n; i++) few += tune_few_games(fit, i);
    if (few > 0) {
        record_add(&record, "few_games_note %s",
                   "in fewer than 10 games an error is at least the model's");
    }
    if (settings->out) record_add(&record, "weights %s", settings->out);
    if (settings->report) record_add(&record, "report %s", settings->report);
    record_end(&record);
}

// What the rows were read from.
static void add_data_names(const CommandCall *call, Text *text) {
    const TuneSettings *settings = call->settings;
    if (settings->rows) text_add(text, "%s", settings->rows);
    for (int i = 0; i < call->arg_count; i++) {
        text_add(text, "%s%s", i ? ", " : "", call->args[i]);
    }
}

// What the errors take for granted, where scores are in the target, and the median of how many
// times as large those of results alone are.
static void add_condition(const TuneFit *fit, Text *text) {
    if (!fit->alone.weight) return;
    double *times = memory_alloc((size_t)fit->n, sizeof *times);
    size_t count = 0;
    for (int i = 0; i < fit->n; i++) {
        const double error = fit->errors.weight[i], alone = fit->alone.weight[i];
        if (error > 0 && alone > 0) times[count++] = alone / error;
    }
    gsl_sort(times, 1, count);
    fit_condition_format(count ? times[count / 2] : NAN, text);
    free(times);
}

static void add_provenance(const TuneFit *fit, Text *text) {
    const CommandCall *call = fit->call;
    const FitResult *result = &fit->result;
    text_add(text, "made by paotai %s %s: tune", PAOTAI_VERSION, version_revision());
    for (int i = 0; i < call->arg_count; i++) text_add(text, " %s", call->args[i]);
    text_add(text, "\n");
    command_options_text(call, text);
    text_add(text, "split_by=%s\n", fit->rows.split_by_content ? "content" : "rows");
    text_add(text, "games %zu positions %zu train %llu valid %llu test %llu\n",
             fit->rows.game_count, fit->rows.count, (unsigned long long)result->rows[PART_TRAIN],
             (unsigned long long)result->rows[PART_VALID],
             (unsigned long long)result->rows[PART_TEST]);
    text_add(text,
             "fitted_k=%.8g\nfitted_k_score=%.8g\nfitted_mover_units=%.8g\n"
             "fitted_draw_width=%.8g\n",
             result->slopes.k, result->slopes.k_score, result->slopes.mover_units,
             result->slopes.draw_width);
    for (int j = 0; j < SCORE_KNOTS - 1; j++) {
        text_add(text, "fitted_k_bend%d=%.8g\n", j, result->slopes.k_bend[j]);
    }
    text_add(text, "scale %s\n", fit->scale);
    text_add(text, "k %.8g train_loss %.7f valid_loss %.7f converged %s\n", result->slopes.k,
             result->loss[PART_TRAIN].value, result->loss[PART_VALID].value,
             result->optimiser.converged ? "yes" : "no");
    add_condition(fit, text);
}

// ---- the table of piece values ------------------------------------------------------------------

enum { POINTS_OF_CHARIOT = 9 };
static const double unit = (double)SCALE_CHARIOT / POINTS_OF_CHARIOT;

static void print_value(const CommandCall *call, const WeightTerm *term, const PieceValue *value,
                        const PieceValue *error) {
    const bool json = ((const TuneSettings *)call->settings)->json;
    const char *name = weight_group_name(term->group);
    const double classic = term->classic / unit, width = TUNE_QUANTILE_95 / unit;
    const double middlegame = value->middlegame / unit, endgame = value->endgame / unit;
    if (!error) {
        record_row(call->out, json,
                   "{piece}%-15s {middlegame}%7.2f {endgame}%7.2f {mean}%7.2f {classic}%7.2f "
                   "{pieces}%8lld\n",
                   name, middlegame, endgame, value->mean / unit, classic,
                   (long long)value->pieces);
        return;
    }
    record_row(call->out, json,
               "{piece}%-15s {middlegame}%7.2f +- {middlegame_error95}%4.2f {endgame}%7.2f +- "
               "{endgame_error95}%4.2f {mean}%7.2f +- {mean_error95}%4.2f {classic}%7.2f "
               "{pieces}%8lld\n",
               name, middlegame, width * error->middlegame, endgame, width * error->endgame,
               value->mean / unit, width * error->mean, classic, (long long)value->pieces);
}

static void print_header(const CommandCall *call, const char *title, bool errors) {
    const char *gap = errors ? " 95 % " : "";
    const int width = errors ? 7 : -1;
    fprintf(call->out, "%-15s %7s %*s %7s %*s", title, "midgame", width, gap, "endgame", width,
            gap);
}

// The same by the chariot of the same phase.
static void print_by_chariot(const CommandCall *call, const PieceValue values[GROUP_COUNT],
                             const FitErrors *errors) {
    const bool json = ((const TuneSettings *)call->settings)->json;
    double by[GROUP_COUNT][2];
    values_by_chariot(values, by);
    if (!json) {
        print_header(call, "by the chariot", errors != NULL);
        fprintf(call->out, "\n");
    }
    for (int t = 0; t < WEIGHT_TERM_COUNT; t++) {
        if (weight_terms[t].part != TERM_MATERIAL) continue;
        const WeightGroup group = weight_terms[t].group;
        const char *name = weight_group_name(group);
        const double *value = by[group], *error = errors ? errors->by_chariot[group] : NULL;
        const double width = TUNE_QUANTILE_95 / unit;
        if (!error) {
            record_row(call->out, json, "{by_chariot}%-15s {middlegame}%7.2f {endgame}%7.2f\n",
                       name, value[0] / unit, value[1] / unit);
            continue;
        }
        record_row(call->out, json,
                   "{by_chariot}%-15s {middlegame}%7.2f +- {middlegame_error95}%4.2f "
                   "{endgame}%7.2f +- {endgame_error95}%4.2f\n",
                   name, value[0] / unit, width * error[0], value[1] / unit, width * error[1]);
    }
}

void tune_print_values(const CommandCall *call, const RowSet *rows, const double *weights,
                       const FitErrors *errors) {
    const TuneSettings *settings = call->settings;
    PieceValue values[GROUP_COUNT];
    piece_values(rows, weights, values);
    if (!settings->json) {
        print_header(call, "piece value", errors != NULL);
        fprintf(call->out, " %7s %*s %7s %8s\n", "mean", errors ? 7 : -1, errors ? " 95 % " : "",
                "classic", "pieces");
    }
    for (int t = 0; t < WEIGHT_TERM_COUNT; t++) {
        if (weight_terms[t].part != TERM_MATERIAL) continue;
        const WeightGroup group = weight_terms[t].group;
        print_value(call, &weight_terms[t], &values[group], errors ? &errors->value[group] : NULL);
    }
    if (values_have_scale(rows)) print_by_chariot(call, values, errors);
}

// ---- terms that are not ours --------------------------------------------------------------------

// What the table says of a term that the games do not tell.
static void note_of(const TuneFit *fit, const Identity *identity, int term, Text *note) {
    const int mg = 2 * term, eg = mg + 1;
    const bool few_mg = tune_few_games(fit, mg), few_eg = tune_few_games(fit, eg);
    if (identity->silent[mg] && identity->silent[eg]) {
        text_add(note, "never seen");
    } else if (identity->tie[term]) {
        text_add(note, "tied");
    } else if (identity->separable[mg] || identity->separable[eg]) {
        text_add(note, "separable");
    }
    if (!few_mg && !few_eg) return;
    const double *games = fit->errors.games;
    const double count = few_mg && few_eg ? fmax(games[mg], games[eg]) : games[few_mg ? mg : eg];
    const bool apart = few_mg ? games[eg] > count : games[mg] > count;
    text_add(note, "%s%sin %.0f game%s", note->length ? ", " : "",
             !apart   ? ""
             : few_mg ? "middlegame "
                      : "endgame ",
             count, count > 1 ? "s" : "");
}

// Prints and writes the fit's terms.
static Status finish_terms(const TuneFit *fit, const Identity *identity, Err *err) {
    TermTable table = {.terms = *sparse_reader_terms(fit->terms),
                       .weights = (double(*)[2])fit->result.weights,
                       .errors = (double(*)[2])fit->errors.weight};
    Text note = {0}, provenance = {0};
    table.notes = memory_alloc(table.terms.terms, sizeof *table.notes);
    for (size_t t = 0; t < table.terms.terms; t++) {
        text_reset(&note);
        note_of(fit, identity, (int)t, &note);
        snprintf(table.notes[t], TERM_NOTE_SIZE, "%s", text_get(&note));
    }
    add_provenance(fit, &provenance);
    Status status = STATUS_OK;
    if (fit->settings->out) {
        status = term_table_write(&table, fit->settings->out, text_get(&provenance), err);
    }
    if (status == STATUS_OK) {
        term_table_print(&table, NULL, fit->settings->json, fit->call->out);
        print_summary(fit);
    }
    free(table.notes);
    text_clear(&provenance);
    text_clear(&note);
    return status;
}

// ---- ours ---------------------------------------------------------------------------------------

// The weight file: values, and behind comment marks all that the fit knows of them.
static Status format_weights(const TuneFit *fit, const Weights *rounded, Text *file, Err *err) {
    const CommandCall *call = fit->call;
    Text notes = {0};
    PieceValue values[GROUP_COUNT];
    double decided[2 * WEIGHT_COUNT], flat[2 * WEIGHT_COUNT];
    values_flat(rounded, flat);
    piece_values(&fit->rows, flat, values);
    add_provenance(fit, &notes);
    Status status = STATUS_OK;
    for (int i = 0; i < call->arg_count && status == STATUS_OK; i++) {
        StoreSummary summary; // which run was read, by its content
        const char *content = fit->rows.content ? fit->rows.content[i] : summary.content_hash;
        if (!fit->rows.content) {
            status = store_summarise(call->args[i], fit->setup.threads, NULL, &summary, err);
        }
        text_add(&notes, "data %s content_hash %s\n", call->args[i], content);
    }
    if (status == STATUS_OK) {
        status = fit_decided(&fit->result, &fit->prior, fit->frozen, decided, err);
    }
    if (status == STATUS_OK) {
        fit_record_format(&fit->result, &fit->errors, values, decided, &notes);
        weights_format(rounded, text_get(&notes), file);
    }
    text_clear(&notes);
    return status;
}

static Status write_report(const TuneFit *fit, const Weights *rounded, const Text *file, Err *err) {
    const TuneSettings *settings = fit->settings;
    Text data = {0}, command = {0};
    add_data_names(fit->call, &data);
    command_line(fit->call, &command);
    const ReportSource source = {.name = settings->out ? settings->out : "the fit",
                                 .text = text_get(file),
                                 .weights = rounded,
                                 .rows = &fit->rows,
                                 .fitted_rows = true,
                                 .data = text_get(&data),
                                 .command = command.data,
                                 .setup = fit->setup};
    const Status status = report_write(&source, settings->report, err);
    text_clear(&data);
    text_clear(&command);
    return status;
}

static Status write_files(const TuneFit *fit, const Weights *rounded, Err *err) {
    const TuneSettings *settings = fit->settings;
    Text text = {0};
    Status status = STATUS_OK;
    if (settings->out || settings->report) status = format_weights(fit, rounded, &text, err);
    if (status == STATUS_OK && settings->out) {
        status = text_write_file(settings->out, text_get(&text), text.length, err);
    }
    if (status == STATUS_OK && settings->report) status = write_report(fit, rounded, &text, err);
    text_reset(&text);
    if (status == STATUS_OK && settings->errors) {
        errors_format(&fit->rows, fit->result.weights, &fit->errors, fit->alone.weight, &text);
        status = text_write_file(settings->errors, text_get(&text), text.length, err);
    }
    text_clear(&text);
    return status;
}

// Units: what a score may move by rounding, far above what it does, and by the rest.
static const double rounding_slack = 40.0, exact_slack = 1e-6;

// The weights as they are written, which predict on every row what was fitted.
static Status centre_scale_round(TuneFit *fit, Weights *rounded, double *moved, Err *err) {
    const RowSet *rows = &fit->rows;
    FitResult *result = &fit->result;
    const double k_fitted = result->slopes.k;
    double fitted[2 * WEIGHT_COUNT], flat[2 * WEIGHT_COUNT];
    memcpy(fitted, result->weights, sizeof fitted);
    values_centre(rows, result->weights);
    Status status = values_apply_scale(rows, result->weights, &result->slopes.k, err);
    if (status == STATUS_OK) {
        status = values_check(rows, fitted, k_fitted, result->weights, result->slopes.k,
                              exact_slack, NULL, err);
    }
    // The curvature was found before the scale was set; rounding only compares curvatures.
    if (status == STATUS_OK) {
        status = values_round(rows, result->weights, result->hessian, rounded, err);
    }
    if (status != STATUS_OK) return status;
    Text file = {0};
    weights_format(rounded, NULL, &file);
    status = weights_parse(text_get(&file), "what would be written", rounded, err);
    text_clear(&file);
    values_flat(rounded, flat);
    if (status != STATUS_OK) return status;
    return values_check(rows, fitted, k_fitted, flat, result->slopes.k, rounding_slack, moved, err);
}

static Status finish_ours(TuneFit *fit, Err *err) {
    double flat[2 * WEIGHT_COUNT];
    Weights rounded;
    Status status = centre_scale_round(fit, &rounded, &fit->rounding, err);
    if (status != STATUS_OK) return status;
    values_flat(&rounded, flat);
    fit_losses(&fit->rows, &fit->setup, &fit->result.slopes, flat, fit->result.loss);
    if (rank_self() == 0) status = write_files(fit, &rounded, err);
    if (status != STATUS_OK) return status;
    tune_print_values(fit->call, &fit->rows, flat, &fit->errors);
    print_summary(fit);
    return STATUS_OK;
}

// What a fit that was interrupted found does not replace a file.
static void spare_file(const CommandCall *call, const char **path) {
    struct stat there;
    Text word = {0};
    if (!*path) return;
    const bool spared = stat(*path, &there) == 0 && S_ISREG(there.st_mode);
    text_add_word(&word, *path);
    fprintf(call->err, "paotai tune: interrupted: %s %s\n", word.data,
            spared ? "stays as it was before; name a file that is not there to have this fit's"
                   : "is of a fit that did not converge");
    if (spared) *path = NULL;
    text_clear(&word);
}

Status tune_finish(TuneFit *fit, Err *err) {
    TuneSettings *settings = fit->settings;
    Identity identity = {0};
    if (interrupt_requested() && !fit->result.optimiser.converged && rank_self() == 0) {
        const char **const paths[] = {&settings->out, &settings->report, &settings->errors};
        for (int i = 0; i < 3; i++) spare_file(fit->call, paths[i]);
    }
    Status status = errors_of_fit(&fit->rows, &fit->setup, &fit->result, &fit->errors, err);
    if (status == STATUS_OK && (settings->study || fit->terms)) {
        status = tune_study(fit, &identity, err);
    }
    if (status == STATUS_OK) status = tune_results_alone(fit, err);
    if (status == STATUS_OK) {
        status = fit->terms ? finish_terms(fit, &identity, err) : finish_ours(fit, err);
    }
    identity_clear(&identity);
    return status;
}
