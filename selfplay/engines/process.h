// SPDX-License-Identifier: GPL-3.0-or-later
// A program that is spoken to in lines: its standard input and output are pipes. Every wait has a
// deadline, nothing the program does can hurt us: it may die, hang, print without end or close its
// streams.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "core/base/text.h"

typedef struct Process Process;

enum {
    PROCESS_LINE_MAX = 65536, // longer lines are cut; the rest of the line is skipped
};

// Starts `command`: words as in a shell, in '...' or "..." where a word has blanks. A program
// without a slash is looked for in PATH, then in /usr/games and /usr/local/games. The program leads
// a process group of its own, which is killed when this process ends, however that comes about. It
// works in `dir`, and is looked for from there (NULL: ours). Its standard error is appended to the
// file error_path, if that is not NULL.
Status process_start(const char *command, const char *dir, const char *error_path,
                     Process **process, Err *err);

// The name of a command's program: its first word, without quotes and directories; "" where it has
// none.
void process_program_name(const char *command, char *name, size_t size);

// What a command is, beside its words: the first 12 digits of the SHA-256 of its program, found as
// process_start() finds it, and of each word that is a file, joined by '+'. Nothing of what cannot
// be read.
void process_command_hash(const char *command, const char *dir, Text *text);
// Adds the same of one file, if it is one.
void process_file_hash(const char *name, const char *dir, Text *text);

// Ends it: closes its streams, waits grace_ms for it to go, then kills its whole group. NULL is
// nothing.
void process_stop(Process *process, int grace_ms);

// Writes all bytes before the deadline (clock_now_ns()). False when the program closed its input,
// died or does not read.
bool process_write(Process *process, const char *text, size_t length, int64_t deadline_ns);

typedef enum ProcessRead {
    PROCESS_LINE,    // a line
    PROCESS_TIMEOUT, // none until the deadline
    PROCESS_END,     // it closed its output or died; all lines have been given
    PROCESS_FLOOD,   // more bytes than the budget allows
} ProcessRead;

// The next line, without its end; bytes of value 0 are read as '?'. The line is valid until the
// next call. A deadline that has passed means: only what is there.
ProcessRead process_read_line(Process *process, int64_t deadline_ns, const char **line);

// From now on so many bytes may be read before PROCESS_FLOOD.
void process_set_budget(Process *process, uint64_t bytes);

// Has it ended? Then text says how: "exit status 3", "killed by signal 11". Waits up to wait_ms.
bool process_ended(Process *process, int wait_ms, char *text, size_t size);
// Adds the last lines of its output and of its errors to a sentence: "; it said last: ...; its
// errors: ...", printable, in one line. Adds nothing where there are none.
void process_last_words(Process *process, Text *text);
