// SPDX-License-Identifier: GPL-3.0-or-later
#include "tuner/loop/generations.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "core/base/random.h"
#include "core/command/options.h"
#include "core/eval/network.h"
#include "core/system/clock.h"
#include "core/system/in_file.h"
#include "core/system/out_file.h"
#include "core/system/ranks.h"
#include "core/system/version.h"
#include "datasets/store/run.h"
#include "datasets/store/summary.h"
#include "selfplay/contest/contest_report.h"
#include "tuner/fit/fit.h"
#include "tuner/loop/words.h"

extern const Command command_selfplay, command_tune, command_report, command_train, command_match;

// ---- the steps ----------------------------------------------------------------------------------

bool loop_step_page(const char *step) {
    return strcmp(step, "selfplay") == 0 || strcmp(step, "train") == 0 ||
           strcmp(step, "match") == 0;
}

// Runs one command of a generation and saves its output as gen-NNN/NAME.txt. Appends its command
// line to *line, and sets *seconds to its duration.
static Status step(const LoopSpec *spec, int number, const Command *command, Words *words,
                   void *result, Text *line, double *seconds, Err *err) {
    AUTO(Text) path = {0}, output = {0}, text = {0};
    const double begun = clock_now_s();
    text_add(&path, GENERATION_PATH ".txt", spec->dir, number, command->name);
    if (!spec->quiet) {
        fprintf(spec->err, "generation %d of %d: %s\n", number, spec->generations, command->name);
    }
    words_line(words, command, line);
    loop_page_update(spec, number, command->name);
    if (spec->live && loop_step_page(command->name)) {
        // --page is added after the command line was formatted, so the log does not contain it.
        words_add(words, "--page\n" GENERATION_PATH ".html", spec->dir, number, command->name);
    }
    Status status = words_run(words, command, result, spec->err, &output, err);
    *seconds = clock_now_s() - begun;
    text_add(&text, "command %s\nstep_seconds %.1f\n%s", line->data, *seconds, text_get(&output));
    if (status == STATUS_OK) status = text_write_file(path.data, text.data, text.length, err);
    return status == STATUS_OK ? status : err_prefix(err, "generation %d", number);
}

enum { SEED_GAMES, SEED_MATCH, SEEDS };

// Returns the random seed for one purpose in one generation. It has 32 bits, so that a person can
// type it.
static unsigned long long seed_of(const LoopSpec *spec, int number, int what) {
    return random_mix(random_mix(spec->seed) + (uint64_t)(number * SEEDS + what)) >> 32;
}

static void words_add_common(const LoopSpec *spec, Words *words, unsigned long long seed) {
    words_add(words, "--seed\n%llu\n--threads\n%d", seed, spec->threads);
    if (spec->quiet) words_add(words, "--quiet");
}

static Status play_generation(const LoopSpec *spec, Generation *g, const char *champion, Err *err) {
    AUTO(Words) words = {0};
    AUTO(Text) line = {0}, games = {0};
    StoreSummary summary;
    Progress progress;
    text_add(&games, GENERATION_PATH, spec->dir, g->number, "games");
    words_add(&words, "--games\n%llu\n--nodes\n%llu\n--weights\n%s",
              (unsigned long long)spec->games, (unsigned long long)spec->nodes, champion);
    words_add_common(spec, &words, seed_of(spec, g->number, SEED_GAMES));
    words_add_text(&words, spec->selfplay);
    words_add(&words, "--resume\n--out\n%s", games.data);
    TRY(step(spec, g->number, &command_selfplay, &words, NULL, &line, &g->selfplay_seconds, err));
    progress_init(&progress, spec->err, true, "games", 0);
    TRY(store_summarise(games.data, spec->threads, &progress, &summary, err));
    g->selfplay = line.data;
    g->games = summary.games;
    g->positions = summary.positions;
    g->content_hash = summary.content_hash;
    return generation_save(spec, g, err);
}

static const char *candidate_name(const LoopSpec *spec) {
    return spec->train ? "network.net" : "weights.txt";
}

// Adds the game directories to which the weights of a generation are fitted, each with `option`
// before it.
static void words_add_games(const LoopSpec *spec, int number, const char *option, Words *words) {
    for (int i = number - spec->window + 1; i <= number; i++) {
        if (i >= 1) words_add(words, "%s" GENERATION_PATH, option, spec->dir, i, "games");
    }
}

// Makes the report of a fit under an MPI launcher. A report needs all positions in one process, so
// rank 0 makes it in a separate command.
static Status report(const LoopSpec *spec, int number, Err *err) {
    AUTO(Words) words = {0};
    AUTO(Text) line = {0};
    double seconds;
    words_add_games(spec, number, "--data\n", &words);
    words_add(&words, "--threads\n%d\n--out\n" GENERATION_PATH "\n" GENERATION_PATH, spec->threads,
              spec->dir, number, "report.html", spec->dir, number, "weights.txt");
    if (spec->quiet) words_add(&words, "--quiet");
    return step(spec, number, &command_report, &words, NULL, &line, &seconds, err);
}

// Makes the candidate of a generation. Fits weights, with the champion's weights as centre of the
// prior; or, with --train, trains a network whose score is added to the score of the start weights.
static Status fit(const LoopSpec *spec, Generation *g, const char *champion, Err *err) {
    const int number = g->number;
    AUTO(Words) words = {0};
    AUTO(Text) line = {0};
    ValidLoss loss = {.rejected = false};
    words_add_games(spec, number, "", &words);
    if (spec->train) {
        // `train` plays no match (--match-pairs 0), because the loop itself plays the match that
        // decides about the network.
        words_add(&words, "--weights\n%s/start.txt\n--match-pairs\n0", spec->dir);
    } else {
        // The prior must not use the standard errors of the champion, the best weights so far,
        // because these errors come from a fit to games with other search scores.
        words_add(&words, "--weights\n%s\n--prior-errors\n0", champion);
    }
    words_add_common(spec, &words, spec->seed);
    words_add_text(&words, spec->tune);
    words_add(&words, "--out\n" GENERATION_PATH, spec->dir, number, candidate_name(spec));
    if (!spec->train && !ranks_launched()) {
        words_add(&words, "--report\n" GENERATION_PATH, spec->dir, number, "report.html");
    }
    TRY(step(spec, number, spec->train ? &command_train : &command_tune, &words, &loss, &line,
             &g->tune_seconds, err));
    if (!spec->train && ranks_launched()) TRY(report(spec, number, err));
    g->tune = line.data;
    g->valid_loss_start = loss.start.value;
    g->valid_loss = loss.fitted.value;
    g->valid_loss_error95 = Z95 * loss.fitted.error;
    g->valid_loss_change = loss.change.value;
    g->valid_loss_change_error95 = Z95 * loss.change.error;
    if (loss.rejected) { // there is no candidate, so no match is played
        g->match = "no match";
        g->match_seconds = 0;
        g->decision = "no candidate";
    }
    return generation_save(spec, g, err);
}

static Status gate(const LoopSpec *spec, Generation *g, const char *champion, Err *err) {
    AUTO(Words) words = {0};
    AUTO(Text) candidate = {0}, line = {0}, pentanomial = {0};
    MatchOutcome match;
    text_add(&candidate, GENERATION_PATH, spec->dir, g->number, candidate_name(spec));
    words_add_player(&words, "--a", candidate.data, "candidate");
    words_add_player(&words, "--b", champion, "champion");
    words_add(&words, "--pairs\n%llu\n--nodes\n%llu\n--sprt\n%g,%g",
              (unsigned long long)spec->pairs, (unsigned long long)spec->nodes, spec->elo0,
              spec->elo1);
    words_add_common(spec, &words, seed_of(spec, g->number, SEED_MATCH));
    words_add_text(&words, spec->match);
    words_add(&words, "--resume\n--out\n" GENERATION_PATH, spec->dir, g->number, "match");
    TRY(step(spec, g->number, &command_match, &words, &match, &line, &g->match_seconds, err));
    const MatchCounts *counts = &match.counts;
    const StrengthVerdict *verdict = &match.verdict;
    match_counts_add_pairs(counts, &pentanomial);
    g->match = line.data;
    g->match_games = (uint64_t)match_counts_games(counts);
    g->wins = (uint64_t)counts->wins;
    g->draws = (uint64_t)counts->draws;
    g->losses = (uint64_t)counts->losses;
    g->pentanomial = pentanomial.data;
    g->elo = verdict->one_sided ? NAN : match.strength.elo;
    g->elo_error95 = verdict->one_sided ? NAN : match.strength.elo_error95;
    g->elo_median = verdict->stopped ? verdict->elo : NAN;
    g->ci_low = verdict->ci_low;
    g->ci_high = verdict->ci_high;
    g->llr = match.sprt.llr;
    g->lower = match.sprt.lower;
    g->upper = match.sprt.upper;
    g->decision = sprt_decision_text(match.sprt.decision);
    return generation_save(spec, g, err);
}

// Reads the results of a generation. A new generation gets the current date and a description of
// the machine. A resumed generation keeps them, even if it ends on another machine.
static Status begin(const LoopSpec *spec, int number, Generation *g, Err *err) {
    AUTO(Text) path = {0}, machine = {0};
    AUTO_POINTER(RunLock) lock = NULL;
    text_add(&path, GENERATION_PATH, spec->dir, number, "");
    TRY(run_directory_prepare(path.data, err));
    TRY(run_directory_lock(path.data, &lock, err));
    TRY(generation_read(spec, number, g, err));
    if (g->date) return STATUS_OK;
    const time_t now = time(NULL);
    struct tm date;
    char day[32] = "-";
    if (localtime_r(&now, &date)) strftime(day, sizeof day, "%Y-%m-%d", &date);
    text_add(&machine, "%ld cores, %s, %s, %d threads", sysconf(_SC_NPROCESSORS_ONLN),
             version_compiler(), version_flags(), spec->threads);
    g->date = day;
    g->revision = version_revision();
    g->machine = machine.data;
    return generation_save(spec, g, err);
}

void loop_champion(const LoopSpec *spec, Text *path) {
    text_add(path, "%s/champion.net", spec->dir);
    if (spec->train && access(path->data, F_OK) == 0) return;
    text_reset(path);
    text_add(path, "%s/champion.txt", spec->dir);
}

// Runs the missing steps of a generation, then writes the file of the champion, the log and
// strength.html. If the candidate is promoted, sets *champion to the path of the candidate.
static Status run_generation(const LoopSpec *spec, int number, Text *champion, Generation *g,
                             Err *err) {
    AUTO(Text) path = {0};
    AUTO_FREE char *weights = NULL;
    size_t length;
    TRY(begin(spec, number, g, err));
    if (!g->selfplay) TRY(play_generation(spec, g, champion->data, err));
    if (!g->tune) TRY(fit(spec, g, champion->data, err));
    if (!g->match) TRY(gate(spec, g, champion->data, err));
    if (generation_promoted(g)) {
        text_reset(champion);
        text_add(champion, GENERATION_PATH, spec->dir, number, candidate_name(spec));
    }
    text_add(&path, "%s/champion%s", spec->dir, strrchr(champion->data, '.'));
    TRY(text_read_file(champion->data, &weights, &length, err));
    TRY(text_write_file(path.data, weights, length, err));
    // If the champion is a network, remove the champion.txt of an earlier generation, so that only
    // one file holds a champion.
    if (network_is_file(weights, length)) {
        text_reset(&path);
        text_add(&path, "%s/champion.txt", spec->dir);
        unlink(path.data);
    }
    TRY(loop_write_log(spec, number, err));
    return loop_write_page(spec, number, err);
}

// ---- start and resume ---------------------------------------------------------------------------

// Saves a copy of the start weights, because the file named by --weights may change later.
static Status keep_start(const LoopSpec *spec, const char *path, Err *err) {
    Weights weights;
    char hash[SHA256_HEX_SIZE], note[300];
    TRY(weights_load(spec->weights, &weights, err));
    weights_hash(&weights, hash);
    snprintf(note, sizeof note, "the loop starts with the weights %.120s, hash %s", spec->weights,
             hash);
    return weights_save(&weights, path, note, err);
}

// Checks that this loop may use its directory, saves its settings in loop.txt, and copies the
// weights of --weights to start.txt. If a crash happens before start.txt is written, the resumed
// loop writes it.
static Status prepare(const LoopSpec *spec, const char *start, Err *err) {
    static const char *const files[] = {
        "loop.txt", "start.txt", "champion.txt", "champion.net", "log.md", "strength.html", NULL};
    AUTO(Text) path = {0};
    AUTO_FREE char *then = NULL;
    size_t length;
    bool begun = false;
    TRY(run_directory_claim(spec->dir, files, spec->resume, spec->quiet ? NULL : spec->err, &begun,
                            err));
    text_add(&path, "%s/%s", spec->dir, files[0]);
    if (begun) {
        TRY(text_read_file(path.data, &then, &length, err));
        TRY(run_identity_check(path.data, then, spec->identity, NULL, err));
    } else {
        TRY(text_write_file(path.data, spec->identity, strlen(spec->identity), err));
    }
    return access(start, F_OK) == 0 ? STATUS_OK : keep_start(spec, start, err);
}

Status loop_run(const LoopSpec *spec, LoopGenerationDone *done, void *context, Err *err) {
    AUTO(Text) champion = {0};
    AUTO_POINTER(RunLock) lock = NULL;
    text_add(&champion, "%s/start.txt", spec->dir);
    TRY(run_directory_prepare(spec->dir, err));
    TRY(run_directory_lock(spec->dir, &lock, err));
    TRY(prepare(spec, champion.data, err));
    for (int number = 1; number <= spec->generations; number++) {
        AUTO(Generation) generation = {.number = number};
        TRY(run_generation(spec, number, &champion, &generation, err));
        done(context, &generation);
        loop_page_update(spec, number + 1, NULL);
    }
    return STATUS_OK;
}

// Reads the generation of the last champion. *champion becomes generation 0 if it is the start.
static Status read_champion(const LoopSpec *spec, Generation *champion, Err *err) {
    *champion = (Generation){0};
    for (int number = spec->generations; number > 0; number--) {
        AUTO(Generation) g = {.number = number};
        TRY(generation_read(spec, number, &g, err));
        if (!generation_promoted(&g)) continue;
        *champion = MOVE(g);
        break;
    }
    return STATUS_OK;
}

// Says what the match will cost: the last match of the loop took as long for each game.
static void say_price(const LoopSpec *spec, const Generation *champion, uint64_t pairs) {
    AUTO(Text) text = {0};
    const double games = 2 * (double)pairs;
    if (spec->quiet) return;
    text_add(&text, "the champion plays %.0f games against the start: about ", games);
    progress_add_duration(&text, champion->match_seconds / (double)champion->match_games * games);
    fprintf(spec->err, "%s (--direct-pairs 0 leaves them out)\n", text.data);
}

// Returns the number of opening pairs that a match has stored in its directory, finished or not.
static uint64_t stored_pairs(const char *dir) {
    AUTO(PathList) files = {0};
    Err ignored = {0}; // the directory may not exist, or hold no games yet
    if (store_list_all(&dir, 1, true, &files, &ignored) != STATUS_OK) return 0;
    return (store_count_games(&files) + 1) / 2;
}

// Plays the match in DIR/gen-NNN/direct, where NNN is the generation of the champion. It has a
// fixed number of pairs, so the options of --match-options that could stop it earlier are left out.
static Status play_direct(const LoopSpec *spec, const Generation *champion, Text *command,
                          LoopDirect *direct, MatchOutcome *match, Err *err) {
    static const char *const stopping[] = {"--sprt", "--model", "--alpha",
                                           "--beta", "--pairs", NULL};
    AUTO(Words) words = {0};
    AUTO(Text) path = {0}, start = {0}, output = {0};
    loop_champion(spec, &path);
    text_add(&start, "%s/start.txt", spec->dir);
    text_add(&direct->directory, GENERATION_PATH, spec->dir, champion->number, "direct");
    const uint64_t stored = stored_pairs(direct->directory.data);
    const uint64_t pairs = spec->direct_pairs > stored ? spec->direct_pairs : stored;
    if (pairs > stored) say_price(spec, champion, pairs - stored);
    words_add_player(&words, "--a", path.data, "champion");
    words_add_player(&words, "--b", start.data, "start");
    words_add(&words, "--pairs\n%llu\n--nodes\n%llu", (unsigned long long)pairs,
              (unsigned long long)spec->nodes);
    words_add_common(spec, &words, seed_of(spec, 0, SEED_MATCH));
    words_add_text_without(&words, spec->match, stopping);
    words_add(&words, "--resume\n--out\n%s", direct->directory.data);
    words_line(&words, &command_match, command);
    TRY(words_run(&words, &command_match, match, spec->err, &output, err));
    match->names[0] = "champion";
    match->names[1] = "start";
    match_outcome_add_short(match, &direct->verdict);
    return STATUS_OK;
}

void loop_direct_clear(LoopDirect *direct) {
    text_clear(&direct->directory);
    text_clear(&direct->verdict);
}

Status loop_direct(const LoopSpec *spec, LoopDirect *direct, Err *err) {
    AUTO(Text) command = {0}, strength = {0}, interval = {0};
    AUTO(Generation) g = {0};
    AUTO_POINTER(RunLock) lock = NULL;
    MatchOutcome match;
    *direct = (LoopDirect){.elo = NAN, .elo_error95 = NAN, .ci_low = NAN, .ci_high = NAN};
    TRY(run_directory_lock(spec->dir, &lock, err));
    TRY(read_champion(spec, &g, err));
    if (g.number == 0) {
        text_add(&direct->verdict, "no candidate was promoted, so the champion is the start");
        return STATUS_OK;
    }
    TRY(play_direct(spec, &g, &command, direct, &match, err));
    const StrengthVerdict *verdict = &match.verdict;
    if (!match.alike) {
        if (!verdict->one_sided) {
            direct->elo = verdict->elo;
            direct->elo_error95 = match.strength.elo_error95;
        }
        direct->ci_low = verdict->ci_low;
        direct->ci_high = verdict->ci_high;
        strength_word_add(&strength, verdict);
        strength_interval_add(&interval, verdict);
    }
    g.direct = command.data;
    g.direct_games = direct->games = (uint64_t)match_counts_games(&match.counts);
    g.direct_elo = direct->elo;
    g.direct_ci_low = direct->ci_low;
    g.direct_ci_high = direct->ci_high;
    g.direct_strength = strength.data;
    g.direct_interval = interval.data;
    TRY(generation_save(spec, &g, err));
    loop_page_update(spec, spec->generations + 1, NULL);
    return loop_write_page(spec, spec->generations, err);
}
