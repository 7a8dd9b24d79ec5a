// SPDX-License-Identifier: GPL-3.0-or-later
// The quiescence search: captures that lose nothing, and every move in check.
#include <stdlib.h>

#include "core/search/search_internal.h"
#include "core/search/see.h"

static int stand_pat(Search *search, int ply, const TtData *entry, bool hit) {
    const int eval = search_eval(search, ply, hit ? entry : NULL);
    if (hit && search_entry_bounds(search, entry, ply, eval)) return entry->score;
    return eval;
}

// Captures that cannot reach alpha, or lose material. What they could have given enters *best.
static bool prune_capture(const Position *position, const MovePicker *picker, Move move,
                          int futility_base, int alpha, int *best) {
    const int hope = futility_base + see_piece_value(position, move_to(move));
    if (hope <= alpha) {
        if (hope > *best) *best = hope;
        return true;
    }
    // The picker has seen to it for all captures but the table's.
    return move == picker->tt_move && !see_at_least(position, move, 0);
}

static int quiet_child(Search *search, int ply, Move move, int alpha, int beta) {
    search_enter(search, ply, move);
    return search_same_side(search, ply) ? search_quiet(search, ply + 1, alpha, beta)
                                         : -search_quiet(search, ply + 1, -beta, -alpha);
}

int search_quiet(Search *search, int ply, int alpha, int beta) {
    SearchPly *here = &search->stack[ply];
    here->pv_count = 0;
    int score;
    if (search_node_ends(search, ply, &score)) return score;
    const bool pv_node = beta - alpha > 1, in_check = here->exposure.in_check;
    TtData entry;
    const bool hit = search_probe(search, ply, &entry);
    if (hit && !pv_node && search_entry_cuts(search, &entry, ply, alpha, beta)) return entry.score;
    const int old_alpha = alpha;
    int best = -SCORE_INFINITE;
    search_no_eval(search, ply);
    if (!in_check) {
        best = stand_pat(search, ply, &entry, hit);
        if (best >= beta) return abs(best) < SCORE_EVAL_MAX ? (best + beta) / 2 : best;
        if (best > alpha) alpha = best;
    }
    const int futility_base = best + search->params.delta_margin;
    MovePicker picker;
    picker_init(&picker, search, ply, hit ? entry.move : MOVE_NONE, !in_check);
    here[1].killers[0] = here[1].killers[1] = MOVE_NONE;
    Move move, best_move = MOVE_NONE;
    while ((move = picker_next(&picker)) != MOVE_NONE) {
        if (!in_check &&
            prune_capture(&here->position, &picker, move, futility_base, alpha, &best)) {
            continue;
        }
        if (!search_move_allowed(search, ply, move)) continue;
        score = quiet_child(search, ply, move, alpha, beta);
        if (search->stopped) return 0;
        if (score <= best) continue;
        best = score;
        if (score <= alpha) continue;
        best_move = move;
        if (pv_node) search_update_pv(here, move);
        if (score >= beta) break;
        alpha = score;
    }
    if (best == -SCORE_INFINITE) return -(SCORE_MATE - ply); // in check without a legal move
    // Captures alone prove no more than that the score is beta or better.
    if (best >= beta && abs(best) < SCORE_EVAL_MAX && abs(beta) < SCORE_EVAL_MAX) {
        best = (best + beta) / 2;
    }
    search_store(search, ply, best_move, best, 0,
                 best >= beta        ? BOUND_LOWER
                 : alpha > old_alpha ? BOUND_EXACT
                                     : BOUND_UPPER,
                 hit && entry.pv);
    return best;
}
