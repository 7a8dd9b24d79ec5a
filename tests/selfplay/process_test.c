// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of child processes that exchange lines with us: quoting, long lines, children that stop
// reading, clean-up.
#include "selfplay/engines/process.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/system/clock.h"
#include "tests/test.h"

// Timeout for events that must happen. It is long because the machine may be busy.
enum { PATIENCE_MS = 300000 };

static int64_t in_ms(int ms) {
    return clock_now_ns() + (int64_t)ms * 1000000;
}

static Process *start(TestContext *t, const char *command) {
    Process *process = NULL;
    Err err = {0};
    CHECK_OK(process_start(command, NULL, NULL, &process, &err), err);
    return process;
}

static void check_line(TestContext *t, Process *process, const char *wanted) {
    const char *line;
    if (CHECK_INT(process_read_line(process, in_ms(PATIENCE_MS), &line), PROCESS_LINE))
        CHECK_TEXT(line, wanted);
}

void test_process_lines(TestContext *t) {
    const char *line;
    char how[64];
    Process *process =
        start(t, "sh  -c 'printf \"a b\\r\\n\\n\\0x\\n\"; read x; echo \"[$x]\"; exit 3' ");
    if (!process) return;
    check_line(t, process, "a b");
    check_line(t, process, "");
    check_line(t, process, "?x");
    CHECK_INT(process_read_line(process, in_ms(20), &line), PROCESS_TIMEOUT);
    CHECK(!process_ended(process, 0, how, sizeof how));
    CHECK(process_write(process, "hello\nmore\n", 11, in_ms(PATIENCE_MS)));
    check_line(t, process, "[hello]");
    CHECK_INT(process_read_line(process, in_ms(PATIENCE_MS), &line), PROCESS_END);
    CHECK(process_ended(process, PATIENCE_MS, how, sizeof how));
    CHECK_TEXT(how, "ended with exit status 3");
    // If the child has ended, process_write() must return false, and no SIGPIPE may end the test.
    CHECK(!process_write(process, "hello\n", 6, in_ms(PATIENCE_MS)));
    process_stop(process, 0);
    process = start(t, "sh -c 'kill -9 $$'");
    if (process && CHECK(process_ended(process, PATIENCE_MS, how, sizeof how)))
        CHECK_TEXT(how, "was killed by signal 9");
    process_stop(process, 0);
}

// A line longer than PROCESS_LINE_MAX bytes is cut off there, and the remaining bytes are not
// returned as further lines. The last line needs no newline. If a program prints more bytes than
// process_set_budget() allows, the result is PROCESS_FLOOD.
void test_process_long_lines(TestContext *t) {
    Process *process =
        start(t, "sh -c 'i=0; while [ $i -lt 3000 ]; do printf "
                 "%s 0123456789012345678901234567890123456789012345678901234567890123; "
                 "i=$((i+1)); done; echo; echo after; printf last'");
    const char *line;
    if (!process) return;
    CHECK_INT(process_read_line(process, in_ms(PATIENCE_MS), &line), PROCESS_LINE);
    CHECK_INT(strlen(line), PROCESS_LINE_MAX);
    check_line(t, process, "after");
    check_line(t, process, "last");
    CHECK_INT(process_read_line(process, in_ms(PATIENCE_MS), &line), PROCESS_END);
    process_stop(process, 0);
    process = start(t, "yes");
    if (!process) return;
    process_set_budget(process, 1 << 20);
    ProcessRead got;
    long lines = 0;
    while ((got = process_read_line(process, in_ms(PATIENCE_MS), &line)) == PROCESS_LINE) lines++;
    CHECK_INT(got, PROCESS_FLOOD);
    CHECK_MSG(lines >= 1 << 19 && lines < 1 << 20, "%ld lines", lines);
    process_stop(process, 0);
}

// If the program does not read, process_write() must return at its deadline.
void test_process_deaf(TestContext *t) {
    Process *process = start(t, "sleep 1000");
    if (!process) return;
    char *text = malloc(1 << 20);
    if (!CHECK(text)) return;
    memset(text, 'x', 1 << 20);
    CHECK(!process_write(process, text, 1 << 20, in_ms(100)));
    free(text);
    process_stop(process, 0);
}

// The child must not inherit files that we opened without O_CLOEXEC, as HDF5 does. Otherwise a file
// lock would last until the child ends.
void test_process_inherits_nothing(TestContext *t) {
    enum { FREE = 77 };
    if (!CHECK_INT(dup2(STDERR_FILENO, FREE), FREE)) return;
    Process *process = start(t, "sh -c 'test -e /proc/$$/fd/77 && echo inherited || echo alone'");
    close(FREE);
    if (!process) return;
    check_line(t, process, "alone");
    process_stop(process, 0);
}

// process_stop() also ends the children of the program, even if the program waits for a child, has
// already ended, or ignores signals.
void test_process_leaves_nothing(TestContext *t) {
    static const char *const commands[] = {
        "sh -c 'sleep 1000 & echo $$; wait'",
        "sh -c 'sleep 1000 & echo $$'",
        "sh -c 'trap \"\" TERM INT HUP; echo $$; while :; do sleep 1000; done'",
    };
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        for (int grace = 0; grace <= 50; grace += 50) {
            Process *process = start(t, commands[i]);
            const char *line;
            if (!process) return;
            CHECK_INT(process_read_line(process, in_ms(PATIENCE_MS), &line), PROCESS_LINE);
            const int group = atoi(line);
            process_stop(process, grace);
            // A killed process may exist for a moment longer.
            for (int wait = 0; wait < PATIENCE_MS && kill(-group, 0) == 0; wait++) usleep(1000);
            CHECK_MSG(kill(-group, 0) != 0 && errno == ESRCH, "'%s' left processes behind",
                      commands[i]);
        }
    }
    process_stop(NULL, 0);
}

// A process that has ended keeps its process id until process_stop(). So the id cannot be given to
// another process, and process_stop() never kills an unrelated process group.
void test_process_keeps_its_number(TestContext *t) {
    Process *process = start(t, "sh -c 'echo $$; exit 3'");
    const char *line;
    if (!process) return;
    char how[64];
    siginfo_t info = {.si_pid = 0};
    CHECK_INT(process_read_line(process, in_ms(PATIENCE_MS), &line), PROCESS_LINE);
    const pid_t pid = (pid_t)atoi(line);
    CHECK(process_ended(process, PATIENCE_MS, how, sizeof how));
    CHECK_TEXT(how, "ended with exit status 3");
    CHECK_INT(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT), 0);
    CHECK_INT(info.si_pid, pid);
    process_stop(process, 0);
    CHECK(kill(pid, 0) != 0 && errno == ESRCH);
}

void test_process_refusals(TestContext *t) {
    static const struct {
        const char *command, *word;
        Status status;
    } bad[] = {{"", "empty", STATUS_USAGE},
               {"   ", "empty", STATUS_USAGE},
               {"sh -c 'x", "open quote", STATUS_USAGE},
               {"no-such-program-here", "no-such-program-here", STATUS_NOT_FOUND},
               {"/no/such/program", "/no/such/program", STATUS_NOT_FOUND},
               {"/", "not an executable file", STATUS_NOT_FOUND}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        Process *process = NULL;
        Err err = {0};
        CHECK_INT(process_start(bad[i].command, NULL, NULL, &process, &err), bad[i].status);
        CHECK_MSG(strstr(err.text, bad[i].word), "'%s': '%s'", bad[i].command, err.text);
        CHECK(process == NULL);
    }
}
