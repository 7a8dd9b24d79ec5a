// SPDX-License-Identifier: GPL-3.0-or-later
// The positions that `paotai bench` searches: opening, middlegame, attack and endgame.
#pragma once

enum {
    BENCH_POSITION_COUNT = 0
#define BENCH_POSITION(fen) +1
#include "core/board/bench_positions.def"
};
extern const char *const bench_fens[BENCH_POSITION_COUNT];
