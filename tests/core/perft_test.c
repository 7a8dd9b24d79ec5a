// SPDX-License-Identifier: GPL-3.0-or-later
// Tests perft with known answers, also with several threads and with a hash table.
#include <stdio.h>

#include "bench/perft/perft.h"
#include "core/system/in_file.h"
#include "tests/test.h"

static void check_suite(TestContext *t, const char *path, int threads, int hash_mb,
                        uint64_t max_nodes) {
    LineReader suite;
    PerftRow row;
    Err err = {0};
    Perft *perft = perft_new(&(PerftOptions){.threads = threads, .hash_mb = hash_mb});
    if (CHECK_OK(line_reader_open(&suite, path, &err), err)) {
        int rows = 0;
        while (perft_read_row(&suite, &row)) {
            uint64_t nodes = 0;
            if (!CHECK_MSG(row.err.status == STATUS_OK, "line %zu: %s", row.line, row.err.text))
                break;
            if (row.nodes > max_nodes) continue;
            CHECK(perft_count(perft, &row.position, row.depth, NULL, &nodes));
            CHECK_MSG(nodes == row.nodes, "line %zu: %llu nodes, expected %llu", row.line,
                      (unsigned long long)nodes, (unsigned long long)row.nodes);
            rows++;
        }
        CHECK_MSG(rows > 200, "only %d rows were counted, expected more than 200", rows);
        line_reader_close(&suite, NULL);
    }
    perft_free(perft);
}

// The known answers are in tests/data/perft.tsv; its last column names their origin. `make test`
// counts the rows of at most 10 million nodes. `make test-full` counts all rows, and those of the
// larger perft.tsv in PAOTAI_SHARED if it exists.
void test_perft_known_answers(TestContext *t) {
    char path[512];
    const uint64_t most = t->full ? UINT64_MAX : UINT64_C(10000000);
    snprintf(path, sizeof path, "%s/perft.tsv", t->data);
    check_suite(t, path, 1, 0, most);
    check_suite(t, path, 2, 16, most);
    if (!t->full || !t->shared) return;
    snprintf(path, sizeof path, "%s/perft.tsv", t->shared);
    check_suite(t, path, 2, 0, UINT64_MAX);
    check_suite(t, path, 2, 64, UINT64_MAX);
}

// Checks that divided perft with threads and a hash table gives the counts of one thread without a
// hash table.
void test_perft_threads_and_hash(TestContext *t) {
    Position position;
    position_init_start(&position);
    uint64_t expected[MAX_MOVES], nodes[MAX_MOVES];
    MoveList moves, other;
    Perft *plain = perft_new(&(PerftOptions){.threads = 1});
    CHECK(perft_divide(plain, &position, 4, NULL, &moves, expected));
    perft_free(plain);
    uint64_t sum = 0;
    for (int i = 0; i < moves.count; i++) sum += expected[i];
    CHECK_INT(sum, 3290240); // expected number from tests/data/perft.tsv, origin "public"
    Perft *perft = perft_new(&(PerftOptions){.threads = 3, .hash_mb = 1});
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
