// SPDX-License-Identifier: GPL-3.0-or-later
// Runs the C tests: paotai-test [--list] [--only PATTERN]... A pattern is a glob or a part of a
// name. With several patterns, a test must match one of them, and each pattern must match a test.
// Each test runs in a process of its own, so a crash is one FAIL and the other tests continue.
// Environment variables name the directories (tests/run.sh). With --mock the program is an engine:
// tests/selfplay/mock_engine.h. With --fairy it writes a network: tests/core/fairy_known.h.
#include <fnmatch.h>
#include <ftw.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/board/attacks.h"
#include "core/system/in_file.h"
#include "datasets/store/store.h"
#include "tests/core/fairy_known.h"
#include "tests/selfplay/mock_engine.h"
#include "tests/test.h"
#include "tuner/fit/fit.h"

bool test_check(TestContext *t, bool condition, const char *file, int line, const char *format,
                ...) {
    if (condition) return true;
    if (++t->failures <= 20) {
        printf("  %s:%d: ", file, line);
        va_list args;
        va_start(args, format);
        vprintf(format, args);
        va_end(args);
        printf("\n");
    }
    return false;
}

bool test_check_int(TestContext *t, long long got, long long expected, const char *what,
                    const char *file, int line) {
    return test_check(t, got == expected, file, line, "%s is %lld, expected %lld", what, got,
                      expected);
}

bool test_check_text(TestContext *t, const char *got, const char *expected, const char *what,
                     const char *file, int line) {
    return test_check(t, strcmp(got, expected) == 0, file, line, "%s is '%s', expected '%s'", what,
                      got, expected);
}

bool test_check_near(TestContext *t, double got, double expected, double tolerance,
                     const char *what, const char *file, int line) {
    const double bound = tolerance * fmax(1.0, fabs(expected));
    return test_check(t, fabs(got - expected) <= bound, file, line,
                      "%s is %.12g, expected %.12g +- %.3g", what, got, expected, bound);
}

int test_rows(TestContext *t, const char *folder, const char *name, int headers, int wanted,
              TestRow *row) {
    char path[512];
    LineReader reader;
    Err err = {0};
    int rows = -headers;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (!CHECK_OK(line_reader_open(&reader, path, &err), err)) return 0;
    for (; line_reader_next_record(&reader); rows++) {
        char *fields[TEST_FIELDS], *cursor = reader.line;
        int count = 0;
        while (count < TEST_FIELDS && (fields[count] = text_next_field(&cursor, '\t'))) count++;
        if (rows < 0 || !CHECK_MSG(count >= wanted, "%s: line %zu is short", path, reader.number))
            continue;
        const int failures = t->failures;
        row(t, fields);
        if (t->failures > failures) printf("  above: line %zu of %s\n", reader.number, name);
    }
    line_reader_close(&reader, NULL);
    return rows;
}

static const char *directory_or_null(const char *path) {
    struct stat info;
    return path && stat(path, &info) == 0 && S_ISDIR(info.st_mode) ? path : NULL;
}

static const char *environment(const char *name, const char *otherwise) {
    const char *value = getenv(name);
    return value && *value ? value : otherwise;
}

typedef struct Test {
    const char *name;
    TestFunction *function;
} Test;

static const Test TESTS[] = {
#define TEST(name) {#name, test_##name},
#include "tests/tests.def"
#undef TEST
};

// Exit codes of a test's process. They are unusual on purpose: any other exit code means that the
// process ended before the end of its test.
enum { TEST_PASSED = 40, TEST_FAILED, TEST_SKIPPED };

static int remove_entry(const char *path, const struct stat *info, int type, struct FTW *where) {
    (void)info;
    (void)type;
    (void)where;
    return remove(path);
}

// Runs one test in this process, prints its line and returns its outcome.
static int run_here(const Test *test) {
    char scratch[512];
    const char *parent = environment("PAOTAI_SCRATCH", "build/scratch");
    snprintf(scratch, sizeof scratch, "%s/%s", parent, test->name);
    mkdir(parent, 0777);
    nftw(scratch, remove_entry, 8, FTW_DEPTH | FTW_PHYS); // files of a run that was killed
    mkdir(scratch, 0777);
    TestContext context = {
        .data = environment("PAOTAI_TEST_DATA", "tests/data"),
        .shared = directory_or_null(getenv("PAOTAI_SHARED")),
        .scratch = scratch,
        .program = environment("PAOTAI", "build/release/paotai"),
        .full = *environment("PAOTAI_FULL", "0") == '1',
    };
    test->function(&context);
    if (context.failures) {
        printf("FAIL %s: %d check%s failed\n", test->name, context.failures,
               context.failures == 1 ? "" : "s");
        return TEST_FAILED;
    }
    printf(context.skip ? "SKIP %s: %s\n" : "PASS %s\n", test->name, context.skip);
    return context.skip ? TEST_SKIPPED : TEST_PASSED;
}

// A test that runs in a process of its own. Its output is printed after that of earlier tests.
typedef struct Job {
    const Test *test;
    pid_t child;
    FILE *output;
    int status;
    bool done;
} Job;

static void job_start(Job *job) {
    job->output = tmpfile();
    fflush(NULL);
    job->child = job->output ? fork() : -1;
    if (job->child == 0) {
        dup2(fileno(job->output), STDOUT_FILENO);
        alarm((unsigned)atoi(environment("PAOTAI_TIMEOUT", "1200")) / 2);
        exit(run_here(job->test));
    }
    if (job->child < 0) job->done = true;
}

// Prints the output of a test that has ended. Returns true unless the test failed.
static bool job_report(Job *job) {
    const char *name = job->test->name;
    const int signal_number = WIFSIGNALED(job->status) ? WTERMSIG(job->status) : 0;
    const int code = WEXITSTATUS(job->status);
    if (job->output) {
        rewind(job->output);
        for (int c; (c = fgetc(job->output)) != EOF;) putchar(c);
        fclose(job->output);
    }
    if (job->child < 0) {
        printf("FAIL %s: no process could be started for this test\n", name);
    } else if (signal_number) {
        printf("FAIL %s: signal %d (%s)%s\n", name, signal_number, strsignal(signal_number),
               signal_number == SIGALRM ? ", it took too long" : "");
    } else if (code < TEST_PASSED || code > TEST_SKIPPED) {
        printf("FAIL %s: the test process ended early with exit status %d\n", name, code);
    }
    return job->child > 0 && !signal_number && (code == TEST_PASSED || code == TEST_SKIPPED);
}

// Runs the tests in parallel. Returns the number of failed tests.
static int run_jobs(Job *jobs, int count, long slots) {
    int started = 0, reported = 0, failed = 0;
    for (long running = 0; reported < count;) {
        for (; running < slots && started < count; started++) {
            job_start(&jobs[started]);
            running += jobs[started].child > 0;
        }
        int status = 0;
        const pid_t child = running > 0 ? wait(&status) : -1;
        for (int i = 0; i < started; i++) {
            if (jobs[i].done || jobs[i].child != child) continue;
            jobs[i].status = status;
            jobs[i].done = true;
            running--;
        }
        while (reported < started && jobs[reported].done) failed += !job_report(&jobs[reported++]);
    }
    return failed;
}

static bool matches(const char *name, const char *pattern) {
    return strpbrk(pattern, "*?[") ? fnmatch(pattern, name, 0) == 0 : strstr(name, pattern) != NULL;
}

int main(int argc, char **argv) {
    core_init();
    if (argc > 2 && strcmp(argv[1], "--mock") == 0) return mock_engine_main(argc - 2, argv + 2);
    if (argc == 4 && strcmp(argv[1], "--fairy") == 0) return fairy_known_main(argv[2], argv[3]);
    const char **only = calloc((size_t)argc + 1, sizeof *only);
    int patterns = 0;
    bool list = false;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--list") == 0) {
            list = true;
        } else if (strcmp(argv[i], "--only") == 0 && i + 1 < argc) {
            only[patterns++] = argv[++i];
        } else {
            fprintf(stderr, "usage: paotai-test [--list] [--only PATTERN]...\n");
            free(only);
            return 2;
        }
    }
    setvbuf(stdout, NULL, _IOLBF, 0);
    datasets_library_init();
    tuner_library_init();
    enum { TESTS_COUNT = sizeof TESTS / sizeof *TESTS };
    static Job jobs[TESTS_COUNT];
    if (patterns == 0) only[patterns++] = "";
    int matched = 0, unknown = 0;
    for (int k = 0; k < patterns; k++) {
        size_t i = 0;
        while (i < TESTS_COUNT && !matches(TESTS[i].name, only[k])) i++;
        if (i < TESTS_COUNT) continue;
        printf("FAIL paotai-test: no test is named '%s'; --list shows the names\n", only[k]);
        unknown++;
    }
    for (size_t i = 0; i < TESTS_COUNT; i++) {
        int k = 0;
        while (k < patterns && !matches(TESTS[i].name, only[k])) k++;
        if (k == patterns) continue;
        jobs[matched++].test = &TESTS[i];
        if (list) printf("%s\n", TESTS[i].name);
    }
    free(only);
    const int failed = list ? 0 : run_jobs(jobs, matched, sysconf(_SC_NPROCESSORS_ONLN));
    return failed || unknown ? 1 : 0;
}
