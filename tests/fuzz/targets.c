// SPDX-License-Identifier: GPL-3.0-or-later
// One program contains all fuzzers. With clang's libFuzzer, the name of the executable, fuzz_NAME,
// selects the fuzzer NAME. replay.c selects it by fuzz_find().
#include <string.h>

#include "core/board/attacks.h"
#include "datasets/store/store.h"
#include "tests/fuzz/mutate.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);
// Only libFuzzer has this function. The program `replay` does not call it.
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most) __attribute__((weak));

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
static const char *chosen_name;

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc;
    const char *name = strrchr((*argv)[0], '/');
    name = name ? name + 1 : (*argv)[0];
    chosen_name = strncmp(name, "fuzz_", 5) == 0 ? name + 5 : name;
    chosen = fuzz_find(chosen_name);
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    chosen(data, size);
    return 0;
}

// Half of the changes are those of libFuzzer, the others those of mutate().
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) {
    Random random;
    random_init(&random, seed, 0);
    if (random_below(&random, 2)) return LLVMFuzzerMutate(data, size, most);
    Mutant mutant = {&random, data, size, most};
    mutate(chosen_name, &mutant, false);
    return mutant.size;
}
