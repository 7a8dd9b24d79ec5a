// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzzes the readers of small formats; the first byte says which. See tests/fuzz/fuzz_formats.h.
#include "tests/fuzz/fuzz_formats.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const FormatId ids[] = {FORMAT_CBF, FORMAT_CCM, FORMAT_CHE, FORMAT_CHN, FORMAT_MXQ};
    if (size == 0) return 0;
    fuzz_file(data + 1, size - 1, game_format(ids[data[0] % (sizeof ids / sizeof *ids)]));
    return 0;
}
