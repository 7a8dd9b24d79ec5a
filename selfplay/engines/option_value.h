// SPDX-License-Identifier: GPL-3.0-or-later
// Checks values of engine options against the declarations of the engine.
#pragma once

#include "selfplay/engines/player_spec.h"

// Checks a value against an option declaration of UCI or UCCI ("type spin default 1 min 1 max 9",
// "type combo var a var b") or of XBoard's protocol ("-spin 1 1 9", "-combo a /// b"). The
// declaration ends with its line. Returns STATUS_USAGE if the value is not allowed; the error names
// the option, the value and the allowed values. A declaration that cannot be parsed allows every
// value.
Status option_value_check(const PlayerOption *option, const char *declared, Err *err);
