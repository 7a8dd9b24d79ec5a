// SPDX-License-Identifier: GPL-3.0-or-later
// Curves of a match by opening pairs: Elo with its 95 % interval and, if the match has an SPRT, the
// log likelihood ratio (LLR). A curve has at most MATCH_CURVE_POINTS evenly spaced points and a
// last point for the present results, for matches of any length.
#pragma once

#include "core/command/page.h"
#include "selfplay/stats/sprt.h"

enum { MATCH_CURVE_POINTS = 240 };

typedef struct MatchPoint {
    double pairs;        // number of opening pairs played so far
    double elo, error95; // Elo of A, NAN while one player has won every game, and half the width of
                         // its 95 % interval
    double llr;          // log likelihood ratio of the SPRT; NAN without an SPRT
} MatchPoint;

// Points of the curves of Elo and LLR in a match. Initialise with zeros.
typedef struct MatchCurve {
    int count;       // number of points
    long long every; // number of opening pairs between neighbouring points; 0 before the first pair
    MatchPoint points[MATCH_CURVE_POINTS + 1]; // the last element is used only in a chart, for the
                                               // results at the time of drawing
} MatchCurve;

// Must be called after each pair of a match, in the order of the pairs. Adds a point to the curve
// if the number of pairs is a multiple of curve->every. `sprt` is NULL without an SPRT.
void match_curve_add(MatchCurve *curve, const MatchCounts *counts, const SprtSpec *sprt);

// Append a chart with the curve of the Elo or of the LLR. The last point of the curve shows the
// results so far, `counts`. They must contain at least one pair.
void match_curve_draw_elo(const MatchCurve *curve, const MatchCounts *counts, const Html *heading,
                          Html *html);
void match_curve_draw_llr(const MatchCurve *curve, const MatchCounts *counts, const SprtSpec *sprt,
                          Html *html);
