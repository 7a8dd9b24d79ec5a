// SPDX-License-Identifier: GPL-3.0-or-later
// What the search leaves out: nodes decided by their evaluation, hopeless moves, and the last plies
// of late moves.
#include "core/search/search_internal.h"
#include "core/search/see.h"

static int min_int(int a, int b) {
    return a < b ? a : b;
}
static int max_int(int a, int b) {
    return a > b ? a : b;
}

// ---- before any move is tried -----------------------------------------------------------------

static bool has_attacker(const Position *position, Side side) {
    return (position->by_side[side] & (position->by_type[CHARIOT] | position->by_type[CANNON] |
                                       position->by_type[HORSE])) != 0;
}

// Far above beta, close to the leaves.
static bool reverse_futile(const Search *search, const Node *node, int *score) {
    const SearchParams *p = &search->params;
    const int eval = search->stack[node->ply].eval;
    *score = node->beta + (eval - node->beta) / 3;
    return node->depth <= p->reverse_futility_depth && eval < SCORE_EVAL_MAX - 1 &&
           eval - p->reverse_futility_margin * (node->depth - node->improving) >= node->beta &&
           node->beta > -SCORE_EVAL_MAX;
}

// Far below alpha, close to the leaves, where quiescence finds nothing either.
static bool razored(Search *search, const Node *node, int *score) {
    const SearchParams *p = &search->params;
    const int eval = search->stack[node->ply].eval;
    if (node->depth > p->razor_depth || eval + p->razor_margin * node->depth > node->alpha) {
        return false;
    }
    *score = search_quiet(search, node->ply, node->alpha, node->beta, true);
    return search->stopped || *score <= node->alpha;
}

static bool may_pass(const Search *search, const Node *node) {
    const SearchPly *here = &search->stack[node->ply];
    const SearchParams *p = &search->params;
    const bool after_null = node->ply > 0 && here[-1].move == MOVE_NONE;
    const bool extra = search->limits.odds && here->odds.moves > 0;
    return node->depth >= p->null_depth && node->ply >= search->null_from && !after_null &&
           !extra && here->eval >= node->beta &&
           here->eval >= node->beta + p->null_margin - p->null_margin_depth * node->depth &&
           node->beta > -SCORE_EVAL_MAX && has_attacker(&here->position, (Side)here->position.stm);
}

// So good that even passing keeps the score above beta. Deep in the tree a reduced search without
// passing must agree: there are positions where every move is worse than none.
static bool null_move_cuts(Search *search, const Node *node, int *score) {
    const SearchParams *p = &search->params;
    const int ply = node->ply, beta = node->beta;
    if (!may_pass(search, node)) return false;
    const int eval = search->stack[ply].eval;
    const int depth = node->depth - p->null_reduction - node->depth / p->null_depth_divisor -
                      min_int((eval - beta) / p->null_eval_divisor, p->null_eval_most);
    search_enter(search, ply, MOVE_NONE);
    *score = -search_node(search, ply + 1, -beta, -beta + 1, depth, !node->cut);
    if (search->stopped) return true;
    // A mate found after passing proves nothing about the side that passed.
    if (*score >= SCORE_EVAL_MAX) *score = beta;
    if (*score < beta) return false;
    if (search->null_from > 0 || node->depth < p->null_verify_depth) return true;
    search->null_from = ply + max_int(depth, 0) * 3 / 4;
    const int verified = search_node(search, ply, beta - 1, beta, depth, false);
    search->null_from = 0;
    return search->stopped || verified >= beta;
}

bool search_prune_node(Search *search, const Node *node, int *score) {
    return reverse_futile(search, node, score) || razored(search, node, score) ||
           null_move_cuts(search, node, score);
}

// ---- single moves -----------------------------------------------------------------------------

static int base_reduction(const Search *search, const Node *node) {
    return search_lmr(search, node->depth, node->move_count) +
           (node->improving ? 0 : search->params.lmr_not_improving);
}

bool search_is_late(const Search *search, const Node *node) {
    const SearchParams *p = &search->params;
    const int late =
        (p->late_move_base + node->depth * node->depth) * (node->improving ? 4 : 2) / 4;
    return node->depth <= p->late_move_depth && node->move_count > late;
}

// Unpromising by the evaluation, or bad by experience. `depth` is what late moves get.
static bool hopeless_quiet(const Search *search, const Node *node, Move move, int depth) {
    const SearchParams *p = &search->params;
    const SearchPly *here = &search->stack[node->ply];
    if (depth <= p->futility_depth && !here->exposure.in_check &&
        here->eval + p->futility_base + p->futility_margin * depth <= node->alpha) {
        return true;
    }
    const Piece piece = here->position.board[move_from(move)];
    return depth <= p->history_depth &&
           history_answer(here->back, piece, move_to(move)) < -p->history_margin * node->depth;
}

bool search_prune_quiet(const Search *search, const Node *node, Move move) {
    const int left = max_int(node->depth - base_reduction(search, node) / 100, 0);
    return hopeless_quiet(search, node, move, left) &&
           !see_direct_check(&search->stack[node->ply].position, move);
}

int search_late_reduction(const Search *search, const Node *node, Move move, bool quiet) {
    const SearchParams *p = &search->params;
    const SearchPly *here = &search->stack[node->ply];
    const int most = (node->depth - 2) * 100;
    int reduction = base_reduction(search, node);
    if (!node->pv) reduction += p->lmr_not_pv;
    if (node->cut) reduction += p->lmr_cut;
    if (node->tt_capture) reduction += p->lmr_tt_capture;
    if (here[1].cuts > 3) reduction += p->lmr_cuts;
    if (node->tt_pv) reduction -= p->lmr_tt_pv;
    if (here[1].exposure.in_check) reduction -= 100;
    if (quiet) {
        const Piece piece = here->position.board[move_from(move)];
        reduction -= history_quiet(&search->history, here->back, piece, move_to(move)) * 100 /
                     p->lmr_history_divisor;
        if (reduction < most && !see_at_least(&here->position, move, 0)) {
            reduction += p->lmr_loses;
        }
    } else {
        reduction -= p->lmr_capture + history_capture(&search->history, &here->position, move) *
                                          200 / p->lmr_history_divisor;
    }
    return max_int(0, min_int(reduction, most) / 100);
}

// ---- the table's move -------------------------------------------------------------------------

static bool asks_singular(const Search *search, const Node *node) {
    const SearchParams *p = &search->params;
    return node->ply > 0 && node->ply < 2 * search->root_depth &&
           node->depth >= p->singular_depth && (node->entry.bound & BOUND_LOWER) &&
           node->entry.depth >= node->depth - 3 && node->entry.score < SCORE_EVAL_MAX &&
           node->entry.score > -SCORE_EVAL_MAX;
}

bool search_extend_tt_move(Search *search, const Node *node, int *extension, int *score) {
    const SearchParams *p = &search->params;
    SearchPly *here = &search->stack[node->ply];
    *extension = 0;
    if (!asks_singular(search, node)) return false;
    const int target = node->entry.score - p->singular_margin * node->depth / 16;
    here->excluded = node->tt_move;
    *score = search_node(search, node->ply, target - 1, target, (node->depth - 1) / 2, node->cut);
    here->excluded = MOVE_NONE;
    if (search->stopped) return true;
    if (*score < target) {
        *extension = !node->pv && *score < target - p->singular_double ? 2 : 1;
    } else if (*score >= node->beta && *score < SCORE_EVAL_MAX) {
        return true;
    } else if (node->entry.score >= node->beta) {
        *extension = -2;
    } else if (node->cut) {
        *extension = -1;
    }
    return false;
}
