// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzzes the protocol server: whole sessions in either dialect, with searches of a few nodes.
// Whatever comes, the session ends by itself with status 0.
#include <stdio.h>
#include <stdlib.h>

#include "core/attacks.h"
#include "core/base/memory.h"
#include "core/uci.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc;
    (void)argv;
    core_init();
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const UciSetup setup = {.node_cap = 100, .hash_cap_mb = 1, .threads_cap = 2};
    if (size == 0) return 0;
    uint8_t *copy = memory_alloc(size, 1);
    for (size_t i = 0; i < size; i++) copy[i] = data[i];
    FILE *in = fmemopen(copy, size, "r"), *out = fopen("/dev/null", "w");
    if (!in || !out || uci_main(in, out, out, &setup) != 0) abort();
    fclose(in);
    fclose(out);
    free(copy);
    return 0;
}
