// SPDX-License-Identifier: GPL-3.0-or-later
// A child process with pipes for line-based input and output. Every wait has a deadline. The caller
// survives anything that the program does: it may die, hang, print endlessly or close its streams.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "core/base/text.h"

typedef struct Process Process;

enum {
    PROCESS_LINE_MAX = 65536, // bytes; longer lines are cut, and the rest of the line is skipped
};

// Starts `command`. It is split into words as in a shell; a word with blanks is quoted by '...' or
// "...". A program name without a slash is searched in PATH, then in /usr/games and
// /usr/local/games. The program leads its own process group, which is killed when this process ends
// for any reason. The program runs in the directory `dir` (NULL: the current directory), and a
// relative path with a slash is resolved from there. Its standard error is appended to the file
// error_path, unless that is NULL.
Status process_start(const char *command, const char *dir, const char *error_path,
                     Process **process, Err *err);

// Writes the program name of a command to `name`: the first word without quotes and directories, or
// "" if the command cannot be split.
void process_program_name(const char *command, char *name, size_t size);

// Appends hashes of the files of a command, joined by '+': the first 12 digits of the SHA-256 of
// its program, and of each argument that is a file. The program is searched as in process_start().
// Files that cannot be read are skipped.
void process_command_hash(const char *command, const char *dir, Text *text);
// Appends the hash of one file, like process_command_hash(). Appends nothing if `name` is not a
// regular file.
void process_file_hash(const char *name, const char *dir, Text *text);

// Ends the program: closes its input, waits at most grace_ms for it to close its output and again
// for it to end, then kills its process group. Frees the process. NULL is allowed.
void process_stop(Process *process, int grace_ms);

// Writes all bytes before the deadline (clock_now_ns()). Returns false if the program closed its
// input, died or does not read.
bool process_write(Process *process, const char *text, size_t length, int64_t deadline_ns);

typedef enum ProcessRead {
    PROCESS_LINE,    // a line was read
    PROCESS_TIMEOUT, // no line arrived before the deadline
    PROCESS_END,     // the program closed its output or died, and all lines have been read
    PROCESS_FLOOD,   // the program printed more bytes than the budget allows
} ProcessRead;

// Reads the next line, without its line end; zero bytes become '?'. The line is valid until the
// next call. With a deadline in the past, reads only what has already arrived.
ProcessRead process_read_line(Process *process, int64_t deadline_ns, const char **line);

// Sets the number of bytes that may still be read before PROCESS_FLOOD.
void process_set_budget(Process *process, uint64_t bytes);

// Returns true if the program has ended, after waiting at most wait_ms. Then `text` describes how:
// "ended with exit status 3", "was killed by signal 11". Does not reap the process, so its process
// id and group id stay reserved until process_stop().
bool process_ended(Process *process, int wait_ms, char *text, size_t size);
// Appends the last lines of the output and of the standard error, in one printable line: "; its
// last output: ...; its last errors: ...". Appends nothing if both are empty.
void process_last_words(Process *process, Text *text);
