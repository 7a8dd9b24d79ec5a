// SPDX-License-Identifier: GPL-3.0-or-later
// Translates command lines in the words of other programs, and lines with slips of the keyboard, to
// command lines of Paotai, which error messages propose. foreign_options.def,
// foreign_keys.def and foreign_commands.def are the tables of words.
#pragma once

#include "core/command/options.h"

// Returns the name of the similar option of Paotai for an option of another program, or NULL if the
// table or the command does not have it. The name of -each and -engine is "a and --b".
const char *foreign_option(const Command *command, const char *name, size_t length);

// Returns the key that the text of a PLAYER without KEY= probably needs: "weights" for the name or
// file of a weight set, "cmd" for another file, a path or a program of the search path, else NULL.
const char *foreign_player_key(const char *text);

// Translates the words after the name of a command. Appends the whole command line to `line`, and
// to `left_out` a line "WORD: reason" for each option that is left out. Returns false if nothing
// had to be changed, or if a word is not understood.
bool foreign_translate(const Command *command, int count, char *const *words, Text *line,
                       Text *left_out);

// Returns the words of Paotai for the name of a command of another program, such as "perft
// --divide" for divide, or NULL.
const char *foreign_command(const char *word);

// Prints what foreign_translate() proposes after the error of a command. Prints nothing if it
// returns false.
void foreign_propose(const Command *command, int count, char *const *words, FILE *err);
