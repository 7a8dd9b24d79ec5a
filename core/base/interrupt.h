// SPDX-License-Identifier: GPL-3.0-or-later
// Signals that end a command: SIGINT (Ctrl-C), SIGTERM and SIGHUP. The first one sets a flag, and
// the command ends cleanly with its finished results. A second Ctrl-C ends the process at once. So
// does a second SIGTERM or SIGHUP, unless it comes within one second after the first signal: GNU
// timeout signals the process and then its group, so such a signal is ignored. Short commands never
// call interrupt_requested(). Until a command calls it, the first signal ends the process, too. The
// flag is global because a signal handler has no context.
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
