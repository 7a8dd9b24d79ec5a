// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzzes the readers of CBR and CBL: what begins as a library is read as one. See
// tests/fuzz/fuzz_formats.h.
#include "tests/fuzz/fuzz_formats.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const bool library = size >= 9 && memcmp(data, "CCBridge", 8) == 0 && data[8] != ' ';
    fuzz_file(data, size, game_format(library ? FORMAT_CBL : FORMAT_CBR));
    return 0;
}
