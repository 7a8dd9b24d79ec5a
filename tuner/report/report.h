// SPDX-License-Identifier: GPL-3.0-or-later
// The report of a weight set: one HTML file with its pictures in it, which is also well-formed XML.
// It needs no network and no script.
#pragma once

#include "core/eval/network.h"
#include "tuner/fit/fit_record.h"
#include "tuner/rows/rows.h"

typedef struct ReportSource {
    const char *name;       // what the weights are called
    const char *text;       // of the weight file; "" where there is none
    const Weights *weights; // its values
    const RowSet *rows;     // positions to measure on; NULL: none
    bool fitted_rows;       // they are those of the fit, whose slopes are theirs
    bool unseen;            // the fit saw no game of them: all are measured
    const char *data;       // what the rows are called; NULL where there are none
    const char *games;      // a page of their games (view_write()), as the report links it; or NULL
    const char *run;        // whose games they are: the first of the rows' sources
    const char *match;      // what 'paotai match' of these weights printed; NULL: none was played
    const char *worth;      // the table that 'paotai ablate' left; NULL: none
    const char *command;    // that made the report
    const Network *network; // whose surplus over the weights is shown; NULL: none. The rows have
    const char *network_name; // boards then
    FitSetup setup; // how the weights were fitted: decides the loss and the games measured
} ReportSource;

// Measures, and appends the page. A report says what is missing in its place: only positions of one
// result are an error.
Status report_format(const ReportSource *source, Text *html, Err *err);
// The same into a file, in one piece.
Status report_write(const ReportSource *source, const char *path, Err *err);

// Two sets of weights side by side, on the same rows, which must be given: piece values, the
// largest differences by their errors, loss and calibration. *difference: loss of a less loss of b.
Status report_write_pair(const ReportSource *a, const ReportSource *b, const char *path,
                         Estimate *difference, Err *err);
