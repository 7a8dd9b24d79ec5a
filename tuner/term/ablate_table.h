// SPDX-License-Identifier: GPL-3.0-or-later
// The table of `paotai ablate`: one line for each group of terms, in a file and on the screen.
#pragma once

#include <stdio.h>

#include "core/eval/weights.h"
#include "tuner/term/study.h"

enum { GROUP_NAME_SIZE = 80, GROUPS_MAX = WEIGHT_TERM_COUNT, ABLATE_NAME_SIZE = 256 };

typedef struct AblateLine {
    char terms[ABLATE_NAME_SIZE];
    Estimate change;
    WeightsMatch match;
    // Number of positions in which a weight of the group occurs more often for one side than for
    // the other, and number of games with such a position.
    unsigned long long positions, met_in;
    double r2;
    char by[128];     // terms that explain the group best, from collinearity_add_list(), or "-"
    char verdict[48]; // verdict as a word, from ablate_word_add()
} AblateLine;

typedef struct AblateTable {
    AblateLine lines[GROUPS_MAX];
    int count;
} AblateTable;

void ablate_table_add(AblateTable *table, const Study *study);
// Writes the table to a file: the comment lines `head` and legend, the names of the columns, and a
// line for each group.
Status ablate_table_write(const AblateTable *table, const char *head, const char *path, Err *err);
// Reads a file of ablate_table_write(). Returns STATUS_MISMATCH if its first line is not `head`.
Status ablate_table_read(AblateTable *table, const char *head, const char *path, Err *err);
// Returns true if a text, the content of a file, is a table of ablate_table_write().
bool ablate_table_is(const char *text);
// Sorts the groups and prints them; with `json` set, one object per line. Groups with a match come
// first, sorted by Elo. The others are sorted by the change of the loss. Without `json`, a last
// line counts the significant changes of the loss, and says how many of them are expected by
// chance.
void ablate_table_print(AblateTable *table, bool json, FILE *out);

// Lists the groups of built-in terms and returns their number. A group consists of the terms whose
// names begin with the same word. Material terms are in no group.
int ablate_groups(char groups[GROUPS_MAX][GROUP_NAME_SIZE]);
