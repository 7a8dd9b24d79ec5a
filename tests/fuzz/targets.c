// SPDX-License-Identifier: GPL-3.0-or-later
// One program contains all fuzzers. With clang's libFuzzer, the name of the executable, fuzz_NAME,
// selects the fuzzer NAME. replay.c selects it by fuzz_find().
#include <string.h>

#include "core/board/attacks.h"
#include "datasets/store/store.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct {
    const char *name;
    FuzzInput *input;
} FUZZERS[] = {
#undef FUZZ
#define FUZZ(name) {#name, fuzz_##name},
#include "tests/fuzz/fuzz.def"
};

FuzzInput *fuzz_find(const char *name) {
    core_init();
    datasets_library_init();
    for (size_t i = 0; i < sizeof FUZZERS / sizeof *FUZZERS; i++) {
        if (strcmp(FUZZERS[i].name, name) == 0) return FUZZERS[i].input;
    }
    fprintf(stderr, "no fuzzer is called '%s'\n", name);
    exit(2);
}

static FuzzInput *chosen;

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc;
    const char *name = strrchr((*argv)[0], '/');
    name = name ? name + 1 : (*argv)[0];
    chosen = fuzz_find(strncmp(name, "fuzz_", 5) == 0 ? name + 5 : name);
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    chosen(data, size);
    return 0;
}
