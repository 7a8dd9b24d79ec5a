// SPDX-License-Identifier: GPL-3.0-or-later
#include "selfplay/engines/player_spec.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "selfplay/engines/process.h"

// ---- clocks -------------------------------------------------------------------------------------

// Ten days: far above any game, far below what 64 bits hold.
#define SECONDS_MAX 864000.0

// Seconds, or minutes:seconds.
static Status parse_time(const char *text, int64_t *ns, const char *what, Err *err) {
    const char *colon = strchr(text, ':');
    double seconds = 0.0;
    long long minutes = 0;
    Status status = STATUS_OK;
    if (colon) {
        char buffer[16];
        snprintf(buffer, sizeof buffer, "%.*s", (int)(colon - text), text);
        status = parse_int(buffer, 0, 10000, &minutes, what, err);
    }
    if (status == STATUS_OK) {
        status = parse_real(colon ? colon + 1 : text, 0.0, colon ? 59.999999 : SECONDS_MAX,
                            &seconds, what, err);
    }
    *ns = (int64_t)(seconds * 1e9 + 0.5) + minutes * 60 * 1000000000;
    return status;
}

Status timecontrol_parse(const char *text, TimeControl *control, Err *err) {
    char buffer[64];
    *control = (TimeControl){0};
    if (strlen(text) >= sizeof buffer) {
        return err_set(err, STATUS_USAGE, "'%.40s...' is too long", text);
    }
    strcpy(buffer, text);
    char *time = buffer, *slash = strchr(buffer, '/'), *plus = strchr(buffer, '+');
    long long moves = 0;
    Status status = STATUS_OK;
    if (plus && slash && plus < slash) slash = NULL; // then the increment is no number
    if (plus) *plus++ = '\0';
    if (slash) {
        *slash = '\0';
        time = slash + 1;
        status = parse_int(buffer, 1, 1000, &moves, "moves", err);
    }
    if (status == STATUS_OK) status = parse_time(time, &control->base_ns, "time", err);
    if (status == STATUS_OK && plus) status = parse_time(plus, &control->inc_ns, "increment", err);
    if (status == STATUS_OK && control->base_ns <= 0) {
        status =
            err_set(err, STATUS_USAGE, "'%s' has no time: want [MOVES/]TIME[+INCREMENT]", text);
    }
    control->moves = (int)moves;
    return status == STATUS_OK ? status : err_usage(err, NULL);
}

Status timecontrol_parse_move(const char *text, TimeControl *control, Err *err) {
    *control = (TimeControl){0};
    Status status = parse_time(text, &control->move_ns, "st", err);
    if (status == STATUS_OK && control->move_ns <= 0) {
        status = err_set(err, STATUS_USAGE, "st: '%s' is no time", text);
    }
    return status == STATUS_OK ? status : err_usage(err, NULL);
}

bool clock_is_used(const Clock *clock) {
    return clock->control.base_ns > 0 || clock->control.move_ns > 0;
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

// ---- players ------------------------------------------------------------------------------------

typedef enum PlayerKey {
#define PLAYER_KEY(id, name, who, meaning) KEY_##id,
#include "selfplay/engines/player_keys.def"
    KEY_COUNT
} PlayerKey;

typedef enum PlayerKind { KIND_ANY, KIND_PROGRAM, KIND_ENGINE } PlayerKind;

static const struct {
    const char *name;
    PlayerKind who;
} keys[KEY_COUNT] = {
#define PLAYER_KEY(id, name, who, meaning) {name, KIND_##who},
#include "selfplay/engines/player_keys.def"
};

// A spec that is being read, and the values of its keys, NULL where a key is not given; borrowed.
typedef struct Reading {
    PlayerSpec *spec;
    const char *given[KEY_COUNT];
} Reading;

static Status set_protocol(Reading *reading, const char *value, Err *err) {
    static const char *const known[] = {"uci", "uci1", "cyclone", "ucci", "cecp"};
    if (strcmp(value, "xboard") == 0) reading->given[KEY_PROTO] = value = "cecp";
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strcmp(known[i], value) == 0) return STATUS_OK;
    }
    return err_set(err, STATUS_USAGE, "proto: '%.40s' is not one of uci, uci1, cyclone, ucci, cecp",
                   value);
}

static Status set_name(PlayerSpec *spec, const char *value, Err *err) {
    if (!*value || strlen(value) >= sizeof spec->name) {
        return err_set(err, STATUS_USAGE, "name: '%.70s' is empty or too long", value);
    }
    strcpy(spec->name, value);
    text_make_printable(spec->name);
    return STATUS_OK;
}

static Status set_text(char **text, PlayerKey key, const char *value, Err *err) {
    if (!*value) return err_set(err, STATUS_USAGE, "%s: no value", keys[key].name);
    free(*text);
    *text = memory_copy_text(value);
    return STATUS_OK;
}

static Status set_int(int *to, PlayerKey key, const char *value, int max, Err *err) {
    long long number = 0;
    const Status status = parse_int(value, 1, max, &number, keys[key].name, err);
    *to = (int)number;
    return status;
}

// st= and tc=.
static Status set_control(TimeControl *control, PlayerKey key, const char *value, Err *err) {
    if (key == KEY_ST ? control->base_ns : control->move_ns) {
        return err_set(err, STATUS_USAGE, "st and tc exclude each other");
    }
    if (key == KEY_ST) return timecontrol_parse_move(value, control, err);
    const Status status = timecontrol_parse(value, control, err);
    return status == STATUS_OK ? status : err_prefix(err, "tc");
}

static Status set_ponder(bool *ponder, const char *value, Err *err) {
    *ponder = strcmp(value, "yes") == 0;
    if (*ponder || strcmp(value, "no") == 0) return STATUS_OK;
    return err_set(err, STATUS_USAGE, "ponder: '%.40s' is not yes or no", value);
}

static Status set_margin(PlayerSpec *spec, const char *value, Err *err) {
    long long ms = 0;
    const Status status = parse_int(value, 0, 3600000, &ms, "margin", err);
    spec->has_margin = true;
    spec->margin_ns = ms * MS_NS;
    return status;
}

// Numbers and ranges of processors, '+' between them.
static Status set_affinity(cpu_set_t *processors, const char *value, Err *err) {
    CPU_ZERO(processors);
    for (const char *at = value;; at++) {
        char *end;
        const bool digit = *at >= '0' && *at <= '9';
        const unsigned long first = strtoul(at, &end, 10);
        const bool range = *end == '-' && end[1] >= '0' && end[1] <= '9';
        const unsigned long last = range ? strtoul(end + 1, &end, 10) : first;
        if (!digit || (*end && *end != '+') || first > last) {
            return err_set(err, STATUS_USAGE, "affinity: '%.40s' is no list of processors as 0-3+6",
                           value);
        }
        if (last >= CPU_SETSIZE) {
            return err_set(err, STATUS_USAGE, "affinity: '%.40s': there is no processor %lu", value,
                           last);
        }
        for (unsigned long i = first; i <= last; i++) CPU_SET(i, processors);
        if (!*end) return STATUS_OK;
        at = end;
    }
}

static Status set_value(Reading *reading, PlayerKey key, const char *value, Err *err) {
    PlayerSpec *spec = reading->spec;
    reading->given[key] = value;
    switch (key) {
    case KEY_CMD:
        return *value ? STATUS_OK : err_set(err, STATUS_USAGE, "cmd: the command is empty");
    case KEY_PROTO:
        return set_protocol(reading, value, err);
    case KEY_PROFILE:
        return STATUS_OK;
    case KEY_NAME:
        return set_name(spec, value, err);
    case KEY_WEIGHTS:
        return set_text(&spec->weights, key, value, err);
    case KEY_NODES:
        return parse_u64(value, &spec->nodes, "nodes", err);
    case KEY_DEPTH:
        return set_int(&spec->depth, key, value, 100, err);
    case KEY_ST:
    case KEY_TC:
        return set_control(&spec->control, key, value, err);
    case KEY_THREADS:
        return set_int(&spec->threads, key, value, 4096, err);
    case KEY_HASH:
        return parse_real(value, 0.001, 1048576, &spec->hash_mb, "hash", err);
    case KEY_LOG:
        return set_text(&spec->log, key, value, err);
    case KEY_DIR:
        return set_text(&spec->dir, key, value, err);
    case KEY_PONDER:
        return set_ponder(&spec->ponder, value, err);
    case KEY_MARGIN:
        return set_margin(spec, value, err);
    case KEY_AFFINITY:
        return set_affinity(&spec->processors, value, err);
    case KEY_COUNT:
        break;
    }
    return STATUS_USAGE;
}

static Status set_key(Reading *reading, const char *key, const char *value, Err *err) {
    static const char option[] = "option.";
    if (strncmp(key, option, sizeof option - 1) == 0) {
        const char *name = key + sizeof option - 1;
        return *name ? player_spec_set_option(reading->spec, name, value, err)
                     : err_set(err, STATUS_USAGE, "option. wants a name: option.NAME=VALUE");
    }
    for (int i = 0; i < KEY_COUNT; i++) {
        if (strcmp(keys[i].name, key) == 0) return set_value(reading, (PlayerKey)i, value, err);
    }
    Text known = {0};
    Nearest nearest = {.word = key, .length = strlen(key)};
    for (int i = 0; i < KEY_COUNT; i++) {
        text_add(&known, "%s, ", keys[i].name);
        nearest_try(&nearest, keys[i].name, strlen(keys[i].name));
    }
    if (strcmp(key, "movetime") == 0) nearest.name = "st=SECONDS";
    err_set(err, STATUS_USAGE, "no key '%.40s'%s%s%s; known: %soption.NAME", key,
            nearest.name ? ", did you mean " : "", nearest.name ? nearest.name : "",
            nearest.name ? "?" : "", text_get(&known));
    text_clear(&known);
    return STATUS_USAGE;
}

void player_spec_add_value(Text *text, const char *value) {
    for (const char *at = value; *at; at++)
        text_add(text, "%s%c", strchr(",\\", *at) ? "\\" : "", *at);
}

// The next field of a comma list: cuts *cursor behind it and takes its backslashes out.
static char *next_field(char **cursor) {
    char *field = *cursor, *from = field, *to = field;
    if (!field) return NULL;
    while (*from && *from != ',') {
        if (*from == '\\' && from[1]) from++;
        *to++ = *from++;
    }
    *cursor = *from ? from + 1 : NULL;
    *to = '\0';
    return field;
}

// Finds the profile of a program and puts its command in.
static Status resolve_program(const Reading *reading, Err *err) {
    PlayerSpec *spec = reading->spec;
    const char *name = reading->given[KEY_PROFILE], *protocol = reading->given[KEY_PROTO];
    const char *command = reading->given[KEY_CMD];
    if (name && protocol) {
        return err_set(err, STATUS_USAGE, "profile= says the protocol: leave proto= out");
    }
    if (!name) name = profile_for_program(command, protocol);
    if (!name) name = protocol ? protocol : "uci";
    const Status status = profile_load(name, &spec->profile, err);
    if (status != STATUS_OK) return status;
    spec->program = true;
    if (command) profile_set(&spec->profile, PROFILE_COMMAND, command);
    if (!spec->profile.field[PROFILE_COMMAND][0]) {
        return err_set(err, STATUS_USAGE,
                       "the profile %s has no command: give cmd=", spec->profile.name);
    }
    return STATUS_OK;
}

// Keys that a player of this kind has no use for.
static Status check_kind(const Reading *reading, Err *err) {
    const bool program = reading->spec->program;
    for (int i = 0; i < KEY_COUNT; i++) {
        if (!reading->given[i] || keys[i].who == KIND_ANY) continue;
        if (program == (keys[i].who == KIND_PROGRAM)) continue;
        return err_set(err, STATUS_USAGE,
                       program ? "%s= is for our engine in process; use option.NAME=VALUE"
                               : "%s= is for programs: give cmd= or profile=",
                       keys[i].name);
    }
    return STATUS_OK;
}

static void default_name(PlayerSpec *spec) {
    if (spec->name[0]) return;
    const char *from = spec->weights ? spec->weights : "default";
    if (spec->program) from = spec->profile.name;
    snprintf(spec->name, sizeof spec->name, "%.*s", PLAYER_NAME_SIZE - 1, from);
    text_make_printable(spec->name);
}

// A program with a profile of a whole protocol is called after itself.
static void name_after_command(PlayerSpec *spec, const char *command) {
    if (spec->name[0] || !command || profile_for_program(command, NULL)) return;
    process_program_name(command, spec->name, sizeof spec->name);
    text_make_printable(spec->name);
}

Status player_spec_parse(const char *text, const char *what, PlayerSpec *spec, Err *err) {
    *spec = (PlayerSpec){0};
    char *copy = memory_copy_text(text), *cursor = copy;
    Reading reading = {.spec = spec};
    Status status = STATUS_OK;
    for (char *field; status == STATUS_OK && *text && (field = next_field(&cursor)) != NULL;) {
        char *value = strchr(field, '=');
        if (!value) {
            status = err_set(err, STATUS_USAGE, "'%.60s' is not key=value", field);
            break;
        }
        *value++ = '\0';
        status = set_key(&reading, field, value, err);
    }
    if (status == STATUS_OK && (reading.given[KEY_CMD] || reading.given[KEY_PROFILE])) {
        status = resolve_program(&reading, err);
    }
    if (status == STATUS_OK) status = check_kind(&reading, err);
    if (status == STATUS_OK) {
        if (spec->program) name_after_command(spec, reading.given[KEY_CMD]);
        default_name(spec);
    } else {
        err_prefix(err, "%s", what);
        status = err_usage(err, NULL);
        player_spec_clear(spec);
    }
    free(copy);
    return status;
}

Status player_spec_set_option(PlayerSpec *spec, const char *name, const char *value, Err *err) {
    int at = 0;
    while (at < spec->option_count && strcmp(spec->options[at].name, name) != 0) at++;
    if (at == PLAYER_OPTIONS_MAX) {
        return err_set(err, STATUS_USAGE, "more than %d options", PLAYER_OPTIONS_MAX);
    }
    if (at == spec->option_count) {
        spec->options[spec->option_count++].name = memory_copy_text(name);
    } else {
        free(spec->options[at].value);
    }
    spec->options[at].value = memory_copy_text(value);
    return STATUS_OK;
}

void player_spec_copy(PlayerSpec *to, const PlayerSpec *from) {
    *to = *from;
    to->weights = from->weights ? memory_copy_text(from->weights) : NULL;
    to->log = from->log ? memory_copy_text(from->log) : NULL;
    to->dir = from->dir ? memory_copy_text(from->dir) : NULL;
    if (from->program) profile_copy(&to->profile, &from->profile);
    for (int i = 0; i < from->option_count; i++) {
        to->options[i] = (PlayerOption){memory_copy_text(from->options[i].name),
                                        memory_copy_text(from->options[i].value)};
    }
}

void player_spec_clear(PlayerSpec *spec) {
    for (int i = 0; i < spec->option_count; i++) {
        free(spec->options[i].name);
        free(spec->options[i].value);
    }
    free(spec->weights);
    free(spec->log);
    free(spec->dir);
    profile_clear(&spec->profile);
    *spec = (PlayerSpec){0};
}
