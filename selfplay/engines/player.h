// SPDX-License-Identifier: GPL-3.0-or-later
// The players of a game: our engine in this process, or another program. For each move a player
// receives the game and the clocks, and returns a move, a resignation or one of the faults in
// player_faults.def. The caller applies the rules and ends the game. After a fault, the next
// player_new_game() makes the player ready again. player_setup.h makes players.
#pragma once

#include "core/search/search.h"
#include "selfplay/engines/conversation.h"

typedef enum PlayerFault {
#define PLAYER_FAULT(id, name, end, meaning) PLAYER_##id,
#include "selfplay/engines/player_faults.def"
} PlayerFault;

enum { PLAYER_TEXT_SIZE = 480 };

typedef struct Player Player;

// A request for a move of the side to move. A side whose clock is not used has no time limit,
// except that a program must answer within patience_ns.
typedef struct PlayerTurn {
    const Game *game;
    Clock clocks[SIDE_COUNT];
    int64_t patience_ns; // nanoseconds after which a program that has not answered has failed. It
                         // is then told to stop, unless it has the quirk no_stop. Our engine
                         // ignores this member
    // State of the handicap; NULL without a handicap. The handicap may forbid moves; a forbidden
    // move counts as illegal. UCI programs receive the allowed moves, UCCI programs the forbidden
    // ones.
    const OddsState *odds;
    int multi_pv; // number of best lines requested from our engine; 0 and 1 request one line
} PlayerTurn;

enum { PLAYER_LINES_MAX = 16, PLAYER_EXPECTED_MAX = 40 };
// The first move of one of the best lines.
typedef struct PlayerLine {
    Move move;
    int score; // search score of the move, from the point of view of the side to move
} PlayerLine;

typedef struct PlayerReply {
    PlayerFault fault;
    Move move; // the played move, legal in xiangqi but perhaps forbidden by the handicap; MOVE_NONE
               // after a fault or a resignation without a move
    bool resigns, offers_draw;
    bool no_move;    // a program reported that it has no move; `fault` is then set
    SearchInfo info; // score and statistics of the search; depth and nodes are 0 if unknown
    Move expected[PLAYER_EXPECTED_MAX]; // principal variation, beginning with `move`
    int expected_count;                 // number of moves in `expected`
    // True if Ctrl-C or another signal ended the wait for the move of a program (`fault` is then
    // set, although the program did not fail), or abandoned a search of our engine without
    // PlayerSetup.stop. The reply is then useless.
    bool interrupted;
    int64_t time_ns; // nanoseconds between the request and the answer
    // Depth, nodes and time at which a program found `move`: all its principal variations since
    // then began with `move`. If its last principal variation begins with another move, these are
    // the values at the end of the search. 0 for our engine.
    int found_depth;
    uint64_t found_nodes;
    int64_t found_ns;                   // nanoseconds since the move was requested
    PlayerLine lines[PLAYER_LINES_MAX]; // the best lines of our engine, best first, at most
                                        // multi_pv; another program reports none here
    int line_count;
    // Description of the player's fault. Without a fault: the program's false claim, before its
    // answer, that the game is over or that a move is illegal. "" if there is neither.
    char note[PLAYER_TEXT_SIZE];
} PlayerReply;

// Functions that each kind of player implements.
typedef struct PlayerOps {
    Status (*new_game)(Player *player, const TimeControl *control, Err *err);
    void (*go)(Player *player, const PlayerTurn *turn, PlayerReply *reply);
    void (*ponder)(Player *player, const PlayerTurn *turn); // see player_ponder(); NULL if this
                                                            // kind of player never ponders
    void (*close)(Player *player);                          // ends and frees the player
} PlayerOps;

// Common part of all players. Each kind has it as the first member of its own struct. Callers may
// read the fields, but must call the functions below instead of `ops`.
struct Player {
    const PlayerOps *ops;
    int restarts;            // number of attempts to start the program again
    const char *engine_name; // name that the program reports for itself, or ""; NULL for our engine
    const char *evaluation;  // description of the evaluation, which the program prints if it is
                             // Paotai; NULL or "" if unknown
    const Text *remarks;     // messages that the program printed after the options of its spec
                             // (option.NAME) were set; empty if it has none; NULL for our engine
};

// Starts a program, completes the handshake and sets its options. If the first attempt fails with
// STATUS_ENGINE, tries once more, because a start may fail by accident. The spec is borrowed.
// Returns STATUS_USAGE if the program cannot be limited or set up as requested; STATUS_NOT_FOUND if
// there is no such program or working directory; STATUS_ENGINE if the program does not start or
// does not answer; STATUS_IO if a pipe or the log cannot be opened.
Status player_open_program(const PlayerSpec *spec, Player **player, Err *err);

// Closes and frees the player; NULL is allowed.
void player_close(Player *player);

// Prepares the player for a new game with the time control `control` (all zero: no clock). Restarts
// a program that has failed, or that has the quirk no_reuse and has begun a game before. Returns
// STATUS_ENGINE if the program does not become ready, or an error of player_open_program() if it
// cannot be restarted.
Status player_new_game(Player *player, const TimeControl *control, Err *err);
// Requests a move and waits for it. player_new_game() must have succeeded before, and the side to
// move must have a legal move.
void player_go(Player *player, const PlayerTurn *turn, PlayerReply *reply);

// Lets the player think on its opponent's time, if the player can and its spec says so. `turn` is
// the turn of the opponent, from whom the caller then requests a move.
void player_ponder(Player *player, const PlayerTurn *turn);

// Returns the name of a fault, such as "crash".
const char *player_fault_name(PlayerFault fault);
