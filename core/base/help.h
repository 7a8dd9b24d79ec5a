// SPDX-License-Identifier: GPL-3.0-or-later
// Help: the list of commands, the page of each command, completion, and messages about names that
// are no command.
#pragma once

#include "core/base/options.h"

// All commands of the program. Commands of one group ("data info", "data merge") are neighbours.
typedef struct CommandTable {
    const Command *const *commands; // [count]
    size_t count;
} CommandTable;

// Returns the command of this name, or NULL.
const Command *command_named(const CommandTable *table, const char *name);
// Returns the command whose name is the first two words or the first word, or NULL. *used is the
// number of words of the name.
const Command *command_find(const CommandTable *table, int count, char *const *words, int *used);

// Runs `paotai help WORDS...` and returns its exit status. Without words it prints the list of
// commands. With `--completion` it prints the options of all commands; words behind it are a
// command line, of which it prints what the last word may become.
int help_main(const CommandTable *table, int count, char *const *words, FILE *out, FILE *err);
// Answers a command line whose first word names no command, and returns the exit status. The first
// word may be that of a group: then its commands are listed.
int help_no_command(const CommandTable *table, int count, char *const *words, FILE *out, FILE *err);

// Prints the help of one command: usage, summary, two examples, options, details.
// bench/manual/pages.sh makes the command's page of the manual from it.
void command_help(const Command *command, FILE *out);
// Prints an entry of a list: `left`, then `text` from the column on, in as many lines as it takes.
// If `left` is too long, the text begins on the next line.
void help_entry(FILE *out, const char *left, const char *text, int column);
