// SPDX-License-Identifier: GPL-3.0-or-later
// Handicaps; each one is a row of core/rules/odds.def. A handicap changes the start position, lets
// Red make several moves before Black's first reply, or has "iron" men, which cannot be captured.
//
// A game begins at odds.start with odds_begin(). Each move is one of odds_legal_moves() and is
// played by odds_apply(), after which the same side may be to move again. A search does at each
// node: skip moves with !odds_move_allowed(state, position, move), copy the state, apply
// odds_apply() to the copy, pass the copy down, and mix odds_key() into the hash key. It passes
// NULL down once odds_active() is false, because the rest of the game is even.
#pragma once

#include "core/base/text.h"
#include "core/board/position.h"

// How far the extra moves of a handicap may go.
typedef enum OddsReach {
    REACH_ANYWHERE,
    REACH_OWN_HALF,   // no man may cross the river
    REACH_RIVER_EDGE, // only soldiers may go to the last rank before the river; other men must stay
                      // behind it
} OddsReach;

// How long iron men cannot be captured.
typedef enum OddsIron {
    IRON_NONE,
    IRON_UNTIL_MOVED,     // no iron man can be captured before its own first move
    IRON_EXCEPT_BY_CHECK, // no iron man can be captured in the whole game, except by a man that
                          // gives check from the point of the capture
} OddsIron;

typedef enum OddsKind {
#define ODDS(id, name, parameter, giver, fen, moves, iron, iron_men, set_games, summary) ODDS_##id,
#include "core/rules/odds.def"
    ODDS_KIND_COUNT
} OddsKind;

enum {
    ODDS_NAME_SIZE = 24, // size of a buffer for any name with its parameter, with the terminating
                         // zero
    MAX_IRON_MEN = 3,
    MAX_ODDS_MOVES = 40, // largest number of moves before Black's first reply
};

typedef struct Odds {
    OddsKind kind;
    char name[ODDS_NAME_SIZE]; // name with its parameter, such as "knight+3"
    const char *pattern;       // name as users type it, such as "knight+N"
    const char *summary;       // description in one line, which says "N moves" for the parameter
    Side giver;                // the stronger player, who gives the odds
    Position start;            // start position, with Red to move
    int moves;                 // number of Red's moves before Black's first reply; 1 in an even
                               // game
    OddsReach reach;           // how far Red's first moves may go, if there are several
    OddsIron iron;
    int iron_count;
    uint8_t iron_squares[MAX_IRON_MEN]; // points of the iron men in the start position
    int set_games;                      // number of games that are played as one set: 1 or 3
} Odds;

// The part of a handicap that still applies during a game. All zero if no part does. It can be
// copied by assignment.
typedef struct OddsState {
    uint8_t moves; // number of moves that the side to move makes before the other side replies,
                   // including the next move; 0 in even play
    uint8_t reach; // how far extra moves may go, an OddsReach; valid while moves > 0
    uint8_t iron;  // how long iron men cannot be captured, an OddsIron
    uint8_t iron_count;                 // number of iron men that are still protected
    uint8_t iron_squares[MAX_IRON_MEN]; // current points of the iron men
} OddsState;

// Reads a handicap's name with its parameter ("rook", "knight+2", "4plus:5"). The error lists all
// names.
Status odds_by_name(const char *name, Odds *odds, Err *err);
// Fills in a handicap from its row. `moves` is used if the row has a parameter; 0 means the
// smallest allowed number.
void odds_of_kind(OddsKind kind, int moves, Odds *odds);

// Returns the number of extra plies at the start of a game. After each of them the same side moves
// again. If Red has N moves before the first reply, there are N - 1 extra plies; the Nth move is
// the first ply of the Game.
ALWAYS_INLINE int odds_extra_plies(const Odds *odds) {
    return odds->moves - 1;
}

// Initialises the state of a handicap for the start of a game.
void odds_begin(const Odds *odds, OddsState *state);

// Returns true if a part of the handicap still applies.
ALWAYS_INLINE bool odds_active(const OddsState *state) {
    return state && (state->moves || state->iron_count);
}

// Implements odds_move_allowed() for a state that is active.
bool odds_state_allows(const OddsState *state, const Position *position, Move legal_move);

// Returns true if the handicap allows a legal move. Extra moves must stay within their reach, and
// only the last one may give check. Iron men are protected as OddsIron says.
ALWAYS_INLINE bool odds_move_allowed(const OddsState *state, const Position *position,
                                     Move legal_move) {
    return !odds_active(state) || odds_state_allows(state, position, legal_move);
}

// Lists the legal moves that the handicap allows.
void odds_legal_moves(const OddsState *state, const Position *position, MoveList *list);
// Returns true if the side to move has no allowed move. It then loses.
bool odds_no_legal_move(const OddsState *state, const Position *position);

// Writes to *after the position after an allowed move, and updates *state, which may be NULL. While
// the side has extra moves left, it is to move again in *after.
void odds_apply(OddsState *state, const Position *before, Move move, Position *after);

// Returns a hash of the state, which is 0 if the state is not active. It makes equal positions with
// different states distinct in hash tables.
uint64_t odds_key(const OddsState *state);
