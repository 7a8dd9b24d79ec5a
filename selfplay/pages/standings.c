// SPDX-License-Identifier: GPL-3.0-or-later
#include "selfplay/pages/standings.h"

#include "core/base/memory.h"
#include "core/command/page.h"

void standings_add_name(Html *html, const char *name) {
    page_add(html, "<b class='player'>%s</b>", name);
}

static void add_player(Html *html, const char *name, int who, int rank, const PairingCounts *counts,
                       size_t pairings, const Rating *rating, bool fixed) {
    long long wins = 0, draws = 0, losses = 0;
    for (size_t i = 0; i < pairings; i++) {
        const PairingCounts *p = &counts[i];
        if (p->first != who && p->second != who) continue;
        wins += p->first == who ? p->wins : p->losses;
        draws += p->draws;
        losses += p->first == who ? p->losses : p->wins;
    }
    page_add(html, "<tr><td>%d. ", rank);
    standings_add_name(html, name);
    page_add(html, "</td><td>");
    page_add_number(html, rating->elo, 1, true);
    if (rating->prior) page_add(html, "&#160;*");
    page_add(html, "</td><td>");
    if (fixed) {
        page_add(html, "fixed");
    } else {
        page_add_number(html, rating->error95, 1, false);
    }
    page_add(html,
             "</td><td>%.1f&#160;%%</td><td>+%lld&#160;=%lld&#160;\xe2\x88\x92%lld</td></tr>\n",
             rating->games ? 100 * rating->points / (double)rating->games : 0, wins, draws, losses);
}

void standings_add(Html *html, const char *const *names, int players, const PairingCounts *counts,
                   size_t pairings, int anchor, double anchor_elo) {
    AUTO_FREE Rating *ratings = memory_alloc((size_t)players, sizeof *ratings);
    AUTO_FREE int *order = memory_alloc((size_t)players, sizeof *order);
    bool priors = false;
    int unconnected = -1;
    page_add(html, "<figure><h2>Standings</h2>\n");
    if (ratings_fit(counts, pairings, players, anchor, anchor_elo, ratings, &unconnected, NULL) !=
        STATUS_OK) {
        page_add(html, "<p>No ratings: some players are not connected to the others by games.</p>"
                       "</figure>\n");
        return;
    }
    page_add(
        html,
        "<table class='wrap'><thead><tr><th>player</th><th>Elo</th><th>\xc2\xb1&#160;95&#160;%%</"
        "th><th>score</th><th>results</th></tr></thead><tbody>\n");
    ratings_order(ratings, players, order);
    for (int i = 0; i < players; i++) {
        const int who = order[i];
        priors = priors || ratings[who].prior;
        add_player(html, names[who], who, i + 1, counts, pairings, &ratings[who], who == anchor);
    }
    page_add(html, "</tbody></table>\n<figcaption>Elo is relative to ");
    standings_add_name(html, names[anchor]);
    page_add(html,
             ", whose rating is fixed at %g. The intervals are computed from opening "
             "pairs.%s</figcaption>"
             "</figure>\n",
             anchor_elo,
             priors
                 ? " * A group of players won all games against another group, so that no finite "
                   "ratings fit. One draw was added to each pairing between these groups."
                 : "");
}

void standings_verdict_add(const char *const *names, int players, const PairingCounts *counts,
                           size_t pairings, Text *text) {
    AUTO_FREE Rating *ratings = memory_alloc((size_t)players, sizeof *ratings);
    AUTO_FREE int *order = memory_alloc((size_t)players, sizeof *order);
    int unconnected = -1, level = 0;
    long long games = 0;
    // The first fit of the ratings finds the leader. The second fit fixes the leader's rating. The
    // error of each other rating is then the error of its difference from the leader.
    for (int pass = 0; pass < 2; pass++) {
        const int anchor = pass == 0 ? 0 : order[0];
        if (ratings_fit(counts, pairings, players, anchor, 0, ratings, &unconnected, NULL) !=
            STATUS_OK) {
            return;
        }
        if (pass == 0) ratings_order(ratings, players, order);
    }
    for (int i = 1; i < players; i++) {
        level += ratings[order[i]].elo + ratings[order[i]].error95 >= 0;
    }
    for (int i = 0; i < players; i++) games += ratings[i].games;
    const Rating *second = &ratings[order[1]];
    text_add(text,
             level == 0 ? "%s leads significantly: %.1f +- %.1f Elo above %s"
                        : "not decided: %s leads, %.1f +- %.1f Elo above %s",
             names[order[0]], -second->elo, second->error95, names[order[1]]);
    if (level > 1) text_add(text, "; %d of %d players may be as strong", level, players - 1);
    text_add(text, " (%lld games, 95 %%)", games / 2);
}
