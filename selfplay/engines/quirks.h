// SPDX-License-Identifier: GPL-3.0-or-later
// The table of engines: the protocol of each engine, and its deviations from that protocol
// (quirks.def).
#pragma once

#include "core/base/text.h"

typedef enum Protocol { PROTOCOL_UCI, PROTOCOL_UCCI, PROTOCOL_CECP } Protocol;

enum { QUIRK_TEXT_SIZE = 192 };
#define QUIRK_MEMBER_FLAG(id)   bool id;
#define QUIRK_MEMBER_NUMBER(id) int id;
#define QUIRK_MEMBER_TEXT(id)   char id[QUIRK_TEXT_SIZE]; // lines, each with a line end

// Deviations of an engine from its protocol. All zero means none.
typedef struct Quirks {
#define QUIRK(id, kind, meaning) QUIRK_MEMBER_##kind(id)
#include "selfplay/engines/quirks.def"
} Quirks;

// A row of the table: a known engine, or a protocol in general.
typedef struct Profile {
    const char *name;
    Protocol protocol;
    const char *command; // program name; NULL if the row is a protocol
    Quirks quirks;
} Profile;

extern const Profile profiles[]; // first row: plain UCI; last row: no name

// Finds the row with this name. If `protocols`, searches only rows without a command. Returns
// STATUS_USAGE if there is none; the error lists the names.
Status profile_find(const char *name, bool protocols, const Profile **profile, Err *err);
// Returns the row for the program of a command (its first word without directories), or NULL. If
// `protocol` is not NULL, the row must use the same protocol. A `protocol` row with the quirk ranks
// or cyclone matches no program.
const Profile *profile_for_program(const char *command, const Profile *protocol);

// Sets one quirk: "ranks:1", "no_stop", "init:LINE".
Status quirk_set(Quirks *quirks, const char *text, Err *err);
// Appends " NAME[:VALUE]" for each quirk that is set. Line ends between lines of a text are written
// as "|".
void quirks_write(const Quirks *quirks, Text *text);
