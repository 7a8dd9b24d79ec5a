// SPDX-License-Identifier: GPL-3.0-or-later
// Compares the static exchange evaluation (SEE) with a simple oracle that plays the captures on a
// board. Compares see_direct_check() with the attacks on the board after the move.

#include "core/base/random.h"
#include "core/search/see.h"
#include "tests/core/positions.h"
#include "tests/test.h"

// Returns true if the side to move would leave its general in check by this capture.
static bool general_would_be_taken(const Position *position, Move move) {
    Position after;
    position_do_move(position, move, &after);
    return position_general_attacked(&after, (Side)position->stm);
}

// Returns the capture on the square `to` by the least valuable piece, or by the one on the lowest
// square if several have this value. Returns MOVE_NONE if no piece can capture there, or if only
// the general can and would be in check afterwards.
static Move cheapest_capture(const Position *position, int to) {
    MoveList list;
    Move best = MOVE_NONE;
    int best_cost = 0;
    position_pseudo_moves(position, &list);
    for (int i = 0; i < list.count; i++) {
        const int from = move_from(list.moves[i]);
        if (move_to(list.moves[i]) != to) continue;
        const int cost = see_piece_value(position, from) * SQUARE_COUNT + from;
        if (best != MOVE_NONE && cost >= best_cost) continue;
        best = list.moves[i];
        best_cost = cost;
    }
    if (best != MOVE_NONE && move_from(best) == position->general[position->stm] &&
        general_would_be_taken(position, best)) {
        return MOVE_NONE;
    }
    return best;
}

// Returns the gain of the side to move, at least 0, from an exchange on the square `to`, where a
// piece worth `value` stands. Each side may stop capturing.
static int reply_gain(const Position *position, int to, int value) {
    const Move move = cheapest_capture(position, to);
    if (move == MOVE_NONE) return 0;
    Position after;
    position_do_move(position, move, &after);
    const int gain = value - reply_gain(&after, to, see_piece_value(position, move_from(move)));
    return gain > 0 ? gain : 0;
}

static int oracle_see(const Position *position, Move move) {
    Position after;
    position_do_move(position, move, &after);
    return see_piece_value(position, move_to(move)) -
           reply_gain(&after, move_to(move), see_piece_value(position, move_from(move)));
}

static bool check_move(TestContext *t, const Position *position, Move move) {
    static const int offsets[] = {-10000, -451, -100, -50, -1, 0, 1, 50, 100, 451, 10000};
    const int exact = oracle_see(position, move);
    bool good = true;
    char fen[FEN_SIZE], text[5];
    FOR_EACH (row, offsets) {
        const int threshold = exact + *row;
        if (see_at_least(position, move, threshold) == (exact >= threshold)) continue;
        position_to_fen(position, FEN_UCI, fen);
        move_to_uci(move, text);
        good = CHECK_MSG(false, "%s %s: see_at_least(%d), but it is worth %d", fen, text, threshold,
                         exact);
    }
    return good;
}

// Tests all pseudo-legal moves in random games, which contain crowded and open positions.
void test_see_against_oracle(TestContext *t) {
    const int games = t->full ? 4000 : 150;
    int captures = 0;
    for (int game = 0; game < games && t->failures < 5; game++) {
        Random random;
        random_init(&random, 11, (uint64_t)game);
        Position position;
        position_init_start(&position);
        for (int ply = 0; ply < 100; ply++) {
            MoveList list, legal;
            position_pseudo_moves(&position, &list);
            for (int i = 0; i < list.count; i++) {
                captures += position_is_capture(&position, list.moves[i]);
                if (!check_move(t, &position, list.moves[i])) return;
            }
            position_legal_moves(&position, &legal);
            if (legal.count == 0) break;
            Position after;
            position_do_move(&position, legal.moves[random_below(&random, (uint64_t)legal.count)],
                             &after);
            position = after;
        }
    }
    CHECK_MSG(captures > 10000, "only %d captures were tested, expected more than 10000", captures);
}

// Returns true if the moved piece itself attacks the enemy's general after the move.
static bool attacks_general(const Position *position, Move move) {
    Position after;
    position_do_move(position, move, &after);
    const Side side = (Side)position->stm;
    const Bitboard attackers = position_attackers(&after, after.general[side_other(side)], side,
                                                  position_occupied(&after));
    return (attackers >> move_to(move) & 1) != 0;
}

// see_direct_check() must predict whether the moved piece gives check on the board after the move.
void test_see_direct_checks(TestContext *t) {
    int checks = 0;
    for (uint64_t i = 0; i < (t->full ? 20000 : 2000) && t->failures < 5; i++) {
        Random random;
        random_init(&random, 12, i);
        Position position;
        if (!positions_random_siege(&random, &position)) continue;
        MoveList list;
        position_pseudo_moves(&position, &list);
        // position_quiet_checks() must list all quiet moves for which see_direct_check() is true,
        // in the order of position_quiets().
        MoveList quiets, listed;
        int at = 0;
        position_quiets(&position, &quiets);
        position_quiet_checks(&position, &listed);
        for (int j = 0; j < quiets.count; j++) {
            if (!see_direct_check(&position, quiets.moves[j])) continue;
            while (at < listed.count && !see_direct_check(&position, listed.moves[at])) at++;
            CHECK(at < listed.count && listed.moves[at] == quiets.moves[j]);
            at++;
        }
        while (at < listed.count) CHECK(!see_direct_check(&position, listed.moves[at++]));
        const Bitboard points = see_check_points(&position);
        for (int j = 0; j < list.count; j++) {
            const Move move = list.moves[j];
            const bool real = attacks_general(&position, move);
            const bool seen = see_direct_check(&position, move);
            checks += seen;
            CHECK_MSG(seen == real,
                      "position %d, move %d-%d: "
                      "see_direct_check() says %d, the "
                      "board says %d",
                      (int)i, move_from(move), move_to(move), seen, real);
            CHECK(!seen || (points >> move_to(move) & 1));
        }
    }
    CHECK_MSG(checks > 1000, "see_direct_check() found only %d checks", checks);
}
