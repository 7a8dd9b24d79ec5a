// SPDX-License-Identifier: GPL-3.0-or-later
// The table of known engines: the protocol of each engine, and its deviations from the protocol
// (quirks.def).
#pragma once

#include "core/base/text.h"

typedef enum Protocol { PROTOCOL_UCI, PROTOCOL_UCCI, PROTOCOL_CECP } Protocol;

enum { QUIRK_TEXT_SIZE = 192 };
#define QUIRK_MEMBER_FLAG(id)   bool id;
#define QUIRK_MEMBER_NUMBER(id) int id;
#define QUIRK_MEMBER_TEXT(id)   char id[QUIRK_TEXT_SIZE]; // lines to send, each with a line end

// Deviations of an engine from its protocol. All members are zero if it has none.
typedef struct Quirks {
#define QUIRK(id, kind, meaning) QUIRK_MEMBER_##kind(id)
#include "selfplay/engines/quirks.def"
} Quirks;

// The network file of a program that ignores the file without a message if its name is wrong, loads
// it at the first search only, and then says which evaluation it uses.
typedef struct NetworkFile {
    const char *option; // option that names the network file; NULL: the program has no such file
    const char *prefix; // beginning of the names of files that the program accepts for xiangqi
    const char *says;   // beginning of the message that names the network in use
} NetworkFile;

// A row of the table of engines: a known engine, or a protocol for engines that are not in the
// table.
typedef struct Profile {
    const char *name;
    Protocol protocol;
    const char *command; // name of the engine's program; NULL if this Profile is for a protocol
    Quirks quirks;       // quirks of the engine or, in the row of a protocol, of all programs that
                         // use this row
    // After the handshake a program is recognised by the name that it reports for itself (`id
    // name`), also if its file has another name or the player has another profile. The next members
    // say what is then checked.
    const char *id;             // beginning of this name; NULL: the row is not recognised so
    const char *refusals[2];    // texts of messages by which the program refuses an option
    bool has_search_parameters; // its options are the parameters of Paotai's search
    NetworkFile network;
} Profile;

extern const Profile profiles[]; // the table of engines; the first row is plain UCI, and a row
                                 // without a name ends the table

// Finds the row of the table with this name. If `protocols`, searches only the rows of protocols.
// Returns STATUS_USAGE if there is no such row; the error lists the names.
Status profile_find(const char *name, bool protocols, const Profile **profile, Err *err);
// Returns the first row of the table of engines whose `command` is the program of a command line
// (the first word without directories), or NULL. If `protocol` is not NULL, it is the row of a
// protocol, and only engines with this protocol are found. Returns NULL if the quirks of `protocol`
// include `ranks` or `cyclone`, which change how positions or moves are written.
const Profile *profile_for_program(const char *command, const Profile *protocol);

// Returns the row that recognises a program by the name that it reports for itself, or NULL.
const Profile *profile_for_id(const char *id);

// Sets one quirk from a text such as "ranks:1", "no_stop" or "init:LINE". Returns STATUS_USAGE if
// the name or the value is not allowed.
Status quirk_set(Quirks *quirks, const char *text, Err *err);
// Appends " NAME[:VALUE]" for each quirk that is set. In a value with several lines, "|" replaces
// each line end except the last.
void quirks_write(const Quirks *quirks, Text *text);
