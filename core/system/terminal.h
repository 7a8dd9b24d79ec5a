// SPDX-License-Identifier: GPL-3.0-or-later
// Properties of the terminal that a stream may lead to.
#pragma once

#include <stdbool.h>
#include <stdio.h>

// Returns the width in columns: the environment variable COLUMNS (20 to 1000), else the width of
// the terminal (at least 20), else 80.
int terminal_width(FILE *out);
// Returns true if the stream leads to a terminal. Returns false if an MPI launcher started this
// process, because its streams can look like terminals although they are not.
bool terminal_is(FILE *out);
// If the stream leads to a terminal, clears the current line, which may show a progress line.
void terminal_begin_line(FILE *out);
// Returns true if colours can be used: the stream is a terminal, and the environment variable
// NO_COLOR (no-color.org) is unset or empty.
bool terminal_colour(FILE *out);
