// SPDX-License-Identifier: GPL-3.0-or-later
// Our engine in process as a player: its weights, search parameters and limits.
#pragma once

#include "core/search.h"
#include "selfplay/player_spec.h"

typedef struct EngineSpec {
    char name[PLAYER_NAME_SIZE];
    char weights_name[256]; // as given
    Weights weights;
    SearchParams params;
    SearchLimits limits; // of each move; zero where the text said nothing
    double hash_mb;      // 0 where the text said nothing
} EngineSpec;

// From a player of the command line: loads the weights, sets the search parameters. STATUS_USAGE for a
// program, and for what only programs are given (st, tc, threads).
Status engine_spec_from_player(const PlayerSpec *player, EngineSpec *spec, Err *err);
// player_spec_parse() and engine_spec_from_player() in one.
Status engine_spec_parse(const char *text, const char *what, EngineSpec *spec, Err *err);
