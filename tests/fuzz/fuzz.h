// SPDX-License-Identifier: GPL-3.0-or-later
// Declares the fuzzers that tests/fuzz/fuzz.def lists. A program built with clang's libFuzzer
// (`make fuzz`) runs one of them. Every build has the program tests/fuzz/replay.c, which runs them
// on given files; the test tests/cli/replay.sh gives it their seeds, tests/fuzz/corpus/NAME.txt.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

// A fuzzer: a function that tests one input and aborts if it finds a bug. It does not own the
// input.
typedef void FuzzInput(const uint8_t *data, size_t size);
#define FUZZ(name) FuzzInput fuzz_##name;
#include "tests/fuzz/fuzz.def"
#undef FUZZ
// Begins the definition of the fuzzer `name`.
#define FUZZ(name) void fuzz_##name(const uint8_t *data, size_t size)

// Initialises the libraries and returns the fuzzer with this name. If the name is unknown, exits
// with status 2.
FuzzInput *fuzz_find(const char *name);

// Aborts if the condition is false. Unlike assert(), it is active in all build variants.
#define require(condition)                                                                         \
    ((condition) ? (void)0 : (fprintf(stderr, "line %d: %s\n", __LINE__, #condition), abort()))
