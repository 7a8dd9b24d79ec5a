// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/perft/perft_hash.h"

#include <stdatomic.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/base/random.h"

enum { BUCKET_ENTRIES = 4 };

// check = key ^ nodes: an entry torn by two writers matches no key. Empty: both 0.
typedef struct HashEntry {
    _Atomic uint64_t check, nodes;
} HashEntry;

typedef struct HashBucket {
    HashEntry entries[BUCKET_ENTRIES];
} HashBucket;

struct PerftHash {
    HashBucket *buckets;
    uint64_t bucket_count;
};

PerftHash *perft_hash_new(int mebibytes) {
    PerftHash *hash = memory_alloc(1, sizeof *hash);
    hash->bucket_count = ((uint64_t)mebibytes << 20) / sizeof(HashBucket);
    if (hash->bucket_count == 0) hash->bucket_count = 1;
    const size_t size = (size_t)hash->bucket_count * sizeof(HashBucket);
    hash->buckets = memory_aligned(sizeof(HashBucket), size);
    memset((void *)hash->buckets, 0, size);
    return hash;
}

void perft_hash_free(PerftHash *hash) {
    if (!hash) return;
    free(hash->buckets);
    free(hash);
}

// A position counts differently at different depths: these are different keys.
static uint64_t key_at(uint64_t key, int depth) {
    return key ^ random_mix((uint64_t)depth);
}

static HashBucket *bucket_of(const PerftHash *hash, uint64_t key) {
    return &hash->buckets[bits_mul_high64(key, hash->bucket_count)];
}

bool perft_hash_get(const PerftHash *hash, uint64_t key, int depth, uint64_t *nodes) {
    key = key_at(key, depth);
    HashBucket *bucket = bucket_of(hash, key);
    for (int i = 0; i < BUCKET_ENTRIES; i++) {
        const HashEntry *entry = &bucket->entries[i];
        const uint64_t check = atomic_load_explicit(&entry->check, memory_order_relaxed);
        const uint64_t value = atomic_load_explicit(&entry->nodes, memory_order_relaxed);
        if (check && (check ^ value) == key) {
            *nodes = value;
            return true;
        }
    }
    return false;
}

// The entry with the fewest nodes makes room: it is the cheapest to count again.
void perft_hash_put(PerftHash *hash, uint64_t key, int depth, uint64_t nodes) {
    key = key_at(key, depth);
    HashBucket *bucket = bucket_of(hash, key);
    HashEntry *least = &bucket->entries[0];
    uint64_t least_nodes = UINT64_MAX;
    for (int i = 0; i < BUCKET_ENTRIES; i++) {
        const uint64_t value =
            atomic_load_explicit(&bucket->entries[i].nodes, memory_order_relaxed);
        if (value >= least_nodes) continue;
        least = &bucket->entries[i];
        least_nodes = value;
    }
    atomic_store_explicit(&least->check, key ^ nodes, memory_order_relaxed);
    atomic_store_explicit(&least->nodes, nodes, memory_order_relaxed);
}
