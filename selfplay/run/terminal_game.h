// SPDX-License-Identifier: GPL-3.0-or-later
// A game between people and a player, with one line per move or command, on a terminal or through
// pipes.
#pragma once

#include "core/board/board_draw.h"
#include "core/uci/strength.h"
#include "selfplay/engines/player_setup.h"

// Pointers are borrowed.
typedef struct TerminalSetup {
    Rules rules;
    const Odds *odds; // handicap, which has its own start position; may be NULL
    Position start;   // start position of a game without a handicap
    PlayerSetup *player;
    const Strength *level;  // level of our engine; NULL for a program
    bool shows_level;       // name the level even if another node limit replaces its own
    const char *clock;      // text of --tc, printed at the start; NULL: no clock
    TimeControl control;    // clock of the people, parsed from `clock`; all zero: no clock
    bool human[SIDE_COUNT]; // sides that people play by lines of the input
    BoardStyle style;
    bool blindfold;
    const char *load; // file of a game to continue, or NULL
    const char *save; // file that receives the game at the end, or NULL
} TerminalSetup;

// Plays until `quit`, the end of the input or Ctrl-C.
Status terminal_game(const TerminalSetup *setup, FILE *in, FILE *out, Err *err);
