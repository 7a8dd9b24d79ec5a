// SPDX-License-Identifier: GPL-3.0-or-later
// Records what made a file of rows, and finds what has changed since then.
#pragma once

#include "tuner/trace/trace_load.h"

// Appends what makes the rows, as lines "KEY VALUE": hashes of the terms, of the program's files,
// and of each run in `paths`, and the options of the program.
Status trace_origin(const Tracer *tracer, const SparseTerms *terms, const char *const *paths,
                    int count, Text *text, Err *err);

// Compares the lines of SparseTerms.origin with the terms, the program and the runs as they are
// now. Appends a line for each difference. Skips programs and runs that do not exist here.
void trace_origin_compare(const SparseTerms *terms, Text *text);
