// SPDX-License-Identifier: GPL-3.0-or-later
// Games of a variant, and engine players that play them to the end.
#pragma once

#include "core/base/random.h"
#include "core/command/options.h"
#include "core/command/progress.h"
#include "core/variants/variant_search.h"

typedef struct VariantPlan {
    const Variant *game;
    int choice; // index of the rule set in Variant.choices; 0 if the game has only one
    VariantDraws draws;
    int opening_plies; // number of random turns at the start of each game, for variety
    uint64_t seed;
    const char *start;  // text of the start position
    VariantState state; // the start position
} VariantPlan;

typedef struct VariantPlayer {
    VariantWeights weights;
    VariantLimits limits;
    double hash_mb; // size of the transposition table in MiB
} VariantPlayer;

// A game in progress or a finished game. Initialise with zeros; release with variant_game_clear().
typedef struct VariantGame {
    const VariantPlan *plan; // settings of the game, borrowed
    VariantState state;
    uint64_t *keys; // hash keys of all positions since the start: plies + 1 numbers
    size_t plies, capacity;
    Random random;
    uint8_t deal[128]; // the face-down piece on each square; the search does not see it
    Text moves;        // turns as "TURN/SCORE ...", for example "a1=R/12 a2b2/-3"; without /SCORE
                       // if a turn has no score
    int player; // player to move: 0 has the first turn, 1 is the opponent. Each of them moves for
                // all members of a team
    int points; // half points of player 0 at the end: 0, 1 or 2
    const char *reason; // why the game ended; NULL if it has not ended
} VariantGame;
void variant_game_clear(VariantGame *game);
AUTO_VALUE(VariantGame, variant_game_clear)

// Sets the start position. Does not shuffle the face-down pieces and plays no random turns.
void variant_game_reset(VariantGame *game, const VariantPlan *plan);
// Begins game `index` of a plan: shuffles the face-down pieces and plays the random turns of the
// opening. plan->seed and `index` determine all random choices. Returns STATUS_NOT_FOUND if many
// sets of random turns all ended the game.
Status variant_game_begin(VariantGame *game, const VariantPlan *plan, uint64_t index, Err *err);
// Plays a turn and finds out whether the game has ended. Records *score with the turn, from the
// point of view of the player who moves. If `score` is NULL, the turn has no score.
void variant_game_turn(VariantGame *game, Move move, const int *score);
// Lets a player choose a turn, but does not play it.
VariantReply variant_game_ask(VariantGame *game, const VariantPlayer *player,
                              VariantSearch *search);

// A function that receives the next finished game, or the next two games if games are played in
// pairs. If it returns another status than STATUS_OK, no further games are played.
typedef Status VariantTake(void *context, const VariantGame *games, Err *err);

// Plays the games with the numbers in `range` on `threads` threads and passes them to take() in
// order. players[0] has the first turn. If `pairs` is set, games 2i and 2i + 1 have the same start,
// and players[1] has the first turn in game 2i + 1. Returns the status of take(), or
// STATUS_INTERRUPTED if Ctrl-C ended a game early.
Status variant_games_play(const VariantPlan *plan, const VariantPlayer players[2], bool pairs,
                          OptionRange range, int threads, Progress *progress, VariantTake *take,
                          void *context, Err *err);
