// SPDX-License-Identifier: GPL-3.0-or-later
// HDF5 as a library that reports instead of printing.
#pragma once

#include <stdio.h>

// Switches HDF5's own error stack printing off; call once at start-up.
void datasets_library_init(void);
// The lines `hdf5 VERSION` and `zlib VERSION`.
void datasets_library_versions(FILE *out);
