// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/tt.h"

#include <stdatomic.h>
#include <string.h>

#include "core/base/memory.h"

enum { BUCKET_ENTRIES = 4, AGE_STEP = 4, AGE_MASK = 0xfc };

// An entry of the table. `check` is key ^ data. If two threads write an entry at the same time, its
// two words may not belong together; practically no key then matches `check`.
typedef struct TtEntry {
    _Atomic uint64_t check, data;
} TtEntry;

typedef struct TtBucket {
    TtEntry entries[BUCKET_ENTRIES];
} TtBucket;

struct Tt {
    TtBucket *buckets;
    uint64_t bucket_count;
    unsigned age; // generation of the entries stored now: a multiple of AGE_STEP below 256
    bool used;    // true if a search has begun since the table was cleared
};

// Packs an entry: move in bits 0-15, score in 16-31, eval in 32-47, depth in 48-54, the flag pv in
// 55, bound in 56-57, age in 58-63.
static uint64_t pack(TtData data, unsigned age) {
    return (uint64_t)data.move | (uint64_t)(uint16_t)data.score << 16 |
           (uint64_t)(uint16_t)data.eval << 32 | (uint64_t)data.depth << 48 |
           (uint64_t)data.pv << 55 | (uint64_t)(age | (unsigned)data.bound) << 56;
}

static TtData unpack(uint64_t word) {
    return (TtData){.move = (Move)word,
                    .score = (int16_t)(uint16_t)(word >> 16),
                    .eval = (int16_t)(uint16_t)(word >> 32),
                    .depth = (uint8_t)(word >> 48 & 127),
                    .pv = word >> 55 & 1,
                    .bound = (Bound)(word >> 56 & 3)};
}

Tt *tt_new(double mebibytes) {
    Tt *tt = memory_alloc(1, sizeof *tt);
    const double buckets = mebibytes * 1048576.0 / (double)sizeof(TtBucket);
    tt->bucket_count = buckets < 1 ? 1 : (uint64_t)buckets;
    tt->buckets = memory_huge(tt->bucket_count * sizeof(TtBucket));
    tt->used = true;
    tt_clear(tt);
    return tt;
}

void tt_free(Tt *tt) {
    if (!tt) return;
    free(tt->buckets);
    free(tt);
}

void tt_clear(Tt *tt) {
    if (!tt->used) return;
    memset((void *)tt->buckets, 0, tt->bucket_count * sizeof(TtBucket));
    tt->age = 0;
    tt->used = false;
}

void tt_new_search(Tt *tt) {
    tt->age = (tt->age + AGE_STEP) & AGE_MASK;
    tt->used = true;
}

static TtBucket *bucket_of(const Tt *tt, uint64_t key) {
    return &tt->buckets[bits_mul_high64(key, tt->bucket_count)];
}

void tt_prefetch(const Tt *tt, uint64_t key) {
    PREFETCH(bucket_of(tt, key));
}

bool tt_probe(const Tt *tt, uint64_t key, TtData *data) {
    TtBucket *bucket = bucket_of(tt, key);
    for (int i = 0; i < BUCKET_ENTRIES; i++) {
        TtEntry *entry = &bucket->entries[i];
        const uint64_t word = atomic_load_explicit(&entry->data, memory_order_relaxed);
        const uint64_t check = atomic_load_explicit(&entry->check, memory_order_relaxed);
        if ((check ^ word) == key && word) {
            *data = unpack(word);
            return true;
        }
    }
    return false;
}

// Returns how much a packed entry is worth keeping: its depth, minus 8 for each search that began
// since it was stored.
static int keep_value(uint64_t word, unsigned age) {
    const unsigned entry_age = (unsigned)(word >> 56) & AGE_MASK;
    const int generations = (int)((256 + age - entry_age) & AGE_MASK) / AGE_STEP;
    return (int)(word >> 48 & 127) - 8 * generations;
}

void tt_store(Tt *tt, uint64_t key, TtData data) {
    TtBucket *bucket = bucket_of(tt, key);
    TtEntry *slot = NULL;
    int worst = 1 << 30;
    for (int i = 0; i < BUCKET_ENTRIES; i++) {
        TtEntry *entry = &bucket->entries[i];
        const uint64_t word = atomic_load_explicit(&entry->data, memory_order_relaxed);
        const uint64_t check = atomic_load_explicit(&entry->check, memory_order_relaxed);
        if ((check ^ word) == key && word) {
            const TtData old = unpack(word);
            if (data.move == MOVE_NONE) data.move = old.move;
            // A much deeper entry of the same position and generation is kept, unless the new one
            // has an exact score.
            if (data.bound != BOUND_EXACT && data.depth + 4 < old.depth &&
                ((unsigned)(word >> 56) & AGE_MASK) == tt->age) {
                return;
            }
            slot = entry;
            break;
        }
        const int value = word ? keep_value(word, tt->age) : -(1 << 30);
        if (value < worst) {
            worst = value;
            slot = entry;
        }
    }
    const uint64_t word = pack(data, tt->age);
    atomic_store_explicit(&slot->data, word, memory_order_relaxed);
    atomic_store_explicit(&slot->check, key ^ word, memory_order_relaxed);
}

int tt_full_permille(const Tt *tt) {
    const uint64_t buckets = tt->bucket_count < 1000 ? tt->bucket_count : 1000;
    uint64_t used = 0;
    for (uint64_t b = 0; b < buckets; b++) {
        for (int i = 0; i < BUCKET_ENTRIES; i++) {
            const uint64_t word =
                atomic_load_explicit(&tt->buckets[b].entries[i].data, memory_order_relaxed);
            used += word && ((unsigned)(word >> 56) & AGE_MASK) == tt->age;
        }
    }
    return (int)(used * 1000 / (buckets * BUCKET_ENTRIES));
}
