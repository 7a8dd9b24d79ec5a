// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/system/interrupt.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "core/system/clock.h"

// A further signal is ignored if it arrives within this time in milliseconds after the first one:
// SAME_CTRL_C_MS for SIGINT, SAME_REQUEST_MS for SIGTERM and SIGHUP. GNU `timeout` sends two
// signals: one to the program and one to its process group.
enum { SAME_CTRL_C_MS = 100, SAME_REQUEST_MS = 1000 };

// Time of the first signal (clock_now_ns()); 0 if no signal was received.
static _Atomic int64_t first_ns;
static volatile sig_atomic_t requested, relayed;
static atomic_bool heeded; // true once interrupt_requested() or interrupt_flag() was called
static atomic_bool flag;   // true once this or another MPI rank received a signal to end
static atomic_uint stops;  // number of SIGCONT signals

static void on_signal(int number) {
    int64_t expected = 0;
    const int64_t now_ns = clock_now_ns();
    if (!heeded) _exit(128 + number);
    if (!atomic_compare_exchange_strong(&first_ns, &expected, now_ns)) {
        const int64_t same_ms = number == SIGINT ? SAME_CTRL_C_MS : SAME_REQUEST_MS;
        if (now_ns - expected >= same_ms * MS_NS) _exit(128 + number);
        return;
    }
    requested = number;
    flag = true;
}

static void on_continue(int number) {
    (void)number;
    stops++;
}

void interrupt_install(void) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_signal;
    action.sa_flags = SA_RESTART;
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    action.sa_handler = on_continue;
    sigaction(SIGCONT, &action, NULL);
    action.sa_handler = on_signal;
    // Closing the terminal (SIGHUP) ends a run like SIGTERM. Under nohup SIGHUP stays ignored.
    struct sigaction before;
    if (sigaction(SIGHUP, NULL, &before) == 0 && before.sa_handler != SIG_IGN) {
        sigaction(SIGHUP, &action, NULL);
    }
}

bool interrupt_requested(void) {
    if (!heeded) heeded = true;
    return flag;
}

const atomic_bool *interrupt_flag(void) {
    heeded = true;
    return &flag;
}

void interrupt_relay(int number) {
    relayed = number;
    flag = true;
}

int interrupt_exit_status(void) {
    return 128 + (int)(requested ? requested : relayed);
}

unsigned interrupt_stops(void) {
    return stops;
}
