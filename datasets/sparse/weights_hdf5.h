// SPDX-License-Identifier: GPL-3.0-or-later
// Weight sets as HDF5: the data sets `names` ("table_horse[12]"), `weights`, `errors`, and the
// comment lines of the weight file as the attribute `provenance`. datasets/sparse/README.md
// documents the file for other programs.
#pragma once

#include "core/eval/weights.h"

// Writes a set with its standard errors [2 * WEIGHT_COUNT], of which those that are not above 0 are
// not known, and the lines of its provenance.
Status weights_write_hdf5(const Weights *weights, const double *errors, const char *path,
                          const char *provenance, Err *err);
// Reads such a file as the text form, which the caller frees: the WeightsReader of the program.
Status weights_read_hdf5(const char *path, char **text, Err *err);
