// SPDX-License-Identifier: GPL-3.0-or-later
// A game of a variant: its course, its text, and players who play it to its end.
#pragma once

#include "core/base/options.h"
#include "core/base/progress.h"
#include "core/base/random.h"
#include "core/variants/variant_search.h"

typedef struct VariantPlan {
    const Variant *game;
    int choice; // rule set, an index into the words of --rules
    VariantDraws draws;
    int opening_plies; // random turns at the start of each game
    uint64_t seed;
    const char *start; // text of the start position
} VariantPlan;

typedef struct VariantPlayer {
    char name[64];
    VariantWeights weights;
    VariantLimits limits;
    double hash_mb;
} VariantPlayer;

// A game that is played, or was. Zero-initialise; variant_game_clear() frees.
typedef struct VariantGame {
    const VariantPlan *plan; // borrowed
    VariantState state;
    uint64_t *keys; // keys of the plies + 1 positions since the start
    size_t plies, capacity;
    Random random;
    uint8_t deal[128];  // the face-down piece on each square: only turns that uncover look at it
    Text moves;         // "a1=R/12 a2b2/-3 ...": a score behind each turn that was searched
    int player;         // player to move: 0 has the first turn of the game
    int points;         // player 0's half points at the end: 0, 1, 2
    const char *reason; // reason of the end; NULL while the game is played
    uint64_t nodes;
} VariantGame;
void variant_game_clear(VariantGame *game);
AUTO_VALUE(VariantGame, variant_game_clear)

// Begins a game at the start position, with nothing shuffled and no random turns.
Status variant_game_reset(VariantGame *game, const VariantPlan *plan, Err *err);
// Begins game `index` of a plan: shuffles what lies face down and plays the random turns. The same
// seed and index give the same start.
Status variant_game_begin(VariantGame *game, const VariantPlan *plan, uint64_t index, Err *err);
// Plays a turn and finds whether the game is over. `score`, from the view of the player who moves,
// is written behind the turn; it may be NULL.
void variant_game_turn(VariantGame *game, Move move, const int *score);
// Lets a player choose a turn, without playing it.
void variant_game_ask(VariantGame *game, const VariantPlayer *player, VariantSearch *search,
                      VariantReply *reply);

// Receives the next finished game, or the two games of a pair. Any status but STATUS_OK ends the
// run.
typedef Status VariantTake(void *context, const VariantGame *games, Err *err);

// Plays the games first..end on several threads. players[0] has the first turn. With `pairs` games
// 2i and 2i + 1 have the same start, and in the second one players[1] has the first turn. Returns
// STATUS_INTERRUPTED after Ctrl-C.
Status variant_games_play(const VariantPlan *plan, const VariantPlayer *players[2], bool pairs,
                          OptionRange range, int threads, Progress *progress, VariantTake *take,
                          void *context, Err *err);
