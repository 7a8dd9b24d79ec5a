// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/see.h"

#include "core/board/attacks.h"

static const int values[PIECE_TYPE_COUNT] = {0, 10000, 200, 200, 400, 900, 450, 100};
enum { CROSSED_SOLDIER_VALUE = 200 };

// The points on this side of the river.
static Bitboard half_board(Side side) {
    const Bitboard red = bb_square(SQUARE_COUNT / 2) - 1;
    return side == RED ? red : red << (SQUARE_COUNT / 2);
}

int see_piece_value(const Position *position, int square) {
    const Piece piece = position->board[square];
    if (piece_type(piece) == SOLDIER && square_crossed(square, piece_side(piece))) {
        return CROSSED_SOLDIER_VALUE;
    }
    return values[piece_type(piece)];
}

Bitboard see_check_points(const Position *position) {
    const AttackTables *t = &attack_tables;
    const Side side = (Side)position->stm;
    const int general = position->general[side_other(side)];
    return t->cross[general] | t->horse_from[general][attack_eyes(position, general)] |
           t->soldier_from[side][general];
}

bool see_direct_check(const Position *position, Move move) {
    const AttackTables *t = &attack_tables;
    const int from = move_from(move), to = move_to(move);
    const Side side = (Side)position->stm;
    const int general = position->general[side_other(side)];
    const Bitboard target = bb_square(to);
    const Bitboard between =
        t->between[general][to] & position_occupied(position) & ~bb_square(from);
    switch (piece_type(position->board[from])) {
    case CHARIOT:
        return (t->cross[general] & target) && !between;
    case CANNON:
        return (t->cross[general] & target) && between && !(between & (between - 1));
    case HORSE:
        return (t->horse_from[general][attack_eyes(position, general)] & target) != 0;
    case SOLDIER:
        return (t->soldier_from[side][general] & target) != 0;
    default:
        return false;
    }
}

// The least valuable of the attackers, all of one side, as a one-point set; its value in *value.
static Bitboard least_valuable(const Position *position, Bitboard attackers, Side side,
                               int *value) {
    static const PieceType order[] = {SOLDIER, ADVISOR, ELEPHANT, HORSE, CANNON, CHARIOT, GENERAL};
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        Bitboard found = attackers & position->by_type[order[i]];
        if (!found) continue;
        // A soldier that crosses the river by its capture is worth less than one across.
        const Bitboard home = found & half_board(side);
        if (order[i] == SOLDIER && home) found = home;
        const Bitboard one = found & (~found + 1);
        *value = see_piece_value(position, bb_lowest(one));
        return one;
    }
    return 0;
}

// Would the general of `side` be taken on `to`, by one of the pieces `alive` or by the other
// general?
static bool general_taken(const Position *position, int to, Side side, Bitboard occupied,
                          Bitboard alive) {
    const Side enemy = side_other(side);
    if (position_attackers(position, to, enemy, occupied) & alive) return true;
    const int general = position->general[enemy];
    if (square_file(general) != square_file(to)) return false;
    const int low = general < to ? general : to, high = general < to ? to : general;
    Bitboard between = 0;
    for (int square = low + FILE_COUNT; square < high; square += FILE_COUNT) {
        between |= bb_square(square);
    }
    return !(between & occupied);
}

bool see_at_least(const Position *position, Move move, int threshold) {
    const int from = move_from(move), to = move_to(move);
    int balance = see_piece_value(position, to) - threshold;
    if (balance < 0) return false;
    balance = see_piece_value(position, from) - balance;
    if (balance <= 0) return true;

    Bitboard occupied = (position_occupied(position) & ~bb_square(from)) | bb_square(to);
    // The piece that captured stands on `to` and attacks nothing there: take it out of the sets.
    Bitboard alive = occupied & ~bb_square(to);
    Side side = side_other((Side)position->stm);
    bool result = true;
    for (;;) {
        const Bitboard attackers = position_attackers(position, to, side, occupied) & alive;
        int value = 0;
        const Bitboard taker = least_valuable(position, attackers, side, &value);
        if (!taker) break;
        if (taker & position->by_type[GENERAL]) {
            // A general may not capture where it would be taken.
            return general_taken(position, to, side, occupied & ~taker, alive) ? result : !result;
        }
        result = !result;
        balance = value - balance;
        if (balance < (result ? 1 : 0)) break;
        occupied &= ~taker;
        alive &= ~taker;
        side = side_other(side);
    }
    return result;
}
