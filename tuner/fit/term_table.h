// SPDX-License-Identifier: GPL-3.0-or-later
// Weights of terms that are not ours, by name: what `tune --rows` prints and writes, and `weights
// show` reads.
#pragma once

#include <stdio.h>

#include "datasets/sparse/sparse_file.h"

enum { TERM_NOTE_SIZE = 64 };

typedef struct TermTable {
    SparseTerms terms;             // names, and whether there are phases
    double (*weights)[2];          // middlegame and endgame
    double (*errors)[2];           // standard errors; NULL: not known
    char (*notes)[TERM_NOTE_SIZE]; // why the games do not determine each; "": they do; or NULL
    char condition[200];           // which the errors assume; "": none
} TermTable;

// Reads a text table or HDF5. STATUS_NOT_FOUND: the file is neither. The caller frees by
// term_table_clear() in any case.
Status term_table_read(const char *path, TermTable *table, Err *err);
void term_table_clear(TermTable *table);
AUTO_VALUE(TermTable, term_table_clear)
// Writes HDF5, without the notes, where the path ends in .h5; else a text table, behind the
// provenance in comments and before the notes, which are comments too: # note TAB term TAB note.
Status term_table_write(const TermTable *table, const char *path, const char *provenance, Err *err);
// Prints the weights with their 95 % errors, notes and condition, or one object a line; `only`
// names one term (NULL: all). How many were printed.
size_t term_table_print(const TermTable *table, const char *only, bool json, FILE *out);
