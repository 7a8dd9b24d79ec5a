// SPDX-License-Identifier: GPL-3.0-or-later
// A game that may be played at odds. The extra plies of a handicap come first; the Game, which the
// rules judge, begins behind them.
#pragma once

#include "core/rules/odds.h"
#include "core/rules/rules.h"

typedef struct OddsGame {
    const Odds *odds; // NULL: an even game
    Position start;   // where the record begins
    Move extra[MAX_ODDS_MOVES];
    int extra_count; // extra plies played
    OddsState state;
    Game game; // game.now is the present position
} OddsGame;

void odds_game_init(OddsGame *og);
void odds_game_clear(OddsGame *og);
AUTO_VALUE(OddsGame, odds_game_clear)
// A new game from `start`; with odds from theirs (start may then be NULL).
void odds_game_reset(OddsGame *og, const Position *start, const Odds *odds);
// The state for a search or a question about moves; NULL when nothing of a handicap is left.
const OddsState *odds_game_state(const OddsGame *og);
void odds_game_moves(const OddsGame *og, MoveList *list);
bool odds_game_allows(const OddsGame *og, Move move);
void odds_game_push(OddsGame *og, Move move);
// Plies played, extra ones included, and ply i of them.
size_t odds_game_plies(const OddsGame *og);
Move odds_game_move(const OddsGame *og, size_t ply);
// As rules_judge(), but a side that has no move left under the mask is mated or stalemated.
Judgement odds_game_judge(const Rules *rules, const OddsGame *og);
