// SPDX-License-Identifier: GPL-3.0-or-later
// Reads files: line by line, or as a whole. out_file.h writes them.
#pragma once

#include "core/base/text.h"

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
