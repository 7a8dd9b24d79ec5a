// SPDX-License-Identifier: GPL-3.0-or-later
// The evaluation. It is linear in the weights and tapered between middlegame and endgame by
// material.
#pragma once

#include "core/board/position.h"
#include "core/eval/network.h"
#include "core/eval/weights.h"

// The phase counts 6 for each chariot and 3 for each horse and cannon of both sides. It is
// PHASE_MAX at the start of a game and 0 without these pieces.
enum { PHASE_MAX = 48 };
int eval_phase(const Position *position);

// Returns the score for the side to move in units (100 = a point of the classic table): (mg * phase
// + eg
// * (PHASE_MAX - phase)) / PHASE_MAX, rounded towards zero.
int evaluate(const Position *position, const Weights *weights);

// A score, split into the linear part and the network's part. A part that does not play is 0.
typedef struct EvalParts {
    int linear, network;
} EvalParts;
EvalParts evaluate_parts(const Position *position, const Weights *weights, const Network *network);

// Numbers of pieces of each side, three bits for each kind.
typedef struct Material {
    uint32_t of[SIDE_COUNT];
} Material;

// Cached sums of the material terms, with the phase.
typedef struct MaterialEntry {
    Material material;
    Score sum;
    int phase;
} MaterialEntry;
enum { MATERIAL_BITS = 10, MATERIAL_ENTRIES = 1 << MATERIAL_BITS };

// Precomputed sums for callers that evaluate many positions with the same weights, and the network.
typedef struct Evaluator {
    Weights weights;
    // For each square and piece: middlegame and endgame sum, and what the piece adds to the
    // material of Red and of Black.
    IntQuad place[SQUARE_COUNT][PIECE_COUNT];
    MaterialEntry material[MATERIAL_ENTRIES]; // cache, indexed by a hash of the material
    const Network *network;                   // borrowed; may be absent (NULL)
    NetworkCache cache;
} Evaluator;
void evaluator_init(Evaluator *evaluator, const Weights *weights);
// Sets the network until the next evaluator_init(). The evaluator must have the network's weights.
void evaluator_set_network(Evaluator *evaluator, const Network *network);

// Returns the score for the side to move, with the network if there is one.
int evaluator_score(Evaluator *evaluator, const Position *position);

// How often each term occurs for each side. The coefficient of a term is count[RED] - count[BLACK].
// The sum of coefficient * weight over all pairs is exactly `sum`.
typedef struct EvalTrace {
    uint8_t count[SIDE_COUNT][WEIGHT_COUNT];
    Score sum;     // middlegame and endgame sums from Red's view
    int phase;     // 0..PHASE_MAX
    int score_red; // tapered score from Red's view
} EvalTrace;

// Evaluates with a trace. Returns the same score as evaluate().
int evaluate_traced(const Position *position, const Weights *weights, EvalTrace *trace);

// Returns the entry of a table for a square, seen from its owner (Red's a0 is Black's a9), or -1 if
// the table has no entry there.
int eval_table_entry(TableShape shape, Side side, int square);

// Appends a table with the sums of each group and of each term that occurs: for Red and for Black,
// middlegame and endgame, in points of the classic table. Then come the totals and the phase, and
// with a network (may be NULL) both parts of the score. The last line is "Final evaluation +0.35
// (red side)" or "Final evaluation none (in check)".
void eval_text(const Position *position, const Weights *weights, const Network *network,
               Text *text);
