// SPDX-License-Identifier: GPL-3.0-or-later
// A game with or without odds. The extra plies of a handicap come first. The Game, which the rules
// judge, begins after them.
#pragma once

#include "core/rules/odds.h"
#include "core/rules/rules.h"

typedef struct OddsGame {
    const Odds *odds; // NULL in an even game
    Position start;   // first position of the record
    Move extra[MAX_ODDS_MOVES];
    int extra_count; // number of extra plies played
    OddsState state;
    Game game; // game.now is the present position
} OddsGame;

void odds_game_init(OddsGame *og);
void odds_game_clear(OddsGame *og);
AUTO_VALUE(OddsGame, odds_game_clear)
// Starts a new game from `start`, or from the start position of the odds; `start` can then be NULL.
void odds_game_reset(OddsGame *og, const Position *start, const Odds *odds);
// Returns the state for a search or a test of moves, or NULL if the handicap no longer applies.
const OddsState *odds_game_state(const OddsGame *og);
// Lists the legal moves that are allowed.
void odds_game_moves(const OddsGame *og, MoveList *list);
// Returns true if a move is legal and allowed. Accepts any move.
bool odds_game_allows(const OddsGame *og, Move move);
// Plays a legal, allowed move.
void odds_game_push(OddsGame *og, Move move);
// Return the number of plies played, extra plies included, and the move of one ply.
size_t odds_game_plies(const OddsGame *og);
Move odds_game_move(const OddsGame *og, size_t ply);
// Like rules_judge(), but a side without an allowed move is mated or stalemated.
Judgement odds_game_judge(const Rules *rules, const OddsGame *og);
