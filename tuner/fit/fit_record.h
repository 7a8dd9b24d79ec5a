// SPDX-License-Identifier: GPL-3.0-or-later
// The record of a fit in its weight file, besides the weights: options, data, standard errors and
// piece values. It consists of comment lines, so every reader of weight files can read the file.
// `paotai report` needs no other file of the fit.
//
// Comment lines of a weight file that describe its fit:
//   # name=value                            an option, or a number that the fit found (fitted_...)
//   # split_by=content                      a hash of start and moves decides whether a game is
//                                           fitted; with split_by=rows the file of --rows decides
//   # data PATH content_hash HEX            each run of games that was read
//   # value ENDGAME MIDDLEGAME OPENING ALL SE SE SE SE POSITIONS NAME
//                                           values of a piece in the stages of the game, then
//                                           their standard errors, all in points
//   # se TERM MG EG MG EG ...               standard errors of a term's weights, in units
//   # se_data TERM MG EG MG EG ...          standard errors without the prior's pull (errors.h); in
//                                           files without such lines, `se` is without it
//   # start TERM MG EG MG EG ...            weights from which the fit started
//   # new_term TERM                         a term that the start weights did not contain
//   # decided TERM MG EG MG EG ...          how far the games, not the prior, determined
//                                           each weight, 0 to 1
//   # errors_given SENTENCE                 assumption behind the standard errors
//   # errors_contain LIST                   sources of uncertainty that the standard errors
//                                           include; old files have no such line
#pragma once

#include "tuner/fit/errors.h"

typedef struct FitRecord {
    bool has_errors, has_pieces;
    bool has_pull; // the errors include the prior's pull (errors.h); false in older files
    // Standard errors that tables and reports show, and those without the prior's pull, which set
    // the prior of the next fit. Without has_pull both are equal. NAN: unknown.
    double error[2 * WEIGHT_COUNT], error_data[2 * WEIGHT_COUNT];
    double decided[2 * WEIGHT_COUNT];
    double start[2 * WEIGHT_COUNT]; // weights from which the fit started; NAN: unknown
    bool new_term[WEIGHT_TERM_COUNT];
    PieceTable pieces;
    char condition[200]; // assumption behind the standard errors; "": not recorded
    // sources of uncertainty that the standard errors include; "": unknown, or no standard errors
    char contain[400];
    // comment lines without their comment marks: those that no other member stores, and the line
    // errors_given
    Text notes;
} FitRecord;

// Appends the lines that begin with "value", "se", "se_data", "errors_contain", "start" and
// "decided" to a provenance text. weights_format() adds the comment marks later. Frozen weights
// keep the standard errors and shares of the start weights, whose record is `start`: no prior of
// this fit determined them.
void fit_record_format(const Fit *fit, const FitErrors *errors, const FitRecord *start, Text *text);
// Appends only the piece values, as lines that begin with the word "value".
void fit_record_format_pieces(const PieceTable *pieces, Text *text);

// First word of the line that states the assumption behind the standard errors of a fit.
#define FIT_CONDITION "errors_given "

// Texts for FitRecord.contain. They say what is included in the standard errors of a fit, of a fit
// by an older version (which ignored the error of the sigmoids that convert scores to results), and
// of piece values that were measured with given weights.
#define ERRORS_OF_FIT     "results, slopes of the loss, mix of positions, prior's pull"
#define ERRORS_OF_OLD_FIT "only results of games; true errors are up to twice as large"
// Appended to the list of a file without lines se_data.
#define ERRORS_WITHOUT_PULL "; not the pull of the prior"
// Appended to the list of a fit of some weights.
#define ERRORS_EXACT        "; piece values take the weights that were not fitted as exact"
#define ERRORS_OF_POSITIONS "mix of positions alone: the weights are taken as exact"

// Appends the sources of uncertainty that the standard errors of a fit include. The weights marked
// in `frozen` [2 * WEIGHT_COUNT] keep the errors of the start weights, whose record is `start`.
// `pieces` is set if the piece values were computed from this fit.
void fit_contain_describe(const bool *frozen, const FitRecord *start, bool pieces, Text *text);

// Appends the line "errors_contain" of a weight file: which sources of uncertainty the standard
// errors include. Appends nothing if `contain` is empty.
void fit_contain_format(const char *contain, Text *text);

// For a fit to search scores: appends the line "errors_given", which says that the standard errors
// ignore errors of these scores. `times` is the median ratio of the standard errors of a fit to
// results alone to those of this fit; NAN: unknown.
void fit_condition_format(double times, Text *text);

// Reads the description of a fit from the comment lines of a weight file. Comment lines that are
// not understood are kept in record->notes. A file with standard errors but without a line
// "errors_contain" is from an older version; record->contain is then ERRORS_OF_OLD_FIT. If the file
// has no lines "se_data", ERRORS_WITHOUT_PULL is appended in both cases.
void fit_record_parse(const char *text, FitRecord *record);
void fit_record_clear(FitRecord *record);
AUTO_VALUE(FitRecord, fit_record_clear)

// Reads the record of 'default', 'classic' or a weight file.
Status fit_record_load(const char *name_or_path, FitRecord *record, Err *err);
// Appends the lines `se` with the standard errors [2 * WEIGHT_COUNT]; appends nothing if all are
// unknown (not above 0). Also appends the lines `se_data` with the errors without the prior's pull,
// if these differ.
void fit_record_format_se(const double *se, const double *data, Text *text);

// Finds the note "name=value", whose value extends to the end of the line. Returns a pointer to the
// value and sets *length to its length in bytes. Returns NULL if there is no such note.
const char *fit_record_option(const FitRecord *record, const char *name, size_t *length);
// Returns the number in the note "name=value". Returns `otherwise` if the note is missing or is no
// number.
double fit_record_number(const FitRecord *record, const char *name, double otherwise);
