// SPDX-License-Identifier: GPL-3.0-or-later
// Plays one game between two players and records it. The game ends by Paotai's rules, by
// adjudication, by a fault or resignation of a player, or if both players offer a draw. Other
// results that a player claims do not count.
#pragma once

#include "core/base/random.h"
#include "core/rules/odds_game.h"
#include "datasets/store/record.h"
#include "selfplay/engines/player.h"
#include "selfplay/run/score_signs.h"

// Conditions under which a game ends before the rules end it. A value of 0 switches a condition
// off.
typedef struct Adjudication {
    int resign_score; // units by which one side must be ahead in the scores of both players on
                      // RESIGN_PLIES consecutive plies; that side then wins
    int draw_score;   // the game is drawn if all scores of DRAW_PLIES consecutive plies are within
                      // +-draw_score units
    int max_plies;    // a game with this number of plies is drawn
} Adjudication;

// A draw is not adjudicated before ply DRAW_AFTER.
enum { RESIGN_PLIES = 4, DRAW_PLIES = 12, DRAW_AFTER = 100 };

// Noise means random moves on the first plies after the opening. A move is drawn from the
// NOISE_LINES best moves, without moves that score more than NOISE_WINDOW units less than the best.
// Only our engine supports noise.
enum { NOISE_WINDOW = 50, NOISE_LINES = 4 };

typedef struct PlaySpec {
    Rules rules;
    Adjudication adjudication;
    int noise_plies; // number of plies after the opening on which moves are random (noise)
    TimeControl controls[SIDE_COUNT]; // clock of each colour; all zero: no clock
    int64_t margin_ns[SIDE_COUNT];    // nanoseconds by which each colour may overstep its clock
    int64_t patience_ns; // nanoseconds per move after which a program without a clock loses
    bool timed;          // store the time of each searched move
} PlaySpec;

// Sums over the moves of one side in one game, or in several games.
typedef struct SideTally {
    uint64_t moves, nodes, depth_sum;
    uint64_t bounds; // number of moves whose score is unknown, because only bounds were reported
    uint64_t unread; // number of moves with a score that has decimals and was not read
    uint64_t timed;  // number of moves whose time is in time_ns
    int64_t time_ns; // total time of the moves whose time is known, in nanoseconds
} SideTally;

// Sums over the games of a run. X(name, meaning).
#define PLAYED_SUMS(X)                                                                             \
    X(games, "number of games")                                                                    \
    X(plies, "number of plies of these games")                                                     \
    X(positions, "number of sampled positions")                                                    \
    X(nodes, "number of nodes that the searches for moves visited")                                \
    X(search_ns, "nanoseconds of the searches for moves, over all threads")                        \
    X(opening_ns, "nanoseconds in which openings were made, over all threads")                     \
    X(red_wins, "number of games that Red won")                                                    \
    X(black_wins, "number of games that Black won")                                                \
    X(adjudicated, "number of games that adjudication ended")                                      \
    X(searched, "rescoring: number of plies for which the new search returned a move")             \
    X(unanswered, "rescoring: plies in which the player failed twice; they get no score")          \
    X(compared, "rescoring: plies whose old and new scores are both known and not mates")          \
    X(changed, "rescoring: sum of absolute differences of old and new scores, in units")           \
    X(agreed, "rescoring: plies whose search prefers the move that was played")                    \
    X(bounds, "searches for which the program reported only bounds of the score")                  \
    X(unread_scores, "searches with a score that has decimals and was not read")

typedef struct PlayedSums {
#define PLAYED_SUM(name, meaning) uint64_t name;
    PLAYED_SUMS(PLAYED_SUM)
#undef PLAYED_SUM
    ScoreSigns signs; // signs of the program's scores; empty if the player is our engine
} PlayedSums;
void played_sums_add(PlayedSums *sums, const PlayedSums *more);
// Adds the faults in the scores of the player of a run, if it is a program, to a record.
void played_sums_record(Record *record, const PlayerSpec *player, const PlayedSums *sums);

// A finished game. Release with played_game_clear().
typedef struct PlayedGame {
    GameRecord record;
    PlyRecord *plies;
    size_t capacity; // number of plies for which `plies` has room
    TagRecord
        *tags; // tags of the game (names, event, ...), [record.tag_count]; NULL if there are none
    SideTally tally[SIDE_COUNT];
    PlayerFault fault; // fault by which a player lost the game; PLAYER_NONE if no player failed
    char note[PLAYER_TEXT_SIZE]; // description of the fault
    // For each side: number of turns in which its program made a false claim (that the game is over
    // or that a move is illegal), and then gave a reply without a fault.
    int claims[SIDE_COUNT];
    char claim[SIDE_COUNT][PLAYER_TEXT_SIZE]; // for each side: text of the last of these claims
    PlayedSums sums;                          // contribution of this game to the sums of the run
} PlayedGame;

void played_game_clear(PlayedGame *played);

// Returns the fault of a reply in the current position:
// - reply->fault, if it is not PLAYER_NONE;
// - otherwise PLAYER_NONE, if the player resigns;
// - otherwise PLAYER_CLAIM, if the reply has no move;
// - otherwise PLAYER_ILLEGAL, if the handicap forbids the move (`note` is then replaced by a text
//   that says so);
// - otherwise PLAYER_NONE.
PlayerFault play_reply_fault(const OddsGame *og, const PlayerReply *reply,
                             char note[PLAYER_TEXT_SIZE]);
// Returns the end reason of a game that a player lost by this fault.
EndReason play_fault_end(PlayerFault fault);
// Records a game that `loser` lost before the first move after the opening, because the program of
// this side did not become ready for the game or could not be started again.
void play_forfeit(const OddsGame *og, Side loser, const char *note, PlayedGame *played);
// Stores the reply of side `stm` in *ply: preferred move (MOVE_NONE if it is the played move),
// score, mate, depth and nodes. Sets ply->time_ms to 0. ply->move must already be set to the played
// move.
void ply_take_reply(PlyRecord *ply, const PlayerReply *reply, Side stm);

// Plays a game to its end and fills *played, except the index of the game and the numbers of the
// players in played->record. The plies that *og already contains are the opening. The caller has
// called player_ready() for both players. One player may play both sides. `random` chooses the
// random moves after the opening (spec->noise_plies). Marks a position after the opening as sampled
// if the side to move is not in check, the played move is not a capture, and the score is not a
// mate and below SCORE_EVAL_MAX in absolute value. A missing score counts as 0. A player that fails
// loses the game; this is a result and not an error. Returns STATUS_INTERRUPTED if the
// game must be discarded: a program was still thinking one second after an interrupt, or this
// process was stopped and continued (interrupt_stops()) while a clock ran or before a player
// failed.
Status play_game(const PlaySpec *spec, Player *const players[SIDE_COUNT], OddsGame *og,
                 Random *random, PlayedGame *played);
