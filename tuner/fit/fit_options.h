// SPDX-License-Identifier: GPL-3.0-or-later
// Options of the commands that fit weights, and the fit that a weight file records.
#pragma once

#include "core/command/options.h"
#include "tuner/fit/fit.h"
#include "tuner/fit/fit_record.h"

// Rows for the option tables of the commands that fit weights. S is the type of the command's
// settings, M the name of its FitSetup member.
#define ROW_WEIGH(S, M)                                                                            \
    OPT_CHOICE("weigh", S, M.weigh, "games", "games|rows",                                         \
               "give equal weight in the loss to each game (games) or to each position (rows)")
#define ROW_LAMBDA(S, M)                                                                           \
    OPT_REAL("lambda", S, M.lambda, 0, 1, "0.2", "SHARE",                                          \
             "weight of the game's result in the target; the result that the search score "        \
             "predicts has the weight 1 - SHARE")
#define ROWS_LOSS(S, M)                                                                            \
    OPT_CHOICE("loss", S, M.loss, "cross-entropy", LOSS_NAMES, "loss function to minimise"),       \
        ROW_WEIGH(S, M), ROW_LAMBDA(S, M),                                                         \
        OPT_REAL("k", S, M.k, 0, 1, "0", "1/UNITS",                                                \
                 "slope K of the sigmoid that turns scores into expected results; 0: the K with "  \
                 "which the scores of the start weights have the least loss")
#define ROWS_SPLIT(S, M)                                                                           \
    OPT_REAL("valid-fraction", S, M.valid_fraction, 0, 0.9, "0.1", "SHARE",                        \
             "share of the games that is kept for validation"),                                    \
        OPT_REAL("test-fraction", S, M.test_fraction, 0, 0.9, "0", "SHARE",                        \
                 "share of the games that is kept for one final test")
#define ROW_WITH_FAULTS(S, member)                                                                 \
    OPT_FLAG("with-faults", S, member,                                                             \
             "also use games that ended by a time forfeit, a crash, an illegal move or another "   \
             "fault of a player; by default they are left out and counted")
#define ROW_FIT_SEED(S, M) OPT_U64("seed", S, M.seed, "1", "N", "seed of all random choices")
#define PRIOR_TIMES        "2" // default of `tune --prior-errors`
// Rows of an option table for the options of the prior. TIMES is the default of --prior-errors.
#define ROWS_PRIOR(S, M, TIMES)                                                                    \
    OPT_REAL("prior-sd", S, M.prior.sd, 0.001, 1e6, "80", "UNITS",                                 \
             "standard deviation of the prior around the start weights, for all weights except "   \
             "material values"),                                                                   \
        OPT_REAL("material-sd", S, M.prior.material_sd, 0.001, 1e6, "1000", "UNITS",               \
                 "standard deviation of the prior of material values around the start weights"),   \
        OPT_REAL(                                                                                  \
            "prior-errors", S, M.prior.se_times, 0, 1e6, TIMES, "TIMES",                           \
            "standard deviation of the prior as a multiple of each weight's standard error in "    \
            "--weights; weights without a known standard error use --prior-sd and --material-sd; " \
            "0: all "                                                                              \
            "weights use --prior-sd and --material-sd"),                                           \
        OPT_REAL("smooth-sd", S, M.prior.smooth_sd, 0, 1e6, "40", "UNITS",                         \
                 "smooth the entries of each term: neighbouring entries (adjacent squares or "     \
                 "numbers) should change alike; UNITS is the standard deviation by which their "   \
                 "changes from the start weights may differ; 0: no smoothing")
#define ROW_FIT_THREADS(S, M)                                                                      \
    OPT_INT("threads", S, M.threads, 1, 4096, "1", "N",                                            \
            "number of threads; the result does not depend on it", OPTION_NEUTRAL)

// Reads the start weights of a fit of the built-in terms by name or path, and their standard errors
// without the prior's pull (0 or NAN: unknown), which set the prior of the fit (E-063). A fit of
// --rows with other terms does not call it.
Status fit_read_start(const char *name, double start[2 * WEIGHT_COUNT], double se[2 * WEIGHT_COUNT],
                      Err *err);

// Returns the setup of the fit that a weight file records: loss, prior (without standard errors of
// the start), split of the games, and number of threads. Settings that the file does not record
// have the defaults of `paotai tune`.
FitSetup fit_setup_of_record(const FitRecord *record);
// Returns the prior by the default options of `paotai tune` for start weights without standard
// errors.
PriorSetup prior_setup_default(void);
