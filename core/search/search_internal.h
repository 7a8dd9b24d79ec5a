// SPDX-License-Identifier: GPL-3.0-or-later
// Declarations shared by the files of the search. No other file includes this header. The functions
// are grouped by the file that defines them, from the lowest layer to the highest (search_root.c).
#pragma once

#include "core/eval/eval.h"
#include "core/rules/odds.h"
#include "core/rules/rules_line.h"
#include "core/search/history.h"
#include "core/search/search.h"
#include "core/search/team.h"

enum { KILLER_COUNT = 2, LMR_SIZE = 64 };

// The data of one ply on the search stack.
typedef struct SearchPly {
    Position position;
    OddsState odds;      // state of the handicap at this ply; valid only if limits.odds is set
    Move excluded;       // move that the search for a singular extension leaves out at this ply;
                         // otherwise MOVE_NONE
    Move move;           // move that is being searched at this ply; MOVE_NONE for a null move
    Exposure exposure;   // check and pin information, which decides whether a move is legal
    LineEnd line_end;    // tells whether a rule of the game ends the line at this ply; set by
                         // search_enter(), so not for the root
    int16_t raw_eval;    // static evaluation without correction; EVAL_NONE in check
    int16_t eval;        // static evaluation with correction history; EVAL_NONE in check
    int8_t cutoff_count; // number of beta cutoffs at this ply since the ancestor two plies above
                         // began to search its moves
    bool is_first_move;  // true while the first move of this node is searched; always false at the
                         // root
    int16_t trend;       // `eval`, or in check the `trend` of the node two plies above. The node
                         // two plies below compares its own `eval` with this value
    Move killers[KILLER_COUNT];
    Continuations continuations; // continuation histories of the previous moves
    int pv_count;                // number of moves in `pv`
    Move pv[MAX_PLY];            // principal variation from this node on
} SearchPly;

typedef struct RootMove {
    Move move;
    int score;      // score in this iteration; -SCORE_INFINITE if the move was not searched yet or
                    // failed low. The move that is searched first has a score even if it failed low
    int previous;   // `score` at the end of the previous iteration
    uint64_t nodes; // number of nodes in the subtree of this root move, in all iterations
    SearchLine line;
} RootMove;

// Cache of static evaluations, not yet corrected by the correction history. It serves positions
// whose node was left, for example by pruning, before the evaluation was stored in the
// transposition table. The lowest 16 bits of the Zobrist key select the slot. A slot holds the
// other bits of the key and, in its lowest 16 bits, the evaluation.
enum { EVAL_SLOT_BITS = 16, EVAL_SLOTS = 1 << EVAL_SLOT_BITS };

struct Search {
    SearchPly stack[MAX_PLY + 4];
    History history;
    int lmr[LMR_SIZE][LMR_SIZE]; // basic late move reductions in hundredths of a ply, by depth and
                                 // move number
    Evaluator evaluator;
    uint64_t evals[EVAL_SLOTS];
    SearchParams base_params; // the parameters set by search_set_params()
    SearchParams params;      // the parameters of the running search; in searches of at most
                              // few_nodes nodes, few_NAME replaces NAME
    Rules rules;
    Tt *tt;
    bool owns_tt;
    SearchReport *report;
    void *report_context;
    SearchEvaluated *evaluated; // function that receives the evaluated positions; may be NULL
    void *evaluated_context;
    const atomic_bool *stop_flag;
    Team *team; // data shared by the threads that search the same root; NULL: single thread
    bool ahead; // true if iterations of this thread deepen by two steps (deepening_step) instead of
                // one; only in searches of a single line

    // The following members belong to the running search.
    SearchLimits limits;
    RulesLine line; // the game and the current line of the tree, for the rules of repetition
    RootMove root_moves[MAX_MOVES];
    int root_count; // number of root moves
    int pv_index;   // index of the principal variation that is being searched; the root moves from
                    // this index on are candidates for it
    uint64_t nodes;
    _Atomic uint64_t seen_nodes; // copy of `nodes` that other threads read; lags behind by at most
                                 // 1,024
    int64_t start_ns;
    int seldepth, root_depth;
    // Low-ply history: scores of quiet moves near the root, by ply. The root itself does not use
    // it. Cleared before each search.
    int16_t low_ply_history[LOW_PLY_COUNT][PIECE_COUNT][SQUARE_COUNT];
    int null_from; // first ply at which a null move is allowed; > 0 only while a null move cutoff
                   // is verified
    bool stopped;
    int64_t abandon_ns; // time (clock_now_ns) at which the search is abandoned; 0 until
                        // SearchLimits.ending was seen
    bool abandoned;
};

ALWAYS_INLINE int clamp(int value, int low, int high) {
    return value < low ? low : value > high ? high : value;
}
// Returns the basic late move reduction in hundredths of a ply. `count` is the number of the move
// in its node.
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
    Move special[KILLER_COUNT + 1]; // killers and countermove of the node
    PickStage stage;
    int ply;
    int depth; // depth of the node; 0 in the quiescence search
    bool captures_only;
    bool checks_only; // set by the search to skip quiet moves that give no direct check
    int special_at, bad_count, bad_at;
    MoveList list;
    int scores[MAX_MOVES];
    Move bad[MAX_MOVES]; // captures that lose material, and postponed moves; they are returned last
} MovePicker;

// Prepares the move picker for stack[ply]. The picker returns every legal move once. A move that
// was postponed with picker_postpone() is returned a second time. The picker may also return
// pseudo-legal moves that are not legal. While checks_only is set, the picker leaves out quiet
// moves without direct check, except `tt_move`, killers, countermove and postponed moves. If
// captures_only is set, it returns only captures that do not lose material, and `tt_move` if that
// is a capture.
void picker_init(MovePicker *picker, const Search *search, int ply, Move tt_move,
                 bool captures_only);
// Returns the next move, or MOVE_NONE if all moves were returned.
Move picker_next(MovePicker *picker);
// Postpones a move that picker_next() has just returned: the picker returns it again in its last
// stage, together with the captures that lose material. Returns false, and does nothing, if the
// picker is already in this stage.
bool picker_postpone(MovePicker *picker, Move move);

// ---- every node: search_step.c ----------------------------------------------------------------

// Returns true if the clock of the search has run for `ms` milliseconds or longer. Returns false
// while the clock is stopped (SearchLimits.clock_start_ns).
bool search_time_is_up(const Search *search, int64_t ms);
// Returns true if the node is a leaf: the search was stopped, a rule ended the line, or ply is
// MAX_PLY - 1. *score is then its value for the side to move, or 0 if the search was stopped. Mate
// and stalemate are usually detected later, when no legal move is found.
bool search_node_ends(Search *search, int ply, int *score);
// Prefetches the data of the transposition table and of the evaluation cache for the position after
// a move (not a null move) from stack[ply]. The move need not be legal.
void search_prefetch(const Search *search, int ply, Move move);
// Counts a node and plays the move (MOVE_NONE: a null move) from stack[ply] to stack[ply + 1].
void search_enter(Search *search, int ply, Move move);

// Reads the transposition table entry of the node; returns false if there is none. Mate scores and
// scores of a win by the rules are converted to count plies from the root.
bool search_probe(const Search *search, int ply, TtData *entry);
void search_store(Search *search, int ply, Move move, int score, int depth, Bound bound, bool pv);
// Returns true if the entry's score is a better estimate than `score`, because the entry's score is
// a lower bound above `score` or an upper bound that is not above `score`. Returns false close to
// the no-capture limit, where entries are not trusted.
bool search_entry_bounds(const Search *search, const TtData *entry, int ply, int score);
// Returns true if the entry's score is exact, or proves that the value is outside the window
// (alpha, beta), so that the search can return this score. Returns false close to the no-capture
// limit. The caller checks the depth.
bool search_entry_cuts(const Search *search, const TtData *entry, int ply, int alpha, int beta);
// Sets raw_eval and eval of the node and returns eval. raw_eval comes from the transposition table
// entry if the entry has an evaluation; `entry` may be NULL. The side to move must not be in check.
int search_eval(Search *search, int ply, const TtData *entry);
// Marks the static evaluations of the node as not computed.
void search_no_eval(Search *search, int ply);
// Sets the principal variation of the node: `move`, followed by the principal variation of the
// child node.
void search_update_pv(SearchPly *here, Move move);

// Returns true if the move played at stack[ply] was an extra move of a handicap: the same side
// moves again.
ALWAYS_INLINE bool search_same_side(const Search *search, int ply) {
    return UNLIKELY(search->limits.odds != NULL) &&
           search->stack[ply].position.stm == search->stack[ply + 1].position.stm;
}
// Returns the key of the position for the transposition table. It includes the handicap that
// applies.
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

// Quiescence search: returns the value of the position on stack[ply] for the window (alpha, beta);
// the value may lie outside the window. In check, the search tries all moves. Otherwise it tries
// captures that do not lose material. If `checks` is set, it also tries quiet checks that do not
// lose material, but only at this ply.
int search_qsearch(Search *search, int ply, int alpha, int beta, bool checks);

// ---- forward pruning and reductions: search_prune.c -------------------------------------------

enum { TRIED_MAX = 64 };

// A node of the tree while its moves are searched.
typedef struct Node {
    int ply, alpha, beta, depth;
    bool pv;        // true if beta - alpha > 1: a node of the principal variation
    bool tt_pv;     // true if `pv` is set, or if the transposition table entry says that the node
                    // was on the principal variation
    bool cut;       // true if the node is expected to fail high
    bool improving; // true if the static evaluation is known to be better than two plies earlier
    bool hit;       // true if the transposition table has an entry for the node
    TtData entry;
    Move tt_move;
    bool tt_capture;
    int best;
    Move best_move;
    int move_count; // number of legal moves so far that were searched or that search_prune_quiet()
                    // skipped
    // The quiet moves and the captures that were searched, at most TRIED_MAX of each.
    Move quiets[TRIED_MAX], captures[TRIED_MAX];
    int quiet_count, capture_count;
    bool decided; // true if a multi-cut (extend_tt_move()) decided the node: `best` is then its
                  // value, which is not stored
} Node;

// Reverse futility pruning and razoring: returns true if the static evaluation, or a quiescence
// search, decides the node before any move is tried. *score is then the value of the node. Also
// returns true if the search was stopped.
bool search_prune_node(Search *search, const Node *node, int *score);
// Returns true if the node may try a null move.
bool search_null_move_allowed(const Search *search, const Node *node);
// Late move pruning: returns true if enough moves were tried, so that the remaining quiet moves
// that give no direct check are skipped.
bool search_skips_quiets(const Search *search, const Node *node);
// Futility pruning and history pruning: returns true if the quiet move `move` is skipped.
bool search_prune_quiet(const Search *search, const Node *node, Move move);
// Returns the late move reduction, in plies, of the move that was just played.
int search_late_reduction(const Search *search, const Node *node, Move move, bool quiet);

// ---- the tree: search_tree.c ------------------------------------------------------------------

// Returns the value of the position on stack[ply], searched to `depth` plies with the window
// (alpha, beta). The value may lie outside the window. If depth <= 0, this is a quiescence search
// with checks.
int search_node(Search *search, int ply, int alpha, int beta, int depth, bool cut_node);
// Returns the value of the child node at stack[ply + 1] from the view of the side to move at
// stack[ply]. After an extra move of a handicap, the same side is to move at both plies, so neither
// score nor window is negated.
int search_child(Search *search, int ply, int alpha, int beta, int depth, bool cut_node);

// ---- the root: search_root.c ------------------------------------------------------------------

// Iterative deepening: searches the root until a limit is reached, or until a deeper search would
// not change the result (a mate was found, or every root move ends the game). The best move is then
// root_moves[0]. There must be at least one root move.
void search_deepen(Search *search);
