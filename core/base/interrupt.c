// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/interrupt.h"

#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t requested, relayed;
static atomic_bool heeded; // somebody looks whether the end was requested

static void on_signal(int number) {
    if (requested || !heeded) _exit(128 + number);
    requested = number;
}

void interrupt_install(void) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_signal;
    action.sa_flags = SA_RESTART;
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

bool interrupt_requested(void) {
    if (!heeded) heeded = true;
    return requested != 0 || relayed != 0;
}

void interrupt_relay(int number) {
    relayed = number;
}

int interrupt_exit_status(void) {
    return 128 + (int)(requested ? requested : relayed);
}
