// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzzes the readers of all notations. An input is a letter for the notation ('a' is the first), a
// FEN, a line feed and moves. If the FEN is invalid, the initial position is used. An accepted move
// must be legal. If it is written in any notation and read again, the result must be the same move.
// Bits 6 and 7 of the first byte select the style of writing.
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/notation/notation.h"
#include "tests/fuzz/fuzz.h"

static void check_all_systems(const NotationStyle *style, const Position *position, Move move) {
    for (int system = 0; system < NOTATION_SYSTEM_COUNT; system++) {
        char text[NOTATION_SIZE];
        Move again = MOVE_NONE;
        notation_write((NotationSystem)system, style, position, move, text);
        require(notation_read((NotationSystem)system, style, position, text, strlen(text), &again,
                              NULL) == STATUS_OK);
        require(again == move);
    }
}

static void play(NotationSystem system, const NotationStyle *style, Position *position,
                 const char *moves) {
    const char *word;
    size_t length;
    while (text_next_word(&moves, &word, &length)) {
        Move move = MOVE_NONE;
        Err err = {0};
        if (notation_read(system, style, position, word, length, &move, &err) != STATUS_OK) {
            require(err.text[0] != '\0');
            return;
        }
        require(position_is_pseudo_legal(position, move) && position_is_legal(position, move));
        check_all_systems(style, position, move);
        Position after;
        position_do_move(position, move, &after);
        *position = after;
    }
}

FUZZ(notation) {
    if (size == 0) return;
    char *text = memory_alloc(size, 1);
    memcpy(text, data + 1, size - 1);
    const NotationSystem system = (NotationSystem)((data[0] - 'a' + 256) % NOTATION_SYSTEM_COUNT);
    const NotationStyle style = {.glyphs = data[0] & 64, .shogi = data[0] & 128};
    char *moves = memchr(text, '\n', size - 1);
    if (moves) *moves++ = '\0';
    Position position;
    if (!moves || position_from_fen(&position, text, NULL) != STATUS_OK)
        position_init_start(&position);
    const char *first = moves ? moves : text;
    // Also read the whole text of the moves as if it were one move. This tests texts with zero
    // bytes and blanks.
    Move move;
    const size_t length = size - 1 - (size_t)(first - text);
    if (notation_read(system, &style, &position, first, length, &move, NULL) == STATUS_OK) {
        require(position_is_legal(&position, move));
    }
    play(system, &style, &position, first);
    free(text);
}
