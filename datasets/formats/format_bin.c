// SPDX-License-Identifier: GPL-3.0-or-later
// The format bin: training data of variant-nnue-tools in binary form (sfen_packer.cpp, compiled for
// large boards). A position takes 136 bytes: 128 bytes of packed position, score (2 bytes), move (2
// bytes: origin * 128 + target, where a square is 12 * rank + file), ply (2 bytes), result (1 byte:
// 1, 0 or -1), and a zero byte. Numbers are little-endian. Score and result are from the view of
// the side to move.
//
// The packed position is a stream of bits, lowest bit of each byte first: the side to move (1 bit);
// the square of each general (7 bits each, 9 * rank + file); then the other squares from Black's
// back rank, from left to right: 0 for an empty square, otherwise 5 bits for the piece type (the
// first bit is 1) and 1 bit for its side; 14 times 7 bits for pieces in hand and 5 bits for
// castling and en passant, all 0; the lower 6 bits of the number of plies without a capture; 16
// bits of the move number; the seventh bit of the number of plies without a capture.
#include <stdio.h>
#include <string.h>

#include "datasets/formats/position_lines.h"

enum { BIN_BITS = BIN_SIZE - 8, BIN_HAND_BITS = 14 * 7 + 5 };
enum { BIN_MATE = FAIRY_MATE };

// Codes of the piece types, in 5 bits. variant-nnue-tools numbers the types from 0, and type n has
// the code 2 n + 1.
static const uint8_t codes[] = {
    [CHARIOT] = 1, [ADVISOR] = 3, [CANNON] = 5, [SOLDIER] = 7, [HORSE] = 9, [ELEPHANT] = 11};

// ---- reading -----------------------------------------------------------------------------------

typedef struct BitReader {
    const uint8_t *bytes;
    int count;
} BitReader;

// Reads `count` bits (at most 32) from the stream. Bits after the packed position read as 0.
static unsigned take_bits(BitReader *bits, int count) {
    unsigned value = 0;
    for (int i = 0; i < count; i++, bits->count++) {
        if (bits->count >= 8 * BIN_BITS) continue;
        value |= (unsigned)(bits->bytes[bits->count / 8] >> (bits->count % 8) & 1) << i;
    }
    return value;
}

static PieceType type_of_code(unsigned code) {
    for (unsigned type = 0; type < sizeof codes; type++) {
        if (codes[type] == code) return (PieceType)type;
    }
    return NO_PIECE_TYPE;
}

static Status unpack_board(BitReader *bits, Piece board[SQUARE_COUNT], Err *err) {
    memset(board, PIECE_NONE, SQUARE_COUNT);
    for (int side = RED; side <= BLACK; side++) {
        const unsigned point = take_bits(bits, 7);
        if (point >= SQUARE_COUNT || board[point] != PIECE_NONE) {
            return err_set(
                err, STATUS_BAD_INPUT,
                "square number %u of %s's general is not on the board, or another piece is on it",
                point, side_name((Side)side));
        }
        board[point] = piece_make((Side)side, GENERAL);
    }
    for (int i = 0; i < SQUARE_COUNT; i++) {
        const int square = square_flip(i);
        if (board[square] != PIECE_NONE || !take_bits(bits, 1)) continue;
        const unsigned code = 1 | take_bits(bits, 4) << 1;
        const PieceType type = type_of_code(code);
        if (type == NO_PIECE_TYPE) {
            return err_set(err, STATUS_BAD_INPUT, "the square %u has the unknown piece type %u",
                           (unsigned)square, code / 2);
        }
        board[square] = piece_make((Side)take_bits(bits, 1), type);
    }
    return STATUS_OK;
}

static Status unpack_position(const uint8_t *bytes, Position *position, Err *err) {
    BitReader bits = {bytes, 0};
    Piece board[SQUARE_COUNT];
    const Side stm = (Side)take_bits(&bits, 1);
    TRY(unpack_board(&bits, board, err));
    for (int i = 0; i < BIN_HAND_BITS; i++) {
        if (take_bits(&bits, 1)) {
            return err_set(err, STATUS_BAD_INPUT,
                           "the position has pieces in hand, castling rights or an en passant "
                           "square, which do not exist in xiangqi");
        }
    }
    unsigned halfmove = take_bits(&bits, 6);
    const unsigned fullmove = take_bits(&bits, 16);
    halfmove |= take_bits(&bits, 1) << 6;
    return position_from_board(position, board, stm, halfmove, fullmove, err);
}

static bool at_fault(EntryReader *reader, ImportRefusal refusal) {
    reader->refusal = refusal;
    return false;
}

// Reads the move in `packed` into the entry; 0 means that the position has none. Returns false if
// the move is illegal.
static bool take_move(EntryReader *reader, unsigned packed) {
    enum { FILES = 12 };
    const unsigned from = packed >> 7 & 127, to = packed & 127;
    PositionEntry *entry = &reader->entry;
    if (packed == 0) return true;
    if (from % FILES < FILE_COUNT && to % FILES < FILE_COUNT && from < FILES * RANK_COUNT &&
        to < FILES * RANK_COUNT && from != to) {
        entry->move = move_make(square_make((int)from % FILES, (int)from / FILES),
                                square_make((int)to % FILES, (int)to / FILES));
        if (position_is_pseudo_legal(&entry->position, entry->move) &&
            position_is_legal(&entry->position, entry->move)) {
            return true;
        }
    }
    err_set(reader->err, STATUS_BAD_INPUT, "the move 0x%04x is not legal", packed);
    return at_fault(reader, IMPORT_MOVE);
}

bool read_bin_entry(EntryReader *reader, char **text) {
    const size_t left = (size_t)(reader->end - *text);
    char result[8];
    reader->column = COLUMN_OPCODE;
    if (left < BIN_SIZE) {
        *text += left;
        err_set(reader->err, STATUS_BAD_INPUT,
                "the file ends in the middle of a record, after %zu of its %d bytes", left,
                BIN_SIZE);
        return at_fault(reader, IMPORT_FIELDS);
    }
    const uint8_t *bytes = (const uint8_t *)*text, *last = bytes + BIN_BITS;
    PositionEntry *entry = &reader->entry;
    *text += BIN_SIZE;
    snprintf(result, sizeof result, "%d", (int8_t)last[6]);
    entry->positioned = reader->survey != NULL;
    if (reader->survey) return entry_take(reader, ENTRY_RESULT, true, result);
    if (unpack_position(bytes, &entry->position, reader->err) != STATUS_OK) {
        return at_fault(reader, IMPORT_START);
    }
    entry->positioned = true;
    reader->from = "record";
    entry_note(reader, ENTRY_FEN, "packed position");
    unsigned words[3];
    for (int i = 0; i < 3; i++) words[i] = last[2 * i] | (unsigned)last[2 * i + 1] << 8;
    char score[16], move[16];
    snprintf(score, sizeof score, "%d", (int16_t)words[0]);
    snprintf(move, sizeof move, "0x%04x", words[1]);
    if (words[1]) entry_note(reader, ENTRY_MOVE, move);
    reader->mate_value = BIN_MATE;
    entry->ply = (int64_t)words[2];
    if (!entry_take(reader, ENTRY_RESULT, true, result)) return false;
    return entry_take(reader, ENTRY_SCORE, true, score) && take_move(reader, words[1]);
}

// ---- writing -----------------------------------------------------------------------------------

typedef struct BitWriter {
    uint8_t *bytes;
    int count;
} BitWriter;

static void put_bits(BitWriter *bits, unsigned value, int count) {
    for (int i = 0; i < count; i++, bits->count++) {
        if (value >> i & 1) bits->bytes[bits->count / 8] |= (uint8_t)(1u << (bits->count % 8));
    }
}

static void pack_board(const Position *position, BitWriter *bits) {
    for (int side = RED; side <= BLACK; side++) {
        put_bits(bits, position->general[side], 7);
    }
    for (int i = 0; i < SQUARE_COUNT; i++) {
        const Piece piece = position->board[square_flip(i)];
        if (piece == PIECE_NONE) put_bits(bits, 0, 1);
        if (piece == PIECE_NONE || piece_type(piece) == GENERAL) continue;
        put_bits(bits, codes[piece_type(piece)], 5);
        put_bits(bits, piece_side(piece), 1);
    }
}

void write_bin(const ExportGame *given, const GameWalk *walk, const PlyRecord *ply, const char *fen,
               const char *move, Text *out) {
    (void)fen, (void)move;
    const Position *position = &walk->position;
    uint8_t bytes[BIN_SIZE] = {0};
    BitWriter bits = {bytes, 0};
    put_bits(&bits, position->stm, 1);
    pack_board(position, &bits);
    bits.count += BIN_HAND_BITS;
    const unsigned halfmove =
        position->halfmove < BIN_MOST_HALFMOVES ? position->halfmove : BIN_MOST_HALFMOVES;
    put_bits(&bits, halfmove, 6);
    put_bits(&bits, position->fullmove, 16);
    put_bits(&bits, halfmove >> 6, 1);
    const int mate = value_of_stm(position, ply->mate_red),
              score = ply->score_red == SCORE_UNKNOWN ? 0 : value_of_stm(position, ply->score_red),
              from = move_from(ply->move), to = move_to(ply->move);
    const uint16_t words[] = {(uint16_t)(mate > 0   ? BIN_MATE - mate
                                         : mate < 0 ? -BIN_MATE - mate
                                                    : score),
                              (uint16_t)((12 * square_rank(from) + square_file(from)) << 7 |
                                         (12 * square_rank(to) + square_file(to))),
                              (uint16_t)entry_ply(given, walk)};
    for (int i = 0; i < 3; i++) {
        bytes[BIN_BITS + 2 * i] = (uint8_t)words[i];
        bytes[BIN_BITS + 2 * i + 1] = (uint8_t)(words[i] >> 8);
    }
    bytes[BIN_BITS + 6] = (uint8_t)value_of_stm(position, given->game->result);
    text_add_bytes(out, bytes, sizeof bytes);
}
