// SPDX-License-Identifier: GPL-3.0-or-later
// Help texts, as wide as what they are shown on.
#pragma once

#include "core/base/options.h"

// Help of one command, of which core/manual/pages.sh makes its page of the manual.
void command_help(const Command *command, FILE *out);
// A line of a list: what it is about, and from the column on what there is to say, in as many lines
// as that takes. Where the left side is too long, the text begins on the next line.
void help_entry(FILE *out, const char *left, const char *text, int column);
