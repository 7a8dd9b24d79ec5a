// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/fairy_known.h"

#include <stdlib.h>
#include <string.h>

#include "core/eval/fairy.h"
#include "core/system/out_file.h"

// Returns number i of the list t, within low..high.
static int known(uint64_t t, uint64_t i, int low, int high) {
    uint64_t z = ((t << 32) + i + 1) * 0x9E3779B97F4A7C15;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
    z = (z ^ z >> 27) * 0x94D049BB133111EB;
    z ^= z >> 31;
    return low + (int)(z % (uint64_t)(high - low + 1));
}

static void add_word(Text *file, uint32_t word) {
    text_add_bytes(file, &word, sizeof word);
}

// Appends the list t of `count` numbers with `size` bytes each. Only the first `used` numbers of
// each row of 32 are not 0.
static void add_list(Text *file, uint64_t t, int count, int size, int low, int high, int used) {
    for (int i = 0; i < count; i++) {
        const int32_t number = i % 32 < used ? known(t, (uint64_t)i, low, high) : 0;
        text_add_bytes(file, &number, (size_t)size);
    }
}

static size_t add_known(Text *file) {
    static const char description[] = "known answers";
    add_word(file, 0x7AF32F20);
    add_word(file, 0x3C103E72);
    add_word(file, sizeof description - 1);
    text_add(file, "%s", description);
    add_word(file, 0x5F2348B8);
    add_list(file, 1, FAIRY_UNITS, 2, -50, 120, 32);
    add_list(file, 2, FAIRY_INPUTS * FAIRY_UNITS, 2, -40, 40, 32);
    const size_t psqt = file->length;
    add_list(file, 3, FAIRY_INPUTS * FAIRY_STACKS, 4, -8000, 8000, 32);
    for (int s = 0; s < FAIRY_STACKS; s++) {
        const uint64_t t = 10 * (uint64_t)(s + 1);
        add_word(file, 0x633376CA);
        add_list(file, t, FAIRY_FIRST, 4, -2000, 4000, 32);
        add_list(file, t + 1, FAIRY_FIRST * 2 * FAIRY_UNITS, 1, -20, 20, 32);
        add_list(file, t + 2, FAIRY_SECOND, 4, -1000, 3000, 32);
        add_list(file, t + 3, FAIRY_SECOND * 32, 1, -60, 60, FAIRY_FIRST);
        add_list(file, t + 4, 1, 4, -5000, 5000, 32);
        add_list(file, t + 5, FAIRY_SECOND, 1, -100, 100, 32);
    }
    return psqt;
}

void fairy_known_file(Text *file) {
    add_known(file);
}

void fairy_chariot_file(int own, Text *file) {
    const size_t psqt = add_known(file);
    for (int i = 0; i < FAIRY_INPUTS * FAIRY_STACKS; i++) {
        const int plane = i / FAIRY_STACKS % FAIRY_PLACES / SQUARE_COUNT;
        const int32_t number = plane == 0 ? own : -own;
        char *at = file->data + psqt + (size_t)i * sizeof number;
        if (plane < 2) memcpy(at, &number, sizeof number);
    }
}

int fairy_known_main(const char *number, const char *path) {
    AUTO(Text) file = {0};
    Err err = {0};
    if (atoi(number)) {
        fairy_chariot_file(atoi(number), &file);
    } else {
        fairy_known_file(&file);
    }
    if (text_write_file(path, file.data, file.length, &err) == STATUS_OK) return 0;
    fprintf(stderr, "%s\n", err.text);
    return 1;
}
