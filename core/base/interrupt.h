// SPDX-License-Identifier: GPL-3.0-or-later
// Ctrl-C: the first asks long work to stop cleanly and keep what was done, the second ends at once.
// The flag is the one piece of global state of the program: a signal has no other place to speak
// to.
#pragma once

#include <stdbool.h>

// From now on SIGINT and SIGTERM set the flag; the second one ends the process (status 130).
void interrupt_install(void);
bool interrupt_requested(void);
