// SPDX-License-Identifier: GPL-3.0-or-later
// paotai match: which of two players is stronger, and by how much.
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/version.h"
#include "selfplay/commands.h"
#include "selfplay/common_options.h"
#include "selfplay/match_report.h"
#include "selfplay/play_options.h"
#include "selfplay/resume.h"

typedef struct MatchSettings {
    const char *a, *b, *sprt, *out, *opening_weights, *tc;
    uint64_t pairs, nodes, seed, most_faults;
    int depth, movetime_ms, threads, model, shard_games, margin_ms, patience_s;
    PlayOptions play;
    double hash_mb, alpha, beta;
    bool resume, json, quiet;
} MatchSettings;

// clang-format off
static const OptionRow match_rows[] = {
    {"a", OPTION_TEXT, offsetof(MatchSettings, a), 0, 0, "weights=default", "PLAYER", "player A: key=value,... (see below)"},
    {"b", OPTION_TEXT, offsetof(MatchSettings, b), 0, 0, "weights=classic", "PLAYER", "player B"},
    {"pairs", OPTION_U64, offsetof(MatchSettings, pairs), 0, 0, "100", "N", "opening pairs: twice as many games"},
    {"sprt", OPTION_TEXT, offsetof(MatchSettings, sprt), 0, 0, NULL, "E0,E1", "stop when an SPRT of elo0 against elo1 has decided"},
    {"model", OPTION_CHOICE, offsetof(MatchSettings, model), 0, 0, "normalized", SPRT_MODEL_WORDS, "what the Elo of --sprt are"},
    {"alpha", OPTION_REAL, offsetof(MatchSettings, alpha), 1e-6, 0.49, "0.05", "P", "probability to accept elo1 when elo0 is true"},
    {"beta", OPTION_REAL, offsetof(MatchSettings, beta), 1e-6, 0.49, "0.05", "P", "probability to accept elo0 when elo1 is true"},
    ROW_NODES(MatchSettings, "1000"),
    ROW_DEPTH(MatchSettings),
    ROW_MOVETIME(MatchSettings),
    {"tc", OPTION_TEXT, offsetof(MatchSettings, tc), 0, 0, NULL, "CLOCK", "clock of players that name no limit: [MOVES/]TIME[+INCREMENT], seconds or M:SS"},
    {"margin", OPTION_INT, offsetof(MatchSettings, margin_ms), 0, 3600000, "20", "MS", "overstepping a clock by this much is forgiven"},
    {"patience", OPTION_INT, offsetof(MatchSettings, patience_s), 1, 86400, "60", "S", "a program without a clock is given up after so long a silence"},
    {"most-faults", OPTION_U64, offsetof(MatchSettings, most_faults), 0, 0, "10", "N", "games that a player may lose by failing before the match is stopped"},
    ROW_THREADS(MatchSettings),
    ROW_SEED(MatchSettings),
    PLAY_ROWS(MatchSettings),
    {"opening-weights", OPTION_TEXT, offsetof(MatchSettings, opening_weights), 0, 0, "default", "NAME|FILE", "weights of the search that finds openings balanced"},
    {"hash", OPTION_REAL, offsetof(MatchSettings, hash_mb), 0.001, 65536, "1", "MB", "table of our engine where a player names none"},
    {"out", OPTION_TEXT, offsetof(MatchSettings, out), 0, 0, NULL, "DIR", "store the games in this run directory"},
    {"resume", OPTION_FLAG, offsetof(MatchSettings, resume), 0, 0, NULL, NULL, "go on with the match in --out: its games are counted first"},
    {"shard-games", OPTION_INT, offsetof(MatchSettings, shard_games), 2, 1000000, "16", "N", "games of one file: what a crash can lose at most"},
    ROW_JSON(MatchSettings),
    ROW_QUIET(MatchSettings),
    OPTION_END,
};
// clang-format on

static Status parse_sprt(const MatchSettings *settings, MatchSpec *spec, Err *err) {
    if (!settings->sprt) return STATUS_OK;
    char text[64], *comma;
    if (strlen(settings->sprt) >= sizeof text ||
        !(comma = strchr(strcpy(text, settings->sprt), ','))) {
        return err_set(err, STATUS_USAGE, "--sprt: '%.60s' is not elo0,elo1", settings->sprt);
    }
    *comma = '\0';
    spec->has_sprt = true;
    spec->sprt = (SprtSpec){
        .model = (SprtModel)settings->model, .alpha = settings->alpha, .beta = settings->beta};
    Status status =
        parse_real(text, -SPRT_ELO_MAX, SPRT_ELO_MAX, &spec->sprt.elo0, "--sprt elo0", err);
    if (status == STATUS_OK) {
        status = parse_real(comma + 1, -SPRT_ELO_MAX, SPRT_ELO_MAX, &spec->sprt.elo1, "--sprt elo1",
                            err);
    }
    if (status == STATUS_OK) status = sprt_check(&spec->sprt, err);
    if (status != STATUS_OK && err) err->status = STATUS_USAGE;
    return status;
}

// A player without a limit of its own gets the common one.
static Status fill_player(const MatchSettings *settings, const char *text, const char *what,
                          MatchPlayer *player, Err *err) {
    PlayerSpec *spec = &player->spec;
    Status status = player_spec_parse(text, what, spec, err);
    if (status != STATUS_OK) return status;
    if (!spec->nodes && !spec->depth && !spec->control.move_ns && !spec->control.base_ns) {
        if (settings->tc) {
            status = timecontrol_parse(settings->tc, &spec->control, err);
        } else if (settings->movetime_ms) {
            spec->control.move_ns = settings->movetime_ms * MS_NS;
        } else {
            spec->nodes = settings->nodes;
            spec->depth = settings->depth;
        }
        if (status == STATUS_OK && !settings->tc && !settings->movetime_ms && !spec->nodes &&
            !spec->depth) {
            return err_set(err, STATUS_USAGE,
                           "--nodes 0 wants a --depth, --movetime or --tc: a search must end");
        }
    }
    if (status != STATUS_OK || spec->program) return status;
    return engine_config(spec, settings->hash_mb, &player->engine, err);
}

static Status fill_spec(const CommandCall *call, MatchSpec *spec, PlayThings *things, Err *err) {
    const MatchSettings *settings = call->settings;
    spec->pairs = settings->pairs;
    spec->seed = settings->seed;
    spec->threads = settings->threads;
    spec->out = settings->out;
    spec->shard_games = (uint64_t)settings->shard_games;
    spec->most_faults = settings->most_faults;
    Status status = parse_sprt(settings, spec, err);
    if (status == STATUS_OK) {
        status =
            play_options_resolve(call, &settings->play, things, &spec->play, &spec->openings, err);
    }
    spec->play.margin_ns = settings->margin_ms * MS_NS;
    spec->play.patience_ns = settings->patience_s * 1000 * MS_NS;
    if (status == STATUS_OK)
        status = weights_load(settings->opening_weights, &spec->opening_weights, err);
    if (status == STATUS_OK)
        status = fill_player(settings, settings->a, "--a", &spec->players[0], err);
    if (status == STATUS_OK)
        status = fill_player(settings, settings->b, "--b", &spec->players[1], err);
    return status;
}

// What the players are, for the provenance: our engine by its weights, a program by its command.
static void players_text(const MatchSpec *spec, Text *text) {
    for (int i = 0; i < MATCH_PLAYERS; i++) {
        const MatchPlayer *player = &spec->players[i];
        text_add(text, "%s%d %s %s", i ? ", " : "", i + 1, player->spec.name,
                 player->spec.program ? player->spec.profile.name : player->engine.weights_hash);
    }
}

static Status check_resume(const CommandCall *call, const char *players, Err *err) {
    const MatchSettings *settings = call->settings;
    if (!settings->out) return STATUS_OK;
    Text identity = {0};
    command_identity_text(call, &identity);
    text_add(&identity, "revision=%s\n", version_revision());
    const OptionRange games = {0, 2 * settings->pairs};
    const Status status =
        run_check_resume(settings->out, games, settings->resume, text_get(&identity), players, err);
    text_clear(&identity);
    return status;
}

static Status play_match(const CommandCall *call, MatchSpec *spec, const PlayThings *things,
                         MatchResult *result, double *seconds, Err *err) {
    const MatchSettings *settings = call->settings;
    Text options = {0}, players = {0}, source = {0};
    players_text(spec, &players);
    if (things->book.count) text_add(&source, "%s %s", settings->play.openings, things->book.hash);
    command_options_text(call, &options);
    spec->provenance = (Provenance){.kind = "match",
                                    .command = call->command->name,
                                    .options = text_get(&options),
                                    .weights = text_get(&players),
                                    .source = text_get(&source),
                                    .rules = rule_set_name(spec->play.rules.set),
                                    .seed = settings->seed};
    Status status = check_resume(call, text_get(&players), err);
    if (status == STATUS_OK) {
        Progress progress;
        progress_init(&progress, call->err, settings->quiet, "pairs", settings->pairs);
        status = match_run(spec, match_report_pair, &progress, result, err);
        *seconds = progress_elapsed_s(&progress);
        progress_finish(&progress, (uint64_t)match_counts_pairs(&result->counts),
                        result->interrupted ? "interrupted" : "");
    }
    text_clear(&options);
    text_clear(&players);
    text_clear(&source);
    return status;
}

static int run_match(const CommandCall *call) {
    const MatchSettings *settings = call->settings;
    Err err = {0};
    MatchSpec *spec = memory_alloc(1, sizeof *spec);
    PlayThings things = {0};
    MatchResult result = {0};
    double seconds = 0;
    Status status = fill_spec(call, spec, &things, &err);
    if (status == STATUS_OK) status = play_match(call, spec, &things, &result, &seconds, &err);
    if (status == STATUS_OK || (status == STATUS_ENGINE && result.plies > 0)) {
        Record record;
        record_begin(&record, call->out, settings->json);
        match_report(&record, spec, &result, seconds);
        record_end(&record);
    }
    for (int i = 0; i < MATCH_PLAYERS; i++) player_spec_clear(&spec->players[i].spec);
    book_clear(&things.book);
    free(spec);
    if (status != STATUS_OK) return command_fail(call, &err);
    return result.interrupted ? 1 : 0;
}

const Command command_match = {
    .name = "match",
    .summary = "which of two players is stronger, and by how much, with error bars and SPRT",
    .usage = "",
    .details =
        "A PLAYER is a comma list: weights=classic|default|FILE for our engine, cmd=PROGRAM or\n"
        "profile=NAME for another, and nodes=, depth=, st=SECONDS, tc=, threads=, hash=MB, name=,\n"
        "log=FILE, option.NAME=VALUE. Each opening is played twice with the colours\n"
        "exchanged; pairs are counted in order, so that the result is the same for any number of\n"
        "threads. The results are from A's side; pentanomial counts pairs LL,LD,DD+WL,WD,WW.\n\n"
        "paotai match --a weights=build/fitted.txt --b weights=classic --pairs 300 --threads 2\n"
        "paotai match --a weights=new.txt --b weights=old.txt --pairs 5000 --sprt 0,5\n"
        "paotai match --a nodes=5000 --b cmd=fairy-stockfish,st=0.1 --pairs 20 --out build/games",
    .rows = match_rows,
    .settings_size = sizeof(MatchSettings),
    .min_args = 0,
    .max_args = 0,
    .run = run_match,
};
