// SPDX-License-Identifier: GPL-3.0-or-later
// Text: a growing buffer, strict number parsing, splitting, quoting.
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "core/base/status.h"

// A growing text. It ends with a zero byte, which is not counted in `length`. Initialise with
// zeros; text_clear() frees it.
typedef struct Text {
    char *data; // the text; NULL until something was added
    size_t length, capacity;
} Text;

void text_add(Text *text, const char *format, ...) PRINTF_LIKE(2, 3);
void text_add_args(Text *text, const char *format, va_list args) PRINTF_LIKE(2, 0);
// Appends a number with 15, 16 or 17 significant digits, the fewest that read back as the same
// number, without zeros at the end.
void text_add_real(Text *text, double value);
// Returns 0 if "%.*f" prints `value` with this number of decimals as 0 or -0, otherwise `value`. A
// number that is rounded to 0 shall have no minus sign.
double text_zero_unsigned(double value, int decimals);
void text_add_bytes(Text *text, const void *bytes, size_t length);
// Reads bytes that text_add_bytes() wrote: copies `size` bytes from the given address to *to.
// Returns the address after them.
const unsigned char *bytes_take(const unsigned char *from, void *to, size_t size);
void text_reset(Text *text); // empties the text and keeps its memory
void text_clear(Text *text);
AUTO_VALUE(Text, text_clear)
const char *text_get(const Text *text); // returns "" for an empty text, never NULL

// A receiver of notes (ErrNotes) that stores them in `lines`, one per line. Initialise with
// {.notes.say = keep_note}.
typedef struct KeptNotes {
    ErrNotes notes; // must be the first member: keep_note() casts ErrNotes * to KeptNotes *
    Text lines;
} KeptNotes;
void keep_note(ErrNotes *notes, const char *text);

// Returns the code point of the next UTF-8 character before `end` and moves *cursor past it.
// Returns -1 for an invalid byte, after moving *cursor by one byte, and at `end`, without moving
// *cursor.
int32_t text_next_utf8(const char **cursor, const char *end);
// Makes text from files or programs safe for a terminal: each byte of a control character, newline
// included, and of invalid UTF-8 becomes '?'.
void text_make_printable(char *text);

// Parse numbers strictly: the whole text must be a number in range, without blanks. Error messages
// begin with `what`.
Status parse_int(const char *text, long long min, long long max, long long *value, const char *what,
                 Err *err);
Status parse_real(const char *text, double min, double max, double *value, const char *what,
                  Err *err);
Status parse_u64(const char *text, uint64_t *value, const char *what, Err *err);

// Returns the next field of a text, up to a separator or the end of the text. Replaces the
// separator by a zero byte and moves *cursor past it. After the last field *cursor is NULL, and the
// next call returns NULL.
char *text_next_field(char **cursor, char separator);

// True for a blank, a tab and the characters of line ends.
bool text_is_blank(char c);
// Removes blanks, tabs and line ends at both ends, in place. Returns the new beginning of the text.
char *text_trim(char *text);

// Finds the next word, a run of characters other than blanks, tabs and line ends. Returns false at
// the end.
bool text_next_word(const char **cursor, const char **word, size_t *length);
bool text_word_is(const char *word, size_t length, const char *wanted);
// Returns true if the text ends in `ending` and has at least one byte before it. `text` may be
// NULL.
bool text_ends_in(const char *text, const char *ending);

// Returns true if the text starts like a PGN tag: a bracket, a name, blanks and a quotation mark,
// as in [Event ".
bool text_begins_pgn_tag(const char *text, size_t length);
// Returns the name of the game format ("pgn", "dhtmlxq", "xqf", "cbr", "cbl") whose files begin
// with a tag or with magic bytes as `text` does, or NULL.
const char *text_game_format(const char *text, size_t length);

// Finds the name that a misspelt word may mean. Initialise the struct with {word, length}, then
// call nearest_try() with each name.
typedef struct Nearest {
    const char *word;
    size_t length;
    const char *name; // nearest name tried so far, or NULL
    size_t name_length;
    int distance; // number of letters changed, added or left out between `word` and `name`; 1 if
                  // `name` begins with `word` and `word` has at least three letters
} Nearest;
void nearest_try(Nearest *nearest, const char *name, size_t length);

// Appends words, wrapped to lines of at most 80 bytes, and a newline. Lines after the first begin
// with two blanks. A word is never broken, so a long word makes a longer line.
void text_add_wrapped(Text *text, const char *words);

// Appends a word quoted for a shell, so that sh and process_start() read it as one word.
void text_add_quoted(Text *text, const char *word);
// Appends a word quoted for messages: with quotes only if necessary, and with control characters
// escaped as in bash.
void text_add_word(Text *text, const char *word);
