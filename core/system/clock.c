// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/system/clock.h"

#include <sys/resource.h>
#include <time.h>

int64_t clock_now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

double clock_now_s(void) {
    return (double)clock_now_ns() * 1e-9;
}

int64_t clock_cpu_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static double cpu_s(int who) {
    struct rusage usage;
    if (getrusage(who, &usage) != 0) return 0;
    return (double)usage.ru_utime.tv_sec + (double)usage.ru_stime.tv_sec +
           1e-6 * ((double)usage.ru_utime.tv_usec + (double)usage.ru_stime.tv_usec);
}

double clock_process_cpu_s(void) {
    return cpu_s(RUSAGE_SELF) + cpu_s(RUSAGE_CHILDREN);
}
