// SPDX-License-Identifier: GPL-3.0-or-later
// Perft of any depth by the counter.
#include "bench/perft/counter_internal.h"
#include "core/base/interrupt.h"
#include "core/board/attacks.h"

// Deeper trees ask whether the user wants to stop: rarely enough to cost nothing.
enum { INTERRUPT_DEPTH = 5 };

// With fewer moves than this each is made (measured; the place is flat).
enum { DIFFERENTIAL_MOVES = 8 };

static uint64_t zobrist(unsigned slot, Place place) {
    static const uint8_t types[SLOTS_A_SIDE] = {
        GENERAL,  CHARIOT, CHARIOT, CANNON,  CANNON,  HORSE,   HORSE,   ELEPHANT,
        ELEPHANT, ADVISOR, ADVISOR, SOLDIER, SOLDIER, SOLDIER, SOLDIER, SOLDIER,
    };
    if (slot == SLOT_EMPTY) return 0;
    const Piece piece =
        piece_make((Side)(slot / SLOTS_A_SIDE), (PieceType)types[slot % SLOTS_A_SIDE]);
    return attack_tables.zobrist[piece][place.square];
}

static uint64_t count_tree(Counter *counter, Side us, int depth, uint64_t key);

// Everything behind the moves of one piece.
static uint64_t count_moves(Counter *counter, Side us, unsigned mover, Bitboard targets, int depth,
                            uint64_t key) {
    const Side them = side_other(us);
    const Place from = counter->place[mover];
    uint64_t nodes = 0;
    key ^= attack_tables.zobrist_black_to_move ^ zobrist(mover, from);
    counter_lift(counter, us, mover, from);
    while (targets) {
        const Place to = counter->tables->place[bb_pop(&targets)];
        const unsigned captured = counter_put(counter, us, mover, to);
        if (depth == 2) {
            nodes += counter_count(counter, them);
        } else {
            nodes += count_tree(counter, them, depth - 1,
                                key ^ zobrist(mover, to) ^ zobrist(captured, to));
        }
        counter_take(counter, us, mover, to, captured);
    }
    counter_drop(counter, us, mover, from);
    return nodes;
}

// Are there so many moves that differences are worth their preparation?
static bool many(const Bitboard targets[SLOTS_A_SIDE]) {
    int moves = 0;
    for (unsigned slot = 0; slot < SLOTS_A_SIDE; slot++) moves += bb_count(targets[slot]);
    return moves >= DIFFERENTIAL_MOVES;
}

static uint64_t count_tree(Counter *counter, Side us, int depth, uint64_t key) {
    uint64_t nodes = 0;
    if (depth >= INTERRUPT_DEPTH && interrupt_requested()) return 0;
    if (counter->hash && perft_hash_get(counter->hash, key, depth, &nodes)) return nodes;
    Bitboard targets[SLOTS_A_SIDE];
    counter_legal_targets(counter, us, targets);
    if (depth == 2 && counter->differential && many(targets)) {
        nodes = counter_count_replies(counter, us, targets);
    } else {
        for (unsigned slot = 0; slot < SLOTS_A_SIDE; slot++) {
            if (!targets[slot]) continue;
            nodes += count_moves(counter, us, counter_slot(us, slot), targets[slot], depth, key);
        }
    }
    if (counter->hash && !interrupt_requested()) perft_hash_put(counter->hash, key, depth, nodes);
    return nodes;
}

uint64_t counter_perft(Counter *counter, Side us, int depth, uint64_t key) {
    if (depth == 0) return 1;
    if (depth == 1) return counter_count(counter, us);
    return count_tree(counter, us, depth, key);
}
