// SPDX-License-Identifier: GPL-3.0-or-later
// Text: a growing buffer, strict number parsing, splitting, and reading files line by line.
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

// Removes blanks, tabs and line ends at both ends, in place. Returns the new beginning of the text.
char *text_trim(char *text);

// Finds the next word, a run of characters other than blanks, tabs and line ends. Returns false at
// the end.
bool text_next_word(const char **cursor, const char **word, size_t *length);
bool text_word_is(const char *word, size_t length, const char *wanted);

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

// Reads lines of any length that end with LF, CRLF or CR. Zero bytes inside a line are kept and
// counted in `length`; the caller must check for them. A byte order mark before the first line is
// dropped. The reader reads up to the next LF at once, so it reads a file whose lines all end with
// CR as a whole.
typedef struct LineReader {
    FILE *file;
    const char *name; // file name for error messages
    bool owned;       // true if line_reader_close() must close the file
    char *line;       // last line read, without its end; points into `block`
    size_t length;
    char *block; // owned buffer with the text up to an LF. The last `rest` bytes of this text, from
                 // offset `next` on, have not been returned yet
    size_t capacity, next, rest;
    size_t number;    // number of `line`, from 1
    bool again;       // true if the next line_reader_next() shall return `line` again
    bool unended;     // true if `line` is the last line of the file and has no line end
    int error_number; // errno of a failed read; 0 if no read failed
} LineReader;

// Opens a file, or standard input if path is NULL or "-". If the file is a named pipe, waits for
// its writer or Ctrl-C.
Status line_reader_open(LineReader *reader, const char *path, Err *err);
// Reads the next line. Returns false at the end of the file or on a read error, which
// line_reader_close() reports.
bool line_reader_next(LineReader *reader);
// If the current line ended with a single CR, appends the next line to it, with a blank for the CR.
// Otherwise returns false.
bool line_reader_join(LineReader *reader);
// Makes the next line_reader_next() return the current line again.
void line_reader_unread(LineReader *reader);
// Like line_reader_next(), but skips blank lines and lines that begin with '#'.
bool line_reader_next_record(LineReader *reader);
// For a command whose records are lines with FEN, tab and moves: if the current line is the
// beginning of a game file (text_game_format()), closes the reader and returns an error that names
// the format and ends with `advice`.
Status line_reader_refuse_games(LineReader *reader, const char *advice, Err *err);
// Closes the file, unless it is standard input, and frees the buffer. Returns STATUS_IO if a read
// failed.
Status line_reader_close(LineReader *reader, Err *err);

// Reads a whole file of any content. Returns STATUS_IO if the file cannot be read, STATUS_BAD_INPUT
// if it is longer than TEXT_FILE_MAX bytes. The caller frees *data, which is terminated by a zero
// byte; `length` does not count this byte.
enum { TEXT_FILE_MAX = 256 << 20 };
Status bytes_read_file(const char *path, char **data, size_t *length, Err *err);
// Like bytes_read_file(), but drops a byte order mark at the beginning. Binary files whose magic
// bytes differ from the mark can be read, too.
Status text_read_file(const char *path, char **data, size_t *length, Err *err);
