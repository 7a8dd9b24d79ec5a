// SPDX-License-Identifier: GPL-3.0-or-later
// paotai match: which of two players is stronger, and by how much.
#include "core/base/options.h"
#include "core/base/ranks.h"
#include "selfplay/contest/contest_options.h"
#include "selfplay/contest/contest_report.h"
#include "selfplay/engines/revision.h"

typedef struct MatchSettings {
    const char *a, *b, *elos;
    OptionTexts revs;
    RevisionBuild build;
    uint64_t pairs;
    int model;
    SprtSpec sprt;
    ContestOptions contest;
} MatchSettings;

static const OptionRow match_rows[] = {
    OPT_TEXT("a", MatchSettings, a, "weights=default", "PLAYER",
             "player A: key=value,... (see below)", OPTION_NEUTRAL),
    OPT_TEXT("b", MatchSettings, b, "weights=classic", "PLAYER",
             "player B; without it the engine with the classic values of the books",
             OPTION_NEUTRAL),
    OPT_TEXTS("rev", MatchSettings, revs, NULL, "COMMIT",
              "given twice: build these two revisions as A and B; --a and --b then only add keys",
              OPTION_NEUTRAL),
    OPT_TEXT("repo", MatchSettings, build.repo, ".", "DIR", "a directory of their repository",
             OPTION_NEUTRAL),
    OPT_TEXT("build", MatchSettings, build.build, "make all", "COMMAND",
             "command for sh that builds a revision, in a directory with its files",
             OPTION_NEUTRAL),
    OPT_TEXT("binary", MatchSettings, build.binary, "build/release/paotai", "PATH",
             "the program that it builds, relative to that directory", OPTION_NEUTRAL),
    OPT_TEXT("rev-cache", MatchSettings, build.cache, "build/revisions", "DIR",
             "directory for built revisions", OPTION_NEUTRAL),
    OPT_ROW("pairs", OPTION_U64, MatchSettings, pairs, 1, GAMES_MAX / 2, "100", "N",
            "opening pairs: twice as many games", OPTION_NEUTRAL),
    OPT_TEXT("sprt", MatchSettings, elos, NULL, "E0,E1",
             "stop when an SPRT of elo0 against elo1 has decided"),
    OPT_CHOICE("model", MatchSettings, model, "normalized", SPRT_MODEL_WORDS,
               "the kind of Elo for --sprt"),
    OPT_REAL("alpha", MatchSettings, sprt.alpha, 1e-6, 0.49, "0.05", "P",
             "probability to accept elo1 when elo0 is true"),
    OPT_REAL("beta", MatchSettings, sprt.beta, 1e-6, 0.49, "0.05", "P",
             "probability to accept elo0 when elo1 is true"),
    CONTEST_ROWS(MatchSettings),
    OPTION_END,
};

// The players' texts: those of --a and --b, behind the programs of --rev where they are given.
static Status player_texts(const CommandCall *call, Text *const texts[MATCH_PLAYERS], Err *err) {
    const MatchSettings *settings = call->settings;
    const char *const keys[] = {settings->a, settings->b};
    static const char *const options[] = {"a", "b"};
    const int revs = settings->revs.count;
    RevisionBuild how = settings->build;
    how.log = settings->contest.quiet ? NULL : call->err;
    if (!revs) {
        for (int i = 0; i < MATCH_PLAYERS; i++) text_add(texts[i], "%s", keys[i]);
        return command_refuse(call, "repo build binary rev-cache", "only with --rev", err);
    }
    if (revs != MATCH_PLAYERS) {
        return err_set(err, STATUS_USAGE, "--rev is given %d time%s, not twice: A's and B's", revs,
                       revs == 1 ? "" : "s");
    }
    // Rank 0 builds them; the others find them built.
    if (rank_self() > 0) TRY(ranks_share(NULL, 0, err));
    TRY(revision_players(&how, settings->revs.texts, revs, texts, err));
    if (rank_self() == 0) TRY(ranks_share(NULL, 0, err));
    // The defaults of --a and --b are players: only what was given counts.
    for (int i = 0; i < MATCH_PLAYERS; i++) {
        if (command_given(call, options[i])) text_add(texts[i], ",%s", keys[i]);
    }
    return STATUS_OK;
}

static Status fill_spec(const CommandCall *call, ContestSpec *spec, Err *err) {
    const MatchSettings *settings = call->settings;
    *spec = (ContestSpec){.kind = MATCH,
                          .rounds = settings->pairs,
                          .has_sprt = settings->elos != NULL,
                          .sprt = settings->sprt};
    spec->sprt.model = (SprtModel)settings->model;
    if (spec->has_sprt && sprt_read_elos(settings->elos, &spec->sprt, err) != STATUS_OK) {
        return err_usage(err, "sprt");
    }
    AUTO(Text) a = {0};
    AUTO(Text) b = {0};
    Text *const texts[] = {&a, &b};
    TRY(player_texts(call, texts, err));
    const char *const given[] = {text_get(&a), text_get(&b)};
    static const char *const whats[] = {"--a", "--b"};
    return contest_options_resolve(call, &settings->contest, given, whats, MATCH_PLAYERS,
                                   &spec->contest, err);
}

static Status run_match(const CommandCall *call, Err *err) {
    const MatchSettings *settings = call->settings;
    AUTO(ContestSpec) spec = {.rounds = settings->pairs};
    AUTO(ContestResult) result = {.pairings = NULL};
    MatchShow show = {.spec = &spec};
    TRY(fill_spec(call, &spec, err));
    progress_init(&show.progress, call->err, settings->contest.quiet, "pairs", spec.rounds);
    const Status status = contest_options_run(call, &settings->contest, &spec, &show.progress,
                                              match_report_pair, &show, &result, err);
    const double seconds = progress_elapsed_s(&show.progress);
    if (result.pairing_count == 0) return status; // it did not begin
    match_report_finish(&show, &result);
    if (status != STATUS_OK && (status != STATUS_ENGINE || result.plies == 0)) return status;
    const bool all = settings->contest.verbose || settings->contest.json;
    Record record;
    record_begin(&record, call->out, settings->contest.json);
    match_report(&record, &spec, &result, all);
    if (all) record_add(&record, "already %lu seconds %.2f", result.already, seconds);
    match_report_verdict(&record, &spec, &result);
    record_end(&record);
    return contest_options_close(call, &settings->contest, &result, status, err);
}

const Command command_match = {
    .name = "match",
    .summary = "find which of two players is stronger, and by how much, with error bars and SPRT",
    .usage = "",
    .details = CONTEST_PLAYER_HELP
    " The players play each opening twice, with colours exchanged. Pairs are counted in order, so "
    "the result is the same for any number of threads. The results are from A's side; pentanomial "
    "counts pairs LL,LD,DD+WL,WD,WW.\n\n"
    "paotai match --a weights=build/fitted.txt --b weights=classic --pairs 300 --threads 2\n"
    "paotai match --a weights=new.txt --b weights=old.txt --pairs 5000 --sprt 0,5\n"
    "paotai match --a nodes=5000 --b cmd=fairy-stockfish,st=0.1 --pairs 20 --out build/match\n"
    "paotai match --rev main --rev HEAD --repo ../engine --build 'make -j' --binary src/engine --a "
    "tc=10+0.1,ponder=yes --b tc=10+0.1",
    .rows = match_rows,
    .settings_size = sizeof(MatchSettings),
    .on_ranks = true,
    .run = run_match,
};
