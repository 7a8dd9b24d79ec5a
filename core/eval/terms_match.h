// SPDX-License-Identifier: GPL-3.0-or-later
// Matches the terms of a file of weights with the terms of an evaluation, by name. All readers of
// weights use it: text files, HDF5 files, networks, and the weights of other games.
#pragma once

#include <stdbool.h>

#include "core/base/text.h"

enum { TERMS_MATCH_MAX = 256 }; // largest number of terms of an evaluation

// The terms of an evaluation.
typedef struct TermNames {
    const char *owner;  // name of the owner of the terms, for messages, such as "this program"
    const char *remedy; // remedies for an unknown term, for messages
    int count;          // number of terms, at most TERMS_MATCH_MAX
    const char *names[TERMS_MATCH_MAX];
} TermNames;

// A term of the evaluation that the file lacks is reported by err_note(); callers set its weights
// to 0. A term that the evaluation lacks is left out with a note if `drop` is set, and an error
// otherwise. A term of the evaluation that occurs twice is an error.
typedef struct TermsMatch {
    const TermNames *terms; // borrowed
    bool drop;
    bool seen[TERMS_MATCH_MAX]; // true for each term of the evaluation that was already found in
                                // the file
    Text dropped;               // names of the terms that were left out
} TermsMatch;

// Returns the index of a term of the evaluation, or -1.
int term_names_find(const TermNames *terms, const char *name, size_t length);

// Finds the term of the evaluation with the name of a term of the file. If the evaluation lacks the
// term and `drop` is set, *index becomes -1.
Status terms_match(TermsMatch *match, const char *name, size_t length, int *index, Err *err);
// Call this after the last term of a file. Two notes name the terms of the evaluation that the file
// lacks, and the terms of the file that were left out. A file without any term of the evaluation is
// an error. `origin` is the name of the file in messages.
Status terms_match_end(TermsMatch *match, const char *origin, Err *err);
void terms_match_clear(TermsMatch *match);
AUTO_VALUE(TermsMatch, terms_match_clear)

// Reads the line of a term. The line does not begin with a blank and may be changed.
typedef Status ReadTerm(void *context, TermsMatch *match, char *line, Err *err);
// Reads a text with one term per line with `read`, then calls terms_match_end(). Skips blank lines
// and lines that begin with '#'. An error in a line names `origin` and the number of the line.
Status terms_read(const char *text, const char *origin, TermsMatch *match, ReadTerm *read,
                  void *context, Err *err);
