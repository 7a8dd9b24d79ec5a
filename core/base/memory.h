// SPDX-License-Identifier: GPL-3.0-or-later
// A memory allocator that never returns NULL. If memory is exhausted it prints file and line of the
// call and aborts.
#pragma once

#include <stddef.h>
#include <stdlib.h>

#include "core/base/status.h"

void *memory_alloc_at(size_t count, size_t size, const char *file, int line);
void *memory_resize_at(void *block, size_t count, size_t size, const char *file, int line);
void *memory_room_at(void *block, size_t *capacity, size_t needed, size_t size, const char *file,
                     int line);
void *memory_aligned_at(size_t alignment, size_t size, const char *file, int line);
void *memory_huge_at(size_t size, const char *file, int line);

// Returns `count` elements of `size` bytes, set to zero. Release with free().
#define memory_alloc(count, size) memory_alloc_at((count), (size), __FILE__, __LINE__)
// Resizes a block, which may be NULL, to `count` elements. New elements are not cleared.
#define memory_resize(block, count, size)                                                          \
    memory_resize_at((block), (count), (size), __FILE__, __LINE__)
// Returns `size` bytes, not cleared, at an address that is a multiple of `alignment`, a power of
// two.
#define memory_aligned(alignment, size) memory_aligned_at((alignment), (size), __FILE__, __LINE__)

// Returns `size` bytes, not cleared, aligned to at least 64 bytes, for large tables with random
// access. Blocks of at least 2 MB use huge pages if the system supports them.
#define memory_huge(size) memory_huge_at((size), __FILE__, __LINE__)

// Checks whether a table of this size can be allocated, by allocating and freeing it. Returns
// STATUS_BAD_INPUT if the size exceeds three quarters of the machine's memory, or if the allocation
// fails.
Status memory_check(double mebibytes, Err *err);
// Like memory_check(), for tables of this size in each of `threads` threads.
Status memory_check_threads(double mebibytes, int threads, Err *err);

// Returns a new capacity for a growing array: begins with the old capacity or 16, whichever is
// larger, and doubles it until it is at least `needed`. If doubling overflows, returns `needed`.
size_t memory_grow(size_t capacity, size_t needed);
// Makes sure that a growing array has room for `needed` elements of `size` bytes, and updates
// *capacity. Returns the array, which may have moved. `block` may be NULL.
#define memory_room(block, capacity, needed, size)                                                 \
    memory_room_at((block), (capacity), (needed), (size), __FILE__, __LINE__)

// Returns a copy of a text. Release with free().
char *memory_copy_text(const char *text);
