// SPDX-License-Identifier: GPL-3.0-or-later
#include "tuner/term/term.h"

#include <math.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/system/out_file.h"
#include "core/system/version.h"
#include "datasets/store/run.h"
#include "tuner/rows/load.h"
#include "tuner/rows/row_notes.h"
#include "tuner/rows/terms.h"
#include "tuner/term/term_games.h"
#include "tuner/term/term_plan.h"
#include "tuner/term/term_trials.h"
#include "tuner/term/term_verdict.h"

void term_study_clear(TermStudy *study) {
    study_clear(&study->base);
    text_clear(&study->dir);
    text_clear(&study->runs);
    text_clear(&study->same.why);
    text_clear(&study->sentence);
}

// ---- preparing ----------------------------------------------------------------------------------

// Finds the terms that match study->base.terms, and refuses material terms. Loads the start weights
// and their standard errors.
static Status choose(TermStudy *study, Err *err) {
    const RowSet ours = {.pairs = WEIGHT_COUNT};
    study->base.chosen = memory_alloc(2 * WEIGHT_COUNT, sizeof *study->base.chosen);
    TRY(row_choose_weights(&ours, study->base.terms, true, study->base.chosen, err));
    TRY(weights_load(study->settings->weights, &study->start, err));
    TRY(fit_read_start(study->settings->weights, study->start_flat, study->start_se, err));
    for (int i = 0; i < 2 * WEIGHT_COUNT; i++) {
        if (!study->base.chosen[i]) continue;
        study->pairs[i / 2] = true;
        study->terms[weight_term_of(i / 2) - weight_terms] = true;
        study->known_before = study->known_before || study->start_flat[i] != 0;
    }
    for (int t = 0; t < WEIGHT_TERM_COUNT; t++) {
        if (!study->terms[t] || weight_terms[t].part != TERM_MATERIAL) continue;
        return err_set(err, STATUS_USAGE, "%s is a material term, which cannot be left out",
                       weight_terms[t].name);
    }
    return STATUS_OK;
}

// Creates study->dir, the subdirectory of --out for the weights and the match of this study. It is
// named after the terms, with '-' in place of wildcards, commas, dots, slashes and spaces.
static Status prepare_directory(TermStudy *study, Err *err) {
    text_add(&study->dir, "%s/", study->settings->out);
    for (const char *at = study->base.terms; *at; at++) {
        text_add(&study->dir, "%c", strchr("*?,./ ", *at) ? '-' : *at);
    }
    return run_directory_prepare(study->dir.data, err);
}

static void begin_progress(const TermStudy *study, Progress *progress, const char *what,
                           uint64_t total) {
    progress_init(progress, study->base.call->err, study->settings->quiet, what, total);
}

// ---- steps --------------------------------------------------------------------------------------

static Status compare_with_old(TermStudy *study, Err *err) {
    AUTO(Text) path = {0};
    Progress progress;
    const char *rev = study->settings->rev;
    if (rev && strcmp(rev, "none") == 0) {
        text_add(&study->same.why, "--rev none");
        return STATUS_OK;
    }
    text_add(&path, "%s/old.txt", study->dir.data);
    begin_progress(study, &progress, "positions", 0);
    const TermSameSpec spec = {
        .chosen = study->terms, .commit = rev, .weights = path.data, .progress = &progress};
    return term_same_measure(&spec, &study->start, &study->same, err);
}

// Plays self-play games unless runs are given, and reads their positions.
static Status read_games(TermStudy *study, Err *err) {
    const CommandCall *call = study->base.call;
    const TermSettings *settings = study->settings;
    const RowChoice choice = {.boards = true, .with_faults = settings->with_faults};
    AUTO(Text) run = {0};
    Progress progress;
    begin_progress(study, &progress, "games", 0);
    if (call->arg_count == 1) {
        const TermGamesSpec spec = {.out = settings->out,
                                    .weights = settings->weights,
                                    .games = settings->games,
                                    .nodes = settings->nodes,
                                    .seed = settings->seed,
                                    .threads = settings->threads,
                                    .progress = &progress};
        TRY(term_games_play(call, &spec, &run, err));
    }
    const char *const own[] = {run.data};
    const char *const *paths = run.data ? own : call->args + 1;
    const int count = run.data ? 1 : call->arg_count - 1;
    for (int i = 0; i < count; i++) text_add(&study->runs, "%s%s", i ? " " : "", paths[i]);
    TRY(rows_load(paths, count, &choice, settings->threads, settings->quiet ? NULL : call->err,
                  &study->base.rows, err));
    rows_note(&study->base.rows, settings->quiet, call->err);
    return STATUS_OK;
}

// Fits only the weights of the new terms; all other weights keep their start values. One player of
// the match then has exactly the weights that the user may adopt (with.txt).
static Status fit(TermStudy *study, Err *err) {
    const FitSetup setup = {.loss = LOSS_CROSS_ENTROPY,
                            .weigh = WEIGH_GAMES,
                            .lambda = 0.2,
                            .prior = {.sd = 80, .material_sd = 1000, .smooth_sd = 40},
                            .valid_fraction = 0.2,
                            .seed = study->settings->seed,
                            .threads = study->settings->threads};
    Study *base = &study->base;
    TRY(study_fit_with(base, &setup, study->start_flat, base->chosen, err));
    TRY(study_fit_without(base, err));
    study->with_unused = base->collinearity;
    collinearity_of_playing(&base->with, base->chosen, &base->collinearity);
    TRY(study_find_values(base, false, err));
    study->fitted = true;
    return STATUS_OK;
}

// Makes the weight sets of both players from the start weights. The new terms have their fitted
// values in one set, and 0 in the other.
static Status make_players(TermStudy *study, Err *err) {
    study->with = study->without = study->start;
    study->unchanged = true;
    for (int i = 0; i < WEIGHT_COUNT; i++) {
        const double *value = &study->base.with.weights[2 * i];
        WeightPair *with = &weights_flat(&study->with)[i],
                   *without = &weights_flat(&study->without)[i];
        if (!study->pairs[i]) continue;
        if (fabs(value[0]) > WEIGHT_LIMIT || fabs(value[1]) > WEIGHT_LIMIT) {
            return err_set(err, STATUS_NUMERIC,
                           "a fitted value of %s is not between %d and %d; use more games",
                           study->base.terms, -WEIGHT_LIMIT, WEIGHT_LIMIT);
        }
        if (study->base.chosen[2 * i]) *with = (WeightPair){(int32_t)lround(value[0]), with->eg};
        if (study->base.chosen[2 * i + 1])
            *with = (WeightPair){with->mg, (int32_t)lround(value[1])};
        if (study->base.chosen[2 * i]) without->mg = 0;
        if (study->base.chosen[2 * i + 1]) without->eg = 0;
        study->unchanged = study->unchanged && with->mg == without->mg && with->eg == without->eg;
    }
    return STATUS_OK;
}

// Writes with.txt and without.txt to study->dir: the weights with and without the new terms.
// with.txt contains all known standard errors, because `make adopt` needs them.
static Status write_players(const TermStudy *study, Err *err) {
    AUTO(Text) path = {0}, notes = {0}, text = {0}, contain = {0};
    AUTO(FitRecord) record = {0};
    TRY(fit_record_load(study->settings->weights, &record, err));
    text_add(&notes, "made by paotai term %s from %s and %s\n", study->base.terms,
             study->settings->weights, study->runs.data);
    text_add(&path, "%s/without.txt", study->dir.data);
    TRY(weights_save(&study->without, path.data, notes.data, err));
    fit_contain_describe(study->base.with.frozen, &record, false, &contain);
    for (int i = 0; i < 2 * WEIGHT_COUNT; i++) {
        if (!study->base.chosen[i]) continue;
        record.error[i] = study->base.errors.weight[i];
        record.error_data[i] = study->base.errors.data[i];
    }
    if (record.has_pieces) fit_record_format_pieces(&record.pieces, &notes);
    fit_record_format_se(record.error, record.error_data, &notes);
    fit_contain_format(contain.data, &notes);
    weights_format(&study->with, notes.data, &text);
    text_reset(&path);
    text_add(&path, "%s/with.txt", study->dir.data);
    return text_write_file(path.data, text.data, text.length, err);
}

// Says, before a long match, how often it keeps a good and a worthless term and how long it will
// take. A few pairs, which are not stored, measure the time of a game.
static Status say_plan(const TermStudy *study, const WeightsMatchSpec *spec, Err *err) {
    enum { PILOT_PAIRS = 8, SHORT_PAIRS = 100 };
    AUTO(Text) text = {0};
    WeightsMatch pilot;
    WeightsMatchSpec few = *spec;
    if (study->settings->quiet || spec->pairs < SHORT_PAIRS) return STATUS_OK;
    few.pairs = PILOT_PAIRS;
    few.sprt = NULL;
    few.out = NULL;
    few.progress = NULL;
    TRY(study_play(&study->base, study->dir.data, &few, &pilot, err));
    TRY(term_plan_describe(spec->sprt, spec->pairs, spec->threads, pilot.game_cpu_s, &text, err));
    fprintf(study->base.call->err, "%s\n", text.data);
    return STATUS_OK;
}

// Counts the terms that were tried with these games.
static Status count_trial(TermStudy *study, Err *err) {
    const RowSet *rows = &study->base.rows;
    Sha256 hash;
    char games[SHA256_HEX_SIZE];
    sha256_init(&hash);
    for (size_t i = 0; i < rows->source_count; i++) {
        sha256_add(&hash, rows->content[i], sizeof rows->content[i]);
    }
    sha256_finish_hex(&hash, games);
    return term_trials_add(study->settings->out, study->base.terms, games, &study->trials, err);
}

// Plays a match of the weights with the new terms against those without, and stores it. An existing
// match is continued only if the weights and the program are the same, because the name of its
// directory contains their hashes. (Another build may compute the terms differently.)
static Status play_stored(const TermStudy *study, const WeightsMatchSpec *spec, WeightsMatch *match,
                          Err *err) {
    char hash[2][SHA256_HEX_SIZE];
    AUTO(Text) out = {0};
    Progress progress;
    WeightsMatchSpec stored = *spec;
    weights_hash(&study->with, hash[0]);
    weights_hash(&study->without, hash[1]);
    text_add(&out, "%s/match-%.8s-%.8s-%.8s-%llu-%llu", study->dir.data, hash[0], hash[1],
             version_build(), (unsigned long long)spec->nodes, (unsigned long long)spec->seed);
    stored.out = out.data;
    stored.progress = &progress;
    begin_progress(study, &progress, "pairs", spec->pairs);
    const Status status = study_play(&study->base, study->dir.data, &stored, match, err);
    progress_finish(&progress, (uint64_t)match_counts_pairs(&match->counts), "");
    return status;
}

// Writes the weight sets with and without the new terms, and plays the match between them. Plays no
// match if both sets are equal, or if other terms explain the new terms completely.
static Status play_study_match(TermStudy *study, Err *err) {
    const TermSettings *settings = study->settings;
    const WeightsMatchSpec match = {.pairs = settings->match_pairs,
                                    .nodes = settings->nodes,
                                    .seed = settings->seed,
                                    .threads = settings->threads,
                                    .sprt = &settings->sprt};
    TRY(make_players(study, err));
    TRY(write_players(study, err));
    if (study->unchanged || !study_can_play(&study->base)) return STATUS_OK;
    TRY(say_plan(study, &match, err));
    TRY(play_stored(study, &match, &study->base.match, err));
    return count_trial(study, err);
}

// Plays the second match, with longer searches and other openings, if the option --confirm-nodes
// is given and the term would be kept. Prints its expected processor time first.
static Status play_second_match(TermStudy *study, Err *err) {
    const TermSettings *settings = study->settings;
    const WeightsMatch *first = &study->base.match;
    const WeightsMatchSpec match = {.pairs = settings->confirm_pairs,
                                    .nodes = settings->confirm_nodes,
                                    .seed = settings->seed + 1,
                                    .threads = settings->threads};
    if (settings->confirm_nodes == 0 || term_verdict_of_match(first) != TERM_KEEP) {
        return STATUS_OK;
    }
    const double games = 2 * (double)match.pairs;
    const double seconds =
        games * first->game_cpu_s * (double)match.nodes / (double)settings->nodes;
    if (!settings->quiet && seconds > 0) {
        AUTO(Text) duration = {0};
        progress_add_duration(&duration, seconds);
        fprintf(study->base.call->err,
                "kept; a second match of %.0f games at %llu nodes takes about %s of processor "
                "time\n",
                games, (unsigned long long)match.nodes, duration.data);
    }
    return play_stored(study, &match, &study->confirm, err);
}

Status term_study_run(TermStudy *study, Err *err) {
    AUTO_POINTER(RunLock) lock = NULL;
    TRY(choose(study, err));
    TRY(prepare_directory(study, err));
    TRY(run_directory_lock(study->dir.data, &lock, err));
    TRY(compare_with_old(study, err));
    TRY(read_games(study, err));
    study->base.match = study->confirm = weights_match_of(NULL, &study->settings->sprt);
    occurrence_measure(&study->base.rows, study->base.chosen, &study->base.occurrence);
    TRY(term_search_count(&study->start, study->pairs, &study->search, err));
    if (study->base.occurrence.games >= OCCURRENCE_FEW_GAMES) {
        TRY(fit(study, err));
        TRY(play_study_match(study, err));
        TRY(play_second_match(study, err));
    }
    term_decide(study);
    return STATUS_OK;
}
