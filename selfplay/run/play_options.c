// SPDX-License-Identifier: GPL-3.0-or-later
#include "selfplay/run/play_options.h"

#include <string.h>

// Refuses options of openings that have no effect.
static Status refuse_unused(const CommandCall *call, const PlayOptions *options,
                            const RandomOpening *random, Err *err) {
    if (!options->openings) {
        TRY(command_refuse_change(call, "order book-plies", "only with --openings", err));
    }
    if (random->plies == 0) {
        const char *searched =
            random->nodes > 0 ? "opening-window opening-nodes" : "opening-window";
        return command_refuse_change(call, searched,
                                     "only with random plies: give --opening-plies above 0", err);
    }
    if (random->nodes > 0) return STATUS_OK;
    return command_refuse_change(call, "opening-window",
                                 "--opening-nodes 0 keeps every opening, whatever its score", err);
}

// Refuses a handicap that only fixes who plays which colour. It would have no effect: in a match
// the players swap colours, and in self-play they are the same.
static Status refuse_colours(const Odds *odds, Err *err) {
    Position start;
    position_init_start(&start);
    if (odds->moves > 1 || odds->iron != IRON_NONE || odds->start.key != start.key) {
        return STATUS_OK;
    }
    return err_set(err, STATUS_USAGE,
                   "--odds %s only fixes who plays which colour, but here both players play both "
                   "colours equally often: it would change no game; leave it out",
                   odds->name);
}

// Refuses --max-plies if an opening alone can be that long.
static Status check_length(const PlayOptions *options, const OpeningSource *openings, Err *err) {
    const int most = options->adjudication.max_plies;
    int plies = openings->has_odds ? odds_extra_plies(&openings->odds) : 0;
    for (size_t i = 0; i < openings->book.count; i++) {
        const int count = openings->book.lines[i].count;
        if (count > plies) plies = count;
    }
    plies += openings->random.plies;
    if (most == 0 || most > plies) return STATUS_OK;
    return err_set(
        err, STATUS_USAGE,
        "--max-plies %d: openings have up to %d plies, so some games would end before the "
        "first search; give a larger number, or shorter openings (--book-plies, "
        "--opening-plies)",
        most, plies);
}

Status play_options_resolve(const CommandCall *call, const PlayOptions *options, PlaySpec *play,
                            OpeningSource *openings, Err *err) {
    play->rules = rules_default((RuleSet)options->rules);
    play->noise_plies = options->noise_plies;
    play->adjudication = options->adjudication;
    *openings = (OpeningSource){.shuffled = options->order == 0, .random = options->random};
    TRY(opening_read_window(options->window, "--opening-window", &openings->random, err));
    if (options->odds) {
        openings->has_odds = true;
        if (odds_by_name(options->odds, &openings->odds, err) != STATUS_OK) {
            return err_usage(err, "odds");
        }
        TRY(refuse_colours(&openings->odds, err));
        TRY(command_refuse(call, "openings", "--odds has its own start position", err));
    }
    if (options->openings && !command_given(call, "opening-plies")) openings->random.plies = 0;
    TRY(refuse_unused(call, options, &openings->random, err));
    if (options->openings) {
        TRY(book_load(options->openings, &play->rules, options->book_plies, &openings->book, err));
    }
    return check_length(options, openings, err);
}

void play_options_warn_repeats(const CommandCall *call, const OpeningSource *openings,
                               bool deterministic, uint64_t wanted, const char *what) {
    const uint64_t distinct = openings_distinct(openings);
    if (!deterministic || distinct == 0 || wanted <= distinct) return;
    fprintf(call->err,
            "paotai %s: %llu different opening%s for %llu %s: without a clock, games are repeated "
            "and count twice.\nPlay at most %llu, use a larger book, or add --opening-plies 4 or "
            "--noise-plies 20\n",
            call->command->name, (unsigned long long)distinct, distinct == 1 ? "" : "s",
            (unsigned long long)wanted, what, (unsigned long long)distinct);
}

void play_options_interrupted(const CommandCall *call, const char *out) {
    fprintf(call->err, "paotai %s: interrupted. ", call->command->name);
    if (out) {
        AUTO(Text) word = {0};
        text_add_word(&word, out);
        fprintf(call->err,
                "The finished games are in %s; continue with the same command and --resume\n",
                word.data);
    } else {
        fputs("The games were not stored. With --out DIR a run can be continued by --resume\n",
              call->err);
    }
}

// ---- the player ---------------------------------------------------------------------------------

void player_about_clear(PlayerAbout *about) {
    text_clear(&about->evaluation);
    text_clear(&about->remarks);
}

Status player_identity(const PlayerSpec *spec, const EngineConfig *engine, Text *text,
                       PlayerAbout *about, Err *err) {
    const TimeControl *control = &spec->control;
    if (spec->program) {
        AUTO(Text) files = {0};
        Player *player;
        if (player_open_program(spec, &player, err) != STATUS_OK) {
            return err_prefix(err, "%s", spec->name);
        }
        text_add(text, "id=%s ", player->engine_name);
        if (about) {
            text_add(&about->evaluation, "%s", player->evaluation);
            text_add(&about->remarks, "%s", text_get(player->remarks));
        }
        player_close(player);
        process_command_hash(spec->command, spec->dir, &files);
        for (int i = 0; i < spec->option_count; i++) {
            process_file_hash(spec->options[i].value, spec->dir, &files);
        }
        text_add(text, "files=%s cmd=%s protocol=%d", text_get(&files), spec->command,
                 (int)spec->profile->protocol);
        quirks_write(&spec->quirks, text);
        text_add(text, " threads=%d hash=", spec->threads);
        text_add_real(text, spec->hash_mb);
    } else {
        if (about) {
            text_add(&about->evaluation, "%s %s %s", spec->weights ? spec->weights : "default",
                     engine->weights_hash, engine->network ? "network" : "linear");
        }
        text_add(text, "weights=%s threads=%d hash=", engine->weights_hash, engine->threads);
        text_add_real(text, engine->hash_mb);
    }
    text_add(text, " nodes=%llu depth=%d st_ns=%lld tc_ns=%d/%lld+%lld",
             (unsigned long long)spec->nodes, spec->depth, (long long)control->move_ns,
             control->moves, (long long)control->base_ns, (long long)control->inc_ns);
    if (spec->has_margin) text_add(text, " margin_ns=%lld", (long long)spec->margin_ns);
    if (spec->ponder) text_add(text, " ponder");
    if (spec->dir) text_add(text, " dir=%s", spec->dir);
    for (int i = 0; i < spec->option_count; i++) {
        text_add(text, " option.%s=%s", spec->options[i].name, spec->options[i].value);
    }
    return STATUS_OK;
}

Status player_limit(const CommandCall *call, const SearchOptions *options, PlayerSpec *spec,
                    Err *err) {
    if (player_is_limited(spec)) return STATUS_OK;
    const bool other = options->depth || options->movetime_ms || options->tc;
    spec->nodes = other && !command_given(call, "nodes") ? 0 : options->nodes;
    spec->depth = options->depth;
    if (options->tc && timecontrol_parse(options->tc, &spec->control, err) != STATUS_OK) {
        return err_usage(err, "tc");
    }
    if (!options->tc) spec->control.move_ns = options->movetime_ms * MS_NS;
    if (player_is_limited(spec)) return STATUS_OK;
    return err_set(err, STATUS_USAGE,
                   "--nodes 0 needs --depth or --movetime: a search must have a limit");
}

Status searcher_identity(const Searcher *searcher, Text *text, Err *err) {
    const EngineConfig *engine = &searcher->engine;
    TRY(player_identity(&searcher->player, engine, text, NULL, err));
    // If the player is a program, our engine finds the openings.
    if (searcher->player.program) text_add(text, ", openings by %s", engine->weights_hash);
    return STATUS_OK;
}

Status searcher_origin(const Searcher *searcher, Provenance *origin, Err *err) {
    const PlayerSpec *player = &searcher->player;
    Text *limits = &origin->options, *weights = &origin->weights;
    text_add(limits, "limits=");
    if (player->nodes) text_add(limits, "nodes=%llu ", (unsigned long long)player->nodes);
    if (player->depth) text_add(limits, "depth=%d ", player->depth);
    if (player->control.move_ns) {
        text_add(limits, "movetime_ms=%lld ", (long long)(player->control.move_ns / MS_NS));
    }
    if (player->control.base_ns) text_add(limits, "tc ");
    limits->data[limits->length - 1] = '\n'; // replaces the last blank
    text_clear(weights);
    if (player->program) {
        text_add(weights, "%s (%s), openings by ", player->name, player->profile->name);
    }
    text_add(weights, "%s %s", searcher->weights, searcher->engine.weights_hash);
    text_add(&origin->identity, "player=");
    TRY(searcher_identity(searcher, &origin->identity, err));
    text_add(&origin->identity, "\n");
    return STATUS_OK;
}

Status searcher_resolve(const CommandCall *call, const SearchOptions *options, Searcher *searcher,
                        Err *err) {
    *searcher = (Searcher){.weights = options->weights};
    PlayerSpec *player = &searcher->player;
    TRY(player_spec_parse(options->player ? options->player : "", "--player", player, err));
    if (player->ponder || player->has_margin) {
        return err_set(
            err, STATUS_USAGE,
            "--player: ponder= and margin= act only in match and tournament; leave them out");
    }
    const bool own = !player->program && player->weights;
    if (player_is_limited(player)) {
        TRY(command_refuse(call, "nodes depth movetime", "--player has its own limits", err));
    }
    if (own) TRY(command_refuse(call, "weights", "--player has its own weights=", err));
    if (player->hash_mb > 0 && !player->program) {
        TRY(command_refuse(call, "hash", "--player has its own hash=", err));
    }
    TRY(player_limit(call, options, player, err));
    if (own) searcher->weights = player->weights;
    PlayerSpec engine = player->program ? (PlayerSpec){.nodes = 0} : *player;
    engine.weights = (char *)searcher->weights; // borrowed
    if (engine_config(&engine, options->hash_mb, &searcher->engine, err) != STATUS_OK) {
        return err_prefix(err, own ? "--player" : "--weights");
    }
    if (strcmp(searcher->weights, "best") == 0 && !searcher->engine.network) {
        searcher->weights = "default"; // as in network_describe()
    }
    return STATUS_OK;
}

Status searcher_refuse_engine(const CommandCall *call, const Searcher *searcher, Err *err) {
    if (!searcher->player.program) return STATUS_OK;
    return command_refuse_change(call, "weights hash",
                                 "only for our engine; for a program put hash= and option.NAME= "
                                 "into --player",
                                 err);
}

void searcher_clear(Searcher *searcher) {
    engine_config_clear(&searcher->engine);
    player_spec_clear(&searcher->player);
}

Status searcher_ready(const Searcher *searcher, const Rules *rules, Player **player, Err *err) {
    return player_ready(&searcher->player, &searcher->engine, rules, player, err);
}

enum { PATIENCE_S = 600 }; // seconds after which a search of a program counts as failed

Status searcher_ask(const Searcher *searcher, const Rules *rules, const OddsGame *og,
                    Player **player, PlayerReply *reply, Err *err) {
    PlayerTurn turn = {.game = &og->game, .odds = odds_game_state(og)};
    Clock *clock = &turn.clocks[og->game.now.stm];
    clock_start(clock, &searcher->player.control);
    turn.patience_ns = clock->left_ns + PATIENCE_S * 1000 * MS_NS;
    player_go(*player, &turn, reply);
    if (reply->fault == PLAYER_NONE) return STATUS_OK;
    TRY(searcher_ready(searcher, rules, player, err));
    player_go(*player, &turn, reply);
    return STATUS_OK;
}

Status searcher_score(const Searcher *searcher, const Rules *rules, const OddsGame *og,
                      Player **player, PlayerReply *reply, Err *err) {
    TRY(searcher_ready(searcher, rules, player, err));
    TRY(searcher_ask(searcher, rules, og, player, reply, err));
    if (!reply->fault && !reply->resigns && reply->info.has_score) return STATUS_OK;
    const char *what = reply->fault     ? player_fault_name(reply->fault)
                       : reply->resigns ? "it resigns"
                                        : "it reports no score";
    return err_set(err, STATUS_ENGINE, "%s: %s%s%s", searcher->player.name, what,
                   reply->note[0] ? ", " : "", reply->note);
}
