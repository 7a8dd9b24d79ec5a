// SPDX-License-Identifier: GPL-3.0-or-later
// The counter's tables, and setting it to a position.
#include <assert.h>
#include <string.h>

#include "bench/perft/counter_internal.h"
#include "core/base/memory.h"
#include "core/board/attacks.h"

static void build_lines(CounterTables *t) {
    static const int piece_field[3] = {SEEN_FIRST, SEEN_SECOND, SEEN_THIRD};
    for (int index = 0; index < LINE_BITS; index++) {
        for (unsigned occupied = 0; occupied < LINE_STATES_ALL; occupied++) {
            uint64_t seen = 0, gap = 0;
            for (int step = -1; step <= 1; step += 2) {
                int met = 0;
                for (int at = index + step; at >= 0 && at < LINE_BITS && met < 3; at += step) {
                    const uint64_t bit = UINT64_C(1) << at;
                    if (occupied >> at & 1) {
                        seen |= bit << piece_field[met++];
                    } else if (met == 0) {
                        seen |= bit << SEEN_QUIET;
                    } else if (met == 1) {
                        gap |= bit;
                    }
                }
            }
            t->seen[index][occupied] = seen;
            t->gap[index][occupied] = (uint16_t)gap;
        }
    }
    memcpy(t->along_file, attack_tables.file_bits, sizeof t->along_file);
}

static void build_points(CounterTables *t) {
    for (int square = 0; square < SQUARE_COUNT; square++) {
        const int file = square_file(square), rank = square_rank(square);
        const Side home = rank < RANK_COUNT / 2 ? RED : BLACK;
        t->bit[square] = bb_square(square);
        t->place[square] = (Place){(uint8_t)square, (uint8_t)file, (uint8_t)rank,
                                   (uint8_t)(square % HALF_SQUARES)};
        t->half_bit[square] = UINT64_C(1) << t->place[square].half;
        t->general[square] = counter_half(attack_tables.general[square], home);
        t->advisor[square] = counter_half(attack_tables.advisor[square], home);
        // The two halves look the same to an elephant.
        for (int eyes = 0; eyes < 16; eyes++) {
            t->elephant[square % HALF_SQUARES][eyes] =
                counter_half(attack_tables.elephant[square][eyes], home);
        }
        memcpy(t->horse[square], attack_tables.horse[square], sizeof t->horse[square]);
        t->near[square] = attack_tables.horse_from[square][0] |
                          attack_tables.soldier_from[RED][square] |
                          attack_tables.soldier_from[BLACK][square];
        memset(t->horse_leg[square], SQUARE_NONE, sizeof t->horse_leg[square]);
        Bitboard horses = attack_tables.horse_from[square][0];
        while (horses) {
            // The leg is next to the horse, on the long side: diagonal from the point that is hit.
            const int horse = bb_pop(&horses);
            t->horse_leg[square][horse] =
                (uint8_t)square_make(file + (square_file(horse) > file ? 1 : -1),
                                     rank + (square_rank(horse) > rank ? 1 : -1));
        }
    }
    t->place[SQUARE_NONE] = (Place){SQUARE_NONE, LINE_NONE, LINE_NONE, HALF_SQUARES};
}

static void build_patterns(CounterTables *t) {
    for (unsigned side = RED; side <= BLACK; side++) {
        for (unsigned slot = 0; slot < SLOTS_A_SIDE; slot++) {
            Line *pattern = t->pattern[counter_slot((Side)side, slot)];
            for (unsigned index = 0; index < LINE_BITS; index++) {
                const uint32_t bit = 1u << index;
                pattern[index].occupied = pattern[index].free[side] = (uint16_t)bit;
                if (slot < SLOT_CANNON)
                    pattern[index].danger[side] = bit << SEEN_FIRST;
                else if (slot < SLOT_HORSE)
                    pattern[index].danger[side] = bit << SEEN_SECOND;
            }
        }
    }
}

CounterTables *counter_tables_new(void) {
    CounterTables *t = memory_aligned(64, sizeof *t);
    memset(t, 0, sizeof *t);
    build_lines(t);
    build_points(t);
    build_patterns(t);
    return t;
}

static void clear(Counter *counter, const CounterTables *tables) {
    *counter = (Counter){.tables = tables};
    for (int i = 0; i < SLOT_COUNT; i++) counter->place[i] = tables->place[SQUARE_NONE];
    memset(counter->slot, SLOT_EMPTY, sizeof counter->slot);
    counter->slot[SQUARE_NONE] = SLOT_WALL;
    for (int i = 0; i < LINE_NONE; i++) {
        const unsigned wall = 1u << FILE_COUNT, all = LINE_STATES_ALL - 1;
        counter->rank[i].occupied = (uint16_t)wall;
        counter->rank[i].free[RED] = counter->rank[i].free[BLACK] = (uint16_t)(all ^ wall);
        counter->file[i].free[RED] = counter->file[i].free[BLACK] = (uint16_t)all;
    }
}

void counter_init(Counter *counter, const CounterTables *tables, const Position *position) {
    static const uint8_t first_slot[PIECE_TYPE_COUNT] = {
        [GENERAL] = SLOT_GENERAL, [ADVISOR] = SLOT_ADVISOR, [ELEPHANT] = SLOT_ELEPHANT,
        [HORSE] = SLOT_HORSE,     [CHARIOT] = SLOT_CHARIOT, [CANNON] = SLOT_CANNON,
        [SOLDIER] = SLOT_SOLDIER,
    };
    clear(counter, tables);
    for (int square = 0; square < SQUARE_COUNT; square++) {
        const Piece piece = position->board[square];
        if (piece == PIECE_NONE) continue;
        const Side side = piece_side(piece);
        unsigned slot = counter_slot(side, first_slot[piece_type(piece)]);
        while (counter->place[slot].square != SQUARE_NONE) slot++;
        assert(slot < counter_slot(side, SLOTS_A_SIDE));
        counter_drop(counter, side, slot, tables->place[square]);
        counter->alive |= 1u << slot;
    }
}
