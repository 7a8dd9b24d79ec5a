// SPDX-License-Identifier: GPL-3.0-or-later
// Prints the output of `paotai tune`.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/json.h"
#include "core/base/memory.h"
#include "core/system/interrupt.h"
#include "core/system/ranks.h"
#include "tuner/rows/terms.h"
#include "tuner/tune/tune.h"

bool tune_print_step(void *context, const FitStep *step, double time_s) {
    const CommandCall *call = context;
    const TuneSettings *settings = call->settings;
    if (!settings->quiet || settings->json) {
        // Progress lines go to standard error, JSON objects to standard output.
        FILE *out = settings->json ? call->out : call->err;
        if (step->iteration == 0 && !settings->json) {
            fprintf(out, "%9s %11s %11s %10s %10s %8s\n", "iteration", "train", "valid", "gradient",
                    "gap", "seconds");
        }
        record_row(out, settings->json,
                   "{iteration}%9d {train_loss}%11.7f {valid_loss}%11.7f{!objective}%f "
                   "{gradient_norm}%10.2e {gap}%10.2e {seconds}%8.2f\n",
                   step->iteration, step->train, step->valid, step->objective, step->gradient_norm,
                   step->gap, time_s);
    }
    // Only MPI rank 0 sees Ctrl-C, and it tells the other ranks to stop.
    bool more = !interrupt_requested();
    return ranks_share(&more, sizeof more, NULL) == STATUS_OK && more;
}

// ---- sentences ----------------------------------------------------------------------------------

void tune_print_note(const TuneFit *tune, const char *name, const char *sentence) {
    if (tune->settings.json) {
        record_print(tune->call->out, true, "%s %s", name, sentence);
        return;
    }
    AUTO(Text) text = {0};
    text_add(&text, "%s", name);
    text_add_wrapped(&text, sentence);
    fputs(text_get(&text), tune->call->out);
}

// ---- weights that the games do not determine ----------------------------------------------------

bool tune_few_games(const TuneFit *tune, int weight) {
    const double games = tune->fit.frozen[weight] ? 0 : tune->errors.games[weight];
    return games > 0 && games < ERRORS_FEW_GAMES;
}

// Returns true if a set of collinear terms must be printed. Material and terms in which each piece
// counts in exactly one entry are always collinear; sets of only such terms are not printed.
static bool is_notable_set(const TuneFit *tune, int set) {
    bool notable = tune->terms != NULL;
    for (int t = 0; t < WEIGHT_TERM_COUNT && !notable; t++) {
        notable = tune->identity.set[t] == set && weight_terms[t].part > TERM_ENTRY;
    }
    return notable;
}

static void print_set(const TuneFit *tune, int set) {
    const bool json = tune->settings.json;
    AUTO(Text) names = {0};
    for (int t = 0; t < row_term_count(&tune->rows); t++) {
        if (tune->identity.set[t] != set) continue;
        text_add(&names, "%s%s", names.length ? (json ? "," : ", ") : "",
                 row_term(&tune->rows, t).name);
    }
    if (json) {
        record_print(tune->call->out, true, "tied %s directions %d", text_get(&names),
                     tune->identity.directions[set]);
        return;
    }
    text_add(&names, " (%d combinations of them change no prediction)",
             tune->identity.directions[set]);
    tune_print_note(tune, "tied", text_get(&names));
}

// Returns true if each term has a middlegame and an endgame weight. Otherwise only the first weight
// of a pair is used.
static bool has_phases(const TuneFit *tune) {
    return !tune->terms || tune->terms->phased;
}

// Prints a line `key` with the names of all terms that have a weight in `marked`. If only some
// weights of a built-in term are marked, their number follows the name. If only one weight of
// another program's term is marked, .mg or .eg follows the name.
static void print_names(const TuneFit *tune, const char *key, const bool *marked) {
    const RowSet *rows = &tune->rows;
    AUTO(Text) names = {0};
    for (int t = 0; t < row_term_count(rows); t++) {
        const RowTerm term = row_term(rows, t);
        const int count = 2 * term.count, first = 2 * term.first;
        const int step = has_phases(tune) ? 1 : 2;
        int found = 0;
        for (int i = first; i < first + count; i += step) found += marked[i];
        if (found == 0) continue;
        text_add(&names, "%s%s", names.length ? ", " : "", term.name);
        if (tune->terms && has_phases(tune) && found < 2) {
            text_add(&names, marked[first] ? ".mg" : ".eg");
        }
        if (!tune->terms && found < count) text_add(&names, " (%d of %d)", found, count);
    }
    if (names.length) tune_print_note(tune, key, text_get(&names));
}

void tune_count_decided(TuneFit *tune) {
    int known = 0;
    for (int i = 0; i < tune->fit.n; i++) {
        if (tune->fit.frozen[i] || (i % 2 && !has_phases(tune))) continue;
        tune->fitted++;
        tune->by_prior += tune->errors.decided[i] < 0.5;
        known += prior_from_errors(&tune->fit.setup.prior, i);
    }
    tune->known_start = 2 * known > tune->fitted;
}

bool tune_prior_decides(const TuneFit *tune) {
    return 2 * tune->by_prior > tune->fitted;
}

void tune_print_head(const TuneFit *tune) {
    const TuneSettings *settings = &tune->settings;
    const size_t games = tune->rows.game_count;
    if (!tune_prior_decides(tune) && !settings->verbose && !settings->json) return;
    if (settings->json || !tune->known_start) {
        record_row(tune->call->out, settings->json,
                   "%s%zu games: the prior determines {prior_decides}%d of {weights_fitted}%d "
                   "weights\n",
                   tune_prior_decides(tune) ? "TOO LITTLE DATA: " : "", games, tune->by_prior,
                   tune->fitted);
        return;
    }
    fprintf(tune->call->out,
            "%zu games determine %d of %d weights; the start (--weights) determines %d\n", games,
            tune->fitted - tune->by_prior, tune->fitted, tune->by_prior);
}

static void print_identity(const TuneFit *tune) {
    const Identity *identity = &tune->identity;
    const TuneSettings *settings = &tune->settings;
    AUTO_FREE bool *few = memory_alloc((size_t)tune->fit.n, sizeof *few);
    bool any = false;
    for (int set = 1; set <= identity->set_count; set++) {
        if (is_notable_set(tune, set)) print_set(tune, set);
    }
    for (int i = 0; i < tune->fit.n; i++) any |= few[i] = tune_few_games(tune, i);
    if (settings->verbose || settings->json || tune->terms) {
        record_print(tune->call->out, settings->json, "weights_all %d weights_active %d rank %d",
                     has_phases(tune) ? tune->fit.n : tune->fit.n / 2, identity->active,
                     identity->rank);
    }
    print_names(tune, "never_active", identity->silent);
    print_names(tune, "in_few_games", few);
    if (any) {
        tune_print_note(
            tune, "few_games_note",
            "these weights occur in fewer than 10 training games, so their standard errors "
            "are inexact; those that seemed too small were raised");
    }
    if (!tune->terms) return;
    tune_print_prior(tune);
    print_names(tune, "separable", identity->separable);
    if (identity->separated) {
        tune_print_note(
            tune, "separable_note",
            "the fit predicts every result correctly, so larger weights would always fit "
            "better; only the prior limits them");
    }
}

void tune_print_notes(TuneFit *tune) {
    print_identity(tune);
    tune_print_explained(tune);
    tune_print_new_terms(tune);
}

// ---- tables -------------------------------------------------------------------------------------

// Appends a number and, if known, its error, each with at most `decimals` decimals. Uses fewer
// decimals if the number needs more than `width` characters, or the error more than `width` - 1.
static void add_number(Text *text, int width, int decimals, double value, double error) {
    char number[2][32];
    for (int i = 0; i < 2; i++) {
        const double x = i ? error : value;
        const int room = i ? width - 1 : width;
        int length = 99;
        for (int k = decimals; k >= 0 && length > room; k--) {
            length = snprintf(number[i], sizeof number[i], "%.*f", k, x);
        }
        if (length > room) snprintf(number[i], sizeof number[i], "%.0e", x);
        if (isnan(x)) snprintf(number[i], sizeof number[i], "%s", i ? "" : "-");
    }
    text_add(text, " %*s %s%*s", width, number[0], isnan(error) ? "  " : "+-", width - 1,
             number[1]);
}

void tune_print_values(const CommandCall *call, const PieceTable *table, const char *contain,
                       bool all, bool json) {
    static const Stage order[STAGES] = {STAGE_OPENING, STAGE_MIDDLEGAME, STAGE_ENDGAME, STAGE_ALL};
    if (table->positions[0] == 0) return;
    if (!json) {
        fprintf(call->out, "%-15s  %-14s%-14s%-14s%-14s books\n", "piece value", "opening",
                "middlegame", "endgame", "all");
    }
    for (int line = 0; line < (all || json ? PIECE_LINES : PIECE_KINDS); line++) {
        const double *v = table->value[line], *se = table->se[line];
        char name[PIECE_NAME_SIZE];
        AUTO(Text) numbers = {0};
        piece_line_name(line, name);
        for (int k = 0; k < STAGES; k++) {
            if (line >= PIECE_KINDS && order[k] != STAGE_ALL) continue;
            add_number(&numbers, 5, 2, v[order[k]], Z95 * se[order[k]]);
        }
        if (!json && line == PIECE_KINDS) {
            fprintf(call->out,
                    "1st: the side has one such piece; 2nd: two; N chariots: the enemy has N\n");
        }
        record_row(call->out, json,
                   "{piece}%-*s%s {books}%5.1f{!opening}%f{!opening_error95}%f{!middlegame}%f"
                   "{!middlegame_error95}%f{!endgame}%f{!endgame_error95}%f{!all}%f{!all_error95}%f"
                   "{!positions}%.0f{!errors_contain}%s\n",
                   line < PIECE_KINDS ? 15 : 24, name, text_get(&numbers), piece_line_books(line),
                   v[STAGE_OPENING], Z95 * se[STAGE_OPENING], v[STAGE_MIDDLEGAME],
                   Z95 * se[STAGE_MIDDLEGAME], v[STAGE_ENDGAME], Z95 * se[STAGE_ENDGAME],
                   v[STAGE_ALL], Z95 * se[STAGE_ALL], table->positions[line], contain);
    }
    // The line about the errors follows the table without an empty line, so that the output fits a
    // screen.
    if (json) return;
    AUTO(Text) line = {0};
    text_add(&line, *contain ? "the errors contain:" : "\n");
    if (*contain) text_add_wrapped(&line, contain);
    fputs(line.data, call->out);
}

// Prints a line of the table of terms: name, kind of value, middlegame and endgame with their
// errors, number of games, and the share that the prior determined.
static void print_term(const TuneFit *tune, const char *name, const char *kind,
                       const double value[2], const double se[2], double games, double by_prior) {
    AUTO(Text) numbers = {0}, share = {0};
    // A weight that was not fitted has no error.
    const double error[2] = {se[0] > 0 ? Z95 * se[0] : NAN, se[1] > 0 ? Z95 * se[1] : NAN};
    for (int k = 0; k < 2; k++) add_number(&numbers, 7, 1, value[k], error[k]);
    text_add(&share,
             !(games > 0)      ? "never"
             : isnan(by_prior) ? "fixed"
                               : "%3.0f %%",
             100 * by_prior);
    const bool wide = strlen(name) > 23 && !tune->settings.json;
    if (wide) fprintf(tune->call->out, "%s\n", name);
    record_row(tune->call->out, tune->settings.json,
               "{term}%-23s {kind}%-9s%s {games}%6.0f %5s{!middlegame}%f"
               "{!middlegame_error95}%f{!endgame}%f{!endgame_error95}%f{!by_prior}%f\n",
               wide ? "" : name, kind, text_get(&numbers), games, text_get(&share), value[0],
               error[0], value[1], error[1], by_prior);
}

// Returns how much the prior determined the fitted weights from `first` to `end` - 1 that occur in
// games: the mean of their shares, 0..1. Returns NAN if there are no such weights.
static double share_of_prior(const TuneFit *tune, int first, int end) {
    double sum = 0, count = 0;
    for (int i = first; i < end; i++) {
        if (tune->fit.frozen[i] || tune->identity.silent[i]) continue;
        sum += 1 - tune->errors.decided[i];
        count++;
    }
    return sum / count;
}

// Prints one line for each entry of a term whose middlegame or endgame weight is marked in `shown`.
static void print_shown(const TuneFit *tune, const bool *shown) {
    for (int pair = 0; pair < WEIGHT_COUNT; pair++) {
        const WeightTerm *term = weight_term_of(pair);
        char entry[WEIGHT_NAME_SIZE], name[2 * WEIGHT_NAME_SIZE];
        if (!shown[2 * pair] && !shown[2 * pair + 1]) continue;
        row_entry_name(term, pair - term->first, entry);
        snprintf(name, sizeof name, term->count > 1 ? "%s[%s]" : "%s", term->name, entry);
        print_term(tune, name, "value", tune->fit.weights + 2 * pair,
                   tune->errors.weight + 2 * pair,
                   fmax(tune->errors.games[2 * pair], tune->errors.games[2 * pair + 1]),
                   share_of_prior(tune, 2 * pair, 2 * pair + 2));
    }
}

// Prints one line for each built-in term except material, piece-square and mobility tables.
static void print_effects(const TuneFit *tune) {
    for (int t = 0; t < WEIGHT_TERM_COUNT; t++) {
        const WeightTerm *term = &weight_terms[t];
        const TermEffect *effect = &tune->errors.effect[t];
        char kind[16];
        if (!term_has_effect(term)) continue;
        snprintf(kind, sizeof kind,
                 term->count == 1           ? "value"
                 : term->part == TERM_ENTRY ? "spread %d"
                                            : "mean %d",
                 term->count);
        print_term(tune, term->name, kind, effect->value, effect->se, tune->errors.term_games[t],
                   share_of_prior(tune, 2 * term->first, 2 * (term->first + term->count)));
    }
}

void tune_print_terms(const TuneFit *tune) {
    const TuneSettings *settings = &tune->settings;
    if (!settings->json) {
        fprintf(tune->call->out, "%-33s %7s%9s %7s%9s %6s %s\n", "term", "midgame", "95 %",
                "endgame", "95 %", "games", "prior");
    }
    if (settings->show || settings->json) print_shown(tune, tune->shown);
    if (!settings->show || settings->json) print_effects(tune);
    if (!settings->json) {
        fprintf(tune->call->out, settings->show ? "\n"
                                                : "mean: weighted by occurrence; spread: highest "
                                                  "minus lowest; --show TERM: entries\n\n");
    }
}

// ---- the summary --------------------------------------------------------------------------------

static void record_part(const TuneFit *tune, int part, Record *record) {
#define PART(name)                                                                                 \
    name "_games %llu " name "_positions %llu " name "_loss_start %.7f " name "_loss %.7f " name   \
         "_loss_error95 %.7f " name "_loss_change %.7f " name "_loss_change_error95 %.7f"
    static const char *const parts[PART_COUNT] = {PART("train"), PART("valid"), PART("test")};
#undef PART
    const Fit *fit = &tune->fit;
    if (fit->part_rows[part] == 0) return;
    record_add(record, parts[part], (unsigned long long)fit->games[part],
               (unsigned long long)fit->part_rows[part], fit->start_loss[part].value,
               fit->part_loss[part].value, Z95 * fit->part_loss[part].error,
               fit->loss_change[part].value, Z95 * fit->loss_change[part].error);
}

static void record_slopes(const TuneFit *tune, Record *record) {
    const LossSetup *loss = &tune->fit.loss;
    record_add(record, "k %.8f", loss->k);
    if (loss->lambda >= 1 || !(loss->k_score > 0)) return;
    AUTO(Text) phases = {0};
    for (int j = 0; j < SCORE_KNOTS; j++) {
        const double phase = loss->phase_max * j / (SCORE_KNOTS - 1);
        text_add(&phases, "%s%.5f", j > 0 ? " " : "", loss_score_slope(loss, phase));
    }
    record_add(record, "k_score %.8f k_score_by_phase %s mover_units %.2f", loss->k_score,
               phases.data, loss->mover_units);
}

// Chooses a sentence by the change of a loss: `open` if the change is within its 95 % error, `less`
// if the loss falls, `more` if it rises.
static const char *sentence_of(const Estimate *change, const char *open, const char *less,
                               const char *more) {
    return !(fabs(change->value) > Z95 * change->error) ? open : change->value < 0 ? less : more;
}

// Returns a sentence that says whether more games would improve the fit.
static const char *more_games(const TuneFit *tune) {
    return sentence_of(&tune->half,
                       "not seen: the games do not show whether half of them predict worse",
                       "yes: the fit to half of the games predicts worse",
                       "no: half of the games predict better; check that all are of one kind");
}

void tune_print_summary(const TuneFit *tune) {
    const TuneSettings *settings = &tune->settings;
    const bool all = settings->verbose || settings->json;
    const Fit *fit = &tune->fit;
    const RowSet *rows = &tune->rows;
    Record record;
    record_begin(&record, tune->call->out, settings->json);
    record_add(&record, "games %zu positions %zu", rows->game_count, rows->count);
    if (all || rows->without_result) {
        record_add(&record, "unknown_results %lu", rows->without_result);
    }
    if (!settings->rows && (all || rows->faults)) {
        record_add(&record, "fault_games %lu", rows->faults);
    }
    if (!settings->rows && (all || rows->copies || rows->near_copies)) {
        record_add(&record, "copied_games %lu near_copies %lu", rows->copies, rows->near_copies);
    }
    if (rows->distinct) {
        record_add(&record, "different_positions %lu spikes %lu", rows->distinct, rows->spikes);
    }
    if (all) {
        record_add(&record,
                   "coefficients_per_row %.2f iterations %d gradient_norm %.3g gap %.3g "
                   "seconds %.3f",
                   (double)rows->coefficients / (double)rows->count, fit->last.iteration,
                   fit->last.gradient_norm, fit->last.gap, fit->time_s);
    }
    record_add(&record, "converged %s scale %s", fit->converged ? "yes" : "no", tune->scale);
    if (all) record_slopes(tune, &record);
    if (!isnan(tune->results_times)) {
        record_add(&record, "errors_given %s errors_of_results_times %.1f",
                   "the search's scores are exact", tune->results_times);
    }
    for (int part = 0; part < PART_COUNT; part++) {
        if (all || part != PART_TRAIN) record_part(tune, part, &record);
    }
    if (fit->part_rows[PART_VALID] > 0) {
        if (!isnan(tune->half.value)) {
            record_add(&record,
                       "half_games_change %.7f half_games_change_error95 %.7f more_games %s",
                       tune->half.value, Z95 * tune->half.error, more_games(tune));
        }
        AUTO(Text) verdict = {0};
        text_add(&verdict, "%s%s%s",
                 sentence_of(&fit->loss_change[PART_VALID],
                             "the validation games do not show whether the fit predicts better",
                             "the fit predicts the validation games better than its start",
                             "the fit predicts the validation games worse than its start"),
                 tune->terms && tune->terms->start ? "; only a match shows whether it plays better"
                                                   : "",
                 text_get(&tune->new_terms));
        record_add(&record, "verdict %s", verdict.data);
    }
    AUTO(Text) next = {0};
    if (fit->part_rows[PART_VALID] > 0 && !isnan(tune->half.value)) tune_add_next(tune, &next);
    if (next.length > 0 && settings->json) record_add(&record, "next %s", next.data);
    if (settings->out) record_add(&record, "weights %s", settings->out);
    if (settings->report) record_add(&record, "report %s", settings->report);
    record_end(&record);
    if (next.length > 0 && !settings->json) tune_print_note(tune, "next", next.data);
}
