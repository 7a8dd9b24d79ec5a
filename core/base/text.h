// SPDX-License-Identifier: GPL-3.0-or-later
// Text: a growing buffer, strict number parsing, splitting, and reading files line by line.
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "core/base/status.h"

// A growing text, always terminated once something was added. Zero-initialise; text_clear() frees.
typedef struct Text {
    char *data; // NULL while nothing was added
    size_t length, capacity;
} Text;

void text_add(Text *text, const char *format, ...) PRINTF_LIKE(2, 3);
void text_add_args(Text *text, const char *format, va_list args) PRINTF_LIKE(2, 0);
// The shortest decimal that reads back as this number, of 15 digits or more.
void text_add_real(Text *text, double value);
void text_add_bytes(Text *text, const void *bytes, size_t length);
// Takes such bytes out again: copies `size` of them to *to; returns what is behind them.
const unsigned char *bytes_take(const unsigned char *from, void *to, size_t size);
void text_reset(Text *text); // empty, memory kept
void text_clear(Text *text);
AUTO_VALUE(Text, text_clear)
const char *text_get(const Text *text); // never NULL

// The next character of UTF-8 text before `end`, and moves *cursor behind it; -1 when the bytes
// there are not UTF-8 (*cursor then moves by one byte) or the end is reached (*cursor stays).
int32_t text_next_utf8(const char **cursor, const char *end);
// For text that others wrote and a terminal shows: control characters and bytes that are not UTF-8
// become '?', one for each byte.
void text_make_printable(char *text);

// Strict numbers: the whole text must be the number (blanks are refused), in range. Errors name
// `what`.
Status parse_int(const char *text, long long min, long long max, long long *value, const char *what,
                 Err *err);
Status parse_real(const char *text, double min, double max, double *value, const char *what,
                  Err *err);
Status parse_u64(const char *text, uint64_t *value, const char *what, Err *err);

// Cuts *cursor at the next separator: returns the field, which it terminates, and moves *cursor
// behind it; NULL when nothing is left (an empty last field is returned once).
char *text_next_field(char **cursor, char separator);

// Cuts the blanks at both ends.
char *text_trim(char *text);

// The next run of characters that are not blanks: its start and length; false at the end.
bool text_next_word(const char **cursor, const char **word, size_t *length);
bool text_word_is(const char *word, size_t length, const char *wanted);

// Of some names the one that a misspelt word is meant to be: begin with {word, length}, try each.
typedef struct Nearest {
    const char *word;
    size_t length;
    const char *name; // NULL: none is near
    size_t name_length;
    int distance; // of the name: letters to change, add or leave out
} Nearest;
void nearest_try(Nearest *nearest, const char *name, size_t length);

// Appends words to a text whose lines have at most 80 columns.
void text_add_wrapped(Text *text, const char *words);

// Appends a word in quotes, so that sh and process_start() read it as one.
void text_add_quoted(Text *text, const char *word);
// The same for people: quoted where it must be; what a terminal would obey is escaped as bash does.
void text_add_word(Text *text, const char *word);

// Reads lines of any length, which end with LF, CRLF or CR (old Macintosh). Zero bytes inside a
// line are an error of the caller's data and are kept in length; a byte order mark before the first
// line is dropped. Lines that end with CR come when an LF or the end has been read.
typedef struct LineReader {
    FILE *file;
    const char *name; // for messages
    bool owned;       // line_reader_close() closes file
    char *line;       // the last line read, without its end; in block
    size_t length;
    char *block; // owned: what was read up to an LF, of which `rest` bytes follow at `next`
    size_t capacity, next, rest;
    size_t number;    // 1 for the first line
    bool again;       // line_reader_unread() was called
    int error_number; // why nothing more could be read, memory included; 0 at the end of the file
} LineReader;

// path NULL or "-" is standard input. Waits for the writer of a named pipe, until Ctrl-C.
Status line_reader_open(LineReader *reader, const char *path, Err *err);
// True while there is a line. False at the end or on a read error: ask line_reader_close().
bool line_reader_next(LineReader *reader);
// The next line_reader_next() gives the last line once more, unchanged.
void line_reader_unread(LineReader *reader);
// Like line_reader_next() but skips blank lines and lines that begin with '#'.
bool line_reader_next_record(LineReader *reader);
Status line_reader_close(LineReader *reader, Err *err);

// The whole of a file of at most TEXT_FILE_MAX bytes (else STATUS_BAD_INPUT); the caller frees
// *data, which is terminated by a zero byte.
enum { TEXT_FILE_MAX = 256 << 20 };
Status text_read_file(const char *path, char **data, size_t *length, Err *err);
