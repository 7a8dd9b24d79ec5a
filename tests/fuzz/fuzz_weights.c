// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzzes the reader of weight files. If a file is accepted, it ends with a line end, the weights
// must be unchanged after they were written and read back, and a byte order mark has no effect
// (a file may have one, so a file that begins with one gets no second).
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/eval/eval.h"
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

// Loads weights from a file with these bytes.
static Status load(const Text *bytes, Weights *weights, Err *err) {
    char path[32];
    const int fd = memfd_create("fuzz", MFD_CLOEXEC);
    require(fd >= 0 && write(fd, text_get(bytes), bytes->length) == (ssize_t)bytes->length);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    const Status status = weights_load(path, weights, err);
    close(fd);
    return status;
}

FUZZ(weights) {
    Text file = {0}, marked = {0}, text = {0};
    Weights weights, again;
    Err err = {0};
    make_file(data, size, &file);
    const bool has_mark = file.length >= 3 && memcmp(file.data, "\xef\xbb\xbf", 3) == 0;
    text_add(&marked, has_mark ? "" : "\xef\xbb\xbf");
    text_add_bytes(&marked, text_get(&file), file.length);
    if (load(&file, &weights, &err) == STATUS_OK) {
        require(file.length > 0 && file.data[file.length - 1] == '\n');
        require(load(&marked, &again, &err) == STATUS_OK);
        require(memcmp(&weights, &again, sizeof weights) == 0);
        weights_format(&weights, NULL, &text);
        require(weights_parse(text_get(&text), "output", &again, &err) == STATUS_OK);
        require(memcmp(&weights, &again, sizeof weights) == 0);
        Position position;
        position_init_start(&position);
        evaluate(&position, &weights);
    } else {
        require(err.text[0] != '\0');
    }
    text_clear(&file);
    text_clear(&marked);
    text_clear(&text);
}
