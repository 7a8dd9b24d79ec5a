// SPDX-License-Identifier: GPL-3.0-or-later
// Two programs that play each other and the thread that asks them take turns: only one of the three
// works at a time. Where the programs answer at once most of a ply's cost is waking a sleeping
// processor, so they are then kept on one. An engine that thinks is never kept anywhere: a pairing
// whose answers take longer is let go at once.
#pragma once

#include <sched.h>
#include <stdbool.h>
#include <stdint.h>

#include "selfplay/engines/player.h"

typedef struct SharedCore {
    cpu_set_t allowed; // of the thread before it was kept; valid when kept
    bool kept;
    int quick; // answers in a row that came at once
} SharedCore;

// Notes how long an answer took, and keeps or lets go. Only for players that are both programs: the
// threads of an engine in process would be kept too.
void shared_core_note(SharedCore *shared_core, Player *const players[SIDE_COUNT],
                      int64_t answer_ns);
// Lets go: at the end of a game, before anybody is started again.
void shared_core_part(SharedCore *shared_core, Player *const players[SIDE_COUNT]);
