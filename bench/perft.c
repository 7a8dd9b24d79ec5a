// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/perft.h"

uint64_t perft_count(const Position *position, int depth) {
    if (depth <= 0) return 1;
    MoveList list;
    position_legal_moves(position, &list);
    if (depth == 1) return (uint64_t)list.count;
    uint64_t nodes = 0;
    for (int i = 0; i < list.count; i++) {
        Position after;
        position_do_move(position, list.moves[i], &after);
        nodes += perft_count(&after, depth - 1);
    }
    return nodes;
}
