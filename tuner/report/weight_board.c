// SPDX-License-Identifier: GPL-3.0-or-later
#include "tuner/report/weight_board.h"

#include <string.h>

#include "core/eval/eval.h"

// Which kind a table is about, and the ranks it covers as its owner counts them.
typedef struct Table {
    const char *term, *owner;
    PieceType type;
    int first_rank, last_rank;
} Table;
static const Table tables[] = {
    {"table_general", "the general", GENERAL, 0, 2},
    {"table_advisor", "an advisor", ADVISOR, 0, 2},
    {"table_elephant", "an elephant", ELEPHANT, 0, 4},
    {"table_horse", "a horse", HORSE, 0, 9},
    {"table_chariot", "a chariot", CHARIOT, 0, 9},
    {"table_cannon", "a cannon", CANNON, 0, 9},
    {"table_soldier", "a soldier at home", SOLDIER, 3, 4},
    {"table_soldier_crossed", "a soldier across the river", SOLDIER, 5, 9},
};
enum { TABLE_COUNT = sizeof tables / sizeof *tables };

static const Table *find(const char *name) {
    for (int i = 0; i < TABLE_COUNT; i++) {
        if (strcmp(tables[i].term, name) == 0) return &tables[i];
    }
    return NULL;
}

const char *board_owner(const WeightTerm *term) {
    const Table *table = find(term->name);
    return table ? table->owner : term->meaning;
}

bool board_is_table(const WeightTerm *term) {
    return find(term->name) != NULL;
}

int board_entry(const WeightTerm *term, int square) {
    const Table *table = find(term->name);
    const int rank = square_rank(square);
    if (!table || rank < table->first_rank || rank > table->last_rank) return -1;
    return eval_table_index(table->type, RED, square);
}

const WeightTerm *board_find_table(const char *name, Err *err) {
    for (int i = 0; i < WEIGHT_TERM_COUNT; i++) {
        if (find(name) && strcmp(weight_terms[i].name, name) == 0) return &weight_terms[i];
    }
    Text names = {0};
    for (int i = 0; i < TABLE_COUNT; i++) text_add(&names, " %s", tables[i].term);
    err_set(err, STATUS_USAGE, "'%s' is not a table; the tables are%s", name, text_get(&names));
    text_clear(&names);
    return NULL;
}

static void add_rank(const Score *values, const WeightTerm *term, int rank, bool endgame,
                     Text *text) {
    for (int file = 0; file < FILE_COUNT; file++) {
        const int entry = board_entry(term, square_make(file, rank));
        if (entry < 0) {
            text_add(text, "%5s", ".");
        } else {
            text_add(text, "%5d", endgame ? values[entry].eg : values[entry].mg);
        }
    }
}

void term_board_text(const Weights *weights, const WeightTerm *term, Text *text) {
    const Score *values = weights_flat_const(weights) + term->first;
    const Table *table = find(term->name);
    text_add(text, "    %-45s     %s\n", "middlegame", "endgame");
    for (int rank = table->last_rank; rank >= table->first_rank; rank--) {
        text_add(text, "  %d ", rank);
        add_rank(values, term, rank, false, text);
        text_add(text, "     ");
        add_rank(values, term, rank, true, text);
        text_add(text, "\n");
        if (rank == 5 && table->first_rank < 5) {
            text_add(text, "    %45s\n", "- - - - - - - - - - - river - - - - - - - - - - -");
        }
    }
    text_add(text, "    ");
    for (int board = 0; board < 2; board++) {
        for (int file = 0; file < FILE_COUNT; file++) text_add(text, "%5c", 'a' + file);
        text_add(text, "%s", board ? "\n" : "     ");
    }
}
