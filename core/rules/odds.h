// SPDX-License-Identifier: GPL-3.0-or-later
// Handicaps, one row each in core/rules/odds.def. A handicap changes the start position, gives Red
// several moves before Black's first reply, or has "iron" men, which cannot be captured.
//
// A handicap forbids some legal moves. A side without an allowed move is mated or stalemated.
// Whether a move is allowed depends on the past (has the man moved?). A small state with this
// information follows the game and is copied like a Position. An even game has no state: all
// functions accept NULL and then only test it.
//
// A game begins at odds.start with odds_begin(). Each move is one of odds_legal_moves() and is
// played by odds_apply(), after which the same side may be to move again. A search does at each
// node: skip moves with !odds_move_allowed(state, position, move), copy the state, apply
// odds_apply() to the copy, pass the copy down, and mix odds_key() into the hash key. It passes
// NULL down once odds_active() is false, because the rest of the game is even.
#pragma once

#include "core/base/text.h"
#include "core/board/position.h"

// How far an extra move may go.
typedef enum OddsReach {
    REACH_ANYWHERE,
    REACH_OWN_HALF,   // no man may cross the river
    REACH_RIVER_EDGE, // only soldiers may go to the own river edge; other men stay behind it
} OddsReach;

// How long an iron man cannot be captured.
typedef enum OddsIron {
    IRON_NONE,
    IRON_UNTIL_MOVED,     // each man until its own first move
    IRON_EXCEPT_BY_CHECK, // always, except by a man that itself gives check by the capture
} OddsIron;

typedef enum OddsKind {
#define ODDS(id, name, parameter, giver, fen, moves, iron, iron_men, set_games, summary) ODDS_##id,
#include "core/rules/odds.def"
    ODDS_KIND_COUNT
} OddsKind;

enum {
    ODDS_NAME_SIZE = 24, // bytes that hold any name with its parameter, terminator included
    MAX_IRON_MEN = 3,
    MAX_ODDS_MOVES = 40, // largest number of moves before Black's first reply
};

typedef struct Odds {
    OddsKind kind;
    char name[ODDS_NAME_SIZE]; // name with its parameter: "knight+3"
    const char *pattern;       // name as users type it: "knight+N"
    const char *summary;       // one line that describes the row, with "N moves"
    Side giver;                // side of the stronger player
    Position start;            // Red is to move
    int moves;                 // moves of Red before Black's first reply; 1 in an even game
    OddsReach reach;           // limit of these moves, if there are several
    OddsIron iron;
    int iron_count;
    uint8_t iron_squares[MAX_IRON_MEN]; // points of the iron men at the start
    int set_games;                      // number of games that form a set: 1 or 3
} Odds;

// The part of a handicap that still applies. All zero if none does. It is copied freely.
typedef struct OddsState {
    uint8_t moves; // moves that the side to move makes before the other side replies, including the
                   // next; 0 in even play
    uint8_t reach; // an OddsReach, while moves > 0
    uint8_t iron;  // an OddsIron
    uint8_t iron_count;                 // number of iron men remaining
    uint8_t iron_squares[MAX_IRON_MEN]; // their present points
} OddsState;

// Reads a name with its parameter ("rook", "knight+2", "4plus:5"). The error lists all names.
Status odds_by_name(const char *name, Odds *odds, Err *err);
// Fills in the odds of a row. `moves` is used if the row has a parameter; 0 means the smallest
// number.
void odds_of_kind(OddsKind kind, int moves, Odds *odds);

// Returns the number of extra plies at the start of a record. The same side moves again after each
// of them. With N moves first there are N - 1; the game proper begins with the Nth move.
ALWAYS_INLINE int odds_extra_plies(const Odds *odds) {
    return odds->moves - 1;
}

// Initialises the state for the start of a game.
void odds_begin(const Odds *odds, OddsState *state);

// Returns true if a part of the handicap still applies.
ALWAYS_INLINE bool odds_active(const OddsState *state) {
    return state && (state->moves || state->iron_count);
}

// The slow path of odds_move_allowed(), for a state that is active.
bool odds_state_allows(const OddsState *state, const Position *position, Move legal_move);

// Returns true if a legal move is allowed. Extra moves must stay within their reach, and only the
// last of them may give check. Iron men may not be captured.
ALWAYS_INLINE bool odds_move_allowed(const OddsState *state, const Position *position,
                                     Move legal_move) {
    return !odds_active(state) || odds_state_allows(state, position, legal_move);
}

// Lists the legal moves that are allowed.
void odds_legal_moves(const OddsState *state, const Position *position, MoveList *list);
// Returns true if the side to move has no allowed move, and so loses.
bool odds_no_legal_move(const OddsState *state, const Position *position);

// Writes to *after the position after an allowed move, and updates *state, which may be NULL. While
// extra moves remain, the same side is to move in *after.
void odds_apply(OddsState *state, const Position *before, Move move, Position *after);

// Returns a key of the state for hash tables, or 0 if the state is not active. Equal positions with
// different states have different values.
uint64_t odds_key(const OddsState *state);
