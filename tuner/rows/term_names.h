// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the names of another program's terms. Numeric indices in brackets make terms
// with the same base name a table of squares or a curve; words in brackets are part of the name.
#pragma once

#include "datasets/sparse/sparse_file.h"

typedef enum FamilyKind {
    FAMILY_SINGLE, // one term without a numeric index
    FAMILY_CURVE,  // consecutive numbers
    FAMILY_TABLE,  // squares of the board, nine files
    FAMILY_HALF,   // squares of the board, five files: the left and the right half are equal
} FamilyKind;

enum { FAMILY_INDICES_MAX = 3 };

// Terms whose names differ only in numeric indices.
typedef struct TermFamily {
    char name[SPARSE_NAME_SIZE]; // name without the numeric indices
    FamilyKind kind;
    int indices;                      // number of numeric indices of each name
    int extent[FAMILY_INDICES_MAX];   // largest index plus one
    int count;                        // number of terms
    int *terms;                       // their numbers, in the order of the evaluation
    int (*place)[FAMILY_INDICES_MAX]; // numeric indices of each term
} TermFamily;

typedef struct TermFamilies {
    TermFamily *list;
    int count;
    int *family_of; // for each term the index of its family
} TermFamilies;

// Groups the terms by their names. A term that only holds the endgame value of another term
// (SparseTerms.value_of) is in no family; its family_of is that of the other term.
void term_families_init(TermFamilies *families, const SparseTerms *terms);
void term_families_clear(TermFamilies *families);
AUTO_VALUE(TermFamilies, term_families_clear)

// Returns true if a name has a numeric index.
bool term_names_have_indices(const SparseTerms *terms);

// Returns the square of a term of a table: rank * files + file. Returns its number for a curve.
int term_family_place(const TermFamily *family, int member);
