// SPDX-License-Identifier: GPL-3.0-or-later
// The output of `paotai tune`.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/interrupt.h"
#include "core/base/json.h"
#include "core/base/memory.h"
#include "core/base/ranks.h"
#include "tuner/cmd_tune.h"
#include "tuner/rows/terms.h"

bool tune_print_step(void *context, const FitStep *step, double time_s) {
    const CommandCall *call = context;
    const TuneSettings *settings = call->settings;
    if (!settings->quiet || settings->json) {
        if (step->iteration == 0 && !settings->json) {
            fprintf(call->out, "%9s %11s %11s %10s %10s %8s\n", "iteration", "train", "valid",
                    "gradient", "gap", "seconds");
        }
        record_row(call->out, settings->json,
                   "{iteration}%9d {train_loss}%11.7f {valid_loss}%11.7f{!objective}%f "
                   "{gradient_norm}%10.2e {gap}%10.2e {seconds}%8.2f\n",
                   step->iteration, step->train, step->valid, step->objective, step->gradient_norm,
                   step->gap, time_s);
    }
    // All processes end where that of rank 0 was interrupted.
    bool more = !interrupt_requested();
    return ranks_share(&more, sizeof more, NULL) == STATUS_OK && more;
}

// ---- weights that the rows do not determine -----------------------------------------------------

bool tune_few_games(const TuneFit *tune, int weight) {
    const double games = tune->fit.frozen[weight] ? 0 : tune->errors.games[weight];
    return games > 0 && games < ERRORS_FEW_GAMES;
}

// Is the tie more than that every piece has one entry of each of these terms?
static bool is_notable_tie(const TuneFit *tune, int tie) {
    bool notable = tune->terms != NULL;
    for (int t = 0; t < WEIGHT_TERM_COUNT && !notable; t++) {
        notable = tune->identity.tie[t] == tie && weight_terms[t].part > TERM_ENTRY;
    }
    return notable;
}

static void print_tie(const TuneFit *tune, int tie) {
    AUTO(Text) names = {0};
    for (int t = 0; t < row_term_count(&tune->rows); t++) {
        if (tune->identity.tie[t] != tie) continue;
        text_add(&names, "%s%s", names.length ? "," : "", row_term(&tune->rows, t).name);
    }
    record_row(tune->call->out, tune->settings.json,
               "tied {tied}%s ({directions}%d directions change no prediction)\n", text_get(&names),
               tune->identity.directions[tie]);
}

// Else a term has one weight: the endgame's is no weight at all.
static bool has_phases(const TuneFit *tune) {
    return !tune->terms || sparse_reader_terms(tune->terms)->phased;
}

// The names of the weights that are marked, "-" for none.
static void record_names(const TuneFit *tune, Record *record, const char *key, const bool *marked) {
    AUTO(Text) names = {0};
    for (int i = 0; i < tune->fit.n; i++) {
        char name[WEIGHT_NAME_SIZE];
        if (!marked[i] || (i % 2 && !has_phases(tune))) continue;
        row_weight_name(&tune->rows, i, name);
        if (!has_phases(tune)) name[strlen(name) - strlen(".mg")] = '\0';
        text_add(&names, "%s%s", names.length ? "," : "", name);
    }
    record_add(record, "%s %s", key, names.length ? text_get(&names) : "-");
}

// Our terms of which no weight occurs.
static void record_silent_terms(const TuneFit *tune, Record *record) {
    AUTO(Text) names = {0};
    for (int t = 0; t < WEIGHT_TERM_COUNT; t++) {
        const WeightTerm *term = &weight_terms[t];
        int silent = 0;
        for (int i = 0; i < 2 * term->count; i++) {
            silent += tune->identity.silent[2 * term->first + i];
        }
        if (silent < 2 * term->count) continue;
        text_add(&names, "%s%s", names.length ? "," : "", term->name);
    }
    record_add(record, "never_active %s", names.length ? text_get(&names) : "-");
}

void tune_print_identity(const TuneFit *tune) {
    const Identity *identity = &tune->identity;
    for (int tie = 1; tie <= identity->ties; tie++) {
        if (is_notable_tie(tune, tie)) print_tie(tune, tie);
    }
    Record record;
    record_begin(&record, tune->call->out, tune->settings.json);
    record_add(&record, "weights_all %d weights_active %d rank %d",
               has_phases(tune) ? tune->fit.n : tune->fit.n / 2, identity->active, identity->rank);
    if (tune->terms) {
        AUTO_FREE bool *few = memory_alloc((size_t)tune->fit.n, sizeof *few);
        for (int i = 0; i < tune->fit.n; i++) few[i] = tune_few_games(tune, i);
        record_add(&record, "prior_sd %.3f", tune->settings.setup.prior.sd);
        record_names(tune, &record, "never_active", identity->silent);
        record_names(tune, &record, "separable", identity->separable);
        if (identity->separated) {
            record_add(&record, "separable_note %s",
                       "separable together: the prior alone gives their size");
        }
        record_names(tune, &record, "in_few_games", few);
    } else {
        record_silent_terms(tune, &record);
    }
    record_end(&record);
}

void tune_print_explained(const TuneFit *tune) {
    const RowSet *rows = &tune->rows;
    AUTO_FREE Explained *all = memory_alloc((size_t)row_term_count(rows), sizeof *all);
    const int count = identify_explained(&tune->fit, all);
    for (int i = 0; i < count; i++) {
        const char *name = row_term(rows, all[i].term).name;
        AUTO(Text) by = {0};
        for (int k = 0; k < 2 && all[i].by[k] >= 0; k++) {
            text_add(&by, "%s%s", k ? "," : "", row_term(rows, all[i].by[k]).name);
        }
        record_row(tune->call->out, tune->settings.json,
                   "explained {explained}%s {by_frozen_terms}%.3f ({most_by}%s)\n", name,
                   all[i].share, text_get(&by));
        if (all[i].share <= 0.5) continue;
        fprintf(tune->call->err,
                "%s: frozen terms explain %.0f %% of it, so that its value may be what they lack; "
                "fit those, too: --fit '%s,%s'\n",
                name, 100 * all[i].share, name, text_get(&by));
    }
}

// ---- errors of the results alone ----------------------------------------------------------------

// One line: what the errors are of, and each of them beside that of the results alone.
static void print_errors(const TuneFit *tune, const char *name, int count, const double *mine,
                         const double *others) {
    static const char *const keys[] = {"middlegame", "endgame", "mean"};
    if (!tune->settings.json) {
        fprintf(tune->call->out, "%-16s", name);
        for (int i = 0; i < count; i++) {
            fprintf(tune->call->out, " %8.3f %9.3f", mine[i], others[i]);
        }
        fprintf(tune->call->out, "\n");
        return;
    }
    Record record;
    record_begin(&record, tune->call->out, true);
    record_add(&record, "errors_of %s", name);
    for (int i = 0; i < count; i++) {
        record_add(&record, "%s %.5f %s_results %.5f", keys[i], mine[i], keys[i], others[i]);
    }
    record_end(&record);
}

void tune_print_errors_alone(const TuneFit *tune) {
    const double unit = SCALE_CHARIOT / 9.0;
    record_print(tune->call->out, tune->settings.json, "errors_given %s score_share %.3f",
                 "the search's scores; beside them: of results alone", 1 - tune->fit.loss.lambda);
    if (!tune->settings.json) {
        fprintf(tune->call->out, "%-16s %8s %9s %8s %9s", "standard errors", "midgame", "results",
                "endgame", "results");
        if (!tune->terms) fprintf(tune->call->out, " %8s %9s", "mean", "results");
        fprintf(tune->call->out, "\n");
    }
    for (int t = 0; tune->terms && t < tune->rows.pairs; t++) {
        print_errors(tune, tune->rows.names[t], 2, tune->errors.weight + 2 * t,
                     tune->alone.weight + 2 * t);
    }
    for (int t = 0; !tune->terms && t < WEIGHT_TERM_COUNT; t++) {
        if (weight_terms[t].part != TERM_MATERIAL) continue;
        const WeightGroup group = weight_terms[t].group;
        const PieceValue a = tune->errors.value[group], b = tune->alone.value[group];
        print_errors(tune, weight_group_name(group), 3,
                     (double[]){a.middlegame / unit, a.endgame / unit, a.mean / unit},
                     (double[]){b.middlegame / unit, b.endgame / unit, b.mean / unit});
    }
}

// ---- the table of piece values ------------------------------------------------------------------

enum { POINTS_OF_CHARIOT = 9 };
static const double unit = (double)SCALE_CHARIOT / POINTS_OF_CHARIOT;

static void print_value(const CommandCall *call, const WeightTerm *term, const PieceValue *value,
                        const PieceValue *error) {
    const bool json = ((const TuneSettings *)call->settings)->json;
    const char *name = weight_group_name(term->group);
    const double classic = term->classic / unit, width = Z95 / unit;
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
        const double width = Z95 / unit;
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

// ---- the summary --------------------------------------------------------------------------------

void tune_print_summary(const TuneFit *tune) {
#define PART(name)                                                                                 \
    name "_positions %llu " name "_loss_start %.7f " name "_loss %.7f " name                       \
         "_loss_error %.7f " name "_loss_change %.7f " name "_loss_change_error %.7f"
    static const char *const parts[PART_COUNT] = {PART("train"), PART("valid"), PART("test")};
#undef PART
    const TuneSettings *settings = &tune->settings;
    const Fit *fit = &tune->fit;
    const LossSetup *loss = &fit->loss;
    const RowSet *rows = &tune->rows;
    Record record;
    record_begin(&record, tune->call->out, settings->json);
    record_add(&record, "games %zu positions %zu", rows->game_count, rows->count);
    if (!settings->rows) record_add(&record, "copied_games %lu", rows->copies);
    if (rows->distinct) record_add(&record, "different_positions %lu", rows->distinct);
    record_add(&record,
               "coefficients_per_row %.2f iterations %d converged %s gradient_norm %.3g gap %.3g "
               "seconds %.3f",
               (double)rows->coefficients / (double)rows->count, fit->last.iteration,
               fit->converged ? "yes" : "no", fit->last.gradient_norm, fit->last.gap, fit->time_s);
    record_add(&record, "scale %s", tune->scale);
    if (!tune->terms) record_add(&record, "rounding_units %.2f", tune->rounding);
    record_add(&record, "k %.8f", loss->k);
    if (loss->kind == LOSS_DRAWS) record_add(&record, "draw_width %.6f", loss->draw_width);
    if (loss->lambda < 1 && loss->k_score > 0) {
        char phases[16 * SCORE_KNOTS] = "";
        for (int j = 0; j < SCORE_KNOTS; j++) {
            const double phase = loss->phase_max * j / (SCORE_KNOTS - 1);
            snprintf(phases + strlen(phases), sizeof phases - strlen(phases), "%s%.5f",
                     j > 0 ? " " : "", loss_score_slope(loss, phase));
        }
        record_add(&record, "k_score %.8f k_score_by_phase %s mover_units %.2f", loss->k_score,
                   phases, loss->mover_units);
    }
    for (int part = 0; part < PART_COUNT; part++) {
        if (fit->part_rows[part] == 0) continue;
        record_add(&record, parts[part], (unsigned long long)fit->part_rows[part],
                   fit->start_loss[part].value, fit->part_loss[part].value,
                   fit->part_loss[part].error, fit->loss_change[part].value,
                   fit->loss_change[part].error);
    }
    int few = 0;
    for (int i = 0; i < fit->n; i++) few += tune_few_games(tune, i);
    if (few > 0) {
        record_add(&record, "few_games_note %s",
                   "in fewer than 10 games an error is at least the model's");
    }
    if (settings->out) record_add(&record, "weights %s", settings->out);
    if (settings->report) record_add(&record, "report %s", settings->report);
    record_end(&record);
}
