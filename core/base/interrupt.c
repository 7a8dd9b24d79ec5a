// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/interrupt.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t requested, relayed;
static atomic_bool heeded; // somebody looks whether the end was requested
static atomic_bool flag;   // it was

static void on_signal(int number) {
    if (requested || !heeded) _exit(128 + number);
    requested = number;
    flag = true;
}

void interrupt_install(void) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_signal;
    action.sa_flags = SA_RESTART;
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    // A terminal that closes ends a run as SIGTERM does; under nohup it stays ignored.
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
