// SPDX-License-Identifier: GPL-3.0-or-later
// Simultaneous perturbation stochastic approximation: parameters moved by the outcomes of games
// between two perturbed sets of them.
//
// Iteration k = 1, 2, ... draws a sign for each parameter, plays theta + c_k sign against
// theta - c_k sign, and moves by
//     theta += a_k / c_k * result * sign,  c_k = c / k^gamma,  a_k = a / (A + k)^alpha
// (Spall, IEEE Transactions on Aerospace and Electronic Systems 34 (1998) 817, with his alpha 0.602
// and gamma 0.101), where result is won minus lost games of the first set, in pairs. The gains are
// given as fishtest does (server/fishtest/spsa_handler.py): c_end is the perturbation and r_end
// the ratio a / c^2 at the last iteration n,
//     c = c_end n^gamma,  a = r_end c_end^2 (A + n)^alpha.
#pragma once

#include <stdint.h>

#include "core/base/status.h"

enum { SPSA_NAME_SIZE = 64, SPSA_PARAMS_MAX = 64 };

typedef struct SpsaParam {
    char name[SPSA_NAME_SIZE];
    double start, min, max; // whole numbers are played: min and max are, too
    double c_end, r_end;
} SpsaParam;

typedef struct SpsaSpec {
    SpsaParam params[SPSA_PARAMS_MAX];
    int count;
    int iterations; // n
    double a_ratio; // A as a share of the iterations
    double alpha, gamma;
    uint64_t seed;
} SpsaSpec;

// c_k and a_k / c_k of a parameter in iteration k.
double spsa_c(const SpsaSpec *spec, int param, int k);
double spsa_gain(const SpsaSpec *spec, int param, int k);

// The two sets to be played in iteration k, [count] each. Whole numbers: floor(x + u) with u drawn
// for each value of each set, so that the mean is x; then kept within min..max. A function of the
// spec, theta and k alone.
void spsa_perturb(const SpsaSpec *spec, const double *theta, int k, long long *plus,
                  long long *minus);

// Moves theta [count]: result is won minus lost games of the plus set for each pair of games, -2 to
// 2. Parameters stay within min..max.
void spsa_update(const SpsaSpec *spec, double *theta, int k, double result);

// Reads "name,start,min,max,c" or "name,start,min,max,c,r" into the next parameter; a name alone is
// a search parameter of our engine with its own range and step, "all" stands for all of them.
// STATUS_USAGE.
Status spsa_add_param(SpsaSpec *spec, const char *text, double r_end, Err *err);
