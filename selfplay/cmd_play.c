// SPDX-License-Identifier: GPL-3.0-or-later
// paotai play: plays a game against a person in the terminal.
#include "core/command/options.h"
#include "core/rules/rules_options.h"
#include "selfplay/run/terminal_game.h"

typedef struct PlaySettings {
    int side, level, rules, pieces;
    const char *odds, *fen, *tc, *load, *save;
    bool blindfold;
    SearchOptions search;
} PlaySettings;

enum { SIDE_RED, SIDE_BLACK, SIDE_BOTH };
enum { PROGRAM_NODES = 1000 }; // Default node limit if --player is a program.

static const OptionRow play_rows[] = {
    OPT_CHOICE("side", PlaySettings, side, "red", "red|black|both",
               "side that you play; with --odds the default is the side that receives odds"),
    OPT_INT("level", PlaySettings, level, 1, STRENGTH_LEVELS, "6", "N",
            "strength level of our engine (see below): a node limit and a share of random moves; "
            "--nodes, --depth, --movetime or limits in --player replace the node limit"),
    SEARCH_ROWS(PlaySettings, search, "best", NULL, "4"),
    OPT_TEXT("tc", PlaySettings, tc, NULL, "CLOCK",
             "clock of each side, [MOVES/]TIME[+INCREMENT] in seconds or M:SS; without --nodes, "
             "--depth or limits in --player, the level still limits the nodes of our engine"),
    RULES_OPTION(PlaySettings, rules),
    OPT_TEXT("odds", PlaySettings, odds, NULL, "NAME",
             "play with this handicap; 'paotai odds list' shows the names"),
    OPT_TEXT("fen", PlaySettings, fen, NULL, "FEN", "start the game in this position"),
    OPT_TEXT("load", PlaySettings, load, NULL, "FILE",
             "continue the first game of this file, in any format that 'data import' reads"),
    OPT_TEXT("save", PlaySettings, save, NULL, "FILE",
             "write the game to this file as PGN at the end"),
    OPT_FLAG("blindfold", PlaySettings, blindfold, "do not draw the board after each move"),
    OPT_CHOICE("pieces", PlaySettings, pieces, "chinese", "chinese|letters",
               "draw pieces as Chinese characters or as letters"),
    OPTION_END,
};

// Resolves the options of the player. The level sets the node limit of our engine and its share of
// random moves. A limit in --nodes, --depth, --movetime or --player replaces the node limit of the
// level, but --tc does not. The random moves stay in both cases.
static Status resolve_player(const CommandCall *call, TerminalSetup *setup, Err *err) {
    const PlaySettings *settings = call->settings;
    SearchOptions options = settings->search;
    PlayerSpec *player = &setup->player->spec;
    AUTO(PlayerSpec) named = {.program = false};
    TRY(player_spec_parse(options.player ? options.player : "", "--player", &named, err));
    const bool limited = limits_are_set(&named.limits) || command_given(call, "nodes") ||
                         command_given(call, "depth") || command_given(call, "movetime");
    if (named.program) {
        TRY(command_refuse(
            call, "level",
            "has an effect only on our engine; limit a program with nodes= or st= in --player",
            err));
        if (settings->tc && !limited) options.tc = settings->tc;
        if (!settings->tc && !limited) options.limits.nodes = PROGRAM_NODES;
    } else {
        setup->level = &strength_levels[settings->level - 1];
        if (!limited) options.limits.nodes = setup->level->nodes;
    }
    if (command_given(call, "movetime") || timecontrol_is_used(&named.limits.control)) {
        TRY(command_refuse(call, "tc",
                           "not possible, because --movetime, st= or tc= already limits the "
                           "time of the player",
                           err));
    }
    TRY(player_setup_resolve(call, &options, setup->player, err));
    if (settings->tc) player->limits.control = setup->control;
    if (!limited && !options.player) {
        snprintf(player->name, sizeof player->name, "level %d", settings->level);
    }
    return STATUS_OK;
}

static Status resolve_game(const CommandCall *call, TerminalSetup *setup, Odds *odds, Err *err) {
    const PlaySettings *settings = call->settings;
    int side = settings->side;
    position_init_start(&setup->start);
    if (settings->load)
        TRY(command_refuse(call, "fen odds", "not possible, because --load sets the start position",
                           err));
    if (settings->odds) {
        TRY(command_refuse(call, "fen", "not possible, because --odds sets the start position",
                           err));
        if (odds_by_name(settings->odds, odds, err) != STATUS_OK) return err_usage(err, "odds");
        setup->odds = odds;
        if (!command_given(call, "side")) side = odds->giver == RED ? SIDE_BLACK : SIDE_RED;
    }
    if (settings->fen && position_from_fen(&setup->start, settings->fen, err) != STATUS_OK) {
        return err_usage(err, "fen");
    }
    setup->human[RED] = side != SIDE_BLACK;
    setup->human[BLACK] = side != SIDE_RED;
    return STATUS_OK;
}

static Status run_play(const CommandCall *call, Err *err) {
    const PlaySettings *settings = call->settings;
    Odds odds;
    AUTO(PlayerSetup) player = {.weights = NULL};
    TerminalSetup setup = {
        .rules = rules_default((RuleSet)settings->rules),
        .player = &player,
        .style = {.letters = settings->pieces == 1},
        .shows_level = command_given(call, "level"),
        .clock = settings->tc,
        .blindfold = settings->blindfold,
        .load = settings->load,
        .save = settings->save,
    };
    TRY(resolve_game(call, &setup, &odds, err));
    if (settings->tc && timecontrol_parse(settings->tc, &setup.control, err) != STATUS_OK) {
        return err_usage(err, "tc");
    }
    TRY(resolve_player(call, &setup, err));
    return terminal_game(&setup, stdin, call->out, err);
}

const Command command_play = {
    .name = "play",
    .summary = "play against our engine or a program in the terminal",
    .usage = "",
    .details =
        "Each line that you type is a move in any notation (h2e2, C2.5, 炮二平五 ...) or a "
        "command. 'help' lists the commands: hint, eval, undo, back, draw, resign, save, load, "
        "clock and more. The program judges repetitions by the rules and explains its judgement. "
        "The levels have these Elo ratings, nodes per move and percentages of random moves:\n\n"
#define STRENGTH(level, elo, error, nodes, slips)                                                  \
    "  level " #level ": " #elo error " Elo, " #nodes " nodes, " #slips " % random moves\n"
#include "core/uci/strengths.def"
        "\n"
        "The ratings come from matches between the levels. The level of 800 nodes has 2000 Elo by "
        "definition, so the ratings cannot be compared with those of people. +- is the 95 % error "
        "of the difference from this level. `make levels` measures the ratings again.\n\n"
        "paotai play --level 3\n"
        "paotai play --odds knight+2 --tc 5:00+3 --save game.pgn\n"
        "paotai play --side black --player cmd=fairy-stockfish,st=1\n"
        "paotai play --blindfold --load game.pgn",
    .rows = play_rows,
    .settings_size = sizeof(PlaySettings),
    .reads_weights = true,
    .run = run_play,
};
