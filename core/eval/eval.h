// SPDX-License-Identifier: GPL-3.0-or-later
// The evaluation: linear in the weights, tapered between middlegame and endgame by material.
#pragma once

#include "core/board/position.h"
#include "core/eval/network.h"
#include "core/eval/weights.h"

// Phase: chariot 6, horse 3, cannon 3 a piece, both sides; PHASE_MAX with all of them on the board.
enum { PHASE_MAX = 48 };
int eval_phase(const Position *position);

// Score of the position from the side to move's view, in units (100 = a point of the classic
// table): (mg * phase + eg * (PHASE_MAX - phase)) / PHASE_MAX, rounded towards zero.
int evaluate(const Position *position, const Weights *weights);

// The score of what plays is their sum; without a network (NULL) its part is 0, and where a network
// plays alone the sum of terms counts 0.
typedef struct EvalParts {
    int linear, network;
} EvalParts;
EvalParts evaluate_parts(const Position *position, const Weights *weights, const Network *network);

// Numbers of pieces, three bits a kind.
typedef struct Material {
    uint32_t of[SIDE_COUNT];
} Material;

// The sums and the phase that follow from them.
typedef struct MaterialEntry {
    Material material;
    Score sum;
    int phase;
} MaterialEntry;
enum { MATERIAL_BITS = 10, MATERIAL_ENTRIES = 1 << MATERIAL_BITS };

// Sums that depend on the weights alone, and on the material of positions seen: for callers that
// evaluate many positions with the same weights. With a network it scores as that does.
typedef struct Evaluator {
    Weights weights;
    // Each piece on each point: middlegame, endgame, and what it adds to the material of Red and of
    // Black.
    IntQuad place[SQUARE_COUNT][PIECE_COUNT];
    MaterialEntry material[MATERIAL_ENTRIES]; // by what is on the board, the last one seen
    const Network *network;                   // borrowed; NULL: none
    NetworkCache cache;
} Evaluator;
void evaluator_init(Evaluator *evaluator, const Weights *weights);
// Plays with this network, whose weights evaluator_init() has had, until the next evaluator_init().
void evaluator_set_network(Evaluator *evaluator, const Network *network);

int evaluator_score(Evaluator *evaluator, const Position *position); // as evaluate(), or a network

// The occurrences of each term, apart for the two sides. coefficient = count[RED] - count[BLACK];
// the sum over all pairs of coefficient * weight is the traced sum, exactly.
typedef struct EvalTrace {
    uint8_t count[SIDE_COUNT][WEIGHT_COUNT];
    Score sum;     // middlegame and endgame sums from Red's view
    int phase;     // 0..PHASE_MAX
    int score_red; // tapered, from Red's view
} EvalTrace;

// The same evaluation with its trace; returns what evaluate() returns.
int evaluate_traced(const Position *position, const Weights *weights, EvalTrace *trace);

// The entry of a table for a point as its owner sees it (Red's a0 is Black's a9); -1 where the
// table has none.
int eval_table_entry(TableShape shape, Side side, int square);

// Appends a table: for each group of terms, and each term that occurs, what it is worth to Red and
// to Black, middlegame and endgame apart, in points of the classic table; then the sums and the
// phase; with a network (else NULL) the two numbers that are added. The last line is "Final
// evaluation +0.35 (red side)" or "Final evaluation none (in check)".
void eval_text(const Position *position, const Weights *weights, const Network *network,
               Text *text);
