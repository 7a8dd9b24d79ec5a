// SPDX-License-Identifier: GPL-3.0-or-later
// paotai spsa: tunes search parameters, or options of any engine, by games.
#include "core/command/options.h"
#include "core/system/out_file.h"
#include "selfplay/contest/contest_options.h"
#include "tuner/spsa/spsa.h"

typedef struct SpsaSettings {
    OptionTexts params, files;
    const char *player;
    double r_end;
    SpsaRun run;
    ContestOptions contest;
} SpsaSettings;

static const OptionRow spsa_rows[] = {
    OPT_TEXTS("param", SpsaSettings, params, NULL, "NAME,START,MIN,MAX,C[,R]",
              "tune this parameter; C and R: the sizes that its perturbations and its steps have "
              "at the end of the run (see below); may be given several times; NAME alone is a "
              "parameter of Paotai's "
              "search, and 'all' stands for all parameters of the search that have an effect"),
    OPT_TEXTS("params", SpsaSettings, files, NULL, "FILE",
              "read parameters from this file, one per line, as fishtest or OpenBench writes "
              "them: NAME,VALUE,MIN,MAX,C_END,R_END or NAME, int, VALUE, ...; may be given "
              "several times",
              OPTION_NEUTRAL),
    OPT_TEXT("player", SpsaSettings, player, "weights=default", "PLAYER",
             "tune the parameters of this player: key=value,... (see below)", OPTION_NEUTRAL),
    OPT_INT("iterations", SpsaSettings, run.spec.iterations, 0, 1000000, "1000", "N",
            "number of iterations of SPSA; 0: only print the parameters and play nothing"),
    OPT_INT("pairs", SpsaSettings, run.spec.pairs, 1, 100000, "8", "N",
            "number of opening pairs in each iteration, two games each"),
    OPT_U64(
        "probe-pairs", SpsaSettings, run.probe_pairs, "100", "N",
        "number of opening pairs in each match before the first iteration; such a match compares "
        "the smallest or the largest value of a parameter with its start value; 0: no match"),
    OPT_U64("check-pairs", SpsaSettings, run.check_pairs, "200", "N",
            "number of opening pairs in a last match of the tuned values against the start "
            "values; 0: no match",
            OPTION_NEUTRAL),
    OPT_REAL("r-end", SpsaSettings, r_end, 1e-9, 1e3, "0.02", "R",
             "step size R of parameters for which --param or --params gives no R (see below); in "
             "the formulas of SPSA, R is a_t / c_t^2 at the end of the run"),
    OPT_REAL("a-ratio", SpsaSettings, run.spec.a_ratio, 0, 10, "0.1", "SHARE",
             "constant A of SPSA, which makes the first steps smaller, as a share of the total "
             "number of pairs"),
    OPT_REAL("alpha", SpsaSettings, run.spec.alpha, 0, 2, "0.602", "P",
             "exponent alpha of SPSA: how fast the steps become smaller"),
    OPT_REAL("gamma", SpsaSettings, run.spec.gamma, 0, 1, "0.101", "P",
             "exponent gamma of SPSA: how fast the perturbations become smaller"),
    CONTEST_PLAY_ROWS(SpsaSettings),
    OPT_TEXT("out", SpsaSettings, contest.out, NULL, "DIR",
             "write the log, the result and a page with pictures to this directory; a crash "
             "loses at most one match",
             OPTION_NEUTRAL),
    OPT_FLAG("resume", SpsaSettings, contest.resume, "continue after the last iteration in --out",
             OPTION_NEUTRAL),
    OPT_FLAG("json", SpsaSettings, contest.json, "print one JSON object per line", OPTION_NEUTRAL),
    OPT_FLAG("quiet", SpsaSettings, contest.quiet, "print no progress line", OPTION_NEUTRAL),
    OPTION_END,
};

// Fills the members of SpsaRun that no option sets directly, and reads --param and --params.
static Status fill_run(const SpsaSettings *settings, FILE *tell, SpsaRun *run, Err *err) {
    run->spec.seed = settings->contest.seed;
    run->dir = settings->contest.out;
    run->resume = settings->contest.resume;
    run->tell = tell;
    if (run->probe_pairs > GAMES_MAX / 2 || run->check_pairs > GAMES_MAX / 2) {
        return err_set(err, STATUS_USAGE, "--probe-pairs and --check-pairs: at most %llu",
                       GAMES_MAX / 2);
    }
    for (int i = 0; i < settings->params.count; i++) {
        TRY(spsa_add_param(&run->spec, settings->params.texts[i], settings->r_end, err));
    }
    for (int i = 0; i < settings->files.count; i++) {
        TRY(spsa_read_params(&run->spec, settings->files.texts[i], settings->r_end, err));
    }
    if (run->spec.count > 0) return STATUS_OK;
    return err_set(err, STATUS_USAGE,
                   "no parameter is given: use --param NAME,START,MIN,MAX,C or --params FILE");
}

static Status run_spsa(const CommandCall *given, Err *err) {
    SpsaSettings resolved = *(const SpsaSettings *)given->settings, *settings = &resolved;
    SpsaRun *run = &settings->run;
    CommandCall own = BORROW(*given), *call = &own;
    // This copy of the settings receives the defaults that depend on the player.
    own.settings = settings;
    FILE *tell = settings->contest.quiet ? NULL : call->err;
    AUTO(Provenance) origin = {0};
    AUTO(ContestSpec)
    match = {.kind = MATCH, .schedule = {.threads = settings->contest.threads, .shard_games = 2}};
    SpsaShow show = {.call = call,
                     .run = run,
                     .player = settings->player,
                     .json = settings->contest.json,
                     .quiet = settings->contest.quiet};
    const char *const texts[] = {settings->player, settings->player};
    static const char *const whats[] = {"--player", "--player"};
    TRY(fill_run(settings, tell, run, err));
    TRY(contest_options_resolve(call, &settings->contest, texts, whats, MATCH_PLAYERS, &match,
                                err));
    bool by_player = run->spec.iterations > 0 || command_given(call, "player");
    for (int i = 0; i < run->spec.count; i++) by_player = by_player || run->spec.params[i].by_all;
    if (by_player) TRY(spsa_take_player(&run->spec, &match.players[0], tell, err));
    if (run->spec.iterations == 0) {
        spsa_print_lines(&show, &run->spec, NULL);
        return STATUS_OK;
    }
    if (!show.json) contest_print_conditions(call, &match);
    TRY(contest_origin(call, &settings->contest, &match, &origin, err));
    if (settings->files.count) spsa_add_lines(&run->spec, SPSA_FISHTEST, NULL, &origin.identity);
    run->identity = text_get(&origin.identity);
    run->match = &match;
    return spsa_tune(&show, err);
}

const Command command_spsa = {
    .name = "spsa",
    .summary = "tune search parameters, or options of any engine, by games",
    .usage = "",
    .details =
        "First, each parameter plays at both ends of its range against the start values "
        "(--probe-pairs). These matches count in the verdicts at the end.\n\n"
        "Then each iteration perturbs all parameters upwards or downwards at random, plays the "
        "two opposite sets against each other from --pairs openings, and moves the parameters "
        "towards the winner. C and R of --param: C is the perturbation at the end of the run; "
        "earlier perturbations are larger. Choose C so that it changes the strength by a few Elo. "
        "R is the step at the end of the run: a parameter moves by R * C times the difference "
        "between the winner's wins and losses. The gain sequences of SPSA and the form of the "
        "parameter lines are those of fishtest, where one iteration plays one pair. Values are "
        "integers, rounded at random so that their mean is exact; with C below 1, rounding may "
        "give "
        "both players the same value. All steps depend on "
        "--iterations, so resume a run with the same number.\n\n"
        "The table shows the mean and the scatter of each value over the last quarter of the run, "
        "and its drift over the last half. They describe how the values moved and are not errors "
        "of the result. The verdict comes from all matches of the run: \"settled\" (at most 5 Elo "
        "are missing), \"no effect seen, up to +-X Elo\" (the values of the range differ by at "
        "most X), \"at the edge of its range\", else \"undecided\", always with fewer than ten "
        "iterations. If the strength has one peak in the range, each is false in at most one of "
        "twenty simulated runs (E-136). \"No effect seen\" does not mean that there is none: "
        "leave the parameter out if X is small; else widen its range, or play more --probe-pairs "
        "or --iterations. At the end a match of the result against the start values "
        "(--check-pairs) measures the gain. In the directory of --out, spsa.log contains every "
        "iteration, "
        "spsa.html plots of the values, and params.txt the result as OpenBench lines. The output "
        "line "
        "`use` shows the rounded result in the form of --player; --params DIR/params.txt continues "
        "from the exact result. "
        "'make adopt "
        "SEARCH=DIR/params.txt' makes the result the default of Paotai's search; the command is "
        "printed if the result is stronger in the match against the start values. A parameter "
        "without effect under the limits of the games is refused; --param all leaves it out.\n\n"
        "A PLAYER "
        "is a list of keys; 'paotai match --help' explains them. " CONTEST_DEFAULTS_HELP
        "\n\npaotai spsa --param razor_margin --param null_reduction --iterations 2000 --threads 2 "
        "--out build/spsa\n"
        "paotai spsa --player cmd=./engine,st=0.1 --param LmrBase,80,0,200,10 --out build/spsa\n"
        "paotai spsa --player cmd=./engine,tc=5+0.05 --params openbench.txt --out build/spsa\n"
        "paotai spsa --param all --iterations 0",
    .rows = spsa_rows,
    .settings_size = sizeof(SpsaSettings),
    .reads_weights = true,
    .on_ranks = true,
    .run = run_spsa,
};
