// SPDX-License-Identifier: GPL-3.0-or-later
// Random numbers with explicit state: xoshiro256** (Blackman and Vigna 2018). The seeds are mixed
// by the function of splitmix64.
#pragma once

#include <stdint.h>

typedef struct Random {
    uint64_t state[4];
} Random;

// Returns the number that splitmix64 generates from the state `value`. Different values have
// different results, so the function also serves as a 64-bit hash function.
uint64_t random_mix(uint64_t value);

// Initialises the random numbers of job number `index` in a run with this seed. Different jobs get
// independent sequences of numbers.
void random_init(Random *random, uint64_t seed, uint64_t index);
uint64_t random_next(Random *random);
// Returns a uniform number in 0..bound-1, without bias; bound > 0.
uint64_t random_below(Random *random, uint64_t bound);
// Returns a uniform number in [0, 1) with 53 random bits.
double random_real(Random *random);
