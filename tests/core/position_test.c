// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of positions: which moves are legal, and properties of positions in random games.
#include <stdio.h>
#include <string.h>

#include "core/base/random.h"
#include "core/base/text.h"
#include "core/board/position.h"
#include "tests/core/positions.h"
#include "tests/test.h"

// ---- legality compared with a slow referee -----------------------------------------------------

// Returns the piece on a point. Returns PIECE_NONE if the point is empty or not on the board.
static Piece piece_at(const Position *position, int file, int rank) {
    const bool inside = file >= 0 && file < FILE_COUNT && rank >= 0 && rank < RANK_COUNT;
    return inside ? position->board[square_make(file, rank)] : PIECE_NONE;
}

// Returns true if a chariot, a cannon or the other general attacks the general of `side` from the
// direction (df, dr).
static bool slow_line(const Position *position, Side side, int df, int dr) {
    const Side enemy = side_other(side);
    int file = square_file(position->general[side]), rank = square_rank(position->general[side]);
    int met = 0;
    for (int step = 0; step < RANK_COUNT; step++) {
        const Piece piece = piece_at(position, file += df, rank += dr);
        if (piece == PIECE_NONE) continue;
        if (met == 0 &&
            (piece == piece_make(enemy, CHARIOT) || piece == piece_make(enemy, GENERAL)))
            return true;
        if (met == 1 && piece == piece_make(enemy, CANNON)) return true;
        met++;
    }
    return false;
}

// Computes position_general_attacked() in a simple way from board[] and general[], without tables.
static bool slow_attacked(const Position *position, Side side) {
    static const int step[4][2] = {{0, 1}, {0, -1}, {1, 0}, {-1, 0}};
    const Side enemy = side_other(side);
    const int file = square_file(position->general[side]);
    const int rank = square_rank(position->general[side]);
    for (int i = 0; i < 4; i++) {
        const int df = step[i][0], dr = step[i][1];
        if (slow_line(position, side, df, dr)) return true;
        // A soldier at +(df, dr) from the general has crossed the river. It captures by moving
        // -(df, dr), unless this would be a move backwards.
        if (dr != (enemy == RED ? 1 : -1) &&
            piece_at(position, file + df, rank + dr) == piece_make(enemy, SOLDIER)) {
            return true;
        }
    }
    for (int df = -1; df <= 1; df += 2) {
        for (int dr = -1; dr <= 1; dr += 2) {
            if (piece_at(position, file + df, rank + dr) != PIECE_NONE)
                continue; // a piece on this point blocks the leg of the two horses
            if (piece_at(position, file + 2 * df, rank + dr) == piece_make(enemy, HORSE) ||
                piece_at(position, file + df, rank + 2 * dr) == piece_make(enemy, HORSE)) {
                return true;
            }
        }
    }
    return false;
}

// Compares the fast legality functions with making each move: the list of legal moves, their order
// and number, and the legality of each pseudo-legal move.
static void check_legality(TestContext *t, const Position *position) {
    const Side us = (Side)position->stm;
    char fen[FEN_SIZE], text[5];
    position_to_fen(position, FEN_UCI, fen);
    MoveList pseudo, legal;
    position_pseudo_moves(position, &pseudo);
    position_legal_moves(position, &legal);
    Exposure exposure;
    position_exposure(position, &exposure);
    CHECK_MSG(exposure.in_check == slow_attacked(position, us),
              "position_exposure() is wrong "
              "about check in %s",
              fen);
    CHECK_MSG(position_in_check(position) == exposure.in_check,
              "position_in_check() is wrong "
              "in %s",
              fen);
    int kept = 0;
    for (int i = 0; i < pseudo.count; i++) {
        const Move move = pseudo.moves[i];
        Position after;
        position_do_move(position, move, &after);
        const bool good = !slow_attacked(&after, us);
        move_to_uci(move, text);
        CHECK_MSG(position_general_attacked(&after, us) == !good,
                  "position_general_attacked() "
                  "is wrong after %s in %s",
                  text, fen);
        CHECK_MSG(position_is_legal(position, move) == good,
                  "position_is_legal() is wrong "
                  "about %s in %s",
                  text, fen);
        CHECK_MSG(position_is_legal_exposed(position, &exposure, move) == good,
                  "position_is_legal_exposed() "
                  "is wrong about %s in %s",
                  text, fen);
        if (good)
            CHECK_MSG(kept < legal.count && legal.moves[kept] == move,
                      "the legal moves are in a "
                      "wrong order in %s",
                      fen);
        kept += good;
    }
    CHECK_MSG(legal.count == kept, "%d legal moves, expected %d: %s", legal.count, kept, fen);
    CHECK_MSG(position_count_moves(position) == kept,
              "position_count_moves() returns %d, "
              "expected %d: %s",
              position_count_moves(position), kept, fen);
    uint64_t pairs = 0;
    for (int i = 0; i < legal.count; i++) {
        Position after;
        position_do_move(position, legal.moves[i], &after);
        pairs += (unsigned)position_count_moves(&after);
    }
    CHECK_MSG(position_count_pairs(position) == pairs, "position_count_pairs() is wrong in %s",
              fen);
    CHECK_MSG(position_no_legal_move(position) == (kept == 0),
              "position_no_legal_move() is "
              "wrong in %s",
              fen);
}

static void check_images(TestContext *t, const Position *position) {
    Position swapped, mirrored;
    positions_swap_colours(position, &swapped);
    position_mirror(position, &mirrored);
    check_legality(t, position);
    check_legality(t, &swapped);
    check_legality(t, &mirrored);
    CHECK_INT(position_count_moves(&swapped), position_count_moves(position));
    CHECK_INT(position_count_moves(&mirrored), position_count_moves(position));
}

void test_position_legality(TestContext *t) {
    Random random;
    random_init(&random, 4, 0);
    Position position, placed;
    position_init_start(&position);
    const int count = t->full ? 200000 : 8000;
    for (int i = 0; i < count; i++) {
        positions_random_step(&random, &position);
        check_images(t, &position);
        if (positions_random_siege(&random, &placed)) check_images(t, &placed);
        if (i % 4 == 0 && positions_random_crowd(&random, &placed)) check_images(t, &placed);
    }
}

// Checks the legal moves of a piece. A row of the test data has FEN, the point of the piece, and
// the destinations of its legal moves.
static void constraint_row(TestContext *t, char *const *fields) {
    Position position;
    Err err = {0};
    if (!CHECK_OK(position_from_fen(&position, fields[0], &err), err)) return;
    Bitboard expected = 0, found = 0;
    const char *targets = fields[2], *word;
    size_t length;
    while (text_next_word(&targets, &word, &length))
        expected |= bb_square(square_make(word[0] - 'a', word[1] - '0'));
    MoveList legal;
    position_legal_moves(&position, &legal);
    const int from = square_make(fields[1][0] - 'a', fields[1][1] - '0');
    for (int m = 0; m < legal.count; m++) {
        if (move_from(legal.moves[m]) == from) found |= bb_square(move_to(legal.moves[m]));
    }
    CHECK_INT(bb_count(found ^ expected), 0);
    check_images(t, &position);
}

void test_position_constraints(TestContext *t) {
    CHECK_INT(test_rows(t, t->data, "constraints.tsv", 0, 3, constraint_row), 16);
}

// Checks properties of positions in random games. The state that moves update incrementally equals
// the state computed from the board. The numbers of captures and of quiet moves add up to the
// number of all moves. This is tested for pseudo-legal and for legal moves. Of all 65536 move
// codes, position_is_pseudo_legal() accepts as many as there are pseudo-legal moves.
void test_position_properties(TestContext *t) {
    Random random;
    random_init(&random, 1, 0);
    for (int game = 0; game < 40; game++) {
        Position position;
        position_init_start(&position);
        for (int ply = 0; ply < 120; ply++) {
            MoveList legal, part, other;
            position_legal_moves(&position, &legal);
            if (legal.count == 0) break;
            CHECK(position_is_consistent(&position));
            position_captures(&position, &part);
            position_quiets(&position, &other);
            MoveList pseudo;
            position_pseudo_moves(&position, &pseudo);
            CHECK_INT(part.count + other.count, pseudo.count);
            Exposure exposure;
            position_exposure(&position, &exposure);
            position_legal_captures(&position, &exposure, &part);
            position_legal_quiets(&position, &exposure, &other);
            CHECK_INT(part.count + other.count, legal.count);
            if (ply % 10 == 0) {
                int count = 0;
                for (unsigned move = 0; move < 65536; move++) {
                    count += position_is_pseudo_legal(&position, (Move)move);
                }
                CHECK_INT(count, pseudo.count);
            }
            const uint64_t pick = random_below(&random, (uint64_t)legal.count);
            Position after;
            position_do_move(&position, legal.moves[pick], &after);
            position = after;
        }
    }
}
