// SPDX-License-Identifier: GPL-3.0-or-later
// The search: iterative deepening principal variation search with a transposition table.
//
// A Search is one searching thread's memory. Nothing in it is shared unless a table is passed in,
// so any number of them, with any weights, run side by side. A search limited by nodes or depth
// from the same state (after search_clear(), same game, weights, parameters) gives the same result
// every time.
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
    MAX_PLY = 120, // deepest line
    SCORE_INFINITE = 32000,
    SCORE_MATE = 30000,                   // mated in n plies: -(SCORE_MATE - n)
    SCORE_MATE_BOUND = SCORE_MATE - 1000, // |score| at least this: a mate is announced
    SCORE_RULE_WIN = 25000, // the rules of repetition decide: won in n plies: SCORE_RULE_WIN - n
    SCORE_EVAL_MAX = 20000, // evaluations are cut to +-this
    EVAL_NONE = 32001,      // "not computed"
};

typedef struct SearchLimits {
    int depth;            // deepest iteration; 0: MAX_PLY - 1
    uint64_t nodes;       // stop at exactly this many nodes; 0: no limit
    int64_t soft_ms;      // start no new iteration after this time; 0: no limit
    int64_t hard_ms;      // stop at this time; 0: no limit
    int mate;             // stop when a mate in so many moves, by either side, is found; 0: off
    int multi_pv;         // lines wanted, 0 means 1
    const MoveList *only; // search only these root moves (must be legal); NULL: all
    const OddsState
        *odds; // what is left of a handicap, obeyed in the whole tree; NULL: an even game
    // The moment (clock_now_ns) from which soft_ms and hard_ms count, 0 while the clock does not
    // run (pondering): another thread may set it. NULL: they count from the start of the search.
    const _Atomic int64_t *clock_start_ns;
} SearchLimits;

typedef struct SearchLine {
    Move moves[MAX_PLY]; // moves[0] is the root move
    int count;
    int score;    // from the side to move at the root
    int depth;    // iteration it comes from
    int seldepth; // deepest ply reached
} SearchLine;

enum { MAX_MULTI_PV = 64 };

typedef struct SearchResult {
    Move best;       // MOVE_NONE only when there is no legal (or allowed) move
    SearchLine line; // of the best move, from the last iteration that finished it
    uint64_t nodes;
    int64_t time_ns;
} SearchResult;

typedef struct Search Search;

// Called after each finished line of each iteration: index 0 is the best line.
typedef void SearchReport(void *context, const Search *search, const SearchLine *line, int index,
                          uint64_t nodes, int64_t time_ns);

// Weights are copied. hash_mb: size of the own table; ignored when shared is given (not owned
// then).
Search *search_new(const Weights *weights, double hash_mb, Tt *shared);
void search_free(Search *search);
AUTO_HANDLE(Search, search_free)

// Forgets everything learned from earlier searches.
void search_clear(Search *search);
void search_set_weights(Search *search, const Weights *weights);
// A network (borrowed; NULL: none) beside the weights that were set last.
void search_set_network(Search *search, const Network *network);
void search_set_params(Search *search, const SearchParams *params);
void search_set_rules(Search *search, const Rules *rules);
void search_set_report(Search *search, SearchReport *report, void *context);
// A flag that another thread sets to stop the search; NULL: none.
void search_set_stop(Search *search, const atomic_bool *stop);
// Nodes of the running search (as of the last thousand) or of the last one; for any thread.
uint64_t search_nodes(const Search *search);

// Searches the game's present position. The game is only read.
void search_run(Search *search, const Game *game, const SearchLimits *limits, SearchResult *result);

// The lines of the last search, best first: limits.multi_pv of them, fewer when there are fewer
// moves or the search was stopped before it had searched them all once.
int search_line_count(const Search *search);
const SearchLine *search_line(const Search *search, int index);

// |score| means a forced mate; plies to it, > 0 when the side to move mates, else 0.
ALWAYS_INLINE int score_mate_plies(int score) {
    if (score >= SCORE_MATE_BOUND) return SCORE_MATE - score;
    if (score <= -SCORE_MATE_BOUND) return -(SCORE_MATE + score);
    return 0;
}
