// SPDX-License-Identifier: GPL-3.0-or-later
// Forward pruning and late move reductions. The only search that these functions call is the
// quiescence search.
#include "core/search/search_internal.h"
#include "core/search/see.h"

// ---- before any move is tried -----------------------------------------------------------------

static bool has_attacker(const Position *position, Side side) {
    return (position->by_side[side] & (position->by_type[CHARIOT] | position->by_type[CANNON] |
                                       position->by_type[HORSE])) != 0;
}

// Reverse futility pruning (experiments E-042 and E-059): close to the leaves, a static evaluation
// far above beta is taken as a beta cutoff.
static bool reverse_futile(const Search *search, const Node *node, int *score) {
    const SearchParams *p = &search->params;
    const int eval = search->stack[node->ply].eval;
    *score = node->beta + (eval - node->beta) / 3;
    return node->depth <= p->reverse_futility_depth && eval < SCORE_EVAL_MAX - 1 &&
           eval - p->reverse_futility_margin * (node->depth - node->improving) >= node->beta &&
           node->beta > -SCORE_EVAL_MAX;
}

// Razoring (experiment E-047): returns true if the node is close to the leaves, its static
// evaluation is far below alpha, and the quiescence search fails low, too. Also returns true if the
// search was stopped.
static bool razored(Search *search, const Node *node, int *score) {
    const SearchParams *p = &search->params;
    const int eval = search->stack[node->ply].eval;
    if (node->depth > p->razor_depth || eval + p->razor_margin * node->depth > node->alpha) {
        return false;
    }
    *score = search_qsearch(search, node->ply, node->alpha, node->beta, true);
    return search->stopped || *score <= node->alpha;
}

bool search_null_move_allowed(const Search *search, const Node *node) {
    const SearchPly *here = &search->stack[node->ply];
    const SearchParams *p = &search->params;
    const bool after_null = node->ply > 0 && here[-1].move == MOVE_NONE;
    const bool extra = search->limits.odds && here->odds.moves > 0;
    return node->depth >= p->null_depth && node->ply >= search->null_from && !after_null &&
           !extra && here->eval >= node->beta &&
           here->eval >= node->beta + p->null_margin - p->null_margin_depth * node->depth &&
           node->beta > -SCORE_EVAL_MAX && has_attacker(&here->position, (Side)here->position.stm);
}

bool search_prune_node(Search *search, const Node *node, int *score) {
    return reverse_futile(search, node, score) || razored(search, node, score);
}

// ---- single moves -----------------------------------------------------------------------------

static int base_reduction(const Search *search, const Node *node) {
    return search_lmr(search, node->depth, node->move_count) +
           (node->improving ? 0 : search->params.lmr_not_improving);
}

// Late move pruning (experiments E-065 and E-073 in experiments.md).
bool search_skips_quiets(const Search *search, const Node *node) {
    const SearchParams *p = &search->params;
    const int late =
        (p->late_move_base + node->depth * node->depth) * (node->improving ? 4 : 2) / 4;
    return node->depth <= p->late_move_depth && node->move_count > late;
}

// Futility pruning (experiments E-042 and E-073) and history pruning of quiet moves. `depth` is the
// node's depth minus base_reduction(), in whole plies.
static bool quiet_is_futile(const Search *search, const Node *node, Move move, int depth) {
    const SearchParams *p = &search->params;
    const SearchPly *here = &search->stack[node->ply];
    if (depth <= p->futility_depth && !here->exposure.in_check &&
        here->eval + p->futility_base + p->futility_margin * depth <= node->alpha) {
        return true;
    }
    const Piece piece = here->position.board[move_from(move)];
    return depth <= p->history_pruning_depth &&
           history_continuation(here->continuations, piece, move_to(move)) <
               -p->history_pruning_margin * node->depth;
}

bool search_prune_quiet(const Search *search, const Node *node, Move move) {
    const int reduced = clamp(node->depth - base_reduction(search, node) / 100, 0, node->depth);
    return quiet_is_futile(search, node, move, reduced) &&
           !see_direct_check(&search->stack[node->ply].position, move);
}

// Late move reduction (experiments E-047 and E-073 in experiments.md).
int search_late_reduction(const Search *search, const Node *node, Move move, bool quiet) {
    const SearchParams *p = &search->params;
    const SearchPly *here = &search->stack[node->ply];
    const int most = (node->depth - 2) * 100;
    int reduction = base_reduction(search, node);
    if (!node->pv) reduction += p->lmr_not_pv;
    if (node->cut) reduction += p->lmr_cut;
    if (node->tt_capture) reduction += p->lmr_tt_capture;
    if (here[1].cutoff_count > 3) reduction += p->lmr_cutoff_count;
    if (node->tt_pv) reduction -= p->lmr_tt_pv;
    if (here[1].exposure.in_check) reduction -= 100;
    if (quiet) {
        const Piece piece = here->position.board[move_from(move)];
        reduction -= history_quiet(&search->history, here->continuations, piece, move_to(move)) *
                     100 / p->lmr_history_divisor;
        if (reduction < most && !see_at_least(&here->position, move, 0)) {
            reduction += p->lmr_see;
        }
    } else {
        reduction -= p->lmr_capture + history_capture(&search->history, &here->position, move) *
                                          200 / p->lmr_history_divisor;
    }
    return clamp(reduction, 0, most) / 100;
}
