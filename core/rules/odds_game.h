// SPDX-License-Identifier: GPL-3.0-or-later
// A game with or without a handicap. A handicap may begin with extra plies, after which the same
// side moves again (odds_extra_plies()). The member `game`, which the rules judge, begins after
// them.
#pragma once

#include "core/rules/odds.h"
#include "core/rules/rules.h"

typedef struct OddsGame {
    const Odds *odds; // handicap of the game; NULL in an even game
    Position start;   // start position of the game, before the handicap's extra plies
    Move extra[MAX_ODDS_MOVES];
    int extra_count; // number of the handicap's extra plies that were played
    OddsState state; // part of the handicap that still applies
    Game game;       // the game after the handicap's extra plies; game.now is the current position
} OddsGame;

void odds_game_init(OddsGame *og);
void odds_game_clear(OddsGame *og);
AUTO_VALUE(OddsGame, odds_game_clear)
// Starts a new game: with a handicap from the start position of the handicap, in an even game
// (`odds` is NULL) from the position `start`.
void odds_game_reset(OddsGame *og, const Position *start, const Odds *odds);
// Returns the state of the handicap, for a search or odds_move_allowed(). Returns NULL if there is
// no handicap, or if it no longer applies.
const OddsState *odds_game_state(const OddsGame *og);
// Lists the legal moves that the handicap, if any, allows.
void odds_game_moves(const OddsGame *og, MoveList *list);
// Returns true if a move is legal and the handicap allows it. Accepts any value as a move.
bool odds_game_allows(const OddsGame *og, Move move);
// Plays a move that is legal and that the handicap allows.
void odds_game_push(OddsGame *og, Move move);
// These functions count the extra plies of the handicap, too.
size_t odds_game_plies(const OddsGame *og);
Move odds_game_move(const OddsGame *og, size_t ply);
// Like rules_judge(), but also ends the game as checkmate or stalemate if the side to move has
// legal moves, but none that the handicap allows.
Judgement odds_game_judge(const Rules *rules, const OddsGame *og);
