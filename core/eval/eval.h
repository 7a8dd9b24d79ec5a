// SPDX-License-Identifier: GPL-3.0-or-later
// The evaluation: a linear one, a network, or the sum of both. The linear evaluation is a sum of
// weights, interpolated between middlegame and endgame by the material on the board.
#pragma once

#include "core/board/position.h"
#include "core/eval/network.h"
#include "core/eval/weights.h"

enum { PHASE_MAX = 48 };
// Returns the phase of the game: 6 for each chariot plus 3 for each horse and cannon, of both
// sides. It is PHASE_MAX at the start and 0 without these pieces.
int eval_phase(const Position *position);

// Returns the linear evaluation for the side to move in units (100 = one point of the evaluation
// "classic"). The weighted sums mg and eg are interpolated, and the result is rounded towards zero:
// (mg * phase + eg * (PHASE_MAX - phase)) / PHASE_MAX.
int evaluate(const Position *position, const Weights *weights);

// A score for the side to move, split into the part of the linear evaluation and the part of the
// network. A part that is not used is 0.
typedef struct EvalParts {
    int linear, network;
} EvalParts;
EvalParts evaluate_parts(const Position *position, const Weights *weights, const Network *network);

// Numbers of pieces of each side. of[side] has three bits for each kind of piece (eval_adder.h).
typedef struct Material {
    uint32_t of[SIDE_COUNT];
} Material;

// An entry of the material cache: the phase, and the sum of the terms that depend only on the
// numbers of pieces (eval_material.h).
typedef struct MaterialEntry {
    Material material;
    WeightPair sum;
    int phase;
} MaterialEntry;
enum { MATERIAL_BITS = 10, MATERIAL_ENTRIES = 1 << MATERIAL_BITS };

// Precomputed sums and caches, for callers that evaluate many positions with the same weights or
// network.
typedef struct Evaluator {
    Weights weights;
    // For each square and piece: the sums of its weights for middlegame and endgame, and what the
    // piece adds to the piece counts Material.of[RED] and Material.of[BLACK].
    IntQuad place[SQUARE_COUNT][PIECE_COUNT];
    MaterialEntry material[MATERIAL_ENTRIES]; // material cache, indexed by a hash of the numbers of
                                              // pieces
    const Network *network;                   // borrowed network; NULL: linear evaluation only
    NetworkCache cache;
} Evaluator;
void evaluator_init(Evaluator *evaluator, const Weights *weights);
// Sets the network (NULL: none) that evaluator_score() uses until the next call of this function or
// of evaluator_init(). The evaluator keeps the pointer. The evaluator must have been initialised
// with the network's linear weights.
void evaluator_set_network(Evaluator *evaluator, const Network *network);

// Returns the score for the side to move, by the weights and the network of the evaluator.
int evaluator_score(Evaluator *evaluator, const Position *position);

// Counts how often each entry of each evaluation term occurs for each side. The coefficient of an
// entry is count[RED] - count[BLACK]. `sum` is exactly the sum of coefficient * weight over all
// entries.
typedef struct EvalTrace {
    uint8_t count[SIDE_COUNT][WEIGHT_COUNT];
    WeightPair sum; // weighted sums for middlegame and endgame, from Red's view
    int phase;      // phase of the game, 0..PHASE_MAX
    int score_red;  // score interpolated by the phase, from Red's view
} EvalTrace;

// Computes the linear evaluation of a position and fills in a trace. Returns the same score as
// evaluate().
int evaluate_traced(const Position *position, const Weights *weights, EvalTrace *trace);

// Returns the index in a piece-square table of this shape for a piece of `side` on a square, or -1
// if the table has no entry for the square. Tables are seen from the piece's own side and are
// symmetric: Black's a9 and i9 have the index of Red's a0.
int eval_table_entry(TableShape shape, Side side, int square);

// Appends a table with the sums of each group of terms and of each term that occurs: for Red, for
// Black, and Red minus Black, in middlegame and endgame, in points (a chariot is worth about 9).
// The totals, the phase and the material weight of a chariot follow. If `network` is not NULL, the
// scores of the linear terms and of the network follow. The last line is "Final evaluation +0.35
// (red side)" or "Final evaluation none (in check)".
void eval_text(const Position *position, const Weights *weights, const Network *network,
               Text *text);
