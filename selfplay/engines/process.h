// SPDX-License-Identifier: GPL-3.0-or-later
// A child process with line-based input and output. The functions that wait for the program have a
// deadline. The program may die, hang, print endlessly or close its streams without harm to the
// caller.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "core/base/text.h"

typedef struct Process Process;

enum {
    PROCESS_LINE_MAX = 65536, // maximum length of a line in bytes; the rest of a longer line is
                              // skipped
};

// Starts `command`, which is split into words as in a shell; a word with blanks is quoted by '...'
// or "...". A program name without a slash is searched in PATH, then in /usr/games and
// /usr/local/games. The program leads its own process group, which is killed when this process ends
// for any reason. The program runs in the directory `dir` (NULL: the current directory); a relative
// path to the program starts there. Its standard error is appended to the file error_path, unless
// that is NULL. Returns STATUS_USAGE if the command cannot be split, STATUS_NOT_FOUND if the
// program does not exist or is not executable or `dir` cannot be entered, STATUS_ENGINE or
// STATUS_IO after another failure.
Status process_start(const char *command, const char *dir, const char *error_path,
                     Process **process, Err *err);

// Writes the name of a command's program to `name`. This is the first word of the command without
// quotes and directories. Writes "" if the command cannot be split into words.
void process_program_name(const char *command, char *name, size_t size);

// Appends hashes of the files of a command, joined by '+'. The files are its program and each
// argument that names a file; relative names start at `dir`. A hash is the first 12 digits of the
// SHA-256 of the file. The program is searched as in process_start(). Files that cannot be read are
// omitted.
void process_command_hash(const char *command, const char *dir, Text *text);
// Appends the hash of one file, in the form of process_command_hash(). Appends nothing if `name` is
// not a regular file.
void process_file_hash(const char *name, const char *dir, Text *text);

// Ends the program and frees the process. Closes the program's input and waits at most grace_ms
// milliseconds until the program closes its output, then at most grace_ms until it ends. Then kills
// its process group. `process` may be NULL.
void process_stop(Process *process, int grace_ms);

// Writes all bytes to the program's standard input. Returns false if the deadline, in the units of
// clock_now_ns(), passed, or if the program closed its input or died.
bool process_write(Process *process, const char *text, size_t length, int64_t deadline_ns);

typedef enum ProcessRead {
    PROCESS_LINE,    // a line was read
    PROCESS_TIMEOUT, // no line arrived before the deadline
    PROCESS_END,     // the program closed its output or died, and all lines have been read
    PROCESS_FLOOD,   // the program printed more bytes than process_set_budget() allows
} ProcessRead;

// Reads the next line without its line end; zero bytes become '?'. The line is valid until the next
// call. Waits at most until the deadline, in the units of clock_now_ns(). If the deadline is in the
// past, only output that has already arrived is read.
ProcessRead process_read_line(Process *process, int64_t deadline_ns, const char **line);

// Sets the number of further bytes that process_read_line() may read before it returns
// PROCESS_FLOOD.
void process_set_budget(Process *process, uint64_t bytes);

// Waits at most wait_ms milliseconds until the program ends. Returns true if it has ended; `text`
// then says how: "ended with exit status 3", "was killed by signal 11". Does not reap the process,
// so its process id and group id stay reserved until process_stop().
bool process_ended(Process *process, int wait_ms, char *text, size_t size);
// Appends the last lines of the program's standard output and of its standard error (at most 200
// bytes of each stream) as one printable line: "; its last output: ...; its last errors: ...".
// Omits a stream without output.
void process_last_words(Process *process, Text *text);
