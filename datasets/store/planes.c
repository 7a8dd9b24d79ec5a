// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/store/planes.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/bits.h"
#include "datasets/store/checksums.h"
#include "datasets/store/huffman.h"
#include "datasets/store/plane_bits.h"

// The alphabets of RFC 1951, 3.2.5-3.2.7.
enum {
    END_OF_BLOCK = 256,
    LENGTH_CODE_COUNT = 19,
    MAX_LENGTH_CODE_BITS = 7,
    MAX_STORED = 65535,   // bytes of a stored block
    ANY_DISTANCE = 0,     // of matches: a code of distances is sent
    HEADER_BITS = 3 + 14, // of a dynamic block, without the code lengths
};

// ---- bits --------------------------------------------------------------------------------------

typedef struct BitWriter {
    uint8_t *at;
    uint64_t bits;
    int count;
} BitWriter;

// value has no bits above `count`, which is at most 32.
static inline void put_bits(BitWriter *writer, uint32_t value, int count) {
    writer->bits |= (uint64_t)value << writer->count;
    writer->count += count;
    if (writer->count < 32) return;
    for (int i = 0; i < 4; i++) writer->at[i] = (uint8_t)(writer->bits >> (8 * i));
    writer->at += 4;
    writer->bits >>= 32;
    writer->count -= 32;
}

static void align_to_byte(BitWriter *writer) {
    for (; writer->count > 0; writer->count -= 8) {
        *writer->at++ = (uint8_t)writer->bits;
        writer->bits >>= 8;
    }
    writer->count = 0;
    writer->bits = 0;
}

// ---- tokens ------------------------------------------------------------------------------------

static inline int length_extra_bits(int code) {
    return code < 265 || code == 285 ? 0 : (code - 261) / 4;
}

// What a plane is like: how far back its matches reach, and whether there are any worth looking
// for.
typedef struct PlaneShape {
    int distance;  // 1: runs of one value; 2: two values that alternate
    bool has_runs; // else every byte is a literal
    bool is_mixed; // neither alternates nor consists of long runs
} PlaneShape;

// By a look at one stretch in eight.
static PlaneShape plane_shape(const uint8_t *data, size_t size) {
    enum { STRETCH = 256, STEP = 8 * STRETCH };
    enum { FEW = 16 }; // a run in so many bytes is not worth the search
    unsigned as_last = 0, as_second_last = 0, runs = 0, seen = 0;
    for (size_t at = 0; at < size; at += STEP) {
        const size_t end = at + STRETCH < size ? at + STRETCH : size;
        for (size_t i = at + MIN_MATCH; i < end; i++) {
            const unsigned one = data[i] == data[i - 1], two = data[i - 1] == data[i - 2],
                           three = data[i - 2] == data[i - 3];
            as_last += one;
            as_second_last += data[i] == data[i - 2];
            runs += one & two & three;
            seen++;
        }
    }
    const bool alternates = as_second_last > as_last + seen / 8;
    return (PlaneShape){alternates ? 2 : 1, alternates || runs * FEW >= seen,
                        !alternates && runs < seen - seen / 4};
}

// Every byte as a token; four tables, so that equal neighbours do not wait for each other.
static size_t make_literals(const uint8_t *data, size_t size, uint16_t *tokens,
                            uint32_t frequencies[LITERAL_COUNT]) {
    uint32_t counts[4][END_OF_BLOCK] = {{0}};
    size_t i = 0;
    for (; i + 4 <= size; i += 4) {
        for (int k = 0; k < 4; k++) counts[k][data[i + (size_t)k]]++;
    }
    for (; i < size; i++) counts[0][data[i]]++;
    for (i = 0; i < size; i++) tokens[i] = data[i];
    for (i = 0; i < END_OF_BLOCK; i++) {
        frequencies[i] = counts[0][i] + counts[1][i] + counts[2][i] + counts[3][i];
    }
    frequencies[END_OF_BLOCK]++;
    return size;
}

// Cuts a plane into literals and matches of one distance; counts the symbols. Returns the tokens
// made.
static size_t make_tokens(const uint8_t *data, size_t size, int distance, uint16_t *tokens,
                          uint32_t frequencies[LITERAL_COUNT]) {
    size_t made = 0;
    for (size_t i = 0; i < size;) {
        size_t left = i < (size_t)distance || data[i] != data[i - (size_t)distance]
                          ? 0
                          : match_length(data + i, size - i, (size_t)distance);
        if (left < MIN_MATCH) {
            tokens[made++] = data[i];
            frequencies[data[i++]]++;
            continue;
        }
        i += left;
        while (left >= MIN_MATCH) {
            const size_t length = left < MAX_MATCH ? left : MAX_MATCH;
            tokens[made++] = (uint16_t)(MATCH_TOKEN + length);
            frequencies[length_code((int)length)]++;
            left -= length;
        }
        for (; left > 0; left--) {
            tokens[made++] = data[i - left];
            frequencies[data[i - left]]++;
        }
    }
    frequencies[END_OF_BLOCK]++;
    return made;
}

// ---- the code lengths themselves ---------------------------------------------------------------

typedef struct LengthSymbols {
    uint8_t symbols[LITERAL_COUNT + DISTANCE_CODE_COUNT],
        extra[LITERAL_COUNT + DISTANCE_CODE_COUNT];
    int count;
    uint32_t frequencies[LENGTH_CODE_COUNT];
} LengthSymbols;

static void add_length_symbol(LengthSymbols *list, int symbol, int extra) {
    list->symbols[list->count] = (uint8_t)symbol;
    list->extra[list->count++] = (uint8_t)extra;
    list->frequencies[symbol]++;
}

// Writes the lengths as symbols: 16 repeats the last one 3-6 times, 17 and 18 are 3-10 and 11-138
// zeros.
static void make_length_symbols(const uint8_t *lengths, int count, LengthSymbols *list) {
    memset(list, 0, sizeof *list);
    for (int i = 0; i < count;) {
        int run = 1;
        while (i + run < count && lengths[i + run] == lengths[i]) run++;
        int left = run;
        if (lengths[i] == 0) {
            for (; left >= 11; left -= left < 138 ? left : 138) {
                add_length_symbol(list, 18, (left < 138 ? left : 138) - 11);
            }
            if (left >= 3) {
                add_length_symbol(list, 17, left - 3);
                left = 0;
            }
        } else {
            add_length_symbol(list, lengths[i], 0);
            for (left--; left >= 3; left -= left < 6 ? left : 6) {
                add_length_symbol(list, 16, (left < 6 ? left : 6) - 3);
            }
        }
        for (; left > 0; left--) add_length_symbol(list, lengths[i], 0);
        i += run;
    }
}

// ---- blocks ------------------------------------------------------------------------------------

typedef struct BlockCode {
    int distance; // of all matches, or ANY_DISTANCE
    uint8_t lengths[LITERAL_COUNT];
    uint16_t codes[LITERAL_COUNT];
    int literal_count; // symbols sent
    uint8_t distance_lengths[DISTANCE_CODE_COUNT];
    uint16_t distance_codes[DISTANCE_CODE_COUNT];
    int distance_count;
    LengthSymbols list;
    uint8_t list_lengths[LENGTH_CODE_COUNT];
    uint16_t list_codes[LENGTH_CODE_COUNT];
    int list_count; // of list_lengths sent
} BlockCode;

static const uint8_t list_order[LENGTH_CODE_COUNT] = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                                      11, 4,  12, 3, 13, 2, 14, 1, 15};

// Makes the code of the distances; returns the bits that all of them take.
static size_t make_distance_code(const uint32_t *frequencies, BlockCode *code) {
    size_t bits = 0;
    huffman_lengths(frequencies, DISTANCE_CODE_COUNT, HUFFMAN_MAX_BITS, code->distance_lengths);
    code->distance_count = DISTANCE_CODE_COUNT;
    while (code->distance_count > 1 && code->distance_lengths[code->distance_count - 1] == 0) {
        code->distance_count--;
    }
    // Readers want one code at least.
    if (code->distance_lengths[code->distance_count - 1] == 0) code->distance_lengths[0] = 1;
    huffman_codes(code->distance_lengths, DISTANCE_CODE_COUNT, code->distance_codes);
    for (int i = 0; i < DISTANCE_CODE_COUNT; i++) {
        bits += frequencies[i] * (size_t)(code->distance_lengths[i] + distance_extra_bits(i));
    }
    return bits;
}

// Makes the code of a block whose matches have one distance, or distances of these frequencies
// (else NULL); returns the bits the whole block takes.
static size_t make_code(const uint32_t frequencies[LITERAL_COUNT], int distance,
                        const uint32_t *distance_frequencies, BlockCode *code) {
    uint32_t only[DISTANCE_CODE_COUNT] = {0};
    code->distance = distance;
    if (distance != ANY_DISTANCE) {
        for (int i = END_OF_BLOCK + 1; i < LITERAL_COUNT; i++) only[distance - 1] += frequencies[i];
        only[distance - 1] += only[distance - 1] == 0; // its code is sent in any case
        distance_frequencies = only;
    }
    const size_t distance_bits = make_distance_code(distance_frequencies, code);
    huffman_lengths(frequencies, LITERAL_COUNT, HUFFMAN_MAX_BITS, code->lengths);
    huffman_codes(code->lengths, LITERAL_COUNT, code->codes);
    code->literal_count = LITERAL_COUNT;
    while (code->literal_count > 257 && code->lengths[code->literal_count - 1] == 0) {
        code->literal_count--;
    }
    // Behind them the codes of the distances.
    uint8_t sent[LITERAL_COUNT + DISTANCE_CODE_COUNT] = {0};
    memcpy(sent, code->lengths, (size_t)code->literal_count);
    const int sent_count = code->literal_count + code->distance_count;
    memcpy(sent + code->literal_count, code->distance_lengths, (size_t)code->distance_count);
    make_length_symbols(sent, sent_count, &code->list);
    huffman_lengths(code->list.frequencies, LENGTH_CODE_COUNT, MAX_LENGTH_CODE_BITS,
                    code->list_lengths);
    huffman_codes(code->list_lengths, LENGTH_CODE_COUNT, code->list_codes);
    code->list_count = LENGTH_CODE_COUNT;
    while (code->list_count > 4 && code->list_lengths[list_order[code->list_count - 1]] == 0) {
        code->list_count--;
    }
    size_t bits = HEADER_BITS + 3 * (size_t)code->list_count + distance_bits;
    static const uint8_t extra[LENGTH_CODE_COUNT] = {[16] = 2, [17] = 3, [18] = 7};
    for (int i = 0; i < LENGTH_CODE_COUNT; i++) {
        bits += code->list.frequencies[i] * (size_t)(code->list_lengths[i] + extra[i]);
    }
    for (int i = 0; i < LITERAL_COUNT; i++) {
        const int more = i > END_OF_BLOCK ? length_extra_bits(i) : 0;
        bits += frequencies[i] * (size_t)(code->lengths[i] + more);
    }
    return bits;
}

static void write_header(BitWriter *writer, const BlockCode *code, bool last) {
    put_bits(writer, (unsigned)last | 2u << 1, 3);
    put_bits(writer, (unsigned)(code->literal_count - 257), 5);
    put_bits(writer, (unsigned)(code->distance_count - 1), 5);
    put_bits(writer, (unsigned)(code->list_count - 4), 4);
    for (int i = 0; i < code->list_count; i++)
        put_bits(writer, code->list_lengths[list_order[i]], 3);
    for (int i = 0; i < code->list.count; i++) {
        const int symbol = code->list.symbols[i];
        put_bits(writer, code->list_codes[symbol], code->list_lengths[symbol]);
        if (symbol >= 16)
            put_bits(writer, code->list.extra[i], symbol == 16 ? 2 : symbol == 17 ? 3 : 7);
    }
}

// The bits of every token, and how many: the code; of a match also the extra bits of its length and
// the one-bit code 0 of the distance where there is one only.
typedef struct TokenBits {
    uint32_t bits[MATCH_TOKEN + MAX_MATCH + 1];
    uint8_t counts[MATCH_TOKEN + MAX_MATCH + 1];
} TokenBits;

static void fill_token_bits(const BlockCode *code, TokenBits *table) {
    const int distance_bits = code->distance == ANY_DISTANCE ? 0 : 1;
    for (int literal = 0; literal < MATCH_TOKEN; literal++) {
        table->bits[literal] = code->codes[literal];
        table->counts[literal] = code->lengths[literal];
    }
    for (int length = MIN_MATCH; length <= MAX_MATCH; length++) {
        const int symbol = length_code(length), extra = length_extra_bits(symbol);
        const unsigned value = (unsigned)(length - MIN_MATCH) & ((1u << extra) - 1);
        table->bits[MATCH_TOKEN + length] = code->codes[symbol] | value << code->lengths[symbol];
        table->counts[MATCH_TOKEN + length] =
            (uint8_t)(code->lengths[symbol] + extra + distance_bits);
    }
}

// Behind each match is its distance.
static void write_far_tokens(BitWriter *writer, const BlockCode *code, const TokenBits *table,
                             const uint16_t *tokens, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const unsigned token = tokens[i];
        put_bits(writer, table->bits[token], table->counts[token]);
        if (token < MATCH_TOKEN) continue;
        const unsigned value = tokens[++i];
        const int symbol = distance_code(value), extra = distance_extra_bits(symbol);
        put_bits(writer, code->distance_codes[symbol], code->distance_lengths[symbol]);
        put_bits(writer, value & ((1u << extra) - 1), extra);
    }
    put_bits(writer, code->codes[END_OF_BLOCK], code->lengths[END_OF_BLOCK]);
}

static void write_tokens(BitWriter *writer, const BlockCode *code, const uint16_t *tokens,
                         size_t count) {
    TokenBits table;
    fill_token_bits(code, &table);
    if (code->distance == ANY_DISTANCE) {
        write_far_tokens(writer, code, &table, tokens, count);
        return;
    }
    // Two tokens have 2 * 21 bits at most, and up to 7 are left of those before.
    uint64_t bits = writer->bits;
    unsigned used = (unsigned)writer->count;
    uint8_t *at = writer->at;
    for (; used >= 8; used -= 8, bits >>= 8) *at++ = (uint8_t)bits;
    size_t i = 0;
    for (; i + 2 <= count; i += 2) {
        const unsigned a = tokens[i], b = tokens[i + 1];
        bits |= (uint64_t)table.bits[a] << used;
        used += table.counts[a];
        bits |= (uint64_t)table.bits[b] << used;
        used += table.counts[b];
        memcpy(at, &bits, sizeof bits);
        at += used / 8;
        bits >>= used & ~7u;
        used &= 7;
    }
    *writer = (BitWriter){at, bits, (int)used};
    if (i < count) put_bits(writer, table.bits[tokens[i]], table.counts[tokens[i]]);
    put_bits(writer, code->codes[END_OF_BLOCK], code->lengths[END_OF_BLOCK]);
}

static void write_stored(BitWriter *writer, const uint8_t *data, size_t size, bool last) {
    while (size > 0) {
        const size_t part = size < MAX_STORED ? size : MAX_STORED;
        const unsigned length = (unsigned)part, check = ~length;
        const uint8_t head[4] = {(uint8_t)length, (uint8_t)(length >> 8), (uint8_t)check,
                                 (uint8_t)(check >> 8)};
        put_bits(writer, last && part == size, 3);
        align_to_byte(writer);
        memcpy(writer->at, head, sizeof head);
        memcpy(writer->at + sizeof head, data, part);
        writer->at += sizeof head + part;
        data += part;
        size -= part;
    }
}

// A block on its way out: neighbouring planes whose joint code is no longer than two.
typedef struct PendingBlock {
    const uint8_t *data;
    size_t size;
    const uint16_t *tokens;
    size_t token_count;
    uint32_t frequencies[LITERAL_COUNT];
    BlockCode code;
    size_t bits;
} PendingBlock;

static void take_plane(PendingBlock *block, const uint8_t *data, size_t size, uint16_t *tokens) {
    const PlaneShape shape = plane_shape(data, size);
    *block = (PendingBlock){.data = data, .size = size, .tokens = tokens};
    uint32_t distances[DISTANCE_CODE_COUNT] = {0};
    if (shape.is_mixed) {
        block->token_count = plane_bits_tokens(data, size, tokens, block->frequencies, distances);
    }
    if (block->token_count) {
        block->bits = make_code(block->frequencies, ANY_DISTANCE, distances, &block->code);
        return;
    }
    if (shape.has_runs) {
        block->token_count = make_tokens(data, size, shape.distance, tokens, block->frequencies);
    } else {
        block->token_count = make_literals(data, size, tokens, block->frequencies);
    }
    block->bits = make_code(block->frequencies, shape.distance, NULL, &block->code);
}

// Joins the next plane to the block before it when that pays. Where both are long a header more or
// less does not matter, and the attempt is saved.
static bool join(PendingBlock *block, const PendingBlock *next) {
    enum { WORTH_TRYING_BITS = 16384 };
    if (block->bits > WORTH_TRYING_BITS && next->bits > WORTH_TRYING_BITS) return false;
    if (block->code.distance != next->code.distance) return false;
    if (block->code.distance == ANY_DISTANCE) return false;
    uint32_t frequencies[LITERAL_COUNT];
    BlockCode code;
    for (int i = 0; i < LITERAL_COUNT; i++) {
        frequencies[i] = block->frequencies[i] + next->frequencies[i];
    }
    frequencies[END_OF_BLOCK] = 1;
    const size_t bits = make_code(frequencies, block->code.distance, NULL, &code);
    if (bits > block->bits + next->bits) return false;
    memcpy(block->frequencies, frequencies, sizeof frequencies);
    block->code = code;
    block->bits = bits;
    block->size += next->size;
    block->token_count += next->token_count;
    return true;
}

static void write_block(BitWriter *writer, const PendingBlock *block, bool last) {
    if (block->bits / 8 > block->size) {
        write_stored(writer, block->data, block->size, last);
    } else {
        write_header(writer, &block->code, last);
        write_tokens(writer, &block->code, block->tokens, block->token_count);
    }
}

size_t planes_bound(size_t size, size_t plane_size) {
    const size_t blocks = plane_size ? size / plane_size * (plane_size / MAX_STORED + 1) : 0;
    return size + 6 * (blocks + 1) + 16 + sizeof(uint64_t); // words are written whole
}

size_t planes_deflate(const uint8_t *data, size_t size, size_t plane_size, uint16_t *work,
                      uint8_t *out) {
    assert(size > 0 && plane_size > 0 && size % plane_size == 0);
    // RFC 1950: deflate with a window of 32 KB, fastest method, the check bits that make it valid.
    out[0] = 0x78;
    out[1] = 0x01;
    BitWriter writer = {.at = out + 2};
    PendingBlock block, next;
    take_plane(&block, data, plane_size, work);
    for (size_t at = plane_size; at < size; at += plane_size) {
        // The tokens of a block lie together.
        take_plane(&next, data + at, plane_size, (uint16_t *)block.tokens + block.token_count);
        if (join(&block, &next)) continue;
        write_block(&writer, &block, false);
        block = next;
    }
    write_block(&writer, &block, true);
    align_to_byte(&writer);
    const uint32_t check = checksum_adler32(data, size);
    for (int i = 0; i < 4; i++) writer.at[i] = (uint8_t)(check >> (24 - 8 * i));
    return (size_t)(writer.at + 4 - out);
}
