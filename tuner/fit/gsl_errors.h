// SPDX-License-Identifier: GPL-3.0-or-later
// GSL as a library that returns codes instead of aborting.
#pragma once

#include <stdio.h>

// Switches GSL's aborting error handler off; call once at start-up.
void tuner_library_init(void);
// The line `gsl VERSION`.
void tuner_library_versions(FILE *out);
