// SPDX-License-Identifier: GPL-3.0-or-later
// The interface of the games other than xiangqi. Search, self-play, matches and play in the
// terminal know a game only by its struct Variant. A game is one file in this folder and one line
// in variants.def.
//
// Two teams play, 0 and 1; a team can have several players. Chance decides which piece a turn
// uncovers. A state contains only what the players know, so a search cannot look at hidden pieces.
#pragma once

#include "core/base/text.h"
#include "core/board/types.h"

enum {
    VARIANT_STATE_SIZE = 768,  // size in bytes of VariantState.own, the position of a game
    VARIANT_MAX_TURNS = 512,   // upper bound of the number of turns in a position
    VARIANT_MAX_TERMS = 32,    // largest number of terms of an evaluation
    VARIANT_MAX_RULES = 2,     // largest number of rule sets of a game
    VARIANT_TURN_SIZE = 8,     // size of the text of a turn, with its terminator
    VARIANT_EVAL_LIMIT = 4000, // the absolute value of every evaluation is smaller than this
    VARIANT_WIN = 30000,       // a win in n plies has the score VARIANT_WIN - n
    VARIANT_WIN_LEAST = 29000, // scores above this one are wins
    VARIANT_DROP = 96,         // origin of a drop: VARIANT_DROP + PieceType
    VARIANT_UNCOVER = 127,     // origin of a turn that uncovers a piece; not a square
    FACE_DOWN = PIECE_COUNT,   // value of a square with a face-down piece; other squares hold a
                               // Piece
};

// The state of a game. It is copied before each turn; turns are not taken back.
typedef struct VariantState {
    uint64_t key;   // hash of the position, without `quiet`; equal keys mean equal positions
    uint16_t quiet; // plies since the last capture, drop or uncovering
    uint8_t team;   // team to move; 0 if the teams have no colours yet
    uint8_t seat;   // player to move, an index into Variant.seats
    bool again;     // true if the previous turn in the order of turns also belongs to `team`
    _Alignas(16) unsigned char own[VARIANT_STATE_SIZE]; // the position, in a struct that the game's
                                                        // own source file defines
} VariantState;

// A turn, stored as a Move of core/board/types.h. Its origin is a square, VARIANT_DROP + PieceType
// or VARIANT_UNCOVER. The Move 0 means that there is no turn.
typedef struct VariantTurn {
    Move move;
    int16_t order; // move ordering: captures have numbers above 0, and the search tries captures
                   // with higher numbers first; all other turns have 0
} VariantTurn;
typedef struct VariantTurns {
    int count;
    VariantTurn turns[VARIANT_MAX_TURNS];
} VariantTurns;

// The pieces that a turn may uncover. `all` is the sum of `counts`, and a piece appears with the
// probability counts[piece] / all. If `all` is 0, the turn uncovers nothing.
typedef struct VariantChance {
    int all;
    uint8_t counts[PIECE_COUNT];
} VariantChance;

// A term of the evaluation. A game declares its terms in one macro TERMS(X). Each line X(name,
// meaning, classic, fitted...) lists the members of VariantTerm. VARIANT_TERM_ID and
// VARIANT_TERM_ROW make the enumerators and the array of VariantTerm from these lines.
typedef struct VariantTerm {
    const char *name, *meaning;
    double classic;                   // hand-set weight of the term, in units of the evaluation
    double fitted[VARIANT_MAX_RULES]; // weights of the term for each rule set, used by the
                                      // evaluation "default"
} VariantTerm;
#define VARIANT_TERM_ID(name, ...)                    TERM_##name,
#define VARIANT_TERM_ROW(name, meaning, classic, ...) {#name, meaning, classic, {__VA_ARGS__}},

typedef struct Variant {
    const char *name, *summary;
    const char *rules;       // description of the rules
    const char *choices;     // values of --rules, separated by '|'; NULL: there is one rule set
    const char *seats[5];    // names of the players (values of --seat), in the order of their first
                             // turns; then NULL
    const char *sides;       // a letter for each player; players with the same letter are one team
    const char *start;       // text of the start position
    int columns, first_rank; // width of the board and number of its first rank, for the squares in
                             // the text of a move
    bool no_capture;         // true if --no-capture applies: a draw after a number of plies in
                             // which no piece is captured or uncovered
    int opening_plies;       // default of --opening-plies
    const VariantTerm *terms;
    int term_count;

    // Reads the text of a position into a zeroed state. `choice` is the index of the rule set.
    // Returns STATUS_BAD_INPUT if the text is invalid; *err then says where.
    Status (*read)(const char *text, int choice, VariantState *state, Err *err);
    void (*write)(const VariantState *state, Text *text);
    // Returns true if the seat, an index into `seats`, has a player in the game of this state.
    // NULL: every seat has one.
    bool (*has_player)(const VariantState *state, int seat);
    // Draws the board for people. If `letters` is set, pieces are letters, otherwise Chinese
    // characters.
    void (*draw)(const VariantState *state, bool letters, Text *text);
    // Lists the legal turns. If there is none, the team to move has lost. If `noisy` is set and the
    // player to move is not in check, lists only captures. Returns true if `noisy` is set and the
    // player is in check.
    bool (*list)(const VariantState *state, bool noisy, VariantTurns *turns);
    // Fills the zeroed *chance for a turn that uncovers a piece. This function pointer is NULL if
    // no turn of the game uncovers a piece.
    void (*chance)(const VariantState *state, VariantChance *chance);
    // Plays a legal turn. `piece` is the piece that the turn uncovers, or PIECE_NONE.
    void (*play)(VariantState *state, Move move, Piece piece);
    // Stores in the zeroed array counts[team][term] how often each term occurs for each team.
    void (*trace)(const VariantState *state, int counts[][VARIANT_MAX_TERMS]);
} Variant;

// Returns game number i of variants.def, counted from 0, or NULL after the last one.
const Variant *variant_at(int i);
// Returns the kind of game with this name, "supply" or "banqi". For another name, returns NULL and
// sets *err (STATUS_USAGE).
const Variant *variant_by_name(const char *name, Err *err);

// Fills *chance for a turn of any kind, in any game. If the turn uncovers nothing, chance->all
// becomes 0.
void variant_chance(const Variant *game, const VariantState *state, Move move,
                    VariantChance *chance);
// Counts the sequences of `depth` turns. A turn counts once for each kind of piece that it may
// uncover.
uint64_t variant_perft(const Variant *game, const VariantState *state, int depth);
// Counts how often each term of the evaluation occurs for team 0, minus how often for team 1.
void variant_counts(const Variant *game, const VariantState *state, int counts[VARIANT_MAX_TERMS]);
// Returns the evaluation from the point of view of the team to move: the sum of counts times
// weights, limited so that its absolute value is below VARIANT_EVAL_LIMIT.
int variant_evaluate(const Variant *game, const double *weights, const VariantState *state);

// ---- texts --------------------------------------------------------------------------------------

extern const char variant_letters[]; // letter of each Piece, and of FACE_DOWN

// Writes a turn: "h2e2" for a move, "R@e3" for a drop, "a1" for uncovering. If `piece` is not
// PIECE_NONE, appends it as the uncovered piece: "a1=R".
void variant_write_turn(const Variant *game, Move move, Piece piece, char text[VARIANT_TURN_SIZE]);
// Finds the legal turn with this text. In a drop, the piece can have any letter that a FEN allows
// for it, in upper or lower case ("H@e3", "n@e3"). *piece becomes the uncovered piece, or
// PIECE_NONE if the text names none. Returns STATUS_BAD_INPUT if no legal turn has this text.
Status variant_read_turn(const Variant *game, const VariantState *state, const char *text,
                         Move *move, Piece *piece, Err *err);

// Reads a board from the top row down, and then an optional list of pieces beside the board in
// brackets: "4k4/9/...[RRp]". Writes the pieces of the board to board[], whose elements must be 0,
// and adds the listed pieces to counts[]. `brackets` is the name of the list in error messages
// ("hand", "bag"). If `hidden` is set, '?' is a face-down piece, otherwise an error.
Status variant_read_board(const char *text, int columns, int rows, bool hidden, uint8_t *board,
                          const char *brackets, uint8_t counts[PIECE_COUNT], Err *err);
// Writes the text that variant_read_board() reads.
void variant_write_board(const uint8_t *board, int columns, int rows,
                         const uint8_t counts[PIECE_COUNT], Text *text);
// Writes a list of pieces in brackets, such as "[RRp]".
void variant_write_pieces(const uint8_t counts[PIECE_COUNT], Text *text);

// ---- weights ------------------------------------------------------------------------------------

typedef struct VariantWeights {
    bool random;                     // true if the player makes random turns, without a search
    double value[VARIANT_MAX_TERMS]; // weights of the terms, in units of the evaluation
    double se[VARIANT_MAX_TERMS];    // standard errors of the weights; 0: unknown
} VariantWeights;

// Loads weights by name: "classic" (hand-set values), "default" (fitted values of rule set
// `choice`), "random" (the player chooses random turns) or a file that `tune --rows --out` wrote.
Status variant_weights_load(const Variant *game, int choice, const char *name,
                            VariantWeights *weights, Err *err);
// Reads weights from the text of such a file, whose terms are matched by name (TermsMatch).
// `origin` is the name of the file in errors.
Status variant_weights_parse(const Variant *game, const char *text, const char *origin,
                             VariantWeights *weights, Err *err);
