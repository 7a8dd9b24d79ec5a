// SPDX-License-Identifier: GPL-3.0-or-later
// Tests record_print(), which prints a result as plain lines or as JSON from one format string, and
// record_row(), which prints a row of a table or JSON from one format string.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/json.h"
#include "tests/test.h"

static void check_output(TestContext *t, char **memory, FILE *out, const char *expected) {
    fclose(out);
    CHECK_TEXT(*memory, expected);
    free(*memory);
}

void test_record_formats(TestContext *t) {
    static const char *const lines[] = {"whole -3\nnatural 18446744073709551615\nsize 7\nreal "
                                        "0.33\nzero 0.0\nsmall 0.0\nword a?b??\n",
                                        "{\"whole\":-3,\"natural\":18446744073709551615,\"size\":7,"
                                        "\"real\":0.333,\"zero\":0,\"small\":-0.04,"
                                        "\"word\":\"a\\u0007b\\u009b\"}\n"};
    static const char *const rows[] = {
        "chariot  |  9.68 +-     -  (5 %)\n",
        "{\"piece\":\"chariot\",\"mean\":9.675,\"error\":null,\"pieces\":12}\n"};
    for (int json = 0; json < 2; json++) {
        char *memory = NULL;
        size_t size;
        FILE *out = open_memstream(&memory, &size);
        record_print(out, json,
                     "whole %d natural %llu size %zu real %.2f zero %.1f small %.1f word %s", -3,
                     18446744073709551615ULL, (size_t)7, 0.333, -0.0, -0.04, "a\ab\xc2\x9b");
        check_output(t, &memory, out, lines[json]);
        out = open_memstream(&memory, &size);
        record_row(out, json, "{piece}%-9s|{mean}%6.2f +- {error}%5.2f{!pieces}%lld  (%d %%)\n",
                   "chariot", 9.675, (double)NAN, 12LL, 5);
        check_output(t, &memory, out, rows[json]);
    }
}

// Names of any length must be written completely.
void test_record_long_names(TestContext *t) {
    enum { LENGTH = 297 };
    for (int json = 0; json < 2; json++) {
        char name[LENGTH + 1], expected[LENGTH + 40], *memory = NULL;
        size_t size;
        memset(name, 'n', LENGTH);
        name[LENGTH] = '\0';
        snprintf(expected, sizeof expected, json ? "{\"a_%s_of_all\":7}\n" : "a_%s_of_all 7\n",
                 name);
        FILE *out = open_memstream(&memory, &size);
        record_print(out, json, "a_%s_of_all %d", name, 7);
        check_output(t, &memory, out, expected);
    }
}
