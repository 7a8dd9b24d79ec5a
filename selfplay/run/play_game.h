// SPDX-License-Identifier: GPL-3.0-or-later
// Plays and records one game between two players. Our referee decides when it ends.
#pragma once

#include "core/base/random.h"
#include "core/rules/odds_game.h"
#include "datasets/store/record.h"
#include "selfplay/engines/player.h"

// Ends of a game before the rules end it. 0 switches a limit off.
typedef struct Adjudication {
    int resign_score; // units: both sides see one side ahead by this on RESIGN_PLIES plies in a row
    int draw_score;   // units: all scores of DRAW_PLIES plies in a row are within +-draw_score
    int max_plies;    // a game of this length is a draw
} Adjudication;

// Draws are adjudicated from ply DRAW_AFTER on.
enum { RESIGN_PLIES = 4, DRAW_PLIES = 12, DRAW_AFTER = 100 };

// Noise: on the first plies after the opening, the move is drawn from the best NOISE_LINES moves
// that score within NOISE_WINDOW units of the best. Only our engine supports it.
enum { NOISE_WINDOW = 50, NOISE_LINES = 4 };

typedef struct PlaySpec {
    Rules rules;
    Adjudication adjudication;
    int noise_plies;                  // plies with noise after the opening
    TimeControl controls[SIDE_COUNT]; // clocks by colour; all zero: no clock
    int64_t margin_ns[SIDE_COUNT];    // a clock may be overstepped by this time
    int64_t patience_ns;              // without a clock, a program that thinks longer loses
    bool timed;                       // record the time of each move
} PlaySpec;

// Sums over the moves of one side.
typedef struct SideTally {
    uint64_t moves, nodes, depth_sum;
    uint64_t timed;  // moves with a known time
    int64_t time_ns; // total time of these moves
} SideTally;

// Counts that are added up over the games of a run. X(name, meaning); games first.
#define PLAYED_SUMS(X)                                                                             \
    X(games, "number of games")                                                                    \
    X(plies, "plies of the games")                                                                 \
    X(positions, "sampled positions")                                                              \
    X(nodes, "nodes of the searches")                                                              \
    X(search_ns, "time of the searches for moves, over all threads")                               \
    X(opening_ns, "time of the searches for openings, over all threads")                           \
    X(red_wins, "games won by Red")                                                                \
    X(black_wins, "games won by Black")                                                            \
    X(shards, "shards written")                                                                    \
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

// A finished game. The next game reuses the arrays.
typedef struct PlayedGame {
    GameRecord record;
    PlyRecord *plies;
    size_t capacity; // allocated plies
    TagRecord *tags; // [record.tag_count]; NULL if there are none
    SideTally tally[SIDE_COUNT];
    PlayerFault fault;           // fault of the losing player, or PLAYER_NONE
    char note[PLAYER_TEXT_SIZE]; // description of that fault
    int claims[SIDE_COUNT];      // number of turns at which a player claimed a wrong result
    char claim[SIDE_COUNT][PLAYER_TEXT_SIZE]; // last such claim of each side
    PlayedSums sums;                          // counts for GameSource.sums
} PlayedGame;

void played_game_clear(PlayedGame *played);

// Records a game that `loser` lost before its first move after the opening of *og, because the
// player could not be started.
void play_forfeit(const OddsGame *og, Side loser, const char *note, PlayedGame *played);
// Stores the reply of the side `stm` in *ply: best move, score, mate, depth and nodes. ply->move
// must be set.
void ply_take_reply(PlyRecord *ply, const PlayerReply *reply, Side stm);

// Plays a game to its end and fills *played, except record.index and the players' numbers. The
// plies of *og so far are the opening. The caller has called player_ready() for both players, which
// may be the same one. `random` draws the noise. Marks quiet positions as sampled: played after the
// opening, not in check, the move is no capture, no mate score, no score at the limit, not yet
// adjudicated. A player that fails loses; this is a result and no error. Returns STATUS_INTERRUPTED
// if a program still thought a second after an interrupt; the game must then be discarded.
Status play_game(const PlaySpec *spec, Player *const players[SIDE_COUNT], OddsGame *og,
                 Random *random, PlayedGame *played);
