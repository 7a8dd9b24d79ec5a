// SPDX-License-Identifier: GPL-3.0-or-later
// The text form of the training data of variant-nnue-tools: entries of a few lines,
//     fen rnbakabnr/... w - - 0 1
//     move h3e3          (ranks from 1, as Fairy-Stockfish has them)
//     score 35           of the side to move; 32000 less the plies is a mate
//     ply 0
//     result 1           of the side to move: 1, 0, -1
//     e
// A position whose score is not known has no line for it.
#include <string.h>

#include "datasets/formats/position_lines.h"

enum { PLAIN_MATE = 32000 };

static const EntryName keys[] = {
    {"fen", ENTRY_FEN, false},      {"move", ENTRY_MOVE, false}, {"score", ENTRY_SCORE, true},
    {"result", ENTRY_RESULT, true}, {"ply", ENTRY_PLY, false},
};

static bool read_plain_line(EntryReader *reader, const char *line) {
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const char *value = line + strlen(keys[i].name);
        if (strncmp(line, keys[i].name, (size_t)(value - line)) != 0 || *value != ' ') continue;
        return entry_take(reader, keys[i].field, keys[i].stm, value + strspn(value, " "));
    }
    char shown[PRINTABLE_SIZE];
    notation_printable(line, strlen(line), shown);
    err_set(reader->err, STATUS_BAD_INPUT, "'%s' is none of fen, move, score, ply, result, e",
            shown);
    reader->refusal = IMPORT_FIELDS;
    return false;
}

bool plain_ends_entry(const char *line) {
    return line[0] == 'e' && line[1 + strspn(line + 1, " \t")] == '\0';
}

bool read_plain_entry(EntryReader *reader, char **text) {
    reader->mate_value = PLAIN_MATE;
    for (char *line; (line = entry_line(reader, text));) {
        if (plain_ends_entry(line)) return true;
        if (*line && !read_plain_line(reader, line)) return false;
    }
    err_set(reader->err, STATUS_BAD_INPUT, "the entry has no end, which is a line 'e'");
    reader->refusal = IMPORT_FIELDS;
    return false;
}

void write_plain(const ExportGame *given, const GameWalk *walk, const PlyRecord *ply,
                 const char *fen, const char *move, Text *out) {
    const Position *position = &walk->position;
    const char *dash = given->system == NOTATION_UCI1 ? strchr(move, '-') : NULL;
    const int length = (int)(dash ? dash - move : (long)strlen(move));
    text_add(out, "fen %s\nmove %.*s%s\n", fen, length, move, dash ? dash + 1 : "");
    const int mate = value_of_stm(position, ply->mate_red);
    if (mate != 0) {
        text_add(out, "score %d\n", mate > 0 ? PLAIN_MATE - mate : -PLAIN_MATE - mate);
    } else if (ply->score_red != SCORE_UNKNOWN) {
        text_add(out, "score %d\n", value_of_stm(position, ply->score_red));
    }
    text_add(out, "ply %u\nresult %d\ne\n", walk->ply - given->game->extra_plies,
             value_of_stm(position, given->game->result));
}

// ---- the same in binary ------------------------------------------------------------------------
//
// A position is 136 bytes (of a program built for large boards): 128 of bits, the score of the side
// to move, the move (origin << 7 | target, points 12 * rank + file), the ply, the result, a zero.
// The bits, the lowest of each byte first: the side; 7 bits of each general's point; from Black's
// back rank and from the left, leaving out the generals, 0 where nothing stands, else 5 bits of the
// kind and the side; 14 times 7 bits of pieces in hand and 5 of castling, all 0; then 6 bits of the
// plies since a capture, 16 of the move number, and the seventh of those plies (sfen_packer.cpp).
enum { BIN_BITS = 128, BIN_SIZE = 136, BIN_HAND_BITS = 14 * 7 + 5 };

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
    // 2 n + 1 of the kinds in their order there: chariot, advisor, cannon, soldier, horse,
    // elephant.
    static const uint8_t codes[] = {
        [CHARIOT] = 1, [ADVISOR] = 3, [CANNON] = 5, [SOLDIER] = 7, [HORSE] = 9, [ELEPHANT] = 11};
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
    put_bits(&bits, position->halfmove, 6);
    put_bits(&bits, position->fullmove, 16);
    put_bits(&bits, position->halfmove >> 6, 1);
    const int mate = value_of_stm(position, ply->mate_red),
              score = ply->score_red == SCORE_UNKNOWN ? 0 : value_of_stm(position, ply->score_red),
              from = move_from(ply->move), to = move_to(ply->move);
    const uint16_t words[] = {(uint16_t)(mate > 0   ? PLAIN_MATE - mate
                                         : mate < 0 ? -PLAIN_MATE - mate
                                                    : score),
                              (uint16_t)((12 * square_rank(from) + square_file(from)) << 7 |
                                         (12 * square_rank(to) + square_file(to))),
                              (uint16_t)(walk->ply - given->game->extra_plies)};
    for (int i = 0; i < 3; i++) {
        bytes[BIN_BITS + 2 * i] = (uint8_t)words[i];
        bytes[BIN_BITS + 2 * i + 1] = (uint8_t)(words[i] >> 8);
    }
    bytes[BIN_BITS + 6] = (uint8_t)value_of_stm(position, given->game->result);
    text_add_bytes(out, bytes, sizeof bytes);
}
