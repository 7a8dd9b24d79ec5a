// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/command/options.h"

#include <assert.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "core/base/memory.h"
#include "core/command/foreign.h"
#include "core/command/help.h"
#include "core/system/in_file.h"
#include "core/system/interrupt.h"
#include "core/system/ranks.h"
#include "core/system/terminal.h"

bool option_next_choice(const char **cursor, const char **word, size_t *length) {
    *word = *cursor;
    if (!*word) return false;
    *length = strcspn(*word, "|");
    *cursor = (*word)[*length] ? *word + *length + 1 : NULL;
    return true;
}

int option_choice_index(const char *choices, const char *text) {
    const char *word;
    size_t length;
    for (int i = 0; option_next_choice(&choices, &word, &length); i++) {
        if (strlen(text) == length && strncasecmp(word, text, length) == 0) return i;
    }
    return -1;
}

static Status no_choice(const OptionRow *row, const char *name, const char *text, Err *err) {
    Nearest nearest = {.word = text, .length = strlen(text)};
    const char *choices = row->unit, *word;
    size_t length;
    while (option_next_choice(&choices, &word, &length)) nearest_try(&nearest, word, length);
    return err_set(err, STATUS_USAGE, "%s: '%s' is not one of %s%s%.*s%s", name, text, row->unit,
                   nearest.name ? "; did you mean " : "", (int)nearest.name_length,
                   nearest.name ? nearest.name : "", nearest.name ? "?" : "");
}

// Parses the value of an option as a whole number. If the default value of the option is the word
// "all", this word is accepted, too, and means the largest number.
static Status parse_count(const OptionRow *row, const char *name, const char *text, uint64_t *value,
                          Err *err) {
    const char *all = row->default_value;
    if (!all || strcmp(all, "all") != 0 || strcmp(text, all) != 0) {
        return parse_u64(text, value, name, err);
    }
    *value = UINT64_MAX;
    return STATUS_OK;
}

static Status parse_range(const OptionRow *row, const char *name, const char *text,
                          OptionRange *range, Err *err) {
    char first[64];
    const char *colon = strchr(text, ':');
    const size_t length = colon ? (size_t)(colon - text) : 0;
    if (strlen(text) >= sizeof first) {
        return err_set(err, STATUS_USAGE, "%s: '%s' is too long for a range of numbers", name,
                       text);
    }
    *range = (OptionRange){0, 0};
    memcpy(first, text, length);
    first[length] = '\0';
    if (colon) TRY(parse_u64(first, &range->first, name, err));
    TRY(parse_count(row, name, colon ? colon + 1 : text, &range->end, err));
    // A larger number could wrap around in "number + 1".
    const uint64_t most = UINT64_C(1) << 62;
    if (range->first > most || (range->end > most && range->end != UINT64_MAX)) {
        return err_set(err, STATUS_USAGE, "%s: '%s': the numbers must be at most %llu", name, text,
                       (unsigned long long)most);
    }
    if (range->end >= range->first) return STATUS_OK;
    return err_set(err, STATUS_USAGE, "%s: the end of the range %s is before its beginning", name,
                   text);
}

Status option_read(const OptionRow *row, const char *name, const char *text, void *settings,
                   Err *err) {
    void *member = (char *)settings + row->offset;
    OptionTexts *texts;
    long long whole = 0;
    int index;
    switch (row->type) {
    case OPTION_FLAG:
        index = option_choice_index("false|true|off|on|no|yes|0|1", text);
        if (index < 0) {
            return err_set(err, STATUS_USAGE,
                           "%s: '%s' is neither true (yes, on, 1) nor false (no, off, 0)", name,
                           text);
        }
        *(bool *)member = index % 2 == 1;
        break;
    case OPTION_INT:
        TRY(parse_int(text, (long long)row->min, (long long)row->max, &whole, name, err));
        *(int *)member = (int)whole;
        break;
    case OPTION_U64:
        if (row->max == 0) return parse_count(row, name, text, member, err);
        TRY(parse_int(text, (long long)row->min, (long long)row->max, &whole, name, err));
        *(uint64_t *)member = (uint64_t)whole;
        break;
    case OPTION_REAL:
        return parse_real(text, row->min, row->max, member, name, err);
    case OPTION_TEXT:
        *(const char **)member = text;
        break;
    case OPTION_TEXTS:
        texts = member;
        if (texts->count == OPTION_TEXTS_MAX) {
            return err_set(err, STATUS_USAGE, "%s: this option can be given at most %d times", name,
                           OPTION_TEXTS_MAX);
        }
        texts->texts[texts->count++] = text;
        break;
    case OPTION_CHOICE:
        index = option_choice_index(row->unit, text);
        if (index < 0) return no_choice(row, name, text, err);
        *(int *)member = index;
        break;
    case OPTION_RANGE:
        return parse_range(row, name, text, member, err);
    }
    return STATUS_OK;
}

Status option_set(const OptionRow *row, const char *text, void *settings, Err *err) {
    char name[64];
    snprintf(name, sizeof name, "--%s", row->name);
    if (option_read(row, name, text, settings, err) != STATUS_OK) return err_usage(err, NULL);
    return STATUS_OK;
}

Status options_defaults(const OptionRow *rows, void *settings, size_t size, Err *err) {
    memset(settings, 0, size);
    for (const OptionRow *row = rows; row && row->name; row++) {
        if (row->default_value) TRY(option_set(row, row->default_value, settings, err));
    }
    return STATUS_OK;
}

const OptionRow *command_row(const Command *command, const char *name, size_t length) {
    for (const OptionRow *row = command->rows; row && row->name; row++) {
        if (text_word_is(name, length, row->name)) return row;
    }
    return NULL;
}

static Status no_option(const Command *command, const char *name, size_t length, Err *err) {
    Nearest nearest = {.word = name, .length = length};
    for (const OptionRow *row = command->rows; row && row->name; row++) {
        nearest_try(&nearest, row->name, strlen(row->name));
    }
    const char *similar = foreign_option(command, name, length);
    if (similar) nearest.name = similar;
    return err_set(err, STATUS_USAGE,
                   "no option --%.*s%s%s%s; 'paotai %s --help' lists the options", (int)length,
                   name, nearest.name ? " (did you mean --" : "", nearest.name ? nearest.name : "",
                   nearest.name ? "?)" : "", command->name);
}

// Sets an option that the user has given. `value` is NULL if the user gave no value.
static Status set_named(CommandCall *call, const OptionRow *row, const char *value, void *settings,
                        Err *err) {
    if (!value && row->type != OPTION_FLAG) {
        return err_set(err, STATUS_USAGE, "--%s needs a value: %s", row->name, row->unit);
    }
    const size_t i = (size_t)(row - call->command->rows);
    if ((row->flags & OPTION_LIST) && call->given[i]) {
        const char *before = *(const char **)(void *)((char *)settings + row->offset);
        AUTO(Text) both = {0};
        text_add(&both, "%s,%s", before, value);
        free(call->lists[i]);
        value = call->lists[i] = TAKE(both.data);
    }
    call->given[i] = true;
    return option_set(row, value ? value : "1", settings, err);
}

// Reads the option in call->words[*at], which begins with "--". If its value is the next word, *at
// becomes the index of that word.
static Status parse_option(CommandCall *call, int *at, void *settings, Err *err) {
    const Command *command = call->command;
    const char *name = call->words[*at] + 2;
    const size_t length = strcspn(name, "=");
    const OptionRow *row = command_row(command, name, length);
    const char *value = name[length] == '=' ? name + length + 1 : NULL;
    const bool drops = command->reads_weights && text_word_is(name, length, DROP_UNKNOWN_NAME);
    if (!row && !drops) return no_option(command, name, length, err);
    if (value && (drops || row->type == OPTION_FLAG)) {
        return err_set(err, STATUS_USAGE, "--%.*s takes no value", (int)length, name);
    }
    if (drops) {
        call->drop_unknown = true;
        return STATUS_OK;
    }
    if (row->type != OPTION_FLAG && !value && *at + 1 < call->word_count) {
        value = call->words[++*at];
        if (strncmp(value, "--", 2) == 0 &&
            command_row(command, value + 2, strcspn(value + 2, "="))) {
            return err_set(
                err, STATUS_USAGE,
                "--%s needs a value (%s), but %s follows; if that is the value, write --%s=%s",
                row->name, row->unit, value, row->name, value);
        }
    }
    return set_named(call, row, value, settings, err);
}

static bool has_word(const char *words, const char *name) {
    const char *word;
    size_t length;
    while (text_next_word(&words, &word, &length)) {
        if (text_word_is(word, length, name)) return true;
    }
    return false;
}

// Returns true if `value` is the text of the option's current value.
static bool is_value(const OptionRow *row, const void *settings, const char *value) {
    AUTO(Text) text = {0};
    option_value_text(row, settings, &text);
    return strcmp(text_get(&text), value) == 0;
}

// Reads one line of an option file: "name value", "name=value" or, for a flag, "name". Dashes
// before the name are optional. Empty lines and lines that begin with '#' are skipped. *given
// becomes the value of a line "given=", which command_given_text() writes.
static Status read_option_line(CommandCall *call, char *line, const char **given, void *settings,
                               Err *err) {
    const Command *command = call->command;
    line = text_trim(line);
    line += strspn(line, "-");
    if (*line == '\0' || *line == '#') return STATUS_OK;
    if (command->reads_weights && strcmp(line, DROP_UNKNOWN_NAME) == 0) {
        call->drop_unknown = true;
        return STATUS_OK;
    }
    const size_t length = strcspn(line, "= \t");
    const char *value = line + length + strspn(line + length, "= \t");
    if (text_word_is(line, length, "given")) {
        *given = value;
        call->drop_unknown |= command->reads_weights && has_word(value, DROP_UNKNOWN_NAME);
        return STATUS_OK;
    }
    const OptionRow *row = command_row(command, line, length);
    if (!row) return no_option(command, line, length, err);
    // Options copied from the provenance of a run contain a line for each option, also for those
    // that were not given. Skip lines without a value, such as "out=", and lines with the default
    // value.
    const bool listed = *given && has_word(*given, row->name);
    if (!listed && line[length] == '=' && !*value) return STATUS_OK;
    if (!listed && *given && is_value(row, settings, value)) return STATUS_OK;
    return set_named(call, row, *value || listed ? value : NULL, settings, err);
}

// Reads the file of the option --options in call->words[*at], which has one option per line. *texts
// becomes the text of the file. The settings contain pointers into this text, so it must live as
// long as they do. If the path is the next word, *at becomes the index of that word.
static Status read_options(CommandCall *call, int *at, char **texts, void *settings, Err *err) {
    size_t length;
    const char *path = strchr(call->words[*at], '=');
    if (path) {
        path++;
    } else if (*at + 1 < call->word_count) {
        path = call->words[++*at];
    } else {
        return err_set(err, STATUS_USAGE, "--options needs a value: FILE");
    }
    if (*texts) return err_set(err, STATUS_USAGE, "--options is given twice; give it once");
    if (text_read_file(path, texts, &length, err) != STATUS_OK) return err_prefix(err, "--options");
    if (strlen(*texts) < length) {
        return err_set(err, STATUS_USAGE,
                       "--options: %s: byte %zu is zero: this is not a text file", path,
                       strlen(*texts) + 1);
    }
    char *cursor = *texts, *line;
    const char *given = NULL;
    for (int number = 1; (line = text_next_field(&cursor, '\n')) != NULL; number++) {
        if (read_option_line(call, line, &given, settings, err) != STATUS_OK) {
            return err_prefix(err, "%s line %d", path, number);
        }
    }
    return STATUS_OK;
}

// Returns the option whose name can be omitted before a number (OPTION_BARE). Returns NULL if the
// command has no such option, or if the option has already been given.
static const OptionRow *bare_row(const CommandCall *call) {
    for (const OptionRow *row = call->command->rows; row && row->name; row++) {
        if ((row->flags & OPTION_BARE) && !call->given[row - call->command->rows]) return row;
    }
    return NULL;
}

static Status check_arg_count(const CommandCall *call, Err *err) {
    const Command *command = call->command;
    if (call->arg_count < command->min_args) {
        return err_set(err, STATUS_USAGE, "arguments are missing; usage: paotai %s [options] %s",
                       command->name, command->usage);
    }
    if (command->max_args < 0 || call->arg_count <= command->max_args) return STATUS_OK;
    const char *last = call->args[command->max_args];
    if (strchr(last, '/') && command_row(command, "fen", strlen("fen"))) {
        return err_set(err, STATUS_USAGE, "too many arguments; give a position as --fen '%s'",
                       last);
    }
    if (bare_row(call)) {
        return err_set(err, STATUS_USAGE,
                       "'%s' is neither an option nor an unsigned number; usage: paotai %s "
                       "[options] %s",
                       last, command->name, command->usage);
    }
    return err_set(err, STATUS_USAGE,
                   "too many arguments, from '%s' on; usage: paotai %s [options]%s%s", last,
                   command->name, *command->usage ? " " : "", command->usage);
}

// Limits --threads to four per processor. More threads would not be faster, but each thread needs
// memory for its own tables.
static void limit_threads(const CommandCall *call, void *settings) {
    const OptionRow *row = command_row(call->command, "threads", strlen("threads"));
    const long limit = 4 * sysconf(_SC_NPROCESSORS_ONLN);
    int *threads = row ? (int *)(void *)((char *)settings + row->offset) : NULL;
    if (!threads || limit < 4 || *threads <= limit) return;
    fprintf(call->err, "paotai %s: --threads %d is reduced to %ld, four per processor\n",
            call->command->name, *threads, limit);
    *threads = (int)limit;
}

// Parses the command line. Stores options in `settings`, and words that belong to no option in
// `args`. If help is requested, sets *help and ignores the remaining words. *texts receives the
// text of an --options file.
static Status parse_words(CommandCall *call, void *settings, const char **args, char **texts,
                          bool *help, Err *err) {
    const OptionRow *bare;
    bool only_args = false;
    TRY(options_defaults(call->command->rows, settings, call->command->settings_size, err));
    for (int i = 0; i < call->word_count; i++) {
        const char *word = call->words[i];
        if (!only_args && strcmp(word, "--") == 0) {
            only_args = true;
        } else if (!only_args && (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 ||
                                  strcmp(word, "-help") == 0)) {
            *help = true;
            return STATUS_OK;
        } else if (!only_args && text_word_is(word, strcspn(word, "="), "--options")) {
            TRY(read_options(call, &i, texts, settings, err));
        } else if (!only_args && strncmp(word, "--", 2) == 0) {
            TRY(parse_option(call, &i, settings, err));
        } else if (word[0] >= '0' && word[0] <= '9' && (bare = bare_row(call)) != NULL) {
            TRY(set_named(call, bare, word, settings, err));
        } else {
            args[call->arg_count++] = word;
        }
    }
    TRY(check_arg_count(call, err));
    limit_threads(call, settings);
    for (const OptionRow *row = call->command->rows; row && row->name; row++) {
        if (!(row->flags & OPTION_REQUIRED) || call->given[row - call->command->rows]) continue;
        return err_set(err, STATUS_USAGE, "--%s %s is missing: %s", row->name, row->unit,
                       row->help);
    }
    return STATUS_OK;
}

// Returns the exit status of a command. If the command failed, prints its error message, except for
// STATUS_REPORTED.
static int exit_status_of(const CommandCall *call, Status status, const Err *err) {
    // STATUS_ENDED is not a failure: MPI rank 0 has ended the command, and this rank has finished
    // its part.
    if (status == STATUS_OK || err->status == STATUS_ENDED) return 0;
    if (status == STATUS_REPORTED) return 1;
    fflush(call->out);
    terminal_begin_line(call->err);
    fprintf(call->err, "paotai %s: %s\n", call->command->name,
            err->text[0] ? err->text : status_text(err->status));
    return err->status == STATUS_USAGE ? 2 : 1;
}

// A receiver of notes that prints each different note of a command only once.
typedef struct CommandNotes {
    ErrNotes notes; // must be the first member: say_note() casts ErrNotes * to CommandNotes *
    const CommandCall *call;
    Text said; // notes printed so far, one per line
} CommandNotes;

static void say_note(ErrNotes *notes, const char *text) {
    CommandNotes *self = (CommandNotes *)notes;
    AUTO(Text) line = {0};
    text_add(&line, "paotai %s: note: %s\n", self->call->command->name, text);
    if (mpi_rank() > 0 || strstr(text_get(&self->said), line.data)) return;
    text_add(&self->said, "%s", line.data);
    terminal_begin_line(self->call->err);
    fputs(line.data, self->call->err);
}

int command_main(const Command *command, int argc, char **argv, FILE *out, FILE *err_file,
                 void *result) {
    Err err = {0};
    AUTO_FREE void *settings = memory_alloc(1, command->settings_size);
    AUTO_FREE const char **args = memory_alloc((size_t)argc + 1, sizeof *args);
    AUTO_FREE char *texts = NULL;
    CommandCall call = {.command = command,
                        .settings = settings,
                        .args = args,
                        .word_count = argc,
                        .words = argv,
                        .out = out,
                        .err = err_file,
                        .result = result};
    bool help = false;
    Status status = parse_words(&call, settings, args, &texts, &help, &err);
    if (help) {
        command_help(command, out);
        for (int i = 0; i < OPTION_MAX_ROWS; i++) free(call.lists[i]);
        return 0;
    }
    const bool on_ranks = status == STATUS_OK && command->on_ranks;
    const bool resumes =
        command_row(command, "resume", strlen("resume")) && command_given(&call, "out");
    CommandNotes notes = {{say_note, call.drop_unknown}, &call, {0}};
    if (on_ranks) ranks_command_begin(command->name, resumes, argc, argv);
    err.notes = &notes.notes;
    if (status == STATUS_OK) status = command->run(&call, &err);
    text_clear(&notes.said);
    err.notes = NULL;
    int exit_status = exit_status_of(&call, status, &err);
    if (exit_status != 0 && status != STATUS_REPORTED && mpi_rank() == 0) {
        foreign_propose(command, argc, argv, err_file);
    }
    if (on_ranks) ranks_command_end();
    if ((fflush(out) != 0 || ferror(out)) && exit_status == 0) {
        fprintf(err_file, "paotai %s: the results could not be written: is the disk full?\n",
                command->name);
        exit_status = 1;
    }
    for (int i = 0; i < OPTION_MAX_ROWS; i++) free(call.lists[i]);
    return interrupt_requested() ? interrupt_exit_status() : exit_status;
}

void command_line(const CommandCall *call, Text *text) {
    text_add(text, "paotai %s", call->command->name);
    for (int i = 0; i < call->word_count; i++) {
        text_add(text, " ");
        text_add_word(text, call->words[i]);
    }
}

bool command_given(const CommandCall *call, const char *name) {
    const OptionRow *row = command_row(call->command, name, strlen(name));
    return row && call->given[row - call->command->rows];
}

void option_value_text(const OptionRow *row, const void *settings, Text *text) {
    const void *member = (const char *)settings + row->offset;
    const OptionRange *range;
    const char *value, *choices = row->unit, *word = NULL;
    size_t length = 0;
    switch (row->type) {
    case OPTION_FLAG:
        text_add(text, "%d", *(const bool *)member);
        break;
    case OPTION_INT:
        text_add(text, "%d", *(const int *)member);
        break;
    case OPTION_U64:
        text_add(text, "%llu", (unsigned long long)*(const uint64_t *)member);
        break;
    case OPTION_REAL:
        text_add_real(text, *(const double *)member);
        break;
    case OPTION_TEXT:
        value = *(const char *const *)member;
        text_add(text, "%s", value ? value : "");
        break;
    case OPTION_TEXTS: // command_options_text() appends each text on its own line
        break;
    case OPTION_CHOICE:
        for (int i = *(const int *)member; i >= 0; i--) {
            option_next_choice(&choices, &word, &length);
        }
        text_add_bytes(text, word, length);
        break;
    case OPTION_RANGE:
        range = member;
        text_add(text, "%llu:%llu", (unsigned long long)range->first,
                 (unsigned long long)range->end);
        break;
    }
}

static Status refuse(const CommandCall *call, const char *names, bool unless_default,
                     const char *why, Err *err) {
    const char *word;
    size_t length;
    while (text_next_word(&names, &word, &length)) {
        const OptionRow *row = command_row(call->command, word, length);
        if (!row || !call->given[row - call->command->rows]) continue;
        AUTO(Text) value = {0};
        option_value_text(row, call->settings, &value);
        const char *usual = row->type == OPTION_FLAG ? "0" : row->default_value;
        if (unless_default && usual && strcmp(text_get(&value), usual) == 0) continue;
        return err_set(err, STATUS_USAGE, "--%s: %s", row->name, why);
    }
    return STATUS_OK;
}

Status command_refuse(const CommandCall *call, const char *names, const char *why, Err *err) {
    return refuse(call, names, false, why, err);
}

Status command_refuse_change(const CommandCall *call, const char *names, const char *why,
                             Err *err) {
    return refuse(call, names, true, why, err);
}

void command_given_text(const CommandCall *call, bool with_neutral, Text *text) {
    text_add(text, "given=");
    for (const OptionRow *row = call->command->rows; row && row->name; row++) {
        if (!with_neutral && (row->flags & OPTION_NEUTRAL)) continue;
        if (call->given[row - call->command->rows]) text_add(text, "%s ", row->name);
    }
    text_add(text, "%s\n", call->drop_unknown ? DROP_UNKNOWN_NAME : "");
}

void command_options_text(const CommandCall *call, bool with_neutral, Text *text) {
    for (const OptionRow *row = call->command->rows; row && row->name; row++) {
        if (!with_neutral && (row->flags & OPTION_NEUTRAL)) continue;
        const OptionTexts *texts = (const void *)((const char *)call->settings + row->offset);
        if (row->type == OPTION_TEXTS && texts->count > 0) {
            for (int i = 0; i < texts->count; i++) {
                text_add(text, "%s=%s\n", row->name, texts->texts[i]);
            }
            continue;
        }
        text_add(text, "%s=", row->name);
        option_value_text(row, call->settings, text);
        text_add(text, "\n");
    }
}
