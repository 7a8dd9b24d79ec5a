// SPDX-License-Identifier: GPL-3.0-or-later
#include "selfplay/engines/profile.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "selfplay/engines/process.h"

typedef enum FieldKind { KIND_TEXT, KIND_TEMPLATE, KIND_WORD, KIND_NUMBER } FieldKind;

static const struct {
    const char *name;
    FieldKind kind;
    const char *default_value, *meaning;
} fields[PROFILE_FIELD_COUNT] = {
#define PROFILE_FIELD(id, name, kind, default_value, meaning)                                      \
    {name, KIND_##kind, default_value, meaning},
#include "selfplay/engines/profile_fields.def"
};

static const struct {
    const char *name, *text;
} builtins[] = {
#define PROFILE(name, text) {name, text},
#include "selfplay/engines/profiles.def"
#undef PROFILE
};
enum { BUILTIN_COUNT = sizeof builtins / sizeof *builtins };

enum { NUMBER_MAX = 3600000 }; // an hour

void profile_set(Profile *profile, ProfileField field, const char *value) {
    char *copy = memory_copy_text(value);
    free(profile->field[field]);
    profile->field[field] = copy;
}

static void append_field(Profile *profile, ProfileField field, const char *line) {
    Text text = {0};
    text_add(&text, "%s\n%s", profile->field[field], line);
    profile_set(profile, field, text.data);
    text_clear(&text);
}

static void profile_init(Profile *profile, const char *name) {
    *profile = (Profile){0};
    snprintf(profile->name, sizeof profile->name, "%s", name);
    for (int i = 0; i < PROFILE_FIELD_COUNT; i++)
        profile_set(profile, (ProfileField)i, fields[i].default_value);
}

void profile_clear(Profile *profile) {
    for (int i = 0; i < PROFILE_FIELD_COUNT; i++) free(profile->field[i]);
    *profile = (Profile){0};
}

void profile_copy(Profile *to, const Profile *from) {
    *to = *from;
    for (int i = 0; i < PROFILE_FIELD_COUNT; i++) to->field[i] = memory_copy_text(from->field[i]);
}

// ---- reading ---------------------------------------------------------------------------------

// Which of the words before the colon of `meaning` the value is; < 0: none.
static int word_index(const char *meaning, const char *value) {
    const size_t length = strlen(value);
    int index = 0;
    for (const char *at = meaning;; index++) {
        const size_t word = strcspn(at, "|:");
        if (word == length && memcmp(at, value, word) == 0) return index;
        if (at[word] != '|') return -1;
        at += word + 1;
    }
}

// Checks a field's value, and reads the words and numbers into *number.
static Status read_field(int field, const char *value, int *number, Err *err) {
    long long parsed = 0;
    Status status = STATUS_OK;
    switch (fields[field].kind) {
    case KIND_TEXT:
        break;
    case KIND_TEMPLATE:
        status = template_check(value, err);
        break;
    case KIND_NUMBER:
        status = parse_int(value, 0, NUMBER_MAX, &parsed, "the value", err);
        break;
    case KIND_WORD:
        parsed = word_index(fields[field].meaning, value);
        if (parsed < 0) {
            status = err_set(err, STATUS_BAD_INPUT, "'%.40s' is not one of %.*s", value,
                             (int)strcspn(fields[field].meaning, ":"), fields[field].meaning);
        }
        break;
    }
    if (status != STATUS_OK) return err_prefix(err, "field %s", fields[field].name);
    *number = (int)parsed;
    return STATUS_OK;
}

// Fills the typed members and checks what belongs together.
static Status resolve(Profile *profile, Err *err) {
    int number[PROFILE_FIELD_COUNT];
    for (int i = 0; i < PROFILE_FIELD_COUNT; i++) {
        const Status status = read_field(i, profile->field[i], &number[i], err);
        if (status != STATUS_OK) return status;
    }
    profile->protocol = (Protocol)number[PROFILE_PROTOCOL];
    profile->fen = (FenDialect)number[PROFILE_FEN];
    profile->time_unit = (TimeUnit)number[PROFILE_TIME_UNIT];
    profile->history = (ProfileHistory)number[PROFILE_HISTORY];
    profile->first_rank = number[PROFILE_RANKS];
    profile->reuse = number[PROFILE_REUSE] == 0;
    profile->start_ms = number[PROFILE_START_MS];
    profile->silence_ms = number[PROFILE_SILENCE_MS];
    profile->stop_ms = number[PROFILE_STOP_MS];
    static const ProfileField needed[] = {PROFILE_HANDSHAKE, PROFILE_POSITION, PROFILE_GO};
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++) {
        if (profile->field[needed[i]][0]) continue;
        return err_set(err, STATUS_BAD_INPUT,
                       "field %s is missing (or `base uci`, `base ucci`, ...)",
                       fields[needed[i]].name);
    }
    if (profile->history == HISTORY_STEPS &&
        !template_uses(profile->field[PROFILE_MOVE], PLACE_MOVE)) {
        return err_set(err, STATUS_BAD_INPUT, "history steps needs a field move with {move}");
    }
    return STATUS_OK;
}

// `name value`: cuts the line; the value is what follows the blanks, without blanks at the end.
static char *split_line(char *line) {
    size_t length = strlen(line);
    while (length > 0 && strchr(" \t\r", line[length - 1])) line[--length] = '\0';
    char *value = line + strcspn(line, " \t");
    if (*value) *value++ = '\0';
    while (*value == ' ' || *value == '\t') value++;
    return value;
}

// One field of the profile that is being read. given[] marks those that this profile has set
// itself.
static Status take_field(Profile *profile, const char *name, const char *value,
                         bool given[PROFILE_FIELD_COUNT], Err *err) {
    for (int i = 0; i < PROFILE_FIELD_COUNT; i++) {
        if (strcmp(fields[i].name, name) != 0) continue;
        int number;
        if (strcmp(value, "-") == 0) value = "";
        // Checked here already, so that the error has the line.
        if (*value || fields[i].kind != KIND_WORD) {
            const Status status = *value ? read_field(i, value, &number, err) : STATUS_OK;
            if (status != STATUS_OK) return status;
        }
        if (given[i] && fields[i].kind == KIND_TEMPLATE && profile->field[i][0]) {
            if (*value)
                append_field(profile, (ProfileField)i, value); // an empty line is no command
        } else {
            profile_set(profile, (ProfileField)i, value);
        }
        given[i] = true;
        return STATUS_OK;
    }
    return err_set(err, STATUS_BAD_INPUT, "no field '%.40s' in a profile", name);
}

static int builtin_index(const char *name) {
    for (int i = 0; i < BUILTIN_COUNT; i++) {
        if (strcmp(builtins[i].name, name) == 0) return i;
    }
    return -1;
}

static Status take_base(Profile *profile, const char *name, Err *err) {
    if (builtin_index(name) < 0) {
        return err_set(err, STATUS_BAD_INPUT, "no built-in profile '%.40s' to take as base", name);
    }
    if (strcmp(name, profile->name) == 0) {
        return err_set(err, STATUS_BAD_INPUT, "a profile '%.40s' cannot have itself as base", name);
    }
    Profile base;
    const Status status = profile_load(name, &base, err);
    if (status != STATUS_OK) return status;
    memcpy(base.name, profile->name, sizeof base.name);
    profile_clear(profile);
    *profile = base;
    return STATUS_OK;
}

// Reads the lines into *profile. begun: it has a name already.
static Status parse_lines(char *copy, Profile *profile, bool begun, size_t *line_number, Err *err) {
    bool given[PROFILE_FIELD_COUNT] = {false};
    char *cursor = copy;
    for (char *line; (line = text_next_field(&cursor, '\n')) != NULL;) {
        ++*line_number;
        const char *value = split_line(line);
        Status status = STATUS_OK;
        if (!*line || *line == '#') continue;
        if (strcmp(line, "profile") == 0) {
            profile_clear(profile);
            profile_init(profile, value);
            memset(given, 0, sizeof given);
            begun = true;
            if (!*value || strlen(value) >= PROFILE_NAME_SIZE) {
                status =
                    err_set(err, STATUS_BAD_INPUT, "a profile wants a name, not '%.70s'", value);
            }
        } else if (!begun) {
            status = err_set(err, STATUS_BAD_INPUT, "the first line must be `profile NAME`");
        } else if (strcmp(line, "base") == 0) {
            status = take_base(profile, value, err);
            memset(given, 0, sizeof given);
        } else {
            status = take_field(profile, line, value, given, err);
        }
        if (status != STATUS_OK) return status;
    }
    if (!begun) return err_set(err, STATUS_BAD_INPUT, "there is no line `profile NAME`");
    return resolve(profile, err);
}

static Status parse(const char *text, const char *name, const char *what, Profile *profile,
                    Err *err) {
    char *copy = memory_copy_text(text);
    size_t line_number = 0;
    profile_init(profile, name);
    const Status status = parse_lines(copy, profile, *name != '\0', &line_number, err);
    if (status != STATUS_OK) {
        err_prefix(err, "%s, line %zu", what, line_number);
        profile_clear(profile);
    }
    free(copy);
    return status;
}

Status profile_parse(const char *text, const char *what, Profile *profile, Err *err) {
    return parse(text, "", what, profile, err);
}

// ---- finding ---------------------------------------------------------------------------------

Status profile_load(const char *name, Profile *profile, Err *err) {
    const int builtin = builtin_index(name);
    if (builtin >= 0) return parse(builtins[builtin].text, name, name, profile, err);
    if (strpbrk(name, "/.")) {
        char *text;
        size_t length;
        Status status = text_read_file(name, &text, &length, err);
        if (status != STATUS_OK) return status;
        if (strlen(text) != length) {
            status = err_set(err, STATUS_BAD_INPUT, "%s: a byte 0 in a profile", name);
        } else {
            status = profile_parse(text, name, profile, err);
        }
        free(text);
        return status;
    }
    Text names = {0};
    for (int i = 0; i < BUILTIN_COUNT; i++) {
        text_add(&names, "%s%s", i ? ", " : "", builtins[i].name);
    }
    err_set(err, STATUS_NOT_FOUND,
            "no profile '%.40s'; there are %s, or a file (a name with . or /)", name,
            text_get(&names));
    text_clear(&names);
    return STATUS_NOT_FOUND;
}

const char *profile_builtin_name(int i) {
    return i >= 0 && i < BUILTIN_COUNT ? builtins[i].name : NULL;
}

const char *profile_for_program(const char *command, const char *protocol) {
    char wanted[PROFILE_NAME_SIZE], has[PROFILE_NAME_SIZE];
    process_program_name(command, wanted, sizeof wanted);
    for (int i = 0; i < BUILTIN_COUNT; i++) {
        Profile profile;
        if (profile_load(builtins[i].name, &profile, NULL) != STATUS_OK) continue;
        process_program_name(profile.field[PROFILE_COMMAND], has, sizeof has);
        const bool found = has[0] && strcmp(has, wanted) == 0 &&
                           (!protocol || strcmp(protocol, profile.field[PROFILE_PROTOCOL]) == 0);
        profile_clear(&profile);
        if (found) return builtins[i].name;
    }
    return NULL;
}

void profile_write(const Profile *profile, Text *text) {
    text_add(text, "profile %s\n", profile->name);
    for (int i = 0; i < PROFILE_FIELD_COUNT; i++) {
        if (!profile->field[i][0] && fields[i].default_value[0]) {
            text_add(text, "%s -\n", fields[i].name);
        }
        for (const char *at = profile->field[i]; *at;) {
            const size_t length = strcspn(at, "\n");
            if (length) text_add(text, "%s %.*s\n", fields[i].name, (int)length, at);
            at += length + (at[length] != '\0');
        }
    }
}
