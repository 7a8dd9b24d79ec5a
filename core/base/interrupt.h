// SPDX-License-Identifier: GPL-3.0-or-later
// Ctrl-C: the first asks long work to stop cleanly and to keep finished results, the second ends
// the process at once. The first does so too while no code has called interrupt_requested() yet:
// short work never calls it. The flag is global state: a signal has no other place to speak to.
#pragma once

#include <stdatomic.h>
#include <stdbool.h>

// From now on SIGINT and SIGTERM set the flag; the second one ends the process.
void interrupt_install(void);
bool interrupt_requested(void);
// The same for those who watch a flag of their own, as searches do.
const atomic_bool *interrupt_flag(void);
// Another process of the same work was asked to end, by this signal: so is this one. A signal of
// its own may still follow, and is then the first.
void interrupt_relay(int number);
// The exit status of a command that was asked to end, whatever it had done by then, and of one that
// was ended: 128 and the signal's number, 130 after Ctrl-C and 143 after SIGTERM.
int interrupt_exit_status(void);
