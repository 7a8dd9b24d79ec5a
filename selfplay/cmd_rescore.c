// SPDX-License-Identifier: GPL-3.0-or-later
// paotai rescore: searches the positions of a run again.
#include "core/command/options.h"
#include "datasets/store/run.h"
#include "selfplay/run/rescore.h"

typedef struct RescoreSettings {
    OptionRange games;
    SearchOptions search;
    int plies;
    ScheduleOptions schedule;
} RescoreSettings;

static const OptionRow rescore_rows[] = {
    OPT_RANGE("games", RescoreSettings, games, "all", "N|A:B",
              "search these games of the source run: the first N, or the games A to B - 1",
              OPTION_NEUTRAL),
    OPT_CHOICE("plies", RescoreSettings, plies, "all", "all|played|sampled",
               "positions to search; all: every position; played: those after the opening; "
               "sampled: those marked as sampled; the other positions get no score. Positions "
               "during the extra moves of a handicap, and positions after the rules have ended a "
               "game, are never searched"),
    SEARCH_ROWS(RescoreSettings, search, "default", "1000", "1"),
    SCHEDULE_ROWS(RescoreSettings, schedule),
    OPTION_END,
};

static Status prepare(const CommandCall *call, Store **store, PlayerSetup *player,
                      Provenance *origin, RescoreSpec *spec, Err *err) {
    const RescoreSettings *settings = call->settings;
    const char *path = call->args[0];
    TRY(player_setup_resolve_judge(call, &settings->search, player, err));
    TRY(player_setup_refuse_engine(call, player, err));
    TRY(store_open(path, store, err));
    if (store_shard_count(*store) == 0) return store_refuse_empty(path, err);
    TRY(provenance_add_sources(origin, &path, 1, err));
    TRY(rules_from_text(text_get(&origin->rules), &spec->rules, err));
    TRY(player_setup_origin(player, origin, err));
    spec->source = *store;
    return STATUS_OK;
}

static Status run_rescore(const CommandCall *call, Err *err) {
    const RescoreSettings *settings = call->settings;
    AUTO_POINTER(Store) store = NULL;
    AUTO(PlayerSetup) player = {.weights = NULL};
    AUTO(Provenance) origin = {0};
    RescoreSpec spec = {
        .games = settings->games, .plies = (RescorePlies)settings->plies, .player = &player};
    Progress progress;
    provenance_begin(call, "rescored", &origin);
    TRY(prepare(call, &store, &player, &origin, &spec, err));
    const Schedule schedule = schedule_of_options(call, &settings->schedule, &origin);
    progress_init(&progress, call->err, settings->schedule.quiet, "games", 0);
    return rescore_run(&spec, &schedule, &progress, err);
}

const Command command_rescore = {
    .name = "rescore",
    .summary = "search the positions of a run again, with other settings",
    .usage = "DIR|FILE",
    .details =
        "The new run keeps moves, results and the choice of sampled positions. Scores, depths, "
        "nodes and preferred moves are replaced. Without time limits, other "
        "programs and threads= in PLAYER, the content depends only on the source and the options. "
        "It is then the same for any number of threads and for a resumed run. A shard is safe on "
        "disk when its line is printed. Ctrl-C "
        "keeps all finished games.\n\n"
        "move_agreement is the share of searches that prefer the move that was played. mean_change "
        "is the mean absolute difference from the old scores, in units, without mates. If a "
        "program fails, it is "
        "started again and repeats the search. After a second failure the position counts as "
        "unanswered and gets no score, and the exit status is 1. A program's score is the last "
        "exact score of line 1; `bounds` counts the searches that report only bounds and get no "
        "score.\n\n"
        "paotai rescore --weights build/new.txt --nodes 5000 --threads 2 --out build/rescored "
        "build/games\n"
        "paotai rescore --player cmd=fairy-stockfish,nodes=10000 --out build/by-fairy build/games",
    .rows = rescore_rows,
    .settings_size = sizeof(RescoreSettings),
    .reads_weights = true,
    .min_args = 1,
    .max_args = 1,
    .on_ranks = true,
    .run = run_rescore,
};
