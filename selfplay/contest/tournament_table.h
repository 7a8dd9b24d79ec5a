// SPDX-License-Identifier: GPL-3.0-or-later
// What a tournament tells at its end: the results of each pairing, and the players by rating.
#pragma once

#include "selfplay/contest/contest_run.h"

typedef struct TournamentTable {
    FILE *out;
    bool json;
    int anchor; // player whose rating is given, from 0
    double anchor_elo;
} TournamentTable;

// STATUS_NUMERIC when the games do not tie all players to the anchor.
Status tournament_print(const TournamentTable *table, const Contest *contest,
                        const ContestResult *result, Err *err);
