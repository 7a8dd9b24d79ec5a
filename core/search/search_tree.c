// SPDX-License-Identifier: GPL-3.0-or-later
// The tree: principal variation search, cut by stage.
#include <stdlib.h>
#include <string.h>

#include "core/search/search_internal.h"

enum { SURPRISE_MAX = 1200 };

// ---- learning from cuts ---------------------------------------------------------------------

static void learn_quiet(Search *search, int ply, Move move, int bonus) {
    const SearchPly *here = &search->stack[ply];
    const Piece piece = here->position.board[move_from(move)];
    history_add_quiet(&search->history, here->back, piece, move_to(move), bonus);
    if (ply < ROOT_PLIES) history_add(&search->near_root[ply][piece][move_to(move)], bonus);
}

// A quiet move that cut answers the move before it.
static void remember_refutation(Search *search, int ply, Move move) {
    SearchPly *here = &search->stack[ply];
    if (here->killers[0] != move) {
        here->killers[1] = here->killers[0];
        here->killers[0] = move;
    }
    if (ply > 0 && here[-1].move != MOVE_NONE) {
        const int to = move_to(here[-1].move);
        search->history.counter[here->position.board[to]][to] = move;
    }
}

// Did a quiet move of the other side lead here?
static bool after_quiet(const Search *search, int ply) {
    if (ply == 0) return false;
    const SearchPly *before = &search->stack[ply - 1];
    return before->move != MOVE_NONE && !position_is_capture(&before->position, before->move) &&
           !search_same_side(search, ply - 1);
}

// What is learned of the move that led here, by itself too or as an answer alone.
static void learn_before(Search *search, int ply, int bonus, bool by_itself) {
    const SearchPly *before = &search->stack[ply - 1];
    const Piece piece = before->position.board[move_from(before->move)];
    const int to = move_to(before->move);
    if (by_itself) history_add(&search->history.quiet[piece][to], bonus);
    history_add_answer(before->back, piece_type(piece), to, bonus);
}

// The best move of a cut node was good, those tried before it were not, nor was the quiet move that
// came first before the node and is refuted.
static void learn_cut(Search *search, const Node *node) {
    const int bonus = history_bonus(&search->params, node->depth);
    const Position *position = &search->stack[node->ply].position;
    if (position_is_capture(position, node->best_move)) {
        history_add_capture(&search->history, position, node->best_move, bonus);
    } else {
        remember_refutation(search, node->ply, node->best_move);
        learn_quiet(search, node->ply, node->best_move, bonus);
        for (int i = 0; i < node->quiet_count; i++) {
            if (node->quiets[i] == node->best_move) continue;
            learn_quiet(search, node->ply, node->quiets[i], -bonus);
        }
    }
    if (after_quiet(search, node->ply) && search->stack[node->ply - 1].first) {
        learn_before(search, node->ply, -bonus * search->params.history_refuted / 100, false);
    }
    for (int i = 0; i < node->capture_count; i++) {
        if (node->captures[i] == node->best_move) continue;
        history_add_capture(&search->history, position, node->captures[i], -bonus);
    }
}

// The quiet move that led here was better, or worse, than the evaluation before it said.
static void learn_surprise(Search *search, int ply) {
    const SearchPly *here = &search->stack[ply], *before = here - 1;
    if (search->params.history_surprise == 0 || !after_quiet(search, ply) ||
        here->excluded != MOVE_NONE || before->eval == EVAL_NONE) {
        return;
    }
    const int bonus = -search->params.history_surprise * (before->eval + here->eval);
    const Piece piece = before->position.board[move_from(before->move)];
    history_add(&search->history.quiet[piece][move_to(before->move)],
                clamp(bonus, -SURPRISE_MAX, SURPRISE_MAX));
}

// A quiet position whose evaluation the search contradicts.
static void correct_eval(Search *search, const Node *node, Bound bound) {
    const SearchPly *here = &search->stack[node->ply];
    const Move best = node->best_move;
    if (here->exposure.in_check || abs(node->best) >= SCORE_EVAL_MAX ||
        (best != MOVE_NONE && position_is_capture(&here->position, best)) ||
        !(bound & (node->best > here->eval ? BOUND_LOWER : BOUND_UPPER))) {
        return;
    }
    history_add_correction(&search->history, here->back, &here->position, node->best - here->eval,
                           node->depth);
}

void search_update_pv(SearchPly *here, Move move) {
    const SearchPly *next = here + 1;
    here->pv[0] = move;
    memcpy(here->pv + 1, next->pv, (size_t)next->pv_count * sizeof *here->pv);
    here->pv_count = next->pv_count + 1;
}

// ---- the moves of a node --------------------------------------------------------------------

// A reduced move that came above alpha, at full depth: a ply deeper when it is much better than the
// best so far, a ply less deep when it is hardly better.
static int search_again(Search *search, const Node *node, int depth, int reduction, int score) {
    const SearchParams *p = &search->params;
    const int reduced = depth - reduction;
    if (score > node->best + p->lmr_deeper + 2 * depth) depth++;
    if (score < node->best + p->lmr_shallower) depth--;
    if (depth <= reduced) return score;
    return search_child(search, node->ply, node->alpha, node->alpha + 1, depth, !node->cut);
}

// The answer was better, or no better, than its reduction said.
static void learn_from_reduction(Search *search, const Node *node, Move move, int score) {
    const SearchPly *here = &search->stack[node->ply];
    const int bonus = history_bonus(&search->params, node->depth);
    if (score > node->alpha && score < node->beta) return;
    const Piece piece = here->position.board[move_from(move)];
    history_add_answer(here->back, piece_type(piece), move_to(move),
                       score <= node->alpha ? -bonus : bonus);
}

// The value of the move just entered, by reduced and null-window searches first.
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
        score = search_again(search, node, next_depth, reduction, score);
        if (quiet && !search->stopped) learn_from_reduction(search, node, move, score);
    }
    if (score > alpha && score < beta && !search->stopped) {
        score = search_child(search, ply, alpha, beta, next_depth, false);
    }
    return score;
}

static uint64_t move_id(const Search *search, int ply, Move move) {
    return search_key(search, ply) ^ move * UINT64_C(0x9e3779b97f4a7c15);
}

// A move that another thread searches comes again at the end: by then the table knows it.
static bool put_off(const Search *search, const Node *node, MovePicker *picker, Move move) {
    return search->team && node->depth >= TEAM_SHARE_DEPTH && node->move_count > 0 &&
           team_is_busy(search->team, move_id(search, node->ply, move)) &&
           picker_put_off(picker, move);
}

static void keep_tried(Node *node, Move move, bool quiet) {
    if (quiet && node->quiet_count < TRIED_MAX) node->quiets[node->quiet_count++] = move;
    if (!quiet && node->capture_count < TRIED_MAX) node->captures[node->capture_count++] = move;
}

// The same among several threads, which see what this one is at.
static int search_team_move(Search *search, const Node *node, Move move, bool quiet,
                            int extension) {
    const bool share = search->team && node->depth >= TEAM_SHARE_DEPTH;
    const uint64_t id = move_id(search, node->ply, move);
    if (share) team_begin_move(search->team, id);
    search_enter(search, node->ply, move);
    const int score = search_move(search, node, move, quiet, extension);
    if (share) team_end_move(search->team, id);
    return score;
}

static void try_moves(Search *search, Node *node) {
    const int ply = node->ply;
    SearchPly *here = &search->stack[ply];
    const Move excluded = here->excluded;
    MovePicker picker;
    picker_init(&picker, search, ply, node->tt_move, false);
    picker.depth = node->depth;
    here[1].killers[0] = here[1].killers[1] = MOVE_NONE;
    here[2].cuts = 0;
    Move move;
    while ((move = picker_next(&picker)) != MOVE_NONE) {
        if (move == excluded || !search_move_allowed(search, ply, move) ||
            put_off(search, node, &picker, move)) {
            continue;
        }
        const bool quiet = !position_is_capture(&here->position, move);
        node->move_count++;
        if (node->best > -SCORE_EVAL_MAX) {
            picker.checks_only = search_is_late(search, node);
            if (quiet && search_prune_quiet(search, node, move)) continue;
        }
        int score, extension = 0;
        if (move == node->tt_move && excluded == MOVE_NONE &&
            search_extend_tt_move(search, node, &extension, &score)) {
            node->best = score;
            node->cut_short = true;
            return;
        }
        here->first = node->move_count == 1;
        score = search_team_move(search, node, move, quiet, extension);
        if (search->stopped) return;
        keep_tried(node, move, quiet);
        if (score <= node->best) continue;
        node->best = score;
        if (score <= node->alpha) continue;
        node->best_move = move;
        if (node->pv) search_update_pv(here, move);
        if (score >= node->beta) {
            learn_cut(search, node);
            if (here->cuts < INT8_MAX) here->cuts++;
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
    learn_surprise(search, node->ply);
}

// What is known before any move is tried: the table, the evaluation. True when that decides.
static bool decided_early(Search *search, Node *node, int *score) {
    SearchPly *here = &search->stack[node->ply];
    const bool excluding = here->excluded != MOVE_NONE;
    node->hit = search_probe(search, node->ply, &node->entry);
    node->tt_pv = node->pv || (node->hit && node->entry.pv);
    node->tt_move = node->hit ? node->entry.move : MOVE_NONE;
    node->tt_capture =
        node->tt_move != MOVE_NONE && position_is_capture(&here->position, node->tt_move);
    if (!node->pv && !excluding && node->hit && node->entry.depth >= node->depth &&
        search_entry_cuts(search, &node->entry, node->ply, node->alpha, node->beta)) {
        *score = node->entry.score;
        return true;
    }
    set_eval(search, node);
    if (here->exposure.in_check || node->pv || excluding) return false;
    return search_prune_node(search, node, score);
}

// Not the lists of moves: clearing them would take longer than the rest.
static void begin_node(Node *node, int ply, int alpha, int beta, int depth, bool cut_node) {
    node->ply = ply;
    node->alpha = alpha;
    node->beta = beta;
    node->depth = depth;
    node->cut = cut_node;
    node->pv = beta - alpha > 1;
    node->improving = node->cut_short = false;
    node->best = -SCORE_INFINITE;
    node->best_move = MOVE_NONE;
    node->move_count = node->quiet_count = node->capture_count = 0;
}

int search_node(Search *search, int ply, int alpha, int beta, int depth, bool cut_node) {
    SearchPly *here = &search->stack[ply];
    if (depth <= 0) return search_quiet(search, ply, alpha, beta, true);
    here->pv_count = 0;
    int score;
    if (search_node_ends(search, ply, &score)) return score;
    // A mate already found elsewhere that is shorter than anything possible here.
    if (alpha < -(SCORE_MATE - ply)) alpha = -(SCORE_MATE - ply);
    if (beta > SCORE_MATE - ply - 1) beta = SCORE_MATE - ply - 1;
    if (alpha >= beta) return alpha;

    Node node;
    begin_node(&node, ply, alpha, beta, depth, cut_node);
    const bool excluding = here->excluded != MOVE_NONE;
    if (decided_early(search, &node, &score)) return score;
    here->pv_count = 0;
    // Without a table move the node is searched less deep: the order would be poor. Where no
    // move is expected to be good the order does not matter.
    if (node.tt_move == MOVE_NONE && depth >= 4 && (node.pv || cut_node))
        node.depth -= node.pv ? 2 : 1;
    try_moves(search, &node);
    if (search->stopped) return 0;
    if (node.cut_short) return node.best;
    if (node.move_count == 0) return excluding ? alpha : -(SCORE_MATE - ply); // no move: lost
    if (excluding) return node.best;
    if (node.best >= beta && !node.pv && abs(node.best) < SCORE_EVAL_MAX &&
        abs(beta) < SCORE_EVAL_MAX) {
        node.best = (node.best * node.depth + beta) / (node.depth + 1);
    }
    const Bound bound = node.best >= beta    ? BOUND_LOWER
                        : node.alpha > alpha ? BOUND_EXACT
                                             : BOUND_UPPER;
    search_store(search, ply, node.best_move, node.best, node.depth, bound, node.tt_pv);
    correct_eval(search, &node, bound);
    if (bound == BOUND_UPPER && after_quiet(search, ply)) { // the move that led here was good
        learn_before(search, ply, history_bonus(&search->params, node.depth) / 2, true);
    }
    return node.best;
}
