// SPDX-License-Identifier: GPL-3.0-or-later
// paotai term: decides whether a new term of the evaluation is worth keeping.
#include "core/base/common_rows.h"
#include "core/base/out_file.h"
#include "tuner/term/term.h"

static const OptionRow term_rows[] = {
    OPT_TEXT("weights", TermSettings, weights, "default", "NAME|FILE",
             "weights onto which the term is fitted; they also play the games", OPTION_NEUTRAL),
    OPT_TEXT("rev", TermSettings, rev, NULL, "COMMIT|none",
             "commit that the program with weight 0 must play like; default: the latest commit "
             "without the term; none: skip this check",
             OPTION_NEUTRAL),
    OPT_ROW("games", OPTION_U64, TermSettings, games, 10, 1000000, "2000", "N",
            "games to play when no DIR is given", OPTION_NEUTRAL),
    ROW_NODES(TermSettings, nodes, "200"),
    OPT_ROW("match-pairs", OPTION_U64, TermSettings, match_pairs, 1, 10000000, "2000", "N",
            "largest number of opening pairs of the match", OPTION_NEUTRAL),
    OPT_TEXT("sprt", TermSettings, elos, "0,20", "E0,E1",
             "test that stops the match, in normalized Elo", OPTION_NEUTRAL),
    OPT_TEXT("out", TermSettings, out, "build/term", "DIR",
             "directory of games, weights, match and page", OPTION_NEUTRAL),
    OPT_TEXT("page", TermSettings, page, NULL, "FILE",
             "file of the page; default: DIR/NAME.html, with the DIR of --out", OPTION_NEUTRAL),
    ROW_THREADS(TermSettings),
    ROW_SEED(TermSettings),
    ROW_JSON(TermSettings),
    ROW_QUIET(TermSettings),
    OPTION_END,
};

// Refuses options that have no effect.
static Status check_options(const CommandCall *call, TermSettings *settings, Err *err) {
    if (call->arg_count > 1) {
        TRY(command_refuse(call, "games", "games are played only if no DIR is given", err));
    }
    if (settings->nodes == 0) {
        return err_set(err, STATUS_USAGE, "--nodes 0: games and match need a limit of nodes");
    }
    settings->sprt = (SprtSpec){.model = SPRT_NORMALIZED, .alpha = 0.05, .beta = 0.05};
    if (sprt_read_elos(settings->elos, &settings->sprt, err) != STATUS_OK) {
        return err_usage(err, "sprt");
    }
    return text_check_writable(settings->page, err);
}

static Status run_term(const CommandCall *call, Err *err) {
    TermSettings settings = *(const TermSettings *)call->settings;
    AUTO(TermStudy) study = {.call = call, .settings = &settings, .name = call->args[0]};
    TRY(check_options(call, &settings, err));
    TRY(term_study_run(&study, err));
    TRY(term_page_write(&study, err));
    term_print(&study);
    return STATUS_OK;
}

const Command command_term = {
    .name = "term",
    .summary = "decide whether a new term of the evaluation is worth keeping",
    .usage = "NAME [DIR...]",
    .details =
        "paotai term horses_linked --threads 2\n"
        "paotai term 'safe_*' build/games --match-pairs 5000\n\n"
        "NAME is a term that was just added to weights.def and eval.c, or a pattern of terms, "
        "which get one verdict as a group. The steps end early when the answer is known:\n"
        "1. With NAME at weight 0 the program plays as the latest commit without it.\n"
        "2. Where the term counts: in sampled positions and in a search of the bench positions.\n"
        "3. Which existing terms explain it (R2).\n"
        "4. Its values, fitted while all other weights stay, with 95 % errors. If other terms "
        "explain much of it, the errors do not include their share.\n"
        "5. The loss with and without it, on the fifth of the games that is kept aside.\n"
        "6. A match of the weights with it against those without it.\n\n"
        "The verdict is never (it occurs nowhere), copy (other terms explain it wholly), keep (the "
        "match is won and a value differs from 0), drop (weaker, level, or the gain of --sprt is "
        "excluded), or undecided, with the price of a decision.\n\n"
        "Without DIR it plays games itself and keeps them in --out for the next term. Ctrl-C keeps "
        "finished games, and the same command continues.",
    .rows = term_rows,
    .settings_size = sizeof(TermSettings),
    .reads_weights = true,
    .min_args = 1,
    .max_args = -1,
    .run = run_term,
};
