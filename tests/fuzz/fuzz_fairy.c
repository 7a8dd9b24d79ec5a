// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzzes the reader of networks of Fairy-Stockfish. With an accepted network, a cache that has seen
// other positions must give the same scores as an empty one, within the limit of scores.
#include <stdlib.h>
#include <string.h>

#include "core/eval/network.h"
#include "tests/core/positions.h"
#include "tests/fuzz/fuzz.h"

// Makes a network file from an input. If the first byte of the input is even, the other bytes are
// the file. Otherwise the input changes a correct file whose numbers are 0: it continues with the
// size of the file, then pairs of an offset and a new number, all of 32 bits. The file ends at
// that size if it is smaller than that of the correct file.
enum { FIXED = 11261840, STACK = 17640 };
static void make_file(const uint8_t *data, size_t size, Text *file) {
    static uint8_t zeros[FIXED];
    static const uint32_t head[] = {0x7AF32F20, 0x3C103E72, 0, 0x5F2348B8}, stack = 0x633376CA;
    if (!size || data[0] % 2 == 0) {
        if (size) text_add_bytes(file, data + 1, size - 1);
        return;
    }
    memcpy(zeros, head, sizeof head);
    for (int s = 1; s <= 8; s++) memcpy(zeros + FIXED - s * STACK, &stack, sizeof stack);
    text_add_bytes(file, zeros, FIXED);
    for (size_t at = 5; at + 8 <= size; at += 8) {
        uint32_t offset;
        memcpy(&offset, data + at, sizeof offset);
        memcpy(file->data + offset % (FIXED - 3), data + at + 4, 4);
    }
    uint32_t length = FIXED;
    if (size >= 5) memcpy(&length, data + 1, sizeof length);
    if (length < FIXED) file->length = length;
}

static void check_scores(const Network *network) {
    static NetworkCache seen, fresh;
    Random random;
    Position position;
    memset(&seen, 0, sizeof seen);
    random_init(&random, 7, 0);
    for (int i = 0; i < 20; i++) {
        if (!positions_random_crowd(&random, &position)) continue;
        memset(&fresh, 0, sizeof fresh);
        const int score = network_score(network, &seen, &position, NULL, NULL);
        require(score == network_score(network, &fresh, &position, NULL, NULL));
        require(abs(score) <= FAIRY_SCORE_MAX);
    }
}

FUZZ(fairy) {
    Text file = {0};
    Network *network = NULL;
    Err err = {0};
    make_file(data, size, &file);
    const Status status = network_parse(text_get(&file), file.length, "input", &network, &err);
    text_clear(&file);
    require((status == STATUS_OK) == (network != NULL) && (network || err.text[0]));
    if (!network) return;
    require(strlen(network->hash) == 64);
    if (network->fairy) check_scores(network);
    network_free(network);
}
