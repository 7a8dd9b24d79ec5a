// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzzes the reader of network files. With an accepted network, the sums that make up the
// evaluation of the initial position must fit in 32 bits, and a cache that has seen other positions
// must give the same scores as an empty one.
#include <stdlib.h>
#include <string.h>

#include "core/base/hash.h"
#include "core/eval/eval.h"
#include "tests/core/positions.h"
#include "tests/fuzz/fuzz.h"

// Makes a network file from an input. The first byte of the input has flags. Bit 0 appends zeros up
// to the size of a network with 32 units and no linear weights. Bit 2 appends copies of the last
// two bytes instead, so that all weights are equal. Bit 1 appends a correct checksum. Random bytes
// alone would almost never have the right size and checksum.
static void make_file(const uint8_t *data, size_t size, Text *file) {
    enum { UNITS = 32, NUMBERS = NETWORK_INPUTS + 1 + 2 * NETWORK_OUTPUTS };
    static const uint8_t zeros[16 + NUMBERS * UNITS * 2 + NETWORK_OUTPUTS * 4];
    const int how = size ? data[0] : 0;
    if (size) text_add_bytes(file, data + 1, size - 1);
    while (how & 4 && size > 2 && file->length + 2 <= sizeof zeros) {
        text_add_bytes(file, data + size - 2, 2);
    }
    if (how & 1 && file->length < sizeof zeros) {
        text_add_bytes(file, zeros, sizeof zeros - file->length);
    }
    if (how & 2) {
        uint8_t digest[SHA256_BYTES];
        Sha256 hash;
        sha256_init(&hash);
        sha256_add(&hash, text_get(file), file->length);
        sha256_finish(&hash, digest);
        text_add_bytes(file, digest, sizeof digest);
    }
}

// Compares scores of random positions that have many different pieces.
static void check_cache(const Network *network) {
    static _Alignas(64) NetworkCache seen, fresh;
    Random random;
    Position position;
    memset(&seen, 0, sizeof seen);
    random_init(&random, 7, 0);
    for (int i = 0; i < 20; i++) {
        if (!positions_random_crowd(&random, &position)) continue;
        memset(&fresh, 0, sizeof fresh);
        require(network_score(network, &seen, &position, NULL, NULL) ==
                network_score(network, &fresh, &position, NULL, NULL));
    }
}

FUZZ(network) {
    Text file = {0};
    Network *network = NULL;
    Err err = {0};
    make_file(data, size, &file);
    const Status status = network_parse(text_get(&file), file.length, "input", &network, &err);
    text_clear(&file);
    require((status == STATUS_OK) == (network != NULL) && (network || err.text[0]));
    if (!network) return;
    Position position;
    position_init_start(&position);
    require(network_check(network, &err) == STATUS_OK && strlen(network->hash) == 64);
    const EvalParts parts = evaluate_parts(&position, &network->weights, network);
    // The score is the sum of three numbers: one for each side's view, and the bias. Each of them
    // fits in an int32_t.
    require(llabs(parts.network) <= 3LL * INT32_MAX / NETWORK_DIVISOR);
    check_cache(network);
    network_free(network);
}
