// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fuzz/mutate.h"

#include <string.h>
#include <zlib.h>

#include "core/base/memory.h"

enum { RECORD_HEAD = 20 }; // bytes of a record or library of CCBridge that mutate_library() keeps

static size_t below(Mutant *mutant, size_t bound) {
    return (size_t)random_below(mutant->random, bound);
}

// ---- bytes --------------------------------------------------------------------------------------

static void remove_part(Mutant *mutant, size_t at, size_t length) {
    mutant->size -= length;
    memmove(mutant->data + at, mutant->data + at + length, mutant->size - at);
}

static void insert_part(Mutant *mutant, size_t at, const uint8_t *part, size_t length) {
    if (length > mutant->capacity - mutant->size) return;
    memmove(mutant->data + at + length, mutant->data + at, mutant->size - at);
    memcpy(mutant->data + at, part, length);
    mutant->size += length;
}

// Changes, removes or duplicates one byte.
static void mutate_byte(Mutant *mutant) {
    if (mutant->size == 0) return;
    const size_t at = below(mutant, mutant->size);
    uint8_t *const byte = &mutant->data[at];
    switch (below(mutant, 4)) {
    case 0:
        *byte = (uint8_t)random_next(mutant->random);
        break;
    case 1:
        *byte = mutant->data[below(mutant, mutant->size)];
        break;
    case 2:
        remove_part(mutant, at, 1);
        break;
    default:
        insert_part(mutant, at, (const uint8_t[]){*byte}, 1);
        break;
    }
}

// ---- fields -------------------------------------------------------------------------------------

// Finds a field: the bytes after a separator, up to and with the next one. Returns its offset.
static size_t find_field(Mutant *mutant, char separator, size_t *length) {
    const size_t near = below(mutant, mutant->size);
    size_t begin = near, end = near;
    while (begin > 0 && mutant->data[begin - 1] != separator) begin--;
    while (end < mutant->size && mutant->data[end] != separator) end++;
    *length = end - begin + (end < mutant->size);
    return begin;
}

// Repeats, drops or moves a field: a line, a column, an operation of EPD, a tag or a word.
static void mutate_field(Mutant *mutant) {
    static const char separators[] = "\n\n\n,;|\t ]>\"";
    if (mutant->size == 0) return;
    const char separator = separators[below(mutant, sizeof separators - 1)];
    const size_t how = below(mutant, 3);
    size_t length, other;
    const size_t at = find_field(mutant, separator, &length);
    AUTO_FREE uint8_t *field = memory_alloc(length + 1, 1);
    memcpy(field, mutant->data + at, length);
    if (how > 0) remove_part(mutant, at, length);
    if (how > 1 || mutant->size == 0) return;
    insert_part(mutant, find_field(mutant, separator, &other), field, length);
}

// ---- numbers ------------------------------------------------------------------------------------

// Replaces an integer of 1 to 8 bytes, which may be aligned, by an extreme number or by a number
// near to it.
static void mutate_number(Mutant *mutant) {
    const size_t width = (size_t)1 << below(mutant, 4);
    if (mutant->size < width) return;
    const size_t slots = mutant->size / width;
    const bool aligned = below(mutant, 4) > 0;
    const size_t at =
        aligned ? below(mutant, slots) * width : below(mutant, mutant->size - width + 1);
    const uint64_t top = UINT64_C(1) << (8 * width - 1);
    const uint64_t extremes[] = {0, 1, top, top - 1, UINT64_MAX, mutant->size};
    uint64_t number = 0;
    memcpy(&number, mutant->data + at, width);
    const size_t how = below(mutant, 8);
    if (how < sizeof extremes / sizeof *extremes) {
        number = extremes[how];
    } else if (how == 6) {
        number ^= top;
    } else {
        number += below(mutant, 9) - UINT64_C(4);
    }
    memcpy(mutant->data + at, &number, width);
}

// ---- libraries of CCBridge ----------------------------------------------------------------------

// Changes the bytes from `first` on, and keeps their number.
static void change_from(Mutant *mutant, size_t first) {
    if (mutant->size <= first) return;
    Mutant part = {mutant->random, mutant->data + first, mutant->size - first,
                   mutant->size - first};
    // Most changes are near the end, where the moves are.
    if (part.size > 256 && below(mutant, 3)) {
        part.data += part.size - 256;
        part.size = part.capacity = 256;
    }
    if (below(mutant, 2)) {
        mutate_number(&part);
    } else {
        part.data[below(mutant, part.size)] = (uint8_t)below(mutant, 256);
    }
}

// Changes the unpacked body of an old library. Leaves other files unchanged.
static void change_packed(Mutant *mutant) {
    enum { BODY_MOST = 1 << 16 };
    if (mutant->size <= RECORD_HEAD || mutant->data[8] >= ' ') return;
    AUTO_FREE uint8_t *body = memory_alloc(BODY_MOST, 1);
    uLongf size = BODY_MOST, room = mutant->capacity - RECORD_HEAD;
    if (uncompress(body, &size, mutant->data + RECORD_HEAD, mutant->size - RECORD_HEAD) != Z_OK)
        return;
    Mutant inner = {mutant->random, body, size, BODY_MOST};
    change_from(&inner, 0);
    AUTO_FREE uint8_t *packed = memory_alloc(compressBound(inner.size), 1);
    if (room > compressBound(inner.size)) room = compressBound(inner.size);
    if (compress2(packed, &room, body, inner.size, 1) != Z_OK) return;
    memcpy(mutant->data + RECORD_HEAD, packed, room);
    mutant->size = RECORD_HEAD + room;
}

// Changes a record of CCBridge or of a library. Keeps the head of the file, the heads of the
// records, and the offsets of the records.
static void mutate_library(Mutant *mutant) {
    size_t last = 0;
    if (mutant->size <= RECORD_HEAD || memcmp(mutant->data, "CCBridge", 8) != 0) {
        mutate_number(mutant);
        return;
    }
    const size_t before = mutant->size;
    if (below(mutant, 2)) change_packed(mutant);
    if (mutant->size != before) return;
    // One of the records, or the whole file: `last` is the offset of its head.
    for (size_t at = 0; at + RECORD_HEAD < mutant->size; at++) {
        const bool head = memcmp(mutant->data + at, "CCBridge Record", 15) == 0;
        if (head && (last == 0 || below(mutant, 2))) last = at;
    }
    change_from(mutant, last + RECORD_HEAD);
}

void mutate(const char *name, Mutant *mutant, bool bytes) {
    static const char binary[] = " bin hdf5 mxq network sparse store xqf ";
    char word[32];
    snprintf(word, sizeof word, " %s ", name);
    void (*const suited)(Mutant *) = strcmp(name, "cbr") == 0 ? mutate_library
                                     : strstr(binary, word)   ? mutate_number
                                                              : mutate_field;
    for (size_t edits = 1 + below(mutant, 4); edits > 0; edits--) {
        if (bytes) {
            mutate_byte(mutant);
        } else {
            suited(mutant);
        }
        bytes = below(mutant, 2);
    }
}
