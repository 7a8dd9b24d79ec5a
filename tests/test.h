// SPDX-License-Identifier: GPL-3.0-or-later
// The test harness. tests/tests.def lists every test function. The first 20 failed checks of a test
// print their places and messages; each test prints one PASS, FAIL or SKIP line.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "core/base/bits.h"

typedef struct TestContext {
    int failures;       // number of checks that failed in the running test
    const char *skip;   // why the running test cannot run, or NULL
    const char *data;   // directory of the tests' own data ("tests/data")
    const char *shared; // directory of test data outside of the repository (PAOTAI_SHARED), or NULL
    const char *scratch; // directory for the test's own files; tests/run.sh removes it
    const char *program; // path of the paotai binary
    bool full;           // true if `make test-full` runs the tests
} TestContext;

typedef void TestFunction(TestContext *t);

// If the condition is false, fails the running test with a message. Returns the condition.
bool test_check(TestContext *t, bool condition, const char *file, int line, const char *format, ...)
    PRINTF_LIKE(5, 6);
#define CHECK(condition)          test_check(t, (condition), __FILE__, __LINE__, "%s", #condition)
#define CHECK_MSG(condition, ...) test_check(t, (condition), __FILE__, __LINE__, __VA_ARGS__)
// Checks a call that returns a Status and fills `err`.
#define CHECK_OK(call, err)                                                                        \
    test_check(t, (call) == STATUS_OK, __FILE__, __LINE__, "%s: %s", #call, (err).text)
#define CHECK_INT(got, expected)                                                                   \
    test_check_int(t, (long long)(got), (long long)(expected), #got, __FILE__, __LINE__)
#define CHECK_TEXT(got, expected) test_check_text(t, (got), (expected), #got, __FILE__, __LINE__)
#define CHECK_NEAR(got, expected, tolerance)                                                       \
    test_check_near(t, (got), (expected), (tolerance), #got, __FILE__, __LINE__)
// Loops over the elements of an array: FOR_EACH(row, rows) CHECK(row->good);
#define FOR_EACH(row, rows)                                                                        \
    for (const __typeof__(*(rows)) *row = (rows); row < (rows) + sizeof(rows) / sizeof *(rows);    \
         row++)
// Skips the rest of a test: `SKIP_IF(!t->shared, NO_SHARED);`.
#define NO_SHARED "only in make test-full, and if the directory PAOTAI_SHARED exists"
#define SKIP_IF(condition, why)                                                                    \
    do {                                                                                           \
        if (condition) {                                                                           \
            t->skip = (why);                                                                       \
            return;                                                                                \
        }                                                                                          \
    } while (0)

bool test_check_int(TestContext *t, long long got, long long expected, const char *what,
                    const char *file, int line);
bool test_check_text(TestContext *t, const char *got, const char *expected, const char *what,
                     const char *file, int line);
// Checks that |got - expected| <= tolerance * max(1, |expected|).
bool test_check_near(TestContext *t, double got, double expected, double tolerance,
                     const char *what, const char *file, int line);

// Calls row() with the tab-separated fields of each record of a file, after `headers` header
// records. Fails the test if a record has fewer than `wanted` fields. Returns the number of rows.
enum { TEST_FIELDS = 16 };
typedef void TestRow(TestContext *t, char *const *fields);
int test_rows(TestContext *t, const char *folder, const char *name, int headers, int wanted,
              TestRow *row);

#define TEST(name) TestFunction test_##name;
#include "tests/tests.def"
#undef TEST
