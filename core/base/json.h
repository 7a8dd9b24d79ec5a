// SPDX-License-Identifier: GPL-3.0-or-later
// Prints results as `key value` lines or, with --json, as one JSON object per line. Both forms use
// the same names.
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "core/base/text.h"

// Appends a JSON string with its quotes. Bytes that are not UTF-8 become U+FFFD.
void json_add_string(Text *text, const char *value);

// One record of results: record_begin(), any number of record_*() calls, then record_end().
typedef struct Record {
    FILE *out;
    bool json;
    bool empty; // true while the record has no member
    Text text;
} Record;

void record_begin(Record *record, FILE *out, bool json);
// Adds members by a format of alternating names and printf conversions, such as "games %zu k %.8f".
// A "%s" in a name is replaced by an argument: "end_%s %d". JSON prints a real number with all
// digits, and as null if it is not finite.
void record_add(Record *record, const char *format, ...) PRINTF_LIKE(2, 3);
// Adds an unknown value: "-" as text, null in JSON.
void record_unknown(Record *record, const char *key);
// Adds a list of integers: "key a,b,c" as text, [a,b,c] in JSON.
void record_ints(Record *record, const char *key, const long long *values, int count);
// Writes the record and releases its memory.
void record_end(Record *record);

// Writes a complete record: record_begin(), record_add() and record_end().
void record_print(FILE *out, bool json, const char *format, ...) PRINTF_LIKE(3, 4);
// Writes a row of a table. In the format each conversion follows its name: "{piece}%-16s
// {mean}%8.2f\n". Plain output omits the names and prints "-" for a real number that is not finite.
// JSON output prints named members. A member written {!name} appears only in JSON.
void record_row(FILE *out, bool json, const char *format, ...) PRINTF_LIKE(3, 4);

// Reports a bad input record instead of its result. `number` is the line of the record:
// "error<TAB>line N: why", or {"line":N,"error":"why"}.
void record_bad_line(FILE *out, bool json, size_t number, const char *why);
