// SPDX-License-Identifier: GPL-3.0-or-later
// Computes the loss of a block of positions.
#include <math.h>
#include <string.h>

#include "tuner/fit/loss.h"

// ---- elementary functions on arrays -------------------------------------------------------------

// Polynomials replace the functions of the C library: the compiler vectorises them, and every build
// and C library gives the same bits. They are Chebyshev fits: exp(r) of degree 10 on
// |r| <= ln(2) / 2 (relative error below 4e-16), atanh(s) / s of degree 9 in s^2 on s^2 <= 1/9
// (error below 1e-16).

// Returns the polynomial c[0] x^(count - 1) + ... + c[count - 1].
ALWAYS_INLINE double polynomial(const double *c, int count, double x) {
    double sum = c[0];
    for (int i = 1; i < count; i++) sum = sum * x + c[i];
    return sum;
}

// Returns exp(x) for -700 <= x <= 0.
ALWAYS_INLINE double exp_negative(double x) {
    static const double c[] = {0x1.28a2ca617b969p-22, 0x1.72fafebdaf273p-19, 0x1.a019a6611cad5p-16,
                               0x1.a01978b8b3d18p-13, 0x1.6c16c17f46982p-10, 0x1.1111112ddae8bp-7,
                               0x1.55555555520a4p-5,  0x1.555555554b736p-3,  0x1.0000000000005p-1,
                               0x1.000000000001ep+0,  0x1.0000000000000p+0};
    // Adding this constant to a double rounds it to an integer. The low bits of the sum are this
    // integer.
    const double magic = 0x1.8p52;
    const double shifted = x * 0x1.71547652b82fep0 + magic;
    const double n = shifted - magic;
    const double r = (x - n * 0x1.62e42fefa38p-1) - n * 0x1.ef35793c7673p-45;
    uint64_t bits;
    memcpy(&bits, &shifted, sizeof bits);
    bits = (bits + 1023) << 52; // the double 2^n, made from its exponent
    double power;
    memcpy(&power, &bits, sizeof power);
    return polynomial(c, sizeof c / sizeof *c, r) * power;
}

// Returns 2 atanh(s) for 0 <= s <= 1/3. It equals log(1 + e) for s = e / (2 + e).
ALWAYS_INLINE double log_from_ratio(double s) {
    static const double c[] = {0x1.6c26693a7c095p-4, 0x1.94b79523b2fbbp-5, 0x1.1659956da410fp-4,
                               0x1.3aa5e932d3628p-4, 0x1.74628d4f43596p-4, 0x1.c71c47af989fdp-4,
                               0x1.2492498161ca5p-3, 0x1.99999998ca58bp-3, 0x1.5555555555aeep-2,
                               0x1.0000000000000p+0};
    return 2.0 * s * polynomial(c, sizeof c / sizeof *c, s * s);
}

ALWAYS_INLINE double clamp_exponent(double x) {
    return x < 700.0 ? x : 700.0;
}

static void block_cross_entropy(LossBlock *restrict block) {
    for (int i = 0; i < block->count; i++) {
        const double u = block->score[i], target = block->target[i];
        const double e = exp_negative(-clamp_exponent(fabs(u)));
        // One division, 1 / ((1 + e) (2 + e)), replaces two: 1 / (1 + e) and e / (2 + e) follow
        // from it by multiplication.
        const double inverse = 1.0 / ((1.0 + e) * (2.0 + e));
        const double q = (2.0 + e) * inverse, small = e * q;
        const double sigma = u >= 0 ? q : small;
        const double positive = u >= 0 ? u : 0.0;
        block->loss[i] = positive + log_from_ratio(e * (1.0 + e) * inverse) - target * u;
        block->slope[i] = sigma - target;
        block->curvature[i] = q * small;
    }
}

static void block_squared(LossBlock *restrict block) {
    for (int i = 0; i < block->count; i++) {
        const double u = block->score[i];
        const double e = exp_negative(-clamp_exponent(fabs(u)));
        const double q = 1.0 / (1.0 + e), small = e * q;
        const double sigma = u >= 0 ? q : small;
        const double slope = q * small, miss = sigma - block->target[i];
        block->loss[i] = miss * miss;
        block->slope[i] = 2.0 * miss * slope;
        block->curvature[i] = 2.0 * slope * slope;
    }
}

void loss_block(LossKind kind, LossBlock *block) {
    if (kind == LOSS_CROSS_ENTROPY) block_cross_entropy(block);
    if (kind == LOSS_SQUARED) block_squared(block);
}

// ---- targets ------------------------------------------------------------------------------------

double loss_expected_points(double u) {
    const double e = exp_negative(-clamp_exponent(fabs(u)));
    return (u >= 0 ? 1.0 : e) / (1.0 + e);
}

// Converts the search scores to double, and computes the expected points of each score.
static void scored_points(const LossSetup *setup, const int16_t *restrict score,
                          const int8_t *restrict side_to_move, const float *restrict phase,
                          int count, double *restrict known, double *restrict points) {
    // With a local copy of *setup, the compiler knows that its members do not change in the loop.
    const LossSetup s = *setup;
    for (int i = 0; i < count; i++) points[i] = loss_score_slope(&s, (double)phase[i]);
    for (int i = 0; i < count; i++) {
        known[i] = (double)score[i];
        points[i] *= known[i] - s.mover_units * (double)side_to_move[i];
    }
    for (int i = 0; i < count; i++) {
        const double u = points[i], e = exp_negative(-clamp_exponent(fabs(u)));
        const double sigma = (u >= 0 ? 1.0 : e) / (1.0 + e);
        const double lost = known[i] <= -ROW_SCORE_MATE ? 0.0 : sigma;
        points[i] = known[i] >= ROW_SCORE_MATE ? 1.0 : lost;
    }
}

void loss_targets(const LossSetup *setup, const RowChunk *chunk, uint32_t first, int count,
                  double *restrict target, double *restrict weight) {
    const float *restrict result = chunk->result + first;
    const double lambda = setup->lambda;
    double points[LOSS_BLOCK];
    scored_points(setup, chunk->score_red + first, chunk->side_to_move + first,
                  chunk->phase + first, count, weight, points);
    for (int i = 0; i < count; i++) {
        const double half = (double)result[i], scored = points[i], known = weight[i];
        const double blended = lambda * half + (1.0 - lambda) * scored;
        const double with = known != SCORE_UNKNOWN ? blended : half;
        const double without = known != SCORE_UNKNOWN ? scored : 0.5;
        const double there = known != SCORE_UNKNOWN ? 1.0 : 0.0;
        target[i] = half >= 0 ? with : without;
        weight[i] = half >= 0 ? 1.0 : there;
    }
}
