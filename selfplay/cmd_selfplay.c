// SPDX-License-Identifier: GPL-3.0-or-later
// paotai selfplay: plays games against itself into a run directory.
#include "core/base/json.h"
#include "core/version.h"
#include "selfplay/commands.h"
#include "selfplay/common_options.h"
#include "selfplay/play_options.h"
#include "selfplay/resume.h"
#include "selfplay/selfplay.h"

typedef struct SelfplaySettings {
    OptionRange games;
    const char *out, *weights;
    uint64_t seed, nodes;
    int threads, depth, movetime_ms, shard_games;
    const char *player;
    PlayOptions play;
    double hash_mb;
    bool json, quiet, resume;
} SelfplaySettings;

static const OptionRow selfplay_rows[] = {
    {"games", OPTION_RANGE, offsetof(SelfplaySettings, games), 0, 0, "1000", "N|A:B",
     "games to play; A:B is half-open, so that ranges may be played on several machines"},
    {"out", OPTION_TEXT, offsetof(SelfplaySettings, out), 0, 0, NULL, "DIR",
     "run directory (required)"},
    {"resume", OPTION_FLAG, offsetof(SelfplaySettings, resume), 0, 0, NULL, NULL,
     "go on with a run: play exactly the games that are missing"},
    ROW_NODES(SelfplaySettings, nodes, "1000"),
    ROW_DEPTH(SelfplaySettings, depth),
    ROW_MOVETIME(SelfplaySettings, movetime_ms),
    ROW_WEIGHTS(SelfplaySettings),
    ROW_THREADS(SelfplaySettings),
    ROW_SEED(SelfplaySettings),
    {"player", OPTION_TEXT, offsetof(SelfplaySettings, player), 0, 0, NULL, "PLAYER",
     "another program plays both sides: cmd=...,nodes=... ('match --help' explains)"},
    PLAY_ROWS(SelfplaySettings, play),
    {"hash", OPTION_REAL, offsetof(SelfplaySettings, hash_mb), 0.001, 65536, "1", "MB",
     "table of each thread"},
    {"shard-games", OPTION_INT, offsetof(SelfplaySettings, shard_games), 1, 1000000, "256", "N",
     "games of one file: what a crash can lose at most"},
    ROW_JSON(SelfplaySettings),
    ROW_QUIET(SelfplaySettings),
    OPTION_END,
};

static void print_shard(void *context, const char *name, OptionRange range) {
    const CommandCall *call = context;
    const SelfplaySettings *settings = call->settings;
    if (settings->json) {
        Record record;
        record_begin(&record, call->out, true);
        record_text(&record, "shard", name);
        record_int(&record, "first", (long long)range.first);
        record_int(&record, "end", (long long)range.end);
        record_end(&record);
        return;
    }
    fprintf(call->out, "shard %s games %llu:%llu\n", name, (unsigned long long)range.first,
            (unsigned long long)range.end);
    fflush(call->out);
}

static void print_summary(const CommandCall *call, const SelfplaySummary *summary, double seconds) {
    const SelfplaySettings *settings = call->settings;
    Record record;
    record_begin(&record, call->out, settings->json);
    record_int(&record, "games", (long long)summary->games);
    record_int(&record, "plies", (long long)summary->plies);
    record_int(&record, "positions", (long long)summary->positions);
    record_int(&record, "nodes", (long long)summary->nodes);
    record_int(&record, "already", (long long)summary->already);
    if (settings->play.resign_score || settings->play.draw_plies) {
        record_int(&record, "adjudicated", (long long)summary->adjudicated);
        record_int(&record, "played_on", (long long)summary->played_on);
        record_int(&record, "wrongly_adjudicated", (long long)summary->wrong);
    }
    record_real(&record, "seconds", seconds, 2);
    record_real(&record, "search_share",
                (double)summary->search_ns * 1e-9 / (seconds * settings->threads + 1e-9), 4);
    record_real(&record, "plies_per_second",
                (double)summary->plies / (seconds > 1e-9 ? seconds : 1e-9), 1);
    record_end(&record);
}

static Status fill_spec(const CommandCall *call, SelfplaySpec *spec, PlayThings *things,
                        PlayerSpec *player, Err *err) {
    const SelfplaySettings *settings = call->settings;
    *spec = (SelfplaySpec){
        .games = settings->games,
        .seed = settings->seed,
        .threads = settings->threads,
        .out = settings->out,
        .shard_games = (uint64_t)settings->shard_games,
    };
    if (!settings->out) {
        return err_set(err, STATUS_USAGE, "--out DIR is missing: where the games go");
    }
    if (settings->games.end > GAMES_MAX) {
        return err_set(err, STATUS_USAGE, "--games: numbers go up to %llu", GAMES_MAX);
    }
    if (!settings->nodes && !settings->depth && !settings->movetime_ms) {
        return err_set(err, STATUS_USAGE,
                       "--nodes 0 wants a --depth or a --movetime: a search must end");
    }
    Status status =
        play_options_resolve(call, &settings->play, things, &spec->play, &spec->openings, err);
    if (status != STATUS_OK) return status;
    for (int side = RED; side <= BLACK; side++) {
        spec->play.controls[side].move_ns = settings->movetime_ms * MS_NS;
    }
    spec->play.margin_ns = 60000 * MS_NS; // self-play forfeits nothing
    spec->play.patience_ns = 600000 * MS_NS;
    status = player_spec_parse(settings->player ? settings->player : "", "--player", player, err);
    if (status != STATUS_OK) return status;
    if (player->program) spec->program = player;
    const PlayerSpec engine = {.name = "--weights",
                               .weights = (char *)settings->weights,
                               .nodes = settings->nodes,
                               .depth = settings->depth};
    return engine_config(&engine, settings->hash_mb, &spec->engine, err);
}

static Status check_resume(const CommandCall *call, const char *weights_hash_hex, Err *err) {
    const SelfplaySettings *settings = call->settings;
    Text identity = {0};
    command_identity_text(call, &identity);
    text_add(&identity, "revision=%s\n", version_revision());
    const Status status = run_check_resume(settings->out, settings->games, settings->resume,
                                           text_get(&identity), weights_hash_hex, err);
    text_clear(&identity);
    return status;
}

static Status play_games(const CommandCall *call, SelfplaySpec *spec, const char *book_hash,
                         SelfplaySummary *summary, double *seconds, Err *err) {
    const SelfplaySettings *settings = call->settings;
    const char *hash = spec->engine.weights_hash;
    char weights[400], source[400] = "";
    snprintf(weights, sizeof weights, "%s %s", settings->weights, hash);
    if (*book_hash) snprintf(source, sizeof source, "%s %s", settings->play.openings, book_hash);
    Status status = check_resume(call, hash, err);
    if (status != STATUS_OK) return status;
    Text options = {0};
    command_options_text(call, &options);
    spec->provenance = (Provenance){.kind = "selfplay",
                                    .command = call->command->name,
                                    .options = text_get(&options),
                                    .rules = rule_set_name(spec->play.rules.set),
                                    .weights = weights,
                                    .source = source,
                                    .seed = settings->seed};
    Progress progress;
    progress_init(&progress, call->err, settings->quiet, "games", 0);
    status = selfplay_run(spec, &progress, print_shard, (void *)call, summary, err);
    *seconds = progress_elapsed_s(&progress);
    progress_finish(&progress, summary->games, summary->interrupted ? "interrupted" : "");
    text_clear(&options);
    return status;
}

static int run_selfplay(const CommandCall *call) {
    Err err = {0};
    SelfplaySpec spec;
    PlayThings things = {0};
    PlayerSpec player = {0};
    SelfplaySummary summary = {0};
    double seconds = 0;
    Status status = fill_spec(call, &spec, &things, &player, &err);
    if (status == STATUS_OK) {
        status = play_games(call, &spec, things.book.hash, &summary, &seconds, &err);
    }
    book_clear(&things.book);
    player_spec_clear(&player);
    if (status != STATUS_OK) return command_fail(call, &err);
    print_summary(call, &summary, seconds);
    return summary.interrupted ? 1 : 0;
}

const Command command_selfplay = {
    .name = "selfplay",
    .summary = "play games against itself into a run directory",
    .usage = "",
    .details =
        "Game i depends on the seed, i, the options, the weights and the rules alone: any number "
        "of\n"
        "threads, whole or in ranges, resumed or not, the content is the same (`paotai data "
        "info`).\n"
        "A shard is safe on disk when its line has been printed. Ctrl-C keeps what was played.\n\n"
        "paotai selfplay --games 2000 --nodes 1000 --weights classic --threads 2 --out build/games",
    .rows = selfplay_rows,
    .settings_size = sizeof(SelfplaySettings),
    .min_args = 0,
    .max_args = 0,
    .run = run_selfplay,
};
