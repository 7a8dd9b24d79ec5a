// SPDX-License-Identifier: GPL-3.0-or-later
#include "selfplay/engines/player_setup.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "core/base/memory.h"
#include "core/command/options.h"
#include "core/eval/network.h"
#include "core/search/smp.h"
#include "core/system/interrupt.h"

// A program in player_search() has failed if it exceeds its time limit (0 if it has none) by more
// than this number of seconds.
enum { PATIENCE_S = 600 };

// ---- making a player ----------------------------------------------------------------------------

// Makes our engine in *setup: loads the weights that setup->weights_name names, and takes threads,
// table size and options (search parameters) from *spec. `hash_mb` is the table size if
// *spec has none. Refuses an option that has no effect under the limits in *spec. Errors about the
// weights begin with `weights_what`, errors about `hash_mb` begin with "--hash", and all others
// begin with `what`.
static Status load_engine(const PlayerSpec *spec, const char *weights_what, double hash_mb,
                          const char *what, PlayerSetup *setup, Err *err) {
    setup->params = search_params_default();
    setup->hash_mb = spec->hash_mb > 0 ? spec->hash_mb : hash_mb;
    setup->threads = spec->threads > 0 ? spec->threads : 1;
    if (setup->threads > SMP_THREADS_MAX) {
        return err_set(err, STATUS_USAGE, "%s: threads= must be at most %d", what, SMP_THREADS_MAX);
    }
    setup->weights = memory_alloc(1, sizeof *setup->weights);
    if (evaluation_load(setup->weights_name, setup->weights, &setup->network, setup->weights_hash,
                        err) != STATUS_OK) {
        return err_prefix(err, "%s", weights_what);
    }
    setup->weights_name = evaluation_name(setup->weights_name, setup->network);
    if (memory_check(setup->hash_mb, err) != STATUS_OK) {
        return err_prefix(err, "%s", spec->hash_mb > 0 ? what : "--hash");
    }
    for (int i = 0; i < spec->option_count; i++) {
        const PlayerOption *option = &spec->options[i];
        if (search_params_set(&setup->params, option->name, option->value, err) != STATUS_OK) {
            err_usage(err, NULL);
            return err_prefix(err, "%s", what);
        }
    }
    for (int i = 0; i < spec->option_count; i++) {
        if (search_param_check_acts(&setup->params, spec->options[i].name, spec->limits.nodes,
                                    err) != STATUS_OK) {
            return err_prefix(err, "%s", what);
        }
    }
    return STATUS_OK;
}

// Sets the limits of the spec from the options --nodes, --depth, --movetime and --tc, unless the
// player has limits of its own.
static Status set_limits(const CommandCall *call, const SearchOptions *options, PlayerSpec *spec,
                         Err *err) {
    PlayLimits *limits = &spec->limits;
    if (limits_are_set(limits)) return STATUS_OK;
    *limits = options->limits;
    const bool other = limits->depth || options->movetime_ms || options->tc;
    if (other && !command_given(call, "nodes")) limits->nodes = 0;
    if (options->tc && timecontrol_parse(options->tc, &limits->control, err) != STATUS_OK) {
        return err_usage(err, "tc");
    }
    if (!options->tc) limits->control.move_ns = options->movetime_ms * MS_NS;
    if (limits_are_set(limits)) return STATUS_OK;
    return err_set(err, STATUS_USAGE,
                   "--nodes 0: a search must have a limit; give a limit of depth or time instead");
}

Status player_setup_parse(const CommandCall *call, const SearchOptions *options, const char *text,
                          const char *what, PlayerSetup *setup, Err *err) {
    *setup = (PlayerSetup){.weights_name = "default"};
    PlayerSpec *spec = &setup->spec;
    TRY(player_spec_parse(text, what, spec, err));
    TRY(set_limits(call, options, spec, err));
    if (spec->program) return STATUS_OK;
    if (spec->weights) setup->weights_name = spec->weights;
    return load_engine(spec, what, 1, what, setup, err);
}

Status player_setup_resolve(const CommandCall *call, const SearchOptions *options,
                            PlayerSetup *setup, Err *err) {
    static const PlayerSpec plain = {.program = false};
    *setup = (PlayerSetup){.weights_name = options->weights};
    PlayerSpec *spec = &setup->spec;
    TRY(player_spec_parse(options->player ? options->player : "", "--player", spec, err));
    if (spec->ponder || spec->has_margin) {
        return err_set(err, STATUS_USAGE,
                       "--player: ponder= and margin= have an effect only in match, tournament and "
                       "spsa: omit them");
    }
    if (limits_are_set(&spec->limits)) {
        TRY(command_refuse(call, "nodes depth movetime",
                           "not possible, because --player has its own limits", err));
    }
    if (spec->weights) {
        TRY(command_refuse(call, "weights",
                           "not possible, because --player has its own weights=", err));
        setup->weights_name = spec->weights;
    }
    if (spec->hash_mb > 0 && !spec->program) {
        TRY(command_refuse(call, "hash", "not possible, because --player has its own hash=", err));
    }
    TRY(set_limits(call, options, spec, err));
    return load_engine(spec->program ? &plain : spec, spec->weights ? "--player" : "--weights",
                       options->hash_mb, "--player", setup, err);
}

Status player_setup_resolve_judge(const CommandCall *call, const SearchOptions *options,
                                  PlayerSetup *setup, Err *err) {
    TRY(player_setup_resolve(call, options, setup, err));
    if (!setup->spec.limits.control.base_ns) return STATUS_OK;
    return err_set(err, STATUS_USAGE,
                   "--player: tc= sets the clock of a whole game, but this command searches single "
                   "positions; use st=, the time per search");
}

Status player_setup_refuse_engine(const CommandCall *call, const PlayerSetup *setup, Err *err) {
    if (!setup->spec.program) return STATUS_OK;
    return command_refuse_change(call, "weights hash",
                                 "has an effect only on our engine; for a program put hash= "
                                 "and option.NAME= into --player",
                                 err);
}

Status player_setup_check_memory(const PlayerSetup *players, int count, double more_mb, int threads,
                                 Err *err) {
    double each_mb = more_mb;
    for (int i = 0; i < count; i++) {
        const PlayerSpec *spec = &players[i].spec;
        each_mb += spec->program ? spec->hash_mb : players[i].hash_mb;
    }
    return memory_check_threads(each_mb, threads, err);
}

struct IdlePlayer {
    _Atomic(Player *) player;
};

// Returns the program that player_setup_identity() has started, or NULL if a thread has already
// taken it.
static Player *take_idle(const PlayerSetup *setup) {
    return setup->idle ? atomic_exchange(&setup->idle->player, NULL) : NULL;
}

Status player_setup_set_option(PlayerSetup *setup, const char *name, const char *value, Err *err) {
    if (!setup->spec.program) return search_params_set(&setup->params, name, value, err);
    player_close(take_idle(setup));
    return player_spec_set_option(&setup->spec, name, value, err);
}

void player_setup_clear(PlayerSetup *setup) {
    player_close(take_idle(setup));
    free(TAKE(setup->idle));
    network_free(TAKE(setup->network));
    free(TAKE(setup->weights));
    player_spec_clear(&setup->spec);
    text_clear(&setup->evaluation);
    text_clear(&setup->remarks);
}

// ---- identity of a player -----------------------------------------------------------------------

// Appends the data that identify a program: name, hashes of its files, command, protocol, quirks,
// threads and hash size. Starts the program to read its name, fills setup->evaluation and
// setup->remarks from its output, and keeps it for the first game.
static Status add_program(PlayerSetup *setup, Text *text, Err *err) {
    const PlayerSpec *spec = &setup->spec;
    AUTO(Text) files = {0};
    Player *player = take_idle(setup);
    if (!player && player_open_program(spec, &player, err) != STATUS_OK) {
        return err_prefix(err, "%s", spec->name);
    }
    text_add(text, "id=%s ", player->engine_name);
    text_add(&setup->evaluation, "%s", player->evaluation);
    text_add(&setup->remarks, "%s", text_get(player->remarks));
    if (!setup->idle) setup->idle = memory_alloc(1, sizeof *setup->idle);
    atomic_store(&setup->idle->player, player);
    process_command_hash(spec->command, spec->dir, &files);
    for (int i = 0; i < spec->option_count; i++) {
        process_file_hash(spec->options[i].value, spec->dir, &files);
    }
    text_add(text, "files=%s cmd=%s protocol=%d", text_get(&files), spec->command,
             (int)spec->profile->protocol);
    quirks_write(&spec->quirks, text);
    text_add(text, " threads=%d hash=", spec->threads);
    text_add_real(text, spec->hash_mb);
    return STATUS_OK;
}

Status player_setup_identity(PlayerSetup *setup, Text *text, Err *err) {
    const PlayerSpec *spec = &setup->spec;
    const TimeControl *control = &spec->limits.control;
    text_clear(&setup->evaluation);
    text_clear(&setup->remarks);
    if (spec->program) {
        TRY(add_program(setup, text, err));
    } else {
        text_add(&setup->evaluation, "%s %s %s", setup->weights_name, setup->weights_hash,
                 setup->network ? "network" : "linear");
        text_add(text, "weights=%s threads=%d hash=", setup->weights_hash, setup->threads);
        text_add_real(text, setup->hash_mb);
    }
    text_add(text, " nodes=%llu depth=%d st_ns=%lld tc_ns=%d/%lld+%lld",
             (unsigned long long)spec->limits.nodes, spec->limits.depth,
             (long long)control->move_ns, control->moves, (long long)control->base_ns,
             (long long)control->inc_ns);
    if (spec->has_margin) text_add(text, " margin_ns=%lld", (long long)spec->margin_ns);
    if (spec->ponder) text_add(text, " ponder");
    if (spec->dir) text_add(text, " dir=%s", spec->dir);
    for (int i = 0; i < spec->option_count; i++) {
        text_add(text, " option.%s=%s", spec->options[i].name, spec->options[i].value);
    }
    if (spec->program && setup->weights) text_add(text, ", openings by %s", setup->weights_hash);
    return STATUS_OK;
}

Status player_setup_origin(PlayerSetup *setup, Provenance *origin, Err *err) {
    const PlayerSpec *spec = &setup->spec;
    Text *limits = &origin->options, *weights = &origin->weights;
    text_add(limits, "# limits=");
    if (spec->limits.nodes) text_add(limits, "nodes=%llu ", (unsigned long long)spec->limits.nodes);
    if (spec->limits.depth) text_add(limits, "depth=%d ", spec->limits.depth);
    if (spec->limits.control.move_ns) {
        text_add(limits, "movetime_ms=%lld ", (long long)(spec->limits.control.move_ns / MS_NS));
    }
    if (spec->limits.control.base_ns) text_add(limits, "tc ");
    limits->data[limits->length - 1] = '\n'; // replace the blank after the last limit by a line end
    text_clear(weights);
    if (spec->program) {
        text_add(weights, "%s (%s), openings by ", spec->name, spec->profile->name);
    }
    text_add(weights, "%s %s", setup->weights_name, setup->weights_hash);
    text_add(&origin->identity, "player=");
    TRY(player_setup_identity(setup, &origin->identity, err));
    text_add(&origin->identity, "\n");
    return STATUS_OK;
}

// ---- searching with a player --------------------------------------------------------------------

Status player_ready(const PlayerSetup *setup, const Rules *rules, Player **player, Err *err) {
    if (!*player) *player = take_idle(setup);
    if (!*player && setup->spec.program) {
        TRY(player_open_program(&setup->spec, player, err));
    } else if (!*player) {
        *player = player_open_engine(setup, rules);
    }
    return player_new_game(*player, &setup->spec.limits.control, err);
}

Status player_search(const PlayerSetup *setup, const Rules *rules, const OddsGame *og,
                     Player **player, PlayerReply *reply, Err *err) {
    PlayerTurn turn = {.game = &og->game, .odds = odds_game_state(og)};
    Clock *clock = &turn.clocks[og->game.now.stm];
    clock_start(clock, &setup->spec.limits.control);
    turn.patience_ns = clock->left_ns + PATIENCE_S * 1000 * MS_NS;
    for (int attempt = 0, faults = 0; faults < 2; attempt++) {
        if (attempt > 0) TRY(player_ready(setup, rules, player, err));
        const unsigned stops = interrupt_stops();
        player_go(*player, &turn, reply);
        if (reply->interrupted) return err_set(err, STATUS_INTERRUPTED, "interrupted");
        // If this process was stopped meanwhile, the time limit of the search contained the pause.
        const bool stopped =
            interrupt_stops() != stops && (clock_is_used(clock) || reply->fault != PLAYER_NONE);
        if (reply->fault == PLAYER_NONE && !stopped) break;
        faults += !stopped;
    }
    return STATUS_OK;
}

Status player_score(const PlayerSetup *setup, const Rules *rules, const OddsGame *og,
                    Player **player, PlayerReply *reply, Err *err) {
    TRY(player_ready(setup, rules, player, err));
    TRY(player_search(setup, rules, og, player, reply, err));
    if (!reply->fault && !reply->resigns && reply->info.has_score) return STATUS_OK;
    const char *what = reply->fault     ? player_fault_name(reply->fault)
                       : reply->resigns ? "it resigns"
                                        : "it reports no score";
    return err_set(err, STATUS_ENGINE, "%s: %s%s%s", setup->spec.name, what,
                   reply->note[0] ? ", " : "", reply->note);
}
