// SPDX-License-Identifier: GPL-3.0-or-later
// The players of a match. The referee is not here: a player gets a game and clocks and answers with
// a move, or fails in one of the ways of player_faults.def. A player that failed is
// made ready again by the next player_new_game().
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

// A turn of the side to move in the game. Clocks that are not used mean that side plays without
// one.
typedef struct PlayerTurn {
    const Game *game;
    Clock clocks[SIDE_COUNT];
    int64_t patience_ns;   // a program that has not answered after this time is stopped
    const OddsState *odds; // what is left of a handicap; NULL: nothing. A forbidden move counts
                           // as illegal; UCI and UCCI programs hear which moves are forbidden
    int multi_pv;          // lines wanted of our engine; 0 and 1: the best one
} PlayerTurn;

enum { PLAYER_LINES_MAX = 16, PLAYER_EXPECTED_MAX = 40 };
// A move and its score, from the side to move.
typedef struct PlayerLine {
    Move move;
    int score; // as SearchLine.score
} PlayerLine;

typedef struct PlayerReply {
    PlayerFault fault;
    Move move; // legal; MOVE_NONE with a fault, when it resigns, and when it says it has none
    bool resigns, offers_draw;
    SearchInfo info;                    // depth, nodes 0: not said
    Move expected[PLAYER_EXPECTED_MAX]; // the line it expects, its move first; [expected_count]
    int expected_count;
    bool interrupted; // by a signal: there is no answer, and no fault of the player
    int64_t time_ns;  // from the question to the answer
    PlayerLine lines[PLAYER_LINES_MAX]; // multi_pv of them, best first; of a program none
    int line_count;
    char note[PLAYER_TEXT_SIZE]; // with a fault: what happened. Else "" or a claim it made, not
                                 // believed
} PlayerReply;

// The functions of a kind of player.
typedef struct PlayerOps {
    Status (*new_game)(Player *player, const TimeControl *control, Err *err);
    void (*go)(Player *player, const PlayerTurn *turn, PlayerReply *reply);
    void (*ponder)(Player *player, const PlayerTurn *turn); // NULL: it waits
    void (*close)(Player *player);                          // frees the player
} PlayerOps;

// A kind puts a Player first in its own struct. Read it, but call the functions below.
struct Player {
    const PlayerOps *ops;
    int restarts;            // how often it had to be started again
    const char *engine_name; // as a program says; NULL: none
    const char *evaluation;  // what evaluates, as our own program says; NULL, "": unknown
    const Text *remarks;     // lines of a program that may refuse an option; NULL: none
};

// Opens a program: starts it, shakes hands, sets its options; once more where that fails, which may
// be an accident of its start. The spec is borrowed. STATUS_USAGE
// when it cannot be limited or set up as the spec says, STATUS_NOT_FOUND, STATUS_ENGINE.
Status player_open_program(const PlayerSpec *spec, Player **player, Err *err);

// Our engine as a player's text describes it.
typedef struct EngineConfig {
    Weights *weights;
    Network *network; // NULL: none; engine_config_clear() frees both
    char weights_hash[SHA256_HEX_SIZE];
    SearchParams params;
    double hash_mb;
    int threads;
    SearchLimits limits;     // nodes and depth of each move; without them the turn's clock decides
    const atomic_bool *stop; // a search answers at once when this is set; NULL: nothing stops it
} EngineConfig;

// Loads the weights and reads the options (search parameters) of a player that is no program.
// hash_mb and threads of the spec win over the ones given. STATUS_USAGE for an unknown option,
// and for a search parameter that has no effect under the limits of the spec. The caller says whose
// error it is.
Status engine_config(const PlayerSpec *spec, double hash_mb, EngineConfig *config, Err *err);
void engine_config_clear(EngineConfig *config);

// Makes a player ready for a game that its spec's clock times: opens the program, or our engine,
// which searches by these rules, where *player is NULL; starts it again where that is needed.
// Errors of player_open_program() and player_new_game().
Status player_ready(const PlayerSpec *spec, const EngineConfig *engine, const Rules *rules,
                    Player **player, Err *err);

// Ends it; NULL is nothing.
void player_close(Player *player);

// Gets ready for a game that `control` times (all zero: no clock): starts it again where that is
// needed. STATUS_ENGINE when it cannot be.
Status player_new_game(Player *player, const TimeControl *control, Err *err);
// Asks for a move. The game must have begun with player_new_game() and have a legal move.
void player_go(Player *player, const PlayerTurn *turn, PlayerReply *reply);

// Its opponent is going to be asked for a move: it may think in the meantime.
void player_ponder(Player *player, const PlayerTurn *turn);

const char *player_fault_name(PlayerFault fault);
