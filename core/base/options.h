// SPDX-License-Identifier: GPL-3.0-or-later
// Commands and their options. An option is declared once, as a row. The parser, --help, the manual
// page, the provenance in outputs and shell completion follow from the row. UCI options are such
// rows too (core/uci/uci_options.c). The help functions are in help.c.
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
    OPTION_TEXT,   // const char *; NULL if it is not given and the default is NULL
    OPTION_TEXTS,  // OptionTexts: can be given several times
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
    size_t offset;             // offset of the member in the command's settings struct
    double min, max;           // range of OPTION_INT and OPTION_REAL, and of OPTION_U64 if max > 0
    const char *default_value; // parsed like a given value, or NULL. "all" is the largest value of
                               // OPTION_U64 and OPTION_RANGE; users can then write "all" too
    const char *unit;          // kind of value, for help: "N", "ms", "FILE", "axf|none"
    const char *help;          // one line
    unsigned flags;            // a set of OptionFlags
} OptionRow;

typedef enum OptionFlags {
    OPTION_REQUIRED = 1, // the command fails if the option is missing
    // The option does not decide what is computed, only where it is written, how much is computed,
    // or how it is shown. It is also set for inputs that are compared by content, such as weights
    // by their hash. All other options decide whether two runs are the same (datasets/store/run.h).
    OPTION_NEUTRAL = 2,
    OPTION_BARE = 4, // a number without an option name is the value: `perft 5`
    OPTION_LIST = 8, // a list with commas, of type OPTION_TEXT; given again, the value is appended
} OptionFlags;

// Builds a row from its name, settings struct, member, range, default, unit and help; flags may
// follow.
// clang-format off
#define OPT_ROW(row_name, kind, S, M, low, high, value, words, ...)                              \
    {.name = row_name, .type = kind, .offset = offsetof(S, M), .min = low, .max = high,          \
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

// Returns the index of a word in "a|b|c", ignoring case, or -1 if it is not in the list.
int option_choice_index(const char *choices, const char *text);
// Reads the next word of "a|b|c" and returns true, or returns false at the end.
bool option_next_choice(const char **cursor, const char **word, size_t *length);

struct Command;

// One call of a command. All pointers are borrowed.
typedef struct CommandCall {
    const struct Command *command;
    const void *settings;         // the command's struct, filled from its rows
    bool given[OPTION_MAX_ROWS];  // given[i]: row i was on the command line
    char *lists[OPTION_MAX_ROWS]; // values of OPTION_LIST rows that were given several times; owned
    int arg_count;                // words of the command line that are not options
    const char *const *args;
    int word_count; // all words after the command's name
    char *const *words;
    FILE *out, *err;   // streams for results, and for messages and progress
    void *result;      // struct that the command fills for another command; NULL for a user
    bool drop_unknown; // --drop-unknown was given
} CommandCall;

typedef struct Command {
    const char *name;    // name as typed; two words for a sub-command ("data info")
    const char *summary; // one line for the list of commands
    const char *usage;   // arguments after the options ("DIR...")
    const char *details; // further help: paragraphs and examples; NULL if there are none
    const OptionRow *rows;
    size_t settings_size;
    int min_args, max_args; // max_args < 0: no limit
    bool on_ranks;          // all MPI ranks run it (core/base/ranks.h), not only rank 0
    bool reads_weights;     // it takes --drop-unknown
    // Runs the command. STATUS_REPORTED means that some records failed and the output has their
    // errors.
    Status (*run)(const CommandCall *call, Err *err);
} Command;

// --drop-unknown, an option of every command that reads weight sets.
#define DROP_UNKNOWN_NAME "drop-unknown"
#define DROP_UNKNOWN_HELP                                                                          \
    "drop terms that this program does not have from weight sets; without this option they are "   \
    "errors"

// Parses argv, the words after the command's name, and runs the command. `result` becomes
// CommandCall.result. Returns exit status 0, 1 or 2, or interrupt_exit_status() after an interrupt.
int command_main(const Command *command, int argc, char **argv, FILE *out, FILE *err_file,
                 void *result);

// Appends the command line, quoted for a shell.
void command_line(const CommandCall *call, Text *text);

// Returns true if the option of this name was on the command line; false if the command does not
// have it.
bool command_given(const CommandCall *call, const char *name);
// Refuses options that would have no effect: returns STATUS_USAGE with the text "--NAME: WHY" if
// one of `names` ("depth fen") was on the command line. Names that the command does not have are
// ignored.
Status command_refuse(const CommandCall *call, const char *names, const char *why, Err *err);
// Like command_refuse(), but accepts an option that has its default value: a file of --options that
// was made from provenance names all options.
Status command_refuse_change(const CommandCall *call, const char *names, const char *why, Err *err);

// Appends the resolved options as "name=value" lines. Without the rows that are OPTION_NEUTRAL they
// are part of a run's identity.
void command_options_text(const CommandCall *call, bool with_neutral, Text *text);

// Parses a value into its member of a settings struct; a text is borrowed. Errors begin with
// `name`.
Status option_read(const OptionRow *row, const char *name, const char *text, void *settings,
                   Err *err);
// Like option_read(), for a command line: errors begin with --NAME and are STATUS_USAGE.
Status option_set(const OptionRow *row, const char *text, void *settings, Err *err);

// Appends the value of a row's member as option_read() reads it.
void option_value_text(const OptionRow *row, const void *settings, Text *text);

// Fills a settings struct with the defaults of the rows.
Status options_defaults(const OptionRow *rows, void *settings, size_t size, Err *err);
