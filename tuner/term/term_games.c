// SPDX-License-Identifier: GPL-3.0-or-later
#include "tuner/term/term_games.h"

#include "core/eval/weights.h"
#include "core/system/interrupt.h"
#include "core/system/version.h"
#include "datasets/store/store.h"
#include "selfplay/run/selfplay.h"

// Options of `paotai selfplay`. `paotai term` sets weights, nodes and seed, and keeps the defaults
// of all others.
static const OptionRow default_rows[] = {
    SEARCH_ROWS(SelfplayOptions, search, "default", "200", "1"),
    PLAY_ROWS(SelfplayOptions, play, PLAY_DEFAULTS_DATA), OPTION_END};

enum { SHARD_GAMES = 256 };

static Status add_run_path(const TermGamesSpec *spec, Text *run, Err *err) {
    Weights weights;
    char hash[SHA256_HEX_SIZE];
    TRY(weights_load(spec->weights, &weights, err));
    weights_hash(&weights, hash);
    text_add(run, "%s/games-%.8s-%llu-%llu", spec->out, hash, (unsigned long long)spec->nodes,
             (unsigned long long)spec->seed);
    return STATUS_OK;
}

// Returns true if the run exists and has all games. Games of an earlier build of the program are
// accepted.
static bool has_games(const char *run, uint64_t games) {
    AUTO_POINTER(Store) store = NULL;
    return store_open(run, &store, NULL) == STATUS_OK && store_game_count(store) >= games;
}

// Plays the missing games of the run.
static Status play_missing(const CommandCall *call, const TermGamesSpec *spec, const char *run,
                           Err *err) {
    const OptionRange wanted = {0, spec->games};
    SelfplayOptions options;
    AUTO(SelfplayGames) games = {.seed = 0};
    AUTO(Provenance) origin = {0};
    provenance_begin(call, "selfplay", &origin);
    TRY(options_defaults(default_rows, &options, sizeof options, err));
    options.search.weights = spec->weights;
    options.search.limits.nodes = spec->nodes;
    options.seed = spec->seed;
    TRY(selfplay_resolve(call, &options, &games, &origin, err));
    const Schedule schedule = {.run = {.dir = run,
                                       .wanted = &wanted,
                                       .wanted_count = 1,
                                       .resume = true,
                                       .provenance = &origin},
                               .threads = spec->threads,
                               .shard_games = SHARD_GAMES};
    return selfplay_run(&games, &schedule, spec->progress, err);
}

Status term_games_play(const CommandCall *call, const TermGamesSpec *spec, Text *run, Err *err) {
    TRY(add_run_path(spec, run, err));
    if (has_games(run->data, spec->games)) return STATUS_OK;
    Status status = play_missing(call, spec, run->data, err);
    if (status == STATUS_MISMATCH) {
        // Another build left this run unfinished. A run cannot have games of two builds, so this
        // build plays a run of its own.
        text_add(run, "-%.8s", version_build());
        if (has_games(run->data, spec->games)) return STATUS_OK;
        status = play_missing(call, spec, run->data, err);
    }
    if (status != STATUS_OK || !interrupt_requested()) return status;
    return err_set(err, STATUS_INTERRUPTED, "interrupted; run the same command again to continue");
}
