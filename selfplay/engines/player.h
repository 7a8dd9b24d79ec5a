// SPDX-License-Identifier: GPL-3.0-or-later
// The players of a match. A player receives the game and the clocks. It returns a move or one of
// the faults of player_faults.def. The match referees the game. After a fault, the next
// player_new_game() makes the player ready again.
#pragma once

#include "core/base/hash.h"
#include "core/search/search.h"
#include "selfplay/engines/conversation.h"

typedef enum PlayerFault {
#define PLAYER_FAULT(id, name, end, meaning) PLAYER_##id,
#include "selfplay/engines/player_faults.def"
    PLAYER_FAULT_COUNT
} PlayerFault;

enum { PLAYER_TEXT_SIZE = 480 };

typedef struct Player Player;

// A request for a move of the side to move. A side whose clock is unused plays without a clock.
typedef struct PlayerTurn {
    const Game *game;
    Clock clocks[SIDE_COUNT];
    int64_t patience_ns; // time after which a program without an answer is stopped
    // Remaining handicap; NULL: none. The match treats a forbidden move as illegal. UCI and UCCI
    // programs receive the allowed or the forbidden moves.
    const OddsState *odds;
    int multi_pv; // number of lines requested from our engine; 0 and 1: the best one
} PlayerTurn;

enum { PLAYER_LINES_MAX = 16, PLAYER_EXPECTED_MAX = 40 };
// A move and its score from the point of view of the side to move.
typedef struct PlayerLine {
    Move move;
    int score; // in the units of SearchLine.score
} PlayerLine;

typedef struct PlayerReply {
    PlayerFault fault;
    Move move; // a legal move; MOVE_NONE after a fault or a resignation, or if the player reports
               // no move
    bool resigns, offers_draw;
    SearchInfo info;                    // depth and nodes are 0 if unknown
    Move expected[PLAYER_EXPECTED_MAX]; // principal variation, beginning with `move`;
                                        // [expected_count]
    int expected_count;
    bool interrupted; // a signal ended the turn: there is no move, and the player is not to blame
    int64_t time_ns;  // time from the request to the answer
    PlayerLine lines[PLAYER_LINES_MAX]; // at most multi_pv lines, best first; none if
                                        // the player is a program
    int line_count;
    char note[PLAYER_TEXT_SIZE]; // description of the fault; without a fault, an ignored claim of
                                 // the engine, or ""
} PlayerReply;

// The functions of one kind of player.
typedef struct PlayerOps {
    Status (*new_game)(Player *player, const TimeControl *control, Err *err);
    void (*go)(Player *player, const PlayerTurn *turn, PlayerReply *reply);
    void (*ponder)(Player *player, const PlayerTurn *turn); // NULL: this kind never ponders
    void (*close)(Player *player);                          // frees the player
} PlayerOps;

// Common part of all players. Each kind has it as the first member of its own struct. Callers may
// read the fields, but must call the functions below instead of `ops`.
struct Player {
    const PlayerOps *ops;
    int restarts;            // number of restarts
    const char *engine_name; // name that the program reports; NULL: our engine
    const char *evaluation;  // description of the evaluation, which only Paotai prints; NULL or ""
                             // if unknown
    const Text *remarks;     // messages that followed the setting of options; NULL: our engine
};

// Opens a program: starts it, completes the handshake and sets its options. If STATUS_ENGINE is
// returned by the first attempt, tries once more, because a start may fail by accident. The spec is
// borrowed. Returns STATUS_USAGE if the program cannot be limited or set up as requested,
// STATUS_NOT_FOUND or STATUS_ENGINE.
Status player_open_program(const PlayerSpec *spec, Player **player, Err *err);

// The configuration of our engine, made from a player's spec.
typedef struct EngineConfig {
    Weights *weights;
    Network *network; // NULL: none; owned, like `weights`
    char weights_hash[SHA256_HEX_SIZE];
    SearchParams params;
    double hash_mb;
    int threads;
    SearchLimits limits;     // limits of nodes and depth; the clock of a turn is added
    const atomic_bool *stop; // flag that ends a search at once when it is set; may be NULL
} EngineConfig;

// Opens our engine with these rules. The configuration is borrowed.
Player *player_open_engine(const EngineConfig *config, const Rules *rules);

// Closes and frees the player; NULL is allowed.
void player_close(Player *player);

// Prepares the player for a new game with the time control `control` (all zero: no clock). Restarts
// a program if needed. Returns STATUS_ENGINE if that fails.
Status player_new_game(Player *player, const TimeControl *control, Err *err);
// Requests a move. player_new_game() must have been called for this game, and the side to move must
// have a legal move.
void player_go(Player *player, const PlayerTurn *turn, PlayerReply *reply);

// Lets the player ponder. Call it before a move is requested from its opponent.
void player_ponder(Player *player, const PlayerTurn *turn);

const char *player_fault_name(PlayerFault fault);
