// SPDX-License-Identifier: GPL-3.0-or-later
// Writes a weight set or a network in another format, for `paotai weights convert`.
#pragma once

#include <stdio.h>

#include "core/base/status.h"

typedef enum WeightFormat { TO_TEXT, TO_HDF5, TO_NETWORK } WeightFormat;

typedef struct WeightConversion {
    const char *source; // name or path of the weight set or network to convert
    const char *out;    // path of the file to write, or NULL
    const char *errors; // weight set whose standard errors are written; NULL: `source`
    // path of the network whose checksum is written to the line NETWORK_KEEP (network.h); NULL: no
    // such line
    const char *keep;
} WeightConversion;

// Writes to conversion->out. If that is NULL, writes text to `out` and refuses other formats.
Status weights_convert(const WeightConversion *conversion, WeightFormat to, FILE *out, Err *err);
