// SPDX-License-Identifier: GPL-3.0-or-later
#include "selfplay/contest/contest_spec.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"

void contest_players_text(const ContestSpec *spec, Text *text) {
    for (int i = 0; i < spec->player_count; i++) {
        const PlayerSetup *player = &spec->players[i];
        text_add(text, "%s%d ", i ? ", " : "", i + 1);
        for (const char *at = player->spec.name; *at; at++) {
            // Omit a comma before a blank in the name: ", " separates the players.
            if (strncmp(at, ", ", 2) != 0) text_add(text, "%c", *at);
        }
        text_add(text, " %s",
                 player->spec.program ? player->spec.profile->name : player->weights_hash);
    }
}

void contest_spec_clear(ContestSpec *spec) {
    for (int i = 0; i < spec->player_count; i++) player_setup_clear(&spec->players[i]);
    free(TAKE(spec->players));
    opening_source_clear(&spec->openings);
}
