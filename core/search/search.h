// SPDX-License-Identifier: GPL-3.0-or-later
// The search: iterative deepening principal variation search with a transposition table. A Search
// holds the memory of one search thread. Searches with different weights can run in parallel. The
// only changing data that they may share is a transposition table. The result is deterministic if a
// search has its own transposition table and no time limit, and starts after search_clear(). It
// then depends only on table size, limits, game, weights, network, rules and parameters.
#pragma once

#include <stdatomic.h>

#include "core/rules/game.h"
#include "core/rules/odds.h"
#include "core/rules/rules.h"
#include "core/search/search_params.h"
#include "core/search/tt.h"

typedef struct Weights Weights; // defined in core/eval/weights.h
typedef struct Network Network; // defined in core/eval/network.h

enum {
    MAX_PLY = 120, // largest number of plies of the tree, including the root; nodes at the last ply
                   // are leaves
    SCORE_INFINITE = 32000,
    SCORE_MATE = 30000,                   // score of being mated in n plies: -(SCORE_MATE - n)
    SCORE_MATE_BOUND = SCORE_MATE - 1000, // smallest absolute score that means that a forced mate
                                          // was found
    SCORE_RULE_WIN = 25000, // score of a win by the repetition rules in n plies: SCORE_RULE_WIN - n
    SCORE_EVAL_MAX = 20000, // the absolute value of every static evaluation is smaller than this
    EVAL_NONE = 32001,      // marks an evaluation that was not computed
};

typedef struct SearchLimits {
    int depth;       // largest depth of an iteration; 0: MAX_PLY - 8, which is also the maximum
    uint64_t nodes;  // node limit: the search stops at exactly this number of nodes; 0: no limit
    int64_t soft_ms; // soft time limit: no new iteration starts after 40 to 200 % of it, less if
                     // the best move is stable, more if its score falls; 0: no limit
    int64_t hard_ms; // hard time limit, which also stops a running iteration; 0: no limit
    int mate; // mate limit: the search stops when either side has a mate in at most `mate` moves,
              // or at depth 4 * mate + 6; 0: off
    int multi_pv;         // number of principal variations to search; 0 means 1
    const MoveList *only; // root moves to search; illegal moves are ignored; NULL: all legal moves
    const OddsState
        *odds; // handicap that applies at the root and is obeyed in the whole tree; may be NULL
    // Time (clock_now_ns) from which soft_ms and hard_ms count; 0 while the clock is stopped
    // (pondering). Another thread may set it. NULL: they count from the start of the search.
    const _Atomic int64_t *clock_start_ns;
    // Flag that is set when this process must end (interrupt_flag()). The search then has one more
    // second before it is abandoned (SearchResult.abandoned). NULL: no such flag.
    const atomic_bool *ending;
} SearchLimits;

typedef struct SearchLine {
    Move moves[MAX_PLY]; // moves of the principal variation; moves[0] is the root move
    int count;           // number of moves in the line
    int score;           // score for the side to move at the root
    int depth;           // depth of the iteration that found the line
    int seldepth;        // largest ply reached in this iteration, when this line was stored
} SearchLine;

enum { MAX_MULTI_PV = 64 };

typedef struct SearchResult {
    Move best;       // best root move; MOVE_NONE if no move is legal, or if SearchLimits allows no
                     // legal move
    SearchLine line; // principal variation of the best move, from the last iteration that finished
                     // this move; its score is -SCORE_MATE if there is no root move
    uint64_t nodes;
    int64_t time_ns;
    bool abandoned; // the search ended early because of SearchLimits.ending; its result is useless
} SearchResult;

typedef struct Search Search;

// A function that is called after each finished iteration, once for each line. Index 0 is the best
// line. `nodes` and `time_ns` count from the start of the search.
typedef void SearchReport(void *context, const Search *search, const SearchLine *line, int index,
                          uint64_t nodes, int64_t time_ns);
// A function that is called with each position of the tree for which the evaluation function runs.
// Positions whose evaluation comes from the transposition table or the cache are left out.
typedef void SearchEvaluated(void *context, const Position *position);

// Allocates the memory of a search thread and copies the weights. If `shared` is NULL, it also
// allocates a transposition table of hash_mb mebibytes. Otherwise the search uses `shared`, which
// the caller owns.
Search *search_new(const Weights *weights, double hash_mb, Tt *shared);
void search_free(Search *search);
AUTO_HANDLE(Search, search_free)

// Clears the histories, and the transposition table unless it is shared. Cached static evaluations
// stay: they do not depend on earlier searches.
void search_clear(Search *search);
// Copies the weights and removes the network. Clears the transposition table unless it is shared.
void search_set_weights(Search *search, const Weights *weights);
// Sets the network (borrowed; NULL: none). The current weights must be the linear weights of the
// network. Does not clear the transposition table.
void search_set_network(Search *search, const Network *network);
void search_set_params(Search *search, const SearchParams *params);
void search_set_rules(Search *search, const Rules *rules);
void search_set_report(Search *search, SearchReport *report, void *context);
// Sets the function (may be NULL) that receives the evaluated positions.
void search_set_evaluated(Search *search, SearchEvaluated *evaluated, void *context);
// Sets the flag (borrowed, may be NULL) with which another thread can stop the search.
void search_set_stop(Search *search, const atomic_bool *stop);
// Returns the number of nodes of the running search. The number may lag behind by at most 1,024.
// Without a running search, returns the nodes of the last search. Any thread may call it.
uint64_t search_nodes(const Search *search);

// Searches the current position of the game. The search does not modify the game, and no other
// thread may change it meanwhile.
void search_run(Search *search, const Game *game, const SearchLimits *limits, SearchResult *result);

// Returns the number of lines of the last search. It is limits.multi_pv, or fewer if there are
// fewer moves, or if the search was stopped before it had searched each line once.
int search_line_count(const Search *search);
// Returns a line of the last search. Index 0 is the best line.
const SearchLine *search_line(const Search *search, int index);

// Returns the number of plies to a forced mate: > 0 if the side to move mates, < 0 if it is mated,
// 0 if the score is not a mate score or the side to move is already mated.
ALWAYS_INLINE int score_mate_plies(int score) {
    if (score >= SCORE_MATE_BOUND) return SCORE_MATE - score;
    if (score <= -SCORE_MATE_BOUND) return -(SCORE_MATE + score);
    return 0;
}
