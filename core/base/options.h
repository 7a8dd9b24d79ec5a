// SPDX-License-Identifier: GPL-3.0-or-later
// Commands and their options. An option is declared once, as a row; from the row follow the parser,
// --help, the README's table, the provenance stored in outputs and shell completion.
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
    double min, max;           // for OPTION_INT and OPTION_REAL
    const char *default_value; // parsed like a given one; NULL: none
    const char *unit;          // what the value is, for help: "N", "ms", "FILE", "axf|none"
    const char *help;          // one line
} OptionRow;

#define OPTION_END                                                                                 \
    { .name = NULL }
enum { OPTION_MAX_ROWS = 64 };

struct Command;

// One call of a command, as main() hands it over. Everything is borrowed.
typedef struct CommandCall {
    const struct Command *command;
    const void *settings;        // the command's struct, filled from its rows
    bool given[OPTION_MAX_ROWS]; // given[i]: row i was on the command line
    int arg_count;               // what is not an option
    const char *const *args;
    FILE *out, *err; // results; messages and progress
} CommandCall;

typedef struct Command {
    const char *name;    // as typed; two words for a sub-command ("data info")
    const char *summary; // one line for the list of commands
    const char *usage;   // the arguments behind the options ("DIR...")
    const char *details; // what --help teaches: paragraphs and examples; may be NULL
    const OptionRow *rows;
    size_t settings_size;
    int min_args, max_args;              // max_args < 0: any number
    int (*run)(const CommandCall *call); // returns the exit status
} Command;

// Parses argv (after the command's name) and runs the command. Exit status 0, 1 or 2.
int command_main(const Command *command, int argc, char **argv, FILE *out, FILE *err_file);

// Reports a failure on the call's err stream and returns its exit status: 2 for wrong usage,
// else 1.
int command_fail(const CommandCall *call, const Err *err);

// Was the option of this name on the command line?
bool command_given(const CommandCall *call, const char *name);
// STATUS_USAGE, "--NAME: WHY", when one of these options ("depth fen") was on the command line: one
// that would be passed over in silence is a mistake of whoever wrote it.
Status command_refuse(const CommandCall *call, const char *names, const char *why, Err *err);

// "name=value" for every row, separated by newlines: how the options were resolved.
void command_options_text(const CommandCall *call, Text *text);

// The same without the options that never change what is computed (threads, where it goes, how it
// is shown; weights, which are compared by their hash): what decides the content of a run.
void command_identity_text(const CommandCall *call, Text *text);

// Do two values of these texts say the same? Older programs wrote reals with 17 digits, which read
// back as the same number.
bool option_values_same(const char *a, size_t a_length, const char *b, size_t b_length);
// The same for two lines "name=value", each up to its end of line.
bool option_lines_same(const char *a, const char *b);

// Help of one command, and the Markdown table of its options for the README.
void command_help(const Command *command, FILE *out);
void command_help_markdown(const Command *command, FILE *out);

// A settings struct filled with the defaults of the rows, for callers that are not command lines.
Status options_defaults(const OptionRow *rows, void *settings, size_t size, Err *err);
