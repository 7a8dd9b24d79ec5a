// SPDX-License-Identifier: GPL-3.0-or-later
// Handicaps: one row each in core/rules/odds.def. A handicap changes the start position, lets Red
// make several moves before Black's first reply, or makes men iron: they cannot be captured.
//
// A handicap forbids some of the legal moves; a side without an allowed move is mated or
// stalemated. This depends on the past (has the man moved?), so a small state follows the game, by
// value, as a Position does. An even game has no state: every function takes NULL for it and then
// costs nothing but the test.
//
// A game begins at odds.start with odds_begin(); each move is one of odds_legal_moves() and goes
// through odds_apply(), after which the same side may be to move again.
// In a search, at each node: skip moves with !odds_move_allowed(state, position, move), copy the
// state, odds_apply() to the copy, and hand the copy down; mix odds_key() into the hash key.
// Hand NULL down once odds_active() is false: the rest of the game is even.
#pragma once

#include "core/base/text.h"
#include "core/board/position.h"

// Which moves an extra move may be, by its target.
typedef enum OddsReach {
    REACH_ANYWHERE,
    REACH_OWN_HALF,   // no man crosses the river
    REACH_RIVER_EDGE, // only soldiers go to the own river edge, the others stay behind it
} OddsReach;

// The time while an iron man cannot be captured.
typedef enum OddsIron {
    IRON_NONE,
    IRON_UNTIL_MOVED,  // each man until his own first move
    IRON_BUT_BY_CHECK, // always, but by a man that itself gives check from there
} OddsIron;

typedef enum OddsKind {
#define ODDS(id, name, parameter, giver, fen, moves, iron, iron_men, set_games, summary) ODDS_##id,
#include "core/rules/odds.def"
    ODDS_KIND_COUNT
} OddsKind;

enum {
    ODDS_NAME_SIZE = 24, // bytes that hold any name with its parameter, terminator included
    MAX_IRON_MEN = 3,
    MAX_ODDS_MOVES = 40, // the most moves that may be given
};

typedef struct Odds {
    OddsKind kind;
    char name[ODDS_NAME_SIZE]; // with the parameter: "knight+3"
    const char *pattern;       // as one types it: "knight+N"
    const char *summary;       // one line, of the whole row: with "N moves"
    Side giver;                // side of the stronger player
    Position start;            // Red is to move
    int moves;                 // moves of Red before Black's first reply; 1: as always
    OddsReach reach;           // of all those moves, when there are several
    OddsIron iron;
    int iron_count;
    uint8_t iron_squares[MAX_IRON_MEN]; // at the start
    int set_games;                      // games that belong together: 1, or 3
} Odds;

// The part of the handicap that is still to come. Copied freely; empty when nothing is.
typedef struct OddsState {
    uint8_t moves; // moves the side to move makes before the other replies, the next included; 0:
                   // even play
    uint8_t reach; // an OddsReach, while moves > 0
    uint8_t iron;  // an OddsIron
    uint8_t iron_count;                 // iron men that are left
    uint8_t iron_squares[MAX_IRON_MEN]; // where they stand
} OddsState;

// Reads a name with its parameter ("rook", "knight+2", "4plus:5"). The error lists the names.
Status odds_by_name(const char *name, Odds *odds, Err *err);
// The odds of a row; `moves` counts only where the row has a parameter (0: the fewest).
void odds_of_kind(OddsKind kind, int moves, Odds *odds);

// The first plies of a record that are extra moves: after each of them the same side moves again.
// With N moves first these are N - 1; the game proper begins with the last of the N.
ALWAYS_INLINE int odds_extra_plies(const Odds *odds) {
    return odds->moves - 1;
}

// The state at the start of a game.
void odds_begin(const Odds *odds, OddsState *state);

// Is anything of the handicap left?
ALWAYS_INLINE bool odds_active(const OddsState *state) {
    return state && (state->moves || state->iron_count);
}

// The part of the test below that an even game never reaches.
bool odds_state_allows(const OddsState *state, const Position *position, Move legal_move);

// May a legal move be made? Extra moves stay within their reach, and only the last may give check;
// iron men are not captured.
ALWAYS_INLINE bool odds_move_allowed(const OddsState *state, const Position *position,
                                     Move legal_move) {
    return !odds_active(state) || odds_state_allows(state, position, legal_move);
}

// The legal moves that are allowed.
void odds_legal_moves(const OddsState *state, const Position *position, MoveList *list);
// Has the side to move no move left, so that it loses?
bool odds_no_legal_move(const OddsState *state, const Position *position);

// *after = *before with an allowed move played, and *state (may be NULL) brought up to date. While
// extra moves are left the same side is to move in *after.
void odds_apply(OddsState *state, const Position *before, Move move, Position *after);

// For hash tables: equal positions with different states have different futures. 0 when nothing is
// left.
uint64_t odds_key(const OddsState *state);
