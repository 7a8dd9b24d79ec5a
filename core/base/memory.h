// SPDX-License-Identifier: GPL-3.0-or-later
// The checked allocator. If memory is exhausted it prints file and line of the call and aborts.
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
// Resizes a block to `count` elements. New elements are not cleared.
#define memory_resize(block, count, size)                                                          \
    memory_resize_at((block), (count), (size), __FILE__, __LINE__)
// Returns `size` bytes, rounded up to a multiple of `alignment`, a power of two. They are not
// cleared.
#define memory_aligned(alignment, size) memory_aligned_at((alignment), (size), __FILE__, __LINE__)

// Returns `size` bytes aligned to 64, not cleared, for large tables with random access. Blocks of
// at least 2 MB use huge pages if the system offers them.
#define memory_huge(size) memory_huge_at((size), __FILE__, __LINE__)

// Checks whether a table of this size can be allocated. Returns STATUS_BAD_INPUT if it exceeds
// three quarters of the machine's memory, or what the process can get now. Allocates nothing.
Status memory_check(double mebibytes, Err *err);

// Returns the capacity for `needed` elements of a growing array: the capacity is doubled until it
// suffices.
size_t memory_grow(size_t capacity, size_t needed);
// Makes room for `needed` elements in a growing array and updates *capacity. Returns the array,
// which may have moved.
#define memory_room(block, capacity, needed, size)                                                 \
    memory_room_at((block), (capacity), (needed), (size), __FILE__, __LINE__)

// Returns a copy of a text. Release with free().
char *memory_copy_text(const char *text);
