// SPDX-License-Identifier: GPL-3.0-or-later
// The table of engines: the protocol of each, and in what it differs from the protocol
// (quirks.def).
#pragma once

#include "core/base/text.h"

typedef enum Protocol { PROTOCOL_UCI, PROTOCOL_UCCI, PROTOCOL_CECP } Protocol;

enum { QUIRK_TEXT_SIZE = 192 };
#define QUIRK_MEMBER_FLAG(id)   bool id;
#define QUIRK_MEMBER_NUMBER(id) int id;
#define QUIRK_MEMBER_TEXT(id)   char id[QUIRK_TEXT_SIZE]; // lines, each with its end

// Zero: none.
typedef struct Quirks {
#define QUIRK(id, kind, meaning) QUIRK_MEMBER_##kind(id)
#include "selfplay/engines/quirks.def"
} Quirks;

// A row of the table: an engine that is known by name, or a whole protocol.
typedef struct Profile {
    const char *name;
    Protocol protocol;
    const char *command; // NULL: of a protocol
    Quirks quirks;
} Profile;

extern const Profile profiles[]; // the first is plain UCI; a row without a name ends them

// The row of a name. `protocols`: only rows without a command. STATUS_USAGE, with the names.
Status profile_find(const char *name, bool protocols, const Profile **profile, Err *err);
// The row whose command is this program (the first word without directories), of the protocol of
// this row (NULL: any; it must have no quirks); NULL: none.
const Profile *profile_for_program(const char *command, const Profile *protocol);

// Sets one: "ranks:1", "no_stop", "init:LINE".
Status quirk_set(Quirks *quirks, const char *text, Err *err);
// Adds " NAME[:VALUE]" for each that is set; line ends in texts are written as "|".
void quirks_write(const Quirks *quirks, Text *text);
