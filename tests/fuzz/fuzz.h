// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzzers, listed in tests/fuzz/fuzz.def. clang's fuzzer calls one of them (`make fuzz`); in every
// build tests/fuzz/replay.c gives them their seeds, tests/fuzz/corpus/NAME.txt.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

// Takes one input, borrowed; aborts when it finds a bug.
typedef void FuzzInput(const uint8_t *data, size_t size);
#define FUZZ(name) FuzzInput fuzz_##name;
#include "tests/fuzz/fuzz.def"
#undef FUZZ
// Begins the function of that name.
#define FUZZ(name) void fuzz_##name(const uint8_t *data, size_t size)

// Readies the libraries and returns the fuzzer of that name; exits where there is none.
FuzzInput *fuzz_find(const char *name);

// A bug where it does not hold, in any variant of the build.
#define require(condition)                                                                         \
    ((condition) ? (void)0 : (fprintf(stderr, "line %d: %s\n", __LINE__, #condition), abort()))
