// SPDX-License-Identifier: GPL-3.0-or-later
// Other games than xiangqi, behind one interface: search, self-play, matches and the terminal know
// a game only by its Variant. A game is one file here and one line in variants.def.
//
// Two teams play, 0 and 1. Chance decides what a turn uncovers. A state holds only what the players
// know, so no search can look at hidden pieces.
#pragma once

#include "core/base/text.h"
#include "core/board/types.h"

enum {
    VARIANT_STATE_SIZE = 768,  // bytes of the largest state
    VARIANT_MAX_TURNS = 512,   // more turns than any position has
    VARIANT_MAX_TERMS = 32,    // terms of an evaluation
    VARIANT_MAX_RULES = 2,     // rule sets of a game
    VARIANT_TURN_SIZE = 8,     // bytes of the text of a turn, with its end
    VARIANT_EVAL_LIMIT = 4000, // evaluations are smaller
    VARIANT_WIN = 30000,       // a win now; a win after n plies is n less
    VARIANT_WIN_LEAST = 29000, // scores beyond it are wins
    VARIANT_DROP = 96,         // origin of a drop, plus the PieceType
    VARIANT_UNCOVER = 127,     // origin of a turn that uncovers
    FACE_DOWN = PIECE_COUNT,   // beside the pieces of core/board/types.h
};

// The state of a game. Copied, never undone.
typedef struct VariantState {
    uint64_t key;   // hash of all that decides the game from here on, counters apart
    uint16_t quiet; // plies since the last turn that can never be taken back
    uint8_t team;   // the team to move; 0 while teams have no colour
    uint8_t seat;   // the player to move, an index into `seats`
    bool again;     // the team to move made the last turn, too
    _Alignas(16) unsigned char own[VARIANT_STATE_SIZE]; // the game's
} VariantState;

// A turn is a Move of core/board/types.h, with the origins above; 0 is no turn.
typedef struct VariantTurn {
    Move move;
    int16_t order; // above 0: a capture, the greater the better; else 0
} VariantTurn;
typedef struct VariantTurns {
    int count;
    VariantTurn turns[VARIANT_MAX_TURNS];
} VariantTurns;

// Pieces that a turn may uncover: counts[piece] out of `all`. all == 0: the turn uncovers nothing.
typedef struct VariantChance {
    int all;
    uint8_t counts[PIECE_COUNT];
} VariantChance;

// A term of the evaluation. A game declares its terms in one table, TERMS(X), with a row
// X(name, meaning, classic, fitted...) for each term. There is one fitted value for each rule set.
// VARIANT_TERM_ID and VARIANT_TERM_ROW make the enumerators and the array of VariantTerm.
typedef struct VariantTerm {
    const char *name, *meaning;
    double classic;                   // hand-set value, in units
    double fitted[VARIANT_MAX_RULES]; // values of `default` by rule set, from fits
} VariantTerm;
#define VARIANT_TERM_ID(name, ...)                    TERM_##name,
#define VARIANT_TERM_ROW(name, meaning, classic, ...) {#name, meaning, classic, {__VA_ARGS__}},

typedef struct Variant {
    const char *name, *summary;
    const char *rules;       // in words
    const char *choices;     // words of --rules, separated by '|'; NULL: one rule set
    const char *seats[5];    // words of --seat, in the order of the first turns
    const char *start;       // text of the start position
    int columns, first_rank; // board size and rank number, for the texts of turns
    int no_capture;          // default of --no-capture; 0: the game has no such draw
    int opening_plies;       // default of --opening-plies
    const VariantTerm *terms;
    int term_count;

    // Reads the text of a position into a zeroed state. STATUS_BAD_INPUT with place and value.
    Status (*read)(const char *text, int choice, VariantState *state, Err *err);
    void (*write)(const VariantState *state, Text *text);
    // Draws the position for people, its pieces as letters or as Chinese characters.
    void (*draw)(const VariantState *state, bool letters, Text *text);
    // Lists the turns; no turn: the team to move has lost. With `noisy` only captures. Returns true
    // if `noisy` was set and all turns are listed, because the team to move must answer a check.
    bool (*list)(const VariantState *state, bool noisy, VariantTurns *turns);
    // Fills *chance for a turn that uncovers. NULL: no turn does.
    void (*chance)(const VariantState *state, VariantChance *chance);
    // Plays a turn that list() has; `piece` is what it uncovers.
    void (*play)(VariantState *state, Move move, Piece piece);
    // Counts the terms of both teams. counts[team][term] is zero before.
    void (*trace)(const VariantState *state, int counts[][VARIANT_MAX_TERMS]);
} Variant;

// Returns game number i, NULL behind the last.
const Variant *variant_at(int i);
// Returns a game by its name; NULL, and STATUS_USAGE in *err, if there is none.
const Variant *variant_by_name(const char *name, Err *err);

// Fills *chance for a turn: its `all` is 0 unless the turn uncovers.
void variant_chance(const Variant *game, const VariantState *state, Move move,
                    VariantChance *chance);
// Counts the lines of `depth` turns; a turn counts once for each piece it may uncover.
uint64_t variant_perft(const Variant *game, const VariantState *state, int depth);
// Counts the terms of the evaluation: those of team 0 less those of team 1.
void variant_counts(const Variant *game, const VariantState *state, int counts[VARIANT_MAX_TERMS]);
// Returns the evaluation for the team to move, within +-VARIANT_EVAL_LIMIT.
int variant_evaluate(const Variant *game, const double *weights, const VariantState *state);

// ---- texts --------------------------------------------------------------------------------------

// Writes a turn: "h2e2", "R@e3" a drop, "a1" uncovers; "a1=R" with the piece that appeared.
void variant_write_turn(const Variant *game, Move move, Piece piece, char text[VARIANT_TURN_SIZE]);
// Finds the turn with this text. *piece is PIECE_NONE if the text has none. Errors name the text.
Status variant_read_turn(const Variant *game, const VariantState *state, const char *text,
                         Move *move, Piece *piece, Err *err);

// Reads rows of pieces from the top with further pieces in brackets behind them, "4k4/9/...[RRp]".
// The brackets may be missing. '?' is FACE_DOWN if `hidden`. `pieces` names the brackets in errors.
Status variant_read_board(const char *text, int columns, int rows, bool hidden, uint8_t *board,
                          const char *pieces, uint8_t counts[PIECE_COUNT], Err *err);
void variant_write_board(const uint8_t *board, int columns, int rows,
                         const uint8_t counts[PIECE_COUNT], Text *text);
void variant_write_pieces(const uint8_t counts[PIECE_COUNT], Text *text);
extern const char variant_letters[]; // indexed by Piece, and FACE_DOWN

// ---- weights ------------------------------------------------------------------------------------

typedef struct VariantWeights {
    const char *name;                // borrowed
    bool random;                     // play random turns
    double value[VARIANT_MAX_TERMS]; // in units
    double se[VARIANT_MAX_TERMS];    // standard errors; 0 if unknown
} VariantWeights;

// Loads "classic" (hand-set), "default" (fitted to games by rule set `choice`), "random" (random
// turns) or a file that `tune --rows --out` wrote. An unknown term is an error with file, line and
// name. Terms that the file lacks are 0, which is noted.
Status variant_weights_load(const Variant *game, int choice, const char *name,
                            VariantWeights *weights, Err *err);
