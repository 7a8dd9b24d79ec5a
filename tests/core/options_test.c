// SPDX-License-Identifier: GPL-3.0-or-later
// How numbers stand in provenance, and that a run of an older program is still recognised.
#include <stdlib.h>
#include <string.h>

#include "core/base/options.h"
#include "core/base/random.h"
#include "tests/test.h"

static bool same(const char *a, const char *b) {
    return option_values_same(a, strlen(a), b, strlen(b));
}

void test_option_numbers(TestContext *t) {
    static const struct {
        double value;
        const char *text;
    } known[] = {{0.2, "0.2"},
                 {1e-12, "1e-12"},
                 {80, "80"},
                 {0, "0"},
                 {-0.1, "-0.1"},
                 {1.0 / 3, "0.3333333333333333"},
                 {0.1 + 0.2, "0.30000000000000004"}};
    Random random;
    Text text = {0};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        text_reset(&text);
        text_add_real(&text, known[i].value);
        CHECK_MSG(strcmp(text_get(&text), known[i].text) == 0, "%s, not %s", text_get(&text),
                  known[i].text);
    }
    random_init(&random, 9, 1);
    for (int i = 0; i < 10000; i++) {
        const double value = (random_real(&random) - 0.5) / random_real(&random);
        char longer[40];
        text_reset(&text);
        text_add_real(&text, value);
        snprintf(longer, sizeof longer, "%.17g", value);
        CHECK_MSG(strtod(text_get(&text), NULL) == value, "%.17g", value);
        CHECK_MSG(same(text_get(&text), longer), "%.17g", value);
    }
    text_clear(&text);
    CHECK(same("0.2", "0.20000000000000001"));
    CHECK(same("1e-12", "9.9999999999999998e-13"));
    CHECK(!same("0.2", "0.20000000000000004"));
    CHECK(!same("18446744073709551615", "18446744073709551614")); // seeds
    CHECK(!same("0.2", ""));
    CHECK(!same("", "0.2"));
    CHECK(!same("1.0x", "1.0"));
    CHECK(option_lines_same("# alpha=0.602\n# b=1\n", "# alpha=0.60199999999999998\n# b=2\n"));
    CHECK(!option_lines_same("alpha=0.602", "gamma=0.602"));
    CHECK(!option_lines_same("alpha=0.602", "alpha"));
    CHECK(option_lines_same("iteration\twins\n", "iteration\twins\n"));
    CHECK(!option_lines_same("iteration\twins\n", "iteration\twin\n"));
}
