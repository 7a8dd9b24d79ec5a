// SPDX-License-Identifier: GPL-3.0-or-later
// Writes the report of a weight set: one HTML file, also well-formed XML, with its pictures inside.
// It needs neither the Internet nor scripts.
#pragma once

#include "core/command/options.h"
#include "core/command/page.h"
#include "core/eval/network.h"
#include "selfplay/contest/stored_contest.h"
#include "tuner/fit/fit_record.h"
#include "tuner/rows/rows.h"

typedef struct ReportSource {
    const char *name;       // name of the weight set, as the page shows it
    const char *text;       // text of the weight file; "" if there is none
    const Weights *weights; // values of the weight set
    const RowSet *rows;     // positions to measure on; NULL: no measurement
    // true if `rows` come from exactly the runs of the fit; then the report uses the sigmoid slopes
    // of the fit instead of fitting new ones
    bool fitted_rows;
    // true if the fit used none of the games of `rows`; if so, all games are measured
    bool unseen;
    const char *data; // names of the runs, as the page shows them; NULL if `rows` is NULL
    const char
        *games; // link to the page with the games of `run` (contest_view_write()); NULL: no page
    const char *run;           // path of the run whose games the page `games` shows
    const MatchOutcome *match; // match whose verdict the page shows; NULL: no match
    // Three bit sets of players of the match (bit 0: A, bit 1: B): players with these weights,
    // players with the network, and programs whose weights are unknown.
    unsigned match_weights, match_network, match_programs;
    const char *worth;   // content of the table of 'paotai ablate'; NULL: no table
    const char *command; // command line that made the report
    // network to compare with the weights; NULL: none. With a network, `rows` must contain the
    // boards of the positions.
    const Network *network;
    const char *evaluation_name; // name of the network
    FitSetup setup; // settings of the fit: they determine the loss and the measured games
} ReportSource;

// Reads a weight set into *weights and into the members of *source that describe it. Does not
// change setup.threads. Sets *text to the text of the weight file; the caller frees it.
Status report_read_set(const char *name, Weights *weights, char **text, ReportSource *source,
                       Err *err);
// Loads the games of the runs. Of large runs, loads only the test games of the fit, or its
// validation games if it has no test games. Sets rows, data (which points into *names) and
// fitted_rows of *source. If `unseen` is set, refuses a run to which
// the weights or the network were fitted, as their file says.
Status report_load_rows(const OptionTexts *data, FILE *show, ReportSource *source, RowSet *rows,
                        Text *names, Err *err);
// Loads the network with which the report compares the weights: `best` or a file. The caller frees
// *network.
Status report_read_network(const char *name, ReportSource *source, Network **network, Err *err);
// Links the report at `out` to the page `games`, which shows the games of `run`: by a relative path
// if both pages are in one directory.
void report_link_games(ReportSource *source, const char *out, const char *games, const char *run);
// Reads the run directory of a match. Sets all members of *source whose names begin with `match`.
// *outcome uses memory of *contest. Returns an error if neither player can have had the weights or
// the network of the report. An external engine can: a run does not record the evaluation of such
// an engine.
Status report_read_match(const char *run, ReportSource *source, StoredContest *contest,
                         MatchOutcome *outcome, Err *err);

// Measures the weights on the positions source->rows and appends the page. If the data of a picture
// or section are missing, the page says so or leaves it out. Returns an error if the positions
// cannot be measured, for example because all have the same result, or if source->run cannot be
// read.
Status report_format(const ReportSource *source, Html *html, Err *err);
// Like report_format(), but writes the page to a file.
Status report_write(const ReportSource *source, const char *path, Err *err);

// Writes a page that compares two weight sets on the same positions, to which both a->rows and
// b->rows must point. The page shows piece values, loss, calibration, and the differences that are
// largest in units of their standard errors. Sets *difference to the loss of `a` minus that of `b`.
Status report_write_pair(const ReportSource *a, const ReportSource *b, const char *path,
                         Estimate *difference, Err *err);
