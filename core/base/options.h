// SPDX-License-Identifier: GPL-3.0-or-later
// Commands and their options. An option is declared once, as a row; from the row follow the parser,
// --help, the manual's page, the provenance stored in outputs and shell completion. The options of
// the protocol are such rows too (core/uci/uci_options.c).
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "core/base/status.h"
#include "core/base/text.h"

typedef enum OptionType {
    OPTION_FLAG,   // bool: true when given
    OPTION_INT,    // int in min..max
    OPTION_U64,    // uint64_t
    OPTION_REAL,   // double in min..max
    OPTION_TEXT,   // const char *, NULL when the default is NULL and it is not given
    OPTION_TEXTS,  // OptionTexts: may be given several times
    OPTION_CHOICE, // int: index into the words of `unit`, separated by '|'
    OPTION_RANGE,  // OptionRange: "A:B" is half-open, "N" is 0:N
} OptionType;

typedef struct OptionRange {
    uint64_t first, end; // half-open
} OptionRange;

enum { OPTION_TEXTS_MAX = 64 };
typedef struct OptionTexts {
    int count;
    const char *texts[OPTION_TEXTS_MAX];
} OptionTexts;

typedef struct OptionRow {
    const char *name; // without the dashes
    OptionType type;
    size_t offset;             // of the member in the command's settings struct
    double min, max;           // for OPTION_INT and OPTION_REAL; of OPTION_U64 where max > 0
    const char *default_value; // parsed like a given one; NULL: none. "all": the most of OPTION_U64
                               // and OPTION_RANGE, and a word that their value may be
    const char *unit;          // what the value is, for help: "N", "ms", "FILE", "axf|none"
    const char *help;          // one line
    unsigned flags;            // of OptionFlags
} OptionRow;

typedef enum OptionFlags {
    OPTION_REQUIRED = 1, // the command is refused without it
    // Does not decide what is computed: where it goes, how much of it, how it is shown. Or names
    // what the command compares by content instead: weights by their hash, a book, a player. What
    // has no such flag decides whether two runs are the same (datasets/store/run.h).
    OPTION_NEUTRAL = 2,
    OPTION_BARE = 4, // a number that stands alone is its value: `perft 5`
} OptionFlags;

// A row: its name, the settings struct and the member, the range of numbers, the default, the unit,
// then its help and, where there are any, its flags.
// clang-format off
#define OPT_ROW(row_name, kind, S, M, least, most, value, words, ...)                              \
    {.name = row_name, .type = kind, .offset = offsetof(S, M), .min = least, .max = most,          \
     .default_value = value, .unit = words, .help = __VA_ARGS__}
#define OPT_FLAG(name, S, M, ...) OPT_ROW(name, OPTION_FLAG, S, M, 0, 0, NULL, NULL, __VA_ARGS__)
#define OPT_INT(name, S, M, min, max, value, unit, ...)                                            \
    OPT_ROW(name, OPTION_INT, S, M, min, max, value, unit, __VA_ARGS__)
#define OPT_REAL(name, S, M, min, max, value, unit, ...)                                           \
    OPT_ROW(name, OPTION_REAL, S, M, min, max, value, unit, __VA_ARGS__)
#define OPT_U64(name, S, M, value, unit, ...)                                                      \
    OPT_ROW(name, OPTION_U64, S, M, 0, 0, value, unit, __VA_ARGS__)
#define OPT_TEXT(name, S, M, value, unit, ...)                                                     \
    OPT_ROW(name, OPTION_TEXT, S, M, 0, 0, value, unit, __VA_ARGS__)
#define OPT_TEXTS(name, S, M, value, unit, ...)                                                    \
    OPT_ROW(name, OPTION_TEXTS, S, M, 0, 0, value, unit, __VA_ARGS__)
#define OPT_CHOICE(name, S, M, value, words, ...)                                                  \
    OPT_ROW(name, OPTION_CHOICE, S, M, 0, 0, value, words, __VA_ARGS__)
#define OPT_RANGE(name, S, M, value, unit, ...)                                                    \
    OPT_ROW(name, OPTION_RANGE, S, M, 0, 0, value, unit, __VA_ARGS__)
#define OPTION_END {.name = NULL}
// clang-format on
enum { OPTION_MAX_ROWS = 64 };

// The number of a word of "a|b|c", its letters in any case; -1: it is none of them.
int option_choice_index(const char *choices, const char *text);
// The next word of "a|b|c"; *cursor NULL: none is left.
bool option_next_choice(const char **cursor, const char **word, size_t *length);

struct Command;

// One call of a command, as main() hands it over. Everything is borrowed.
typedef struct CommandCall {
    const struct Command *command;
    const void *settings;        // the command's struct, filled from its rows
    bool given[OPTION_MAX_ROWS]; // given[i]: row i was on the command line
    int arg_count;               // what is not an option
    const char *const *args;
    int word_count; // of the command line behind the command's name
    char *const *words;
    FILE *out, *err;   // results; messages and progress
    bool drop_unknown; // --drop-unknown was given
} CommandCall;

typedef struct Command {
    const char *name;    // as typed; two words for a sub-command ("data info")
    const char *summary; // one line for the list of commands
    const char *usage;   // the arguments behind the options ("DIR...")
    const char *details; // what --help teaches: paragraphs and examples; may be NULL
    const OptionRow *rows;
    size_t settings_size;
    int min_args, max_args; // max_args < 0: any number
    bool on_ranks;          // every rank runs it (core/base/ranks.h), else rank 0
    bool reads_weights;     // it takes --drop-unknown
    // STATUS_REPORTED: some records failed, which stands in their place.
    Status (*run)(const CommandCall *call, Err *err);
} Command;

// --drop-unknown, which every command that reads weight sets takes.
#define DROP_UNKNOWN_NAME "drop-unknown"
#define DROP_UNKNOWN_HELP                                                                          \
    "leave terms that this program lacks out of weight sets, instead of failing"

// Parses argv (after the command's name) and runs the command. Exit status 0, 1 or 2, or
// interrupt_exit_status() when the user asked for the end.
int command_main(const Command *command, int argc, char **argv, FILE *out, FILE *err_file);

// The command line, as a shell reads it.
void command_line(const CommandCall *call, Text *text);

// Was the option of this name on the command line?
bool command_given(const CommandCall *call, const char *name);
// Refuses options that would have no effect: returns STATUS_USAGE with the text "--NAME: WHY" if
// one of `names` ("depth fen") was on the command line. Names that the command does not have are
// ignored.
Status command_refuse(const CommandCall *call, const char *names, const char *why, Err *err);
// Like command_refuse(), but accepts an option that has its default value: a file of --options that
// was made from provenance names all options.
Status command_refuse_change(const CommandCall *call, const char *names, const char *why, Err *err);

// "name=value" lines: how the options were resolved. Without the rows that are OPTION_NEUTRAL they
// are a part of a run's identity.
void command_options_text(const CommandCall *call, bool with_neutral, Text *text);

// Reads a value into its member of a settings struct; a text is borrowed. Errors begin with `name`.
Status option_read(const OptionRow *row, const char *name, const char *text, void *settings,
                   Err *err);
// The same for a command line: errors begin with --NAME and are STATUS_USAGE.
Status option_set(const OptionRow *row, const char *text, void *settings, Err *err);

// A settings struct filled with the defaults of the rows, for callers that are not command lines.
Status options_defaults(const OptionRow *rows, void *settings, size_t size, Err *err);
