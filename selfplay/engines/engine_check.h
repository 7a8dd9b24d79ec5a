// SPDX-License-Identifier: GPL-3.0-or-later
// Holds a conversation with an engine and says what it does wrong.
#pragma once

#include "selfplay/engines/player_spec.h"

typedef enum CheckVerdict {
    CHECK_GOOD,    // as it should be
    CHECK_NOTE,    // worth knowing; matches can live with it
    CHECK_SKIPPED, // the protocol has no words for it
    CHECK_BAD,     // it will lose games by this, or play others than we think
} CheckVerdict;

typedef struct CheckFinding {
    const char *check, *meaning; // engine_checks.def
    CheckVerdict verdict;
    const char *text;
} CheckFinding;

typedef void CheckReport(const void *context, const CheckFinding *finding);

// Runs every check against the program of the spec, and reports each. *bad counts the bad ones.
// Without a limit in the spec moves are asked for by depth. An engine that cannot be started is a
// bad `handshake`, and the end. STATUS_USAGE when the spec is no program.
Status engine_check(const PlayerSpec *spec, CheckReport *report, const void *context, int *bad,
                    Err *err);

const char *check_verdict_name(CheckVerdict verdict); // "good", "note", "skipped", "bad"
