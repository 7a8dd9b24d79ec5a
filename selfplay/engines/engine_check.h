// SPDX-License-Identifier: GPL-3.0-or-later
// Tests how an engine follows its protocol, and reports its faults.
#pragma once

#include "selfplay/engines/player_spec.h"

// Runs all checks on the program of the spec and prints their findings. Sets *bad to the number of
// checks with the verdict "bad". If the spec has no limit, moves are searched to depth 4. If the
// engine cannot be started, the check `handshake` has the verdict "bad" and no other check runs.
// Returns STATUS_USAGE if the player is not a program.
Status engine_check(const PlayerSpec *spec, bool json, FILE *out, int *bad, Err *err);
