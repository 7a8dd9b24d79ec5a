// SPDX-License-Identifier: GPL-3.0-or-later
// The format XQF: files of XQStudio, one game per file. Versions 1.0 to 1.8 have the version byte
// 10 to 18.
//
// The author has published a specification of version 10 (Dong Shiwei, "XQF 1.0", 2001). From
// version 11 on, squares are shifted by keys, and a stream of 32 bytes, which is repeated, is added
// to the bytes of the moves. From version 12 on, the list of pieces is rotated as well. Keys and
// stream are computed from the header, as two public readers do it (eleeye's xqf2pgn and cchess's
// io_xqf).
//
// The header has 1024 bytes: "XQ"; the version; a mask for the encryption; 4 bytes that are not
// read; two groups of 4 bytes, from which the keys and the stream of the encryption are computed;
// at 0x10 the squares of the 32 pieces; at 0x32 the side to move (1 for Black); at 0x33 the result;
// from 0x50 on texts in GBK. A square is file * 10 + rank, where a0 is 0. The moves follow as a
// tree: each move is followed by its continuation, and after that by the variations that replace
// it. A move consists of origin + 24, target + 32, flags and 0 (a byte each), the length of a
// comment (4 bytes), and the comment. From version 11 on, length and comment are only present if
// the flag XQF_COMMENTED is set. The first entry is not a move.
#include <string.h>

#include "core/base/memory.h"
#include "datasets/formats/board_list.h"
#include "datasets/formats/formats.h"

enum {
    XQF_HEAD_SIZE = 1024,
    XQF_VERSION_AT = 2,
    XQF_MASK_AT = 3,
    XQF_OR_KEYS_AT = 8,
    XQF_KEYS_AT = 12, // offset of four bytes: a check byte, then the decryption keys of the start
                      // position, of origin squares and of target squares
    XQF_MEN_AT = 0x10,
    XQF_STM_AT = 0x32,
    XQF_RESULT_AT = 0x33,
    XQF_FIRST_ENCRYPTED = 11,
    XQF_FIRST_ROTATED = 12,
    XQF_STREAM_SIZE = 32,
    XQF_FROM_SHIFT = 24,
    XQF_TO_SHIFT = 32,
    // Flags of a move. The names that end in _10 apply to version 10, the others to later versions.
    XQF_CONTINUES = 0x80,
    XQF_VARIED = 0x40,
    XQF_COMMENTED = 0x20,
    XQF_CONTINUES_10 = 0xf0,
    XQF_VARIED_10 = 0x0f,
};

typedef struct Xqf {
    const uint8_t *data;
    size_t length, at;
    int version;
    uint8_t board_key, from_key, to_key;
    uint32_t comment_key; // number that is subtracted from the stored lengths of comments
    uint8_t stream[XQF_STREAM_SIZE];
    TextEncoding encoding;
    Text remark; // remark after the move that was read last
} Xqf;

// Computes a key for decryption from a key byte of the header and a factor.
static uint8_t stretch(uint8_t key, uint8_t times) {
    return (uint8_t)((54u * key * key + 221u) * times);
}

static void make_keys(Xqf *xqf) {
    static const char words[XQF_STREAM_SIZE + 1] = "[(C) Copyright Mr. Dong Shiwei.]";
    if (xqf->version < XQF_FIRST_ENCRYPTED) return;
    const uint8_t *keys = xqf->data + XQF_KEYS_AT, mask = xqf->data[XQF_MASK_AT];
    xqf->board_key = stretch(keys[1], keys[1]);
    xqf->from_key = stretch(keys[2], xqf->board_key);
    xqf->to_key = stretch(keys[3], xqf->from_key);
    xqf->comment_key = (keys[0] * 256u + keys[1]) % 32000u + 767u;
    for (int i = 0; i < XQF_STREAM_SIZE; i++) {
        const uint8_t key = (uint8_t)(xqf->data[XQF_OR_KEYS_AT + i % 4] | (keys[i % 4] & mask));
        xqf->stream[i] = (uint8_t)(key & (uint8_t)words[i]);
    }
}

// Offsets and sizes of texts in the header, in bytes. A text begins with a byte that holds its
// length.
static const TagPlace places[] = {
    {"Title", 0x50, 64},        {"Event", 0xd0, 64},      {"Date", 0x110, 16},
    {"Site", 0x120, 16},        {"Red", 0x130, 16},       {"Black", 0x140, 16},
    {"TimeControl", 0x150, 64}, {"Annotator", 0x1d0, 16}, {"Author", 0x1e0, 16}};

// Returns a text of the header and sets its length in bytes.
static const char *place_text(const Xqf *xqf, const TagPlace *place, size_t *length) {
    const char *text = (const char *)xqf->data + place->at + 1;
    const size_t counted = xqf->data[place->at], most = place->size - 1u;
    const char *end = memchr(text, '\0', counted < most ? counted : most);
    *length = end ? (size_t)(end - text) : counted < most ? counted : most;
    return text;
}

static void take_tags(Xqf *xqf, SourceGame *source) {
    AUTO(Text) all = {0};
    size_t length;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        const char *bytes = place_text(xqf, &places[i], &length);
        text_add_bytes(&all, bytes, length);
        text_add(&all, "\n");
    }
    bool ascii = true; // if all texts in the header are ASCII, they do not show the encoding;
                       // remarks are then read as GB18030
    for (size_t i = 0; i < all.length; i++) ascii = ascii && !(all.data[i] & 0x80);
    xqf->encoding = ascii ? ENCODING_GB18030 : text_encoding_chinese(all.data, all.length);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        const char *bytes = place_text(xqf, &places[i], &length);
        AUTO(Text) text = {0};
        if (text_decode(xqf->encoding, bytes, length, &text, NULL) == STATUS_OK) {
            source_game_tag(source, places[i].name, text_get(&text), text.length);
        }
    }
}

static int square_of_point(uint8_t point) {
    return point < 90 ? square_make(point / 10, point % 10) : SQUARE_NONE;
}

// Reads and decrypts `count` bytes of the moves. Returns false if fewer bytes remain.
static bool take(Xqf *xqf, uint8_t *bytes, size_t count) {
    if (xqf->length - xqf->at < count) return false;
    for (size_t i = 0; i < count; i++, xqf->at++) {
        bytes[i] = (uint8_t)(xqf->data[xqf->at] - xqf->stream[xqf->at % XQF_STREAM_SIZE]);
    }
    return true;
}

// Decodes a remark of `length` bytes, which follows in the file. The remark stays empty if the C
// library does not know its encoding.
static void take_remark(Xqf *xqf, size_t length) {
    AUTO_FREE uint8_t *bytes = memory_alloc(length + 1, 1);
    text_reset(&xqf->remark);
    take(xqf, bytes, length);
    if (text_decode(xqf->encoding, (const char *)bytes, length, &xqf->remark, NULL) != STATUS_OK) {
        text_reset(&xqf->remark);
    }
}

static bool read_move(void *file, TreeMove *move) {
    Xqf *xqf = file;
    uint8_t bytes[4], size[4] = {0};
    if (!take(xqf, bytes, 4)) return false;
    const bool old = xqf->version < XQF_FIRST_ENCRYPTED;
    const bool commented = old || (bytes[2] & XQF_COMMENTED);
    if (commented && !take(xqf, size, 4)) return false;
    const uint32_t length = commented ? read_u32_little(size) - xqf->comment_key : 0;
    if (length > xqf->length - xqf->at) return false;
    take_remark(xqf, length);
    *move = (TreeMove){.remark = text_get(&xqf->remark), .remark_length = xqf->remark.length};
    move->from = square_of_point((uint8_t)(bytes[0] - XQF_FROM_SHIFT - xqf->from_key));
    move->to = square_of_point((uint8_t)(bytes[1] - XQF_TO_SHIFT - xqf->to_key));
    move->last = !(bytes[2] & (old ? XQF_CONTINUES_10 : XQF_CONTINUES));
    move->varied = bytes[2] & (old ? XQF_VARIED_10 : XQF_VARIED);
    return true;
}

ImportRefusal read_xqf(const SourceText *text, const ReadSettings *settings, SourceGame *source,
                       Err *err) {
    Xqf xqf = {.data = (const uint8_t *)text->data, .length = text->length};
    if (xqf.length < XQF_HEAD_SIZE || memcmp(xqf.data, "XQ", 2) != 0) {
        return import_refuse(err, IMPORT_FIELDS,
                             "the file is not an XQF file: it does not begin with 'XQ', or is "
                             "shorter than the header of %d bytes",
                             XQF_HEAD_SIZE);
    }
    xqf.version = xqf.data[XQF_VERSION_AT];
    xqf.at = XQF_HEAD_SIZE;
    make_keys(&xqf);
    take_tags(&xqf, source);
    uint8_t squares[LIST_MEN];
    Piece board[SQUARE_COUNT];
    for (int i = 0; i < LIST_MEN; i++) {
        const uint8_t point = (uint8_t)(xqf.data[XQF_MEN_AT + i] - xqf.board_key);
        const int man = xqf.version >= XQF_FIRST_ROTATED ? (xqf.board_key + 1 + i) % LIST_MEN : i;
        squares[man] = (uint8_t)square_of_point(point);
    }
    if (board_from_list(squares, board, err) != STATUS_OK) return IMPORT_START;
    const uint8_t result = xqf.data[XQF_RESULT_AT];
    // The codes 3 and 4 of an XQF file both mean a draw.
    source_game_set_result(source, result == 4 ? 3 : result);
    const Side stm = xqf.data[XQF_STM_AT] == 1 ? BLACK : RED;
    const ImportRefusal refusal =
        source_game_read_tree(source, settings, board, stm, 1, read_move, &xqf, err);
    text_clear(&xqf.remark);
    return refusal;
}

// ---- writing: version 1.0 ----------------------------------------------------------------------

static void put_tags(const ExportGame *given, uint8_t *head) {
    AUTO(Text) text = {0};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        const TagPlace *place = &places[i];
        export_tag_bytes(given, place->name, ENCODING_GB18030, place->size - 1u, &text);
        head[place->at] = (uint8_t)text.length;
        if (text.length) memcpy(head + place->at + 1, text.data, text.length);
    }
}

static int point_of_square(int square) {
    return square_file(square) * 10 + square_rank(square);
}

// Appends an entry of the move tree to the output. The format adds a constant to each square of a
// move. The first entry is not a move: it has only these constants, and the remark before the first
// move. Returns false if the remark was shortened.
static bool put_move(const TreeMove *move, Text *out) {
    // Longest remark that is written, in bytes of GB18030. Longer remarks are shortened.
    enum { REMARK_MOST = 65536 };
    AUTO(Text) text = {0};
    const bool whole = text_encode(ENCODING_GB18030, move->remark, REMARK_MOST, &text);
    uint8_t record[8] = {XQF_FROM_SHIFT, XQF_TO_SHIFT, 0, move->none ? UINT8_MAX : 0};
    if (!move->none) {
        record[0] = (uint8_t)(point_of_square(move->from) + XQF_FROM_SHIFT);
        record[1] = (uint8_t)(point_of_square(move->to) + XQF_TO_SHIFT);
    }
    record[2] = (uint8_t)((move->last ? 0 : XQF_CONTINUES_10) | (move->varied ? XQF_VARIED_10 : 0));
    for (int i = 0; i < 4; i++) record[4 + i] = (uint8_t)(text.length >> 8 * i);
    text_add_bytes(out, record, sizeof record);
    text_add_bytes(out, text_get(&text), text.length);
    return whole;
}

Status write_xqf(const ExportGame *given, Text *out, Err *err) {
    GameWalk walk;
    uint8_t head[XQF_HEAD_SIZE] = {'X', 'Q', XQF_FIRST_ENCRYPTED - 1}, squares[LIST_MEN];
    TRY(export_walk_begin(given, &walk, err));
    board_to_list(&walk.position, squares);
    for (int i = 0; i < LIST_MEN; i++) {
        const bool absent = squares[i] == SQUARE_NONE;
        head[XQF_MEN_AT + i] = (uint8_t)(absent ? UINT8_MAX : point_of_square(squares[i]));
    }
    head[XQF_STM_AT] = walk.position.stm == BLACK;
    head[XQF_RESULT_AT] = result_code(given->game->result);
    put_tags(given, head);
    text_add_bytes(out, head, sizeof head);
    return export_tree(given, put_move, out, err);
}
