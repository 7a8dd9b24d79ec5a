// SPDX-License-Identifier: GPL-3.0-or-later
// replay NAME COUNT FILE...: passes the input in each file, and COUNT changed copies of it, to the
// fuzzer NAME. The same arguments always make the same changes. This program needs no clang. If a
// check fails, the input is kept in build/crash-NAME, which `replay NAME 0 build/crash-NAME`
// repeats.
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/memory.h"
#include "core/base/text.h"
#include "core/system/in_file.h"
#include "tests/fuzz/mutate.h"

// The input that the fuzzer has, for keep_input().
static const uint8_t *current;
static size_t current_size;
static char crash_path[64];

// Handles SIGABRT: writes the current input to a file. Uses only functions that are safe here.
static void keep_input(int signal) {
    const int fd = open(crash_path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    (void)signal;
    if (fd >= 0 && write(fd, current, current_size) == (ssize_t)current_size) close(fd);
}

// Directory of --to, and the number of files in it.
static const char *directory;
static unsigned written;

static void write_input(const uint8_t *data, size_t size) {
    char path[600];
    snprintf(path, sizeof path, "%s/%06u", directory, written++);
    FILE *file = fopen(path, "wb");
    require(file && fwrite(data, 1, size, file) == size && fclose(file) == 0);
}

static void run(FuzzInput *input, const uint8_t *data, size_t size) {
    current = data;
    current_size = size;
    input(data, size);
}

int main(int argc, char **argv) {
    Err err = {0};
    long long count = 0;
    if (argc > 2 && strcmp(argv[1], "--to") == 0) {
        directory = argv[2];
        argc -= 2;
        argv += 2;
    }
    if (argc < 4 || parse_int(argv[2], 0, 1000000, &count, "COUNT", &err) != STATUS_OK) {
        fprintf(stderr, "usage: replay [--to DIR] NAME COUNT FILE...\n");
        return 2;
    }
    FuzzInput *input = fuzz_find(argv[1]);
    if (directory) input = write_input;
    snprintf(crash_path, sizeof crash_path, "build/crash-%s", argv[1]);
    signal(SIGABRT, keep_input);
    for (int i = 3; i < argc; i++) {
        char *content;
        size_t length;
        if (bytes_read_file(argv[i], &content, &length, &err) != STATUS_OK) {
            fprintf(stderr, "replay: %s\n", err.text);
            return 1;
        }
        run(input, (const uint8_t *)content, length);
        const size_t capacity = 2 * length + 256;
        uint8_t *copy = memory_alloc(capacity, 1);
        Random random;
        random_init(&random, 1, (uint64_t)i);
        for (long long n = 0; n < count; n++) {
            Mutant mutant = {&random, copy, length, capacity};
            memcpy(copy, content, length);
            mutate(argv[1], &mutant, n % 2);
            run(input, copy, mutant.size);
        }
        free(copy);
        free(content);
    }
    return 0;
}
