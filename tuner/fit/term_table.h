// SPDX-License-Identifier: GPL-3.0-or-later
// A table of weights by name for terms that are not built in. `tune --rows` prints and writes it.
#pragma once

#include <stdio.h>

#include "datasets/sparse/sparse_file.h"

enum { TERM_NOTE_SIZE = 64 };

typedef struct TermTable {
    // names of the terms, and whether each has two weights, for middlegame and endgame, or one
    const SparseTerms *terms;
    // middlegame and endgame weight of each term; a term without phases uses only the first
    double (*weights)[2];
    double (*errors)[2]; // standard errors of the terms' weights
    // For each term, why the games do not determine the weight; "": they do.
    char (*notes)[TERM_NOTE_SIZE];
} TermTable;

// Writes the table to `path`, as HDF5 without the notes if the path ends in .h5, and as a C header
// without errors and notes if it ends in .h (term_header.h). Otherwise writes text: the provenance
// as comments, the table, and a comment "# note TAB term TAB note" for each note.
Status term_table_write(const TermTable *table, const char *path, const char *provenance, Err *err);
// Prints the weights with their 95 % errors and notes, as a table or as one JSON object per line.
void term_table_print(const TermTable *table, bool json, FILE *out);
