// SPDX-License-Identifier: GPL-3.0-or-later
// Handicaps; each one is a row of core/rules/odds.def. A handicap can change the start position,
// let Red make several moves before Black's first reply, and have "iron" pieces, which cannot be
// captured.
//
// A game begins at odds.start with odds_begin(). Each move is one of odds_legal_moves() and is
// played by odds_apply(), after which the same side may be to move again. A search skips the moves
// for which odds_move_allowed() is false, keeps a copy of the state for each ply, plays moves with
// odds_apply(), and mixes odds_key() into the hash key. Once odds_active() is false, the usual
// rules apply to the rest of the game.
#pragma once

#include "core/base/text.h"
#include "core/board/position.h"

// The ranks to which Red's moves before Black's first reply may go.
typedef enum OddsReach {
    REACH_ANYWHERE,
    REACH_OWN_HALF,   // no piece may cross the river
    REACH_RIVER_EDGE, // only soldiers may go to the rank next to the river, and no piece may cross
                      // the river
} OddsReach;

// How long the iron pieces of a handicap are protected from capture.
typedef enum OddsIron {
    IRON_NONE,
    IRON_UNTIL_MOVED,     // an iron piece cannot be captured until it has moved
    IRON_EXCEPT_BY_CHECK, // in the whole game, a piece can capture an iron piece only if the
                          // capturing piece itself then gives check
} OddsIron;

typedef enum OddsKind {
#define ODDS(id, name, parameter, giver, fen, moves, iron, iron_men, set_games, summary) ODDS_##id,
#include "core/rules/odds.def"
    ODDS_KIND_COUNT
} OddsKind;

enum {
    ODDS_NAME_SIZE = 24, // size of a buffer for the name of any handicap, including its number of
                         // moves and the terminating zero
    MAX_IRON_MEN = 3,
    MAX_ODDS_MOVES = 40, // largest number of moves before Black's first reply
};

typedef struct Odds {
    OddsKind kind;
    char name[ODDS_NAME_SIZE]; // name with its parameter, such as "knight+3"
    const char *pattern;       // name as users type it, such as "knight+N"
    const char *summary;       // description in one line. With a parameter it contains "N moves",
                               // where N is the parameter
    Side giver;                // the stronger player, who gives the odds
    Position start;            // start position, with Red to move
    int moves;                 // number of Red's moves before Black's first reply; usually 1
    OddsReach reach;           // the ranks to which Red's moves before Black's first reply may go
    OddsIron iron;
    int iron_count;
    uint8_t iron_squares[MAX_IRON_MEN]; // points of the iron pieces in the start position
    int set_games; // number of games that are played as one set: 3 for the handicap "half", 1 for
                   // all others
} Odds;

// The part of a handicap that still applies during a game; odds_active() tells whether any part
// does. All zero in an even game. It can be copied by assignment.
typedef struct OddsState {
    uint8_t moves; // number of moves that Red still makes before Black's first reply. Always 0 if
                   // the handicap gives Red no extra move
    uint8_t reach; // an OddsReach; valid while moves > 0
    uint8_t iron;  // an OddsIron
    uint8_t iron_count;                 // number of iron pieces still protected from capture
    uint8_t iron_squares[MAX_IRON_MEN]; // [iron_count] present points of these protected pieces
} OddsState;

// Reads a handicap's name with its parameter ("rook", "knight+2", "4plus:5"). For an unknown name,
// the error lists all names.
Status odds_by_name(const char *name, Odds *odds, Err *err);
// Fills in a handicap from its row. `moves` is used if the row has a parameter; if it is smaller
// than the smallest allowed number, that number is used.
void odds_of_kind(OddsKind kind, int moves, Odds *odds);

// Returns the number of extra plies. If Red makes several moves before Black's first reply, all
// except the last are extra plies, because Red moves again after each of them. The last one is the
// first ply of the struct Game.
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

// Returns true if the handicap allows a legal move. If Red makes several moves before Black's first
// reply, OddsReach limits where these moves may go, and only the last one may give check. OddsIron
// says how long iron pieces are protected.
ALWAYS_INLINE bool odds_move_allowed(const OddsState *state, const Position *position,
                                     Move legal_move) {
    return !odds_active(state) || odds_state_allows(state, position, legal_move);
}

// Lists the legal moves that the handicap allows.
void odds_legal_moves(const OddsState *state, const Position *position, MoveList *list);
// Returns true if there is no legal move, or none that the handicap allows. The side to move then
// loses.
bool odds_no_legal_move(const OddsState *state, const Position *position);

// Writes to *after the position after an allowed move, and updates *state; `state` may be NULL. If
// Red has further moves before Black's first reply, Red is to move again in *after.
void odds_apply(OddsState *state, const Position *before, Move move, Position *after);

// Returns a hash of the part of the handicap that still applies, or 0 if no part applies. Hash
// tables use it to distinguish equal positions in which different parts of the handicap still
// apply.
uint64_t odds_key(const OddsState *state);
