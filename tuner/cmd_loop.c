// SPDX-License-Identifier: GPL-3.0-or-later
// paotai loop: repeats self-play, fit, and a match that decides whether the new weights or the
// new network become the champion.
#include <stdlib.h>
#include <string.h>

#include "core/command/common_rows.h"
#include "core/eval/weights.h"
#include "core/system/version.h"
#include "datasets/store/run_directory.h"
#include "selfplay/run/scheduler.h"
#include "selfplay/stats/sprt.h"
#include "tuner/loop/generations.h"

static const OptionRow loop_rows[] = {
    OPT_INT("generations", LoopSpec, generations, 1, 999, "3", "N",
            "total number of generations, including finished ones", OPTION_NEUTRAL),
    OPT_TEXT("out", LoopSpec, dir, NULL, "DIR", "write all files of the loop to this directory",
             OPTION_REQUIRED | OPTION_NEUTRAL),
    OPT_FLAG("resume", LoopSpec, resume, "continue the loop in --out", OPTION_NEUTRAL),
    OPT_U64("games", LoopSpec, games, "2000", "N", "number of self-play games of each generation"),
    ROW_NODES(LoopSpec, nodes, "1000"),
    OPT_INT("window", LoopSpec, window, 1, 999, "1", "N",
            "fit weights (with --train: a network) to the games of the last N generations"),
    OPT_U64("pairs", LoopSpec, pairs, "500", "N",
            "largest number of opening pairs in the match of the new weights against the champion; "
            "without a decision the champion stays"),
    OPT_U64(
        "direct-pairs", LoopSpec, direct_pairs, "200", "N",
        "after the last generation, play a match of the champion against the start weights with "
        "this number of opening pairs; only such a match measures the gain of the whole loop; 0: "
        "no match",
        OPTION_NEUTRAL),
    OPT_REAL("elo0", LoopSpec, elo0, -SPRT_ELO_MAX, SPRT_ELO_MAX, "0", "ELO",
             "H0 of the SPRT of the match against the champion, in normalized Elo; if it is "
             "accepted, the new weights are rejected"),
    OPT_REAL("elo1", LoopSpec, elo1, -SPRT_ELO_MAX, SPRT_ELO_MAX, "10", "ELO",
             "H1 of the SPRT of the match against the champion, in normalized Elo; if it is "
             "accepted, the new weights are promoted"),
    OPT_TEXT("weights", LoopSpec, weights, "default", "NAME|FILE",
             "weights of the first champion: classic, default or a weight file", OPTION_NEUTRAL),
    OPT_FLAG(
        "train", LoopSpec, train,
        "in each generation, train a network instead of fitting weights; its score is added to "
        "that of --weights"),
    OPT_TEXT("selfplay-options", LoopSpec, selfplay, NULL, "WORDS",
             "pass these options to the command selfplay; give them as one quoted argument"),
    OPT_TEXT("tune-options", LoopSpec, tune, NULL, "WORDS",
             "pass these options to the command tune or, if --train is given, to the command "
             "train; give them as one quoted argument"),
    OPT_TEXT("match-options", LoopSpec, match, NULL, "WORDS",
             "pass these options to the command match; give them as one quoted argument; no SPRT "
             "stops the match of --direct-pairs"),
    ROW_PAGE(LoopSpec, page),
    ROW_THREADS_PLAYERS(LoopSpec),
    ROW_SEED(LoopSpec),
    ROW_JSON(LoopSpec),
    ROW_QUIET(LoopSpec),
    OPTION_END,
};

static void print_generation(void *context, const Generation *generation) {
    const CommandCall *call = context;
    const bool json = ((const LoopSpec *)call->settings)->json;
    AUTO(Text) line = {0};
    if (json) {
        Record record;
        record_begin(&record, call->out, true);
        record_add(&record, "generation %d", generation->number);
        generation_record(generation, &record);
        record_end(&record);
        return;
    }
    text_add(&line, "generation %d: %llu games, %.0f s, loss %s -> %s, ", generation->number,
             (unsigned long long)generation->games, generation_seconds(generation),
             shown(generation->valid_loss_start, 4, false).text,
             shown(generation->valid_loss, 4, false).text);
    generation_add_strength(generation, " against the champion", &line);
    if (generation->match_games > 0) {
        text_add(&line, " (%llu games, 95 %%)", (unsigned long long)generation->match_games);
    }
    text_add(&line, ", ");
    generation_add_verdict(generation, &line);
    text_add(&line, "\n");
    fputs(line.data, call->out);
    fflush(call->out);
}

// Prints the match of the champion against the start. Without a promotion there was no match, and
// its numbers are unknown.
static void print_direct(const CommandCall *call, const LoopDirect *direct) {
    Record record;
    record_begin(&record, call->out, ((const LoopSpec *)call->settings)->json);
    record_add(&record,
               "direct_games %lu direct_elo %.*g direct_elo_error95 %.*g direct_ci_low %.*g "
               "direct_ci_high %.*g direct_verdict %s",
               direct->games, REPORT_DIGITS, direct->elo, REPORT_DIGITS, direct->elo_error95,
               REPORT_DIGITS, direct->ci_low, REPORT_DIGITS, direct->ci_high, direct->verdict.data);
    if (direct->directory.length) record_add(&record, "direct_dir %s", direct->directory.data);
    record_end(&record);
}

// Appends everything that determines the result of `paotai loop`: options, hash of the start
// weights, and revision and build of the program. Omits the number of generations, because a
// resumed loop may have more.
static Status identity_of(const CommandCall *call, Text *identity, Err *err) {
    const LoopSpec *settings = call->settings;
    Weights weights;
    char hash[SHA256_HEX_SIZE];
    TRY(weights_load(settings->weights, &weights, err));
    run_identity_begin(call, "loop", identity);
    weights_hash(&weights, hash);
    text_add(identity, "weights=%s\nrevision=%s\nbuild=%s\n", hash, version_revision(),
             version_build());
    return STATUS_OK;
}

static Status check(const LoopSpec *settings, Err *err) {
    if (settings->games == 0 || settings->games > GAMES_MAX) {
        return err_set(err, STATUS_USAGE, "--games %llu: must be from 1 to %llu",
                       (unsigned long long)settings->games, GAMES_MAX);
    }
    if (settings->pairs == 0 || settings->pairs > GAMES_MAX / 2) {
        return err_set(err, STATUS_USAGE, "--pairs %llu: must be from 1 to %llu",
                       (unsigned long long)settings->pairs, GAMES_MAX / 2);
    }
    if (settings->direct_pairs > GAMES_MAX / 2) {
        return err_set(err, STATUS_USAGE, "--direct-pairs %llu: must be at most %llu",
                       (unsigned long long)settings->direct_pairs, GAMES_MAX / 2);
    }
    if (!(settings->elo0 < settings->elo1)) {
        return err_set(err, STATUS_USAGE, "--elo0 %g is not below --elo1 %g", settings->elo0,
                       settings->elo1);
    }
    return STATUS_OK;
}

static Status run_loop(const CommandCall *call, Err *err) {
    LoopSpec spec = *(const LoopSpec *)call->settings;
    AUTO(Text) identity = {0}, path = {0}, page = {0};
    TRY(check(&spec, err));
    TRY(identity_of(call, &identity, err));
    spec.identity = text_get(&identity);
    spec.err = call->err;
    // Create the directory before the page is opened, because --page may name a file in it.
    TRY(run_directory_prepare(spec.dir, err));
    TRY(live_page_open(call, spec.page, &spec.live, err));
    AUTO(LoopDirect) direct = {0};
    Status status = loop_run(&spec, print_generation, (void *)call, err);
    if (status == STATUS_OK && spec.direct_pairs > 0) status = loop_direct(&spec, &direct, err);
    TRY(live_page_close(spec.live, status, err));
    if (!spec.quiet) {
        fprintf(call->err,
                "the losses are those of the champion and of the new weights on validation "
                "games, which the fit does not use, so they can rise; the match decides\n");
    }
    if (spec.direct_pairs > 0) print_direct(call, &direct);
    loop_champion(&spec, &path);
    text_add(&page, "%s/strength.html", spec.dir);
    record_print(call->out, spec.json, "champion %s climb %s", path.data, page.data);
    return STATUS_OK;
}

const Command command_loop = {
    .name = "loop",
    .summary = "repeat self-play, fit and match: better weights are promoted",
    .usage = "",
    .details =
        "In each generation the champion plays games against itself. Weights are fitted to these "
        "games and, with --window, to those of earlier generations; the prior pulls to the "
        "champion. With --train, a network is trained instead; it is "
        "rejected without a match if no epoch was better than the start of the fit. A match "
        "against the champion with "
        "an SPRT decides whether the new weights or the network become the champion. DIR/log.md "
        "gets one entry per generation. DIR/gen-NNN contains the games, the output of every step, "
        "and, without --train, a report with pictures. "
        "The loss is that of the champion and of the new weights on the validation games of the "
        "generation, which the fit does not see; so it can also rise, while the match decides. "
        "After any interruption, --resume continues and gives the same result as an uninterrupted "
        "loop. With a larger --generations, --resume adds generations.\n\n"
        "The gain of the whole loop is measured by a match of the last champion against the start "
        "(--direct-pairs), and strength.html shows it first. Its chart adds up the matches of the "
        "generations. This sum is mostly too high: a gain "
        "over the own predecessor is larger than the gain over the start.\n\n"
        "paotai loop --generations 5 --games 2000 --weights classic --threads 2 --out build/loop\n"
        "paotai loop --generations 8 --games 2000 --weights classic --threads 2 --out build/loop "
        "--resume\n"
        "paotai loop --train --generations 3 --games 20000 --nodes 400 --window 3 --threads 2 "
        "--out build/net",
    .rows = loop_rows,
    .settings_size = sizeof(LoopSpec),
    .reads_weights = true,
    .run = run_loop,
};
