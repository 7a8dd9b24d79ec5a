// SPDX-License-Identifier: GPL-3.0-or-later
// The section of the page about a contest: standings, and curves of Elo and LLR by opening pairs.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "datasets/formats/export.h"
#include "datasets/store/run.h"
#include "selfplay/pages/chart.h"
#include "selfplay/pages/view.h"
#include "selfplay/stats/ratings.h"
#include "selfplay/stats/sprt.h"

enum { POINTS = 240 }; // number of points of a curve

typedef struct ContestView {
    int players; // number of players
    PairingCounts *counts;
    size_t count, capacity;
    GameRecord last; // previous game
    Text pairs;      // two bytes per pair: half points of the first player in its two games
} ContestView;

static void contest_view_clear(ContestView *view) {
    free(view->counts);
    text_clear(&view->pairs);
}
AUTO_VALUE(ContestView, contest_view_clear)

static PairingCounts *find_counts(ContestView *view, int first, int second) {
    for (size_t i = 0; i < view->count; i++) {
        if (view->counts[i].first == first && view->counts[i].second == second) {
            return &view->counts[i];
        }
    }
    view->counts =
        memory_room(view->counts, &view->capacity, view->count + 1, sizeof *view->counts);
    view->counts[view->count] = (PairingCounts){.first = first, .second = second};
    return &view->counts[view->count++];
}

static void count_game(ContestView *view, const GameRecord *game) {
    const bool red_first = game->red_player < game->black_player;
    const int first = (red_first ? game->red_player : game->black_player) - 1;
    const int second = (red_first ? game->black_player : game->red_player) - 1;
    if (first < 0 || first == second) return;
    PairingCounts *pairing = find_counts(view, first, second);
    const int points = red_first ? game->result : -game->result;
    pairing->wins += points > 0;
    pairing->draws += points == 0;
    pairing->losses += points < 0;
    if (second >= view->players) view->players = second + 1;
    const GameRecord *last = &view->last;
    if (game->index % 2 == 1 && last->index + 1 == game->index &&
        last->red_player == game->black_player && last->black_player == game->red_player) {
        // In the previous game the first player had the other colour.
        const char halves[] = {(char)(1 + (red_first ? -last->result : last->result)),
                               (char)(1 + points)};
        pairing->pairs[halves[0] + halves[1]]++;
        text_add_bytes(&view->pairs, halves, sizeof halves);
    }
    view->last = *game;
}

static Status count_block(void *context, const char *path, GameBatch *games, Err *err) {
    (void)path;
    TRY(game_batch_check(games, err));
    for (size_t i = 0; i < games->count; i++) count_game(context, &games->games[i]);
    return STATUS_OK;
}

// Copies VALUE of the line "NAME=VALUE" of the options to `value`, "" if there is none.
static const char *option_value(const char *options, const char *name, char value[64]) {
    const size_t length = strlen(name);
    for (const char *line = options; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, name, length) != 0 || line[length] != '=') continue;
        snprintf(value, 64, "%.*s", (int)strcspn(line + length + 1, "\n"), line + length + 1);
        return value;
    }
    return strcpy(value, "");
}

// ---- standings ----------------------------------------------------------------------------------

// Appends the name of a player. The page shortens it (viewer.html).
static void add_name(Text *html, const char *weights, int who) {
    char name[128];
    export_player_name(weights, (uint8_t)(who + 1), name, sizeof name);
    text_add(html, "<b class='player'>");
    page_add_escaped(html, name);
    text_add(html, "</b>");
}

static void add_player(Text *html, const ContestView *view, int who, int rank, const char *weights,
                       const Rating *rating) {
    long long counts[3] = {0}; // wins, draws, losses
    for (size_t i = 0; i < view->count; i++) {
        const PairingCounts *p = &view->counts[i];
        if (p->first != who && p->second != who) continue;
        counts[0] += p->first == who ? p->wins : p->losses;
        counts[1] += p->draws;
        counts[2] += p->first == who ? p->losses : p->wins;
    }
    text_add(html, "<tr><td>%d. ", rank);
    add_name(html, weights, who);
    text_add(html, "</td><td>");
    page_add_number(html, rating->elo, 1, true);
    text_add(html,
             "%s</td><td>%.1f</td><td>%.1f %%</td><td>+%lld =%lld \xe2\x88\x92%lld</td></tr>\n",
             rating->prior ? " *" : "", rating->error95,
             rating->games ? 100 * rating->points / (double)rating->games : 0, counts[0], counts[1],
             counts[2]);
}

static void add_ratings(Text *html, const ContestView *view, const char *weights,
                        const Rating *ratings) {
    AUTO_FREE bool *shown = memory_alloc((size_t)view->players, sizeof *shown);
    text_add(html, "<table><thead><tr><th>player</th><th>Elo</th><th>\xc2\xb1&#160;95&#160;%%</"
                   "th><th>score</th>"
                   "<th>results</th></tr></thead><tbody>\n");
    for (int rank = 1; rank <= view->players; rank++) {
        int best = -1;
        for (int i = 0; i < view->players; i++) {
            if (!shown[i] && (best < 0 || ratings[i].elo > ratings[best].elo)) best = i;
        }
        shown[best] = true;
        add_player(html, view, best, rank, weights, &ratings[best]);
    }
    text_add(html, "</tbody></table>\n");
}

static void add_standings(Text *html, const ContestView *view, const ProvenanceTexts *made) {
    AUTO_FREE Rating *ratings = memory_alloc((size_t)view->players, sizeof *ratings);
    char value[64];
    // The anchor has a fixed rating: the player of --anchor, or B in a match.
    const double elo = strtod(option_value(made->options, "anchor-elo", value), NULL);
    const int given = atoi(option_value(made->options, "anchor", value));
    int anchor = given > 0 ? given - 1 : 1, loose = -1;
    if (anchor >= view->players) anchor = 0;
    text_add(html, "<figure><h2>Standings</h2>\n");
    if (ratings_fit(view->counts, view->count, view->players, anchor, elo, ratings, &loose, NULL) ==
        STATUS_OK) {
        add_ratings(html, view, made->weights, ratings);
        text_add(html, "<figcaption>Elo is relative to ");
        add_name(html, made->weights, anchor);
        text_add(html, ", whose rating is fixed at %g. The intervals count opening pairs.", elo);
        bool priors = false;
        for (int i = 0; i < view->players; i++) priors = priors || ratings[i].prior;
        text_add(html, "%s</figcaption></figure>\n",
                 priors
                     ? " * Games between groups of players were all won by one group, which gives "
                       "no finite ratings. One draw was added to each of these pairings."
                     : "");
    } else {
        text_add(
            html,
            "<p>No ratings: some players are not connected to the others by games.</p></figure>\n");
    }
}

// ---- curves of a match -------------------------------------------------------------------------

typedef struct Curve {
    int count;
    double pairs[POINTS], elo[POINTS], low[POINTS], high[POINTS], llr[POINTS];
    SprtReport sprt; // state after the last pair
} Curve;

static void make_curve(const ContestView *view, const SprtSpec *spec, Curve *curve) {
    const size_t pairs = view->pairs.length / 2;
    MatchCounts counts = {.has_pairs = true, .has_games = true};
    *curve = (Curve){.count = 0};
    for (size_t i = 0; i < pairs; i++) {
        match_counts_add_pair(&counts, view->pairs.data[2 * i], view->pairs.data[2 * i + 1]);
        if ((i + 1) * POINTS / pairs == i * POINTS / pairs) continue;
        Strength strength;
        const int at = curve->count++;
        strength_of_match(&counts, &strength);
        curve->pairs[at] = (double)(i + 1);
        curve->elo[at] = strength.elo;
        curve->low[at] = strength.elo - strength.elo_error95;
        curve->high[at] = strength.elo + strength.elo_error95;
        curve->llr[at] = NAN;
        if (spec && sprt_report(spec, &counts, &curve->sprt, NULL) == STATUS_OK) {
            curve->llr[at] = curve->sprt.llr;
        }
    }
}

enum { WIDTH = 480, HEIGHT = 280, LEFT = 66, BOTTOM = 48 };

static void open_chart(Text *html, Chart *chart, const char *id, const char *title,
                       const char *desc, const Curve *curve) {
    const double last = curve->pairs[curve->count - 1];
    chart_begin(chart, html, id, title, desc, WIDTH, HEIGHT, LEFT, BOTTOM);
    chart_axis_x(chart, 0, last, last > 6 ? 6 : (int)last, "opening pairs");
}

static double within(double value, double low, double high) {
    return fmin(fmax(value, low), high);
}

// Adds the chart of Elo. Its range omits the first sixth of the pairs, whose errors are very wide.
static void add_elo(Text *html, Curve *curve, const char *weights) {
    const int last = curve->count - 1;
    double low = fmin(0, curve->low[last]), high = fmax(0, curve->high[last]);
    char desc[160];
    for (int i = curve->count / 6; i < curve->count; i++) {
        low = fmin(low, curve->low[i]);
        high = fmax(high, curve->high[i]);
    }
    Chart chart;
    snprintf(desc, sizeof desc, "%+.1f \xc2\xb1 %.1f Elo after %.0f pairs.", curve->elo[last],
             curve->high[last] - curve->elo[last], curve->pairs[last]);
    text_add(html, "<figure><h3>Elo of ");
    add_name(html, weights, 0);
    text_add(html, " against ");
    add_name(html, weights, 1);
    text_add(html, "</h3>\n");
    open_chart(html, &chart, "elo", "Elo of A against B", desc, curve);
    chart_axis_y(&chart, low, high, 6, "Elo");
    chart_rule_y(&chart, 0, "ideal");
    text_add(html, "<path class='band' d='");
    for (int i = 0; i < 2 * curve->count; i++) {
        const int at = i <= last ? i : 2 * last + 1 - i;
        const double y = i <= last ? curve->high[at] : curve->low[at];
        text_add(html, "%c%.1f %.1f", i ? 'L' : 'M', chart_x(&chart, curve->pairs[at]),
                 chart_y(&chart, within(y, chart.y0, chart.y1)));
    }
    text_add(html, "Z'/>\n");
    for (int i = 0; i <= last; i++) curve->elo[i] = within(curve->elo[i], chart.y0, chart.y1);
    chart_line(&chart, 1, curve->pairs, curve->elo, curve->count);
    chart_end(&chart);
    text_add(html, "<figcaption>%s The band is the 95 %% interval.</figcaption></figure>\n", desc);
}

static void add_llr(Text *html, const Curve *curve, const SprtSpec *spec) {
    Chart chart;
    char desc[200];
    double low = curve->sprt.lower, high = curve->sprt.upper;
    for (int i = 0; i < curve->count; i++) {
        low = fmin(low, curve->llr[i]);
        high = fmax(high, curve->llr[i]);
    }
    snprintf(desc, sizeof desc,
             "SPRT with elo0 %g and elo1 %g: after the last pair the LLR is %.2f (%s). The bounds "
             "are %.2f and %.2f.",
             spec->elo0, spec->elo1, curve->sprt.llr, sprt_decision_text(curve->sprt.decision),
             curve->sprt.lower, curve->sprt.upper);
    text_add(html, "<figure><h3>Log likelihood ratio of the SPRT</h3>\n");
    open_chart(html, &chart, "llr", "Log likelihood ratio of the SPRT", desc, curve);
    chart_axis_y(&chart, low, high, 6, "LLR");
    chart_rule_y(&chart, 0, "ideal");
    chart_rule_y(&chart, curve->sprt.lower, "bound");
    chart_rule_y(&chart, curve->sprt.upper, "bound");
    chart_line(&chart, 1, curve->pairs, curve->llr, curve->count);
    chart_end(&chart);
    text_add(html, "<figcaption>%s</figcaption></figure>\n", desc);
}

// Reads the test that the match used. Returns false if it used none.
static bool find_sprt(const char *options, SprtSpec *spec) {
    static const char *const models[] = {"normalized", "logistic", "bayesian"};
    char value[64];
    *spec = (SprtSpec){.model = SPRT_NORMALIZED};
    if (sscanf(option_value(options, "sprt", value), "%lf,%lf", &spec->elo0, &spec->elo1) != 2) {
        return false;
    }
    spec->alpha = strtod(option_value(options, "alpha", value), NULL);
    spec->beta = strtod(option_value(options, "beta", value), NULL);
    option_value(options, "model", value);
    for (int i = 0; i < 3; i++) {
        if (strcmp(value, models[i]) == 0) spec->model = (SprtModel)i;
    }
    return sprt_check(spec, NULL) == STATUS_OK;
}

static void add_match(Text *html, const ContestView *view, const ProvenanceTexts *made) {
    SprtSpec spec;
    const bool tested = find_sprt(made->options, &spec);
    AUTO_FREE Curve *curve = memory_alloc(1, sizeof *curve);
    make_curve(view, tested ? &spec : NULL, curve);
    if (curve->count > 0) {
        add_elo(html, curve, made->weights);
        if (tested) add_llr(html, curve, &spec);
    }
}

Status view_add_contest(const char *run, Text *html, Err *err) {
    AUTO_POINTER(Store) store = NULL;
    AUTO(ProvenanceTexts) made = {{NULL}};
    TRY(store_open(run, &store, err));
    if (store_shard_count(store) == 0) return STATUS_OK;
    TRY(shard_read_provenance(store_shard_path(store, 0), &made, err));
    const bool match = strcmp(made.kind, "match") == 0;
    if (!match && strcmp(made.kind, "tournament") != 0) return STATUS_OK;
    AUTO(ContestView) view = {.players = 0};
    const ScanHooks hooks = {.block = count_block, .context = &view};
    TRY(store_scan_paths(&run, 1, &hooks, NULL, err));
    if (view.players < 2) return STATUS_OK;
    text_add(html, "<div class='pictures'>\n");
    add_standings(html, &view, &made);
    if (match) add_match(html, &view, &made);
    text_add(html, "</div>\n");
    return STATUS_OK;
}
