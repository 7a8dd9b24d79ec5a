// SPDX-License-Identifier: GPL-3.0-or-later
// Properties of the terminal that a stream may lead to.
#pragma once

#include <stdbool.h>
#include <stdio.h>

// Returns the width in columns, from the environment variable COLUMNS, else the terminal, else 80.
int terminal_width(FILE *out);
// Returns true if the stream leads to a terminal. A stream of mpirun is none, although it looks
// like one.
bool terminal_is(FILE *out);
// Clears the current line of a terminal, because it may hold a progress line.
void terminal_begin_line(FILE *out);
// Returns true if colours can be used: on a terminal, unless NO_COLOR is set (no-color.org).
bool terminal_colour(FILE *out);
