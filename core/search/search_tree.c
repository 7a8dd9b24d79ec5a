// SPDX-License-Identifier: GPL-3.0-or-later
// The tree: principal variation search.
#include <stdlib.h>

#include "core/search/search_internal.h"

// ---- histories --------------------------------------------------------------------------------

// Adds a bonus to all histories of a quiet move: main, continuation and low-ply history.
static void update_quiet(Search *search, int ply, Move move, int bonus) {
    const SearchPly *here = &search->stack[ply];
    const Piece piece = here->position.board[move_from(move)];
    history_add_quiet(&search->history, here->continuations, piece, move_to(move), bonus);
    if (ply < LOW_PLY_COUNT) {
        history_add(&search->low_ply_history[ply][piece][move_to(move)], bonus);
    }
}

// Stores a quiet move that caused a beta cutoff as killer and as countermove.
static void store_killer_and_countermove(Search *search, int ply, Move move) {
    SearchPly *here = &search->stack[ply];
    if (here->killers[0] != move) {
        here->killers[1] = here->killers[0];
        here->killers[0] = move;
    }
    if (ply > 0 && here[-1].move != MOVE_NONE) {
        const int to = move_to(here[-1].move);
        search->history.countermove[here->position.board[to]][to] = move;
    }
}

// Returns true if the previous move was a quiet move by the other side.
static bool previous_move_is_quiet(const Search *search, int ply) {
    if (ply == 0) return false;
    const SearchPly *before = &search->stack[ply - 1];
    return before->move != MOVE_NONE && !position_is_capture(&before->position, before->move) &&
           !search_same_side(search, ply - 1);
}

// Adds a bonus to the continuation histories of the previous move and, if `update_main` is set, to
// the main history of that move.
static void update_previous_move(Search *search, int ply, int bonus, bool update_main) {
    const SearchPly *before = &search->stack[ply - 1];
    const Piece piece = before->position.board[move_from(before->move)];
    const int to = move_to(before->move);
    if (update_main) history_add(&search->history.quiet[piece][to], bonus);
    history_add_continuation(before->continuations, piece_type(piece), to, bonus);
}

// Updates the histories after a beta cutoff: rewards the best move and penalises the captures that
// were tried before it. If the best move is quiet, earlier quiet moves are penalised, too. If the
// previous move was quiet and the first move of its node, it is penalised as refuted (experiment
// E-073).
static void update_after_cutoff(Search *search, const Node *node) {
    const int bonus = history_bonus(&search->params, node->depth);
    const Position *position = &search->stack[node->ply].position;
    if (position_is_capture(position, node->best_move)) {
        history_add_capture(&search->history, position, node->best_move, bonus);
    } else {
        store_killer_and_countermove(search, node->ply, node->best_move);
        update_quiet(search, node->ply, node->best_move, bonus);
        for (int i = 0; i < node->quiet_count; i++) {
            if (node->quiets[i] == node->best_move) continue;
            update_quiet(search, node->ply, node->quiets[i], -bonus);
        }
    }
    if (previous_move_is_quiet(search, node->ply) && search->stack[node->ply - 1].is_first_move) {
        const int penalty = bonus * search->params.history_refuted / 100;
        update_previous_move(search, node->ply, -penalty, false);
    }
    for (int i = 0; i < node->capture_count; i++) {
        if (node->captures[i] == node->best_move) continue;
        history_add_capture(&search->history, position, node->captures[i], -bonus);
    }
}

// Updates the main history of the previous quiet move by the change of the static evaluation. By
// default only searches of few nodes do this (experiment E-071).
static void update_by_eval_change(Search *search, int ply) {
    enum { BONUS_MAX = 1200 };
    const SearchPly *here = &search->stack[ply], *before = here - 1;
    if (search->params.history_eval_change == 0 || !previous_move_is_quiet(search, ply) ||
        here->excluded != MOVE_NONE || before->eval == EVAL_NONE) {
        return;
    }
    const int bonus = -search->params.history_eval_change * (before->eval + here->eval);
    const Piece piece = before->position.board[move_from(before->move)];
    history_add(&search->history.quiet[piece][move_to(before->move)],
                clamp(bonus, -BONUS_MAX, BONUS_MAX));
}

// Updates the correction history (experiment E-073) if the value of the node proves that the static
// evaluation was too low or too high. Does nothing if the best move is a capture, if the side to
// move is in check, or if the value is a win or loss by mate or rules.
static void update_correction(Search *search, const Node *node, Bound bound) {
    const SearchPly *here = &search->stack[node->ply];
    const Move best = node->best_move;
    if (here->exposure.in_check || abs(node->best) >= SCORE_EVAL_MAX ||
        (best != MOVE_NONE && position_is_capture(&here->position, best)) ||
        !(bound & (node->best > here->eval ? BOUND_LOWER : BOUND_UPPER))) {
        return;
    }
    history_add_correction(&search->history, here->continuations, &here->position,
                           node->best - here->eval, node->depth);
}

// ---- null move and singular extension ---------------------------------------------------------

// Null move pruning (experiments E-042 and E-073): if the score after passing is at least beta, in
// a search of reduced depth, the node is cut off. At large depths a second reduced search, without
// null moves in its upper part, must confirm the cutoff, because of zugzwang. Returns true and sets
// *score if the node is cut off. Also returns true if the search was stopped.
static bool null_move_cuts(Search *search, const Node *node, int *score) {
    const SearchParams *p = &search->params;
    const int ply = node->ply, beta = node->beta;
    if (!search_null_move_allowed(search, node)) return false;
    const int above = (search->stack[ply].eval - beta) / p->null_eval_divisor;
    const int depth = node->depth - p->null_reduction - node->depth / p->null_depth_divisor -
                      (above < p->null_eval_max ? above : p->null_eval_max);
    search_enter(search, ply, MOVE_NONE);
    *score = -search_node(search, ply + 1, -beta, -beta + 1, depth, !node->cut);
    if (search->stopped) return true;
    // A mate or a win by the rules after a null move is not proven, so beta replaces the score.
    if (*score >= SCORE_EVAL_MAX) *score = beta;
    if (*score < beta) return false;
    if (search->null_from > 0 || node->depth < p->null_verify_depth) return true;
    search->null_from = ply + (depth > 0 ? depth : 0) * 3 / 4;
    const int verified = search_node(search, ply, beta - 1, beta, depth, false);
    search->null_from = 0;
    return search->stopped || verified >= beta;
}

// Returns true if the transposition table move should be tested for being the only good move of the
// node.
static bool singular_test_applies(const Search *search, const Node *node) {
    const SearchParams *p = &search->params;
    return node->ply > 0 && node->ply < 2 * search->root_depth &&
           node->depth >= p->singular_depth && (node->entry.bound & BOUND_LOWER) &&
           node->entry.depth >= node->depth - 3 && node->entry.score < SCORE_EVAL_MAX &&
           node->entry.score > -SCORE_EVAL_MAX;
}

// Singular extension (experiments E-022 and E-073): searches the node without the transposition
// table move. *extension becomes positive if all other moves are clearly worse. It becomes negative
// if another move is nearly as good and the node probably fails high. Returns true and sets *score
// if another move causes a beta cutoff (multi-cut). Also returns true if the search was stopped.
static bool extend_tt_move(Search *search, const Node *node, int *extension, int *score) {
    const SearchParams *p = &search->params;
    SearchPly *here = &search->stack[node->ply];
    *extension = 0;
    if (!singular_test_applies(search, node)) return false;
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

// ---- the moves of a node --------------------------------------------------------------------

// Searches a reduced move again, without reduction, after it failed high with `score`. If `score`
// is much better than the best score so far, `depth` grows by one ply; if `score` is hardly better,
// `depth` shrinks by one ply. If the new depth is not larger than the reduced depth, returns
// `score`.
static int search_full_depth(Search *search, const Node *node, int depth, int reduction,
                             int score) {
    const SearchParams *p = &search->params;
    const int reduced = depth - reduction;
    if (score > node->best + p->lmr_deeper + 2 * depth) depth++;
    if (score < node->best + p->lmr_shallower) depth--;
    if (depth <= reduced) return score;
    return search_child(search, node->ply, node->alpha, node->alpha + 1, depth, !node->cut);
}

// Updates the continuation histories of a reduced move that failed high, by the score that
// search_full_depth() returned: rewards the move if `score` is at least beta, penalises it if
// `score` is at most alpha.
static void update_after_research(Search *search, const Node *node, Move move, int score) {
    const SearchPly *here = &search->stack[node->ply];
    const int bonus = history_bonus(&search->params, node->depth);
    if (score > node->alpha && score < node->beta) return;
    const Piece piece = here->position.board[move_from(move)];
    history_add_continuation(here->continuations, piece_type(piece), move_to(move),
                             score <= node->alpha ? -bonus : bonus);
}

// Returns the value of the move that was just played. All moves except the first are searched with
// a null window, and late moves with a reduced depth. A move that fails high is searched again with
// full depth and, if it fails high again, with the full window.
static int search_move(Search *search, const Node *node, Move move, bool quiet, int extension) {
    const int ply = node->ply, alpha = node->alpha, beta = node->beta;
    const bool checks = search->stack[ply + 1].exposure.in_check && extension == 0 &&
                        node->depth <= search->params.check_depth;
    const int next_depth = node->depth - 1 + extension + checks;
    if (node->move_count == 1) {
        return search_child(search, ply, alpha, beta, next_depth, !node->pv && !node->cut);
    }
    int reduction = 0;
    if (node->depth >= 3) reduction = search_late_reduction(search, node, move, quiet);
    int score = search_child(search, ply, alpha, alpha + 1, next_depth - reduction, true);
    if (score > alpha && reduction > 0 && !search->stopped) {
        score = search_full_depth(search, node, next_depth, reduction, score);
        if (quiet && !search->stopped) update_after_research(search, node, move, score);
    }
    if (score > alpha && score < beta && !search->stopped) {
        score = search_child(search, ply, alpha, beta, next_depth, false);
    }
    return score;
}

static uint64_t move_id(const Search *search, int ply, Move move) {
    return search_key(search, ply) ^ move * UINT64_C(0x9e3779b97f4a7c15);
}

// Postpones a move that another thread is searching. When the move is tried again, its result is
// probably in the transposition table (simplified ABDADA, team.h). Returns true if the move was
// postponed.
static bool postpone(const Search *search, const Node *node, MovePicker *picker, Move move) {
    return search->team && node->depth >= TEAM_SHARE_DEPTH && node->move_count > 0 &&
           team_is_busy(search->team, move_id(search, node->ply, move)) &&
           picker_postpone(picker, move);
}

static void record_tried(Node *node, Move move, bool quiet) {
    if (quiet && node->quiet_count < TRIED_MAX) node->quiets[node->quiet_count++] = move;
    if (!quiet && node->capture_count < TRIED_MAX) node->captures[node->capture_count++] = move;
}

// Plays a move and returns its value. From depth TEAM_SHARE_DEPTH on, other threads can see that
// the move is being searched.
static int enter_and_search(Search *search, const Node *node, Move move, bool quiet,
                            int extension) {
    const bool share = search->team && node->depth >= TEAM_SHARE_DEPTH;
    const uint64_t id = move_id(search, node->ply, move);
    if (share) team_begin_move(search->team, id);
    search_enter(search, node->ply, move);
    const int score = search_move(search, node, move, quiet, extension);
    if (share) team_end_move(search->team, id);
    return score;
}

// Searches the moves of a node in order, until a beta cutoff, a multi-cut, or the last move, or
// until the search is stopped.
static void try_moves(Search *search, Node *node) {
    const int ply = node->ply;
    SearchPly *here = &search->stack[ply];
    const Move excluded = here->excluded;
    MovePicker picker;
    picker_init(&picker, search, ply, node->tt_move, false);
    picker.depth = node->depth;
    here[1].killers[0] = here[1].killers[1] = MOVE_NONE;
    here[2].cutoff_count = 0;
    Move move;
    while ((move = picker_next(&picker)) != MOVE_NONE) {
        if (move == excluded || !search_move_allowed(search, ply, move) ||
            postpone(search, node, &picker, move)) {
            continue;
        }
        const bool quiet = !position_is_capture(&here->position, move);
        node->move_count++;
        if (node->best > -SCORE_EVAL_MAX) {
            picker.checks_only = search_skips_quiets(search, node);
            if (quiet && search_prune_quiet(search, node, move)) continue;
        }
        int score, extension = 0;
        if (move == node->tt_move && excluded == MOVE_NONE &&
            extend_tt_move(search, node, &extension, &score)) {
            node->best = score;
            node->decided = true;
            return;
        }
        here->is_first_move = node->move_count == 1;
        score = enter_and_search(search, node, move, quiet, extension);
        if (search->stopped) return;
        record_tried(node, move, quiet);
        if (score <= node->best) continue;
        node->best = score;
        if (score <= node->alpha) continue;
        node->best_move = move;
        if (node->pv) search_update_pv(here, move);
        if (score >= node->beta) {
            update_after_cutoff(search, node);
            if (here->cutoff_count < INT8_MAX) here->cutoff_count++;
            return;
        }
        node->alpha = score;
    }
}

int search_child(Search *search, int ply, int alpha, int beta, int depth, bool cut_node) {
    if (UNLIKELY(search_same_side(search, ply))) {
        return search_node(search, ply + 1, alpha, beta, depth, false);
    }
    return -search_node(search, ply + 1, -beta, -alpha, depth, cut_node);
}

// ---- the node -------------------------------------------------------------------------------

// Sets the static evaluation of the node, and whether it is better than two plies earlier. Then
// updates the history of the previous move by the change of the evaluation. In check there is no
// static evaluation.
static void set_eval(Search *search, Node *node) {
    SearchPly *here = &search->stack[node->ply];
    const int before = node->ply >= 2 ? here[-2].trend : EVAL_NONE;
    if (here->exposure.in_check) {
        search_no_eval(search, node->ply);
        here->trend = (int16_t)before;
        return;
    }
    here->trend = (int16_t)search_eval(search, node->ply, node->hit ? &node->entry : NULL);
    node->improving = before != EVAL_NONE && here->eval > before;
    update_by_eval_change(search, node->ply);
}

// Returns true and sets *score if the transposition table or forward pruning decides the node
// before any move is tried.
static bool decided_before_moves(Search *search, Node *node, int *score) {
    SearchPly *here = &search->stack[node->ply];
    const bool excluding = here->excluded != MOVE_NONE;
    node->hit = search_probe(search, node->ply, &node->entry);
    node->tt_pv = node->pv || (node->hit && node->entry.pv);
    node->tt_move = node->hit ? node->entry.move : MOVE_NONE;
    if (node->tt_move != MOVE_NONE) search_prefetch(search, node->ply, node->tt_move);
    node->tt_capture =
        node->tt_move != MOVE_NONE && position_is_capture(&here->position, node->tt_move);
    if (!node->pv && !excluding && node->hit && node->entry.depth >= node->depth &&
        search_entry_cuts(search, &node->entry, node->ply, node->alpha, node->beta)) {
        *score = node->entry.score;
        return true;
    }
    set_eval(search, node);
    if (here->exposure.in_check || node->pv || excluding) return false;
    return search_prune_node(search, node, score) || null_move_cuts(search, node, score);
}

// Initialises the members of the node that decided_before_moves() does not set. To save time, the
// lists of moves are not cleared.
static void begin_node(Node *node, int ply, int alpha, int beta, int depth, bool cut_node) {
    node->ply = ply;
    node->alpha = alpha;
    node->beta = beta;
    node->depth = depth;
    node->cut = cut_node;
    node->pv = beta - alpha > 1;
    node->improving = node->decided = false;
    node->best = -SCORE_INFINITE;
    node->best_move = MOVE_NONE;
    node->move_count = node->quiet_count = node->capture_count = 0;
}

int search_node(Search *search, int ply, int alpha, int beta, int depth, bool cut_node) {
    SearchPly *here = &search->stack[ply];
    if (depth <= 0) return search_qsearch(search, ply, alpha, beta, true);
    here->pv_count = 0;
    int score;
    if (search_node_ends(search, ply, &score)) return score;
    // Mate distance pruning.
    if (alpha < -(SCORE_MATE - ply)) alpha = -(SCORE_MATE - ply);
    if (beta > SCORE_MATE - ply - 1) beta = SCORE_MATE - ply - 1;
    if (alpha >= beta) return alpha;

    Node node;
    begin_node(&node, ply, alpha, beta, depth, cut_node);
    const bool excluding = here->excluded != MOVE_NONE;
    if (decided_before_moves(search, &node, &score)) return score;
    here->pv_count = 0;
    // Internal iterative reduction (experiment E-073): without a transposition table move, the move
    // order is poor, so the depth is reduced. Nodes that are expected to fail low keep their depth,
    // because the order does not matter there.
    if (node.tt_move == MOVE_NONE && depth >= 4 && (node.pv || cut_node))
        node.depth -= node.pv ? 2 : 1;
    try_moves(search, &node);
    if (search->stopped) return 0;
    if (node.decided) return node.best;
    // A side without a legal move has lost, by checkmate or stalemate.
    if (node.move_count == 0) return excluding ? alpha : -(SCORE_MATE - ply);
    if (excluding) return node.best;
    if (node.best >= beta && !node.pv && abs(node.best) < SCORE_EVAL_MAX &&
        abs(beta) < SCORE_EVAL_MAX) {
        node.best = (node.best * node.depth + beta) / (node.depth + 1);
    }
    const Bound bound = node.best >= beta    ? BOUND_LOWER
                        : node.alpha > alpha ? BOUND_EXACT
                                             : BOUND_UPPER;
    search_store(search, ply, node.best_move, node.best, node.depth, bound, node.tt_pv);
    update_correction(search, &node, bound);
    // All moves failed low: reward the opponent's move that led to this node.
    if (bound == BOUND_UPPER && previous_move_is_quiet(search, ply)) {
        update_previous_move(search, ply, history_bonus(&search->params, node.depth) / 2, true);
    }
    return node.best;
}
