// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/notation/opening_name.h"

#include <string.h>

#include "core/board/position.h"

static const struct {
    const char *name, *moves;
} openings[OPENING_NAME_COUNT] = {
#define OPENING(name, moves) {name, moves},
#include "core/notation/openings.def"
};

// Returns the length in plies of an opening if the game begins with its moves, else 0. If
// `mirrored` is set, compares the mirror image of the moves.
static size_t matches(const char *pattern, const Move *moves, size_t count, bool mirrored) {
    enum { MOVE_WIDTH = sizeof "h2e2" };
    const size_t length = (strlen(pattern) + 1) / MOVE_WIDTH;
    if (length > count) return 0;
    for (size_t i = 0; i < length; i++) {
        Move wanted = move_from_uci(pattern + MOVE_WIDTH * i);
        if (mirrored)
            wanted = move_make(square_mirror(move_from(wanted)), square_mirror(move_to(wanted)));
        if (moves[i] != wanted) return 0;
    }
    return length;
}

int opening_of_moves(const Move *moves, size_t count) {
    size_t longest = 0;
    int best = -1;
    for (int i = 0; i < 2 * OPENING_NAME_COUNT; i++) {
        const size_t length = matches(openings[i / 2].moves, moves, count, i % 2);
        if (length <= longest) continue;
        longest = length;
        best = i / 2;
    }
    return best;
}

const char *opening_name(int opening) {
    return opening < 0 ? "none of them" : openings[opening].name;
}
