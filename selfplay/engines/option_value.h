// SPDX-License-Identifier: GPL-3.0-or-later
// Checks the value of an engine's option against what the engine declares of it.
#pragma once

#include "selfplay/engines/player_spec.h"

// Checks a value against a declaration of UCI or UCCI ("type spin default 1 min 1 max 9", "type
// combo var a var b") or of XBoard's protocol ("-spin 1 1 9", "-combo a /// b"), which ends with
// its line. STATUS_USAGE names option, value and what is allowed. A declaration that cannot be read
// allows everything.
Status option_value_check(const PlayerOption *option, const char *declared, Err *err);
