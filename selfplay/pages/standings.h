// SPDX-License-Identifier: GPL-3.0-or-later
// The table of the players of a contest as HTML, sorted by rating.
#pragma once

#include "core/command/page.h"
#include "selfplay/stats/ratings.h"

// Appends the table of ratings as a figure of the page. Its caption names the anchor, the player
// whose rating is fixed. names[i] is the name of player i; `pairings` is the number of elements of
// `counts`.
void standings_add(Html *html, const char *const *names, int players, const PairingCounts *counts,
                   size_t pairings, int anchor, double anchor_elo);
// Appends the verdict of a tournament in one sentence. It names the player with the highest rating
// and says whether its lead over every other player is larger than the 95 % error of the
// difference. Appends nothing if ratings_fit() fails, for example because no chain of games
// connects some players.
void standings_verdict_add(const char *const *names, int players, const PairingCounts *counts,
                           size_t pairings, Text *text);
// Appends the name of a player as an element of class `player`. On a page of `view`, the script in
// viewer.js shortens such names.
void standings_add_name(Html *html, const char *name);
