// SPDX-License-Identifier: GPL-3.0-or-later
// Our engine as a player, in process.
#pragma once

#include "core/search/search.h"
#include "selfplay/engines/player.h"

// Our engine as a player's text describes it.
typedef struct EngineConfig {
    Weights weights;
    char weights_hash[SHA256_HEX_SIZE];
    SearchParams params;
    double hash_mb;
    int threads;
    uint64_t nodes; // limits of each move; without any limit the clock of the turn decides
    int depth;
} EngineConfig;

// Loads the weights and reads the options (search parameters) of a player that is no program.
// hash_mb and threads of the spec win over the ones given. STATUS_USAGE for an unknown option.
Status engine_config(const PlayerSpec *spec, double hash_mb, EngineConfig *config, Err *err);

// The config is copied. Games are independent: player_new_game() forgets the one before.
Player *player_open_engine(const EngineConfig *config, const Rules *rules);
