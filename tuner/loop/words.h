// SPDX-License-Identifier: GPL-3.0-or-later
// Calls a command of Paotai from another command, with arguments as on the command line, and
// collects the printed output.
#pragma once

#include "core/command/options.h"

// The words of a command line. Initialise to zero; words_clear() frees the memory.
typedef struct Words {
    char **words;
    int count;
} Words;
void words_clear(Words *words);
AUTO_VALUE(Words, words_clear)

// words_add() adds each line of a formatted text as a word. words_add_text() adds the words of a
// text, separated by blanks; this text may be NULL.
void words_add(Words *words, const char *format, ...) PRINTF_LIKE(2, 3);
void words_add_text(Words *words, const char *text);
// Adds the words of a text like words_add_text(), except the options of the list and their values.
// The list contains names such as "--sprt" and ends with NULL.
void words_add_text_without(Words *words, const char *text, const char *const *options);
// Adds an option whose value is a player: Paotai with the weights or the network in the file
// `weights`. `name` is the name of the player.
void words_add_player(Words *words, const char *option, const char *weights, const char *name);

// Appends the command line with quotes for a shell: "paotai COMMAND WORD...".
void words_line(const Words *words, const Command *command, Text *line);
// Runs the command and appends its output to *output. The command writes its messages to err_file,
// and its results to `result` (CommandCall.result). Returns STATUS_INTERRUPTED after Ctrl-C, and
// STATUS_BAD_INPUT if the exit status of the command is not 0.
Status words_run(const Words *words, const Command *command, void *result, FILE *err_file,
                 Text *output, Err *err);
