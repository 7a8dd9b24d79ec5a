// SPDX-License-Identifier: GPL-3.0-or-later
// The tree: principal variation search and quiescence, cut by stage.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/search/search_internal.h"
#include "core/search/see.h"

static int min_int(int a, int b) {
    return a < b ? a : b;
}
static int max_int(int a, int b) {
    return a > b ? a : b;
}

// ---- limits ---------------------------------------------------------------------------------

bool search_time_is_up(const Search *search, int64_t ms) {
    int64_t start_ns = search->start_ns;
    if (search->limits.clock_start_ns) {
        start_ns = atomic_load_explicit(search->limits.clock_start_ns, memory_order_relaxed);
        if (start_ns == 0) return false;
    }
    return clock_now_ns() - start_ns >= ms * 1000000;
}

static void check_limits(Search *search) {
    if (search->limits.nodes && search->nodes >= search->limits.nodes) search->stopped = true;
    if (search->nodes % 1024 != 0) return;
    atomic_store_explicit(&search->seen_nodes, search->nodes, memory_order_relaxed);
    if (search->stop_flag && atomic_load_explicit(search->stop_flag, memory_order_relaxed)) {
        search->stopped = true;
    }
    if (search->limits.hard_ms && search_time_is_up(search, search->limits.hard_ms)) {
        search->stopped = true;
    }
}

void search_enter(Search *search, int ply, Move move) {
    SearchPly *here = &search->stack[ply], *next = here + 1;
    search->nodes++;
    here->move = move;
    if (move == MOVE_NONE) {
        position_do_null(&here->position, &next->position);
        if (UNLIKELY(search->limits.odds != NULL)) next->odds = here->odds;
    } else {
        if (UNLIKELY(search->limits.odds != NULL)) {
            next->odds = here->odds;
            odds_apply(&next->odds, &here->position, move, &next->position);
        } else {
            position_do_move(&here->position, move, &next->position);
        }
    }
    position_exposure(&next->position, &next->exposure);
    tt_prefetch(search->tt, search_key(search, ply + 1));
    rules_line_keep(&search->line, (size_t)ply);
    if (move == MOVE_NONE || search_same_side(search, ply)) {
        rules_line_push_null(&search->line, &next->position);
    } else {
        rules_line_push(&search->line, move, &next->position);
    }
}

// Ends by the rules, but for mate and stalemate, which show when no move is found. *score is then
// the value for the side to move.
static bool ended(const Search *search, int ply, int *score) {
    switch (rules_line_end(&search->line)) {
    case LINE_OPEN:
        return false;
    case LINE_DRAWN:
        *score = 0;
        return true;
    case LINE_LOST: // mated on the last ply of the no-capture limit, or guilty of the loop
        *score =
            -((position_no_legal_move(&search->stack[ply].position) ? SCORE_MATE : SCORE_RULE_WIN) -
              ply);
        return true;
    case LINE_WON:
        *score = SCORE_RULE_WIN - ply;
        return true;
    }
    return false;
}

// ---- scores in the table count from the node ------------------------------------------------

static int score_to_tt(int score, int ply) {
    if (score >= SCORE_EVAL_MAX) return score + ply;
    if (score <= -SCORE_EVAL_MAX) return score - ply;
    return score;
}

static int score_from_tt(int score, int ply) {
    if (score >= SCORE_EVAL_MAX) return score - ply;
    if (score <= -SCORE_EVAL_MAX) return score + ply;
    return score;
}

static void store(Search *search, int ply, Move move, int score, int depth, Bound bound) {
    const SearchPly *here = &search->stack[ply];
    tt_store(search->tt, search_key(search, ply),
             (TtData){.move = move,
                      .score = (int16_t)score_to_tt(score, ply),
                      .eval = here->eval,
                      .depth = (uint8_t)max_int(depth, 0),
                      .bound = bound});
}

static bool tt_cuts(const TtData *entry, int score, int alpha, int beta) {
    return entry->bound == BOUND_EXACT || (entry->bound == BOUND_LOWER && score >= beta) ||
           (entry->bound == BOUND_UPPER && score <= alpha);
}

// Close to the no-capture limit a stored score may come from a longer road.
static bool tt_trusted(const Search *search, const Position *position) {
    return position->halfmove + 20 < search->rules.no_capture_plies;
}

static int static_eval(const Search *search, const Position *position) {
    const int eval = evaluate(position, &search->weights);
    return max_int(-SCORE_EVAL_MAX + 1, min_int(SCORE_EVAL_MAX - 1, eval));
}

// ---- learning from cuts ---------------------------------------------------------------------

// Gravity keeps history within +-HISTORY_LIMIT.
static void history_add(int16_t *entry, int bonus) {
    *entry = (int16_t)(*entry + bonus - *entry * abs(bonus) / HISTORY_LIMIT);
}

static void learn_quiet_cut(Search *search, int ply, Move best, const Move *tried, int tried_count,
                            int depth) {
    SearchPly *here = &search->stack[ply];
    if (here->killers[0] != best) {
        here->killers[1] = here->killers[0];
        here->killers[0] = best;
    }
    if (ply > 0 && here[-1].move != MOVE_NONE) {
        const int to = move_to(here[-1].move);
        search->counter[here->position.board[to]][to] = best;
    }
    const int bonus = min_int(search->params.history_max, depth * search->params.history_slope);
    const Piece *board = here->position.board;
    history_add(&search->history[board[move_from(best)]][move_to(best)], bonus);
    for (int i = 0; i < tried_count; i++) {
        if (tried[i] == best) continue;
        history_add(&search->history[board[move_from(tried[i])]][move_to(tried[i])], -bonus);
    }
}

static void update_pv(SearchPly *here, Move move) {
    const SearchPly *next = here + 1;
    here->pv[0] = move;
    memcpy(here->pv + 1, next->pv, (size_t)next->pv_count * sizeof *here->pv);
    here->pv_count = next->pv_count + 1;
}

// ---- quiescence -----------------------------------------------------------------------------

static int quiet_stand_pat(Search *search, int ply, const TtData *entry, bool hit) {
    SearchPly *here = &search->stack[ply];
    const int eval =
        hit && entry->eval != EVAL_NONE ? entry->eval : static_eval(search, &here->position);
    here->eval = (int16_t)eval;
    if (hit && entry->bound != BOUND_NONE && tt_trusted(search, &here->position)) {
        const int score = score_from_tt(entry->score, ply);
        if (entry->bound & (score > eval ? BOUND_LOWER : BOUND_UPPER)) return score;
    }
    return eval;
}

int search_quiet(Search *search, int ply, int alpha, int beta) {
    SearchPly *here = &search->stack[ply];
    here->pv_count = 0;
    check_limits(search);
    if (search->stopped) return 0;
    if (ply > search->seldepth) search->seldepth = ply;
    int score = 0;
    if (ply > 0 && ended(search, ply, &score)) return score;
    if (ply >= MAX_PLY - 1)
        return here->exposure.in_check ? 0 : static_eval(search, &here->position);

    const bool pv_node = beta - alpha > 1;
    TtData entry;
    const bool hit = tt_probe(search->tt, search_key(search, ply), &entry);
    if (hit && !pv_node) {
        score = score_from_tt(entry.score, ply);
        if (tt_cuts(&entry, score, alpha, beta) && tt_trusted(search, &here->position)) {
            return score;
        }
    }
    int best = -SCORE_INFINITE;
    here->eval = EVAL_NONE;
    if (!here->exposure.in_check) {
        best = quiet_stand_pat(search, ply, &entry, hit);
        if (best >= beta) return best;
        if (best > alpha) alpha = best;
    }
    const int futility_base = best + search->params.delta_margin;
    MovePicker picker;
    picker_init(&picker, search, &here->position, hit ? entry.move : MOVE_NONE, NULL, MOVE_NONE,
                !here->exposure.in_check);
    Move move, best_move = MOVE_NONE;
    const int old_alpha = alpha;
    while ((move = picker_next(&picker)) != MOVE_NONE) {
        if (!here->exposure.in_check) {
            const int gain = see_piece_value(&here->position, move_to(move));
            if (futility_base + gain <= alpha) {
                best = max_int(best, futility_base + gain);
                continue;
            }
            // The picker has seen to it for all captures but the table's.
            if (move == picker.tt_move && !see_at_least(&here->position, move, 0)) continue;
        }
        if (!search_move_allowed(search, ply, move)) continue;
        search_enter(search, ply, move);
        score = search_same_side(search, ply) ? search_quiet(search, ply + 1, alpha, beta)
                                              : -search_quiet(search, ply + 1, -beta, -alpha);
        if (search->stopped) return 0;
        if (score <= best) continue;
        best = score;
        if (score <= alpha) continue;
        best_move = move;
        if (pv_node) update_pv(here, move);
        if (score >= beta) break;
        alpha = score;
    }
    if (best == -SCORE_INFINITE) return -(SCORE_MATE - ply); // in check without a legal move
    store(search, ply, best_move, best, 0,
          best >= beta        ? BOUND_LOWER
          : alpha > old_alpha ? BOUND_EXACT
                              : BOUND_UPPER);
    return best;
}

// ---- pruning before any move is tried -------------------------------------------------------

static bool has_attacker(const Position *position, Side side) {
    return (position->by_side[side] & (position->by_type[CHARIOT] | position->by_type[CANNON] |
                                       position->by_type[HORSE])) != 0;
}

// A node far outside the window may be decided by its evaluation alone: true with *score when it
// is.
static bool prune_node(Search *search, int ply, int alpha, int beta, int depth, int *score) {
    const SearchParams *p = &search->params;
    SearchPly *here = &search->stack[ply];
    const int eval = here->eval;
    if (depth <= p->reverse_futility_depth && eval < SCORE_EVAL_MAX - 1 &&
        eval - p->reverse_futility_margin * depth >= beta && beta > -SCORE_EVAL_MAX) {
        *score = eval;
        return true;
    }
    if (depth <= p->razor_depth && eval + p->razor_margin * depth <= alpha) {
        const int quiet = search_quiet(search, ply, alpha, beta);
        if (search->stopped || quiet <= alpha) {
            *score = quiet;
            return true;
        }
    }
    const bool after_null = ply > 0 && here[-1].move == MOVE_NONE;
    const bool extra = search->limits.odds && here->odds.moves > 0;
    if (depth >= p->null_depth && eval >= beta && !after_null && !extra && ply > 0 &&
        beta > -SCORE_EVAL_MAX && has_attacker(&here->position, (Side)here->position.stm)) {
        const int reduction = p->null_reduction + depth / p->null_depth_divisor +
                              min_int((eval - beta) / p->null_eval_divisor, 3);
        search_enter(search, ply, MOVE_NONE);
        const int null_score =
            -search_node(search, ply + 1, -beta, -beta + 1, depth - reduction, false);
        if (search->stopped) return true;
        if (null_score >= beta) {
            // A mate found after passing proves nothing about the side that passed.
            *score = null_score >= SCORE_EVAL_MAX ? beta : null_score;
            return true;
        }
    }
    return false;
}

// Quiet moves and losing captures that need not be searched at a shallow node.
static bool prune_move(const Search *search, int ply, Move move, bool quiet, int alpha, int depth,
                       int move_count) {
    const SearchParams *p = &search->params;
    const SearchPly *here = &search->stack[ply];
    if (quiet) {
        if (depth <= p->late_move_depth && move_count > p->late_move_base + depth * depth)
            return true;
        if (depth <= p->futility_depth && !here->exposure.in_check &&
            here->eval + p->futility_base + p->futility_margin * depth <= alpha) {
            return true;
        }
    }
    if (depth > p->see_depth) return false;
    const int margin = quiet ? p->see_quiet_margin : p->see_capture_margin;
    return !see_at_least(&here->position, move, -margin * depth);
}

static int late_reduction(const Search *search, int ply, Move move, int depth, int move_count,
                          bool pv_node, bool cut_node) {
    const SearchPly *here = &search->stack[ply];
    int reduction = search->lmr[min_int(depth, LMR_SIZE - 1)][min_int(move_count, LMR_SIZE - 1)];
    if (!pv_node) reduction += 50;
    if (cut_node) reduction += 50;
    if (here[1].exposure.in_check) reduction -= 100;
    const Piece piece = here->position.board[move_from(move)];
    reduction -= search->history[piece][move_to(move)] * 100 / search->params.lmr_history_divisor;
    return max_int(0, min_int(reduction / 100, depth - 2));
}

// ---- the node -------------------------------------------------------------------------------

// The value of the move just entered, by reduced and null-window searches first.
static int search_move(Search *search, int ply, Move move, int alpha, int beta, int depth,
                       int move_count, bool quiet, bool cut_node) {
    const bool pv_node = beta - alpha > 1;
    const int next_depth =
        depth - 1 + (search->stack[ply + 1].exposure.in_check && depth < 12 ? 1 : 0);
    if (move_count == 1) {
        return search_child(search, ply, alpha, beta, next_depth, !pv_node && !cut_node);
    }
    int reduction = 0;
    if (depth >= 3 && quiet) {
        reduction = late_reduction(search, ply, move, depth, move_count, pv_node, cut_node);
    }
    int score = search_child(search, ply, alpha, alpha + 1, next_depth - reduction, true);
    if (score > alpha && reduction > 0 && !search->stopped) {
        score = search_child(search, ply, alpha, alpha + 1, next_depth, !cut_node);
    }
    if (score > alpha && score < beta && !search->stopped) {
        score = search_child(search, ply, alpha, beta, next_depth, false);
    }
    return score;
}

typedef struct NodeState {
    int best, alpha;
    Move best_move;
    int move_count; // legal moves seen
    Move quiets[MAX_MOVES];
    int quiet_count;
} NodeState;

static Move counter_move(const Search *search, int ply) {
    const SearchPly *here = &search->stack[ply];
    if (ply == 0 || here[-1].move == MOVE_NONE) return MOVE_NONE;
    const int to = move_to(here[-1].move);
    return search->counter[here->position.board[to]][to];
}

static void try_moves(Search *search, int ply, int beta, int depth, bool cut_node, Move tt_move,
                      NodeState *node) {
    SearchPly *here = &search->stack[ply];
    MovePicker picker;
    picker_init(&picker, search, &here->position, tt_move, here->killers, counter_move(search, ply),
                false);
    here[1].killers[0] = here[1].killers[1] = MOVE_NONE;
    Move move;
    while ((move = picker_next(&picker)) != MOVE_NONE) {
        if (!search_move_allowed(search, ply, move)) continue;
        const bool quiet = !position_is_capture(&here->position, move);
        node->move_count++;
        if (ply > 0 && node->best > -SCORE_EVAL_MAX &&
            prune_move(search, ply, move, quiet, node->alpha, depth, node->move_count)) {
            continue;
        }
        search_enter(search, ply, move);
        const int score = search_move(search, ply, move, node->alpha, beta, depth, node->move_count,
                                      quiet, cut_node);
        if (search->stopped) return;
        if (quiet) node->quiets[node->quiet_count++] = move;
        if (score <= node->best) continue;
        node->best = score;
        if (score <= node->alpha) continue;
        node->best_move = move;
        if (beta - node->alpha > 1) update_pv(here, move);
        if (score >= beta) {
            if (quiet) {
                learn_quiet_cut(search, ply, move, node->quiets, node->quiet_count, depth);
            }
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

int search_node(Search *search, int ply, int alpha, int beta, int depth, bool cut_node) {
    SearchPly *here = &search->stack[ply];
    if (depth <= 0) return search_quiet(search, ply, alpha, beta);
    here->pv_count = 0;
    check_limits(search);
    if (search->stopped) return 0;
    if (ply > search->seldepth) search->seldepth = ply;
    int score = 0;
    if (ended(search, ply, &score)) return score;
    if (ply >= MAX_PLY - 1)
        return here->exposure.in_check ? 0 : static_eval(search, &here->position);
    // A mate already found elsewhere that is shorter than anything possible here.
    alpha = max_int(alpha, -(SCORE_MATE - ply));
    beta = min_int(beta, SCORE_MATE - ply - 1);
    if (alpha >= beta) return alpha;

    const bool pv_node = beta - alpha > 1;
    TtData entry;
    const bool hit = tt_probe(search->tt, search_key(search, ply), &entry);
    const Move tt_move = hit ? entry.move : MOVE_NONE;
    if (hit && !pv_node && entry.depth >= depth) {
        score = score_from_tt(entry.score, ply);
        if (tt_cuts(&entry, score, alpha, beta) && tt_trusted(search, &here->position)) {
            return score;
        }
    }
    here->eval = EVAL_NONE;
    if (!here->exposure.in_check) {
        here->eval =
            (int16_t)(hit && entry.eval != EVAL_NONE ? entry.eval
                                                     : static_eval(search, &here->position));
        if (!pv_node && prune_node(search, ply, alpha, beta, depth, &score)) return score;
        here->pv_count = 0;
    }
    // Without a table move the node is searched a ply less deep: the order would be poor.
    if (tt_move == MOVE_NONE && depth >= 4) depth--;

    NodeState node = {.best = -SCORE_INFINITE, .alpha = alpha};
    try_moves(search, ply, beta, depth, cut_node, tt_move, &node);
    if (search->stopped) return 0;
    if (node.move_count == 0) return -(SCORE_MATE - ply); // mated or stalemated: lost both ways
    store(search, ply, node.best_move, node.best, depth,
          node.best >= beta    ? BOUND_LOWER
          : node.alpha > alpha ? BOUND_EXACT
                               : BOUND_UPPER);
    return node.best;
}
