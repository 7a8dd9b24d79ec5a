// SPDX-License-Identifier: GPL-3.0-or-later
#include "selfplay/contest/contest_options.h"

#include <string.h>

#include "core/base/memory.h"
#include "core/eval/weights.h"
#include "core/system/ranks.h"

// A program without a clock that has not answered after this time has failed.
#define CONTEST_PATIENCE_NS (60000 * MS_NS)

// Makes the names of the players differ: appends the player's number to a name that an earlier
// player has, as in "NAME (2)".
static void make_names_differ(ContestSpec *spec) {
    for (int i = 1; i < spec->player_count; i++) {
        char *name = spec->players[i].spec.name;
        bool taken = false;
        for (int k = 0; k < i; k++) {
            taken = taken || strcmp(spec->players[k].spec.name, name) == 0;
        }
        if (!taken) continue;
        char number[16];
        const int length = snprintf(number, sizeof number, " (%d)", (i + 1) % 1000);
        const size_t most = PLAYER_NAME_SIZE - 1 - (size_t)length;
        snprintf(name + (strlen(name) < most ? strlen(name) : most), sizeof number, "%s", number);
    }
}

// Returns true if each pairing has a player that is our engine. Then --noise-plies makes repeated
// games differ. It has no effect on other programs, which report only their best move.
static bool noise_acts(const ContestSpec *spec) {
    int programs = 0;
    for (int i = 0; i < spec->player_count; i++) programs += spec->players[i].spec.program;
    return programs < 2 || (spec->kind == GAUNTLET && !spec->players[0].spec.program);
}

// Refuses --noise-plies if all players are programs, because it would have no effect.
static Status refuse_noise(const CommandCall *call, const ContestSpec *spec, Err *err) {
    for (int i = 0; i < spec->player_count; i++) {
        if (!spec->players[i].spec.program) return STATUS_OK;
    }
    return command_refuse_change(
        call, "noise-plies", "has an effect only on our engine, but all players are programs", err);
}

// Sets the defaults that depend on the players, for options that were not given.
static void choose_defaults(const CommandCall *call, const ContestSpec *spec, PlayOptions *play) {
    bool programs = false, unlimited = false;
    uint64_t nodes = 0;
    for (int i = 0; i < spec->player_count; i++) {
        const PlayerSpec *player = &spec->players[i].spec;
        programs = programs || player->program;
        unlimited = unlimited || player->limits.nodes == 0;
        if (player->limits.nodes > nodes) nodes = player->limits.nodes;
    }
    if (!command_given(call, "opening-nodes") && !unlimited && nodes < play->random.nodes) {
        play->random.nodes = nodes;
    }
    // --resign-score and --draw-score are in the units of our evaluation. Scores of other programs
    // may have another scale.
    if (programs && !command_given(call, "resign-score")) play->adjudication.resign_score = 0;
    if (programs && !command_given(call, "draw-score")) play->adjudication.draw_score = 0;
}

Status contest_options_resolve(const CommandCall *call, ContestOptions *options,
                               const char *const *texts, const char *const *whats, int count,
                               ContestSpec *spec, Err *err) {
    spec->players = memory_alloc((size_t)count, sizeof *spec->players);
    spec->player_count = count;
    spec->seed = options->seed;
    spec->verbose = options->verbose;
    if (!options->out) {
        // The command `ablate` also calls this function. The option --resume of `ablate` has
        // another meaning and must not be refused here; it is not stored in options->resume.
        if (options->resume)
            TRY(command_refuse_change(call, "resume", "has an effect only with --out", err));
        TRY(command_refuse_change(call, "shard-games", "has an effect only with --out", err));
    }
    spec->play = (PlaySpec){.patience_ns = CONTEST_PATIENCE_NS, .timed = true};
    if (!options->pgn)
        TRY(command_refuse_change(call, "pgn-moves", "has an effect only with --pgn", err));
    spec->margin_ns = options->margin_ms * MS_NS;
    if (options->search.tc) {
        TRY(command_refuse_change(call, "movetime",
                                  "not possible, because --tc already limits the time of the moves",
                                  err));
    }
    for (int i = 0; i < count; i++) {
        char what[32];
        snprintf(what, sizeof what, "player %d", (i + 1) % 1000);
        if (whats) snprintf(what, sizeof what, "%s", whats[i]);
        TRY(player_setup_parse(call, &options->search, texts[i], what, &spec->players[i], err));
    }
    TRY(player_setup_check_memory(spec->players, count, CONTEST_OPENING_HASH_MB, options->threads,
                                  err));
    make_names_differ(spec);
    TRY(refuse_noise(call, spec, err));
    choose_defaults(call, spec, &options->play);
    TRY(play_options_resolve(call, &options->play, &spec->play, &spec->openings, err));
    for (int i = 0; i < count; i++) {
        play_options_lower_limit(call, &options->play, &spec->players[i].spec, &spec->play);
    }
    return STATUS_OK;
}

void contest_add_conditions(const ContestSpec *spec, Record *record) {
    const RandomOpening *random = &spec->openings.random;
    const Adjudication *ends = &spec->play.adjudication;
    if (random->plies > 0 && random->nodes > 0) {
        AUTO(Text) window = {0};
        text_add(&window, "%d:%d", random->low, random->high);
        record_add(record, "opening_window %s opening_nodes %lu", window.data, random->nodes);
    }
    record_add(record, "resign_score %d draw_score %d", ends->resign_score, ends->draw_score);
}

void contest_print_conditions(const CommandCall *call, const ContestSpec *spec) {
    Record record;
    if (mpi_rank() > 0) return;
    record_begin(&record, call->out, false);
    contest_add_conditions(spec, &record);
    record_end(&record);
    fflush(call->out);
}

Status contest_origin(const CommandCall *call, const ContestOptions *options, ContestSpec *spec,
                      Provenance *origin, Err *err) {
    const Book *book = &spec->openings.book;
    Text *identity = &origin->identity;
    char hash[SHA256_HEX_SIZE];
    provenance_begin(call, call->command->name, origin);
    origin->seed = options->seed;
    contest_players_text(spec, &origin->weights);
    if (book->count) text_add(&origin->source, "%s %s", options->play.book, book->hash);
    rules_to_text(&spec->play.rules, &origin->rules);
    // In a tournament the players are arguments instead of options. The games depend on the
    // players, so the provenance must contain them.
    for (int i = 0; i < call->arg_count; i++) {
        text_add(&origin->options, "%s%s%s", i ? " " : "# players=", call->args[i],
                 i + 1 < call->arg_count ? "" : "\n");
    }
    // Players, book and weights are identified by hashes of their content, not by their file names.
    for (int i = 0; i < spec->player_count; i++) {
        text_add(identity, "player=");
        TRY(player_setup_identity(&spec->players[i], identity, err));
        text_add(identity, "\n");
    }
    Weights opening_weights;
    TRY(weights_default(&opening_weights, err));
    weights_hash(&opening_weights, hash);
    book_identity(book, identity);
    text_add(identity, "opening-weights=%s\n", hash);
    return STATUS_OK;
}

// Prints the messages that programs sent after Paotai set their options. A message may say that the
// program rejected an option.
static void print_remarks(const CommandCall *call, const ContestSpec *spec) {
    if (mpi_rank() > 0) return;
    for (int i = 0; i < spec->player_count; i++) {
        const PlayerSetup *player = &spec->players[i];
        const char *at = text_get(&player->remarks);
        for (; *at; at += strcspn(at, "\n") + 1) {
            fprintf(call->err, "note: %s printed after its options were set: %.*s\n",
                    player->spec.name, (int)strcspn(at, "\n"), at);
        }
    }
}

uint64_t contest_distinct_pairs(const ContestSpec *spec) {
    if (spec->play.noise_plies && noise_acts(spec)) return 0;
    for (int i = 0; i < spec->player_count; i++) {
        const TimeControl *control = &spec->players[i].spec.limits.control;
        if (control->move_ns || control->base_ns || spec->players[i].spec.threads > 1) return 0;
    }
    return openings_distinct(&spec->openings);
}

Status contest_options_run(const CommandCall *call, const ContestOptions *options,
                           ContestSpec *spec, Progress *progress, ContestDone *done, void *context,
                           ContestResult *result, Err *err) {
    AUTO(Provenance) origin = {0};
    TRY(contest_origin(call, options, spec, &origin, err));
    print_remarks(call, spec);
    play_options_warn_repeats(call, &spec->openings, contest_distinct_pairs(spec) > 0,
                              noise_acts(spec), spec->rounds,
                              spec->kind == MATCH ? "pairs" : "rounds");
    spec->progress = progress;
    spec->schedule =
        (Schedule){.run = {.dir = options->out, .resume = options->resume, .provenance = &origin},
                   .threads = options->threads,
                   .shard_games = (uint64_t)options->shard_games};
    spec->pgn_path = options->pgn;
    spec->pgn_system = options->pgn_moves;
    spec->event = call->command->name;
    return contest_run(spec, done, context, result, err);
}

Status contest_options_close(const CommandCall *call, const ContestOptions *options,
                             const ContestResult *result, Status status, Err *err) {
    const uint64_t faults = contest_faults(result->reasons);
    if (faults > 0) {
        fprintf(call->err,
                "%llu of %llu games ended because a player failed to play; %sthe lines 'game N: "
                "...' name the causes\n",
                (unsigned long long)faults, (unsigned long long)result->games,
                options->quiet ? "without --quiet, " : "");
    }
    if (result->interrupted) play_options_interrupted(call, options->out);
    if (status != STATUS_OK || faults == 0 || faults < result->games) return status;
    return err_set(
        err, STATUS_ENGINE,
        "every game ended because a player failed to play, so nothing was measured; 'paotai "
        "engine-check PLAYER' finds faults of a program");
}
