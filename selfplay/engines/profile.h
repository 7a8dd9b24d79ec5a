// SPDX-License-Identifier: GPL-3.0-or-later
// How an outside engine is to be spoken to: its protocol and its habits, as data. Profiles for what
// Debian has are built in (profiles.def); a user writes another in a file of the same form.
#pragma once

#include "core/board/position.h"
#include "selfplay/engines/template.h"

typedef enum ProfileField {
#define PROFILE_FIELD(id, name, kind, default_value, meaning) PROFILE_##id,
#include "selfplay/engines/profile_fields.def"
#undef PROFILE_FIELD
    PROFILE_FIELD_COUNT
} ProfileField;

typedef enum Protocol { PROTOCOL_UCI, PROTOCOL_UCCI, PROTOCOL_CECP } Protocol;
typedef enum ProfileHistory { HISTORY_GAME, HISTORY_CAPTURE, HISTORY_STEPS } ProfileHistory;

enum { PROFILE_NAME_SIZE = 64 };

typedef struct Profile {
    char name[PROFILE_NAME_SIZE];
    char
        *field[PROFILE_FIELD_COUNT]; // owned, never NULL; lines of a template separated by newlines
    // The fields that are words and numbers, read:
    Protocol protocol;
    FenDialect fen;
    TimeUnit time_unit;
    ProfileHistory history;
    int first_rank; // 0 or 1
    bool reuse;
    int start_ms, stop_ms;
} Profile;

// Looks up a built-in profile by name; a name with a slash or a dot is a file, whose last profile
// it is. STATUS_NOT_FOUND lists the names; STATUS_BAD_INPUT names the line of the file. Release
// with profile_clear().
Status profile_load(const char *name, Profile *profile, Err *err);
// The last profile of a text in the form of a profile file; `what` names it in errors.
Status profile_parse(const char *text, const char *what, Profile *profile, Err *err);
void profile_copy(Profile *to, const Profile *from);
void profile_clear(Profile *profile);
// Sets a field to a copy of the value; what is read from it stays as it was.
void profile_set(Profile *profile, ProfileField field, const char *value);

// Name of the built-in profile whose command is this program (the first word without directories)
// and whose protocol is this one (NULL: any); NULL: none.
const char *profile_for_program(const char *command, const char *protocol);
// Name of built-in profile i, NULL behind the last.
const char *profile_builtin_name(int i);
// The profile in the form of a file, every field that is not empty.
void profile_write(const Profile *profile, Text *text);
