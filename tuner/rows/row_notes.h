// SPDX-License-Identifier: GPL-3.0-or-later
// Messages about the positions of a fit.
#pragma once

#include <stdio.h>

#include "tuner/rows/rows.h"

// Says if scores and results make no sense together (sense.h). Unless `quiet` is set, also prints a
// line for each reason why games were left out, with their number, and says if positions of an
// imported file count as independent because nothing is known about their games.
void rows_note(const RowSet *rows, bool quiet, FILE *out);
