// SPDX-License-Identifier: GPL-3.0-or-later
// paotai play: a game in the terminal.
#include "core/base/interrupt.h"
#include "core/base/options.h"
#include "core/base/out_file.h"
#include "core/base/terminal.h"
#include "selfplay/run/terminal_game.h"

typedef struct PlaySettings {
    int side, level, rules, pieces;
    const char *odds, *fen, *tc, *load, *save;
    bool blindfold;
    SearchOptions search;
} PlaySettings;

enum { SIDE_RED, SIDE_BLACK, SIDE_BOTH };

static const OptionRow play_rows[] = {
    OPT_CHOICE("side", PlaySettings, side, "red", "red|black|both",
               "your side; with odds the weaker one"),
    OPT_INT("level", PlaySettings, level, 1, STRENGTH_LEVELS, "6", "N",
            "strength, see below; a given --nodes, --depth or --movetime replaces it"),
    SEARCH_ROWS(PlaySettings, search, "1000", "4"),
    OPT_TEXT("tc", PlaySettings, tc, NULL, "CLOCK",
             "a clock for both: [MOVES/]TIME[+INCREMENT], seconds or M:SS"),
    RULES_OPTION(PlaySettings, rules),
    OPT_TEXT("odds", PlaySettings, odds, NULL, "NAME", "play a handicap ('paotai odds list')"),
    OPT_TEXT("fen", PlaySettings, fen, NULL, "FEN", "begin here"),
    OPT_TEXT("load", PlaySettings, load, NULL, "FILE", "go on with the first game of a file"),
    OPT_TEXT("save", PlaySettings, save, NULL, "FILE", "write the game as PGN at the end"),
    OPT_FLAG("blindfold", PlaySettings, blindfold, "draw no board"),
    OPT_CHOICE("pieces", PlaySettings, pieces, "chinese", "chinese|letters",
               "how pieces are drawn"),
    OPTION_END,
};

// The player as a text, with the limits that were given, or those of the level.
static Status resolve_player(const CommandCall *call, TerminalSetup *setup, Err *err) {
    const PlaySettings *settings = call->settings;
    const bool limited = command_given(call, "nodes") || command_given(call, "depth") ||
                         command_given(call, "movetime");
    if (limited || settings->search.player) {
        TRY(command_refuse(call, "level", "the player has limits of its own", err));
    }
    if (settings->tc && limited) {
        return command_refuse(call, "tc", "not with --nodes, --depth or --movetime", err);
    }
    AUTO(Text) player = {0};
    SearchOptions options = settings->search;
    if (options.player) text_add(&player, "%s,", options.player);
    if (settings->tc) text_add(&player, "tc=%s,", settings->tc);
    if (!limited && !options.player && (!settings->tc || command_given(call, "level"))) {
        setup->level = &strength_levels[settings->level - 1];
        text_add(&player, "nodes=%llu,name=level %d,", (unsigned long long)setup->level->nodes,
                 settings->level);
    }
    if (player.length) player.data[--player.length] = '\0';
    if (player.length) options.player = player.data;
    return searcher_resolve(call, &options, setup->searcher, err);
}

static Status resolve_game(const CommandCall *call, TerminalSetup *setup, Odds *odds, Err *err) {
    const PlaySettings *settings = call->settings;
    int side = settings->side;
    position_init_start(&setup->start);
    if (settings->load) TRY(command_refuse(call, "fen odds", "--load begins elsewhere", err));
    if (settings->odds) {
        TRY(command_refuse(call, "fen", "--odds begins elsewhere", err));
        if (odds_by_name(settings->odds, odds, err) != STATUS_OK) return err_usage(err, "odds");
        setup->odds = odds;
        if (!command_given(call, "side")) side = odds->giver == RED ? SIDE_BLACK : SIDE_RED;
    }
    if (settings->fen && position_from_fen(&setup->start, settings->fen, err) != STATUS_OK) {
        return err_usage(err, "fen");
    }
    setup->human[RED] = side != SIDE_BLACK;
    setup->human[BLACK] = side != SIDE_RED;
    setup->style.black_below = side == SIDE_BLACK;
    return STATUS_OK;
}

static Status run_play(const CommandCall *call, Err *err) {
    const PlaySettings *settings = call->settings;
    Odds odds;
    AUTO(Searcher) searcher = {.weights = NULL};
    TerminalSetup setup = {
        .rules = rules_default((RuleSet)settings->rules),
        .searcher = &searcher,
        .style = {.letters = settings->pieces == 1, .colour = terminal_colour(call->out)},
        .blindfold = settings->blindfold,
        .load = settings->load,
        .save = settings->save,
    };
    TRY(resolve_game(call, &setup, &odds, err));
    if (settings->tc && timecontrol_parse(settings->tc, &setup.control, err) != STATUS_OK) {
        return err_usage(err, "tc");
    }
    TRY(resolve_player(call, &setup, err));
    searcher.engine.stop = interrupt_flag();
    TRY(text_check_writable(settings->save, err));
    return terminal_game(&setup, stdin, call->out, err);
}

const Command command_play = {
    .name = "play",
    .summary = "play a game against the engine, or another player, in the terminal",
    .usage = "",
    .details =
        "A line is a move, in any notation (h2e2, C2.5, 炮二平五 ...), or a command; 'help' lists "
        "them: hint, eval, undo, back, draw, resign, save, load, clock and more. The "
        "referee judges repetition and says why. Levels: Elo of matches (95 % error of the "
        "distance to 2000), nodes a move, and percent of the moves drawn at random:\n\n"
#define STRENGTH(level, elo, error, nodes, slips)                                                  \
    "  level " #level ": " #elo error ", " #nodes " nodes, " #slips " %\n"
#include "core/uci/strengths.def"
        "\n"
        "This is strength against itself, no rating among people; 2000 is a choice. It was "
        "measured with a search 30 to 60 Elo weaker than this one (E-027, E-042).\n\n"
        "paotai play --level 3\n"
        "paotai play --odds knight+2 --tc 5:00+3 --save game.pgn\n"
        "paotai play --side black --player cmd=fairy-stockfish,st=1\n"
        "paotai play --blindfold --load game.pgn",
    .rows = play_rows,
    .settings_size = sizeof(PlaySettings),
    .run = run_play,
};
