// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rules/mate_threat.h"

enum { THREAT_CHECKS = 3, THREAT_BUDGET = 4000 };

// Do all answers of the checked side to move lead into another mate by checks?
static bool check_mates(const Position *checked, int checks_left, int *budget) {
    MoveList answers;
    position_legal_moves(checked, &answers);
    if (answers.count > 0 && checks_left == 0) return false;
    for (int i = 0; i < answers.count; i++) {
        Position next;
        position_do_move(checked, answers.moves[i], &next);
        if (!mate_threat_exists(&next, checks_left, budget)) return false;
    }
    return true;
}

bool mate_threat_exists(const Position *position, int checks, int *budget) {
    MoveList moves;
    position_legal_moves(position, &moves);
    for (int i = 0; i < moves.count; i++) {
        Position next;
        position_do_move(position, moves.moves[i], &next);
        if (!position_in_check(&next)) continue;
        if (--*budget <= 0) return false;
        if (check_mates(&next, checks - 1, budget)) return true;
    }
    return false;
}

bool mate_threat_is_new(const Position *before, const Position *after) {
    Position passed;
    position_do_null(after, &passed);
    int budget = THREAT_BUDGET;
    if (!mate_threat_exists(&passed, THREAT_CHECKS, &budget)) return false;
    budget = THREAT_BUDGET;
    return !mate_threat_exists(before, THREAT_CHECKS, &budget);
}
