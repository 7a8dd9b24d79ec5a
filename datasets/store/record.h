// SPDX-License-Identifier: GPL-3.0-or-later
// What the laboratory remembers of a game: plain memory, before it is written and after it is read.
// In every struct a member left zero means that there is nothing to tell.
#pragma once

#include "core/rules/game.h"
#include "core/rules/odds.h"
#include "core/rules/rules.h"

// "No score": the ply was not searched (opening, import).
#define SCORE_UNKNOWN INT16_MIN

// One played ply. Scores are those of the player that chose the move, turned to Red's side.
typedef struct PlyRecord {
    Move move;
    Move best;         // what the search preferred to it; MOVE_NONE: the move itself, or unknown
    int16_t score_red; // units (100 = one point of the classic table); SCORE_UNKNOWN; 0 with a mate
    int16_t mate_red;  // plies to mate: > 0 Red mates, < 0 Black mates, 0 no mate seen
    uint8_t depth;     // nominal depth reached; 0 when not searched
    uint32_t nodes;    // nodes searched
    bool sampled;      // the position before this ply belongs to the sampled positions
} PlyRecord;

typedef struct GameRecord {
    uint64_t index;     // number of the game in its run
    Position start;     // where the record begins
    uint64_t first_ply; // of GameBatch.plies
    uint32_t ply_count;
    uint32_t extra_plies;     // the first plies, odds: the same side moves again after each of them
    uint32_t opening_plies;   // the first plies, which the opening chose
    int8_t result;            // from Red's side: +1, 0, -1
    uint8_t reason;           // an EndReason
    uint8_t end_reason;       // == reason; imported games: why our referee ends it, or END_NONE
    uint32_t end_ply;         // == ply_count; imported games: the plies after which he does
    uint32_t adjudicated_ply; // plies after which adjudication ended it, or would have; 0: never
    int8_t adjudicated_result;
    uint8_t red_player, black_player; // numbers of the players in Provenance.weights
    char odds[ODDS_NAME_SIZE];        // "" for an even game
} GameRecord;

// Games with their plies, in game order. Zero-initialise; game_batch_clear() frees.
typedef struct GameBatch {
    GameRecord *games;
    size_t count, capacity;
    PlyRecord *plies;
    size_t ply_count, ply_capacity;
} GameBatch;

// Appends a game; its plies (game->ply_count of them) are copied and first_ply is set.
void game_batch_append(GameBatch *batch, const GameRecord *game, const PlyRecord *plies);
void game_batch_reset(GameBatch *batch);
void game_batch_clear(GameBatch *batch);

// Walks through a recorded game: `position` is the one before ply number `ply`.
typedef struct GameWalk {
    Position position;
    uint32_t ply;
} GameWalk;

void game_walk_init(GameWalk *walk, const GameRecord *game);
// Plays `move` as the next ply of the game; after an extra ply of odds the move stays with its
// side. False, and nothing done, when the piece on its square cannot make it.
bool game_walk_step(GameWalk *walk, const GameRecord *game, Move move);

// One sampled position with its outcome: what the tuner reads.
typedef struct PositionRecord {
    uint64_t game;               // index of its game
    Position position;           // halfmove and fullmove are not stored: 0 and 1
    uint16_t ply;                // plies played before it
    Move move;                   // played in it
    int16_t score_red, mate_red; // as in PlyRecord
    int8_t result;               // of the game, from Red's side
} PositionRecord;
