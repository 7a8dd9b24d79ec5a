// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/positions.h"

#include "tests/test.h"

#include <assert.h>
#include <string.h>

#include "core/board/attacks.h"

void positions_random_step(Random *random, Position *position) {
    MoveList list;
    position_legal_moves(position, &list);
    if (list.count == 0 || position->fullmove > 100) {
        position_init_start(position);
        return;
    }
    Position after;
    position_do_move(position, list.moves[random_below(random, (uint64_t)list.count)], &after);
    *position = after;
}

static void place(Random *random, Piece board[SQUARE_COUNT], Piece piece, const int *files,
                  int file_count) {
    for (int attempt = 0; attempt < 40; attempt++) {
        const int file = file_count ? files[random_below(random, (uint64_t)file_count)]
                                    : (int)random_below(random, FILE_COUNT);
        const int square = square_make(file, (int)random_below(random, RANK_COUNT));
        if (board[square] == PIECE_NONE &&
            square_fits_piece(square, piece_side(piece), piece_type(piece))) {
            board[square] = piece;
            return;
        }
    }
}

bool positions_random_crowd(Random *random, Position *position) {
    static const int palace[] = {3, 4, 5};
    for (int attempt = 0; attempt < 1000; attempt++) {
        Piece board[SQUARE_COUNT];
        memset(board, PIECE_NONE, sizeof board);
        for (int side = RED; side <= BLACK; side++) {
            int files[3];
            for (int i = 0; i < 3; i++) files[i] = (int)random_below(random, FILE_COUNT);
            place(random, board, piece_make((Side)side, GENERAL), palace, 3);
            const int soldier_files = 1 + (int)random_below(random, 3);
            for (uint64_t n = random_below(random, 4) + 2; n > 0; n--) {
                place(random, board, piece_make((Side)side, SOLDIER), files, soldier_files);
            }
            for (PieceType type = ADVISOR; type <= CANNON; type++) {
                for (uint64_t n = random_below(random, 3); n > 0; n--) {
                    place(random, board, piece_make((Side)side, type), files,
                          random_below(random, 2) ? 1 : 0);
                }
            }
        }
        const Side stm = random_below(random, 2) ? RED : BLACK;
        if (position_from_board(position, board, stm, 0, 1, NULL) == STATUS_OK) return true;
    }
    return false;
}

// Returns a random point for a piece: with probability 1/2 any point, otherwise a point near the
// enemy's palace, where pins and checks occur.
static int random_point(Random *random, Side side) {
    const int square = (int)random_below(random, SQUARE_COUNT);
    if (random_below(random, 2)) return square;
    const int file = 2 + (int)random_below(random, 5), rank = 6 + (int)random_below(random, 4);
    return side == RED ? square_make(file, rank) : square_flip(square_make(file, rank));
}

bool positions_random_siege(Random *random, Position *position) {
    static const struct {
        PieceType type;
        int most;
        uint64_t percent;
    } pieces[] = {{ADVISOR, 2, 50}, {ELEPHANT, 2, 40}, {HORSE, 2, 70},
                  {CHARIOT, 2, 60}, {CANNON, 2, 80},   {SOLDIER, 5, 30}};
    Piece board[SQUARE_COUNT] = {0};
    for (int s = RED; s <= BLACK; s++) {
        const Side side = (Side)s;
        int square;
        do {
            square = (int)random_below(random, SQUARE_COUNT);
        } while (!square_fits_piece(square, side, GENERAL));
        board[square] = piece_make(side, GENERAL);
        // Choose a random density of pieces, so that boards with few and with many pieces occur.
        const uint64_t crowd = 20 + random_below(random, 100);
        FOR_EACH (row, pieces) {
            for (int k = 0; k < row->most; k++) {
                if (random_below(random, 10000) >= row->percent * crowd) continue;
                for (int attempt = 0; attempt < 40; attempt++) {
                    square = random_point(random, side);
                    if (board[square] || !square_fits_piece(square, side, row->type)) continue;
                    board[square] = piece_make(side, row->type);
                    break;
                }
            }
        }
    }
    const Side stm = (Side)random_below(random, 2);
    return position_from_board(position, board, stm, 0, 1, NULL) == STATUS_OK;
}

void positions_swap_colours(const Position *position, Position *swapped) {
    Piece board[SQUARE_COUNT];
    for (int square = 0; square < SQUARE_COUNT; square++) {
        const Piece piece = position->board[square];
        board[square_flip(square)] = piece == PIECE_NONE ? PIECE_NONE : (Piece)(piece ^ 8);
    }
    const Status status = position_from_board(swapped, board, side_other((Side)position->stm),
                                              position->halfmove, position->fullmove, NULL);
    assert(status == STATUS_OK);
    (void)status;
}

static Move move_image(Move move, bool mirror, bool swap) {
    int squares[2] = {move_from(move), move_to(move)};
    for (int i = 0; i < 2; i++) {
        if (mirror) squares[i] = square_mirror(squares[i]);
        if (swap) squares[i] = square_flip(squares[i]);
    }
    return move_make(squares[0], squares[1]);
}

void positions_game_image(const Game *game, bool mirror, bool swap, Game *image) {
    Position start = *game_start(game), turned;
    if (mirror) {
        position_mirror(&start, &turned);
        start = turned;
    }
    if (swap) {
        positions_swap_colours(&start, &turned);
        start = turned;
    }
    game_reset(image, &start);
    for (size_t i = 0; i < game->count; i++) {
        game_push(image, move_image(game->plies[i].move, mirror, swap));
    }
}
