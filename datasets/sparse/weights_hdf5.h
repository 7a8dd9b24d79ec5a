// SPDX-License-Identifier: GPL-3.0-or-later
// Weights as HDF5 files. The data sets are `names` (such as "table_horse[12]"), `weights` and, if
// known, `errors`. The attribute `provenance` has the comment lines of the text form.
// datasets/sparse/README.md documents these files for authors of other programs.
#pragma once

#include "core/eval/weights.h"

// Writes weights, their standard errors (an array of 2 * WEIGHT_COUNT, or NULL), and their
// provenance. An error that is 0 or negative is unknown and written as 0.
Status weights_write_hdf5(const Weights *weights, const double *errors, const char *path,
                          const char *provenance, Err *err);
// Reads an HDF5 file of weights and converts it to the text form of a weight file, which the caller
// frees. Rounds the weights to integers; err_note() reports it if a weight changes. main() installs
// this function by weights_set_hdf5_reader().
Status weights_read_hdf5(const char *path, char **text, Err *err);
