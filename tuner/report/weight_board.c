// SPDX-License-Identifier: GPL-3.0-or-later
#include "tuner/report/weight_board.h"

#include <string.h>

#include "core/eval/eval.h"

const WeightTerm *board_find_table(const char *name, Err *err) {
    Text names = {0};
    for (int i = 0; i < WEIGHT_TERM_COUNT; i++) {
        if (weight_terms[i].shape == SHAPE_NONE) continue;
        if (strcmp(weight_terms[i].name, name) == 0) {
            text_clear(&names);
            return &weight_terms[i];
        }
        text_add(&names, " %s", weight_terms[i].name);
    }
    err_set(err, STATUS_USAGE, "'%s' is not a table; the tables are%s", name, text_get(&names));
    text_clear(&names);
    return NULL;
}

static bool covers_rank(const WeightTerm *term, int rank) {
    for (int file = 0; file < FILE_COUNT; file++) {
        if (eval_table_entry(term->shape, RED, square_make(file, rank)) >= 0) return true;
    }
    return false;
}

static void add_rank(const Score *values, const WeightTerm *term, int rank, bool endgame,
                     Text *text) {
    for (int file = 0; file < FILE_COUNT; file++) {
        const int entry = eval_table_entry(term->shape, RED, square_make(file, rank));
        if (entry < 0) {
            text_add(text, "%5s", ".");
        } else {
            text_add(text, "%5d", endgame ? values[entry].eg : values[entry].mg);
        }
    }
}

void term_board_text(const Weights *weights, const WeightTerm *term, Text *text) {
    const Score *values = weights_flat_const(weights) + term->first;
    int first = 0, last = RANK_COUNT - 1;
    while (!covers_rank(term, first)) first++;
    while (!covers_rank(term, last)) last--;
    text_add(text, "    %-45s     %s\n", "middlegame", "endgame");
    for (int rank = last; rank >= first; rank--) {
        text_add(text, "  %d ", rank);
        add_rank(values, term, rank, false, text);
        text_add(text, "     ");
        add_rank(values, term, rank, true, text);
        text_add(text, "\n");
        if (rank == 5 && first < 5) {
            text_add(text, "    %45s\n", "- - - - - - - - - - - river - - - - - - - - - - -");
        }
    }
    text_add(text, "    ");
    for (int board = 0; board < 2; board++) {
        for (int file = 0; file < FILE_COUNT; file++) text_add(text, "%5c", 'a' + file);
        text_add(text, "%s", board ? "\n" : "     ");
    }
}
