// SPDX-License-Identifier: GPL-3.0-or-later
// Results as `key value` lines or, with --json, as one JSON object a line: the same names in both.
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "core/base/text.h"

// Appends a JSON string with its quotes; bytes that are not UTF-8 become U+FFFD.
void json_add_string(Text *text, const char *value);

// One record of results. record_begin(), any record_*(), record_end(); then again.
typedef struct Record {
    FILE *out;
    bool json;
    bool empty; // no member yet
    Text text;
} Record;

void record_begin(Record *record, FILE *out, bool json);
// Members by a format of names and printf's conversions, "games %zu k %.8f", one after the other.
// A "%s" in a name stands for a text, too: "end_%s %d". JSON has all digits of a real number, and
// null where it is not finite.
void record_add(Record *record, const char *format, ...) PRINTF_LIKE(2, 3);
// A value that is not known: "-" in the plain form, null in JSON.
void record_unknown(Record *record, const char *key);
// A list of whole numbers: "key a,b,c" and [a,b,c].
void record_ints(Record *record, const char *key, const long long *values, int count);
// Writes the record and releases its memory.
void record_end(Record *record);

// A record of record_add() alone.
void record_print(FILE *out, bool json, const char *format, ...) PRINTF_LIKE(3, 4);
// A row of a table, in which each conversion has its name before it: "{piece}%-16s {mean}%8.2f\n".
// Plain output is the format without the names, "-" for a real number that is not finite; JSON has
// the members that are named. What is behind {!name} is for JSON alone.
void record_row(FILE *out, bool json, const char *format, ...) PRINTF_LIKE(3, 4);

// Prints in the place of a bad record, at line `number` of the input:
// "error<TAB>line N: why", or {"line":N,"error":"why"}.
void record_bad_line(FILE *out, bool json, size_t number, const char *why);
