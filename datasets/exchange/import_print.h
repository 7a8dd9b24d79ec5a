// SPDX-License-Identifier: GPL-3.0-or-later
// Prints the messages and the counts of an import.
#pragma once

#include <stdio.h>

#include "datasets/exchange/import.h"
#include "datasets/store/summary.h"

// Prints a message about a refused record, or about a refused file if place->number is 0: as a
// line, or as a JSON object if `json` is set. In a line, control characters in file names are
// replaced by '?'.
void import_print_refused(const ImportPlace *place, const char *why, bool json, FILE *out);
// Prints advice about refused records, and lists the files that were not read because of their
// names. `run` is the run directory.
void import_print_notes(const ImportReport *report, const char *run, FILE *out);
// Prints the counts of an import. `different` has the numbers of distinct games and positions of
// the new run; it is all zero if no game was kept, and NULL if these numbers are unknown.
void import_print_summary(const ImportReport *report, const StoreSummary *different, bool json,
                          FILE *out);
