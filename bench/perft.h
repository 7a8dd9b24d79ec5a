// SPDX-License-Identifier: GPL-3.0-or-later
// Counting the leaves of the tree of legal moves.
#pragma once

#include "core/position.h"

// Number of legal move sequences of `depth` plies; 1 for depth 0. Moves are counted in bulk at the
// last ply.
uint64_t perft_count(const Position *position, int depth);
