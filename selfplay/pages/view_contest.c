// SPDX-License-Identifier: GPL-3.0-or-later
// The section of the page about a contest: standings, and curves of Elo and LLR by opening pairs.
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "datasets/formats/export.h"
#include "datasets/store/run.h"
#include "selfplay/pages/match_curve.h"
#include "selfplay/pages/standings.h"
#include "selfplay/pages/view.h"
#include "selfplay/stats/sprt.h"

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

static void add_match(Text *html, const ContestView *view, const char *const *names,
                      const ProvenanceTexts *made) {
    SprtSpec spec;
    const bool tested = find_sprt(made->options, &spec);
    const SprtSpec *test = tested ? &spec : NULL;
    const size_t pairs = view->pairs.length / 2;
    AUTO_FREE MatchCurve *curve = memory_alloc(1, sizeof *curve);
    AUTO(Text) heading = {0};
    MatchCounts counts = {.has_pairs = true, .has_games = true};
    if (pairs == 0) return;
    for (size_t i = 0; i < pairs; i++) {
        match_counts_add_pair(&counts, view->pairs.data[2 * i], view->pairs.data[2 * i + 1]);
        match_curve_add(curve, &counts, test);
    }
    text_add(&heading, "Elo of ");
    standings_add_name(&heading, names[0]);
    text_add(&heading, " against ");
    standings_add_name(&heading, names[1]);
    match_curve_draw_elo(curve, &counts, heading.data, html);
    if (tested) match_curve_draw_llr(curve, &counts, test, html);
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
    const size_t players = (size_t)view.players;
    AUTO_FREE char(*texts)[128] = memory_alloc(players, sizeof *texts);
    AUTO_FREE const char **names = memory_alloc(players, sizeof *names);
    for (size_t i = 0; i < players; i++) {
        export_player_name(made.weights, (uint8_t)(i + 1), texts[i], sizeof *texts);
        names[i] = texts[i];
    }
    // The anchor has a fixed rating: the player of --anchor, or B in a match.
    char value[64];
    const double elo = strtod(option_value(made.options, "anchor-elo", value), NULL);
    const int given = atoi(option_value(made.options, "anchor", value));
    const int anchor = given > 0 ? given - 1 : 1;
    standings_add(html, names, view.players, view.counts, view.count,
                  anchor < view.players ? anchor : 0, elo);
    if (match) add_match(html, &view, names, &made);
    text_add(html, "</div>\n");
    return STATUS_OK;
}
