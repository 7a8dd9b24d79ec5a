// SPDX-License-Identifier: GPL-3.0-or-later
// Signals that end a command: SIGINT (Ctrl-C), SIGTERM and SIGHUP. The first one sets a flag, and
// the command ends cleanly with its finished results. A later Ctrl-C, or a SIGTERM or SIGHUP that
// comes at least one second after the first signal, ends the process at once. Earlier ones are
// ignored: GNU timeout sends the signal to the process and again to its group. The first signal
// also ends the process at once if the command has not called interrupt_requested() yet: short
// commands never do. The flag is global because a signal handler has no context.
#pragma once

#include <stdatomic.h>
#include <stdbool.h>

// Installs the handlers of the signals.
void interrupt_install(void);
// Returns true if the end was requested.
bool interrupt_requested(void);
// Returns the flag itself, for searches, which watch a flag of their own.
const atomic_bool *interrupt_flag(void);
// Sets the flag because another MPI rank received the signal `number`. The launcher may still send
// this process a signal of its own, which then counts as the first.
void interrupt_relay(int number);
// Returns the exit status of an interrupted command: 128 and the number of the signal, so 130 after
// Ctrl-C and 143 after SIGTERM.
int interrupt_exit_status(void);
