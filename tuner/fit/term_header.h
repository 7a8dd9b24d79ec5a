// SPDX-License-Identifier: GPL-3.0-or-later
// Writes fitted values of another program's terms as a C header, and reads them.
#pragma once

#include "core/base/text.h"
#include "tuner/fit/term_table.h"

// Appends a header with one array for each group of terms whose names differ only in numeric
// indices: these become dimensions (largest index plus one), and words of the name are joined by
// `_`. Terms with phases have two arrays, with _mg and _eg at the end of the name. The elements are
// `int` if the units of the group are integers, else `double`.
void term_header_format(const TermTable *table, const char *provenance, Text *text);

// Reads the values of `terms` from the text of such a header. Returns STATUS_BAD_INPUT if the
// header has no value for a term; the message names the term.
Status term_header_read(const SparseTerms *terms, const char *text, double (*values)[2], Err *err);
