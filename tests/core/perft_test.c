// SPDX-License-Identifier: GPL-3.0-or-later
// Perft: the fast methods against known answers and against the plain one on random positions.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/perft/perft.h"
#include "bench/perft/perft_suite.h"
#include "core/base/random.h"
#include "tests/core/positions.h"
#include "tests/test.h"

static const char *const method_names[PERFT_METHOD_COUNT] = {"plain", "bulk", "differential"};

static Perft *new_perft(PerftMethod method, int threads, int hash_mb) {
    return perft_new(&(PerftOptions){.method = method, .threads = threads, .hash_mb = hash_mb});
}

static void check_suite(TestContext *t, const char *path, PerftMethod method, int threads,
                        int hash_mb, uint64_t max_nodes) {
    PerftSuite suite;
    PerftRow row;
    Err err = {0};
    Perft *perft = new_perft(method, threads, hash_mb);
    if (CHECK_MSG(perft_suite_open(&suite, path, &err) == STATUS_OK, "%s", err.text)) {
        int rows = 0;
        while (perft_suite_next(&suite, &row)) {
            uint64_t nodes = 0;
            if (!CHECK_MSG(row.err.status == STATUS_OK, "line %zu: %s", row.line, row.err.text))
                break;
            if (row.nodes > max_nodes) continue;
            CHECK(perft_count(perft, &row.position, row.depth, NULL, &nodes));
            CHECK_MSG(nodes == row.nodes, "%s, line %zu: %llu nodes, expected %llu",
                      method_names[method], row.line, (unsigned long long)nodes,
                      (unsigned long long)row.nodes);
            rows++;
        }
        CHECK_MSG(rows > 200, "only %d rows counted", rows);
        perft_suite_close(&suite, NULL);
    }
    perft_free(perft);
}

// tests/data/perft.tsv: known answers, origin in its last column; plain is
// test_perft_known_answers. In the full tests all rows, and those of the shared file.
void test_perft_methods_known_answers(TestContext *t) {
    char path[512];
    const uint64_t most = t->full ? UINT64_MAX : UINT64_C(10000000);
    snprintf(path, sizeof path, "%s/perft.tsv", t->data);
    for (int method = PERFT_BULK; method < PERFT_METHOD_COUNT; method++) {
        check_suite(t, path, (PerftMethod)method, 1, 0, most);
        check_suite(t, path, (PerftMethod)method, 2, 16, most);
    }
    if (!t->full || !t->shared) return;
    snprintf(path, sizeof path, "%s/perft.tsv", t->shared);
    check_suite(t, path, PERFT_DIFFERENTIAL, 2, 0, UINT64_MAX);
    check_suite(t, path, PERFT_PLAIN, 2, 64, UINT64_C(6000000000));
}

// ---- random positions --------------------------------------------------------------------------

typedef struct Counters {
    Perft *perft[PERFT_METHOD_COUNT];
    int positions;
} Counters;

static void compare(TestContext *t, Counters *counters, const Position *position, int max_depth) {
    counters->positions++;
    for (int depth = 1; depth <= max_depth; depth++) {
        uint64_t expected = 0;
        perft_count(counters->perft[PERFT_PLAIN], position, depth, NULL, &expected);
        for (int method = PERFT_BULK; method < PERFT_METHOD_COUNT; method++) {
            uint64_t nodes = 0;
            perft_count(counters->perft[method], position, depth, NULL, &nodes);
            if (nodes == expected) continue;
            char fen[FEN_SIZE];
            position_to_fen(position, FEN_UCI, fen);
            CHECK_MSG(false, "%s, depth %d: %llu, plain %llu: %s", method_names[method], depth,
                      (unsigned long long)nodes, (unsigned long long)expected, fen);
        }
    }
}

static void compare_games(TestContext *t, Counters *counters, Random *random, int games) {
    for (int game = 0; game < games; game++) {
        Position position;
        position_init_start(&position);
        const bool captures = random_below(random, 2); // prefer captures: open positions
        for (int ply = 0; ply < 150; ply++) {
            MoveList list;
            position_legal_moves(&position, &list);
            if (list.count == 0) break;
            Move move = list.moves[random_below(random, (uint64_t)list.count)];
            for (int i = 0; captures && i < 3 && !position_is_capture(&position, move); i++) {
                move = list.moves[random_below(random, (uint64_t)list.count)];
            }
            Position after;
            position_do_move(&position, move, &after);
            position = after;
            if (ply % 5 == 0) compare(t, counters, &position, 2 + (ply % 15 == 0));
        }
    }
}

// The methods agree at depths 1 to 3 on positions of random games and on randomly placed ones:
// hollow cannons, double checks, facing generals, pins by several pieces at once.
void test_perft_methods_agree(TestContext *t) {
    Random random;
    random_init(&random, 20261120, 0);
    Counters counters = {0};
    for (int method = 0; method < PERFT_METHOD_COUNT; method++) {
        counters.perft[method] = new_perft((PerftMethod)method, 1, 0);
    }
    compare_games(t, &counters, &random, t->full ? 400 : 20);
    const int wanted = counters.positions + (t->full ? 60000 : 4000);
    while (counters.positions < wanted) {
        Position position;
        if (positions_random_siege(&random, &position)) {
            compare(t, &counters, &position, 2 + (counters.positions % 4 == 0));
        }
    }
    for (int method = 0; method < PERFT_METHOD_COUNT; method++) perft_free(counters.perft[method]);
}

// Division, threads and hash give what one thread without hash gives.
void test_perft_threads_and_hash(TestContext *t) {
    Position position;
    position_init_start(&position);
    uint64_t expected[MAX_MOVES], nodes[MAX_MOVES];
    MoveList moves, other;
    Perft *plain = new_perft(PERFT_PLAIN, 1, 0);
    CHECK(perft_divide(plain, &position, 4, NULL, &moves, expected));
    perft_free(plain);
    uint64_t sum = 0;
    for (int i = 0; i < moves.count; i++) sum += expected[i];
    CHECK_INT(sum, 3290240); // shared/data/perft.tsv, origin "public"
    for (int method = 0; method < PERFT_METHOD_COUNT; method++) {
        Perft *perft = new_perft((PerftMethod)method, 3, 1);
        for (int again = 0; again < 2; again++) {
            CHECK(perft_divide(perft, &position, 4, NULL, &other, nodes));
            CHECK_INT(other.count, moves.count);
            for (int i = 0; i < moves.count; i++) {
                CHECK_INT(other.moves[i], moves.moves[i]);
                CHECK_INT(nodes[i], expected[i]);
            }
        }
        perft_free(perft);
    }
}
