// SPDX-License-Identifier: GPL-3.0-or-later
// A game as a file of another program tells it: what every reader of a format fills, and why a
// record is refused.
#pragma once

#include "datasets/store/record.h"

// Why a record is refused: IMPORT_REFUSAL(id, name).
#define IMPORT_REFUSALS(REFUSAL)                                                                   \
    REFUSAL(FIELDS, "fields")                                                                      \
    REFUSAL(RESULT, "result")                                                                      \
    REFUSAL(START, "start")                                                                        \
    REFUSAL(MOVE, "move")                                                                          \
    REFUSAL(LENGTH, "length")

typedef enum ImportRefusal {
    IMPORT_KEPT,
#define IMPORT_REFUSAL(id, name) IMPORT_##id,
    IMPORT_REFUSALS(IMPORT_REFUSAL)
#undef IMPORT_REFUSAL
        IMPORT_REFUSAL_COUNT
} ImportRefusal;

const char *import_refusal_name(ImportRefusal refusal);

// Initialise, then begin as many games as there are; source_game_clear() frees.
typedef struct SourceGame {
    // Of the record a reader fills start, odds, extra_plies, opening_plies and, when has_result,
    // result; nothing else.
    GameRecord record;
    bool has_result;
    bool judged;      // the result is the referee's word
    bool exact;       // there is no doubt which notation the moves are in
    int system;       // it
    Game game;        // without the extra plies of odds
    PlyRecord *plies; // record.extra_plies + game.count of them
    size_t capacity;
    size_t line; // lines of the record before the place of a refusal
} SourceGame;

void source_game_init(SourceGame *source);
void source_game_clear(SourceGame *source);
// Forgets everything; the start position is the initial one.
void source_game_reset(SourceGame *source);
// A game without extra plies that begins here.
void source_game_start(SourceGame *source, const Position *start);
// A game of odds: `extra` legal moves of one side, from `start`, before the game proper.
// STATUS_BAD_INPUT when they cannot be played or the odds have no such name; the game is then
// untouched.
Status source_game_start_odds(SourceGame *source, const Position *start, const char *odds,
                              const char *extra, Err *err);
// Plays a legal move. What is known of it may be filled in: the score is unknown, all else zero.
PlyRecord *source_game_push(SourceGame *source, Move move);
// The last ply, NULL when there is none in the game proper.
PlyRecord *source_game_last(SourceGame *source);

// "1-0", "1/2-1/2", "0-1".
const char *result_to_text(int result);
// The inverse, and what people write besides ("1/2", 紅勝, 和棋 ...). False when it is no result.
bool result_from_text(const char *text, int8_t *result);
// "*", "未知" or nothing: the file says that the result is not known.
bool result_is_open(const char *text);
