// SPDX-License-Identifier: GPL-3.0-or-later
// Runs the C tests: paotai-test [--only NAME]. The environment says where things are
// (tests/run.sh). With --mock it is an engine: tests/selfplay/mock_engine.h.
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/board/attacks.h"
#include "datasets/store/hdf5_errors.h"
#include "tests/selfplay/mock_engine.h"
#include "tests/test.h"
#include "tuner/fit/gsl_errors.h"

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

static const char *directory_or_null(const char *path) {
    struct stat info;
    return path && stat(path, &info) == 0 && S_ISDIR(info.st_mode) ? path : NULL;
}

static const char *environment(const char *name, const char *otherwise) {
    const char *value = getenv(name);
    return value && *value ? value : otherwise;
}

int main(int argc, char **argv) {
    static const struct {
        const char *name;
        TestFunction *function;
    } tests[] = {
#define TEST(name) {#name, test_##name},
#include "tests/tests.def"
#undef TEST
    };
    core_init();
    if (argc > 2 && strcmp(argv[1], "--mock") == 0) return mock_engine_main(argc - 2, argv + 2);
    const char *only = argc == 3 && strcmp(argv[1], "--only") == 0 ? argv[2] : NULL;
    setvbuf(stdout, NULL, _IOLBF, 0);
    datasets_library_init();
    tuner_library_init();
    int failed = 0;
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++) {
        if (only && strcmp(only, tests[i].name) != 0) continue;
        TestContext context = {
            .data = environment("PAOTAI_TEST_DATA", "tests/data"),
            .shared = directory_or_null(getenv("PAOTAI_SHARED")),
            .scratch = environment("PAOTAI_SCRATCH", "build/scratch"),
            .program = environment("PAOTAI", "build/release/paotai"),
            .full = *environment("PAOTAI_FULL", "0") == '1',
        };
        tests[i].function(&context);
        if (context.failures) {
            printf("FAIL %s: %d check%s failed\n", tests[i].name, context.failures,
                   context.failures == 1 ? "" : "s");
            failed++;
        } else if (context.skip) {
            printf("SKIP %s: %s\n", tests[i].name, context.skip);
        } else {
            printf("PASS %s\n", tests[i].name);
        }
    }
    return failed ? 1 : 0;
}
