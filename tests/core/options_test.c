// SPDX-License-Identifier: GPL-3.0-or-later
// Tests text_add_real(), which writes numbers in the provenance of a run and in JSON.
#include <string.h>

#include "core/base/random.h"
#include "core/command/options.h"
#include "tests/test.h"

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
    AUTO(Text) text = {0};
    FOR_EACH (row, known) {
        text_reset(&text);
        text_add_real(&text, row->value);
        CHECK_MSG(strcmp(text_get(&text), row->text) == 0, "the text is %s, expected %s",
                  text_get(&text), row->text);
    }
    random_init(&random, 9, 1);
    for (int i = 0; i < 10000; i++) {
        const double value = (random_real(&random) - 0.5) / random_real(&random);
        text_reset(&text);
        text_add_real(&text, value);
        CHECK_MSG(strtod(text_get(&text), NULL) == value, "%.17g", value);
    }
}
