// SPDX-License-Identifier: GPL-3.0-or-later
// Reads network files of Fairy-Stockfish. Numbers are little-endian integers:
//   u32 version, u32 hash of the shape, u32 length of a description, the description
//   u32 hash of the input layer, i16 bias[512], i16 weight[10530][512], i32 psqt[10530][8]
//   for each of eight stacks: u32 hash of the stack, FairyStack
// Source: Fairy-Stockfish c19b5f6c and variant-nnue-pytorch, which writes these files.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/eval/fairy.h"
#include "core/system/in_file.h"
#include "core/system/out_file.h"

enum {
    VERSION = 0x7AF32F20,
    SHAPE_HASH = 0x3C103E72,
    INPUT_HASH = 0x5F2348B8,
    STACK_HASH = 0x633376CA,
    HEAD_SIZE = 12,                                             // size before the description
    ROW_SIZE = FAIRY_UNITS * 2 + FAIRY_STACKS * 4,              // size of the numbers of one input
    STACKS_SIZE = FAIRY_STACKS * (4 + (int)sizeof(FairyStack)), // size of all stacks
    FIXED_SIZE = 4 + FAIRY_UNITS * 2 + STACKS_SIZE, // size of all but head, description and rows
    FILE_SIZE = HEAD_SIZE + FIXED_SIZE + FAIRY_INPUTS * ROW_SIZE, // without the description
};
_Static_assert(sizeof(FairyStack) == 17636, "FairyStack has the layout of the file");
_Static_assert(FILE_SIZE == 11261840, "size of a file whose description is empty");

static uint32_t word_at(const uint8_t *bytes, size_t offset) {
    uint32_t word;
    memcpy(&word, bytes + offset, sizeof word);
    return word;
}

bool fairy_is_file(const void *bytes, size_t size) {
    return size >= 4 && word_at(bytes, 0) >> 8 == VERSION >> 8;
}

void fairy_free(Fairy *fairy) {
    if (!fairy) return;
    free(fairy->weight);
    free(fairy->psqt);
    text_clear(&fairy->description);
    free(fairy);
}

// Returns the error of a file that ends too early, although `size` bytes are expected.
static Status cut_off(size_t size, uint64_t expected, Err *err) {
    return err_set(err, STATUS_CORRUPT,
                   "the network of Fairy-Stockfish is incomplete: it has %zu bytes, but %" PRIu64
                   " are expected: copy the file again",
                   size, expected);
}

// Returns an error unless the file has the version and the shape of a network for xiangqi.
static Status check_head(const uint8_t *bytes, size_t size, Err *err) {
    if (size < HEAD_SIZE) return cut_off(size, FILE_SIZE, err);
    if (word_at(bytes, 0) != VERSION) {
        return err_set(err, STATUS_MISMATCH,
                       "the network of Fairy-Stockfish has version 0x%08" PRIX32
                       ", but this program reads only version 0x%08X: use a network for "
                       "Fairy-Stockfish 14 or newer",
                       word_at(bytes, 0), (unsigned)VERSION);
    }
    if (word_at(bytes, 4) != SHAPE_HASH) {
        return err_set(err, STATUS_MISMATCH,
                       "the network has another shape than those of Fairy-Stockfish for xiangqi: "
                       "the hash of its shape is 0x%08" PRIX32 ", not 0x%08X",
                       word_at(bytes, 4), (unsigned)SHAPE_HASH);
    }
    return STATUS_OK;
}

// Returns an error if the size of the file is wrong. The number of inputs of a network for another
// game follows from the size of its file.
static Status check_size(const uint8_t *bytes, size_t size, Err *err) {
    const size_t description = word_at(bytes, 8), expected = FILE_SIZE + description;
    const size_t rows = size - HEAD_SIZE - description - FIXED_SIZE;
    if (size == expected) return STATUS_OK;
    if (size > HEAD_SIZE + description + FIXED_SIZE && rows % ROW_SIZE == 0 &&
        word_at(bytes, size - STACKS_SIZE) == STACK_HASH) {
        return err_set(err, STATUS_MISMATCH,
                       "the network of Fairy-Stockfish is for another game: it has %zu inputs, but "
                       "a network for xiangqi has %d",
                       rows / ROW_SIZE, FAIRY_INPUTS);
    }
    if (size < expected) return cut_off(size, expected, err);
    return err_set(err, STATUS_CORRUPT,
                   "the network of Fairy-Stockfish is damaged: it has %zu bytes, %zu more than "
                   "expected",
                   size, size - expected);
}

// Returns an error if `found` is not the hash of a part of the file.
static Status check_hash(uint32_t found, uint32_t wanted, const char *part, int number, Err *err) {
    if (found == wanted) return STATUS_OK;
    return err_set(err, STATUS_CORRUPT,
                   "the network of Fairy-Stockfish is damaged or has another shape: the hash of %s "
                   "%d is 0x%08" PRIX32 ", not 0x%08" PRIX32,
                   part, number, found, wanted);
}

static Status check_limit(const int32_t *numbers, int count, int limit, const char *what,
                          Err *err) {
    for (int i = 0; i < count; i++) {
        if (numbers[i] >= -limit && numbers[i] <= limit) continue;
        return err_set(err, STATUS_CORRUPT,
                       "the network of Fairy-Stockfish is damaged: %s %d is %" PRId32
                       ", but must be within +-%d, so that sums fit in 32 bits",
                       what, i, numbers[i], limit);
    }
    return STATUS_OK;
}

// Checks the numbers whose sums might not fit in 32 bits.
static Status check_numbers(const Fairy *fairy, Err *err) {
    TRY(check_limit(fairy->psqt, FAIRY_INPUTS * FAIRY_STACKS, FAIRY_PSQT_MAX, "psqt number", err));
    for (int s = 0; s < FAIRY_STACKS; s++) {
        const FairyStack *stack = &fairy->stack[s];
        TRY(check_limit(stack->first_bias, FAIRY_FIRST, FAIRY_BIAS_MAX,
                        "a bias of the first layer,", err));
        TRY(check_limit(stack->second_bias, FAIRY_SECOND, FAIRY_BIAS_MAX,
                        "a bias of the second layer,", err));
        TRY(check_limit(&stack->output_bias, 1, FAIRY_BIAS_MAX, "a bias of the output,", err));
    }
    return STATUS_OK;
}

// A part of the file behind the description. Hashes are expected numbers, and the others are read.
typedef struct Part {
    void *numbers;
    size_t size;
    uint32_t hash; // 0: the part has numbers
} Part;
enum { PARTS = 4 + 2 * FAIRY_STACKS };

static void list_parts(const Fairy *fairy, Part list[PARTS]) {
    Part *part = list;
    *part++ = (Part){NULL, 4, INPUT_HASH};
    *part++ = (Part){(void *)fairy->bias, sizeof fairy->bias, 0};
    *part++ = (Part){fairy->weight, sizeof(int16_t) * FAIRY_INPUTS * FAIRY_UNITS, 0};
    *part++ = (Part){fairy->psqt, sizeof(int32_t) * FAIRY_INPUTS * FAIRY_STACKS, 0};
    for (int s = 0; s < FAIRY_STACKS; s++) {
        *part++ = (Part){NULL, 4, STACK_HASH};
        *part++ = (Part){(void *)&fairy->stack[s], sizeof fairy->stack[s], 0};
    }
}

Fairy *fairy_new(const Fairy *like) {
    Part to[PARTS], from[PARTS];
    Fairy *fairy = memory_alloc(1, sizeof *fairy);
    fairy->weight = memory_huge(sizeof(int16_t) * FAIRY_INPUTS * FAIRY_UNITS);
    fairy->psqt = memory_aligned(64, sizeof(int32_t) * FAIRY_INPUTS * FAIRY_STACKS);
    list_parts(fairy, to);
    if (like) list_parts(like, from);
    for (int i = 0; i < PARTS; i++) {
        if (to[i].hash) continue;
        if (like) {
            memcpy(to[i].numbers, from[i].numbers, to[i].size);
        } else {
            memset(to[i].numbers, 0, to[i].size);
        }
    }
    return fairy;
}

static Status parse(const uint8_t *bytes, size_t size, Fairy **fairy, Err *err) {
    Part parts[PARTS];
    TRY(check_head(bytes, size, err));
    const size_t length = word_at(bytes, 8);
    if (size < HEAD_SIZE + length + 4) return cut_off(size, FILE_SIZE + length, err);
    TRY(check_hash(word_at(bytes, HEAD_SIZE + length), INPUT_HASH, "input layer", 1, err));
    TRY(check_size(bytes, size, err));
    AUTO_POINTER(Fairy) made = fairy_new(NULL);
    text_add_bytes(&made->description, bytes + HEAD_SIZE, length);
    const uint8_t *at = bytes + HEAD_SIZE + length;
    list_parts(made, parts);
    for (int i = 0; i < PARTS; at += parts[i++].size) {
        if (parts[i].hash) {
            TRY(check_hash(word_at(at, 0), parts[i].hash, "stack", (i - 4) / 2, err));
        } else {
            memcpy(parts[i].numbers, at, parts[i].size);
        }
    }
    TRY(check_numbers(made, err));
    sha256_hex_of(bytes, size, made->hash);
    *fairy = TAKE(made);
    return STATUS_OK;
}

Status fairy_save(Fairy *fairy, const char *path, Err *err) {
    AUTO(Text) file = {0};
    Part parts[PARTS];
    const uint32_t head[] = {VERSION, SHAPE_HASH, (uint32_t)fairy->description.length};
    text_add_bytes(&file, head, sizeof head);
    text_add_bytes(&file, text_get(&fairy->description), fairy->description.length);
    list_parts(fairy, parts);
    for (int i = 0; i < PARTS; i++) {
        text_add_bytes(&file, parts[i].hash ? &parts[i].hash : parts[i].numbers, parts[i].size);
    }
    sha256_hex_of(file.data, file.length, fairy->hash);
    return text_write_file(path, file.data, file.length, err);
}

Status fairy_parse(const void *bytes, size_t size, const char *origin, Fairy **fairy, Err *err) {
    *fairy = NULL;
    if (parse(bytes, size, fairy, err) != STATUS_OK) return err_prefix(err, "%s", origin);
    fairy_calibrate(*fairy);
    if (!(*fairy)->calibrated) {
        err_note(err,
                 "%s is not calibrated: its value of a chariot is %.0f, outside 200 to 4000 units "
                 "of Fairy-Stockfish, so its scores are that program's centipawns (100/208)",
                 origin, (*fairy)->chariot);
    }
    return STATUS_OK;
}

Status fairy_load(const char *name, Fairy **fairy, Err *err) {
    AUTO_FREE char *data = NULL;
    size_t size = 0;
    *fairy = NULL;
    // The caller reports a file that cannot be read.
    if (text_read_file(name, &data, &size, NULL) != STATUS_OK || !fairy_is_file(data, size)) {
        return STATUS_OK;
    }
    return fairy_parse(data, size, name, fairy, err);
}
