// SPDX-License-Identifier: GPL-3.0-or-later
// paotai spsa: search parameters, or options of any engine, tuned by games.
#include <math.h>

#include "core/base/json.h"
#include "core/base/options.h"
#include "core/base/out_file.h"
#include "selfplay/contest/contest_options.h"
#include "tuner/spsa/spsa.h"

typedef struct SpsaSettings {
    OptionTexts params;
    const char *player, *params_file;
    int iterations, pairs;
    uint64_t probe_pairs, check_pairs;
    double a_ratio, alpha, gamma, r_end;
    ContestOptions contest;
} SpsaSettings;

static const OptionRow spsa_rows[] = {
    OPT_TEXTS(
        "param", SpsaSettings, params, NULL, "NAME,START,MIN,MAX,C[,R]",
        "a parameter; may be given several times; the name alone for one of our search, 'all' for "
        "all"),
    OPT_TEXT("params", SpsaSettings, params_file, NULL, "FILE",
             "parameters one a line, as fishtest or OpenBench writes them: "
             "NAME,VALUE,MIN,MAX,C_END,R_END or NAME, int, VALUE, ...",
             OPTION_NEUTRAL),
    OPT_TEXT("player", SpsaSettings, player, "weights=default", "PLAYER",
             "player with these parameters: key=value,... (see below)", OPTION_NEUTRAL),
    OPT_INT("iterations", SpsaSettings, iterations, 0, 1000000, "1000", "N",
            "steps of the parameters; 0: print their lines and play nothing"),
    OPT_INT("pairs", SpsaSettings, pairs, 1, 100000, "8", "N",
            "opening pairs of each iteration: twice as many games"),
    OPT_U64("probe-pairs", SpsaSettings, probe_pairs, "100", "N",
            "pairs that each parameter first plays at each end of its range against the start; "
            "0: none"),
    OPT_U64("check-pairs", SpsaSettings, check_pairs, "200", "N",
            "pairs of the match at the end, the result against the start; 0: none", OPTION_NEUTRAL),
    OPT_REAL("r-end", SpsaSettings, r_end, 1e-9, 1e3, "0.02", "R",
             "ratio a / c^2 of the last pair for parameters that name none"),
    OPT_REAL("a-ratio", SpsaSettings, a_ratio, 0, 10, "0.1", "SHARE",
             "how long the first steps are held back, as a share of all pairs"),
    OPT_REAL("alpha", SpsaSettings, alpha, 0, 2, "0.602", "P", "how fast steps become small"),
    OPT_REAL("gamma", SpsaSettings, gamma, 0, 1, "0.101", "P",
             "how fast perturbations become small"),
    CONTEST_PLAY_ROWS(SpsaSettings),
    OPT_TEXT("out", SpsaSettings, contest.out, NULL, "DIR",
             "keep the log and a page with pictures here, safe against crashes", OPTION_NEUTRAL),
    OPT_FLAG("resume", SpsaSettings, contest.resume, "go on after the last iteration of --out",
             OPTION_NEUTRAL),
    OPT_FLAG("json", SpsaSettings, contest.json, "one JSON object a line", OPTION_NEUTRAL),
    OPT_FLAG("quiet", SpsaSettings, contest.quiet, "no progress line", OPTION_NEUTRAL),
    OPTION_END,
};

// ---- output -------------------------------------------------------------------------------------

typedef struct SpsaShow {
    const CommandCall *call;
    const SpsaSpec *spec;
    Progress progress;
} SpsaShow;

// The parameters as lines of fishtest, with these values (NULL: their starts).
static void print_lines(const CommandCall *call, const SpsaSpec *spec, const double *values) {
    AUTO(Text) text = {0};
    spsa_add_lines(spec, SPSA_FISHTEST, values, &text);
    fputs(text_get(&text), call->out);
}

// Each parameter at both ends of its range against the start, in Elo.
static void print_probes(const CommandCall *call, const SpsaSpec *spec, const SpsaTrace *trace) {
    const SpsaSettings *settings = call->settings;
    int unseen = 0;
    for (int i = 0; i < spec->count; i++) {
        Strength low, high;
        strength_from_counts(&trace->probes[i][0], &low);
        strength_from_counts(&trace->probes[i][1], &high);
        record_row(call->out, settings->contest.json,
                   "probe {probe}%-26s at {min}%g: {min_elo}%+.0f +- {min_elo_error95}%.0f Elo, at "
                   "{max}%g: {max_elo}%+.0f +- {max_elo_error95}%.0f Elo\n",
                   spec->params[i].name, spec->params[i].min, low.elo, low.elo_error95,
                   spec->params[i].max, high.elo, high.elo_error95);
        unseen += spsa_unseen(trace, i);
    }
    if (unseen == 0 || settings->contest.json) return;
    fprintf(call->out, "games cannot tell the ends of these from the start:");
    for (int i = 0; i < spec->count; i++) {
        if (spsa_unseen(trace, i)) fprintf(call->out, " %s", spec->params[i].name);
    }
    fprintf(call->out, "; leave them out, widen their ranges, or probe with more pairs\n");
}

// A SpsaIterationDone: the progress line, what the probes say, and with --json an object for each
// iteration.
static void show_iteration(void *context, const SpsaTrace *trace) {
    SpsaShow *show = context;
    const SpsaSettings *settings = show->call->settings;
    const SpsaRow *row = &trace->rows[trace->count - 1];
    if (trace->count == 1) { // a probe
        const int played = trace->probe_count, all = 2 * show->spec->count;
        if (played < all) {
            progress_update(&show->progress, 0, show->spec->params[played / 2].name);
        } else {
            print_probes(show->call, show->spec, trace);
        }
        return;
    }
    AUTO(Text) detail = {0};
    for (int i = 0; i < show->spec->count && i < 3; i++) {
        text_add(&detail, "%s%s %.1f", i ? ", " : "", show->spec->params[i].name, row->theta[i]);
    }
    progress_update(&show->progress, trace->count - 1, text_get(&detail));
    if (!settings->contest.json) return;
    Record record;
    record_begin(&record, show->call->out, true);
    record_add(&record, "iteration %d wins %lld losses %lld draws %lld", row->iteration, row->wins,
               row->losses, row->draws);
    for (int i = 0; i < show->spec->count; i++) {
        record_add(&record, "%s %.3f", show->spec->params[i].name, row->theta[i]);
    }
    record_end(&record);
}

// The table of what came out, and the line that uses it.
static void print_result(const CommandCall *call, const SpsaRun *run, const SpsaTrace *trace) {
    const SpsaSettings *settings = call->settings;
    AUTO(Text) use = {0};
    double means[SPSA_PARAMS_MAX];
    long long games = 0;
    if (!settings->contest.json) {
        fprintf(call->out, "%-26s %8s %9s %9s %9s %9s %s\n", "parameter", "start", "last", "mean",
                "scatter", "drift", "verdict");
    }
    text_add(&use, "%s", settings->player);
    for (int i = 0; i < run->spec.count; i++) {
        const SpsaParam *param = &run->spec.params[i];
        const SpsaTail tail = spsa_tail(trace, i);
        record_row(call->out, settings->contest.json,
                   "{param}%-26s {start}%8g {last}%9.2f {tail_mean}%9.2f {tail_scatter}%9.2f "
                   "{tail_drift}%+9.2f {verdict}%s\n",
                   param->name, param->start, trace->rows[trace->count - 1].theta[i], tail.mean,
                   tail.scatter, tail.drift, tail.verdict);
        means[i] = tail.mean;
        text_add(&use, "%soption.%s=%.0f", use.length ? "," : "", param->name, tail.mean);
    }
    for (size_t i = 1; i < trace->count; i++) {
        games += trace->rows[i].wins + trace->rows[i].losses + trace->rows[i].draws;
    }
    if (!settings->contest.json) print_lines(call, &run->spec, means);
    record_print(call->out, settings->contest.json, "iterations %zu games %lld use %s",
                 trace->count - 1, games, text_get(&use));
}

static void print_check(const CommandCall *call, const MatchCounts *counts) {
    const SpsaSettings *settings = call->settings;
    Strength strength;
    strength_from_counts(counts, &strength);
    record_print(call->out, settings->contest.json,
                 "check_games %lld check_elo %.1f check_elo_error95 %.1f",
                 match_counts_games(counts), strength.elo, strength.elo_error95);
    if (settings->contest.json) return;
    fprintf(call->out,
            fabs(strength.elo) <= strength.elo_error95
                ? "the result and the start are level: %+.0f +- %.0f Elo\n"
            : strength.elo > 0 ? "the result is stronger than the start: %+.0f +- %.0f Elo\n"
                               : "the result is weaker than the start: %+.0f +- %.0f Elo\n",
            strength.elo, strength.elo_error95);
}

static Status write_files(const SpsaRun *run, const SpsaTrace *trace, Err *err) {
    double means[SPSA_PARAMS_MAX];
    AUTO(Text) page = {0}, lines = {0}, path = {0};
    text_add(&page, "%s/spsa.html", run->dir);
    TRY(spsa_write_page(&run->spec, trace, page.data, err));
    text_add(&path, "%s/params.txt", run->dir);
    for (int i = 0; i < run->spec.count; i++) means[i] = spsa_tail(trace, i).mean;
    spsa_add_lines(&run->spec, SPSA_OPENBENCH, means, &lines);
    return text_write_file(path.data, lines.data, lines.length, err);
}

// ---- what is run --------------------------------------------------------------------------------

static Status fill_spec(const SpsaSettings *settings, SpsaSpec *spec, Err *err) {
    *spec = (SpsaSpec){.iterations = settings->iterations,
                       .pairs = settings->pairs,
                       .a_ratio = settings->a_ratio,
                       .alpha = settings->alpha,
                       .gamma = settings->gamma,
                       .seed = settings->contest.seed};
    const uint64_t most = settings->probe_pairs > settings->check_pairs ? settings->probe_pairs
                                                                        : settings->check_pairs;
    if (most > GAMES_MAX / 2) {
        return err_set(err, STATUS_USAGE, "--probe-pairs and --check-pairs: at most %llu",
                       GAMES_MAX / 2);
    }
    for (int i = 0; i < settings->params.count; i++) {
        TRY(spsa_add_param(spec, settings->params.texts[i], settings->r_end, err));
    }
    if (settings->params_file) {
        TRY(spsa_read_params(spec, settings->params_file, settings->r_end, err));
    }
    if (spec->count > 0) return STATUS_OK;
    return err_set(err, STATUS_USAGE,
                   "no parameter: give --param NAME,START,MIN,MAX,C or --params");
}

// Parameters of our engine must be its own, within its own ranges.
static Status check_player(const SpsaSpec *spec, ContestPlayer *player, Err *err) {
    for (int i = 0; i < spec->count && !player->spec.program; i++) {
        const double ends[] = {spec->params[i].min, spec->params[i].max, spec->params[i].start};
        for (int k = 0; k < 3; k++) {
            char value[32];
            snprintf(value, sizeof value, "%.0f", ends[k]);
            if (search_params_set(&player->engine.params, spec->params[i].name, value, err) !=
                STATUS_OK) {
                return err_usage(err, "param");
            }
        }
    }
    return STATUS_OK;
}

// The match at the end, of the means of the last quarter.
static Status play_check(const CommandCall *call, const SpsaRun *run, const SpsaTrace *trace,
                         bool *interrupted, MatchCounts *counts, Err *err) {
    const SpsaSettings *settings = call->settings;
    double means[SPSA_PARAMS_MAX];
    for (int i = 0; i < run->spec.count; i++) means[i] = spsa_tail(trace, i).mean;
    if (!settings->contest.quiet) {
        fprintf(call->err, "the result plays the start: %llu pairs\n",
                (unsigned long long)settings->check_pairs);
    }
    return spsa_play_start(run, means, settings->check_pairs, counts, interrupted, err);
}

static Status run_iterations(const CommandCall *call, SpsaRun *run, SpsaTrace *trace,
                             MatchCounts *counts, Err *err) {
    bool interrupted;
    const SpsaSettings *settings = call->settings;
    AUTO(Provenance) origin = {0};
    TRY(contest_origin(call, &settings->contest, &run->match.contest, &origin, err));
    if (settings->params_file) spsa_add_lines(&run->spec, SPSA_FISHTEST, NULL, &origin.identity);
    run->match.schedule.provenance = origin;
    run->identity = text_get(&origin.identity);
    SpsaShow show = {.call = call, .spec = &run->spec};
    progress_init(&show.progress, call->err, settings->contest.quiet, "iterations",
                  (uint64_t)run->spec.iterations);
    const Status status = spsa_run(run, show_iteration, &show, trace, &interrupted, err);
    progress_finish(&show.progress, trace->count ? trace->count - 1 : 0,
                    interrupted ? "interrupted" : "");
    TRY(status);
    if (interrupted || !settings->check_pairs) return STATUS_OK;
    return play_check(call, run, trace, &interrupted, counts, err);
}

static Status run_spsa(const CommandCall *call, Err *err) {
    const SpsaSettings *settings = call->settings;
    AUTO(SpsaTrace) trace = {0};
    SpsaSpec spec;
    TRY(fill_spec(settings, &spec, err));
    if (settings->iterations == 0) {
        print_lines(call, &spec, NULL);
        return STATUS_OK;
    }
    AUTO(Contest) contest = {0};
    MatchCounts counts = {0};
    const char *const texts[] = {settings->player, settings->player};
    static const char *const whats[] = {"--player", "--player"};
    TRY(contest_options_resolve(call, &settings->contest, texts, whats, MATCH_PLAYERS, &contest,
                                err));
    TRY(check_player(&spec, &contest.players[0], err));
    SpsaRun run = {.spec = spec,
                   .match = {.kind = MATCH,
                             .contest = contest,
                             .schedule = {.threads = settings->contest.threads, .shard_games = 2}},
                   .dir = settings->contest.out,
                   .probe_pairs = settings->probe_pairs,
                   .resume = settings->contest.resume,
                   .tell = settings->contest.quiet ? NULL : call->err};
    TRY(run_iterations(call, &run, &trace, &counts, err));
    if (trace.count == 0) return STATUS_OK;
    print_result(call, &run, &trace);
    if (counts.has_games) print_check(call, &counts);
    return run.dir ? write_files(&run, &trace, err) : STATUS_OK;
}

const Command command_spsa = {
    .name = "spsa",
    .summary = "tune search parameters, or options of any engine, by games (SPSA)",
    .usage = "",
    .details =
        "First each parameter plays the start from both ends of its range (--probe-pairs). Leave "
        "out those whose ends play as well as the start, within errors, or widen their ranges. "
        "Each iteration then moves all parameters by +C or -C at random, plays the two sets "
        "against each other from --pairs openings, and follows the winner. C is the perturbation "
        "at the end, about what makes a difference of a few Elo. R is the step there: a parameter "
        "moves by R * C for each game won more than lost. Gains and lines mean what they mean on "
        "fishtest, whose iterations are pairs. Values are whole numbers, rounded at random so that "
        "their mean is right. The table shows the mean and the scatter of the last quarter and the "
        "drift of the last half, which describe the path and are no errors. At the end the result "
        "plays the start (--check-pairs): that measures the gain. --iterations decides all steps: "
        "resume a run with the same number. DIR/spsa.log holds every iteration, DIR/spsa.html the "
        "pictures, DIR/params.txt the result in lines of OpenBench; the line `use` is a PLAYER "
        "with the result.\n"
        "\n" CONTEST_PLAYER_HELP
        "\n\npaotai spsa --param razor_margin --param null_reduction --iterations 2000 --threads 2 "
        "--out build/spsa\n"
        "paotai spsa --player cmd=./engine,st=0.1 --param LmrBase,80,0,200,10 --out build/spsa\n"
        "paotai spsa --player cmd=./engine,tc=5+0.05 --params openbench.txt --out build/spsa\n"
        "paotai spsa --param all --iterations 0",
    .rows = spsa_rows,
    .settings_size = sizeof(SpsaSettings),
    .on_ranks = true,
    .run = run_spsa,
};
