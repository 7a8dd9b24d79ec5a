// SPDX-License-Identifier: GPL-3.0-or-later
// Monotonic wall time.
#pragma once

#include <stdint.h>

// Nanoseconds since an arbitrary point that does not move while the program runs.
int64_t clock_now_ns(void);
// Seconds as a real number, same origin.
double clock_now_s(void);
// Seconds this thread has computed: what a piece of work costs, however busy the machine is.
double clock_thread_cpu_s(void);
