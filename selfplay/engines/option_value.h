// SPDX-License-Identifier: GPL-3.0-or-later
// Checks a value for an engine's option against the declaration of that option.
#pragma once

#include "selfplay/engines/player_spec.h"

// Checks the value of an option. `declared` is the declaration in UCI or UCCI ("type spin default 1
// min 1 max 9", "type combo var a var b") or in XBoard's protocol ("-spin 1 1 9", "-combo a ///
// b"); text after the first line end is ignored. Returns STATUS_USAGE if the value is not allowed;
// the error names the option, the value and the allowed values. A declaration that cannot be parsed
// allows every value.
Status option_value_check(const PlayerOption *option, const char *declared, Err *err);
// Returns the allowed value nearest to `value`: within the range of a spin option of UCI or UCCI,
// otherwise `value` itself. `declared` is a declaration as above.
long long option_value_nearest(const char *declared, long long value);
