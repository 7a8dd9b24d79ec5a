// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzzes the reader of MXQ. See tests/fuzz/fuzz_formats.h.
#include "tests/fuzz/fuzz_formats.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_file(data, size, game_format(FORMAT_MXQ));
    return 0;
}
