// SPDX-License-Identifier: GPL-3.0-or-later
// paotai selfplay: plays games against itself into a run directory.
#include "core/base/interrupt.h"
#include "core/base/options.h"
#include "datasets/store/run.h"
#include "selfplay/run/selfplay.h"

typedef struct SelfplaySettings {
    OptionRange games;
    const char *out;
    uint64_t seed;
    int threads, shard_games;
    SearchOptions search;
    PlayOptions play;
    bool json, quiet, resume, gather;
} SelfplaySettings;

static const OptionRow selfplay_rows[] = {
    OPT_RANGE("games", SelfplaySettings, games, "1000", "N|A:B",
              "games to play; A:B is half-open: each of several machines may play a range",
              OPTION_NEUTRAL),
    OPT_TEXT("out", SelfplaySettings, out, NULL, "DIR", "run directory",
             OPTION_REQUIRED | OPTION_NEUTRAL),
    OPT_FLAG("resume", SelfplaySettings, resume, "go on with a run: play the missing games",
             OPTION_NEUTRAL),
    SEARCH_ROWS(SelfplaySettings, search, "1000", "1"),
    ROW_THREADS(SelfplaySettings),
    ROW_SEED(SelfplaySettings),
    PLAY_ROWS(SelfplaySettings, play),
    OPT_INT("shard-games", SelfplaySettings, shard_games, 1, 1000000, "256", "N",
            "games of one file, or fewer after 300 s: the most that a crash can lose",
            OPTION_NEUTRAL),
    ROW_GATHER(SelfplaySettings),
    ROW_JSON(SelfplaySettings),
    ROW_QUIET(SelfplaySettings),
    OPTION_END,
};

static Status fill_spec(const CommandCall *call, SelfplaySpec *spec, OpeningSource *openings,
                        Searcher *searcher, Err *err) {
    const SelfplaySettings *settings = call->settings;
    *spec = (SelfplaySpec){.seed = settings->seed, .searcher = searcher, .openings = openings};
    if (settings->games.end > GAMES_MAX) {
        return err_set(err, STATUS_USAGE, "--games: numbers go up to %llu", GAMES_MAX);
    }
    TRY(play_options_resolve(call, &settings->play, &spec->play, openings, err));
    TRY(searcher_resolve(call, &settings->search, searcher, err));
    for (int side = RED; side <= BLACK; side++) {
        spec->play.controls[side] = searcher->player.control;
        spec->play.margin_ns[side] = 60000 * MS_NS; // self-play forfeits nothing
    }
    spec->play.patience_ns = 600000 * MS_NS;
    if (settings->play.noise_plies && searcher->player.program) {
        return err_set(err, STATUS_USAGE,
                       "--noise-plies is for our engine: another program answers with one move");
    }
    return STATUS_OK;
}

static Status fill_schedule(const CommandCall *call, const ShardLines *lines, Provenance *origin,
                            SelfplaySpec *spec, Err *err) {
    const SelfplaySettings *settings = call->settings;
    const char *book_hash = spec->openings->book.hash;
    TRY(searcher_origin(spec->searcher, origin, err));
    text_add(&origin->rules, "%s", rule_set_name(spec->play.rules.set));
    if (*book_hash) text_add(&origin->source, "%s %s", settings->play.openings, book_hash);
    text_add(&origin->identity, "book=%s\n", book_hash);
    origin->seed = settings->seed;
    spec->schedule = (Schedule){.run = {.dir = settings->out,
                                        .wanted = &settings->games,
                                        .wanted_count = 1,
                                        .resume = settings->resume,
                                        .identity = text_get(&origin->identity)},
                                .threads = settings->threads,
                                .shard_games = (uint64_t)settings->shard_games,
                                .provenance = *origin,
                                .lines = lines,
                                .gather = settings->gather};
    return STATUS_OK;
}

static Status run_selfplay(const CommandCall *call, Err *err) {
    const SelfplaySettings *settings = call->settings;
    const ShardLines lines = {call->out, settings->json};
    SelfplaySpec spec;
    AUTO(OpeningSource) openings = {0};
    AUTO(Searcher) searcher = {.weights = NULL};
    AUTO(Provenance) origin;
    Progress progress;
    provenance_begin(call, "selfplay", &origin);
    TRY(fill_spec(call, &spec, &openings, &searcher, err));
    TRY(fill_schedule(call, &lines, &origin, &spec, err));
    const TimeControl *control = &searcher.player.control;
    play_options_warn_repeats(call, &openings,
                              !control->move_ns && !control->base_ns && spec.play.noise_plies == 0,
                              settings->games.end, "games");
    progress_init(&progress, call->err, settings->quiet, "games", 0);
    TRY(selfplay_run(&spec, &progress, err));
    if (interrupt_requested()) play_options_interrupted(call, settings->out);
    return STATUS_OK;
}

const Command command_selfplay = {
    .name = "selfplay",
    .summary = "play games against itself into a run directory",
    .usage = "",
    .details =
        "Game i depends only on the seed, i, the options, the weights and the rules. So the "
        "content is the same for any number of threads, whole or in ranges, resumed or not "
        "(`paotai data info`). A shard is safe on disk once its line is printed. Ctrl-C keeps "
        "finished games; kill -9 loses the games of unfinished shards, of 300 s at most. Under "
        "mpirun or srun (make MPI=1) the processes share the games; the content stays the same.\n\n"
        "paotai selfplay --games 2000 --nodes 1000 --weights classic --threads 2 --out build/games",
    .rows = selfplay_rows,
    .settings_size = sizeof(SelfplaySettings),
    .reads_weights = true,
    .on_ranks = true,
    .run = run_selfplay,
};
