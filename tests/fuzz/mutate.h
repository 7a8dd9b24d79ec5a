// SPDX-License-Identifier: GPL-3.0-or-later
// Changes inputs of the fuzzers in ways that random bytes rarely find: fields are repeated, dropped
// and moved, numbers become extreme, and libraries of games keep their headers.
#pragma once

#include <stdbool.h>

#include "core/base/random.h"
#include "tests/fuzz/fuzz.h"

// An input that is changed in place, in a buffer of `capacity` bytes.
typedef struct Mutant {
    Random *random;
    uint8_t *data;
    size_t size, capacity;
} Mutant;

// Changes an input of the fuzzer `name` in one to four ways. The first one is a change of bytes if
// `bytes` is set, and otherwise a change that suits the form of the fuzzer's inputs.
void mutate(const char *name, Mutant *mutant, bool bytes);
