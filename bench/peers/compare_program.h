// SPDX-License-Identifier: GPL-3.0-or-later
// Another program as a thing to measure: its perft and its search, in processor time.
#pragma once

#include "selfplay/engines/engine_session.h"

typedef struct MeasuredProgram {
    PlayerSpec spec;                       // owned
    const char *perft, *answer;            // from compare_peers.def; perft empty: it has none
    Conversation talk;                     // opened when needed
    char note[LAST_WORDS_SIZE + ERR_SIZE]; // the last thing that went wrong
} MeasuredProgram;

// Copies the spec.
void measured_program_init(MeasuredProgram *program, const PlayerSpec *spec);
void measured_program_clear(MeasuredProgram *program);
// The peers of compare_peers.def: name of peer i (a profile); NULL behind the last.
const char *measured_peer_name(int i);

// Both start the program where it does not run, set the position up, and return false, with a
// note, when no number comes out; a program that fails is ended, and started again by the next.

// Lets it count: *nodes, and *seconds of its processor time.
bool measured_program_perft(MeasuredProgram *program, const Position *position, int depth,
                            uint64_t *nodes, double *seconds);
// Lets it search for a time or, with depth > 0, to a depth. The nodes it told of last, and its
// processor time until it said so: what it did after that is in neither.
bool measured_program_search(MeasuredProgram *program, const Position *position, int movetime_ms,
                             int depth, uint64_t *nodes, double *seconds);
