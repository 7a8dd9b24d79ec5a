// SPDX-License-Identifier: GPL-3.0-or-later
// The checked allocator: out of memory ends the program with the place that asked.
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

// count elements of size bytes, all zero. Release with free().
#define memory_alloc(count, size) memory_alloc_at((count), (size), __FILE__, __LINE__)
// Resizes to count elements; the new part is not cleared.
#define memory_resize(block, count, size)                                                          \
    memory_resize_at((block), (count), (size), __FILE__, __LINE__)
// size bytes (rounded up to the alignment, a power of two), not cleared.
#define memory_aligned(alignment, size) memory_aligned_at((alignment), (size), __FILE__, __LINE__)

// size bytes at a multiple of 64, not cleared, for tables that are read all over: blocks of 2 MB
// and more lie in huge pages where the system offers them.
#define memory_huge(size) memory_huge_at((size), __FILE__, __LINE__)

// Before tables of a size that a user chose: STATUS_BAD_INPUT when so many mebibytes are more than
// three quarters of the machine's memory, or more than the process can have now. Nothing is kept.
Status memory_check(double mebibytes, Err *err);

// A growing array keeps capacity >= needed by doubling: returns the new capacity.
size_t memory_grow(size_t capacity, size_t needed);
// Room for `needed` elements in a growing array, where *capacity are now: the array, which may have
// moved.
#define memory_room(block, capacity, needed, size)                                                 \
    memory_room_at((block), (capacity), (needed), (size), __FILE__, __LINE__)

char *memory_copy_text(const char *text);
