// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/board/position.h"

#include <assert.h>
#include <string.h>

#include "core/board/attacks.h"

// A Line has the pieces on a rank or file of the board. line_point[side] is a Line whose only piece
// belongs to `side` and is on the first point of the rank or file.
static const Line line_point[SIDE_COUNT] = {0x10001, 1};

// Initialises a position with an empty board.
static void start_building(Position *position, Side stm, unsigned halfmove, unsigned fullmove) {
    memset(position, 0, sizeof *position);
    position->stm = (uint8_t)stm;
    position->halfmove = (uint16_t)halfmove;
    position->fullmove = (uint16_t)fullmove;
    position->key = stm == BLACK ? attack_tables.zobrist_black_to_move : 0;
}

// Builds a position without checks. The board must have one general of each side.
static void build(Position *position, const Piece board[SQUARE_COUNT], Side stm, unsigned halfmove,
                  unsigned fullmove) {
    start_building(position, stm, halfmove, fullmove);
    for (int square = 0; square < SQUARE_COUNT; square++) {
        const Piece piece = board[square];
        if (piece == PIECE_NONE) continue;
        position_toggle(position, piece, square);
        position->key ^= attack_tables.zobrist[piece][square];
        if (piece_type(piece) == GENERAL) position->general[piece_side(piece)] = (uint8_t)square;
    }
}

static const char *const side_names[SIDE_COUNT] = {"Red", "Black"};
static const char *const type_names[PIECE_TYPE_COUNT] = {"",      "general", "advisor", "elephant",
                                                         "horse", "chariot", "cannon",  "soldier"};

const char *side_name(Side side) {
    return side_names[side];
}
const char *piece_type_name(PieceType type) {
    return type_names[type];
}

static Status check_piece(const Piece board[SQUARE_COUNT], int square,
                          int count[SIDE_COUNT][PIECE_TYPE_COUNT], Err *err) {
    static const int max_count[PIECE_TYPE_COUNT] = {0, 1, 2, 2, 2, 2, 2, 5};
    const Piece piece = board[square];
    const Side side = piece_side(piece);
    const PieceType type = piece_type(piece);
    if (!square_fits_piece(square, side, type)) {
        return err_set(err, STATUS_BAD_INPUT, "board: a %s %s cannot stand on %c%d",
                       side_names[side], type_names[type], 'a' + square_file(square),
                       square_rank(square));
    }
    if (++count[side][type] > max_count[type]) {
        return err_set(err, STATUS_BAD_INPUT, "board: %s has more than %d %s%s (one on %c%d)",
                       side_names[side], max_count[type], type_names[type],
                       max_count[type] > 1 ? "s" : "", 'a' + square_file(square),
                       square_rank(square));
    }
    return STATUS_OK;
}

Status position_from_board(Position *position, const Piece board[SQUARE_COUNT], Side stm,
                           unsigned halfmove, unsigned fullmove, Err *err) {
    int count[SIDE_COUNT][PIECE_TYPE_COUNT] = {{0}};
    for (int square = 0; square < SQUARE_COUNT; square++) {
        if (board[square] != PIECE_NONE) TRY(check_piece(board, square, count, err));
    }
    for (int side = RED; side <= BLACK; side++) {
        if (count[side][GENERAL] == 0) {
            return err_set(err, STATUS_BAD_INPUT, "board: %s has no general", side_names[side]);
        }
    }
    build(position, board, stm, halfmove, fullmove);
    const int red = position->general[RED], black = position->general[BLACK];
    if (attack_chariot(position, red) & bb_square(black)) {
        return err_set(
            err, STATUS_BAD_INPUT, "board: the generals on %c%d and %c%d face each other",
            'a' + square_file(red), square_rank(red), 'a' + square_file(black), square_rank(black));
    }
    const Side waiting = side_other(stm);
    if (position_general_attacked(position, waiting)) {
        return err_set(err, STATUS_BAD_INPUT,
                       "side: %s is to move, but %s's general on %c%d is in check", side_names[stm],
                       side_names[waiting], 'a' + square_file(position->general[waiting]),
                       square_rank(position->general[waiting]));
    }
    return STATUS_OK;
}

// Fills *err with the reason why position_from_pieces() refuses a list of pieces, and returns the
// status of the error.
static Status refuse_pieces(Position *position, const Piece *pieces, const uint8_t *squares,
                            int count, Side stm, unsigned halfmove, unsigned fullmove, Err *err) {
    Piece board[SQUARE_COUNT] = {PIECE_NONE};
    for (int i = 0; i < count; i++) {
        if (squares[i] >= SQUARE_COUNT) {
            return err_set(err, STATUS_BAD_INPUT, "board: there is no point %d", squares[i]);
        }
        if (board[squares[i]] != PIECE_NONE) {
            return err_set(err, STATUS_BAD_INPUT, "board: two pieces stand on %c%d",
                           'a' + square_file(squares[i]), square_rank(squares[i]));
        }
        board[squares[i]] = pieces[i];
    }
    return position_from_board(position, board, stm, halfmove, fullmove, err);
}

Status position_from_pieces(Position *position, const Piece *pieces, const uint8_t *squares,
                            int count, Side stm, unsigned halfmove, unsigned fullmove, Err *err) {
    // Each byte of these numbers belongs to one piece type. max_counts has the largest allowed
    // numbers of pieces of a side, `counts` the numbers of each side's pieces in the list. At most
    // 127 pieces are counted, so no byte overflows into the next one.
    const uint64_t max_counts = UINT64_C(0x0502020202020100), high = UINT64_C(0x8080808080808080);
    uint64_t counts[SIDE_COUNT] = {0, 0};
    start_building(position, stm, halfmove, fullmove);
    uint64_t key = position->key;
    bool good = count < 128;
    for (int i = 0; i < count && good; i++) {
        const Piece piece = pieces[i];
        const int square = squares[i];
        good = square < SQUARE_COUNT && position->board[square] == PIECE_NONE;
        if (!good) break;
        position->board[square] = piece;
        position->by_type[piece_type(piece)] |= bb_square(square);
        position->by_side[piece_side(piece)] |= bb_square(square);
        key ^= attack_tables.zobrist[piece][square];
        counts[piece_side(piece)] += UINT64_C(1) << (8 * piece_type(piece));
    }
    const Bitboard occupied = position->by_side[RED] | position->by_side[BLACK];
    position->by_type[NO_PIECE_TYPE] = occupied;
    position->key = key;
    for (int rank = 0; rank < RANK_COUNT; rank++) {
        position->rank[rank] =
            bb_rank_line(occupied, rank) | bb_rank_line(position->by_side[RED], rank) << 16;
    }
    for (int file = 0; file < FILE_COUNT; file++) {
        position->file[file] =
            bb_file_line(occupied, file) | bb_file_line(position->by_side[RED], file) << 16;
    }
    for (int side = RED; side <= BLACK && good; side++) {
        good =
            (((max_counts | high) - counts[side]) & high) == high && (counts[side] >> 8 & 255) == 1;
        for (int type = GENERAL; type <= ELEPHANT; type++) {
            good = good && !(position_pieces(position, (Side)side, (PieceType)type) &
                             ~attack_tables.stands[side][type]);
        }
        if (good) {
            position->general[side] =
                (uint8_t)bb_lowest(position_pieces(position, (Side)side, GENERAL));
        }
    }
    if (good && !position_general_attacked(position, side_other(stm))) return STATUS_OK;
    return refuse_pieces(position, pieces, squares, count, stm, halfmove, fullmove, err);
}

void position_init_start(Position *position) {
    const Status status = position_from_fen(position, START_FEN, NULL);
    assert(status == STATUS_OK);
    (void)status;
}

uint64_t position_key_after(const Position *before, Move move) {
    const AttackTables *t = &attack_tables;
    const int from = move_from(move), to = move_to(move);
    const Piece piece = before->board[from];
    return before->key ^ t->zobrist_black_to_move ^ t->zobrist[piece][from] ^
           t->zobrist[piece][to] ^ t->zobrist[before->board[to]][to];
}

void position_do_move(const Position *before, Move move, Position *after) {
    const int from = move_from(move), to = move_to(move);
    *after = *before;
    const Piece piece = before->board[from], captured = before->board[to];
    const Side us = (Side)before->stm;
    const Bitboard from_bit = bb_square(from), to_bit = bb_square(to), both = from_bit | to_bit;
    assert(piece != PIECE_NONE && piece_side(piece) == us);

    after->key = position_key_after(before, move);
    after->halfmove++;
    Line arrives = line_point[us];
    if (captured != PIECE_NONE) {
        arrives = 0x10000; // the point stays occupied, so only the colour bit of the Line changes
        after->by_type[piece_type(captured)] &= ~to_bit;
        after->by_side[side_other(us)] &= ~to_bit;
        after->halfmove = 0;
    }
    after->board[from] = PIECE_NONE;
    after->board[to] = piece;
    after->by_type[piece_type(piece)] ^= both;
    after->by_side[us] ^= both;
    after->by_type[NO_PIECE_TYPE] = (before->by_type[NO_PIECE_TYPE] & ~from_bit) | to_bit;
    after->rank[square_rank(from)] ^= line_point[us] << square_file(from);
    after->file[square_file(from)] ^= line_point[us] << square_rank(from);
    after->rank[square_rank(to)] ^= arrives << square_file(to);
    after->file[square_file(to)] ^= arrives << square_rank(to);
    if (piece_type(piece) == GENERAL) after->general[us] = (uint8_t)to;
    after->stm = (uint8_t)side_other(us);
    after->fullmove = (uint16_t)(before->fullmove + (us == BLACK));
}

void position_do_null(const Position *before, Position *after) {
    *after = *before;
    after->stm = (uint8_t)side_other((Side)before->stm);
    after->key ^= attack_tables.zobrist_black_to_move;
    after->halfmove++;
}

Bitboard position_attackers(const Position *position, int square, Side by, Bitboard occupied) {
    const int file = square_file(square), rank = square_rank(square);
    const unsigned below = rank > 0 ? (bb_rank_line(occupied, rank - 1) << 1) >> file & 5u : 0;
    const unsigned above =
        rank < RANK_COUNT - 1 ? (bb_rank_line(occupied, rank + 1) << 1) >> file & 5u : 0;
    const Sight sight = {bb_rank_line(occupied, rank), bb_file_line(occupied, file),
                         below | above << 1};
    return sight_attackers(position, square, by, &sight) & position->by_side[by] & occupied;
}

void position_mirror(const Position *position, Position *mirrored) {
    Piece board[SQUARE_COUNT];
    for (int square = 0; square < SQUARE_COUNT; square++) {
        board[square_mirror(square)] = position->board[square];
    }
    build(mirrored, board, (Side)position->stm, position->halfmove, position->fullmove);
}
