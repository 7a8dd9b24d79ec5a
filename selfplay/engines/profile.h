// SPDX-License-Identifier: GPL-3.0-or-later
// How an outside engine is to be spoken to: its protocol and its habits, as data. Profiles for what
// Debian has are built in (profiles.def); a user writes another in a file of the same form.
#pragma once

#include "core/base/text.h"
#include "core/board/position.h"

// Lines for engines are written as templates:
//   go[ nodes {nodes}][ depth {depth}][ movetime {movetime_ms}]
// {NAME} stands for a value (placeholders.def). [A] is left out when a value in it is not there,
// [A|B] is then B. A backslash takes the next character as it is. Lines that come out empty are
// dropped.
typedef enum Placeholder {
#define PLACEHOLDER(id, name, kind, meaning) PLACE_##id,
#include "selfplay/engines/placeholders.def"
    PLACE_COUNT
} Placeholder;

// TIME_AUTO: UCCI settles whether it is seconds or milliseconds (profiles only).
typedef enum TimeUnit { TIME_MS, TIME_CS, TIME_S, TIME_AUTO } TimeUnit;

// The values of one expansion. Zero-initialise: nothing has a value.
typedef struct PlaceValues {
    bool has[PLACE_COUNT];
    const char *text[PLACE_COUNT]; // borrowed
    int64_t number[PLACE_COUNT];   // numbers; times in ns
    TimeUnit unit;                 // of times without a unit
} PlaceValues;

void place_set_text(PlaceValues *values, Placeholder place, const char *text);
void place_set_number(PlaceValues *values, Placeholder place, int64_t number);

// Is the template well formed, with placeholders that exist? The error names the place.
Status template_check(const char *text, Err *err);
// Does it have this placeholder?
bool template_uses(const char *text, Placeholder place);
// Appends the lines, each with its end. A line that needs a value outside of brackets which is not
// there is dropped. The template must be well formed.
void template_expand(const char *text, const PlaceValues *values, Text *out);

typedef enum ProfileField {
#define PROFILE_FIELD(id, name, kind, default_value, meaning) PROFILE_##id,
#include "selfplay/engines/profile_fields.def"
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
    int start_ms, silence_ms, stop_ms;
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
