// SPDX-License-Identifier: GPL-3.0-or-later
// Commands and their options. Each option is declared once, as an OptionRow. The parser, --help,
// the manual page, the provenance in outputs and the shell completion use this row. UCI options are
// such rows, too (core/uci/uci_options.c). help.h declares the functions that print help.
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "core/base/status.h"
#include "core/base/text.h"

typedef enum OptionType {
    OPTION_FLAG,   // bool; an option without a value sets it to true
    OPTION_INT,    // int, in the range OptionRow.min..max
    OPTION_U64,    // uint64_t; in the range OptionRow.min..max if max > 0
    OPTION_REAL,   // double, in the range OptionRow.min..max
    OPTION_TEXT,   // const char *; NULL if the option is not given and has no default value
    OPTION_TEXTS,  // OptionTexts: the option can be given several times
    OPTION_CHOICE, // int: index of the chosen word in `unit`, whose words are separated by '|'
    OPTION_RANGE,  // OptionRange: "A:B" means A to B - 1, "N" means 0 to N - 1
} OptionType;

typedef struct OptionRange {
    uint64_t first, end; // all numbers from `first` to `end` - 1, such as game numbers
} OptionRange;

enum { OPTION_TEXTS_MAX = 64 };
typedef struct OptionTexts {
    int count;
    const char *texts[OPTION_TEXTS_MAX];
} OptionTexts;

typedef struct OptionRow {
    const char *name; // name without the leading dashes
    OptionType type;
    size_t offset;   // offset of the option's member in the command's settings struct
    double min, max; // allowed range of OPTION_INT and OPTION_REAL, and of OPTION_U64 if max > 0;
                     // --help shows it
    const char *default_value; // text that is parsed if the option is not given; may be NULL. For
                               // OPTION_RANGE, and for OPTION_U64 with max == 0, it can be "all",
                               // which means the largest number; users can then also write "all"
    const char *unit; // name of the value in the help: "N", "MS", "FILE"; for OPTION_CHOICE its
                      // words, "axf|none"; NULL for OPTION_FLAG
    const char *help; // help text of the option, without line breaks
    unsigned flags;   // OptionFlags, combined by |
} OptionRow;

typedef enum OptionFlags {
    OPTION_REQUIRED = 1, // the command fails if the option is missing
    // The settings of two runs can be equal although the values of this option differ
    // (datasets/store/run.h). It only decides where results are written, how they are shown, or how
    // many are computed. Or it names an input, such as a file of weights: then the content is
    // compared instead of the name.
    OPTION_NEUTRAL = 2,
    OPTION_BARE = 4, // the option name can be omitted before a number: `perft 5`
    OPTION_LIST = 8, // an OPTION_TEXT whose value is a list with commas; if it is given again, the
                     // new value is appended
} OptionFlags;

// Builds an OptionRow from its name, type, settings struct, member, range, default value, unit and
// help; `.flags` may follow as the last argument.
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
// Finds the next word of a list "a|b|c". Returns false at the end of the list.
bool option_next_choice(const char **cursor, const char **word, size_t *length);

struct Command;

// The arguments of one call of a command. All pointers except `lists` are borrowed.
typedef struct CommandCall {
    const struct Command *command;
    const void *settings;        // the command's settings struct, filled by the option parser
    bool given[OPTION_MAX_ROWS]; // given[i]: true if option row i was on the command line or in the
                                 // file of --options
    char *lists[OPTION_MAX_ROWS]; // joined values of OPTION_LIST options that were given several
                                  // times; owned
    int arg_count; // number of `args`, the words of the command line that belong to no option
    const char *const *args;
    int word_count; // number of all words after the command's name, see `words`
    char *const *words;
    FILE *out, *err; // `out` is for results; `err` is for messages and progress
    void *result;    // struct of results that the command fills for another command that called it;
                     // NULL if nobody needs these results
    bool drop_unknown; // true if --drop-unknown was given
} CommandCall;

typedef struct Command {
    const char *name;    // name as the user types it; two words for a sub-command ("data info")
    const char *summary; // one-line description for the list of commands
    const char *usage;   // arguments after the options in the usage line ("DIR...")
    const char *details; // further help text: paragraphs and examples; may be NULL
    const OptionRow *rows;
    size_t settings_size;
    int min_args, max_args; // allowed number of arguments; max_args < 0: no upper limit
    bool on_ranks;          // true if all MPI ranks run the command (core/system/ranks.h), not only
                            // rank 0
    bool reads_weights;     // true if the command has the option --drop-unknown
    // Runs the command. Returns STATUS_REPORTED if something failed and the command has already
    // printed the reason. No error message is then added, and the exit status is 1.
    Status (*run)(const CommandCall *call, Err *err);
} Command;

// The option --drop-unknown of the commands with Command.reads_weights.
#define DROP_UNKNOWN_NAME "drop-unknown"
#define DROP_UNKNOWN_HELP                                                                          \
    "ignore terms of a weight set that this program does not have; without this option such a "    \
    "term is an error"

// Parses argv, the words after the command's name, and runs the command. `result` becomes
// CommandCall.result. Returns exit status 0, 1 or 2, or interrupt_exit_status() after an interrupt.
int command_main(const Command *command, int argc, char **argv, FILE *out, FILE *err_file,
                 void *result);

// Appends the command line of a call, with words quoted by text_add_word().
void command_line(const CommandCall *call, Text *text);

// Returns the row of an option of the command, or NULL if it has no option of this name.
const OptionRow *command_row(const Command *command, const char *name, size_t length);
// Returns true if the option of this name was on the command line or in the file of --options.
// Returns false if the command does not have this option.
bool command_given(const CommandCall *call, const char *name);
// Refuses options that would have no effect. If one of `names` ("depth fen") was given, returns
// STATUS_USAGE with the message "--NAME: WHY". Names of options that the command does not have are
// ignored.
Status command_refuse(const CommandCall *call, const char *names, const char *why, Err *err);
// Like command_refuse(), but accepts options that have their default value (flags: false). A file
// for --options that was made from the provenance of a run contains such options, because the
// provenance lists all options.
Status command_refuse_change(const CommandCall *call, const char *names, const char *why, Err *err);

// Appends a line "given=" with the names of the options that were given. This line and the lines of
// command_options_text() form a file that --options can read to repeat the command. In such a file,
// an option counts as given if the line "given=" names it or if its value is not the default value.
// If `with_neutral` is false, omits the options with OPTION_NEUTRAL.
void command_given_text(const CommandCall *call, bool with_neutral, Text *text);

// Appends the values of all options as "name=value" lines. An OPTION_TEXTS option has one line for
// each of its values. If `with_neutral` is false, omits the options with OPTION_NEUTRAL; the other
// lines are then part of the identity of a run (run_identity_begin()).
void command_options_text(const CommandCall *call, bool with_neutral, Text *text);

// Parses the text of an option value into its member of a settings struct, which borrows the text.
// Error messages begin with `name`.
Status option_read(const OptionRow *row, const char *name, const char *text, void *settings,
                   Err *err);
// Like option_read(), for a value on the command line: error messages begin with --NAME, and the
// status of every error is STATUS_USAGE.
Status option_set(const OptionRow *row, const char *text, void *settings, Err *err);

// Appends the current value of an option as text that option_read() can read. Two exceptions:
// nothing is appended for OPTION_TEXTS, which can have several values (see command_options_text());
// NULL of OPTION_TEXT becomes the empty text.
void option_value_text(const OptionRow *row, const void *settings, Text *text);

// Fills a settings struct with the default values of its option rows.
Status options_defaults(const OptionRow *rows, void *settings, size_t size, Err *err);
