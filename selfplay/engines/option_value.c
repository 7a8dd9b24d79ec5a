// SPDX-License-Identifier: GPL-3.0-or-later
#include "selfplay/engines/option_value.h"

#include <string.h>
#include <strings.h>

// Keywords of a UCI option declaration. A value ends before the next keyword: in `default a var b`
// the default value is "a".
static const char *const separators[] = {" default ", " min ", " max ", " var ", " type "};

// Returns the length of a value, which ends before the next keyword of the declaration.
static size_t value_length(const char *value) {
    const char *nearest = value + strlen(value);
    for (size_t i = 0; i < sizeof separators / sizeof *separators; i++) {
        const char *end = strstr(value, separators[i]);
        if (end && end < nearest) nearest = end;
    }
    return (size_t)(nearest - value);
}

// Finds a keyword such as " min " in the declaration `line` and reads the number after it. Returns
// false if the keyword or the number is missing.
static bool find_number(const char *line, const char *word, long long *number) {
    const char *at = strstr(line, word);
    return at && sscanf(at + strlen(word), "%lld", number) == 1;
}

static Status refuse(const PlayerOption *option, const char *wanted, Err *err) {
    return err_set(err, STATUS_USAGE, "option '%s': '%.100s' is not %s", option->name,
                   option->value, wanted);
}

static Status check_spin(const PlayerOption *option, long long min, long long max, Err *err) {
    char wanted[96];
    long long value;
    snprintf(wanted, sizeof wanted, "a whole number from %lld to %lld", min, max);
    if (parse_int(option->value, min, max, &value, "value", NULL) == STATUS_OK) return STATUS_OK;
    return refuse(option, wanted, err);
}

// Checks that the value is one of the choices that the engine declares for a combo option. `at` is
// the text of the choices. next() finds the next choice from *at on and advances *at; it returns
// false after the last choice. If the engine declares no choices, every value is allowed.
static Status check_choice(const PlayerOption *option, const char *at,
                           bool (*next)(const char **at, const char **word, size_t *length),
                           Err *err) {
    AUTO(Text) wanted = {0};
    const char *word;
    size_t length;
    while (next(&at, &word, &length)) {
        if (strlen(option->value) == length && strncasecmp(option->value, word, length) == 0) {
            return STATUS_OK;
        }
        text_add(&wanted, "%s%.*s", wanted.length ? ", " : "one of: ", (int)length, word);
    }
    return wanted.length ? refuse(option, wanted.data, err) : STATUS_OK;
}

static bool next_var(const char **at, const char **word, size_t *length) {
    const char *found = strstr(*at, " var ");
    if (!found) return false;
    *word = found + 5;
    *length = value_length(*word);
    *at = *word + *length;
    return true;
}

static bool next_slashed(const char **at, const char **word, size_t *length) {
    *at += strspn(*at, " /");
    if (!**at) return false;
    *word = *at + (**at == '*'); // skip the '*' that marks the engine's current choice
    const char *end = strstr(*word, "///");
    *at = end ? end : *word + strlen(*word);
    *length = (size_t)(*at - *word);
    while (*length && (*word)[*length - 1] == ' ') --*length;
    return true;
}

static bool is_type(const char *type, const char *name) {
    const size_t length = strlen(name);
    return strncmp(type, name, length) == 0 && (type[length] == ' ' || !type[length]);
}

static Status check_uci(const PlayerOption *option, const char *line, Err *err) {
    const char *type = line + strlen("type ");
    long long min = 0, max = 0;
    if (is_type(type, "spin") && find_number(line, " min ", &min) &&
        find_number(line, " max ", &max)) {
        return check_spin(option, min, max, err);
    }
    if (is_type(type, "check") && strcasecmp(option->value, "true") != 0 &&
        strcasecmp(option->value, "false") != 0) {
        return refuse(option, "true or false", err);
    }
    if (is_type(type, "combo")) return check_choice(option, type, next_var, err);
    if (is_type(type, "button") && *option->value) {
        return refuse(option, "allowed: the option is a button, which takes no value", err);
    }
    return STATUS_OK;
}

static Status check_cecp(const PlayerOption *option, const char *line, Err *err) {
    long long min, max;
    if (sscanf(line, "-spin %*d %lld %lld", &min, &max) == 2 ||
        sscanf(line, "-slider %*d %lld %lld", &min, &max) == 2) {
        return check_spin(option, min, max, err);
    }
    if (is_type(line, "-check") && strcmp(option->value, "0") != 0 &&
        strcmp(option->value, "1") != 0) {
        return refuse(option, "0 or 1", err);
    }
    if (is_type(line, "-combo")) return check_choice(option, line + 6, next_slashed, err);
    return STATUS_OK;
}

Status option_value_check(const PlayerOption *option, const char *declared, Err *err) {
    AUTO(Text) line = {0};
    text_add_bytes(&line, declared, strcspn(declared, "\n"));
    if (strncmp(text_get(&line), "type ", 5) == 0) return check_uci(option, line.data, err);
    return check_cecp(option, text_get(&line), err);
}

long long option_value_nearest(const char *declared, long long value) {
    AUTO(Text) line = {0};
    long long min, max;
    text_add_bytes(&line, declared, strcspn(declared, "\n"));
    if (find_number(text_get(&line), " min ", &min) && value < min) value = min;
    if (find_number(text_get(&line), " max ", &max) && value > max) value = max;
    return value;
}
