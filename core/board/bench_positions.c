// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/board/bench_positions.h"

#include "core/board/position.h"

const char *const bench_fens[BENCH_POSITION_COUNT] = {
#define BENCH_POSITION(fen) fen,
#include "core/board/bench_positions.def"
};
