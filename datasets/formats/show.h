// SPDX-License-Identifier: GPL-3.0-or-later
// Draws a position, or a position of a stored game, as text or JSON.
#pragma once

#include <stdio.h>

#include "core/base/status.h"

typedef enum ColourChoice { COLOUR_AUTO, COLOUR_ALWAYS, COLOUR_NEVER } ColourChoice;

typedef struct ShowSpec {
    const char *moves; // moves to play from the FEN, or NULL
    int from;          // NotationSystem in which `moves` is written
    int pieces;        // how pieces are drawn: 0 as Chinese characters, 1 as letters
    int dialect;       // FenDialect in which the FEN is printed
    int colour;        // ColourChoice: whether to use colours of the terminal
    bool black_below;  // draw the board from Black's side
    bool board_only;   // omit the tags and the moves of a stored game
    const char *data;  // store that has the game; NULL: show a FEN instead
    uint64_t game;     // index of the game in the store
    int ply;           // number of plies of the game to play before showing the position; -1: all
    bool json;
} ShowSpec;

// Shows a position of a stored game. If spec->data is NULL, shows the FEN in `words` (`count`
// words), or the initial position if there are no words. Like in a UCI position command, "moves"
// and a list of moves may follow the FEN.
Status show_position(const ShowSpec *spec, const char *const *words, int count, FILE *out,
                     Err *err);
