// SPDX-License-Identifier: GPL-3.0-or-later
// The path of a match by opening pairs: Elo with its 95 % interval and, under an SPRT, the log
// likelihood ratio. Keeps few points, evenly spaced, for matches of any length.
#pragma once

#include "core/base/text.h"
#include "selfplay/stats/sprt.h"

enum { MATCH_CURVE_POINTS = 240 };

typedef struct MatchPoint {
    double pairs, elo, error95; // elo is NAN while one player has won every game
    double llr;                 // NAN without a test
} MatchPoint;

// Initialise with zeros.
typedef struct MatchCurve {
    int count;
    long long every;                           // pairs between two points; 0: no point yet
    MatchPoint points[MATCH_CURVE_POINTS + 1]; // one more than is kept, for the last pair
} MatchCurve;

// Adds the state after a pair, if the curve needs a point there. Must be called after each pair, in
// their order. `sprt` is NULL without a test.
void match_curve_add(MatchCurve *curve, const MatchCounts *counts, const SprtSpec *sprt);

// Append a figure with the curve and the present state `counts`, which contains at least one pair.
// `heading` is HTML.
void match_curve_draw_elo(const MatchCurve *curve, const MatchCounts *counts, const char *heading,
                          Text *html);
void match_curve_draw_llr(const MatchCurve *curve, const MatchCounts *counts, const SprtSpec *sprt,
                          Text *html);
