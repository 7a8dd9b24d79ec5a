// SPDX-License-Identifier: GPL-3.0-or-later
// replay NAME COUNT FILE...: passes the input in each file, and COUNT changed copies of it, to the
// fuzzer NAME. The same arguments always make the same changes. This program finds few bugs, but
// shows on systems without clang that the fuzzers still work.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/base/random.h"
#include "core/base/text.h"
#include "tests/fuzz/fuzz.h"

// Changes, removes or duplicates a few bytes of an input. Returns its new size in bytes.
static size_t change(Random *random, uint8_t *data, size_t size, size_t capacity) {
    for (uint64_t edits = 1 + random_below(random, 4); edits > 0 && size > 0; edits--) {
        const size_t at = (size_t)random_below(random, size);
        switch (random_below(random, 4)) {
        case 0:
            data[at] = (uint8_t)random_next(random);
            break;
        case 1:
            data[at] = data[random_below(random, size)];
            break;
        case 2:
            memmove(data + at, data + at + 1, --size - at);
            break;
        default:
            if (size == capacity) break;
            memmove(data + at + 1, data + at, size++ - at);
            break;
        }
    }
    return size;
}

int main(int argc, char **argv) {
    Err err = {0};
    long long count = 0;
    if (argc < 4 || parse_int(argv[2], 0, 1000000, &count, "COUNT", &err) != STATUS_OK) {
        fprintf(stderr, "usage: replay NAME COUNT FILE...\n");
        return 2;
    }
    FuzzInput *input = fuzz_find(argv[1]);
    for (int i = 3; i < argc; i++) {
        char *content;
        size_t length;
        if (bytes_read_file(argv[i], &content, &length, &err) != STATUS_OK) {
            fprintf(stderr, "replay: %s\n", err.text);
            return 1;
        }
        input((const uint8_t *)content, length);
        const size_t capacity = length + 16;
        uint8_t *copy = memory_alloc(capacity, 1);
        Random random;
        random_init(&random, 1, (uint64_t)i);
        for (long long n = 0; n < count; n++) {
            memcpy(copy, content, length);
            input(copy, change(&random, copy, length, capacity));
        }
        free(copy);
        free(content);
    }
    return 0;
}
