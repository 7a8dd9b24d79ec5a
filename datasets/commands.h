// SPDX-License-Identifier: GPL-3.0-or-later
// The commands of this folder; each lives in a cmd_*.c beside this file.
#pragma once

#include "core/base/options.h"

#define COMMAND(symbol) extern const Command symbol;
#include "datasets/commands.def"
#undef COMMAND
