// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzzes the readers of supply chess and banqi: weight files, positions and turns. The first byte
// of an input selects the game, and the second one is 'w' for a weight file or 'p' for a position
// with turns.
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/variants/variant.h"
#include "tests/fuzz/fuzz.h"

// If weights are accepted, the file has at least one term and no term twice.
static void fuzz_weights_of(const Variant *game, char *text) {
    VariantWeights weights;
    Err err = {0};
    int terms[VARIANT_MAX_TERMS] = {0}, known = 0;
    if (variant_weights_parse(game, text, "input", &weights, &err) != STATUS_OK) {
        require(err.text[0] != '\0');
        return;
    }
    for (char *line; (line = text_next_field(&text, '\n'));) {
        line = text_trim(line);
        const size_t length = strcspn(line, "\t");
        for (int i = 0; i < game->term_count; i++) {
            if (!text_word_is(line, length, game->terms[i].name)) continue;
            known++;
            require(++terms[i] == 1);
        }
    }
    require(known > 0);
}

// Plays the turns as long as they can be read. The position must be the same after it was written
// and read back.
static void fuzz_turns_of(const Variant *game, char *text) {
    VariantState state = {0}, again = {0};
    Text written = {0};
    Err err = {0};
    const char *start = text_next_field(&text, '\n');
    const int rules = text && *text ? (uint8_t)*text % 2 : 0;
    if (game->read(start, game->choices ? rules : 0, &state, &err) != STATUS_OK) {
        require(err.text[0] != '\0');
        return;
    }
    game->write(&state, &written);
    require(game->read(text_get(&written), game->choices ? rules : 0, &again, &err) == STATUS_OK);
    require(again.key == state.key);
    for (char *word; text && (word = text_next_field(&text, ' '));) {
        Move move;
        Piece piece;
        VariantChance chance;
        int counts[VARIANT_MAX_TERMS];
        if (variant_read_turn(game, &state, word, &move, &piece, &err) != STATUS_OK) continue;
        variant_chance(game, &state, move, &chance);
        while (chance.all && !piece) {
            for (int i = 0; i < PIECE_COUNT; i++) piece = chance.counts[i] ? (Piece)i : piece;
        }
        game->play(&state, move, piece);
        variant_counts(game, &state, counts);
    }
    text_clear(&written);
}

FUZZ(variants) {
    if (size < 2) return;
    const Variant *game = variant_at(data[0] % 2);
    AUTO_FREE char *text = memory_alloc(size - 1, 1);
    memcpy(text, data + 2, size - 2);
    if (data[1] == 'w') {
        fuzz_weights_of(game, text);
    } else {
        fuzz_turns_of(game, text);
    }
}
