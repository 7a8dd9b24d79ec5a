// SPDX-License-Identifier: GPL-3.0-or-later
#include "selfplay/engines/shared_core.h"

#include "selfplay/engines/player_ops.h"

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

void companions_note(Companions *companions, Player *const players[SIDE_COUNT], int64_t answer_ns) {
    companions->quick = answer_ns < QUICK_NS ? companions->quick + 1 : 0;
    if (companions->kept) {
        if (companions->quick == 0) companions_part(companions, players);
        return;
    }
    const int here = companions->quick >= QUICK_ANSWERS ? sched_getcpu() : -1;
    if (here < 0 || here >= CPU_SETSIZE || !both_are_programs(players)) return;
    if (sched_getaffinity(0, sizeof companions->allowed, &companions->allowed) != 0) return;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET((size_t)here, &one);
    move_all(players, &one);
    companions->kept = true;
}

void companions_part(Companions *companions, Player *const players[SIDE_COUNT]) {
    if (!companions->kept) return;
    move_all(players, &companions->allowed);
    companions->kept = false;
}
