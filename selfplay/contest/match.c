// SPDX-License-Identifier: GPL-3.0-or-later
#include "selfplay/contest/match.h"

#include <string.h>

#include "core/system/ranks.h"
#include "core/system/terminal.h"

typedef struct Tested {
    Revision revisions[MATCH_PLAYERS]; // built revisions of --rev; the newer revision is first
    Text changed;                      // paths of the files that differ between the revisions
} Tested;

static void tested_clear(Tested *tested) {
    for (int i = 0; i < MATCH_PLAYERS; i++) revision_clear(&tested->revisions[i]);
    text_clear(&tested->changed);
}
AUTO_VALUE(Tested, tested_clear)

// Builds the revisions of --rev and appends a PLAYER text for each. The text of the newer revision
// also has the KEY=VALUE settings of --a, the other text those of --b.
static Status revision_texts(const CommandCall *call, Text *const texts[MATCH_PLAYERS],
                             Tested *tested, Err *err) {
    const MatchOptions *settings = call->settings;
    // The defaults of --a and --b are meant for matches without --rev. With --rev, the values of
    // --a and --b are used only if the user gave these options.
    const char *const keys[] = {command_given(call, "a") ? settings->a : "",
                                command_given(call, "b") ? settings->b : ""};
    Revision *const revisions = tested->revisions;
    RevisionBuild how = settings->build;
    how.quiet = settings->contest.quiet;
    how.silent = mpi_rank() > 0;
    // MPI rank 0 builds the revisions. The other MPI ranks wait and then reuse the builds.
    if (mpi_rank() > 0) TRY(ranks_share(NULL, 0, err));
    TRY(revision_players(&how, settings->revs.texts, strcmp(keys[0], keys[1]) != 0, &revisions[0],
                         &revisions[1], &tested->changed, err));
    if (mpi_rank() == 0) TRY(ranks_share(NULL, 0, err));
    for (int i = 0; i < MATCH_PLAYERS; i++) {
        text_add(texts[i], "%s%s%s", revisions[i].player.data, *keys[i] ? "," : "", keys[i]);
    }
    return STATUS_OK;
}

// Appends the PLAYER texts of both players: the values of --a and --b or, with --rev, the built
// programs with the settings of --a and --b.
static Status player_texts(const CommandCall *call, Text *const texts[MATCH_PLAYERS],
                           Tested *tested, Err *err) {
    const MatchOptions *settings = call->settings;
    const int revs = settings->revs.count;
    if (revs == MATCH_PLAYERS) return revision_texts(call, texts, tested, err);
    if (revs) {
        return err_set(err, STATUS_USAGE,
                       "--rev is given %d time%s: give it twice, once for each of two revisions",
                       revs, revs == 1 ? "" : "s");
    }
    text_add(texts[0], "%s", settings->a);
    text_add(texts[1], "%s", settings->b);
    return command_refuse(call, "repo build binary rev-cache no-bench",
                          "has an effect only with --rev", err);
}

static const char *or_dash(const Text *text) {
    return text->length ? text->data : "-";
}

// With --rev, prints before the first game which revisions play: "testing NEW against OLD" and, if
// there is an SPRT, ": hypothesis H1 is NEW >= +5 Elo". Then prints the changed files, and the
// bench count and the build log of each revision.
static void print_tested(const CommandCall *call, const ContestSpec *spec, const Tested *tested) {
    const MatchOptions *settings = call->settings;
    const Revision *const revisions = tested->revisions;
    AUTO(Text) text = {0};
    Record record;
    if (!revisions[0].label.length || mpi_rank() > 0) return;
    text_add(&text, "%s against %s", revisions[0].label.data, revisions[1].label.data);
    if (spec->has_sprt) {
        text_add(&text, ": hypothesis H1 is %s >= %+g Elo", spec->players[0].spec.name,
                 spec->sprt.elo1);
    }
    record_begin(&record, call->out, settings->contest.json);
    record_add(&record, "testing %s", text.data);
    record_add(&record, "changed_files %s a_bench %s a_log %s b_bench %s b_log %s",
               or_dash(&tested->changed), or_dash(&revisions[0].bench), or_dash(&revisions[0].log),
               or_dash(&revisions[1].bench), or_dash(&revisions[1].log));
    record_end(&record);
    fflush(call->out);
}

// Returns true if the results are printed as a table for people: on a terminal, unless --verbose or
// --json is given.
static bool prints_table(const CommandCall *call) {
    const MatchOptions *settings = call->settings;
    return terminal_is(call->out) && !settings->contest.verbose && !settings->contest.json;
}

static Status fill_spec(const CommandCall *call, MatchOptions *settings, ContestSpec *spec,
                        Err *err) {
    *spec = (ContestSpec){.kind = MATCH,
                          .rounds = settings->pairs,
                          .has_sprt = settings->elos != NULL,
                          .sprt = settings->sprt};
    TRY(sprt_read_options(call, settings->elos, settings->model, &spec->sprt, err));
    AUTO(Text) a = {0};
    AUTO(Text) b = {0};
    AUTO(Tested) tested = {0};
    Text *const texts[] = {&a, &b};
    TRY(player_texts(call, texts, &tested, err));
    const char *const given[] = {text_get(&a), text_get(&b)};
    static const char *const whats[] = {"--a", "--b"};
    TRY(contest_options_resolve(call, &settings->contest, given, whats, MATCH_PLAYERS, spec, err));
    if (spec->has_sprt && !command_given(call, "pairs")) {
        // Without --pairs only the SPRT ends the match. The number of different openings still
        // limits the match, because repeated games contain no new information.
        const uint64_t distinct = contest_distinct_pairs(spec);
        spec->rounds = distinct ? distinct : GAMES_MAX / 2;
    }
    print_tested(call, spec, &tested);
    if (!settings->contest.json && !prints_table(call)) contest_print_conditions(call, spec);
    return STATUS_OK;
}

// Appends the command line of the match with --resume and without --pairs.
static void add_continuing(const CommandCall *call, Text *command) {
    text_add(command, "paotai match");
    for (int i = 0; i < call->word_count; i++) {
        const char *const word = call->words[i];
        if (strcmp(word, "--pairs") == 0) i++;
        if (strncmp(word, "--pairs", 7) == 0 || strcmp(word, "--resume") == 0) continue;
        text_add(command, " ");
        text_add_word(command, word);
    }
    text_add(command, " --resume");
}

// If the match ended before its SPRT decided, adds the reason and the command line that continues
// the match. Omits the command line if a player failed too often or the openings ran out. `failed`
// is true if contest_run() returned STATUS_ENGINE.
static void report_undecided(const CommandCall *call, const ContestSpec *spec,
                             const ContestResult *result, bool failed, Record *record) {
    const MatchOptions *settings = call->settings;
    if (!spec->has_sprt || result->sprt.decision != SPRT_CONTINUE) return;
    const bool by_pairs = command_given(call, "pairs");
    const char *const reason = result->interrupted ? "it was interrupted"
                               : result->stopped   ? "a player failed too often"
                               : failed            ? "a player could not be started"
                               : by_pairs          ? "the limit of --pairs was reached"
                                                   : "there are no more different openings";
    record_add(record, "decision_reason %s", reason);
    if (result->stopped || (!by_pairs && !result->interrupted && !failed)) return;
    AUTO(Text) command = {0};
    if (settings->contest.out) {
        add_continuing(call, &command);
    } else {
        text_add(&command, "- (the games are not stored: give --out DIR)");
    }
    record_add(record, "continue_command %s", command.data);
}

Status match_play(const CommandCall *given, LivePage *page, Err *err) {
    MatchOptions resolved = *(const MatchOptions *)given->settings, *settings = &resolved;
    CommandCall own = BORROW(*given), *call = &own;
    // Defaults that depend on the players are written into this copy of the options.
    own.settings = settings;
    AUTO(ContestSpec) spec = {.rounds = settings->pairs};
    AUTO(ContestResult) result = {.pairings = NULL};
    MatchShow show = {.spec = &spec, .page = page};
    TRY(fill_spec(call, settings, &spec, err));
    progress_init(&show.progress, call->err, settings->contest.quiet, "pairs",
                  spec.rounds == GAMES_MAX / 2 ? 0 : spec.rounds);
    const Status status = contest_options_run(call, &settings->contest, &spec, &show.progress,
                                              match_report_pair, &show, &result, err);
    const double seconds = progress_elapsed_s(&show.progress);
    if (result.pairing_count == 0)
        return status; // the match failed before it started, so there is no report
    match_report_finish(&show, &result);
    if (status != STATUS_OK && (status != STATUS_ENGINE || result.plies == 0)) return status;
    const bool all = settings->contest.verbose || settings->contest.json;
    Record record;
    record_begin(&record, call->out, settings->contest.json);
    if (settings->contest.json) contest_add_conditions(&spec, &record);
    const bool table = prints_table(call);
    if (table) match_table_print(&spec, &result, call->out);
    if (!table) match_report(&record, &spec, &result, all);
    if (all) record_add(&record, "already %lu seconds %.2f", result.already, seconds);
    report_undecided(call, &spec, &result, status != STATUS_OK, &record);
    if (!table) match_report_verdict(&record, &spec, &result);
    record_end(&record);
    if (call->result) {
        MatchOutcome *outcome = call->result;
        match_outcome(&spec, &result, outcome);
        outcome->names[0] = outcome->names[1] = NULL;
        outcome->test = NULL;
    }
    return contest_options_close(call, &settings->contest, &result, status, err);
}
