// SPDX-License-Identifier: GPL-3.0-or-later
#include "selfplay/run/play_options.h"

static Status resolve_odds(const PlayOptions *options, PlayThings *things, OpeningSource *openings,
                           Err *err) {
    const Status status = odds_by_name(options->odds, &things->odds, err);
    if (status != STATUS_OK) {
        err_prefix(err, "--odds");
        if (err) err->status = STATUS_USAGE;
        return STATUS_USAGE;
    }
    if (options->openings) {
        return err_set(err, STATUS_USAGE,
                       "--odds has a start position of its own: leave --openings away");
    }
    openings->odds = &things->odds;
    return STATUS_OK;
}

Status play_options_resolve(const CommandCall *call, const PlayOptions *options, PlayThings *things,
                            PlaySpec *play, OpeningSource *openings, Err *err) {
    things->book = (Book){0};
    play->rules = rules_default((RuleSet)options->rules);
    play->noise = options->noise;
    play->adjudication = options->adjudication;
    *openings = (OpeningSource){.shuffled = options->order == 0, .random = options->random};
    if (options->odds) return resolve_odds(options, things, openings, err);
    if (!options->openings) return STATUS_OK;
    if (!command_given(call, "opening-plies")) openings->random.plies = 0;
    openings->book = &things->book;
    const Status status = book_load(options->openings, &things->book, err);
    if (status == STATUS_OK) book_cut(&things->book, options->book_plies);
    return status;
}

void play_options_warn_repeats(const CommandCall *call, const OpeningSource *openings, bool alike,
                               uint64_t wanted, const char *what) {
    const uint64_t distinct = openings_distinct(openings);
    if (!alike || distinct == 0 || wanted <= distinct) return;
    fprintf(call->err,
            "paotai %s: %llu different opening%s for %llu %s: without a clock the same games are "
            "played again\nand count as new evidence. Play at most %llu, take a larger book, or "
            "give --opening-plies 4 or --noise-plies 20\n",
            call->command->name, (unsigned long long)distinct, distinct == 1 ? "" : "s",
            (unsigned long long)wanted, what, (unsigned long long)distinct);
}

void play_options_interrupted(const CommandCall *call, const char *out) {
    if (out) {
        fprintf(call->err,
                "paotai %s: interrupted. What was played is in %s: the same command with --resume "
                "goes on\n",
                call->command->name, out);
    } else {
        fprintf(call->err,
                "paotai %s: interrupted. The games are not stored: with --out DIR a run can go on "
                "(--resume)\n",
                call->command->name);
    }
}
