// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/see.h"

#include <limits.h>

#include "core/board/attacks.h"

static const int values[PIECE_TYPE_COUNT] = {0, 10000, 200, 200, 400, 900, 450, 100};
enum { CROSSED_SOLDIER_VALUE = 200 };

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

// Returns the square of the least valuable piece of `attackers` and sets its value. Returns
// SQUARE_NONE if the set is empty. All attackers belong to one side.
static int least_valuable(const Position *position, Bitboard attackers, int *value) {
    int best = SQUARE_NONE;
    *value = INT_MAX;
    while (attackers) {
        const int square = bb_pop(&attackers), worth = see_piece_value(position, square);
        if (worth >= *value) continue;
        best = square;
        *value = worth;
    }
    return best;
}

typedef struct Exchange {
    const Position *position;
    int to;         // the square where the exchange takes place
    Bitboard alive; // pieces that have not yet been captured and have not moved to `to`
    Sight sight;    // the `alive` pieces next to `to` and on the rank and file of `to`
} Exchange;

static Bitboard takers(const Exchange *exchange, Side side) {
    const Position *position = exchange->position;
    return sight_attackers(position, exchange->to, side, &exchange->sight) &
           position->by_side[side] & exchange->alive;
}

static void take_away(Exchange *exchange, int square) {
    exchange->alive &= ~bb_square(square);
    sight_remove(&exchange->sight, exchange->to, square);
}

// Returns true if the general of `side`, standing on the square of the exchange, could be captured
// by a piece or by the other general.
static bool general_taken(const Exchange *exchange, Side side) {
    const Side enemy = side_other(side);
    const int to = exchange->to, general = exchange->position->general[enemy];
    if (takers(exchange, enemy)) return true;
    if (square_file(general) != square_file(to)) return false;
    return !(attack_tables.between[to][general] & exchange->alive);
}

bool see_at_least(const Position *position, Move move, int threshold) {
    const int from = move_from(move), to = move_to(move);
    int balance = see_piece_value(position, to) - threshold;
    if (balance < 0) return false;
    balance = see_piece_value(position, from) - balance;
    if (balance <= 0) return true;

    // Remove the captured piece and the moved piece, which now stands on `to`: neither can capture
    // there.
    Exchange exchange = {position, to, position_occupied(position) & ~bb_square(to),
                         sight_from(position, to)};
    take_away(&exchange, from);
    Side side = side_other((Side)position->stm);
    bool result = true;
    for (;;) {
        int value = 0;
        const int taker = least_valuable(position, takers(&exchange, side), &value);
        if (taker == SQUARE_NONE) break;
        take_away(&exchange, taker);
        if (piece_type(position->board[taker]) == GENERAL) {
            // A general may not capture if the other side could then capture it.
            return general_taken(&exchange, side) ? result : !result;
        }
        result = !result;
        balance = value - balance;
        if (balance < (result ? 1 : 0)) break;
        side = side_other(side);
    }
    return result;
}
