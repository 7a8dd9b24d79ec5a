// SPDX-License-Identifier: GPL-3.0-or-later
// Properties of the terminal that a stream may lead to.
#pragma once

#include <stdbool.h>
#include <stdio.h>

// Returns the width in columns, from the environment variable COLUMNS, else the terminal, else 80.
int terminal_width(FILE *out);
// Returns true if the stream leads to a terminal. Returns false under mpirun, whose streams look
// like terminals but are not.
bool terminal_is(FILE *out);
// Clears the current line of a terminal, which may show a progress line.
void terminal_begin_line(FILE *out);
// Returns true if colours can be used: the stream is a terminal, and the environment variable
// NO_COLOR (no-color.org) is unset or empty.
bool terminal_colour(FILE *out);
