// SPDX-License-Identifier: GPL-3.0-or-later
// paotai selfplay: plays games of a player against itself and stores them in a run directory.
#include "core/command/options.h"
#include "core/system/interrupt.h"
#include "datasets/store/run.h"
#include "selfplay/run/selfplay.h"

typedef struct SelfplaySettings {
    OptionRange games;
    SelfplayOptions options;
    ScheduleOptions schedule;
    const char *page;
} SelfplaySettings;

static const OptionRow selfplay_rows[] = {
    OPT_RANGE(
        "games", SelfplaySettings, games, "1000", "N|A:B",
        "games to play: N games, or the games A to B - 1, so that several machines can share a run",
        OPTION_NEUTRAL),
    SEARCH_ROWS(SelfplaySettings, options.search, "default", "1000", "1"),
    OPT_U64("seed", SelfplaySettings, options.seed, "1", "N", "seed of all random choices"),
    PLAY_ROWS(SelfplaySettings, options.play, PLAY_DEFAULTS_DATA),
    SCHEDULE_ROWS(SelfplaySettings, schedule),
    ROW_PAGE(SelfplaySettings, page),
    OPTION_END,
};

static Status play_run(const CommandCall *call, LivePage *page, Err *err) {
    const SelfplaySettings *settings = call->settings;
    AUTO(SelfplayGames) games = {.seed = 0};
    AUTO(Provenance) origin = {0};
    Progress progress;
    TRY(schedule_check_games(&settings->games, err));
    provenance_begin(call, "selfplay", &origin);
    TRY(selfplay_resolve(call, &settings->options, &games, &origin, err));
    games.page = page;
    Schedule schedule = schedule_of_options(call, &settings->schedule, &origin);
    schedule.run.wanted = &settings->games;
    schedule.run.wanted_count = 1;
    const TimeControl *control = &games.player.spec.limits.control;
    const bool deterministic =
        !control->move_ns && !control->base_ns && games.play.noise_plies == 0;
    play_options_warn_repeats(call, &games.openings, deterministic, !games.player.spec.program,
                              settings->games.end, "games");
    progress_init(&progress, call->err, settings->schedule.quiet, "games", 0);
    TRY(selfplay_run(&games, &schedule, &progress, err));
    if (interrupt_requested()) play_options_interrupted(call, settings->schedule.out);
    return STATUS_OK;
}

static Status run_selfplay(const CommandCall *call, Err *err) {
    const SelfplaySettings *settings = call->settings;
    LivePage *page;
    TRY(live_page_open(call, settings->page, &page, err));
    return live_page_close(page, play_run(call, page, err), err);
}

const Command command_selfplay = {
    .name = "selfplay",
    .summary = "let an engine play against itself and store the games",
    .usage = "",
    .details =
        "Without time limits, other programs and threads= in PLAYER, game i depends only on the "
        "seed, i, the options, the weights and the rules. Therefore the "
        "content_hash of `paotai data info` is the same for any number of threads, for a run "
        "played as a whole or in ranges, and for a resumed run. A shard is safe on disk when its "
        "line is "
        "printed. Ctrl-C keeps all finished games. kill -9 loses the games of unfinished shards, "
        "usually only those of the last 300 s. Under mpirun or srun (make MPI=1) the processes "
        "share "
        "the games, and the content is also the same.\n\n"
        "paotai selfplay --games 2000 --nodes 1000 --weights classic --threads 2 --out build/games",
    .rows = selfplay_rows,
    .settings_size = sizeof(SelfplaySettings),
    .reads_weights = true,
    .on_ranks = true,
    .run = run_selfplay,
};
