// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/options.h"

#include <assert.h>
#include <string.h>

#include "core/base/help.h"
#include "core/base/interrupt.h"
#include "core/base/memory.h"
#include "core/base/ranks.h"
#include "core/base/terminal.h"

static int choice_count(const char *choices) {
    int count = 1;
    for (const char *at = choices; *at; at++) count += *at == '|';
    return count;
}

// The words of "a|b|c": start and length of word `index`.
static const char *choice_word(const char *choices, int index, size_t *length) {
    const char *at = choices;
    for (; index > 0; index--) at = strchr(at, '|') + 1;
    *length = strcspn(at, "|");
    return at;
}

static Status parse_choice(const OptionRow *row, const char *text, int *value, Err *err) {
    Nearest nearest = {.word = text, .length = strlen(text)};
    for (int i = 0; i < choice_count(row->unit); i++) {
        size_t length;
        const char *word = choice_word(row->unit, i, &length);
        nearest_try(&nearest, word, length);
        if (strlen(text) == length && memcmp(word, text, length) == 0) {
            *value = i;
            return STATUS_OK;
        }
    }
    if (!nearest.name) {
        return err_set(err, STATUS_USAGE, "--%s: '%s' is not one of %s", row->name, text,
                       row->unit);
    }
    return err_set(err, STATUS_USAGE, "--%s: '%s' is not one of %s; did you mean %.*s?", row->name,
                   text, row->unit, (int)nearest.name_length, nearest.name);
}

// A whole number; "all", where it is the row's default, is the largest.
static Status parse_count(const OptionRow *row, const char *what, const char *text, uint64_t *value,
                          Err *err) {
    const char *all = row->default_value;
    if (!all || strcmp(all, "all") != 0 || strcmp(text, all) != 0) {
        return parse_u64(text, value, what, err);
    }
    *value = UINT64_MAX;
    return STATUS_OK;
}

static Status parse_range(const OptionRow *row, const char *what, const char *text,
                          OptionRange *range, Err *err) {
    char first[64];
    const char *colon = strchr(text, ':');
    const size_t length = colon ? (size_t)(colon - text) : 0;
    if (strlen(text) >= sizeof first) {
        return err_set(err, STATUS_USAGE, "--%s: '%s' is too long", row->name, text);
    }
    *range = (OptionRange){0, 0};
    Status status = STATUS_OK;
    memcpy(first, text, length);
    first[length] = '\0';
    if (colon) status = parse_u64(first, &range->first, what, err);
    if (status == STATUS_OK) {
        status = parse_count(row, what, colon ? colon + 1 : text, &range->end, err);
    }
    if (status == STATUS_OK && range->end < range->first) {
        status = err_set(err, STATUS_USAGE, "--%s: %s ends before it begins", row->name, text);
    }
    return status;
}

// What the member of a row holds.
typedef union OptionValue {
    bool flag;
    int number;
    uint64_t u64;
    double real;
    const char *text;
    OptionTexts texts;
    OptionRange range;
} OptionValue;

static size_t value_size(OptionType type) {
    static const size_t sizes[] = {
        [OPTION_FLAG] = sizeof(bool),    [OPTION_INT] = sizeof(int),
        [OPTION_U64] = sizeof(uint64_t), [OPTION_REAL] = sizeof(double),
        [OPTION_TEXT] = sizeof(char *),  [OPTION_TEXTS] = sizeof(OptionTexts),
        [OPTION_CHOICE] = sizeof(int),   [OPTION_RANGE] = sizeof(OptionRange),
    };
    return sizes[type];
}

// *value is what the member held before.
static Status parse_value(const OptionRow *row, const char *text, OptionValue *value, Err *err) {
    char what[64];
    snprintf(what, sizeof what, "--%s", row->name);
    long long whole = 0;
    Status status = STATUS_OK;
    switch (row->type) {
    case OPTION_FLAG:
        value->flag = strcmp(text, "0") != 0;
        break;
    case OPTION_INT:
        status = parse_int(text, (long long)row->min, (long long)row->max, &whole, what, err);
        value->number = (int)whole;
        break;
    case OPTION_U64:
        if (row->max == 0) return parse_count(row, what, text, &value->u64, err);
        status = parse_int(text, (long long)row->min, (long long)row->max, &whole, what, err);
        value->u64 = (uint64_t)whole;
        break;
    case OPTION_REAL:
        return parse_real(text, row->min, row->max, &value->real, what, err);
    case OPTION_TEXT:
        value->text = text;
        break;
    case OPTION_TEXTS:
        if (value->texts.count == OPTION_TEXTS_MAX) {
            return err_set(err, STATUS_USAGE, "%s: given more than %d times", what,
                           OPTION_TEXTS_MAX);
        }
        value->texts.texts[value->texts.count++] = text;
        break;
    case OPTION_CHOICE:
        return parse_choice(row, text, &value->number, err);
    case OPTION_RANGE:
        return parse_range(row, what, text, &value->range, err);
    }
    return status;
}

Status option_set(const OptionRow *row, const char *text, void *settings, Err *err) {
    char *member = (char *)settings + row->offset;
    OptionValue value;
    memcpy(&value, member, value_size(row->type));
    if (parse_value(row, text, &value, err) != STATUS_OK) return err_usage(err, NULL);
    memcpy(member, &value, value_size(row->type));
    return STATUS_OK;
}

Status options_defaults(const OptionRow *rows, void *settings, size_t size, Err *err) {
    memset(settings, 0, size);
    for (const OptionRow *row = rows; row && row->name; row++) {
        if (!row->default_value) continue;
        const Status status = option_set(row, row->default_value, settings, err);
        if (status != STATUS_OK) return status;
    }
    return STATUS_OK;
}

static const OptionRow *find_row(const Command *command, const char *name, size_t length) {
    for (const OptionRow *row = command->rows; row && row->name; row++) {
        if (strlen(row->name) == length && memcmp(row->name, name, length) == 0) return row;
    }
    return NULL;
}

// What other programs call our options, and what is shown instead where that is not enough.
static const char *const other_names[][3] = {
    {"concurrency", "threads"}, {"jobs", "threads"},         {"output", "out"},
    {"pgnout", "pgn"},          {"rounds", "pairs"},         {"games", "pairs"},
    {"repeat", "pairs"},        {"srand", "seed"},           {"maxmoves", "max-plies"},
    {"resign", "resign-score"}, {"draw", "draw-score"},      {"ratinginterval", "rating-interval"},
    {"each", "a", "a and --b"}, {"engine", "a", "a and --b"}};

static Status no_option(const Command *command, const char *name, size_t length, Err *err) {
    Nearest nearest = {.word = name, .length = length};
    for (const OptionRow *row = command->rows; row && row->name; row++) {
        nearest_try(&nearest, row->name, strlen(row->name));
    }
    for (size_t i = 0; i < sizeof other_names / sizeof *other_names; i++) {
        if (!text_word_is(name, length, other_names[i][0])) continue;
        const OptionRow *row = find_row(command, other_names[i][1], strlen(other_names[i][1]));
        if (row) nearest.name = other_names[i][2] ? other_names[i][2] : row->name;
    }
    return err_set(err, STATUS_USAGE, "no option --%.*s%s%s%s; 'paotai %s --help' lists them",
                   (int)length, name, nearest.name ? ", did you mean --" : "",
                   nearest.name ? nearest.name : "", nearest.name ? "?" : "", command->name);
}

// Handles argv[*at], which begins with "--"; takes the value from the next argument where needed.
static Status parse_option(const Command *command, int argc, char **argv, int *at, void *settings,
                           bool *given, Err *err) {
    const char *name = argv[*at] + 2;
    const size_t length = strcspn(name, "=");
    const OptionRow *row = find_row(command, name, length);
    if (!row) return no_option(command, name, length, err);
    given[row - command->rows] = true;
    if (row->type == OPTION_FLAG) {
        if (name[length] == '=') {
            return err_set(err, STATUS_USAGE, "--%s takes no value", row->name);
        }
        return option_set(row, "1", settings, err);
    }
    if (name[length] == '=') return option_set(row, name + length + 1, settings, err);
    if (*at + 1 >= argc) {
        return err_set(err, STATUS_USAGE, "--%s wants a value: %s", row->name,
                       row->unit ? row->unit : "VALUE");
    }
    *at += 1;
    const char *value = argv[*at];
    if (strncmp(value, "--", 2) == 0 && find_row(command, value + 2, strcspn(value + 2, "="))) {
        return err_set(err, STATUS_USAGE,
                       "--%s wants a value (%s), but %s follows; --%s=%s says that it is meant",
                       row->name, row->unit ? row->unit : "VALUE", value, row->name, value);
    }
    return option_set(row, value, settings, err);
}

// --options FILE: an option a line, "name value", "name=value" or "name" of a flag, as provenance
// has them too; the dashes may stand. *data has the texts, which live as long as the settings.
static Status read_options(const Command *command, const char *path, char **data, void *settings,
                           bool *given, Err *err) {
    size_t length;
    if (*data) return err_set(err, STATUS_USAGE, "--options: given twice");
    Status status = text_read_file(path, data, &length, err);
    if (status != STATUS_OK) return err_prefix(err, "--options");
    char *cursor = *data, *line;
    for (int number = 1; status == STATUS_OK && (line = text_next_field(&cursor, '\n')); number++) {
        size_t end = strlen(line);
        while (end > 0 && strchr(" \t\r", line[end - 1])) line[--end] = '\0';
        line += strspn(line, " \t-");
        if (*line == '\0' || *line == '#') continue;
        const size_t name = strcspn(line, "= \t");
        char *value = line + name + strspn(line + name, "= \t");
        const OptionRow *row = find_row(command, line, name);
        if (!row) {
            status = no_option(command, line, name, err);
        } else if (line[name] == '=' && !*value) {
            continue; // "out=": it was not given
        } else if (row->type == OPTION_FLAG || *value) {
            given[row - command->rows] = true;
            status = option_set(row, *value ? value : "1", settings, err);
        } else {
            status = err_set(err, STATUS_USAGE, "--%s wants a value: %s", row->name, row->unit);
        }
        if (status != STATUS_OK) err_prefix(err, "%s line %d", path, number);
    }
    return status;
}

// The option that a bare number sets, when it has no value yet: NULL: none.
static const OptionRow *bare_row(const Command *command, const bool *given) {
    for (const OptionRow *row = command->rows; row && row->name; row++) {
        if ((row->flags & OPTION_BARE) && !given[row - command->rows]) return row;
    }
    return NULL;
}

static Status check_arg_count(const Command *command, const char *const *args, int count,
                              const bool *given, Err *err) {
    if (count < command->min_args) {
        return err_set(err, STATUS_USAGE, "arguments are missing: paotai %s [options] %s",
                       command->name, command->usage);
    }
    if (command->max_args >= 0 && count > command->max_args) {
        const char *last = args[command->max_args];
        if (strchr(last, '/') && find_row(command, "fen", strlen("fen"))) {
            return err_set(err, STATUS_USAGE,
                           "too many arguments: a position is given by --fen '%s'", last);
        }
        if (bare_row(command, given)) {
            return err_set(err, STATUS_USAGE, "'%s' is not a number: paotai %s [options] %s", last,
                           command->name, command->usage);
        }
        return err_set(err, STATUS_USAGE,
                       "too many arguments, from '%s' on: paotai %s [options]%s%s", last,
                       command->name, *command->usage ? " " : "", command->usage);
    }
    return STATUS_OK;
}

static Status check_required(const CommandCall *call, Err *err) {
    const OptionRow *rows = call->command->rows;
    for (const OptionRow *row = rows; row && row->name; row++) {
        if (!(row->flags & OPTION_REQUIRED) || call->given[row - rows]) continue;
        return err_set(err, STATUS_USAGE, "--%s %s is missing: %s", row->name, row->unit,
                       row->help);
    }
    return STATUS_OK;
}

// Tells of a failure; the exit status of a command.
static int exit_status_of(const CommandCall *call, Status status, const Err *err) {
    // A rank that has done its part is done.
    if (status == STATUS_OK || err->status == STATUS_ENDED) return 0;
    if (status == STATUS_TOLD) return 1;
    fflush(call->out);
    terminal_begin_line(call->err);
    fprintf(call->err, "paotai %s: %s\n", call->command->name,
            err->text[0] ? err->text : status_text(err->status));
    return err->status == STATUS_USAGE ? 2 : 1;
}

int command_main(const Command *command, int argc, char **argv, FILE *out, FILE *err_file) {
    Err err = {0};
    void *settings = memory_alloc(1, command->settings_size);
    const char **args = memory_alloc((size_t)argc + 1, sizeof *args);
    CommandCall call = {.command = command,
                        .settings = settings,
                        .args = args,
                        .word_count = argc,
                        .words = argv,
                        .out = out,
                        .err = err_file};
    int exit_status = 0;
    Status status = options_defaults(command->rows, settings, command->settings_size, &err);
    const OptionRow *bare;
    char *file = NULL; // of --options
    bool only_args = false;
    for (int i = 0; i < argc && status == STATUS_OK; i++) {
        if (!only_args && strcmp(argv[i], "--") == 0) {
            only_args = true;
        } else if (!only_args && (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)) {
            command_help(command, out);
            goto out;
        } else if (!only_args && strcmp(argv[i], "--options") == 0 && i + 1 < argc) {
            status = read_options(command, argv[++i], &file, settings, call.given, &err);
        } else if (!only_args && strncmp(argv[i], "--", 2) == 0) {
            status = parse_option(command, argc, argv, &i, settings, call.given, &err);
        } else if (argv[i][0] >= '0' && argv[i][0] <= '9' &&
                   (bare = bare_row(command, call.given)) != NULL) {
            call.given[bare - command->rows] = true;
            status = option_set(bare, argv[i], settings, &err);
        } else {
            args[call.arg_count++] = argv[i];
        }
    }
    if (status == STATUS_OK)
        status = check_arg_count(command, args, call.arg_count, call.given, &err);
    if (status == STATUS_OK) status = check_required(&call, &err);
    const bool on_ranks = status == STATUS_OK && command->on_ranks;
    if (on_ranks) ranks_command_begin(command->name, argc, argv);
    if (status == STATUS_OK) status = command->run(&call, &err);
    exit_status = exit_status_of(&call, status, &err);
    if (on_ranks) ranks_command_end();
    if ((fflush(out) != 0 || ferror(out)) && exit_status == 0) {
        fprintf(err_file, "paotai %s: the results could not be written: is the disk full?\n",
                command->name);
        exit_status = 1;
    }
    if (interrupt_requested()) exit_status = interrupt_exit_status();
out:
    free(file);
    free(args);
    free(settings);
    return exit_status;
}

void command_line(const CommandCall *call, Text *text) {
    text_add(text, "paotai %s", call->command->name);
    for (int i = 0; i < call->word_count; i++) {
        text_add(text, " ");
        text_add_word(text, call->words[i]);
    }
}

bool command_given(const CommandCall *call, const char *name) {
    const OptionRow *row = find_row(call->command, name, strlen(name));
    assert(row);
    return row && call->given[row - call->command->rows];
}

Status command_refuse(const CommandCall *call, const char *names, const char *why, Err *err) {
    const char *word;
    size_t length;
    while (text_next_word(&names, &word, &length)) {
        const OptionRow *row = find_row(call->command, word, length);
        assert(row);
        if (row && call->given[row - call->command->rows]) {
            return err_set(err, STATUS_USAGE, "--%s: %s", row->name, why);
        }
    }
    return STATUS_OK;
}

static void option_value_text(const OptionRow *row, const void *settings, Text *text) {
    OptionValue value;
    memcpy(&value, (const char *)settings + row->offset, value_size(row->type));
    const char *word;
    size_t length;
    switch (row->type) {
    case OPTION_FLAG:
        text_add(text, "%d", value.flag);
        break;
    case OPTION_INT:
        text_add(text, "%d", value.number);
        break;
    case OPTION_U64:
        text_add(text, "%llu", (unsigned long long)value.u64);
        break;
    case OPTION_REAL:
        text_add_real(text, value.real);
        break;
    case OPTION_TEXT:
        text_add(text, "%s", value.text ? value.text : "");
        break;
    case OPTION_TEXTS:
        for (int i = 0; i < value.texts.count; i++) {
            text_add(text, "%s%s", i ? "," : "", value.texts.texts[i]);
        }
        break;
    case OPTION_CHOICE:
        word = choice_word(row->unit, value.number, &length);
        text_add_bytes(text, word, length);
        break;
    case OPTION_RANGE:
        text_add(text, "%llu:%llu", (unsigned long long)value.range.first,
                 (unsigned long long)value.range.end);
        break;
    }
}

static void rows_text(const CommandCall *call, bool with_neutral, Text *text) {
    for (const OptionRow *row = call->command->rows; row && row->name; row++) {
        if (!with_neutral && (row->flags & OPTION_NEUTRAL)) continue;
        text_add(text, "%s=", row->name);
        option_value_text(row, call->settings, text);
        text_add(text, "\n");
    }
}

void command_options_text(const CommandCall *call, Text *text) {
    rows_text(call, true, text);
}

void command_identity_text(const CommandCall *call, Text *text) {
    rows_text(call, false, text);
}
