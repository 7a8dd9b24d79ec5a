// SPDX-License-Identifier: GPL-3.0-or-later
// Input of the commands whose records are lines with a FEN: judge, notation, analyse.
#pragma once

#include "core/command/options.h"

// Checks the first argument of the call, the name of a file, before the file is opened. If it is no
// file but a position or a move, returns STATUS_USAGE with the command line to type. If the command
// reads standard input and this is a terminal, says on standard error what is read. `record`
// describes a record: "FEN", "FEN<tab>MOVE" or "FEN<tab>MOVES".
Status record_input_begin(const CommandCall *call, const char *record, Err *err);
