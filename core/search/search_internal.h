// SPDX-License-Identifier: GPL-3.0-or-later
// Declarations shared by the files of the search. No other file includes this header. They are
// grouped by the file that defines them, from the lowest layer (search_step.c) to the highest
// (search_root.c).
#pragma once

#include "core/eval/eval.h"
#include "core/rules/odds.h"
#include "core/rules/rules_line.h"
#include "core/search/history.h"
#include "core/search/search.h"
#include "core/search/team.h"

enum { KILLER_COUNT = 2, LMR_SIZE = 64 };

// One ply of the search stack.
typedef struct SearchPly {
    Position position;
    OddsState odds;      // the handicap in force; only valid if limits.odds is given
    Move excluded;       // move that a singular extension search leaves out, else MOVE_NONE
    Move move;           // move played here; MOVE_NONE for a null move
    Exposure exposure;   // in check or not, and which moves must be tested for legality
    LineEnd line_end;    // whether a rule ends the line here, judged when the node was entered
    int16_t raw_eval;    // static evaluation, EVAL_NONE in check
    int16_t eval;        // static evaluation with correction, EVAL_NONE in check
    int8_t cutoff_count; // beta cutoffs at this ply since the node two plies earlier began
    bool is_first_move;  // the current move is the first one searched here
    int16_t trend;       // eval; in check, `trend` of two plies earlier
    Move killers[KILLER_COUNT];
    Continuations continuations; // continuation histories of the moves that led here
    int pv_count;
    Move pv[MAX_PLY];
} SearchPly;

typedef struct RootMove {
    Move move;
    int score;      // score of this iteration; -SCORE_INFINITE: not searched
    int previous;   // score of the last iteration
    uint64_t nodes; // searched below the move, in all iterations
    SearchLine line;
} RootMove;

// Cache of static evaluations. It serves positions that were cut off before they were stored in the
// transposition table. The lowest bits of the key are the index of the slot. The slot holds the
// other bits, and the evaluation in the lowest 16.
enum { EVAL_SLOT_BITS = 16, EVAL_SLOTS = 1 << EVAL_SLOT_BITS };

struct Search {
    SearchPly stack[MAX_PLY + 4];
    History history;
    int lmr[LMR_SIZE][LMR_SIZE]; // late move reductions in hundredths of a ply
    Evaluator evaluator;
    uint64_t evals[EVAL_SLOTS];
    SearchParams base_params; // values that search_set_params() was given
    SearchParams params;      // values of the running search: few_* values in searches of few nodes
    Rules rules;
    Tt *tt;
    bool owns_tt;
    SearchReport *report;
    void *report_context;
    SearchEvaluated *evaluated; // or NULL
    void *evaluated_context;
    const atomic_bool *stop_flag;
    Team *team; // threads that search the same root; NULL: this thread alone
    bool ahead; // this thread searches one step deeper than the others of its team

    // The running search.
    SearchLimits limits;
    RulesLine line; // the game and the line of the tree, as the rules judge them
    RootMove root_moves[MAX_MOVES];
    int root_count, pv_index;
    uint64_t nodes;
    _Atomic uint64_t seen_nodes; // copy of `nodes` for other threads, at most 1,024 nodes old
    int64_t start_ns;
    int seldepth, root_depth;
    // Low-ply history: quiet moves at the first LOW_PLY_COUNT plies; cleared before each search.
    int16_t low_ply_history[LOW_PLY_COUNT][PIECE_COUNT][SQUARE_COUNT];
    int null_from; // first ply that may try a null move; > 0 while a null move is verified
    bool stopped;
};

ALWAYS_INLINE int clamp(int value, int low, int high) {
    return value < low ? low : value > high ? high : value;
}
// Returns the late move reduction of move number `count` of a node, in hundredths of a ply.
ALWAYS_INLINE int search_lmr(const Search *search, int depth, int count) {
    return search->lmr[clamp(depth, 0, LMR_SIZE - 1)][clamp(count, 0, LMR_SIZE - 1)];
}

// ---- move ordering: movepick.c ----------------------------------------------------------------

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
    Move tt_move;
    Move special[KILLER_COUNT + 1]; // killers and the countermove
    PickStage stage;
    int ply;
    int depth; // depth of the node, set by the search; 0 in the quiescence search
    bool captures_only;
    bool checks_only; // set by the search: skip quiet moves that give no check
    int special_at, bad_count, bad_at;
    MoveList list;
    int scores[MAX_MOVES];
    Move bad[MAX_MOVES]; // captures that lose material, and postponed moves
} MovePicker;

// Prepares to return all pseudo-legal moves of stack[ply], or its captures alone, each once.
void picker_init(MovePicker *picker, const Search *search, int ply, Move tt_move,
                 bool captures_only);
// Returns the next move, MOVE_NONE at the end.
Move picker_next(MovePicker *picker);
// Postpones the move: the picker returns it again after all others. Returns false in the last
// stage, when the others are over.
bool picker_postpone(MovePicker *picker, Move move);

// ---- every node: search_step.c ----------------------------------------------------------------

// Returns true if the clock of the search has run for `ms` milliseconds (> 0).
bool search_time_is_up(const Search *search, int64_t ms);
// Returns true if a limit was reached. The search is then stopped.
bool search_out_of_limits(Search *search);
// Returns true if the node is a leaf: a limit was reached, a rule ended the line, or ply is
// MAX_PLY - 1. *score is then its value for the side to move. Mate and stalemate are detected
// later, when no legal move is found.
bool search_node_ends(Search *search, int ply, int *score);
// Counts a node and plays the move from stack[ply] to stack[ply + 1].
void search_enter(Search *search, int ply, Move move);

// Reads the transposition table entry of the node. Its score then counts from the root.
bool search_probe(const Search *search, int ply, TtData *entry);
void search_store(Search *search, int ply, Move move, int score, int depth, Bound bound, bool pv);
// Returns true if the entry proves that `score` is too low or too high: a lower bound above it, or
// an upper bound below it.
bool search_entry_bounds(const Search *search, const TtData *entry, int ply, int score);
// Returns true if the entry's score is exact or proves a value outside (alpha, beta). The caller
// checks its depth.
bool search_entry_cuts(const Search *search, const TtData *entry, int ply, int alpha, int beta);
// Sets the static evaluations of the node, from the entry (may be NULL) if it has one. The caller
// checks that the side to move is not in check. Returns the evaluation with correction.
int search_eval(Search *search, int ply, const TtData *entry);
// Marks the static evaluations of the node as not computed.
void search_no_eval(Search *search, int ply);
// Sets the principal variation of the node to `move` and that of the child.
void search_update_pv(SearchPly *here, Move move);

// Returns true if the move on stack[ply] was an extra move of a handicap.
ALWAYS_INLINE bool search_same_side(const Search *search, int ply) {
    return UNLIKELY(search->limits.odds != NULL) &&
           search->stack[ply].position.stm == search->stack[ply + 1].position.stm;
}
// Returns the key of the position in the transposition table. It includes the handicap in force.
ALWAYS_INLINE uint64_t search_key(const Search *search, int ply) {
    const SearchPly *here = &search->stack[ply];
    return UNLIKELY(search->limits.odds != NULL) ? here->position.key ^ odds_key(&here->odds)
                                                 : here->position.key;
}
// Returns true if a pseudo-legal move is legal and the handicap allows it.
ALWAYS_INLINE bool search_move_allowed(const Search *search, int ply, Move move) {
    const SearchPly *here = &search->stack[ply];
    return position_is_legal_exposed(&here->position, &here->exposure, move) &&
           (LIKELY(search->limits.odds == NULL) ||
            odds_move_allowed(&here->odds, &here->position, move));
}

// ---- quiescence search: search_qsearch.c ------------------------------------------------------

// Returns the value of the position on stack[ply] within (alpha, beta), by captures alone and, if
// `checks` is set, by quiet checks at this ply.
int search_qsearch(Search *search, int ply, int alpha, int beta, bool checks);

// ---- forward pruning and reductions: search_prune.c -------------------------------------------

enum { TRIED_MAX = 64 };

// A node while its moves are searched.
typedef struct Node {
    int ply, alpha, beta, depth;
    bool pv;        // beta - alpha > 1
    bool tt_pv;     // pv, or the transposition table entry came from a PV node
    bool cut;       // expected to fail high
    bool improving; // the static evaluation is better than two plies earlier
    bool hit;       // `entry` is valid
    TtData entry;
    Move tt_move;
    bool tt_capture;
    int best;
    Move best_move;
    int move_count;                              // legal moves seen
    Move quiets[TRIED_MAX], captures[TRIED_MAX]; // moves searched
    int quiet_count, capture_count;
    bool decided; // `best` is final although not all moves were searched
} Node;

// Returns true with *score if the static evaluation decides the node before any move is tried:
// reverse futility pruning or razoring.
bool search_prune_node(Search *search, const Node *node, int *score);
// Returns true if the node may try a null move.
bool search_null_move_allowed(const Search *search, const Node *node);
// Returns true if enough moves were tried to skip the remaining quiet moves (late move pruning).
bool search_skips_quiets(const Search *search, const Node *node);
// Returns true if the next quiet move of the node is skipped: futility and history pruning.
bool search_prune_quiet(const Search *search, const Node *node, Move move);
// Returns the late move reduction, in plies, of the move that was just entered.
int search_late_reduction(const Search *search, const Node *node, Move move, bool quiet);

// ---- the tree: search_tree.c ------------------------------------------------------------------

// Returns the value of the position on stack[ply], searched to `depth` plies, within (alpha, beta).
int search_node(Search *search, int ply, int alpha, int beta, int depth, bool cut_node);
// Returns the value of the move just entered at stack[ply], for the side that made it. After an
// extra move of a handicap the same side is to move, so neither score nor window is negated.
int search_child(Search *search, int ply, int alpha, int beta, int depth, bool cut_node);

// ---- the root: search_root.c ------------------------------------------------------------------

// Iterative deepening until a limit. The best move is then root_moves[0]. There must be at least
// one root move.
void search_deepen(Search *search);
