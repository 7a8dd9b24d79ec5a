// SPDX-License-Identifier: GPL-3.0-or-later
// Characters of UTF-8 text.
#pragma once

#include <stdbool.h>
#include <stdint.h>

// The next character of UTF-8 text before `end`, and moves *cursor behind it; -1 when the bytes
// there are not UTF-8 (*cursor then moves by one byte) or the end is reached (*cursor stays).
int32_t text_next_utf8(const char **cursor, const char *end);

// For text that others wrote and a terminal shows: control characters and bytes that are not UTF-8
// become '?', one for each byte.
void text_make_printable(char *text);
