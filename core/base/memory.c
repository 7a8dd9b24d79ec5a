// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/memory.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/base/bits.h"

NORETURN static void memory_die(size_t count, size_t size, const char *file, int line) {
    fprintf(stderr, "paotai: out of memory at %s:%d (%zu x %zu bytes)\n", file, line, count, size);
    abort();
}

void *memory_alloc_at(size_t count, size_t size, const char *file, int line) {
    void *block = calloc(count ? count : 1, size ? size : 1);
    if (!block) memory_die(count, size, file, line);
    return block;
}

void *memory_resize_at(void *block, size_t count, size_t size, const char *file, int line) {
    if (size && count > SIZE_MAX / size) memory_die(count, size, file, line);
    void *moved = realloc(block, count && size ? count * size : 1);
    if (!moved) memory_die(count, size, file, line);
    return moved;
}

void *memory_aligned_at(size_t alignment, size_t size, const char *file, int line) {
    void *block = aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
    if (!block) memory_die(1, size, file, line);
    return block;
}

void *memory_huge_at(size_t size, const char *file, int line) {
    const size_t page = (size_t)2 << 20;
    if (size < page) return memory_aligned_at(64, size, file, line);
    void *block = memory_aligned_at(page, size, file, line);
#ifdef MADV_HUGEPAGE
    madvise(block, (size + page - 1) / page * page,
            MADV_HUGEPAGE); // madvise() is only a hint, so its failure does no harm
#endif
    return block;
}

Status memory_check(double mebibytes, Err *err) {
    const double unit = 1048576, pages = (double)sysconf(_SC_PHYS_PAGES);
    const double limit = pages * (double)sysconf(_SC_PAGESIZE) / unit * 3 / 4;
    if (pages > 0 && mebibytes > limit) {
        return err_set(
            err, STATUS_BAD_INPUT,
            "hash tables of %.0f MB are too large: the limit is %.0f MB, three quarters of "
            "this machine's memory",
            mebibytes, limit);
    }
    void *volatile probe = malloc((size_t)(mebibytes * unit) + 1);
    free(probe);
    if (probe) return STATUS_OK;
    return err_set(err, STATUS_BAD_INPUT,
                   "cannot allocate %.0f MB for hash tables: the memory is full, or a limit was "
                   "set for this process",
                   mebibytes);
}

Status memory_check_threads(double mebibytes, int threads, Err *err) {
    if (memory_check(mebibytes * threads, err) == STATUS_OK) return STATUS_OK;
    return err_prefix(err,
                      "%d thread%s with %.0f MB each (give a smaller hash, or fewer --threads)",
                      threads, threads == 1 ? "" : "s", mebibytes);
}

size_t memory_grow(size_t capacity, size_t needed) {
    if (capacity < 16) capacity = 16;
    while (capacity < needed) capacity = capacity > SIZE_MAX / 2 ? needed : 2 * capacity;
    return capacity;
}

void *memory_room_at(void *block, size_t *capacity, size_t needed, size_t size, const char *file,
                     int line) {
    if (block && needed <= *capacity) return block;
    *capacity = memory_grow(*capacity, needed);
    return memory_resize_at(block, *capacity, size, file, line);
}

char *memory_copy_text(const char *text) {
    const size_t size = strlen(text) + 1;
    return memcpy(memory_alloc(size, 1), text, size);
}
