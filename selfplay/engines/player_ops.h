// SPDX-License-Identifier: GPL-3.0-or-later
// What a kind of player provides. A kind puts a Player first in its own struct.
#pragma once

#include "selfplay/engines/player.h"

typedef struct PlayerOps {
    Status (*new_game)(Player *player, const TimeControl *control, Err *err);
    void (*go)(Player *player, const PlayerTurn *turn, PlayerReply *reply);
    void (*close)(Player *player); // frees the player
} PlayerOps;

struct Player {
    const PlayerOps *ops;
    char engine_name[PLAYER_TEXT_SIZE];
    int restarts;
    long process_id; // of a program that runs; 0: none
};
