// SPDX-License-Identifier: GPL-3.0-or-later
// A stored game as text for people.
#pragma once

#include <stdio.h>

#include "datasets/store/record.h"

// Writes the plies, a line each: number, side, the move in WXF and in Chinese, the score from Red's
// side with the depth, the move that the search preferred to it, and whether the opening chose it.
// Ends early where a move cannot be played.
void game_print_moves(FILE *out, const GameRecord *game, const PlyRecord *plies);
