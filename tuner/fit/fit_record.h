// SPDX-License-Identifier: GPL-3.0-or-later
// The record of a fit in its weight file, besides the weights: how it was made, its loss by
// iteration, standard errors, piece values. All of it stands in comment lines, so that the file is
// a weight file to everybody else, and `paotai report` needs no other.
//
//   # name=value                               options as resolved
//   # split_by=content                         start and moves decide which games are fitted (rows:
//                                              what a file of rows says)
//   # data PATH content_hash HEX               each run that was read
//   # value ENDGAME MIDDLEGAME OPENING ALL SE SE SE SE POSITIONS NAME     points (piece_table.h)
//   # se TERM MG EG MG EG ...                  standard errors, units
//   # decided TERM MG EG MG EG ...             share of each weight that the games decided
//   # errors_given SENTENCE                    what the errors assume
#pragma once

#include "tuner/fit/errors.h"

typedef struct FitRecord {
    bool has_errors, has_pieces;
    double error[2 * WEIGHT_COUNT], decided[2 * WEIGHT_COUNT];
    PieceTable pieces;
    char condition[200]; // which the errors assume; "": none
    Text notes;          // the other comment lines, without their marks
} FitRecord;

// Appends the lines to a provenance text (without the marks, which weights_format() adds).
void fit_record_format(const Fit *fit, const FitErrors *errors, Text *text);
// Those of the values of pieces alone.
void fit_record_format_pieces(const PieceTable *pieces, Text *text);

#define FIT_CONDITION "errors_given " // begins that line

// Appends the line of a fit to scores: results alone have errors so many times as large (NAN: not
// known).
void fit_condition_format(double times, Text *text);

// Reads what the text of a weight file tells; lines that are damaged count as notes.
void fit_record_parse(const char *text, FitRecord *record);
void fit_record_clear(FitRecord *record);
AUTO_VALUE(FitRecord, fit_record_clear)

// What is known of a set of weights: of 'default', 'classic' or a file that a fit wrote. Errors
// that are 0 or NAN are not known.
Status fit_record_load(const char *name_or_path, FitRecord *record, Err *err);
// Appends the lines of standard errors [2 * WEIGHT_COUNT], unless none is known.
void fit_record_format_se(const double *se, Text *text);

// The value behind "name=" at the start of a line of the notes, up to the end of the line: its
// length; NULL when there is none.
const char *fit_record_option(const FitRecord *record, const char *name, size_t *length);
// The same as a number; `otherwise` when there is none, or no number.
double fit_record_number(const FitRecord *record, const char *name, double otherwise);
