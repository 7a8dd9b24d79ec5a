// SPDX-License-Identifier: GPL-3.0-or-later
#include "tuner/rows/row_pass.h"

#include <string.h>

#include "core/base/memory.h"

double *pass_weights(const double *weights, int pairs) {
    const size_t n = 2 * (size_t)pairs;
    double *result = memory_aligned(64, (n + 2) * sizeof *result);
    memcpy(result, weights, n * sizeof *result);
    result[n] = result[n + 1] = 1.0;
    return result;
}

ALWAYS_INLINE DoublePair entry_times(const RowChunk *chunk, uint32_t k, const double *weights) {
    const double times = row_coefficient(chunk, k);
    return pair_at(weights, chunk->pair[k]) * (DoublePair){times, times};
}

void row_sums(const RowChunk *chunk, uint32_t first, int count, const double *weights,
              DoublePair *sum) {
    // With a local copy of *chunk, the compiler knows that its pointers do not change in the loop.
    const RowChunk c = BORROW(*chunk);
    uint32_t k = c.begin[first];
    for (int i = 0; i < count; i++) {
        const uint32_t end = c.begin[first + (uint32_t)i + 1];
        // Two independent chains of additions, which the processor computes in parallel.
        DoublePair even = {0, 0}, odd = {0, 0};
        for (; k + 1 < end; k += 2) {
            even += entry_times(&c, k, weights);
            odd += entry_times(&c, k + 1, weights);
        }
        for (; k < end; k++) even += entry_times(&c, k, weights);
        sum[i] = even + odd;
    }
}

void row_spread(const RowChunk *chunk, uint32_t first, int count, const DoublePair *slope,
                double *gradient) {
    const RowChunk c = BORROW(*chunk);
    DoublePair *pairs = (DoublePair *)(void *)gradient;
    uint32_t k = c.begin[first];
    for (int i = 0; i < count; i++) {
        const DoublePair by = slope[i];
        for (const uint32_t end = c.begin[first + (uint32_t)i + 1]; k < end; k++) {
            const double times = row_coefficient(&c, k);
            pairs[c.pair[k]] += by * (DoublePair){times, times};
        }
    }
}

size_t chunk_range(const RowSet *rows, int number, int ranges, size_t *first) {
    *first = rows->chunk_count * (size_t)number / (size_t)ranges;
    return rows->chunk_count * ((size_t)number + 1) / (size_t)ranges;
}
