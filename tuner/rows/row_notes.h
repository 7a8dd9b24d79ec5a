// SPDX-License-Identifier: GPL-3.0-or-later
// Messages about the positions of a fit, and about the players of their games.
#pragma once

#include <stdio.h>

#include "core/command/options.h"
#include "tuner/rows/rows.h"

// Says if scores and results make no sense together (sense.h). Unless `quiet` is set, also prints a
// line for each reason why games were left out, with their number, and says if positions of an
// imported file count as independent because nothing is known about their games.
void rows_note(const RowSet *rows, bool quiet, FILE *out);

// Warns if games in the command's directories were played by weights other than `name`. The
// provenance of each shard has the name and the hash of the weights. Prints one line for each
// directory with such games. The line names at most three of the other weights and ends with
// `advice`. Skips weights and files that cannot be read, because loading them later reports the
// error.
void rows_say_players(const CommandCall *call, const char *name, const char *advice);
