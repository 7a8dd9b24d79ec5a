// SPDX-License-Identifier: GPL-3.0-or-later
// Finds out which rows of a file of positions belong to one game.
#include <stdlib.h>

#include "core/base/random.h"
#include "datasets/formats/position_lines.h"

// Largest number of pieces that may have moved between two rows of a game if the file does not
// count plies. Usually more pieces differ between positions of different games.
enum { MOST_MOVED = 16 };

void row_groups_clear(RowGroups *groups) {
    key_map_clear(&groups->numbers);
    *groups = (RowGroups){.open = false};
}

// Sets *gap to the number of plies from the last row to the next. Returns false if the rows do not
// say it: they have no ply numbers, and their FENs have no move numbers above 1.
static bool ply_gap(const RowGroups *last, const PositionEntry *next, int64_t *gap) {
    const Position *from = &last->position, *to = &next->position;
    if (last->ply >= 0 && next->ply >= 0) {
        *gap = next->ply - last->ply;
        return true;
    }
    *gap = 2 * (to->fullmove - from->fullmove) + (to->stm == BLACK) - (from->stm == BLACK);
    return from->fullmove > 1 || to->fullmove > 1;
}

// Returns true if `to` can come after `from` in a game: no piece was added, and at most `most`
// pieces moved, and at most `most` were captured.
static bool can_follow(const Position *from, const Position *to, int64_t most) {
    int moved = 0, lost = 0;
    for (int side = RED; side <= BLACK; side++) {
        for (int type = NO_PIECE_TYPE + 1; type < PIECE_TYPE_COUNT; type++) {
            const Bitboard old = position_pieces(from, (Side)side, (PieceType)type),
                           new = position_pieces(to, (Side)side, (PieceType)type);
            if (bb_count(new) > bb_count(old)) return false;
            moved += bb_count(new & ~old);
            lost += bb_count(old) - bb_count(new);
        }
    }
    return moved <= most && lost <= most;
}

// Returns true if a row without a number of its game can belong to the game of the last row.
static bool continues_game(const RowGroups *last, const PositionEntry *next) {
    int64_t gap;
    if (!last->open || last->has_result != next->has_result || last->result != next->result) {
        return false;
    }
    if (!ply_gap(last, next, &gap)) gap = MOST_MOVED;
    return gap >= 0 && can_follow(&last->position, &next->position, gap);
}

uint64_t row_group_of(RowGroups *groups, const PositionEntry *entry) {
    // The hash depends on the first row of the game and on the row before it, not on the file, so
    // that the parts of a split do not depend on the format or the name of the file.
    const uint64_t new =
        random_mix(position_content_key(&entry->position, true) ^
                   random_mix(groups->open ? position_content_key(&groups->position, true) : 0));
    uint64_t key = groups->key;
    if (entry->game >= 0) {
        uint64_t *known = key_map_at(&groups->numbers, random_mix((uint64_t)entry->game));
        if (*known == 0) *known = new | 1;
        key = *known;
    } else if (key % 2 == 1 || !continues_game(groups, entry)) {
        key = new > 1 ? new - new % 2 : 2;
    }
    groups->open = true;
    groups->position = entry->position;
    groups->ply = entry->ply;
    groups->has_result = entry->has_result;
    groups->result = entry->result;
    groups->key = key;
    return key;
}
