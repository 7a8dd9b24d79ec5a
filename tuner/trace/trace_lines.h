// SPDX-License-Identifier: GPL-3.0-or-later
// Parses the lines of a trace: the answers with which an engine describes its evaluation. The
// functions accept any bytes.
//
//     trace phase 128                       answer to `trace terms`
//     trace term horse 400 430 fixed
//     trace ok 1
//     trace row value 406 phase 91 offset 6 terms 0:1
//     trace none check                      or a row, as the answer to `trace eval`
#pragma once

#include "core/base/hash.h"
#include "core/base/text.h"
#include "datasets/sparse/sparse_file.h"

enum { TRACE_LINE_MAX = 60000, TRACE_WORD_SIZE = 32 };

// The terms that an engine prints. Initialise with {.phase_max = 1, .unit = 1}; trace_terms_clear()
// frees the memory.
typedef struct TraceTerms {
    bool phased;      // the engine printed `trace phase`; otherwise each term has one value
    double phase_max; // P of `trace phase P`; 1 if the terms have no phases
    double unit;      // smallest step of `value`
    size_t count, capacity;
    struct TraceTerm {
        char name[SPARSE_NAME_SIZE];
        double start[2]; // middlegame and endgame value; both are the only value without phases
        double unit;     // smallest step of the values; 0: not printed
        bool fixed;      // the term is not fitted
    } * terms;
    bool complete; // `trace ok` was read
    Sha256 hash;   // SHA-256 of all lines of the answer
} TraceTerms;
void trace_terms_clear(TraceTerms *terms);
AUTO_VALUE(TraceTerms, trace_terms_clear)

// Reads a line of the answer to `trace terms`. Ignores lines that do not begin with `trace `. Sets
// terms->complete after `trace ok`, and then also the units that were not printed.
Status trace_terms_add_line(TraceTerms *terms, const char *line, Err *err);

// An answer to `trace eval`. The arrays have room for one entry of each term.
typedef struct TraceRow {
    char none[TRACE_WORD_SIZE]; // reason of `trace none`; "": the answer is a row
    double value;               // static evaluation from Red's view
    double phase, offset, factor;
    size_t count;             // number of coefficients
    int64_t *index;           // ascending
    double (*coefficient)[2]; // coefficients of the middlegame and of the endgame value
    bool *seen;               // all false between two calls of trace_row_parse()
    bool split;               // a term has different coefficients in the two phases
} TraceRow;
void trace_row_init(TraceRow *row, size_t terms);
void trace_row_clear(TraceRow *row);
AUTO_VALUE(TraceRow, trace_row_clear)

// Reads an answer to `trace eval`, which begins with `trace `. Returns STATUS_ENGINE with the text
// of `trace error`.
Status trace_row_parse(const TraceTerms *terms, const char *line, TraceRow *row, Err *err);

// Returns the evaluation of a row with the values of the terms. Sets *by_phase to the change of
// this evaluation if the phase were larger by 1.
double trace_row_sum(const TraceTerms *terms, const TraceRow *row, double *by_phase);
