// SPDX-License-Identifier: GPL-3.0-or-later
// paotai match: which of two players is stronger, and by how much.
#include <string.h>

#include "selfplay/commands.h"
#include "selfplay/contest/contest_options.h"
#include "selfplay/contest/contest_report.h"
#include "selfplay/engines/process.h"
#include "selfplay/engines/revision.h"

typedef struct MatchSettings {
    const char *a, *b, *sprt, *cache;
    OptionTexts revs;
    uint64_t pairs;
    int model;
    double alpha, beta;
    ContestOptions contest;
} MatchSettings;

static const OptionRow match_rows[] = {
    OPT_TEXT("a", MatchSettings, a, "weights=default", "PLAYER",
             "player A: key=value,... (see below)", OPTION_NEUTRAL),
    OPT_TEXT("b", MatchSettings, b, "weights=classic", "PLAYER", "player B", OPTION_NEUTRAL),
    OPT_TEXTS("rev", MatchSettings, revs, NULL, "COMMIT",
              "given twice: build these two revisions of this repository and let A and B be them; "
              "--a and --b then only add keys",
              OPTION_NEUTRAL),
    OPT_TEXT("rev-cache", MatchSettings, cache, "build/revisions", "DIR",
             "where built revisions are kept", OPTION_NEUTRAL),
    OPT_U64("pairs", MatchSettings, pairs, "100", "N", "opening pairs: twice as many games",
            OPTION_NEUTRAL),
    OPT_TEXT("sprt", MatchSettings, sprt, NULL, "E0,E1",
             "stop when an SPRT of elo0 against elo1 has decided"),
    OPT_CHOICE("model", MatchSettings, model, "normalized", SPRT_MODEL_WORDS,
               "which Elo --sprt means"),
    OPT_REAL("alpha", MatchSettings, alpha, 1e-6, 0.49, "0.05", "P",
             "probability to accept elo1 when elo0 is true"),
    OPT_REAL("beta", MatchSettings, beta, 1e-6, 0.49, "0.05", "P",
             "probability to accept elo0 when elo1 is true"),
    CONTEST_ROWS(MatchSettings),
    OPTION_END,
};

static Status parse_sprt(const MatchSettings *settings, ContestSpec *spec, Err *err) {
    if (!settings->sprt) return STATUS_OK;
    char text[64], *comma;
    if (strlen(settings->sprt) >= sizeof text ||
        !(comma = strchr(strcpy(text, settings->sprt), ','))) {
        return err_set(err, STATUS_USAGE, "--sprt: '%.60s' is not elo0,elo1", settings->sprt);
    }
    *comma = '\0';
    spec->has_sprt = true;
    spec->sprt = (SprtSpec){
        .model = (SprtModel)settings->model, .alpha = settings->alpha, .beta = settings->beta};
    Status status =
        parse_real(text, -SPRT_ELO_MAX, SPRT_ELO_MAX, &spec->sprt.elo0, "--sprt elo0", err);
    if (status == STATUS_OK) {
        status = parse_real(comma + 1, -SPRT_ELO_MAX, SPRT_ELO_MAX, &spec->sprt.elo1, "--sprt elo1",
                            err);
    }
    if (status == STATUS_OK) status = sprt_check(&spec->sprt, err);
    if (status != STATUS_OK && err) err->status = STATUS_USAGE;
    return status;
}

// The players' texts: those of --a and --b, behind the programs of --rev where they are given.
static Status player_texts(const CommandCall *call, Text texts[MATCH_PLAYERS], Err *err) {
    const MatchSettings *settings = call->settings;
    const char *const keys[] = {settings->a, settings->b};
    static const char *const options[] = {"a", "b"};
    const int revs = settings->revs.count;
    if (revs != 0 && revs != MATCH_PLAYERS) {
        return err_set(err, STATUS_USAGE, "--rev is given %d time%s, not twice: A's and B's", revs,
                       revs == 1 ? "" : "s");
    }
    // Refuses a misspelt name before anything is built.
    for (int i = 0; i < revs; i++) {
        Revision revision;
        const Status status = revision_find(settings->revs.texts[i], &revision, err);
        if (status != STATUS_OK) return status;
    }
    for (int i = 0; i < MATCH_PLAYERS; i++) {
        if (revs) {
            Revision revision;
            FILE *log = settings->contest.quiet ? NULL : call->err;
            const Status status =
                revision_build(settings->revs.texts[i], settings->cache, log, &revision, err);
            if (status != STATUS_OK) return status;
            Text command = {0};
            process_add_word(&command, revision.program);
            text_add(&texts[i], "cmd=");
            player_spec_add_value(&texts[i], text_get(&command));
            text_add(&texts[i], ",profile=paotai,name=");
            player_spec_add_value(&texts[i], settings->revs.texts[i]);
            text_add(&texts[i], "(%.10s)", revision.hash);
            text_clear(&command);
        }
        // Without --rev the defaults of --a and --b are players; with it only what was given
        // counts.
        if (!revs || command_given(call, options[i])) {
            text_add(&texts[i], "%s%s", revs ? "," : "", keys[i]);
        }
    }
    return STATUS_OK;
}

static Status fill_spec(const CommandCall *call, ContestSpec *spec, PlayThings *things, Err *err) {
    const MatchSettings *settings = call->settings;
    *spec = (ContestSpec){.kind = MATCH, .rounds = settings->pairs};
    if (settings->pairs == 0 || settings->pairs > GAMES_MAX / 2) {
        return err_set(err, STATUS_USAGE, "--pairs: from 1 to %llu", GAMES_MAX / 2);
    }
    Status status = parse_sprt(settings, spec, err);
    if (status != STATUS_OK) return status;
    Text texts[MATCH_PLAYERS] = {{0}, {0}};
    status = player_texts(call, texts, err);
    if (status == STATUS_OK) {
        const char *const given[] = {text_get(&texts[0]), text_get(&texts[1])};
        static const char *const whats[] = {"--a", "--b"};
        status = contest_options_resolve(call, &settings->contest, given, whats, MATCH_PLAYERS,
                                         things, &spec->contest, err);
    }
    for (int i = 0; i < MATCH_PLAYERS; i++) text_clear(&texts[i]);
    return status;
}

// What a reader wants to know behind the numbers for scripts.
static void print_words(const CommandCall *call, const ContestSpec *spec,
                        const ContestResult *result) {
    const MatchSettings *settings = call->settings;
    const uint64_t games = (uint64_t)match_counts_games(&result->counts);
    if (games > 0 && !settings->contest.quiet) {
        Text text = {0};
        match_report_sentence(spec, result, &text);
        fprintf(call->err, "%s\n", text_get(&text));
        text_clear(&text);
    }
    contest_options_close(call, &settings->contest, result, games);
}

static int run_match(const CommandCall *call) {
    const MatchSettings *settings = call->settings;
    Err err = {0};
    ContestSpec spec;
    PlayThings things = {0};
    ContestResult result = {.pairings = NULL};
    MatchShow show = {.spec = &spec};
    Status status = fill_spec(call, &spec, &things, &err);
    if (status == STATUS_OK) {
        show.interval = settings->contest.rating_interval;
        progress_init(&show.progress, call->err, settings->contest.quiet, "pairs", spec.rounds);
        status = contest_options_run(call, &settings->contest, &things, &spec, &show.progress,
                                     match_report_pair, &show, &result, &err);
        const double seconds = progress_elapsed_s(&show.progress);
        match_report_finish(&show, &result);
        if (status == STATUS_OK || (status == STATUS_ENGINE && result.plies > 0)) {
            Record record;
            record_begin(&record, call->out, settings->contest.json);
            match_report(&record, &spec, &result, seconds);
            record_end(&record);
            print_words(call, &spec, &result);
        }
    }
    contest_result_clear(&result);
    contest_clear(&spec.contest);
    book_clear(&things.book);
    if (status != STATUS_OK) return command_fail(call, &err);
    return 0;
}

const Command command_match = {
    .name = "match",
    .summary = "which of two players is stronger, and by how much, with error bars and SPRT",
    .usage = "",
    .details = CONTEST_PLAYER_HELP
    " Each opening is played twice with the colours\n"
    "exchanged; pairs are counted in order, so that the result is the same for any number of\n"
    "threads. The results are from A's side; pentanomial counts pairs LL,LD,DD+WL,WD,WW.\n\n"
    "paotai match --a weights=build/fitted.txt --b weights=classic --pairs 300 --threads 2\n"
    "paotai match --a weights=new.txt --b weights=old.txt --pairs 5000 --sprt 0,5\n"
    "paotai match --a nodes=5000 --b cmd=fairy-stockfish,st=0.1 --pairs 20 --margin 500 --out "
    "build/match\n"
    "paotai match --pairs 100 --out build/match --pgn games.pgn --pgn-moves chinese --resume",
    .rows = match_rows,
    .settings_size = sizeof(MatchSettings),
    .run = run_match,
};
