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

// A row: an engine that is known by name, or a whole protocol.
typedef struct Profile {
    const char *name;
    Protocol protocol;
    const char *command; // NULL: of a protocol
    Quirks quirks;
} Profile;

// Row i, NULL behind the last.
const Profile *profile_row(int i);
// The row of a name; NULL: none. `protocols`: only rows without a command.
const Profile *profile_find(const char *name, bool protocols);
// The names, ", " between them.
void profile_names(bool protocols, Text *text);
// The row whose command is this program (the first word without directories), of the protocol of
// this row (NULL: any; it must have no quirks); NULL: none.
const Profile *profile_for_program(const char *command, const Profile *protocol);

// Sets one: "ranks:1", "no_stop", "init:LINE". STATUS_USAGE.
Status quirk_set(Quirks *quirks, const char *text, Err *err);
// Adds " NAME[:VALUE]" for each that is set; line ends in texts are written as "|".
void quirks_write(const Quirks *quirks, Text *text);
