// SPDX-License-Identifier: GPL-3.0-or-later
// Prints results as `key value` lines or, with --json, as one JSON object per line. Both forms use
// the same names.
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>

#include "core/base/text.h"

// Appends a JSON string with its quotes. Bytes that are not UTF-8 become \ufffd.
void json_add_string(Text *text, const char *value);

// A record of results, a list of names with values (members). Call record_begin(), then
// record_add(), record_unknown() and record_ints() any number of times, then record_end().
typedef struct Record {
    FILE *out;
    bool json;
    bool empty; // true while the record has no member
    Text text;
} Record;

void record_begin(Record *record, FILE *out, bool json);
// Adds members. In `format`, names and printf conversions alternate: "games %zu k %.8f". A "%s" in
// a name is replaced by an argument, as in "end_%s %d". JSON output writes real numbers like
// text_add_real(). A real number that is not finite is written as "-" in plain text and as null in
// JSON.
void record_add(Record *record, const char *format, ...) PRINTF_LIKE(2, 3);
// Adds a member whose value is unknown: "-" in plain text, null in JSON.
void record_unknown(Record *record, const char *key);
// Adds a list of integers: "key a,b,c" in plain text, "key":[a,b,c] in JSON. RECORD_UNKNOWN stands
// for an unknown number: "-" in plain text, null in JSON.
#define RECORD_UNKNOWN LLONG_MIN
void record_ints(Record *record, const char *key, const long long *values, int count);
// Writes the record and releases its memory.
void record_end(Record *record);

// Writes a complete record: record_begin(), record_add() and record_end().
void record_print(FILE *out, bool json, const char *format, ...) PRINTF_LIKE(3, 4);
// Writes a row of a table. In `format`, a name in braces stands before its printf conversion:
// "{piece}%-16s {mean}%8.2f\n". Plain output omits the names. JSON output contains only the values
// that have a name. A value whose name begins with '!', as in {!line}, appears only in JSON.
void record_row(FILE *out, bool json, const char *format, ...) PRINTF_LIKE(3, 4);

// Reports why an input record has no result: "error<TAB>line N: why" in plain text,
// {"line":N,"error":"why"} in JSON. N is `number`, the line of the record.
void record_bad_line(FILE *out, bool json, size_t number, const char *why);
