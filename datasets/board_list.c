// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/board_list.h"

#include <string.h>

Status board_from_list(const uint8_t squares[LIST_MEN], Piece board[SQUARE_COUNT], Err *err) {
    static const uint8_t order[LIST_MEN / 2] = {
        CHARIOT, HORSE,  ELEPHANT, ADVISOR, GENERAL, ADVISOR, ELEPHANT, HORSE,
        CHARIOT, CANNON, CANNON,   SOLDIER, SOLDIER, SOLDIER, SOLDIER,  SOLDIER};
    memset(board, PIECE_NONE, SQUARE_COUNT);
    for (int i = 0; i < LIST_MEN; i++) {
        const int square = squares[i];
        if (square >= SQUARE_COUNT) continue;
        if (board[square] != PIECE_NONE) {
            return err_set(err, STATUS_BAD_INPUT, "the board has two men on %c%d",
                           'a' + square_file(square), square_rank(square));
        }
        board[square] =
            piece_make(i < LIST_MEN / 2 ? RED : BLACK, (PieceType)order[i % (LIST_MEN / 2)]);
    }
    return STATUS_OK;
}

Status source_game_start_board(SourceGame *source, const Piece board[SQUARE_COUNT], int first,
                               unsigned fullmove, Err *err) {
    const Piece piece = first >= 0 && first < SQUARE_COUNT ? board[first] : PIECE_NONE;
    const Side side = piece == PIECE_NONE ? RED : piece_side(piece);
    Position start;
    const Status status = position_from_board(&start, board, side, 0, fullmove, err);
    if (status == STATUS_OK) source_game_start(source, &start);
    return status;
}

Status source_game_push_points(SourceGame *source, int from, int to, Err *err) {
    const Position *now = &source->game.now;
    const size_t ply = source->game.count + 1;
    if (from < 0 || from >= SQUARE_COUNT || to < 0 || to >= SQUARE_COUNT || from == to) {
        return err_set(err, STATUS_BAD_INPUT, "ply %zu: %d to %d are not two points of the board",
                       ply, from, to);
    }
    char uci[5];
    Move move = move_make(from, to);
    move_to_uci(move, uci);
    if (move_parse_legal(now, uci, 4, &move, err) != STATUS_OK)
        return err_prefix(err, "ply %zu", ply);
    source_game_push(source, move);
    return STATUS_OK;
}
