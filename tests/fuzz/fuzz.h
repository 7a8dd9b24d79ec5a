// SPDX-License-Identifier: GPL-3.0-or-later
// Declares the fuzzers, which tests/fuzz/fuzz.def lists. clang's fuzzer calls one of them (`make
// fuzz`). In every build, tests/fuzz/replay.c passes them their seeds, tests/fuzz/corpus/NAME.txt.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

// A fuzzer: takes one input, which it does not own, and aborts if it finds a bug.
typedef void FuzzInput(const uint8_t *data, size_t size);
#define FUZZ(name) FuzzInput fuzz_##name;
#include "tests/fuzz/fuzz.def"
#undef FUZZ
// Begins the definition of the fuzzer `name`.
#define FUZZ(name) void fuzz_##name(const uint8_t *data, size_t size)

// Initialises the libraries and returns the fuzzer `name`. Exits if there is none.
FuzzInput *fuzz_find(const char *name);

// Aborts if the condition does not hold, in all build variants.
#define require(condition)                                                                         \
    ((condition) ? (void)0 : (fprintf(stderr, "line %d: %s\n", __LINE__, #condition), abort()))
