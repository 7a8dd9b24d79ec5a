// SPDX-License-Identifier: GPL-3.0-or-later
#include "selfplay/engines/player_spec.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/command/common_rows.h"
#include "core/command/foreign.h"
#include "core/command/options.h"
#include "selfplay/engines/process.h"

// ---- time controls and clocks -------------------------------------------------------------------

// The longest time in seconds that is accepted: ten days. It is far longer than any game, and fits
// into 64-bit nanoseconds.
#define SECONDS_MAX 864000.0

// Parses a time, given as seconds or as minutes:seconds.
static Status parse_time(const char *text, int64_t *ns, const char *what, Err *err) {
    const char *colon = strchr(text, ':');
    double seconds = 0.0;
    long long minutes = 0;
    if (colon) {
        AUTO_FREE char *whole = memory_copy_text(text);
        whole[colon - text] = '\0';
        TRY(parse_int(whole, 0, 10000, &minutes, what, err));
    }
    TRY(parse_real(colon ? colon + 1 : text, 0.0, colon ? 59.999999 : SECONDS_MAX, &seconds, what,
                   err));
    *ns = (int64_t)(seconds * 1e9 + 0.5) + minutes * 60 * 1000000000;
    return STATUS_OK;
}

// Returns true for several time controls, separated by ':', such as 40/10+0.1:20+0.2. One colon can
// also belong to a time M:SS.
static bool is_list_of_clocks(const char *text) {
    int pluses = 0, slashes = 0, colons = 0, decimal = 0;
    for (const char *at = text; *at; at++) {
        pluses += *at == '+';
        slashes += *at == '/';
        colons += *at == ':';
        decimal += *at == ':' && strcspn(text, ".") < (size_t)(at - text);
    }
    return colons > 0 && (pluses > 1 || slashes > 1 || colons > 2 || decimal > 0);
}

Status timecontrol_parse(const char *text, TimeControl *control, Err *err) {
    char buffer[64];
    *control = (TimeControl){0};
    if (strlen(text) >= sizeof buffer) {
        return err_set(err, STATUS_USAGE, "'%.40s...' is too long", text);
    }
    if (is_list_of_clocks(text)) {
        return err_set(err, STATUS_USAGE,
                       "'%s' has several time controls, but one is supported: "
                       "[MOVES/]TIME[+INCREMENT]; with MOVES it is repeated",
                       text);
    }
    strcpy(buffer, text);
    char *time = buffer, *slash = strchr(buffer, '/'), *plus = strchr(buffer, '+');
    long long moves = 0;
    // The slash after the number of moves precedes the plus, as in "40/60+0.5". A slash after the
    // plus is an error, which the parser of the increment reports.
    if (plus && slash && plus < slash) slash = NULL;
    if (plus) *plus++ = '\0';
    if (slash) {
        *slash = '\0';
        time = slash + 1;
        TRY(parse_int(buffer, 1, 1000, &moves, "moves", err));
    }
    TRY(parse_time(time, &control->base_ns, "time", err));
    if (plus) TRY(parse_time(plus, &control->inc_ns, "increment", err));
    control->moves = (int)moves;
    if (control->base_ns > 0) return STATUS_OK;
    return err_set(err, STATUS_USAGE, "'%s' has no time: write [MOVES/]TIME[+INCREMENT]", text);
}

Status timecontrol_parse_move(const char *text, TimeControl *control, Err *err) {
    *control = (TimeControl){0};
    TRY(parse_time(text, &control->move_ns, "st", err));
    if (control->move_ns > 0) return STATUS_OK;
    return err_set(err, STATUS_USAGE, "st: '%s' is not a time above 0", text);
}

bool timecontrol_is_used(const TimeControl *control) {
    return control->base_ns > 0 || control->move_ns > 0;
}

bool clock_is_used(const Clock *clock) {
    return timecontrol_is_used(&clock->control);
}

void clock_start(Clock *clock, const TimeControl *control) {
    *clock = (Clock){.control = *control,
                     .left_ns = control->move_ns > 0 ? control->move_ns : control->base_ns,
                     .moves_left = control->moves};
}

bool clock_move(Clock *clock, int64_t spent_ns, int64_t margin_ns) {
    if (!clock_is_used(clock)) return true;
    if (spent_ns > clock->left_ns + margin_ns) return false;
    const TimeControl *control = &clock->control;
    if (control->move_ns > 0) return true;
    clock->left_ns -= spent_ns < clock->left_ns ? spent_ns : clock->left_ns;
    clock->left_ns += control->inc_ns;
    if (control->moves > 0 && --clock->moves_left == 0) {
        clock->left_ns += control->base_ns;
        clock->moves_left = control->moves;
    }
    return true;
}

// ---- PLAYER texts -------------------------------------------------------------------------------

typedef enum PlayerKey {
#define PLAYER_KEY(id, name, who, kind, meaning) KEY_##id,
#include "selfplay/engines/player_keys.def"
    KEY_COUNT
} PlayerKey;

typedef enum PlayerKind { KIND_ANY, KIND_PROGRAM, KIND_ENGINE } PlayerKind;

#define NUMBER(TYPE, M, least, most)                                                               \
    .type = OPTION_##TYPE, .offset = offsetof(PlayerSpec, M), .min = least, .max = most
#define TEXT(M) .type = OPTION_TEXT, .offset = offsetof(PlayerSpec, M)
#define FLAG(M) .type = OPTION_FLAG, .offset = offsetof(PlayerSpec, M)
#define OTHER   .type = OPTION_FLAG // `type` is not used: set_value() has code for this key

static const struct {
    PlayerKind who;
    OptionRow row;
} keys[KEY_COUNT] = {
#define PLAYER_KEY(id, key, who, kind, meaning) {KIND_##who, {.name = key, kind}},
#include "selfplay/engines/player_keys.def"
};

// Returns the member that receives the value of a key of type TEXT, or NULL for a key of another
// type.
static char **text_of(PlayerSpec *spec, int key) {
    const OptionRow *row = &keys[key].row;
    return row->type == OPTION_TEXT ? (char **)((char *)spec + row->offset) : NULL;
}

static Status set_value(PlayerSpec *spec, PlayerKey key, const char *value, Err *err) {
    const OptionRow *row = &keys[key].row;
    char **text = text_of(spec, (int)key);
    long long ms = 0;
    switch (key) {
    case KEY_QUIRK:
        return quirk_set(&spec->quirks, value, err);
    case KEY_NAME:
        if (!*value || strlen(value) >= sizeof spec->name) {
            return err_set(err, STATUS_USAGE, "name: '%.70s' is empty or longer than 63 bytes",
                           value);
        }
        strcpy(spec->name, value);
        text_make_printable(spec->name);
        return STATUS_OK;
    case KEY_ST:
    case KEY_TC:
        if (key == KEY_ST ? spec->limits.control.base_ns : spec->limits.control.move_ns) {
            return err_set(err, STATUS_USAGE, "st and tc exclude each other: give one of them");
        }
        if (key == KEY_ST) return timecontrol_parse_move(value, &spec->limits.control, err);
        return timecontrol_parse(value, &spec->limits.control, err) ? err_prefix(err, "tc")
                                                                    : STATUS_OK;
    case KEY_MARGIN:
        TRY(parse_int(value, 0, 3600000, &ms, "margin", err));
        spec->has_margin = true;
        spec->margin_ns = ms * MS_NS;
        return STATUS_OK;
    case KEY_PROTO: // choose_profile() has already read the value of this key
    case KEY_PROFILE:
        return STATUS_OK;
    default:
        break;
    }
    if (!text) return option_read(row, row->name, value, spec, err);
    if (!*value) return err_set(err, STATUS_USAGE, "%s= needs a value", row->name);
    free(*text);
    *text = memory_copy_text(value);
    return STATUS_OK;
}

static Status unknown_key(const char *key, Err *err) {
    AUTO(Text) known = {0};
    Nearest nearest = {.word = key, .length = strlen(key)};
    for (int i = 0; i < KEY_COUNT; i++) {
        text_add(&known, "%s, ", keys[i].row.name);
        nearest_try(&nearest, keys[i].row.name, strlen(keys[i].row.name));
    }
    if (strcmp(key, "movetime") == 0) nearest.name = "st=SECONDS";
    return err_set(err, STATUS_USAGE, "unknown key '%.40s'%s%s%s; the keys are %soption.NAME", key,
                   nearest.name ? " (did you mean " : "", nearest.name ? nearest.name : "",
                   nearest.name ? "?)" : "", known.data);
}

static Status set_key(PlayerSpec *spec, const char *key, const char *value, Err *err) {
    static const char option[] = "option.";
    if (strncmp(key, option, sizeof option - 1) == 0) {
        const char *name = key + sizeof option - 1;
        return *name ? player_spec_set_option(spec, name, value, err)
                     : err_set(err, STATUS_USAGE, "option. needs a name: write option.NAME=VALUE");
    }
    for (int i = 0; i < KEY_COUNT; i++) {
        if (strcmp(keys[i].row.name, key) != 0) continue;
        if (keys[i].who == KIND_ANY || spec->program == (keys[i].who == KIND_PROGRAM)) {
            return set_value(spec, (PlayerKey)i, value, err);
        }
        return err_set(err, STATUS_USAGE,
                       spec->program
                           ? "%s= is a key of our engine; for a program write option.NAME=VALUE"
                           : "%s= is a key of programs: add cmd= or profile=",
                       key);
    }
    return unknown_key(key, err);
}

void player_spec_add_value(Text *text, const char *value) {
    for (const char *at = value; *at; at++)
        text_add(text, "%s%c", strchr(",\\", *at) ? "\\" : "", *at);
}

enum { FIELDS_MAX = 2 * PLAYER_OPTIONS_MAX };

// The key=value pairs of a PLAYER text. The strings point into a copy of the text.
typedef struct Fields {
    int count;
    const char *keys[FIELDS_MAX], *values[FIELDS_MAX];
} Fields;

// Returns the last value of a key, or NULL if the key is missing.
static const char *value_of(const Fields *fields, PlayerKey key) {
    const char *value = NULL;
    for (int i = 0; i < fields->count; i++) {
        if (strcmp(fields->keys[i], keys[key].row.name) == 0) value = fields->values[i];
    }
    return value;
}

// Returns the error for a part of the PLAYER text without `=`.
static Status no_value(const char *field, Err *err) {
    const char *key = foreign_player_key(field);
    if (key) {
        return err_set(err, STATUS_USAGE,
                       "'%.60s' does not have the form KEY=VALUE; did you mean %s=%.60s?", field,
                       key, field);
    }
    return err_set(
        err, STATUS_USAGE,
        "'%.60s' does not have the form KEY=VALUE; did you mean cmd=%.60s (a program) or "
        "weights=%.60s (a file of weights)?",
        field, field, field);
}

// Splits a PLAYER text at its commas and removes backslashes that protect a character. Modifies the
// text.
static Status split(char *text, Fields *fields, Err *err) {
    for (char *from = *text ? text : NULL; from;) {
        char *field = from, *to = from;
        while (*from && *from != ',') {
            if (*from == '\\' && from[1]) from++;
            *to++ = *from++;
        }
        from = *from ? from + 1 : NULL;
        *to = '\0';
        char *value = strchr(field, '=');
        if (!value) return no_value(field, err);
        if (fields->count == FIELDS_MAX) {
            return err_set(err, STATUS_USAGE, "a player can have at most %d fields KEY=VALUE",
                           FIELDS_MAX);
        }
        *value = '\0';
        fields->keys[fields->count] = field;
        fields->values[fields->count++] = value + 1;
    }
    return STATUS_OK;
}

// If the player is a program, finds its profile (row of the table of engines): the row that
// profile= names, else the row with its command, else the row of its protocol. Sets the quirks and,
// if cmd= is missing, the command. If the player is our engine, only checks the value of proto=.
static Status choose_profile(const Fields *fields, PlayerSpec *spec, Err *err) {
    const char *name = value_of(fields, KEY_PROFILE), *proto = value_of(fields, KEY_PROTO);
    const char *command = value_of(fields, KEY_CMD);
    const Profile *protocol = NULL;
    if (proto) TRY(profile_find(proto, true, &protocol, err));
    if (!command && !name) return STATUS_OK;
    if (name && proto) {
        return err_set(err, STATUS_USAGE, "profile= already sets the protocol: omit proto=");
    }
    spec->program = true;
    if (name) TRY(profile_find(name, false, &spec->profile, err));
    if (!name) spec->profile = profile_for_program(command, protocol);
    if (!spec->profile) spec->profile = protocol ? protocol : profiles;
    spec->quirks = spec->profile->quirks;
    if (!command && !spec->profile->command) {
        return err_set(err, STATUS_USAGE, "the profile %s has no command: give cmd=", name);
    }
    if (!command) spec->command = memory_copy_text(spec->profile->command);
    return STATUS_OK;
}

// Sets the name of a player without name=. Our engine is named after its weights. A program is
// named after its profile if the table of engines has its command, else after the program file.
static void set_default_name(PlayerSpec *spec) {
    if (spec->name[0]) return;
    if (!spec->program) {
        const char *weights = spec->weights ? spec->weights : "default";
        snprintf(spec->name, sizeof spec->name, "%.*s", PLAYER_NAME_SIZE - 1, weights);
    } else if (profile_for_program(spec->command, NULL)) {
        snprintf(spec->name, sizeof spec->name, "%s", spec->profile->name);
    } else {
        process_program_name(spec->command, spec->name, sizeof spec->name);
    }
    text_make_printable(spec->name);
}

static Status parse_spec(const char *text, PlayerSpec *spec, Err *err) {
    AUTO_FREE char *copy = memory_copy_text(text);
    Fields fields = {0};
    TRY(split(copy, &fields, err));
    TRY(choose_profile(&fields, spec, err));
    for (int i = 0; i < fields.count; i++) {
        TRY(set_key(spec, fields.keys[i], fields.values[i], err));
    }
    set_default_name(spec);
    return STATUS_OK;
}

Status player_spec_parse(const char *text, const char *what, PlayerSpec *spec, Err *err) {
    *spec = (PlayerSpec){0};
    if (parse_spec(text, spec, err) == STATUS_OK) return STATUS_OK;
    err_prefix(err, "%s", what);
    player_spec_clear(spec);
    return err_usage(err, NULL);
}

Status player_spec_set_option(PlayerSpec *spec, const char *name, const char *value, Err *err) {
    int at = 0;
    while (at < spec->option_count && strcmp(spec->options[at].name, name) != 0) at++;
    if (at == PLAYER_OPTIONS_MAX) {
        return err_set(err, STATUS_USAGE, "a player can have at most %d options",
                       PLAYER_OPTIONS_MAX);
    }
    if (at == spec->option_count) {
        spec->options[spec->option_count++].name = memory_copy_text(name);
    } else {
        free(spec->options[at].value);
    }
    spec->options[at].value = memory_copy_text(value);
    return STATUS_OK;
}

bool limits_are_set(const PlayLimits *limits) {
    return limits->nodes || limits->depth || timecontrol_is_used(&limits->control);
}

void player_spec_clear(PlayerSpec *spec) {
    for (int i = 0; i < spec->option_count; i++) {
        free(spec->options[i].name);
        free(spec->options[i].value);
    }
    for (int i = 0; i < KEY_COUNT; i++) {
        char **text = text_of(spec, i);
        if (text) free(*text);
    }
    *spec = (PlayerSpec){0};
}
