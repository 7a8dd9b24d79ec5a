// SPDX-License-Identifier: GPL-3.0-or-later
// Plays one game between two players under our referee, and records it.
#pragma once

#include "core/base/random.h"
#include "core/rules/odds_game.h"
#include "datasets/store/record.h"
#include "selfplay/engines/player.h"

// When a game ends before the rules end it. Zero switches a rule off.
typedef struct Adjudication {
    int resign_score; // units: both sides call one ahead by this on RESIGN_PLIES plies in a row
    int draw_score;   // units: both are within this on DRAW_PLIES plies in a row
    int max_plies;    // a draw at this length
} Adjudication;

// Draws are adjudicated from ply DRAW_AFTER on.
enum { RESIGN_PLIES = 4, DRAW_PLIES = 12, DRAW_AFTER = 100 };

// Noise: on the first plies behind the opening a move is drawn from the NOISE_LINES best ones,
// those within NOISE_WINDOW units of the best. Only our engine can.
enum { NOISE_WINDOW = 50, NOISE_LINES = 4 };

typedef struct PlaySpec {
    Rules rules;
    Adjudication adjudication;
    int noise_plies;                  // 0: no noise
    TimeControl controls[SIDE_COUNT]; // by colour; all zero: no clock
    int64_t margin_ns[SIDE_COUNT];    // overstepping a clock by this much is forgiven
    int64_t patience_ns;              // without a clock, a program is given up after this time
    bool timed;                       // the record tells how long each move took
} PlaySpec;

// Counts that are added up over the games of a run. X(name, meaning); games first.
#define PLAYED_SUMS(X)                                                                             \
    X(games, "number of games")                                                                    \
    X(plies, "plies of the games")                                                                 \
    X(positions, "sampled positions")                                                              \
    X(nodes, "nodes of the searches")                                                              \
    X(search_ns, "time of the searches for moves, over all threads")                               \
    X(opening_ns, "time of the searches for openings, over all threads")                           \
    X(adjudicated, "games that adjudication ended")                                                \
    X(searched, "rescored plies")                                                                  \
    X(unanswered, "rescored plies in which the player failed twice; they get no score")            \
    X(compared, "rescored plies that have a score before and after")                               \
    X(changed, "sum of the absolute differences of these scores, in units")                        \
    X(agreed, "rescored plies whose search prefers the move that was played")

typedef struct PlayedSums {
#define PLAYED_SUM(name, meaning) uint64_t name;
    PLAYED_SUMS(PLAYED_SUM)
#undef PLAYED_SUM
} PlayedSums;
void played_sums_add(PlayedSums *sums, const PlayedSums *more);

typedef struct SideTally {
    uint64_t moves, nodes, depth_sum;
    uint64_t timed; // moves whose time is known
    int64_t time_ns;
} SideTally;

// A finished game; the arrays are reused by the next one.
typedef struct PlayedGame {
    GameRecord record;
    PlyRecord *plies;
    size_t capacity; // of plies
    TagRecord *tags; // record.tag_count of them; NULL: none
    SideTally tally[SIDE_COUNT];
    PlayerFault fault;           // how the losing player failed, PLAYER_NONE when it did not
    char note[PLAYER_TEXT_SIZE]; // what happened then
    int claims[SIDE_COUNT];      // turns at which a player claimed a result that was not believed
    char claim[SIDE_COUNT][PLAYER_TEXT_SIZE]; // the last of each side
    PlayedSums sums;                          // counts of this game
} PlayedGame;

void played_game_clear(PlayedGame *played);

// A game that `loser` lost before its first move behind the opening of *og: it could not be made
// ready.
void play_forfeit(const OddsGame *og, Side loser, const char *note, PlayedGame *played);
// Writes an answer of the side `stm` down in *ply, whose move is the one played: best, score, mate,
// depth, nodes.
void ply_take_reply(PlyRecord *ply, const PlayerReply *reply, Side stm);

// Plays *og, whose plies so far are the opening, to its end between players[RED] and players[BLACK]
// (they may be one player), which player_new_game() has made ready, and fills *played but for
// record.index and the players' numbers. `random` draws the noise. Positions
// that are quiet (not in check, the move played captures nothing, no mate in sight, not of the
// opening, before any adjudication) are marked as sampled. A player that fails loses: that is a
// result, not an error. STATUS_INTERRUPTED: a program was still thinking a second after the signal;
// the game is not to be kept.
Status play_game(const PlaySpec *spec, Player *const players[SIDE_COUNT], OddsGame *og,
                 Random *random, PlayedGame *played);
