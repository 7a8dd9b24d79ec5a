// SPDX-License-Identifier: GPL-3.0-or-later
// Prints what an export did, and checks the name of its file.
#pragma once

#include "datasets/formats/export.h"

// Refuses an --out whose ending belongs to no format that can be written. `out` may be NULL or "-".
Status export_check_ending(const char *out, Err *err);
// Prints a line for each kind of data that the format cannot hold, and one if games became
// variations.
void export_print_losses(const ExportReport *report, const GameFormat *format, FILE *out);
// Prints the counts of an export of games or positions, or of sparse `rows`.
void export_print_counts(const ExportReport *report, bool rows, bool json, FILE *out);
