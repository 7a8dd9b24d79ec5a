// SPDX-License-Identifier: GPL-3.0-or-later
// Chooses the format of an export, and prints what the export did.
#pragma once

#include "datasets/exchange/export.h"

// Finds the format that 'data export' writes. `choice` is the value of --format: 0 for auto, or 1 +
// index among the formats that can be written. With auto, the ending of `out` decides. If `out` has
// no ending, or is NULL or "-", the format is csv. An ending that belongs to no format that can be
// written is an error.
Status export_choose_format(int choice, const char *out, const GameFormat **format, Err *err);
// Prints a line for each kind of data that was lost because `format` cannot hold it. If games were
// written as variations, prints how many.
void export_print_losses(const ExportReport *report, const GameFormat *format, FILE *out);
// Prints the counts of an export. `rows` is set if the option --rows was given: positions were
// written as rows of evaluation coefficients.
void export_print_counts(const ExportReport *report, bool rows, bool json, FILE *out);
