// SPDX-License-Identifier: GPL-3.0-or-later
// paotai spsa: search parameters, or options of any engine, tuned by games.
#include "tuner/cmd_spsa.h"

#include "tuner/commands.h"

static const OptionRow spsa_rows[] = {
    OPT_TEXTS(
        "param", SpsaSettings, params, NULL, "NAME,START,MIN,MAX,C[,R]",
        "a parameter; may be given several times; the name alone for one of our search, 'all' for "
        "all"),
    OPT_TEXT("params", SpsaSettings, params_file, NULL, "FILE",
             "parameters one a line, as for --param or as OpenBench writes them: "
             "NAME, int, VALUE, MIN, MAX, C_END, R_END",
             OPTION_NEUTRAL),
    OPT_CHOICE("lines", SpsaSettings, lines, "no", "no|openbench|fishtest",
               "print the parameters as lines of this form, and play nothing", OPTION_NEUTRAL),
    OPT_TEXT("player", SpsaSettings, player, "weights=default", "PLAYER",
             "whose parameters they are: key=value,... (see below)", OPTION_NEUTRAL),
    OPT_INT("iterations", SpsaSettings, iterations, 1, 100000000, "1000", "N",
            "steps of the parameters"),
    OPT_U64("pairs", SpsaSettings, pairs, "8", "N",
            "opening pairs of each iteration: twice as many games"),
    OPT_REAL("r-end", SpsaSettings, r_end, 1e-9, 1e3, "0.02", "R",
             "ratio a / c^2 of the last iteration for parameters that name none"),
    OPT_REAL("a-ratio", SpsaSettings, a_ratio, 0, 10, "0.1", "SHARE",
             "how long the first steps are held back, as a share of the iterations"),
    OPT_REAL("alpha", SpsaSettings, alpha, 0, 2, "0.602", "P", "how fast steps become small"),
    OPT_REAL("gamma", SpsaSettings, gamma, 0, 1, "0.101", "P",
             "how fast perturbations become small"),
    CONTEST_PLAY_ROWS(SpsaSettings),
    OPT_TEXT("out", SpsaSettings, contest.out, NULL, "DIR",
             "keep the log and a page with pictures here, safe against crashes", OPTION_NEUTRAL),
    OPT_FLAG("resume", SpsaSettings, contest.resume, "go on after the last iteration of --out",
             OPTION_NEUTRAL),
    OPT_FLAG("save-games", SpsaSettings, save_games,
             "store the games in --out, too; a resumed run then goes on within an iteration",
             OPTION_NEUTRAL),
    OPT_FLAG("json", SpsaSettings, contest.json, "one JSON object a line", OPTION_NEUTRAL),
    OPT_FLAG("quiet", SpsaSettings, contest.quiet, "no progress line", OPTION_NEUTRAL),
    OPTION_END,
};

// ---- what is run --------------------------------------------------------------------------------

static Status fill_spec(const SpsaSettings *settings, SpsaSpec *spec, Err *err) {
    *spec = (SpsaSpec){.iterations = settings->iterations,
                       .a_ratio = settings->a_ratio,
                       .alpha = settings->alpha,
                       .gamma = settings->gamma,
                       .seed = settings->contest.seed};
    if (settings->pairs == 0 || settings->pairs > GAMES_MAX / 2) {
        return err_set(err, STATUS_USAGE, "--pairs: from 1 to %llu", GAMES_MAX / 2);
    }
    if (settings->save_games && !settings->contest.out) {
        return err_set(err, STATUS_USAGE, "--save-games wants --out: where they go");
    }
    Status status = STATUS_OK;
    for (int i = 0; i < settings->params.count && status == STATUS_OK; i++) {
        status = spsa_add_param(spec, settings->params.texts[i], settings->r_end, err);
    }
    if (status == STATUS_OK && settings->params_file) {
        status = spsa_read_params(spec, settings->params_file, settings->r_end, err);
    }
    if (status != STATUS_OK || spec->count > 0) return status;
    return err_set(err, STATUS_USAGE,
                   "no parameter: give --param NAME,START,MIN,MAX,C or --params");
}

// Parameters of our engine must be its own, within its own ranges.
static Status check_player(const SpsaSpec *spec, ContestPlayer *player, Err *err) {
    Status status = STATUS_OK;
    for (int i = 0; i < spec->count && status == STATUS_OK && !player->spec.program; i++) {
        const double ends[] = {spec->params[i].min, spec->params[i].max, spec->params[i].start};
        for (int k = 0; k < 3 && status == STATUS_OK; k++) {
            char value[32];
            snprintf(value, sizeof value, "%.0f", ends[k]);
            status = search_params_set(&player->engine.params, spec->params[i].name, value, err);
        }
        if (status != STATUS_OK) status = err_usage(err, "param");
    }
    return status;
}

static Status run_iterations(const CommandCall *call, SpsaRun *run, const PlayThings *things,
                             SpsaTrace *trace, bool *interrupted, Err *err) {
    const SpsaSettings *settings = call->settings;
    RunOrigin origin;
    contest_origin(call, &settings->contest, &run->match.contest, things, &origin);
    if (settings->params_file) spsa_add_lines(&run->spec, SPSA_FISHTEST, NULL, &origin.identity);
    run->match.schedule.provenance = run_origin_provenance(&origin, settings->contest.seed);
    run->identity = text_get(&origin.identity);
    SpsaShow show = {.call = call, .spec = &run->spec};
    progress_init(&show.progress, call->err, settings->contest.quiet, "iterations",
                  (uint64_t)run->spec.iterations);
    const Status status = spsa_run(run, spsa_show_iteration, &show, trace, interrupted, err);
    progress_finish(&show.progress, trace->count ? trace->count - 1 : 0,
                    *interrupted ? "interrupted" : "");
    run_origin_clear(&origin);
    return status;
}

static Status run_spsa(const CommandCall *call, Err *err) {
    const SpsaSettings *settings = call->settings;
    PlayThings things = {0};
    SpsaTrace trace = {0};
    bool interrupted = false;
    SpsaRun run = {.match = {.kind = MATCH,
                             .rounds = settings->pairs,
                             .schedule = {.threads = settings->contest.threads, .shard_games = 2}},
                   .dir = settings->contest.out,
                   .resume = settings->contest.resume,
                   .tell = settings->contest.quiet ? NULL : call->err,
                   .save_games = settings->save_games};
    const char *const texts[] = {settings->player, settings->player};
    static const char *const whats[] = {"--player", "--player"};
    Status status = fill_spec(settings, &run.spec, err);
    if (status == STATUS_OK && settings->lines) {
        spsa_print_lines(call, &run.spec);
        return STATUS_OK;
    }
    if (status == STATUS_OK) {
        status = contest_options_resolve(call, &settings->contest, texts, whats, MATCH_PLAYERS,
                                         &things, &run.match.contest, err);
    }
    if (status == STATUS_OK) {
        status = check_player(&run.spec, &run.match.contest.players[0], err);
    }
    if (status == STATUS_OK) {
        status = run_iterations(call, &run, &things, &trace, &interrupted, err);
    }
    if (trace.count > 0 && status == STATUS_OK) {
        spsa_print_result(call, &run, &trace);
        if (run.dir) status = spsa_write_files(&run, &trace, err);
    }
    spsa_trace_clear(&trace);
    contest_clear(&run.match.contest);
    book_clear(&things.book);
    return status;
}

const Command command_spsa = {
    .name = "spsa",
    .summary = "tune search parameters, or options of any engine, by games (SPSA)",
    .usage = "",
    .details =
        "Each iteration moves all parameters by +C or -C at random, plays the two sets against "
        "each\n"
        "other from --pairs openings, and follows the winner. C is the perturbation of the last\n"
        "iteration, about what should make a difference of a few Elo; R the step there: the\n"
        "parameter moves by R * C for each game won more than lost of a pair. The gains are\n"
        "those of Spall (1998) and fishtest. Values are whole numbers, rounded at random so that "
        "their\n"
        "mean is right. --iterations decides the perturbation and the step of every iteration: "
        "resume a\n"
        "run with the same number. DIR/spsa.log holds every iteration, DIR/spsa.html the pictures; "
        "the\n"
        "line `use` is a PLAYER with the mean of the last quarter, DIR/params.txt has it in "
        "lines.\n"
        "\n" CONTEST_PLAYER_HELP
        "\n\npaotai spsa --param razor_margin --param null_reduction --iterations 2000 --threads 2 "
        "--out build/spsa\n"
        "paotai spsa --player cmd=./engine,st=0.1 --param LmrBase,80,0,200,10 --out build/spsa\n"
        "paotai spsa --player cmd=./engine,tc=5+0.05 --params openbench.txt --out build/spsa\n"
        "paotai spsa --param all --lines openbench",
    .rows = spsa_rows,
    .settings_size = sizeof(SpsaSettings),
    .on_ranks = true,
    .run = run_spsa,
};
