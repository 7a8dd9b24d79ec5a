// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzzes the readers of lines (moves, epd, csv, plain) and the recognition of formats: the content
// decides which one reads. See tests/fuzz/fuzz_formats.h.
#include "tests/fuzz/fuzz_formats.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_file(data, size, NULL);
    return 0;
}
