// SPDX-License-Identifier: GPL-3.0-or-later
// A game of one or two people, in which each line of the input is a move or a command. Against one
// person, a player (our engine or a program) plays the other side. The input is a terminal or a
// pipe.
#pragma once

#include "core/notation/board_draw.h"
#include "core/uci/strength.h"
#include "selfplay/engines/player_setup.h"

// Setup of a terminal game. Pointers are borrowed.
typedef struct TerminalSetup {
    Rules rules;
    const Odds *odds; // handicap, which has its own start position; may be NULL
    Position start;   // start position of a game that has no handicap
    PlayerSetup *player;
    const Strength *level;  // level of our engine; NULL if the player is a program
    bool shows_level;       // print the number of the level even if --nodes or another limit
                            // replaces its node limit
    const char *clock;      // text of --tc, which is printed at the start; NULL: no clock
    TimeControl control;    // clock of the human players, from the text `clock`; all zero: no clock
    bool human[SIDE_COUNT]; // true for each side that a person plays
    BoardStyle style;       // how the board is drawn; terminal_game() sets black_below and colour
    bool blindfold;         // do not draw the board after each move
    const char *load;       // file that contains a game to continue; NULL: a new game
    const char *save;       // file to which the game is written at the end; may be NULL
} TerminalSetup;

// Plays until the command `quit` or `exit`, the end of the input or Ctrl-C. Ctrl-C also ends a
// search of our engine. Returns an error at once if the file setup->save cannot be written.
Status terminal_game(const TerminalSetup *setup, FILE *in, FILE *out, Err *err);
