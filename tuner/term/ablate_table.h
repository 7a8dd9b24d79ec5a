// SPDX-License-Identifier: GPL-3.0-or-later
// The table of `paotai ablate`: a line for each group, in a file and on the screen.
#pragma once

#include <stdio.h>

#include "core/eval/weights.h"
#include "tuner/term/ablation.h"

enum { GROUP_NAME_SIZE = 80, GROUPS_MAX = WEIGHT_TERM_COUNT };

// A line of the table: one ablation.
typedef struct AblateLine {
    char terms[ABLATION_NAME_SIZE];
    Estimate change;
    TermMatch match;
    unsigned long long positions, met_in; // positions and games that have the group
    double r2;
    char by[128]; // terms that explain most of the group; "-" if no term does
    char verdict[16];
} AblateLine;

typedef struct AblateTable {
    AblateLine lines[GROUPS_MAX];
    int count;
} AblateTable;

void ablate_table_add(AblateTable *table, const Ablation *ablation, const RowSet *rows);
// Writes the table behind `head`, a comment line, and the names of the columns.
Status ablate_table_write(const AblateTable *table, const char *head, const char *path, Err *err);
// Reads such a file. STATUS_MISMATCH: its head is another.
Status ablate_table_read(AblateTable *table, const char *head, const char *path, Err *err);
// Sorts by worth and prints; the last line counts the verdicts and says how many of them chance
// alone would give. With `json` an object for each line.
void ablate_table_print(AblateTable *table, bool json, FILE *out);

// Lists the groups of our terms: those whose names begin with the same word; material is none.
int ablate_groups(char groups[GROUPS_MAX][GROUP_NAME_SIZE]);
