// SPDX-License-Identifier: GPL-3.0-or-later
// The format CBR: a game of the program CCBridge, as three public readers (vschess, cchess, and a
// Kaitai description) describe it. It is not encrypted. Texts are UTF-16, and numbers are
// little-endian.
//
// A record begins with "CCBridge Record" and has the version at offset 19. The following fields are
// at offsets that depend on the version: texts, the result, the side that moves first, the number
// of the first move, the board, the moves. The board has 90 bytes from Black's back rank: 0x11 to
// 0x17 are Red's chariot, horse, elephant, advisor, general, cannon and soldier, 0x21 to 0x27 are
// Black's. The moves are a tree: each move is followed by its continuation, and then by the
// variations that replace it. A move has four bytes: flags, 0, origin, target. If flag 4 is set,
// the length of a comment and the comment follow. The first entry is not a move.
#include <string.h>

#include "datasets/formats/board_list.h"
#include "datasets/formats/formats.h"

const char cbr_magic[CBR_MAGIC_SIZE] = "CCBridge Record";

enum {
    CBR_VERSION_AT = 19,
    CBR_RED = 1, // side that begins
    CBR_BLACK = 2,
    // Flags of a move.
    CBR_ENDS = 1,      // the move is the last one of its line
    CBR_VARIED = 2,    // the file has a variation that replaces this move
    CBR_COMMENTED = 4, // the length of a comment and the comment follow the move
};

// Offsets of fields in a record, in bytes.
typedef struct CbrLayout {
    size_t result, side, number, board, moves;
} CbrLayout;

static const CbrLayout layouts[] = {
    {1820, 1856, 1860, 1864, 1958}, // field offsets in CBR version 1
    {2076, 2112, 2116, 2120, 2214}, // field offsets in CBR version 2
};

// Offsets and sizes of the texts in version 2, in bytes. In version 1, offsets below 1500 are
// smaller by 128 bytes. Offsets above 1500 are smaller by 128 bytes more, because
// version 1 lacks two texts of 64 bytes (judge and recorder).
static const TagPlace places[] = {
    {"Title", 180, 128},     {"Event", 692, 64},      {"Round", 756, 64},
    {"Date", 884, 64},       {"Site", 948, 64},       {"TimeControl", 1012, 64},
    {"Red", 1076, 64},       {"RedTeam", 1140, 64},   {"RedElo", 1268, 32},
    {"Black", 1300, 64},     {"BlackTeam", 1364, 64}, {"BlackElo", 1492, 32},
    {"Annotator", 1652, 64}, {"Author", 1780, 64}};

typedef struct Cbr {
    const uint8_t *data;
    size_t length, at;
    int version;
    Text remark; // remark after the last move that was read
} Cbr;

static void read_board(const uint8_t *bytes, Piece board[SQUARE_COUNT]) {
    static const uint8_t types[8] = {NO_PIECE_TYPE, CHARIOT, HORSE,  ELEPHANT,
                                     ADVISOR,       GENERAL, CANNON, SOLDIER};
    for (int i = 0; i < SQUARE_COUNT; i++) {
        const int side = bytes[i] >> 4, type = bytes[i] & 15;
        const bool man = (side == 1 || side == 2) && type >= 1 && type <= 7;
        const int square = square_flip(i);
        board[square] =
            man ? piece_make(side == 1 ? RED : BLACK, (PieceType)types[type]) : PIECE_NONE;
    }
}

static void take_tags(const Cbr *cbr, SourceGame *source) {
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        const size_t nearer = cbr->version == 2 ? 0 : places[i].at < 1500 ? 128 : 256;
        const char *place = (const char *)cbr->data + places[i].at - nearer;
        size_t length = 0;
        while (length < places[i].size && (place[length] || place[length + 1])) length += 2;
        AUTO(Text) text = {0};
        if (text_decode(ENCODING_UTF16, place, length, &text, NULL) != STATUS_OK) continue;
        source_game_tag(source, places[i].name, text_get(&text), text.length);
    }
}

// Returns the square that a byte stands for. In version 1 its two hexadecimal digits are the column
// and the row from the top. In version 2 squares are numbered from the top left.
static int square_of(const Cbr *cbr, uint8_t point) {
    return cbr->version == 1 ? square_from_top(point >> 4, point & 15)
                             : square_from_top(point % FILE_COUNT, point / FILE_COUNT);
}

static bool read_move(void *file, TreeMove *move) {
    Cbr *cbr = file;
    const uint8_t *bytes = cbr->data + cbr->at;
    if (cbr->length - cbr->at < 4) return false;
    cbr->at += 4;
    // Some writers do not mark the last move, but write an entry of zeros after it.
    *move = (TreeMove){square_of(cbr, bytes[2]), square_of(cbr, bytes[3]), bytes[0] & CBR_ENDS,
                       .varied = bytes[0] & CBR_VARIED, .none = bytes[2] == bytes[3]};
    if (!(bytes[0] & CBR_COMMENTED)) return true;
    if (cbr->length - cbr->at < 4) return false;
    const uint32_t size = read_u32_little(bytes + 4);
    cbr->at += 4;
    if (size > cbr->length - cbr->at) return false;
    text_reset(&cbr->remark);
    if (text_decode(ENCODING_UTF16, (const char *)cbr->data + cbr->at, size & ~1u, &cbr->remark,
                    NULL) == STATUS_OK) {
        move->remark = text_get(&cbr->remark);
        move->remark_length = strlen(move->remark);
    }
    cbr->at += size;
    return true;
}

ImportRefusal read_cbr(const SourceText *text, const ReadSettings *settings, SourceGame *source,
                       Err *err) {
    Cbr cbr = {.data = (const uint8_t *)text->data, .length = text->length};
    const bool headed =
        cbr.length > CBR_VERSION_AT && memcmp(cbr.data, cbr_magic, sizeof cbr_magic) == 0;
    cbr.version = headed ? cbr.data[CBR_VERSION_AT] : 0;
    if (!headed)
        return import_refuse(err, IMPORT_FIELDS,
                             "the file does not begin with 'CCBridge Record' and a version, so it "
                             "is not a CBR file");
    if (cbr.version != 1 && cbr.version != 2) {
        return import_refuse(
            err, IMPORT_FIELDS,
            "the record has version %d, but this program reads only versions 1 and 2", cbr.version);
    }
    const CbrLayout *layout = &layouts[cbr.version - 1];
    if (cbr.length < layout->moves + 4) {
        return import_refuse(err, IMPORT_FIELDS, "the record ends in the middle of its header");
    }
    take_tags(&cbr, source);
    Piece board[SQUARE_COUNT];
    read_board(cbr.data + layout->board, board);
    const unsigned number = cbr.data[layout->number] | (unsigned)cbr.data[layout->number + 1] << 8;
    source_game_set_result(source, cbr.data[layout->result]);
    const Side stm = cbr.data[layout->side] == CBR_BLACK ? BLACK : RED;
    cbr.at = layout->moves;
    const ImportRefusal refusal = source_game_read_tree(source, settings, board, stm,
                                                        number ? number : 1, read_move, &cbr, err);
    text_clear(&cbr.remark);
    return refusal;
}

// ---- writing: version 2 ------------------------------------------------------------------------

static void write_board(const Position *position, uint8_t *bytes) {
    static const uint8_t codes[] = {[CHARIOT] = 1, [HORSE] = 2,  [ELEPHANT] = 3, [ADVISOR] = 4,
                                    [GENERAL] = 5, [CANNON] = 6, [SOLDIER] = 7};
    for (int i = 0; i < SQUARE_COUNT; i++) {
        const Piece piece = position->board[square_flip(i)];
        if (piece == PIECE_NONE) continue;
        bytes[i] = (uint8_t)((piece_side(piece) == RED ? 0x10 : 0x20) | codes[piece_type(piece)]);
    }
}

static void put_tags(const ExportGame *given, uint8_t *head) {
    AUTO(Text) text = {0};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        export_tag_bytes(given, places[i].name, ENCODING_UTF16, places[i].size - 2u, &text);
        if (text.length) memcpy(head + places[i].at, text.data, text.length);
    }
}

static bool put_move(const TreeMove *move, Text *out) {
    // Longest remark that is written, in bytes of UTF-16. Longer remarks are shortened.
    enum { REMARK_MOST = 131072 };
    AUTO(Text) text = {0};
    const bool whole = text_encode(ENCODING_UTF16, move->remark, REMARK_MOST, &text);
    uint8_t node[4] = {(uint8_t)((move->last ? CBR_ENDS : 0) | (move->varied ? CBR_VARIED : 0) |
                                 (text.length ? CBR_COMMENTED : 0))};
    if (!move->none) {
        node[2] = (uint8_t)square_flip(move->from);
        node[3] = (uint8_t)square_flip(move->to);
    }
    text_add_bytes(out, node, sizeof node);
    if (text.length == 0) return whole;
    const uint32_t size = (uint32_t)text.length;
    const uint8_t bytes[4] = {(uint8_t)size, (uint8_t)(size >> 8), (uint8_t)(size >> 16), 0};
    text_add_bytes(out, bytes, sizeof bytes);
    text_add_bytes(out, text.data, size);
    return whole;
}

Status write_cbr(const ExportGame *given, Text *out, Err *err) {
    enum { VERSION = 2, HEAD_SIZE = 2214 };
    const CbrLayout *layout = &layouts[VERSION - 1];
    uint8_t head[HEAD_SIZE] = {0};
    GameWalk walk;
    TRY(export_walk_begin(given, &walk, err));
    memcpy(head, cbr_magic, sizeof cbr_magic);
    head[CBR_VERSION_AT] = VERSION;
    put_tags(given, head);
    head[layout->result] = result_code(given->game->result);
    head[layout->side] = walk.position.stm == RED ? CBR_RED : CBR_BLACK;
    head[layout->number] = (uint8_t)walk.position.fullmove;
    head[layout->number + 1] = (uint8_t)(walk.position.fullmove >> 8);
    write_board(&walk.position, head + layout->board);
    text_add_bytes(out, head, layout->moves);
    return export_tree(given, put_move, out, err);
}
