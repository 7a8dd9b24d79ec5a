// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/board/attacks.h"

#include <assert.h>
#include <stdlib.h>

#include "core/base/random.h"

AttackTables attack_tables;

static void build_stands(AttackTables *t) {
    // The points where Red's pieces of a type may stand. Types without a list, soldiers included,
    // may stand anywhere.
    static const char *const points[PIECE_TYPE_COUNT] = {
        [GENERAL] = "d0e0f0d1e1f1d2e2f2", [ADVISOR] = "d0f0e1d2f2", [ELEPHANT] = "c0g0a2e2i2c4g4"};
    for (int type = GENERAL; type <= SOLDIER; type++) {
        const char *at = points[type];
        if (!at) t->stands[RED][type] = t->stands[BLACK][type] = ALL_POINTS;
        for (; at && *at; at += 2) {
            const int square = square_make(at[0] - 'a', at[1] - '0');
            t->stands[RED][type] |= bb_square(square);
            t->stands[BLACK][type] |= bb_square(square_flip(square));
        }
    }
}

static bool on_board(int file, int rank) {
    return file >= 0 && file < FILE_COUNT && rank >= 0 && rank < RANK_COUNT;
}

static void build_lines(AttackTables *t) {
    for (int index = 0; index < RANK_COUNT; index++) {
        for (int state = 0; state < LINE_STATES; state++) {
            unsigned chariot = 0, cannon = 0;
            for (int step = -1; step <= 1; step += 2) {
                int at = index + step;
                for (; at >= 0 && at < RANK_COUNT; at += step) {
                    chariot |= 1u << at;
                    if (state >> at & 1) break;
                    cannon |= 1u << at;
                }
                for (at += step; at >= 0 && at < RANK_COUNT; at += step) {
                    if (!(state >> at & 1)) continue;
                    cannon |= 1u << at;
                    break;
                }
            }
            t->line_chariot[index][state] = (uint16_t)chariot;
            t->line_cannon[index][state] = (uint16_t)cannon;
        }
    }
    for (int state = 0; state < LINE_STATES; state++) {
        for (int rank = 0; rank < RANK_COUNT; rank++) {
            if (state >> rank & 1) t->file_bits[state] |= bb_square(square_make(0, rank));
        }
    }
}

// Returns the index of the bit in the result of attack_eyes() for the diagonal neighbour df files
// and dr ranks away, both +-1.
static int eye_bit(int df, int dr) {
    return (df > 0 ? 2 : 0) + (dr > 0 ? 1 : 0);
}
// Returns the index of the bit in the result of attack_legs() for the orthogonal neighbour df files
// and dr ranks away. One of df and dr is 0, the other +-1.
static int leg_bit(int df, int dr) {
    return dr == 0 ? (df > 0 ? 2 : 0) : (dr > 0 ? 3 : 1);
}

static void build_leapers_of(AttackTables *t, int square) {
    const int file = square_file(square), rank = square_rank(square);
    for (int df = -2; df <= 2; df++) {
        for (int dr = -2; dr <= 2; dr++) {
            if (!on_board(file + df, rank + dr) || df == 0 || dr == 0) continue;
            const Bitboard target = bb_square(square_make(file + df, rank + dr));
            const int ef = df > 0 ? 1 : -1, er = dr > 0 ? 1 : -1;
            if (abs(df) + abs(dr) == 3) {
                const int leg = abs(df) == 2 ? leg_bit(ef, 0) : leg_bit(0, er);
                // A horse on `target` that attacks `square` is blocked by a piece on a diagonal
                // neighbour of `square`, so horse_from is indexed by attack_eyes() of `square`.
                const int leg_of_other = eye_bit(ef, er);
                for (int state = 0; state < 16; state++) {
                    if (!(state >> leg & 1)) t->horse[square][state] |= target;
                    if (!(state >> leg_of_other & 1)) t->horse_from[square][state] |= target;
                }
            }
            const bool same_half = (rank >= 5) == (rank + dr >= 5);
            if (abs(df) == 2 && abs(dr) == 2 && same_half) {
                for (int state = 0; state < 16; state++) {
                    if (!(state >> eye_bit(ef, er) & 1)) t->elephant[square][state] |= target;
                }
            }
        }
    }
}

static void build_steps_of(AttackTables *t, int square) {
    static const int steps[4][2] = {{-1, 0}, {0, -1}, {1, 0}, {0, 1}};
    const int file = square_file(square), rank = square_rank(square);
    for (int i = 0; i < 4; i++) {
        const int f = file + steps[i][0], r = rank + steps[i][1];
        if (!on_board(f, r)) continue;
        const int to = square_make(f, r);
        const Bitboard both = bb_square(square) | bb_square(to);
        for (int s = RED; s <= BLACK; s++) {
            const Side side = (Side)s;
            if (!(both & ~t->stands[side][GENERAL])) t->general[square] |= bb_square(to);
            const bool forward = steps[i][1] == (side == RED ? 1 : -1);
            const bool sideways = steps[i][1] == 0 && square_crossed(square, side);
            if (forward || sideways) {
                t->soldier[side][square] |= bb_square(to);
                t->soldier_from[side][to] |= bb_square(square);
            }
        }
    }
    for (int i = 0; i < 4; i++) {
        const int f = file + (i & 1 ? 1 : -1), r = rank + (i & 2 ? 1 : -1);
        if (!on_board(f, r)) continue;
        const int to = square_make(f, r);
        const Bitboard both = bb_square(square) | bb_square(to);
        for (int side = RED; side <= BLACK; side++) {
            if (!(both & ~t->stands[side][GENERAL])) t->advisor[square] |= bb_square(to);
        }
    }
}

static void build_between(AttackTables *t, int square) {
    const int file = square_file(square), rank = square_rank(square);
    for (int other = 0; other < SQUARE_COUNT; other++) {
        const int df = square_file(other) - file, dr = square_rank(other) - rank;
        const int sf = (df > 0) - (df < 0), sr = (dr > 0) - (dr < 0);
        Bitboard *between = &t->between[square][other];
        if (abs(df * dr) == 2) *between = bb_square(square_make(file + sf, rank + sr));
        if ((df == 0) == (dr == 0)) continue;
        t->cross[square] |= bb_square(other);
        for (int i = 1; i < abs(df + dr); i++) {
            *between |= bb_square(square_make(file + i * sf, rank + i * sr));
        }
    }
}

void core_init(void) {
    AttackTables *t = &attack_tables;
    if (t->zobrist_black_to_move) return;
    build_lines(t);
    build_stands(t);
    for (int square = 0; square < SQUARE_COUNT; square++) {
        build_leapers_of(t, square);
        build_steps_of(t, square);
        build_between(t, square);
    }
    Random random;
    random_init(&random, 0, 0);
    for (int piece = 0; piece < PIECE_COUNT; piece++) {
        for (int square = 0; square < SQUARE_COUNT; square++) {
            t->zobrist[piece][square] = piece == PIECE_NONE ? 0 : random_next(&random);
        }
    }
    t->zobrist_black_to_move = random_next(&random);
    assert(bb_count(t->horse[40][0]) == 8 && bb_count(t->elephant[20][0]) >= 2);
}
