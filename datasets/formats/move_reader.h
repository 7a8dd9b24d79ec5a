// SPDX-License-Identifier: GPL-3.0-or-later
// Moves of a game whose notation is known, or found out from the moves themselves.
#pragma once

#include "core/notation/notation.h"

// System of the moves: a NotationSystem, or what is tried per move.
enum { MOVES_DETECTED = -1 };

typedef struct MoveReader {
    int system; // a NotationSystem; MOVES_DETECTED until a move has been read
    bool fixed; // it is given: no other is tried
    bool exact; // all moves so far stand as their system writes them, so that none is in doubt
} MoveReader;

// system: a NotationSystem or MOVES_DETECTED.
void move_reader_init(MoveReader *reader, int system);

// The system of a name as files have it: "iccs", "WXF", "Chinese" ...; false when there is none.
bool move_system_from_tag(const char *text, NotationSystem *system);

// The systems that are tried where none is given, the likeliest first.
enum { TRIED_SYSTEMS = 10 };
extern const uint8_t tried_systems[TRIED_SYSTEMS];

// Reads a legal move. Where the system is not given: first by the one that read the last move, then
// by the first six that are tried. The error is that of the known system.
Status move_reader_read(MoveReader *reader, const Position *position, const char *text,
                        size_t length, Move *move, Err *err);
