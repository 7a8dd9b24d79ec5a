// SPDX-License-Identifier: GPL-3.0-or-later
// The search: iterative deepening principal variation search with a transposition table.
//
// A Search is the memory of one searching thread. Nothing in it is shared unless a transposition
// table is passed in, so searches with different weights run side by side. A search that is limited
// by nodes or depth and begins in the same state (after search_clear(), with the same game, weights
// and parameters) always gives the same result.
#pragma once

#include <stdatomic.h>

#include "core/rules/game.h"
#include "core/rules/odds.h"
#include "core/rules/rules.h"
#include "core/search/search_params.h"
#include "core/search/tt.h"

typedef struct Weights Weights; // core/eval/weights.h
typedef struct Network Network; // core/eval/network.h

enum {
    MAX_PLY = 120, // longest line
    SCORE_INFINITE = 32000,
    SCORE_MATE = 30000,                   // mated in n plies: -(SCORE_MATE - n)
    SCORE_MATE_BOUND = SCORE_MATE - 1000, // |score| >= this: a forced mate was found
    SCORE_RULE_WIN = 25000, // won by the rules of repetition in n plies: SCORE_RULE_WIN - n
    SCORE_EVAL_MAX = 20000, // evaluations are limited to +-this
    EVAL_NONE = 32001,      // the evaluation was not computed
};

typedef struct SearchLimits {
    int depth;            // deepest iteration; 0: MAX_PLY - 1
    uint64_t nodes;       // stop at exactly this many nodes; 0: no limit
    int64_t soft_ms;      // start no new iteration after this time; 0: no limit
    int64_t hard_ms;      // stop at this time; 0: no limit
    int mate;             // stop at a mate in at most this many moves, by either side; 0: off
    int multi_pv;         // number of lines; 0 means 1
    const MoveList *only; // search only these root moves (must be legal); NULL: all
    const OddsState
        *odds; // handicap in force at the root, obeyed in the whole tree; NULL: an even game
    // Time (clock_now_ns) from which soft_ms and hard_ms count; 0 while the clock is stopped
    // (pondering). Another thread may set it. NULL: they count from the start of the search.
    const _Atomic int64_t *clock_start_ns;
} SearchLimits;

typedef struct SearchLine {
    Move moves[MAX_PLY]; // moves[0] is the root move
    int count;
    int score;    // for the side to move at the root
    int depth;    // depth of the iteration that found it
    int seldepth; // deepest ply reached
} SearchLine;

enum { MAX_MULTI_PV = 64 };

typedef struct SearchResult {
    Move best;       // MOVE_NONE only if there is no legal (or allowed) move
    SearchLine line; // line of the best move, from the last iteration that finished it
    uint64_t nodes;
    int64_t time_ns;
} SearchResult;

typedef struct Search Search;

// Called after each finished line of each iteration. Index 0 is the best line.
typedef void SearchReport(void *context, const Search *search, const SearchLine *line, int index,
                          uint64_t nodes, int64_t time_ns);
// Called with each position of the tree whose static evaluation is computed, not with those whose
// evaluation is known from the table or the cache.
typedef void SearchEvaluated(void *context, const Position *position);

// Copies the weights. Allocates a transposition table of hash_mb mebibytes, unless `shared` is
// given, which the caller then owns.
Search *search_new(const Weights *weights, double hash_mb, Tt *shared);
void search_free(Search *search);
AUTO_HANDLE(Search, search_free)

// Forgets everything learned from earlier searches.
void search_clear(Search *search);
void search_set_weights(Search *search, const Weights *weights);
// Sets the network (borrowed; NULL: none) that plays beside the weights that were set last.
void search_set_network(Search *search, const Network *network);
void search_set_params(Search *search, const SearchParams *params);
void search_set_rules(Search *search, const Rules *rules);
void search_set_report(Search *search, SearchReport *report, void *context);
// Sets the function (NULL: none) that sees the evaluated positions.
void search_set_evaluated(Search *search, SearchEvaluated *evaluated, void *context);
// Sets the flag (NULL: none) by which another thread stops the search.
void search_set_stop(Search *search, const atomic_bool *stop);
// Returns the nodes of the running search, at most 1,024 nodes old, or else of the last search. Any
// thread may call it.
uint64_t search_nodes(const Search *search);

// Searches the current position of the game, which is only read.
void search_run(Search *search, const Game *game, const SearchLimits *limits, SearchResult *result);

// Returns the number of lines of the last search: limits.multi_pv, or fewer if there are fewer
// moves or the search was stopped before it searched them all once.
int search_line_count(const Search *search);
// Returns a line of the last search, the best first.
const SearchLine *search_line(const Search *search, int index);

// Returns the plies to a forced mate, > 0 if the side to move mates, or 0 if the score is no mate.
ALWAYS_INLINE int score_mate_plies(int score) {
    if (score >= SCORE_MATE_BOUND) return SCORE_MATE - score;
    if (score <= -SCORE_MATE_BOUND) return -(SCORE_MATE + score);
    return 0;
}
