// SPDX-License-Identifier: GPL-3.0-or-later
#include "selfplay/engines/player.h"

static const struct {
    const char *name, *meaning;
} faults[] = {
#define PLAYER_FAULT(id, name, meaning) {name, meaning},
#include "selfplay/engines/player_faults.def"
#undef PLAYER_FAULT
};

const char *player_fault_name(PlayerFault fault) {
    return faults[fault].name;
}

const char *player_fault_meaning(PlayerFault fault) {
    return faults[fault].meaning;
}

Status player_new_game(Player *player, const TimeControl *control, Err *err) {
    return player->ops->new_game(player, control, err);
}

void player_go(Player *player, const PlayerTurn *turn, PlayerReply *reply) {
    *reply = (PlayerReply){0};
    player->ops->go(player, turn, reply);
}

void player_close(Player *player) {
    if (player) player->ops->close(player);
}
