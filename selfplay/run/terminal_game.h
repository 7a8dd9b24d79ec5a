// SPDX-License-Identifier: GPL-3.0-or-later
// A game between people and a player, line by line: on a terminal or through a pipe.
#pragma once

#include "core/board/board_draw.h"
#include "core/uci/strength.h"
#include "selfplay/run/play_options.h"

// Everything is borrowed, but for searcher: a change of level writes into its engine.
typedef struct TerminalSetup {
    Rules rules;
    const Odds *odds; // NULL: an even game
    Position start;   // of an even game
    Searcher *searcher;
    const Strength *level;  // of our engine; NULL: it has limits of its own
    TimeControl control;    // of people; all zero: no clock
    bool human[SIDE_COUNT]; // who is moved by lines of the input
    BoardStyle style;
    bool blindfold;
    const char *load, *save; // a game to go on with; where the game is written at the end
} TerminalSetup;

// Plays until `quit`, the end of the input, or Ctrl-C.
Status terminal_game(const TerminalSetup *setup, FILE *in, FILE *out, Err *err);
