// SPDX-License-Identifier: GPL-3.0-or-later
// Help: the list of commands, the help of each command, the completion of command lines in a shell,
// and the messages about names that are not commands.
#pragma once

#include "core/command/options.h"

typedef enum CommandGroup {
#define COMMAND_GROUP(id, heading) COMMANDS_##id,
#include "core/command/command_groups.def"
    COMMANDS_COUNT,
} CommandGroup;

typedef struct CommandEntry {
    const Command *command;
    CommandGroup group;
} CommandEntry;

// All commands of the program. Commands with the same first word ("data info", "data merge") form a
// family; they have the same group and are adjacent among the commands of this group.
typedef struct CommandTable {
    const CommandEntry *entries; // array of `count` commands in any order of groups
    size_t count;
    // Prints the words that can follow in the value of an option, one per line, for completion.
    // `begun` is the part of the value that is already typed.
    void (*offer_values)(const char *unit, const char *begun, FILE *out);
} CommandTable;

// Returns the command of this name, or NULL if there is none.
const Command *command_named(const CommandTable *table, const char *name);
// Returns the command whose name is the first two words. If there is none, returns the command
// whose name is the first word, or NULL. *used becomes the number of words of the name.
const Command *command_find(const CommandTable *table, int count, char *const *words, int *used);

// Runs `paotai help WORDS...` and returns its exit status. Without words it prints the list of
// commands. If the words are the name of a command, it prints the help of this command; if they are
// the name of a family, the commands of the family. Other or additional words are an error with
// exit status 2. `--completion` prints the names and options of all commands. Words after
// `--completion` are an unfinished command line: prints the completions of its last word.
int help_main(const CommandTable *table, int count, char *const *words, FILE *out, FILE *err);
// Handles a command line that names no command. If the line is the name of a family, alone or
// followed by an option, prints the commands of the family. Otherwise prints an error. Returns the
// exit status: 0 for `FAMILY --help`, else 2.
int help_no_command(const CommandTable *table, int count, char *const *words, FILE *out, FILE *err);

// Prints the help of one command: usage, summary, at most two examples, options, details.
// bench/manual/pages.sh converts this text to the manual page.
void command_help(const Command *command, FILE *out);
// Prints an entry of a list in two columns: `left` after two blanks, and `text`, wrapped, from
// terminal column `column` on. If `left` is too long, `text` begins on the next line.
void help_entry(FILE *out, const char *left, const char *text, int column);
