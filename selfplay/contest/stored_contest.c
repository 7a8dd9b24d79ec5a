// SPDX-License-Identifier: GPL-3.0-or-later
#include "selfplay/contest/stored_contest.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/command/options.h"
#include "datasets/exchange/export.h"

static PairingCounts *find_counts(StoredContest *contest, int first, int second) {
    for (size_t i = 0; i < contest->count; i++) {
        if (contest->counts[i].first == first && contest->counts[i].second == second) {
            return &contest->counts[i];
        }
    }
    contest->counts = memory_room(contest->counts, &contest->capacity, contest->count + 1,
                                  sizeof *contest->counts);
    contest->counts[contest->count] = (PairingCounts){.first = first, .second = second};
    return &contest->counts[contest->count++];
}

static void count_game(StoredContest *contest, const GameRecord *game, const PlyRecord *plies) {
    const bool red_first = game->red_player < game->black_player;
    const int first = (red_first ? game->red_player : game->black_player) - 1;
    const int second = (red_first ? game->black_player : game->red_player) - 1;
    if (first < 0 || first == second) return;
    PairingCounts *pairing = find_counts(contest, first, second);
    const int points = red_first ? game->result : -game->result;
    pairing->wins += points > 0;
    pairing->draws += points == 0;
    pairing->losses += points < 0;
    if (second >= contest->player_count) contest->player_count = second + 1;
    const GameRecord *last = &contest->last;
    const uint64_t moves = contest_moves_key(game, plies);
    if (game->index % 2 == 1 && last->index + 1 == game->index &&
        last->red_player == game->black_player && last->black_player == game->red_player) {
        // The players exchange colours within a pair. If the first player is Red in this game, it
        // was Black in the previous game.
        const char halves[] = {(char)(1 + (red_first ? -last->result : last->result)),
                               (char)(1 + points)};
        pairing->pairs[halves[0] + halves[1]]++;
        pairing->alike += moves == contest->last_moves &&
                          !end_reason_is_fault((EndReason)game->reason) &&
                          !end_reason_is_fault((EndReason)last->reason);
        text_add_bytes(&contest->pairs, halves, sizeof halves);
    }
    contest->last = *game;
    contest->last_moves = moves;
}

static Status count_block(void *context, const char *path, GameBatch *games, Err *err) {
    (void)path;
    TRY(game_batch_check(games, err));
    for (size_t i = 0; i < games->count; i++) {
        const GameRecord *game = &games->games[i];
        count_game(context, game, games->plies + game->first_ply);
    }
    return STATUS_OK;
}

// Copies VALUE to `value` if the recorded options have a line "NAME=VALUE", at most 63 bytes.
// Otherwise copies "". Returns `value`.
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

// Reads the hypotheses of the SPRT of a match from its recorded options. Returns false if the match
// had no SPRT.
static bool find_sprt(const char *options, SprtSpec *spec) {
    char value[64];
    *spec = (SprtSpec){.model = SPRT_NORMALIZED};
    if (sscanf(option_value(options, "sprt", value), "%lf,%lf", &spec->elo0, &spec->elo1) != 2) {
        return false;
    }
    spec->alpha = strtod(option_value(options, "alpha", value), NULL);
    spec->beta = strtod(option_value(options, "beta", value), NULL);
    const int model = option_choice_index(SPRT_MODEL_WORDS, option_value(options, "model", value));
    if (model >= 0) spec->model = (SprtModel)model;
    return sprt_check(spec, NULL) == STATUS_OK;
}

Status stored_contest_read(const char *run, StoredContest *contest, Err *err) {
    AUTO_POINTER(Store) store = NULL;
    char value[64];
    ProvenanceTexts *made = &contest->made;
    TRY(store_open(run, &store, err));
    if (store_shard_count(store) == 0) return STATUS_OK;
    TRY(shard_read_provenance(store_shard_path(store, 0), made, err));
    contest->match = strcmp(made->kind, "match") == 0;
    if (!contest->match && strcmp(made->kind, "tournament") != 0) return STATUS_OK;
    const ScanHooks hooks = {.block = count_block, .context = contest};
    TRY(store_scan_paths(&run, 1, &hooks, NULL, err));
    contest->names = memory_alloc((size_t)contest->player_count, sizeof *contest->names);
    for (int i = 0; i < contest->player_count; i++) {
        export_player_name(made->weights, (uint8_t)(i + 1), contest->names[i], CONTEST_NAME_SIZE);
    }
    contest->has_sprt = contest->match && find_sprt(made->options, &contest->sprt);
    contest->anchor_elo = strtod(option_value(made->options, "anchor-elo", value), NULL);
    const int given = atoi(option_value(made->options, "anchor", value));
    contest->anchor = given > 0 ? given - 1 : 1;
    if (contest->anchor >= contest->player_count) contest->anchor = 0;
    return STATUS_OK;
}

void stored_contest_clear(StoredContest *contest) {
    free(TAKE(contest->names));
    free(TAKE(contest->counts));
    text_clear(&contest->pairs);
    provenance_texts_clear(&contest->made);
}

void stored_match_outcome(const StoredContest *contest, MatchOutcome *outcome) {
    const char *halves = contest->pairs.data;
    *outcome = (MatchOutcome){.names = {contest->names[0], contest->names[1]},
                              .counts = {.has_pairs = true, .has_games = true},
                              .test = contest->has_sprt ? &contest->sprt : NULL};
    for (size_t i = 0; i < contest->pairs.length; i += 2) {
        match_counts_add_pair(&outcome->counts, halves[i], halves[i + 1]);
    }
    match_outcome_complete(outcome, contest->counts[0].alike);
}

unsigned stored_contest_players(const StoredContest *contest, const char *weights_hash,
                                unsigned *programs) {
    unsigned players = 0, player = 1;
    *programs = 0;
    // The text is "1 NAME HASH, 2 NAME PROFILE, ..." (contest_players_text()). The last word of an
    // entry is a hash only if the player is our engine.
    for (const char *at = contest->made.weights; *at; at += strspn(at, ", "), player <<= 1) {
        const char *next = strstr(at, ", "), *end = next ? next : at + strlen(at);
        const char *word = end;
        while (word > at && word[-1] != ' ') word--;
        const bool hash = end - word == SHA256_HEX_SIZE - 1;
        if (!hash) *programs |= player;
        if (hash && strncmp(word, weights_hash, SHA256_HEX_SIZE - 1) == 0) players |= player;
        at = end;
    }
    return players;
}
