// SPDX-License-Identifier: GPL-3.0-or-later
// What a match tells: the live line, and the report at its end.
#pragma once

#include "core/base/json.h"
#include "selfplay/match.h"

// A MatchPairDone whose context is a Progress: shows pentanomial, Elo with its error, and LLR.
MatchPairDone match_report_pair;

// Adds the members of the report to an open record: who played, depth, nodes and time of each,
// Red's share, ends by reason, faults, then the statistics (match_report_record()).
void match_report(Record *record, const MatchSpec *spec, const MatchResult *result, double seconds);
