// SPDX-License-Identifier: GPL-3.0-or-later
// Signals that end a command: SIGINT (Ctrl-C), SIGTERM and SIGHUP. A command that has called
// interrupt_requested() or interrupt_flag() can end cleanly and keep its finished results: the
// first signal only sets a flag, and a further signal ends the process at once. Exceptions: a
// further Ctrl-C is ignored within 0.1 s after the first signal, and a further SIGTERM or SIGHUP
// within one second, because GNU timeout sends two signals for one request. Short commands call
// neither function while they work, so their first signal ends the process at once. The flag is
// global because a signal handler has no context.
#pragma once

#include <stdatomic.h>
#include <stdbool.h>

void interrupt_install(void);
// Returns true if a signal has requested the end of the command.
bool interrupt_requested(void);
// Returns a pointer to the flag. Searches use it as their stop flag.
const atomic_bool *interrupt_flag(void);
// Sets the flag because another MPI rank received the signal `number`. If the launcher sends the
// signal to this process, too, it counts as the first signal and does not end the process.
void interrupt_relay(int number);
// Returns the exit status of an interrupted command, 128 plus the number of the signal: 130 after
// Ctrl-C, 143 after SIGTERM.
int interrupt_exit_status(void);
// Returns how often this process was continued by SIGCONT, after Ctrl-Z or after a batch system had
// suspended it. If the number has changed, times measured meanwhile may contain a pause. A sleep of
// the whole machine is not counted, because clock_now_ns() does not contain it.
unsigned interrupt_stops(void);
