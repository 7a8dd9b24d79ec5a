// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzzes the reader of weight files. If a file is accepted, the weights must be unchanged after
// they were written and read back.
#include <stdlib.h>
#include <string.h>

#include "core/eval/weights.h"
#include "tests/fuzz/fuzz.h"

// Makes a weight file. If the input has at least four bytes and bit 0 of the first one is set, the
// file has the classic weights with some bytes replaced by those of the input. Otherwise the file
// is the input itself. Random bytes alone would never contain the name of every term.
static void make_file(const uint8_t *data, size_t size, Text *file) {
    // The input begins with flags (1 byte), an offset in the file of the classic weights (2 bytes)
    // and the number of bytes to replace there (1 byte). The new bytes follow.
    enum { HEAD = 4 };
    if (size < HEAD || (data[0] & 1) == 0) {
        text_add_bytes(file, data, size);
        return;
    }
    Weights weights;
    Text whole = {0};
    weights_classic(&weights);
    weights_format(&weights, "a comment", &whole);
    const size_t at = ((size_t)data[1] << 8 | data[2]) % (whole.length + 1);
    const size_t end = at + data[3] < whole.length ? at + data[3] : whole.length;
    text_add_bytes(file, whole.data, at);
    text_add_bytes(file, data + HEAD, size - HEAD);
    text_add_bytes(file, whole.data + end, whole.length - end);
    text_clear(&whole);
}

FUZZ(weights) {
    Text file = {0};
    make_file(data, size, &file);
    Weights weights, again;
    Err err = {0};
    const Status status = weights_parse(text_get(&file), "input", &weights, &err);
    text_clear(&file);
    if (status != STATUS_OK) {
        require(err.text[0] != '\0');
        return;
    }
    Text text = {0};
    weights_format(&weights, NULL, &text);
    require(weights_parse(text_get(&text), "output", &again, &err) == STATUS_OK);
    require(memcmp(&weights, &again, sizeof weights) == 0);
    text_clear(&text);
}
