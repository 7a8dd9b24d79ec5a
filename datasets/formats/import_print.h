// SPDX-License-Identifier: GPL-3.0-or-later
// Prints what an import did.
#pragma once

#include <stdio.h>

#include "datasets/formats/import.h"
#include "datasets/store/summary.h"

// Prints a refused record, or a refused file if place->number is 0. File names can contain
// anything.
void import_print_refused(const ImportPlace *place, const char *why, bool json, FILE *out);
// Prints what the user can do about refused records, and the files that were passed over. `run` is
// the run directory.
void import_print_notes(const ImportReport *report, const char *run, FILE *out);
// Prints the counts. `different` has those of the run directory; it is zero if no game was kept.
void import_print_summary(const ImportReport *report, const StoreSummary *different, bool json,
                          FILE *out);
