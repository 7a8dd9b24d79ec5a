// SPDX-License-Identifier: GPL-3.0-or-later
// EPD: a FEN without or with counters, then operations `opcode operand...;`.
#pragma once

#include <stdbool.h>
#include <stddef.h>

// Cuts the line behind the FEN (the placement, the side, then dashes and counters up to six fields)
// and returns the operations, "" when there are none.
char *epd_cut(char *line);

// The operand of the first operation with this opcode, without blanks around it; false when there
// is none. A semicolon inside double quotes ends nothing.
bool epd_find(const char *operations, const char *opcode, const char **operand, size_t *length);
