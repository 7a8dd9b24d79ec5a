// SPDX-License-Identifier: GPL-3.0-or-later
// A command of the laboratory that another one runs: its words as they would be typed, and what it
// prints.
#pragma once

#include "core/base/options.h"

// Zero-initialise; words_clear() frees.
typedef struct Words {
    char **words;
    int count;
} Words;
void words_clear(Words *words);
AUTO_VALUE(Words, words_clear)

// Adds the lines of a text, each of them a word; the words of a text (NULL: none), separated by
// blanks.
void words_add(Words *words, const char *format, ...) PRINTF_LIKE(2, 3);
void words_add_text(Words *words, const char *text);
// Adds an option whose value is a player: our engine with these weights.
void words_add_player(Words *words, const char *option, const char *weights, const char *name);

// Runs the command and appends what it prints. The first two lines are the command itself and
// `step_seconds S`.
Status words_run(const Words *words, const Command *command, FILE *err_file, Text *output,
                 Err *err);
// What is behind a word at the beginning of a line of such a text, up to its end; "-" where there
// is no such line. The caller frees.
char *output_value(const char *text, const char *word);
// The same as a number; NAN where it is none.
double output_number(const char *text, const char *word);
