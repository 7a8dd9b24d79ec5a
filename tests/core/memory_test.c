// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/memory.h"

#include <stdint.h>

#include "tests/test.h"

void test_memory_grow(TestContext *t) {
    CHECK_INT(memory_grow(0, 1), 16);
    CHECK_INT(memory_grow(16, 17), 32);
    // If doubling the capacity would overflow, memory_grow() returns the needed capacity.
    CHECK(memory_grow(16, SIZE_MAX / 2 + 2) >= SIZE_MAX / 2 + 2);
    CHECK(memory_grow(SIZE_MAX / 2 + 1, SIZE_MAX) == SIZE_MAX);
}
