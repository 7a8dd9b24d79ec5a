// SPDX-License-Identifier: GPL-3.0-or-later
// Weights of terms that are not ours, by name, as `tune --rows` prints and writes them.
#pragma once

#include <stdio.h>

#include "datasets/sparse/sparse_file.h"

enum { TERM_NOTE_SIZE = 64 };

typedef struct TermTable {
    SparseTerms terms;             // names, and whether there are phases
    double (*weights)[2];          // middlegame and endgame
    double (*errors)[2];           // standard errors
    char (*notes)[TERM_NOTE_SIZE]; // why the games do not determine each; "": they do
} TermTable;

// Writes HDF5, without the notes, where the path ends in .h5; else a text table, behind the
// provenance in comments and before the notes, which are comments too: # note TAB term TAB note.
Status term_table_write(const TermTable *table, const char *path, const char *provenance, Err *err);
// Prints the weights with their 95 % errors and notes, or one object a line.
void term_table_print(const TermTable *table, bool json, FILE *out);
