// SPDX-License-Identifier: GPL-3.0-or-later
// paotai loop: play, fit, gate; again and again.
#include <stdlib.h>
#include <string.h>

#include "core/base/common_rows.h"
#include "core/base/json.h"
#include "core/base/version.h"
#include "selfplay/run/scheduler.h"
#include "selfplay/stats/sprt.h"
#include "tuner/commands.h"
#include "tuner/loop/generations.h"

typedef struct LoopSettings {
    const char *out, *weights, *selfplay, *tune, *match;
    uint64_t games, pairs, nodes, seed;
    int generations, window, threads;
    double elo0, elo1;
    bool resume, json, quiet;
} LoopSettings;

static const OptionRow loop_rows[] = {
    OPT_INT("generations", LoopSettings, generations, 1, 999, "3", "N",
            "generations in all, those done before included", OPTION_NEUTRAL),
    OPT_TEXT("out", LoopSettings, out, NULL, "DIR", "where everything goes",
             OPTION_REQUIRED | OPTION_NEUTRAL),
    OPT_FLAG("resume", LoopSettings, resume, "go on with what is in --out", OPTION_NEUTRAL),
    OPT_U64("games", LoopSettings, games, "2000", "N", "games of self-play of each generation"),
    ROW_NODES(LoopSettings, nodes, "1000"),
    OPT_INT("window", LoopSettings, window, 1, 999, "1", "N",
            "fit the games of the latest N generations"),
    OPT_U64("pairs", LoopSettings, pairs, "500", "N",
            "opening pairs of the gate, at most; without a decision the champion stays"),
    OPT_REAL("elo0", LoopSettings, elo0, -SPRT_ELO_MAX, SPRT_ELO_MAX, "0", "ELO",
             "the SPRT of the gate: the candidate is rejected at this strength"),
    OPT_REAL("elo1", LoopSettings, elo1, -SPRT_ELO_MAX, SPRT_ELO_MAX, "10", "ELO",
             "the candidate is promoted at this strength"),
    ROW_WEIGHTS(LoopSettings),
    OPT_TEXT("selfplay-options", LoopSettings, selfplay, NULL, "WORDS",
             "more options for selfplay, in one argument"),
    OPT_TEXT("tune-options", LoopSettings, tune, NULL, "WORDS", "more options for tune"),
    OPT_TEXT("match-options", LoopSettings, match, NULL, "WORDS", "more options for match"),
    ROW_THREADS(LoopSettings),
    ROW_SEED(LoopSettings),
    ROW_JSON(LoopSettings),
    ROW_QUIET(LoopSettings),
    OPTION_END,
};

// Numbers stay numbers in JSON.
static void record_value(Record *record, const char *key, const char *value) {
    double number;
    long long whole;
    if (parse_int(value, INT64_MIN, INT64_MAX, &whole, key, NULL) == STATUS_OK) {
        record_int(record, key, whole);
    } else if (parse_real(value, -1e300, 1e300, &number, key, NULL) == STATUS_OK) {
        record_digits(record, key, number, 6);
    } else {
        record_text(record, key, value);
    }
}

static void print_generation(void *context, const Generation *g) {
    const CommandCall *call = context;
    const LoopSettings *settings = call->settings;
    if (!settings->json) {
        fprintf(
            call->out,
            "generation %d games %s valid_loss %s -> %s match %s games elo %.5s +- %.5s %s %s\n",
            g->number, g->games, g->loss_start, g->loss, g->match_games, g->elo, g->elo_error,
            g->decision, g->promoted ? "promoted" : "rejected");
        fflush(call->out);
        return;
    }
    Record record;
    record_begin(&record, call->out, true);
    record_int(&record, "generation", g->number);
    record_value(&record, "games", g->games);
    record_value(&record, "positions", g->positions);
    record_text(&record, "content_hash", g->content_hash);
    record_value(&record, "valid_loss_start", g->loss_start);
    record_value(&record, "valid_loss", g->loss);
    record_value(&record, "valid_loss_error", g->loss_error);
    record_value(&record, "match_games", g->match_games);
    record_text(&record, "pentanomial", g->pentanomial);
    record_value(&record, "elo", g->elo);
    record_value(&record, "elo_error95", g->elo_error);
    record_value(&record, "llr", g->llr);
    record_text(&record, "decision", g->decision);
    record_text(&record, "promoted", g->promoted ? "yes" : "no");
    record_end(&record);
    fflush(call->out);
}

// What the loop's result depends on; more generations may be added later.
static Status identity_of(const CommandCall *call, Text *identity, Err *err) {
    const LoopSettings *settings = call->settings;
    Weights weights;
    char hash[SHA256_HEX_SIZE];
    const Status status = weights_load(settings->weights, &weights, err);
    if (status != STATUS_OK) return status;
    run_identity_begin(call, "loop", identity);
    weights_hash(&weights, hash);
    text_add(identity, "weights=%s\nrevision=%s\n", hash, version_revision());
    return STATUS_OK;
}

static Status check(const LoopSettings *settings, Err *err) {
    if (settings->games == 0 || settings->games > GAMES_MAX) {
        return err_set(err, STATUS_USAGE, "--games: from 1 to %llu", GAMES_MAX);
    }
    if (settings->pairs == 0 || settings->pairs > GAMES_MAX / 2) {
        return err_set(err, STATUS_USAGE, "--pairs: from 1 to %llu", GAMES_MAX / 2);
    }
    if (!(settings->elo0 < settings->elo1)) {
        return err_set(err, STATUS_USAGE, "--elo0 %g is not below --elo1 %g", settings->elo0,
                       settings->elo1);
    }
    return STATUS_OK;
}

static int run_loop(const CommandCall *call) {
    const LoopSettings *settings = call->settings;
    Err err = {0};
    Text identity = {0};
    Status status = check(settings, &err);
    if (status == STATUS_OK) status = identity_of(call, &identity, &err);
    const LoopSpec spec = {.dir = settings->out,
                           .generations = settings->generations,
                           .games = settings->games,
                           .pairs = settings->pairs,
                           .nodes = settings->nodes,
                           .seed = settings->seed,
                           .threads = settings->threads,
                           .window = settings->window,
                           .elo0 = settings->elo0,
                           .elo1 = settings->elo1,
                           .weights = settings->weights,
                           .selfplay = settings->selfplay,
                           .tune = settings->tune,
                           .match = settings->match,
                           .identity = text_get(&identity),
                           .resume = settings->resume,
                           .quiet = settings->quiet,
                           .err = call->err};
    if (status == STATUS_OK) status = loop_run(&spec, print_generation, (void *)call, &err);
    text_clear(&identity);
    if (status != STATUS_OK) return command_fail(call, &err);
    Text path = {0};
    Record record;
    text_add(&path, "%s/champion.txt", settings->out);
    record_begin(&record, call->out, settings->json);
    record_text(&record, "champion", path.data);
    record_end(&record);
    text_clear(&path);
    return 0;
}

const Command command_loop = {
    .name = "loop",
    .summary = "generations of play, fit and gate: weights are promoted when a match says so",
    .usage = "",
    .details =
        "Each generation the champion plays itself, weights are fitted to its games with the\n"
        "champion as prior, and an SPRT of candidate against champion decides. DIR/log.md gets an\n"
        "entry a generation in the form of experiments.md, DIR/gen-NNN what every step printed, a\n"
        "report with pictures, the games. After any end --resume goes on, with the\n"
        "same result. More generations may be asked for later.\n\n"
        "paotai loop --generations 5 --games 2000 --weights classic --threads 2 --out build/loop\n"
        "paotai loop --generations 8 --games 2000 --weights classic --threads 2 --out build/loop "
        "--resume",
    .rows = loop_rows,
    .settings_size = sizeof(LoopSettings),
    .min_args = 0,
    .max_args = 0,
    .run = run_loop,
};
