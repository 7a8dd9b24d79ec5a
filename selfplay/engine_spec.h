// SPDX-License-Identifier: GPL-3.0-or-later
// A player as the command line describes it: "weights=fitted.txt,nodes=1000,name=A".
#pragma once

#include "core/search.h"

enum { PLAYER_NAME_SIZE = 64 };

// Our engine, in process.
typedef struct EngineSpec {
    char name[PLAYER_NAME_SIZE];
    char weights_name[256]; // as given
    Weights weights;
    SearchParams params;
    SearchLimits limits; // of each move; zero where the text said nothing
    double hash_mb;      // 0 where the text said nothing
} EngineSpec;

// Parses a comma list of key=value. `what` names the option in errors ("--a"). Keys: weights, name,
// nodes, depth, hash, option.NAME for a search parameter.
Status engine_spec_parse(const char *text, const char *what, EngineSpec *spec, Err *err);
