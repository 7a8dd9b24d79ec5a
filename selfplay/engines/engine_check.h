// SPDX-License-Identifier: GPL-3.0-or-later
// Holds a conversation with an engine and says what it does wrong.
#pragma once

#include "selfplay/engines/player_spec.h"

// Runs every check against the program of the spec, and prints what it finds.
// *bad counts what is wrong. Without a limit in the spec moves are asked for by depth. An engine
// that cannot be started is a bad `handshake`, and the end. STATUS_USAGE when the spec is no
// program.
Status engine_check(const PlayerSpec *spec, bool json, FILE *out, int *bad, Err *err);
