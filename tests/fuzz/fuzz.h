// SPDX-License-Identifier: GPL-3.0-or-later
// What a fuzzer is: tests/fuzz/fuzz_NAME.c defines both. clang's fuzzer calls them (`make fuzz`),
// and so does tests/fuzz/replay.c in every build, with the seeds in tests/fuzz/corpus/NAME.txt.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

// Once, before the first input.
int LLVMFuzzerInitialize(int *argc, char ***argv);
// One input, borrowed. Aborts when it finds a bug; returns 0.
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// A bug where it does not hold, in any variant of the build.
#define require(condition)                                                                         \
    ((condition) ? (void)0 : (fprintf(stderr, "line %d: %s\n", __LINE__, #condition), abort()))
