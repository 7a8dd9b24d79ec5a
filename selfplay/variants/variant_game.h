// SPDX-License-Identifier: GPL-3.0-or-later
// A game of a variant: its course, its text, and two players who play it to its end.
#pragma once

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

// Begins game `index` of a plan: shuffles what lies face down and plays the random turns. The same
// seed and index give the same start.
Status variant_game_begin(VariantGame *game, const VariantPlan *plan, uint64_t index, Err *err);
// Plays a turn and looks whether the game is over. `score`, from the view of the player who
// moves, is written behind the turn; it may be NULL.
void variant_game_turn(VariantGame *game, Move move, const int *score);
// Lets a player choose a turn, without playing it.
void variant_game_ask(VariantGame *game, const VariantPlayer *player, VariantSearch *search,
                      VariantReply *reply);
// Plays game `index` to its end; players[0] has the first turn. STATUS_INTERRUPTED after Ctrl-C.
Status variant_game_play(VariantGame *game, const VariantPlan *plan, uint64_t index,
                         const VariantPlayer *const players[2], Err *err);

// Called for each position of a recorded game before its turn. *score is NULL where none is known.
typedef void VariantVisit(void *context, const VariantGame *game, Move move, const int *score);
// Replays the text of a game: its start and its moves, which is cut into words.
Status variant_game_replay(VariantGame *game, const VariantPlan *plan, char *moves,
                           VariantVisit *visit, void *context, Err *err);
