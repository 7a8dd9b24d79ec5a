// SPDX-License-Identifier: GPL-3.0-or-later
// Monotonic wall time.
#pragma once

#include <stdint.h>

#define MS_NS 1000000LL // nanoseconds of a millisecond

// Nanoseconds since an arbitrary point that does not move while the program runs.
int64_t clock_now_ns(void);
double clock_now_s(void);
// Processor time that the calling thread has used.
int64_t clock_cpu_ns(void);
