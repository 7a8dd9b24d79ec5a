// SPDX-License-Identifier: GPL-3.0-or-later
#include "selfplay/contest/contest_options.h"

#include <string.h>

#include "core/base/memory.h"
#include "core/base/ranks.h"
#include "core/eval/weights.h"

// A program without a clock that sends nothing for this time has failed.
#define CONTEST_PATIENCE_NS (60000 * MS_NS)

// Appends its number to the name of each player whose name an earlier player has: "NAME (2)".
static void make_names_differ(Contest *contest) {
    for (int i = 1; i < contest->player_count; i++) {
        char *name = contest->players[i].spec.name;
        bool taken = false;
        for (int k = 0; k < i; k++) {
            taken = taken || strcmp(contest->players[k].spec.name, name) == 0;
        }
        if (!taken) continue;
        char number[16];
        const int length = snprintf(number, sizeof number, " (%d)", (i + 1) % 1000);
        const size_t most = PLAYER_NAME_SIZE - 1 - (size_t)length;
        snprintf(name + (strlen(name) < most ? strlen(name) : most), sizeof number, "%s", number);
    }
}

Status contest_options_resolve(const CommandCall *call, const ContestOptions *options,
                               const char *const *texts, const char *const *whats, int count,
                               Contest *contest, Err *err) {
    *contest = (Contest){.players = memory_alloc((size_t)count, sizeof *contest->players),
                         .player_count = count,
                         .seed = options->seed,
                         .verbose = options->verbose};
    if (!options->out) {
        // This tests options->resume because `ablate` has another option --resume, for its table.
        if (options->resume) TRY(command_refuse_change(call, "resume", "only with --out", err));
        TRY(command_refuse_change(call, "shard-games", "only with --out", err));
    }
    if (!options->pgn) TRY(command_refuse_change(call, "pgn-moves", "only with --pgn", err));
    TRY(play_options_resolve(call, &options->play, &contest->play, &contest->openings, err));
    contest->margin_ns = options->margin_ms * MS_NS;
    contest->play.patience_ns = CONTEST_PATIENCE_NS;
    contest->play.timed = true;
    for (int i = 0; i < count; i++) {
        ContestPlayer *player = &contest->players[i];
        char what[16];
        snprintf(what, sizeof what, "player %d", (i + 1) % 1000);
        if (whats) snprintf(what, sizeof what, "%s", whats[i]);
        TRY(player_spec_parse(texts[i], what, &player->spec, err));
        TRY(player_limit(call, &options->search, &player->spec, err));
        if (!player->spec.program &&
            engine_config(&player->spec, 1, &player->engine, err) != STATUS_OK) {
            return err_prefix(err, "%s", what);
        }
    }
    make_names_differ(contest);
    return STATUS_OK;
}

Status contest_origin(const CommandCall *call, const ContestOptions *options, Contest *contest,
                      Provenance *origin, Err *err) {
    const Book *book = &contest->openings.book;
    Text *identity = &origin->identity;
    char hash[SHA256_HEX_SIZE];
    provenance_begin(call, call->command->name, origin);
    origin->seed = options->seed;
    contest_players_text(contest, &origin->weights);
    if (book->count) text_add(&origin->source, "%s %s", options->play.openings, book->hash);
    text_add(&origin->rules, "%s", rule_set_name(contest->play.rules.set));
    // Players that are given as arguments are not in the options, but they decide the games too.
    for (int i = 0; i < call->arg_count; i++) {
        text_add(&origin->options, "%s%s%s", i ? " " : "players=", call->args[i],
                 i + 1 < call->arg_count ? "" : "\n");
    }
    // Players, book and weights are identified by their content, not by their file names.
    for (int i = 0; i < contest->player_count; i++) {
        ContestPlayer *player = &contest->players[i];
        text_add(identity, "player=");
        player_about_clear(&player->about);
        TRY(player_identity(&player->spec, &player->engine, identity, &player->about, err));
        text_add(identity, "\n");
    }
    Weights openings;
    TRY(weights_default(&openings, err));
    weights_hash(&openings, hash);
    text_add(identity, "book=%s\nopening-weights=%s\n", book->hash, hash);
    return STATUS_OK;
}

// Prints the messages that programs sent after their options were set. A message may say that an
// option was refused.
static void print_remarks(const CommandCall *call, const Contest *contest) {
    if (mpi_rank() > 0) return;
    for (int i = 0; i < contest->player_count; i++) {
        const ContestPlayer *player = &contest->players[i];
        const char *at = text_get(&player->about.remarks);
        for (; *at; at += strcspn(at, "\n") + 1) {
            fprintf(call->err, "note: %s says after its options were set: %.*s\n",
                    player->spec.name, (int)strcspn(at, "\n"), at);
        }
    }
}

uint64_t contest_distinct_pairs(const Contest *contest) {
    if (contest->play.noise_plies) return 0;
    for (int i = 0; i < contest->player_count; i++) {
        const TimeControl *control = &contest->players[i].spec.control;
        if (control->move_ns || control->base_ns) return 0;
    }
    return openings_distinct(&contest->openings);
}

Status contest_options_run(const CommandCall *call, const ContestOptions *options,
                           ContestSpec *spec, Progress *progress, ContestDone *done, void *context,
                           ContestResult *result, Err *err) {
    AUTO(Provenance) origin;
    TRY(contest_origin(call, options, &spec->contest, &origin, err));
    print_remarks(call, &spec->contest);
    const Contest *contest = &spec->contest;
    play_options_warn_repeats(call, &contest->openings, contest_distinct_pairs(contest) > 0,
                              spec->rounds, spec->kind == MATCH ? "pairs" : "rounds");
    spec->contest.progress = progress;
    spec->schedule = (Schedule){.run = {.dir = options->out,
                                        .resume = options->resume,
                                        .identity = text_get(&origin.identity)},
                                .threads = options->threads,
                                .shard_games = (uint64_t)options->shard_games,
                                .provenance = &origin};
    spec->pgn_path = options->pgn;
    spec->pgn_system = options->pgn_moves;
    spec->event = call->command->name;
    return contest_run(spec, done, context, result, err);
}

Status contest_options_close(const CommandCall *call, const ContestOptions *options,
                             const ContestResult *result, Status status, Err *err) {
    const uint64_t faults = contest_faults(result->reasons);
    if (faults > 0) {
        fprintf(call->err, "%llu of %llu games ended by faults\n", (unsigned long long)faults,
                (unsigned long long)result->games);
    }
    if (result->interrupted) play_options_interrupted(call, options->out);
    if (status != STATUS_OK || faults == 0 || faults < result->games) return status;
    return err_set(err, STATUS_ENGINE, "every game ended by a fault: nothing was measured");
}
