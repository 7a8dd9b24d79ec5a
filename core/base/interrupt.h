// SPDX-License-Identifier: GPL-3.0-or-later
// Signals that end a command: SIGINT (Ctrl-C), SIGTERM and SIGHUP. The first signal sets a flag.
// The command then ends cleanly and keeps its finished results. A second Ctrl-C ends the process at
// once, unless it comes within 0.1 s. A second SIGTERM or SIGHUP also does, unless it comes within
// one second after the first signal: GNU timeout sends two signals for one request. Until a command
// calls interrupt_requested() or interrupt_flag(), which short commands never do, the first signal
// ends the process. The flag is global because a signal handler has no context.
#pragma once

#include <stdatomic.h>
#include <stdbool.h>

// Installs the handlers of the signals.
void interrupt_install(void);
// Returns true if a signal has requested the end of the command.
bool interrupt_requested(void);
// Returns a pointer to the flag, for searches, which take a pointer to a stop flag.
const atomic_bool *interrupt_flag(void);
// Handles a signal that another MPI rank received: sets the flag. The launcher may send the same
// signal to this process, too; that signal then counts as the first, not as the second.
void interrupt_relay(int number);
// Returns the exit status of an interrupted command, 128 plus the number of the signal: 130 after
// Ctrl-C, 143 after SIGTERM.
int interrupt_exit_status(void);
