// SPDX-License-Identifier: GPL-3.0-or-later
// paotai sprt: computes strength from counts of results, decides whether a sequential test may
// stop, and simulates how long a test will take.
#include "core/command/common_rows.h"
#include "selfplay/stats/strength_verdict.h"

typedef struct SprtSettings {
    int model;
    PlanSpec plan; // options of the simulation, including the hypotheses of the SPRT
    const char *counts;
    bool stopped, plans, json, quiet;
} SprtSettings;

static const OptionRow sprt_rows[] = {
    OPT_REAL("elo0", SprtSettings, plan.sprt.elo0, -SPRT_ELO_MAX, SPRT_ELO_MAX, "0", "ELO",
             "Elo difference of hypothesis H0"),
    OPT_REAL("elo1", SprtSettings, plan.sprt.elo1, -SPRT_ELO_MAX, SPRT_ELO_MAX, "2", "ELO",
             "Elo difference of hypothesis H1"),
    SPRT_ROWS(SprtSettings, model, plan.sprt),
    OPT_TEXT("counts", SprtSettings, counts, NULL, "COUNTS",
             "results of a match: numbers of game pairs LL,LD,DD+WL,WD,WW, or of games L,D,W "
             "(L loss, D draw, W win of the tested player)"),
    OPT_FLAG("stopped", SprtSettings, stopped,
             "treat the counts as those of a test that was stopped because it had decided: also "
             "print the median-unbiased Elo, its 95 % interval and the likelihood of superiority"),
    OPT_FLAG("plan", SprtSettings, plans,
             "plan a test: simulate tests, and print how many games they need and how often their "
             "decision is wrong"),
    OPT_REAL("true-elo", SprtSettings, plan.true_elo, -SPRT_ELO_MAX, SPRT_ELO_MAX, NULL, "ELO",
             "for --plan: true Elo difference in the simulated tests, on the Elo scale of --model; "
             "without this option there are three simulations, with the true differences --elo0, "
             "the mean of --elo0 and --elo1, and --elo1"),
    OPT_REAL("draw-ratio", SprtSettings, plan.draw_ratio, 0, 0.999, "0.4", "R",
             "for --plan without --counts: share of drawn games between equal players"),
    OPT_INT("runs", SprtSettings, plan.runs, 1, 10000000, "1000", "N",
            "for --plan: number of simulated tests"),
    OPT_U64("max-games", SprtSettings, plan.max_games, "10000000", "N",
            "for --plan: end a simulated test after this number of games"),
    OPT_U64("seed", SprtSettings, plan.seed, "1", "N", "seed of all random choices"),
    OPT_INT("threads", SprtSettings, plan.threads, 1, 4096, "1", "N",
            "number of threads; the result does not depend on it", OPTION_NEUTRAL),
    ROW_JSON(SprtSettings),
    ROW_QUIET(SprtSettings),
    OPTION_END,
};

static Status run_plan(const CommandCall *call, const SprtSpec *spec, const MatchCounts *pilot,
                       Err *err) {
    const SprtSettings *settings = call->settings;
    PlanSpec plan = settings->plan;
    plan.sprt = *spec;
    plan.pilot = pilot;
    const bool one = command_given(call, "true-elo");
    for (int i = 0; i < (one ? 1 : 3); i++) {
        if (!one) plan.true_elo = spec->elo0 + 0.5 * i * (spec->elo1 - spec->elo0);
        Progress progress;
        progress_init(&progress, call->err, settings->quiet, "tests", (uint64_t)plan.runs);
        PlanReport report;
        TRY(sprt_plan(&plan, &report, &progress, err));
        Record record;
        if (i > 0 && !settings->json) fputc('\n', call->out);
        record_begin(&record, call->out, settings->json);
        sprt_plan_record(&record, &plan, &report);
        record_end(&record);
    }
    return STATUS_OK;
}

// If all pairs (or games) ended alike, says that the printed errors measure nothing, and adds the
// interval that `match` prints.
static void report_degenerate(Record *record, const MatchCounts *counts,
                              const StrengthVerdict *verdict) {
    if (!match_counts_degenerate(counts)) return;
    AUTO(Text) note = {0};
    text_add(&note,
             "all %lld %s ended alike: elo_error95 and nelo_error95 are those of the "
             "replaced zero counts and measure nothing; the 95 %% interval of 'paotai match' "
             "is: ",
             counts->has_pairs ? match_counts_pairs(counts) : match_counts_games(counts),
             counts->has_pairs ? "pairs" : "games");
    strength_interval_add(&note, verdict);
    record_add(record, "degenerate %d note %s", 1, note.data);
}

static Status run_counts(const CommandCall *call, const SprtSpec *spec, const MatchCounts *counts,
                         Err *err) {
    const SprtSettings *settings = call->settings;
    SprtReport report;
    StoppedElo stopped = {0};
    TRY(sprt_report(spec, counts, &report, err));
    if (settings->stopped) TRY(stopped_elo_from_counts(spec, counts, &stopped, err));
    Record record;
    record_begin(&record, call->out, settings->json);
    match_report_record(&record, counts, &report);
    if (settings->stopped) stopped_elo_record(&record, &stopped);
    StrengthVerdict verdict;
    strength_verdict(counts, spec, settings->stopped, &verdict);
    if (match_counts_games(counts) > 0) {
        StrengthPower power;
        strength_power(counts, 0, &power);
        strength_verdict_record(&record, &verdict, false);
        strength_power_record(&record, verdict.word == STRENGTH_UNDECIDED ? &power : NULL);
        report_degenerate(&record, counts, &verdict);
    }
    record_end(&record);
    return STATUS_OK;
}

static Status run_sprt(const CommandCall *call, Err *err) {
    const SprtSettings *settings = call->settings;
    SprtSpec spec = settings->plan.sprt;
    spec.model = (SprtModel)settings->model;
    MatchCounts counts = {0};
    TRY(sprt_check(&spec, err));
    if (!settings->counts && !settings->plans) {
        return err_set(err, STATUS_USAGE,
                       "nothing to do: give --counts LL,LD,DD+WL,WD,WW (or L,D,W), or --plan");
    }
    if (settings->plans) {
        TRY(command_refuse_change(call, "stopped",
                                  "--plan simulates tests; omit --plan to judge --counts", err));
    } else {
        TRY(command_refuse_change(call, "true-elo draw-ratio runs max-games seed threads",
                                  "no test is simulated; give --plan, too", err));
    }
    if (settings->counts && match_counts_parse(settings->counts, &counts, err) != STATUS_OK) {
        return err_usage(err, "counts");
    }
    if (settings->plans) return run_plan(call, &spec, settings->counts ? &counts : NULL, err);
    return run_counts(call, &spec, &counts, err);
}

const Command command_sprt = {
    .name = "sprt",
    .summary = "compute Elo, errors and SPRT from counts, or plan a test",
    .usage = "",
    .details =
        "The counts are from the side of the tested player. To compute Elo and LLR, a count of "
        "zero is replaced by 0.001, so that every outcome has a probability.\n\n"
        "paotai sprt --elo0 0 --elo1 2 --counts 365,16618,36229,16974,390\n"
        "paotai sprt --model logistic --elo0 0 --elo1 5 --counts 89,123,76 --stopped\n"
        "paotai sprt --plan --elo0 0 --elo1 10 --draw-ratio 0.5 --threads 4",
    .rows = sprt_rows,
    .settings_size = sizeof(SprtSettings),
    .run = run_sprt,
};
