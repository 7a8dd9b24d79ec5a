// SPDX-License-Identifier: GPL-3.0-or-later
// Draws a position, or a position of a stored game, as text or JSON.
#pragma once

#include <stdio.h>

#include "core/base/status.h"

typedef enum ColourChoice { COLOUR_AUTO, COLOUR_ALWAYS, COLOUR_NEVER } ColourChoice;

typedef struct ShowSpec {
    const char *moves; // moves to play from the FEN, or NULL
    int from;          // NotationSystem of the moves to play
    int pieces;        // 0: draw pieces as Chinese characters, 1: as letters
    int dialect;       // FenDialect of the printed FEN
    int colour;        // ColourChoice: whether to use colours of the terminal
    bool black_below;  // draw the board from Black's side
    bool board_only;   // without `json`: omit the tags and the moves of a stored game
    const char *data;  // path of the run or shard that has the game; NULL: show a FEN instead
    uint64_t game;     // index of the game in the store
    int ply;           // number of plies of the game to play before showing the position; -1: all
    bool json;         // print a JSON object instead of a drawing
} ShowSpec;

// Prints a position of a stored game to `out`. If spec->data is NULL, prints the position of the
// FEN in `words` (`count` words), or the initial position if there are no words. If the only word
// is
// "-", reads the FEN from the first line of standard input that is not blank and does not begin
// with '#'. The word "moves" and a list of moves may follow the FEN, as in the UCI command
// "position".
Status show_position(const ShowSpec *spec, const char *const *words, int count, FILE *out,
                     Err *err);
