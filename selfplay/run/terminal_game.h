// SPDX-License-Identifier: GPL-3.0-or-later
// A game between people and a player, line by line: on a terminal or through a pipe.
#pragma once

#include "core/board/board_draw.h"
#include "selfplay/run/play_options.h"

// A level of strength: limits of our engine, and what it was measured to be.
typedef struct PlayLevel {
    uint64_t nodes;
    int elo, error95; // above level 1
} PlayLevel;
enum {
    PLAY_LEVEL_COUNT = 0
#define LEVEL(number, nodes, elo, error) +1
#include "selfplay/run/levels.def"
#undef LEVEL
};
extern const PlayLevel play_levels[PLAY_LEVEL_COUNT]; // level n is play_levels[n - 1]

// Everything is borrowed, but for searcher: a change of level writes into its engine.
typedef struct TerminalSetup {
    Rules rules;
    const Odds *odds; // NULL: an even game
    Position start;   // of an even game
    Searcher *searcher;
    TimeControl control;    // of people; all zero: no clock
    bool human[SIDE_COUNT]; // who is moved by lines of the input
    BoardStyle style;
    bool blindfold;
    const char *load, *save; // a game to go on with; where the game is written at the end
} TerminalSetup;

// Plays until `quit`, the end of the input, or Ctrl-C.
Status terminal_game(const TerminalSetup *setup, FILE *in, FILE *out, Err *err);
