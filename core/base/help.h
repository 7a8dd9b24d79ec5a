// SPDX-License-Identifier: GPL-3.0-or-later
// Help: the list of commands, the page of each command, completion, and messages about names that
// are no command.
#pragma once

#include "core/base/options.h"

// All commands of the program. Commands with the same first word ("data info", "data merge") form a
// group and are neighbours.
typedef struct CommandTable {
    const Command *const *commands; // array of `count` commands
    size_t count;
} CommandTable;

// Returns the command of this name, or NULL.
const Command *command_named(const CommandTable *table, const char *name);
// Returns the command whose name is the first two words or the first word, or NULL. *used is the
// number of words of the name.
const Command *command_find(const CommandTable *table, int count, char *const *words, int *used);

// Runs `paotai help WORDS...` and returns its exit status. Without words it prints the list of
// commands. With `--completion` it prints the options of all commands. If words follow
// `--completion`, they are an unfinished command line, and it prints the completions of the last
// word.
int help_main(const CommandTable *table, int count, char *const *words, FILE *out, FILE *err);
// Handles a command line that names no command, and returns the exit status. Prints the commands of
// a group if the line is the name of the group, alone or followed by an option. Otherwise prints an
// error.
int help_no_command(const CommandTable *table, int count, char *const *words, FILE *out, FILE *err);

// Prints the help of one command: usage, summary, two examples, options, details.
// bench/manual/pages.sh makes the manual page from it.
void command_help(const Command *command, FILE *out);
// Prints an entry of a list in two columns: `left`, then `text`, wrapped, in the column `column`.
// If `left` is too long, the text begins on the next line.
void help_entry(FILE *out, const char *left, const char *text, int column);
