// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/perft/perft.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/base/random.h"
#include "core/system/in_file.h"
#include "core/system/interrupt.h"

// ---- the hash table, which all threads share without locks --------------------------------------

enum { BUCKET_ENTRIES = 4 };

// An entry of the hash table. `check` is key ^ nodes: if two threads write an entry at the same
// time, the mixture of their values matches no key. Empty entries are zero.
typedef struct HashEntry {
    _Atomic uint64_t check, nodes;
} HashEntry;

typedef struct HashBucket {
    HashEntry entries[BUCKET_ENTRIES];
} HashBucket;

struct Perft {
    PerftOptions options;
    HashBucket *buckets; // NULL if perft runs without a hash table
    uint64_t bucket_count;
};

Perft *perft_new(const PerftOptions *options) {
    Perft *perft = memory_alloc(1, sizeof *perft);
    perft->options = *options;
    if (options->hash_mb > 0) {
        perft->bucket_count = ((uint64_t)options->hash_mb << 20) / sizeof(HashBucket);
        const size_t size = (size_t)perft->bucket_count * sizeof(HashBucket);
        perft->buckets = memory_aligned(sizeof(HashBucket), size);
        memset((void *)perft->buckets, 0, size);
    }
    return perft;
}

void perft_free(Perft *perft) {
    if (!perft) return;
    free(perft->buckets);
    free(perft);
}

// Combines the key of a position with a depth, because the count depends on the depth.
static uint64_t key_at(uint64_t key, int depth) {
    return key ^ random_mix((uint64_t)depth);
}

static HashBucket *bucket_of(const Perft *perft, uint64_t key) {
    return &perft->buckets[bits_mul_high64(key, perft->bucket_count)];
}

// Reads the stored count for the position with this Zobrist key and this depth. Returns false if it
// is not stored. Two positions with equal 64-bit keys are confused: with n entries in the table, a
// look-up returns a wrong count with a probability of about n / 2^64.
static bool hash_get(const Perft *perft, uint64_t key, int depth, uint64_t *nodes) {
    key = key_at(key, depth);
    HashBucket *bucket = bucket_of(perft, key);
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

// Stores a count. Overwrites the smallest count of the bucket, because that is the cheapest to
// compute again.
static void hash_put(const Perft *perft, uint64_t key, int depth, uint64_t nodes) {
    key = key_at(key, depth);
    HashBucket *bucket = bucket_of(perft, key);
    HashEntry *smallest = &bucket->entries[0];
    uint64_t smallest_nodes = UINT64_MAX;
    for (int i = 0; i < BUCKET_ENTRIES; i++) {
        const uint64_t value =
            atomic_load_explicit(&bucket->entries[i].nodes, memory_order_relaxed);
        if (value >= smallest_nodes) continue;
        smallest = &bucket->entries[i];
        smallest_nodes = value;
    }
    atomic_store_explicit(&smallest->check, key ^ nodes, memory_order_relaxed);
    atomic_store_explicit(&smallest->nodes, nodes, memory_order_relaxed);
}

// ---- counting -----------------------------------------------------------------------------------

// Adds two counts. Returns PERFT_OVERFLOW if the sum exceeds 64 bits.
static uint64_t add_counts(uint64_t a, uint64_t b) {
    return a + b < a ? PERFT_OVERFLOW : a + b;
}

// Returns the perft count of a position, computed in one thread. The moves of the last ply are
// counted but not made. The count is incomplete after an interruption.
static uint64_t count_below(const Position *position, int depth, const Perft *perft) {
    uint64_t nodes = 0;
    if (depth == 0) return 1;
    if (depth == 1) return (uint64_t)position_count_moves(position);
    if (depth == 2 && !perft->buckets) return position_count_pairs(position);
    if (perft->buckets && hash_get(perft, position->key, depth, &nodes)) return nodes;
    if (interrupt_requested()) return 0;
    MoveList list;
    position_legal_moves(position, &list);
    for (int i = 0; i < list.count; i++) {
        Position after;
        position_do_move(position, list.moves[i], &after);
        nodes = add_counts(nodes, count_below(&after, depth - 1, perft));
    }
    if (perft->buckets && !interrupt_requested()) hash_put(perft, position->key, depth, nodes);
    return nodes;
}

// The subtree after one or two moves from the root. One thread counts its leaf nodes.
typedef struct Job {
    Position position;
    int first_move; // index of the first move in the root's move list
    uint64_t nodes;
} Job;

typedef struct JobList {
    Job *jobs;
    size_t count, capacity;
} JobList;

static void add_job(JobList *list, const Position *position, int first_move) {
    list->jobs = memory_room(list->jobs, &list->capacity, list->count + 1, sizeof *list->jobs);
    list->jobs[list->count++] = (Job){.position = *position, .first_move = first_move};
}

// At this perft depth or more, each job counts one pair of a first move and a reply. At smaller
// depths each job counts one first move.
enum { SPLIT_DEPTH = 4 };

// Makes the jobs of a count. Returns the remaining depth below each job.
static int make_jobs(const Position *position, const MoveList *moves, int depth, JobList *list) {
    for (int i = 0; i < moves->count; i++) {
        Position after;
        position_do_move(position, moves->moves[i], &after);
        if (depth < SPLIT_DEPTH) {
            add_job(list, &after, i);
            continue;
        }
        MoveList replies;
        position_legal_moves(&after, &replies);
        for (int j = 0; j < replies.count; j++) {
            Position next;
            position_do_move(&after, replies.moves[j], &next);
            add_job(list, &next, i);
        }
    }
    return depth < SPLIT_DEPTH ? depth - 1 : depth - 2;
}

static void show_progress(Progress *progress, uint64_t done, uint64_t nodes) {
    char rate[48];
    const double seconds = progress_elapsed_s(progress);
    snprintf(rate, sizeof rate, "%.0f Mnodes/s",
             (double)nodes / (seconds > 0 ? seconds : 1) * 1e-6);
    progress_update(progress, done, rate);
    // If the count took so little time that no progress line was shown, print no final one either.
    if (done == progress->total && progress->shown_s > progress->started_s) {
        progress_finish(progress, done, rate);
    }
}

static void run_jobs(const Perft *perft, JobList *list, int depth, Progress *progress) {
    // Counts to depth 0 or 1 are so fast that a second thread does not save time.
    const int threads = depth < SPLIT_DEPTH - 2 ? 1 : perft->options.threads;
    uint64_t done = 0, nodes = 0;
    if (progress) progress->total = list->count;
#pragma omp parallel for num_threads(threads) schedule(dynamic)
    for (size_t i = 0; i < list->count; i++) {
        Job *job = &list->jobs[i];
        if (!interrupt_requested()) job->nodes = count_below(&job->position, depth, perft);
        if (!progress || !progress->out) continue;
#pragma omp critical(perft_progress)
        {
            nodes += job->nodes;
            show_progress(progress, ++done, nodes);
        }
    }
}

bool perft_divide(Perft *perft, const Position *position, int depth, Progress *progress,
                  MoveList *moves, uint64_t nodes[MAX_MOVES]) {
    position_legal_moves(position, moves);
    JobList list = {0};
    const int below = make_jobs(position, moves, depth, &list);
    run_jobs(perft, &list, below, progress);
    for (int i = 0; i < moves->count; i++) nodes[i] = 0;
    for (size_t i = 0; i < list.count; i++) {
        uint64_t *sum = &nodes[list.jobs[i].first_move];
        *sum = add_counts(*sum, list.jobs[i].nodes);
    }
    free(list.jobs);
    return !interrupt_requested();
}

bool perft_count(Perft *perft, const Position *position, int depth, Progress *progress,
                 uint64_t *nodes) {
    MoveList moves;
    uint64_t counts[MAX_MOVES];
    const bool complete = perft_divide(perft, position, depth, progress, &moves, counts);
    *nodes = 0;
    for (int i = 0; i < moves.count; i++) *nodes = add_counts(*nodes, counts[i]);
    return complete;
}

// ---- known counts -------------------------------------------------------------------------------

static Status parse_row(char *line, PerftRow *row) {
    char *cursor = line;
    row->fen = text_next_field(&cursor, '\t');
    const char *depth = text_next_field(&cursor, '\t');
    const char *nodes = text_next_field(&cursor, '\t');
    if (!row->fen || !depth || !nodes) {
        return err_set(&row->err, STATUS_BAD_INPUT,
                       "the row '%.60s...' is too short: it must have fen, depth and nodes, "
                       "separated by tabs",
                       line);
    }
    long long plies = 0;
    TRY(position_from_fen(&row->position, row->fen, &row->err));
    TRY(parse_int(depth, 1, 20, &plies, "depth", &row->err));
    row->depth = (int)plies;
    return parse_u64(nodes, &row->nodes, "nodes", &row->err);
}

bool perft_read_row(LineReader *reader, PerftRow *row) {
    do {
        if (!line_reader_next_record(reader)) return false;
    } while (reader->number == 1 && strncmp(reader->line, "fen\t", 4) == 0);
    row->line = reader->number;
    row->err = (Err){0};
    parse_row(reader->line, row);
    return true;
}
