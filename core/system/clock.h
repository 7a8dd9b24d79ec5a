// SPDX-License-Identifier: GPL-3.0-or-later
// Monotonic wall time and processor time.
#pragma once

#include <stdint.h>

#define MS_NS 1000000LL // nanoseconds per millisecond

// Return the time since a fixed but arbitrary point: clock_now_ns() in nanoseconds, clock_now_s()
// in seconds.
int64_t clock_now_ns(void);
double clock_now_s(void);
// Returns the processor time of the calling thread in nanoseconds.
int64_t clock_cpu_ns(void);
// Returns the processor time, in seconds, of this process and of its child processes that have
// ended and were waited for.
double clock_process_cpu_s(void);
