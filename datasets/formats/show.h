// SPDX-License-Identifier: GPL-3.0-or-later
// Draws a position, or a position of a stored game, as text or JSON.
#pragma once

#include <stdio.h>

#include "core/base/status.h"

typedef enum ColourChoice { COLOUR_AUTO, COLOUR_ALWAYS, COLOUR_NEVER } ColourChoice;

typedef struct ShowSpec {
    const char *moves; // moves to play from the FEN, or NULL
    int from;          // NotationSystem of these moves
    int pieces;        // 0: Chinese characters, 1: letters
    int dialect;       // FenDialect
    int colour;        // ColourChoice
    bool black_below;  // draw the board from Black's side
    bool board_only;   // omit tags and moves of a stored game
    const char *data;  // store of the game, or NULL: show the FEN of the words
    uint64_t game;     // number of the game
    int ply;           // plies of the game to play; -1: all
    bool json;
} ShowSpec;

// Shows a stored game, or the FEN that `words` (count words) hold, by default the start position. A
// FEN may be followed by "moves" and moves, as in a position command of UCI.
Status show_position(const ShowSpec *spec, const char *const *words, int count, FILE *out,
                     Err *err);
