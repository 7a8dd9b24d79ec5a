// SPDX-License-Identifier: GPL-3.0-or-later
// Messages about the positions of a fit.
#pragma once

#include <stdio.h>

#include "tuner/rows/rows.h"

// Prints a line for each reason why games were left out, with their number. Also says if positions
// of an imported file count as independent because nothing is known about their games.
void rows_note_left_out(const RowSet *rows, FILE *out);
