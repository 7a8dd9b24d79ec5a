// SPDX-License-Identifier: GPL-3.0-or-later
// What the files of the search share; nobody else includes this.
#pragma once

#include "core/eval/eval.h"
#include "core/rules/odds.h"
#include "core/rules/rules_line.h"
#include "core/search/history.h"
#include "core/search/search.h"
#include "core/search/team.h"

enum { KILLER_COUNT = 2, LMR_SIZE = 64 };

typedef struct SearchPly {
    Position position;
    OddsState odds;    // what is left of a handicap; only kept when limits.odds is given
    Move excluded;     // not to be tried here: is it the only good one?
    Move move;         // played here; MOVE_NONE for a null move
    Exposure exposure; // of the position: in check or not, and which moves to test
    LineEnd line_end;  // the rules on the position, judged when the node was entered
    int16_t raw_eval;  // static evaluation, EVAL_NONE in check
    int16_t eval;      // the same corrected by experience
    int8_t cuts;       // nodes below, children of this one, that failed high of late
    bool first;        // the move is the first that was tried here
    int16_t trend;     // the same; in check that of two plies before
    Move killers[KILLER_COUNT];
    HistoryBack back; // of the moves that led here
    int pv_count;
    Move pv[MAX_PLY];
} SearchPly;

typedef struct RootMove {
    Move move;
    int score, previous; // of this and the last iteration; -SCORE_INFINITE: not searched
    uint64_t nodes;      // spent below it in all
    SearchLine line;
} RootMove;

// Scores of positions evaluated of late, for most of what comes again was left at once and is not
// in the table: a key without its last bits, which are the index, and the score in their place.
enum { EVAL_SLOT_BITS = 16, EVAL_SLOTS = 1 << EVAL_SLOT_BITS };

struct Search {
    SearchPly stack[MAX_PLY + 4];
    History history;
    int lmr[LMR_SIZE][LMR_SIZE]; // reductions in hundredths of a ply
    Evaluator evaluator;
    uint64_t evals[EVAL_SLOTS];
    SearchParams asked, params; // as they were set, and of the running search
    Rules rules;
    Tt *tt;
    bool owns_tt;
    SearchReport *report;
    void *report_context;
    const atomic_bool *stop_flag;
    Team *team; // with whom the root is searched; NULL: alone
    bool ahead; // one of the team that searches a step deeper than the others

    // The running search.
    SearchLimits limits;
    RulesLine line; // the game and the line of the tree, as the rules see them
    RootMove root_moves[MAX_MOVES];
    int root_count, pv_index;
    uint64_t nodes;
    _Atomic uint64_t seen_nodes; // nodes, as other threads may see them
    int64_t start_ns;
    int seldepth, root_depth;
    int16_t near_root[ROOT_PLIES][PIECE_COUNT][SQUARE_COUNT]; // quiet moves, of this search alone
    int null_from; // no null moves before this ply: one is being verified
    bool stopped;
};

ALWAYS_INLINE int clamp(int value, int low, int high) {
    return value < low ? low : value > high ? high : value;
}
// The reduction of move number `count` of a node, in hundredths of a ply.
ALWAYS_INLINE int search_lmr(const Search *search, int depth, int count) {
    return search->lmr[clamp(depth, 0, LMR_SIZE - 1)][clamp(count, 0, LMR_SIZE - 1)];
}

// ---- moves in the order of hope -------------------------------------------------------------

typedef enum PickStage {
    PICK_TT,
    PICK_CAPTURES_INIT,
    PICK_CAPTURES,
    PICK_KILLERS,
    PICK_QUIETS_INIT,
    PICK_QUIETS,
    PICK_BAD_CAPTURES,
    PICK_DONE,
} PickStage;

typedef struct MovePicker {
    const Search *search;
    const SearchPly *here;
    const Position *position;
    Move tt_move, special[KILLER_COUNT + 1]; // killers and the counter move
    PickStage stage;
    int ply;
    int depth; // of the node, set by the search; 0 in quiescence
    bool captures_only;
    bool checks_only; // set by the search: of the quiet moves no others are wanted
    int special_at, bad_count, bad_at;
    MoveList list;
    int scores[MAX_MOVES];
    Move bad[MAX_MOVES]; // captures that lose material, and moves that were put off
} MovePicker;

// All pseudo-legal moves of stack[ply], or its captures alone, each once.
void picker_init(MovePicker *picker, const Search *search, int ply, Move tt_move,
                 bool captures_only);
// The next move, MOVE_NONE at the end.
Move picker_next(MovePicker *picker);
// Gives the move last given once more, at the end. False when it is the end.
bool picker_put_off(MovePicker *picker, Move move);

// ---- every node -----------------------------------------------------------------------------

// Has the clock of the search run for so many milliseconds (> 0)?
bool search_time_is_up(const Search *search, int64_t ms);
// Returns true if a limit was reached. The search is then stopped.
bool search_out_of_limits(Search *search);
// Returns true if the node is a leaf: a limit was reached, a rule ended the line, or ply is
// MAX_PLY - 1. *score is then its value for the side to move. Mate and stalemate are detected
// later, when no legal move is found.
bool search_node_ends(Search *search, int ply, int *score);
// Counts a node, plays the move from stack[ply] to stack[ply + 1].
void search_enter(Search *search, int ply, Move move);

// The table's entry of the node, with a score that counts from the root.
bool search_probe(const Search *search, int ply, TtData *entry);
void search_store(Search *search, int ply, Move move, int score, int depth, Bound bound, bool pv);
// Is the entry's score a better estimate than this one, on its side of it?
bool search_entry_bounds(const Search *search, const TtData *entry, int ply, int score);
// Does the entry decide the window, whatever its depth?
bool search_entry_cuts(const Search *search, const TtData *entry, int ply, int alpha, int beta);
// Sets the evaluations of the node, without regard to check; takes them from the entry (may be
// NULL) where it has one. Returns the corrected one.
int search_eval(Search *search, int ply, const TtData *entry);
void search_no_eval(Search *search, int ply);

// ---- the tree -------------------------------------------------------------------------------

enum { TRIED_MAX = 64 };

// A node while its moves are searched.
typedef struct Node {
    int ply, alpha, beta, depth;
    bool pv;        // the window is open
    bool tt_pv;     // or was once
    bool cut;       // expected to fail high
    bool improving; // the evaluation is better than two plies before
    bool hit;       // the table knows the position: entry
    TtData entry;
    Move tt_move;
    bool tt_capture;
    int best;
    Move best_move;
    int move_count;                              // legal moves seen
    Move quiets[TRIED_MAX], captures[TRIED_MAX]; // moves searched
    int quiet_count, capture_count;
    bool cut_short; // decided before its moves were all tried: best is final
} Node;

// Value of the position on stack[ply], searched to `depth` plies, within (alpha, beta).
int search_node(Search *search, int ply, int alpha, int beta, int depth, bool cut_node);
int search_quiet(Search *search, int ply, int alpha, int beta, bool checks);
// The same from the side that has just moved at `ply` to the position on stack[ply + 1]: with the
// sign and the window turned, but for an extra move of odds, after which the same side moves again.
int search_child(Search *search, int ply, int alpha, int beta, int depth, bool cut_node);
// Was the move on stack[ply] an extra one?
ALWAYS_INLINE bool search_same_side(const Search *search, int ply) {
    return UNLIKELY(search->limits.odds != NULL) &&
           search->stack[ply].position.stm == search->stack[ply + 1].position.stm;
}
// Key of the position in the table: its future depends on what is left of a handicap.
ALWAYS_INLINE uint64_t search_key(const Search *search, int ply) {
    const SearchPly *here = &search->stack[ply];
    return UNLIKELY(search->limits.odds != NULL) ? here->position.key ^ odds_key(&here->odds)
                                                 : here->position.key;
}
// Is a pseudo-legal move legal, and allowed by the handicap?
ALWAYS_INLINE bool search_move_allowed(const Search *search, int ply, Move move) {
    const SearchPly *here = &search->stack[ply];
    return position_is_legal_exposed(&here->position, &here->exposure, move) &&
           (LIKELY(search->limits.odds == NULL) ||
            odds_move_allowed(&here->odds, &here->position, move));
}
// The line from here on begins with this move.
void search_update_pv(SearchPly *here, Move move);

// A node far outside the window may be decided without trying its moves: true with *score.
bool search_prune_node(Search *search, const Node *node, int *score);
// Have so many moves been tried that the quiet ones that are left need not be?
bool search_is_late(const Search *search, const Node *node);
// Is this move, the next of the node, not worth searching at this depth?
bool search_prune_quiet(const Search *search, const Node *node, Move move);
// By how many plies the table's move is searched deeper (less deep when negative), by whether every
// other move is clearly worse than its score. True when others cut as well: with *score.
bool search_extend_tt_move(Search *search, const Node *node, int *extension, int *score);
// By how many plies a late move, just entered, is searched less deep.
int search_late_reduction(const Search *search, const Node *node, Move move, bool quiet);

// ---- the root -------------------------------------------------------------------------------

// Searches the root moves deeper and deeper until a limit; the best is then root_moves[0]. There
// must be one.
void search_deepen(Search *search);
