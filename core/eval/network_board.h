// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the pieces that differ between a position and the position for which accumulators of a
// network were computed.
#pragma once

#include <string.h>

#include "core/board/position.h"

enum { PALACE_COUNT = 9 };
// Returns the index of a square of a palace: 3 * rank + file, both counted from the corner d0 or
// d7.
ALWAYS_INLINE int palace_point(int general) {
    return square_rank(general) % 7 * 3 + square_file(general) - 3;
}

// The position for which accumulators were computed. Initialise with zeros.
typedef struct NetworkBoard {
    Bitboard by_type[PIECE_TYPE_COUNT], by_side[SIDE_COUNT];
    Piece board[SQUARE_COUNT];
    // sum of the entries of all pieces in the argument `table` of network_score()
    IntQuad places;
    bool known; // true if the accumulators are valid
} NetworkBoard;

// The squares whose pieces differ.
typedef struct NetworkChanges {
    int count;
    uint8_t square[SQUARE_COUNT];
    Piece old[SQUARE_COUNT], new[SQUARE_COUNT];
} NetworkChanges;

// Finds the squares on which `position` differs from `seen`, then copies the position to `seen`. If
// `table` is given, also updates seen->places.
ALWAYS_INLINE void network_changes(NetworkBoard *seen, const Position *position,
                                   const IntQuad *table, NetworkChanges *changes) {
    Bitboard differ = (seen->by_side[RED] ^ position->by_side[RED]) |
                      (seen->by_side[BLACK] ^ position->by_side[BLACK]);
    for (int type = GENERAL; type <= SOLDIER; type++) {
        differ |= seen->by_type[type] ^ position->by_type[type];
    }
    int count = 0;
    while (differ) {
        const int square = bb_pop(&differ);
        changes->square[count] = (uint8_t)square;
        changes->old[count] = seen->board[square];
        changes->new[count] = position->board[square];
        if (table)
            seen->places += table[square * PIECE_COUNT + changes->new[count]] -
                            table[square * PIECE_COUNT + changes->old[count]];
        count++;
    }
    changes->count = count;
    memcpy(seen->by_type, position->by_type, sizeof seen->by_type);
    memcpy(seen->by_side, position->by_side, sizeof seen->by_side);
    memcpy(seen->board, position->board, sizeof seen->board);
}
