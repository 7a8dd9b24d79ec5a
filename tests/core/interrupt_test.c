// SPDX-License-Identifier: GPL-3.0-or-later
// Tests in which cases a second signal ends the process at once.
#include "core/system/interrupt.h"

#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/system/clock.h"
#include "tests/test.h"

static void sleep_ms(int ms) {
    nanosleep(&(struct timespec){ms / 1000, ms % 1000 * MS_NS}, NULL);
}

// Sends two signals to a child that has called interrupt_requested() but never ends by itself.
// Returns the child's wait status, 0 if it still runs 200 ms after the second signal, or -1 if no
// child could be started.
static int end_of(int first, int second, int gap_ms) {
    int ready[2], status = 0;
    char byte;
    if (pipe(ready) != 0) return -1;
    const pid_t child = fork();
    if (child == 0) {
        interrupt_install();
        interrupt_requested();
        if (write(ready[1], "", 1) != 1) _exit(1);
        for (;;) pause();
    }
    close(ready[1]);
    if (child < 0 || read(ready[0], &byte, 1) != 1) return -1;
    kill(child, first);
    sleep_ms(gap_ms);
    kill(child, second);
    for (int i = 0; i < 20 && waitpid(child, &status, WNOHANG) == 0; i++) sleep_ms(10);
    if (!WIFEXITED(status) || status == 0) {
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
    }
    close(ready[0]);
    return status;
}

void test_interrupt_twice(TestContext *t) {
    CHECK_INT(end_of(SIGTERM, SIGTERM, 20), 0);
    CHECK_INT(end_of(SIGTERM, SIGHUP, 20), 0);
    CHECK_INT(end_of(SIGINT, SIGTERM, 20), 0);
    CHECK_INT(WEXITSTATUS(end_of(SIGTERM, SIGTERM, 1050)), 128 + SIGTERM);
    CHECK_INT(WEXITSTATUS(end_of(SIGINT, SIGINT, 150)), 128 + SIGINT);
}
