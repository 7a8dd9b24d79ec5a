// SPDX-License-Identifier: GPL-3.0-or-later
#include "tuner/loop/generations.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/interrupt.h"
#include "core/base/memory.h"
#include "core/base/options.h"
#include "core/base/out_file.h"
#include "core/base/random.h"
#include "core/base/ranks.h"
#include "core/eval/network.h"
#include "datasets/store/run.h"
#include "tuner/loop/words.h"

extern const Command command_selfplay, command_data_info, command_tune, command_report,
    command_train, command_match;

// ---- the steps ----------------------------------------------------------------------------------

// Runs a step, unless gen-NNN/NAME.txt exists, which marks it as finished.
static Status step(const LoopSpec *spec, int number, const char *name, const Command *command,
                   const Words *words, Err *err) {
    AUTO(Text) path = {0};
    AUTO(Text) output = {0};
    text_add(&path, GENERATION_PATH ".txt", spec->dir, number, name);
    if (access(path.data, F_OK) == 0) return STATUS_OK;
    if (!spec->quiet) {
        fprintf(spec->err, "generation %d of %d: %s\n", number, spec->generations, name);
    }
    Status status = words_run(words, command, spec->err, &output, err);
    if (status == STATUS_OK) status = text_write_file(path.data, output.data, output.length, err);
    return status == STATUS_OK ? status : err_prefix(err, "generation %d", number);
}

enum { SEED_GAMES, SEED_MATCH, SEEDS };

// Returns a seed for one purpose in one generation. It is short enough to type.
static unsigned long long seed_of(const LoopSpec *spec, int number, int what) {
    return random_mix(random_mix(spec->seed) + (uint64_t)(number * SEEDS + what)) >> 32;
}

static void words_add_common(const LoopSpec *spec, Words *words, unsigned long long seed) {
    words_add(words, "--seed\n%llu\n--threads\n%d", seed, spec->threads);
    if (spec->quiet) words_add(words, "--quiet");
}

static Status play(const LoopSpec *spec, int number, const char *champion, Err *err) {
    AUTO(Words) words = {0};
    AUTO(Words) info = {0};
    words_add(&words, "--games\n%llu\n--nodes\n%llu\n--weights\n%s",
              (unsigned long long)spec->games, (unsigned long long)spec->nodes, champion);
    words_add_common(spec, &words, seed_of(spec, number, SEED_GAMES));
    words_add_text(&words, spec->selfplay);
    words_add(&words, "--resume\n--out\n" GENERATION_PATH, spec->dir, number, "games");
    TRY(step(spec, number, "selfplay", &command_selfplay, &words, err));
    words_add(&info, GENERATION_PATH "\n--quiet", spec->dir, number, "games");
    return step(spec, number, "data", &command_data_info, &info, err);
}

static const char *candidate_name(const LoopSpec *spec) {
    return spec->train ? "network.net" : "weights.txt";
}

// Adds the directories of the games to which the weights of a generation are fitted, each after
// `option`.
static void words_add_games(const LoopSpec *spec, int number, const char *option, Words *words) {
    for (int i = number - spec->window + 1; i <= number; i++) {
        if (i >= 1) words_add(words, "%s" GENERATION_PATH, option, spec->dir, i, "games");
    }
}

// Makes the report of a fit on several MPI ranks. A report needs all rows in one process, so rank 0
// makes it in a step of its own.
static Status report(const LoopSpec *spec, int number, Err *err) {
    AUTO(Words) words = {0};
    words_add_games(spec, number, "--data\n", &words);
    words_add(&words, "--threads\n%d\n--out\n" GENERATION_PATH "\n" GENERATION_PATH, spec->threads,
              spec->dir, number, "report.html", spec->dir, number, "weights.txt");
    if (spec->quiet) words_add(&words, "--quiet");
    return step(spec, number, "report", &command_report, &words, err);
}

static Status fit(const LoopSpec *spec, int number, const char *champion, Err *err) {
    AUTO(Words) words = {0};
    words_add_games(spec, number, "", &words);
    // The champion's standard errors come from games with another teacher, so they are no prior
    // here.
    words_add(&words, "--weights\n%s\n--prior-errors\n0", champion);
    words_add_common(spec, &words, spec->seed);
    words_add_text(&words, spec->tune);
    words_add(&words, "--out\n" GENERATION_PATH, spec->dir, number, "weights.txt");
    if (!ranks_launched()) {
        words_add(&words, "--report\n" GENERATION_PATH, spec->dir, number, "report.html");
    }
    TRY(step(spec, number, "tune", &command_tune, &words, err));
    return ranks_launched() ? report(spec, number, err) : STATUS_OK;
}

// Trains a network that corrects the start weights.
static Status train(const LoopSpec *spec, int number, Err *err) {
    AUTO(Words) words = {0};
    words_add_games(spec, number, "", &words);
    // The gate plays the match.
    words_add(&words, "--weights\n%s/start.txt\n--match-pairs\n0", spec->dir);
    words_add_common(spec, &words, spec->seed);
    words_add_text(&words, spec->tune);
    words_add(&words, "--out\n" GENERATION_PATH, spec->dir, number, candidate_name(spec));
    return step(spec, number, "train", &command_train, &words, err);
}

static Status gate(const LoopSpec *spec, int number, const char *champion, Err *err) {
    AUTO(Words) words = {0};
    AUTO(Text) candidate = {0};
    text_add(&candidate, GENERATION_PATH, spec->dir, number, candidate_name(spec));
    words_add_player(&words, "--a", candidate.data, "candidate");
    words_add_player(&words, "--b", champion, "champion");
    words_add(&words, "--pairs\n%llu\n--nodes\n%llu\n--sprt\n%g,%g",
              (unsigned long long)spec->pairs, (unsigned long long)spec->nodes, spec->elo0,
              spec->elo1);
    words_add_common(spec, &words, seed_of(spec, number, SEED_MATCH));
    words_add_text(&words, spec->match);
    words_add(&words, "--resume\n--out\n" GENERATION_PATH, spec->dir, number, "match");
    return step(spec, number, "match", &command_match, &words, err);
}

// Records date and machine at the beginning of a generation; it may end on another machine.
static Status begin(const LoopSpec *spec, int number, Err *err) {
    AUTO(Text) path = {0};
    AUTO(Text) text = {0};
    AUTO_POINTER(RunLock) lock = NULL;
    text_add(&path, GENERATION_PATH, spec->dir, number, "");
    TRY(run_directory_prepare(path.data, err));
    TRY(run_directory_lock(path.data, &lock, err));
    text_add(&path, "begun.txt");
    if (access(path.data, F_OK) == 0) return STATUS_OK;
    generation_begun(spec, &text);
    return text_write_file(path.data, text.data, text.length, err);
}

void loop_champion(const LoopSpec *spec, Text *path) {
    text_add(path, "%s/champion.net", spec->dir);
    if (spec->train && access(path->data, F_OK) == 0) return;
    text_reset(path);
    text_add(path, "%s/champion.txt", spec->dir);
}

// Runs one generation. If its weights pass the gate, they become *champion.
static Status run_generation(const LoopSpec *spec, int number, Text *champion,
                             Generation **generation, Err *err) {
    AUTO(Text) path = {0};
    AUTO_FREE char *weights = NULL;
    size_t length;
    TRY(begin(spec, number, err));
    TRY(play(spec, number, champion->data, err));
    TRY(spec->train ? train(spec, number, err) : fit(spec, number, champion->data, err));
    TRY(gate(spec, number, champion->data, err));
    TRY(generation_read(spec, number, generation, err));
    if (strcmp(generation_value(*generation, "promoted"), "yes") == 0) {
        text_reset(champion);
        text_add(champion, GENERATION_PATH, spec->dir, number, candidate_name(spec));
    }
    text_add(&path, "%s/champion%s", spec->dir, strrchr(champion->data, '.'));
    TRY(text_read_file(champion->data, &weights, &length, err));
    TRY(text_write_file(path.data, weights, length, err));
    if (network_is_file(weights, length)) { // remove the other kind: there is one champion
        text_reset(&path);
        text_add(&path, "%s/champion.txt", spec->dir);
        unlink(path.data);
    }
    TRY(loop_write_log(spec, number, err));
    return loop_write_page(spec, number, err);
}

// ---- start and resume ---------------------------------------------------------------------------

// Saves a copy of the start weights, because the named file may change later.
static Status keep_start(const LoopSpec *spec, const char *path, Err *err) {
    Weights weights;
    char hash[SHA256_HEX_SIZE], note[300];
    TRY(weights_load(spec->weights, &weights, err));
    weights_hash(&weights, hash);
    snprintf(note, sizeof note, "start of a loop: %.120s, hash %s", spec->weights, hash);
    return weights_save(&weights, path, note, err);
}

// Claims the directory and saves the start weights. If a crash separates the two, a resumed loop
// saves them.
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
        TRY(run_identity_check(path.data, then, spec->identity, err));
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
        AUTO_POINTER(Generation) generation = NULL;
        TRY(run_generation(spec, number, &champion, &generation, err));
        done(context, generation);
    }
    return STATUS_OK;
}
