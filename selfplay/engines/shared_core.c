// SPDX-License-Identifier: GPL-3.0-or-later
#include "selfplay/engines/shared_core.h"

enum { QUICK_NS = 1000000, QUICK_ANSWERS = 8 };

// All three onto the processors of a set. A program that has ended in between is no error, nor is a
// system that does not allow it: this only saves time.
static void move_all(Player *const players[SIDE_COUNT], const cpu_set_t *set) {
    for (int side = RED; side <= BLACK; side++) {
        sched_setaffinity((pid_t)players[side]->process_id, sizeof *set, set);
    }
    sched_setaffinity(0, sizeof *set, set);
}

static bool both_are_programs(Player *const players[SIDE_COUNT]) {
    return players[RED]->process_id > 0 && players[BLACK]->process_id > 0;
}

void shared_core_note(SharedCore *shared_core, Player *const players[SIDE_COUNT],
                      int64_t answer_ns) {
    shared_core->quick = answer_ns < QUICK_NS ? shared_core->quick + 1 : 0;
    if (shared_core->kept) {
        if (shared_core->quick == 0) shared_core_part(shared_core, players);
        return;
    }
    const int here = shared_core->quick >= QUICK_ANSWERS ? sched_getcpu() : -1;
    if (here < 0 || here >= CPU_SETSIZE || !both_are_programs(players)) return;
    if (sched_getaffinity(0, sizeof shared_core->allowed, &shared_core->allowed) != 0) return;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET((size_t)here, &one);
    move_all(players, &one);
    shared_core->kept = true;
}

void shared_core_part(SharedCore *shared_core, Player *const players[SIDE_COUNT]) {
    if (!shared_core->kept) return;
    move_all(players, &shared_core->allowed);
    shared_core->kept = false;
}
