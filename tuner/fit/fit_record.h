// SPDX-License-Identifier: GPL-3.0-or-later
// The record of a fit that its weight file contains besides the weights: options, data, standard
// errors and piece values. All of it stands in comment lines, so every reader of weight files can
// read the file, and `paotai report` needs no other file.
//
//   # name=value                               options as resolved
//   # split_by=content                         start and moves decide which games are fitted (rows:
//                                              what a file of rows says)
//   # data PATH content_hash HEX               each run that was read
//   # value ENDGAME MIDDLEGAME OPENING ALL SE SE SE SE POSITIONS NAME     points (piece_table.h)
//   # se TERM MG EG MG EG ...                  standard errors, units
//   # start TERM MG EG MG EG ...              weights from which the fit started
//   # new_term TERM                            a term that the start did not know
//   # decided TERM MG EG MG EG ...             share of each weight that the games decided
//   # errors_given SENTENCE                    what the errors assume
//   # errors_contain LIST                      what the errors contain; missing before E-083
#pragma once

#include "tuner/fit/errors.h"

typedef struct FitRecord {
    bool has_errors, has_pieces;
    double error[2 * WEIGHT_COUNT], decided[2 * WEIGHT_COUNT];
    double start[2 * WEIGHT_COUNT]; // NAN: unknown
    bool new_term[WEIGHT_TERM_COUNT];
    PieceTable pieces;
    char condition[200]; // the assumption behind the errors; "": not recorded
    char contain[200];   // sources of uncertainty in the errors; "": there are no errors
    Text notes;          // all other comment lines, without the comment marks
} FitRecord;

// Appends the lines of the record to a provenance text, without comment marks; weights_format()
// adds them.
void fit_record_format(const Fit *fit, const FitErrors *errors, Text *text);
// Appends only the lines `value`, the values of the pieces.
void fit_record_format_pieces(const PieceTable *pieces, Text *text);

#define FIT_CONDITION "errors_given " // first word of that line

// Which uncertainties the printed errors contain: those of a fit, those of a fit that was made
// before E-083, and those of piece values that are measured with given weights.
#define ERRORS_OF_FIT       "results of the games, slopes of the loss, mix of positions"
#define ERRORS_OF_OLD_FIT   "results of games; true errors are up to twice these (E-083)"
#define ERRORS_OF_POSITIONS "mix of positions alone: the weights are taken as exact"

// Appends the line errors_contain, if it is known.
void fit_contain_format(const char *contain, Text *text);

// Appends the line errors_given for a fit to search scores. `times` is the ratio of the standard
// errors of a fit to results alone to those of the fit; NAN: unknown.
void fit_condition_format(double times, Text *text);

// Reads the record from the text of a weight file. A damaged line counts as a note.
void fit_record_parse(const char *text, FitRecord *record);
void fit_record_clear(FitRecord *record);
AUTO_VALUE(FitRecord, fit_record_clear)

// Reads the record of 'default', 'classic' or a weight file. An error of 0 or NAN is unknown.
Status fit_record_load(const char *name_or_path, FitRecord *record, Err *err);
// Appends the lines `se` with the standard errors [2 * WEIGHT_COUNT]; appends nothing if all are
// unknown.
void fit_record_format_se(const double *se, Text *text);

// Returns the value of the note "name=value", which extends to the end of its line, and sets
// *length. Returns NULL if there is no such note.
const char *fit_record_option(const FitRecord *record, const char *name, size_t *length);
// Returns the number in the note "name=value"; `otherwise` if the note is missing or holds no
// number.
double fit_record_number(const FitRecord *record, const char *name, double otherwise);
