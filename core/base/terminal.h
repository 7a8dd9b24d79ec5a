// SPDX-License-Identifier: GPL-3.0-or-later
// The terminal that a stream may lead to.
#pragma once

#include <stdbool.h>
#include <stdio.h>

// Columns: those of the environment variable COLUMNS, else of the terminal, else 80.
int terminal_width(FILE *out);
// Is it one? What mpirun gives a rank only looks like one.
bool terminal_is(FILE *out);
// Before a line that may meet a progress line: on a terminal it takes its place.
void terminal_begin_line(FILE *out);
// Colours are for a terminal, and only where NO_COLOR is not set (no-color.org).
bool terminal_colour(FILE *out);
