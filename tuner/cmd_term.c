// SPDX-License-Identifier: GPL-3.0-or-later
// paotai term: decides whether a new term of the evaluation is worth keeping.
#include "core/command/common_rows.h"
#include "core/system/out_file.h"
#include "tuner/term/term.h"

static const OptionRow term_rows[] = {
    OPT_TEXT("weights", TermSettings, weights, "default", "NAME|FILE",
             "weights of the other terms; the fit does not change them, and the games are played "
             "with them",
             OPTION_NEUTRAL),
    OPT_TEXT("rev", TermSettings, rev, NULL, "COMMIT|none",
             "commit to compare with: with weight 0 for the term, the program must search like "
             "this commit (equal scores, moves and nodes); default: the latest commit without the "
             "term; none: skip this "
             "check",
             OPTION_NEUTRAL),
    OPT_ROW("games", OPTION_U64, TermSettings, games, 10, 1000000, "2000", "N",
            "number of self-play games, if no directory with games (DIR) is given", OPTION_NEUTRAL),
    OPT_ROW("nodes", OPTION_U64, TermSettings, nodes, 1, 1e12, "200", "N",
            "node limit of each search in the games and in the match"),
    OPT_ROW("match-pairs", OPTION_U64, TermSettings, match_pairs, 1, 10000000, "80000", "N",
            "largest number of opening pairs in the match of the weights with the term against the "
            "weights without it",
            OPTION_NEUTRAL),
    OPT_ROW("confirm-nodes", OPTION_U64, TermSettings, confirm_nodes, 0, 1e12, "0", "N",
            "play a second match with this node limit if the verdict is `keep`; 0: no second match",
            OPTION_NEUTRAL),
    OPT_ROW("confirm-pairs", OPTION_U64, TermSettings, confirm_pairs, 1, 10000000, "200", "N",
            "number of opening pairs in the second match", OPTION_NEUTRAL),
    OPT_TEXT("sprt", TermSettings, elos, "0,5", "E0,E1",
             "hypotheses H0 and H1 of the SPRT that stops the match, in normalized Elo",
             OPTION_NEUTRAL),
    OPT_TEXT("out", TermSettings, out, "build/term", "DIR",
             "write games, weights, match and page below this directory", OPTION_NEUTRAL),
    OPT_TEXT("page", TermSettings, page, NULL, "FILE",
             "write an HTML page about the term to this file; default: NAME.html in the directory "
             "of --out, where NAME is the argument NAME with '-' instead of * ? , . / and spaces",
             OPTION_NEUTRAL),
    ROW_WITH_FAULTS(TermSettings, with_faults),
    ROW_THREADS(TermSettings),
    ROW_SEED(TermSettings),
    ROW_JSON(TermSettings),
    ROW_QUIET(TermSettings),
    OPTION_END,
};

// Checks the options, and reads --sprt into settings->sprt.
static Status check_options(const CommandCall *call, TermSettings *settings, Err *err) {
    if (call->arg_count > 1) {
        TRY(command_refuse(call, "games", "games are played only if no DIR is given", err));
    }
    if (settings->confirm_nodes == 0) {
        TRY(command_refuse(call, "confirm-pairs", "give --confirm-nodes, too", err));
    }
    settings->sprt = (SprtSpec){.model = SPRT_NORMALIZED, .alpha = 0.05, .beta = 0.05};
    if (sprt_read_elos(settings->elos, &settings->sprt, err) != STATUS_OK) {
        return err_usage(err, "sprt");
    }
    return text_check_writable(settings->page, err);
}

static Status run_term(const CommandCall *call, Err *err) {
    TermSettings settings = *(const TermSettings *)call->settings;
    AUTO(TermStudy)
    study = {.base = {.call = call, .terms = call->args[0]}, .settings = &settings};
    TRY(check_options(call, &settings, err));
    fit_keep_memory();
    TRY(term_study_run(&study, err));
    TRY(term_page_write(&study, err));
    term_print(&study);
    return STATUS_OK;
}

const Command command_term = {
    .name = "term",
    .summary = "decide whether a new term of the evaluation is kept",
    .usage = "NAME [DIR...]",
    .details =
        "paotai term horses_linked --threads 2\n"
        "paotai term 'safe_*' build/games --match-pairs 5000\n\n"
        "NAME is a term that was just added to weights.def and eval.c, or a pattern that matches "
        "several terms; these get one verdict together. The steps end early when the answer is "
        "known:\n"
        "1. Check that the program with NAME at weight 0 plays like the latest commit without "
        "NAME.\n"
        "2. Count where NAME occurs: in sampled positions and in a search of the bench positions."
        "\n"
        "3. Measure which existing terms explain NAME (R2). Terms with weight 0 in --weights do "
        "not "
        "play, so they do not count; the sentence names them.\n"
        "4. Fit its values with 95 % errors, while all other weights stay. These errors are too "
        "small if other terms explain much of NAME.\n"
        "5. Compare the losses of fits with and without NAME on the validation games, one fifth of "
        "all games.\n"
        "6. Play a match of the weights with NAME against the weights without NAME.\n\n"
        "By simulation (E-139), the default match keeps a term of +5 Elo in 99 of 100 cases and a "
        "worthless one in 5. It takes about 18000 games, 27000 if the term is worth nothing, and "
        "then more than 60000 in one of twenty matches. The command says price and power before a "
        "match "
        "of at least 100 pairs. A larger E1 is cheaper, but with 0,20 a term of +5 Elo is often "
        "dropped.\n\n"
        "The lines `decision` and `strength` describe the match alone. If the SPRT accepts H1 and "
        "E0 (see --sprt) is at least 0, `strength` is stronger, even if the 95 % interval from "
        "`ci_low` to `ci_high` contains 0, because the SPRT's error of 5 % is one-sided.\n\n"
        "The verdict is one of these words, followed by a sentence:\n"
        "- never: in no position does one side have more of NAME than the other\n"
        "- copy: other terms explain it completely\n"
        "- keep: the evaluation with NAME wins the match\n"
        "- drop: weaker or level in the match, or the SPRT accepts H0, or all weights of NAME are "
        "0 "
        "when rounded; the sentence names the gain that is excluded, the upper end of the 95 % "
        "interval\n"
        "- undecided: there are too few games, or the games exclude no gain, or the second match "
        "is lost\n\n"
        "With --confirm-nodes 5000, a kept term plays a second match with longer searches. The "
        "sentence then contains the result and the processor time of this match. If the evaluation "
        "with NAME is weaker in it, the verdict is undecided. A short match can only find a large "
        "loss: 200 pairs detect differences of about 40 Elo.\n\n"
        "Who tries 20 terms with the same games keeps one by chance. DIR/trials.txt of --out "
        "counts "
        "the trials, and the sentence says how many false ones to expect.\n\n"
        "Without DIR the command plays games and keeps them in --out for the next term. After "
        "Ctrl-C the finished games are kept; run the same command again to continue.",
    .rows = term_rows,
    .settings_size = sizeof(TermSettings),
    .reads_weights = true,
    .min_args = 1,
    .max_args = -1,
    .run = run_term,
};
