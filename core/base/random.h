// SPDX-License-Identifier: GPL-3.0-or-later
// Random numbers with explicit state: xoshiro256** (Blackman and Vigna 2018), seeded by splitmix64.
#pragma once

#include <stdint.h>

typedef struct Random {
    uint64_t state[4];
} Random;

// One step of splitmix64: also a good mixer of 64 bits.
uint64_t random_mix(uint64_t value);

// The stream of job `index` of the run `seed`: streams of different jobs are unrelated.
void random_init(Random *random, uint64_t seed, uint64_t index);
uint64_t random_next(Random *random);
// Uniform in 0..bound-1, without bias; bound > 0.
uint64_t random_below(Random *random, uint64_t bound);
// Uniform in [0, 1), 53 bits.
double random_real(Random *random);
