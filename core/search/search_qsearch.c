// SPDX-License-Identifier: GPL-3.0-or-later
// Quiescence search. It tries all moves if the side to move is in check, otherwise captures that do
// not lose material and, in the first ply of the quiescence search, quiet checks (experiment
// E-073).
#include <stdlib.h>

#include "core/search/search_internal.h"
#include "core/search/see.h"

// Returns the static evaluation, or the score of the transposition table entry if the bound of the
// entry proves that its score is closer to the true score.
static int stand_pat(Search *search, int ply, const TtData *entry, bool hit) {
    const int eval = search_eval(search, ply, hit ? entry : NULL);
    if (hit && search_entry_bounds(search, entry, ply, eval)) return entry->score;
    return eval;
}

// Delta pruning and pruning by static exchange evaluation: returns true if the capture is not
// expected to raise the score above alpha, or if it loses material. Delta pruning raises *best to
// the score that the capture was expected to reach, if this is higher.
static bool prune_capture(const Position *position, const MovePicker *picker, Move move,
                          int futility_base, int alpha, int *best) {
    const int hope = futility_base + see_piece_value(position, move_to(move));
    if (hope <= alpha) {
        if (hope > *best) *best = hope;
        return true;
    }
    // The move picker has already tested the exchange of every capture except the transposition
    // table move.
    return move == picker->tt_move && !see_at_least(position, move, 0);
}

typedef struct Tries {
    int ply, alpha, beta, best;
    Move best_move;
} Tries;

// Plays a move and searches it. Returns true if it causes a beta cutoff, or if the search was
// stopped.
static bool try_move(Search *search, Tries *tries, Move move) {
    const int ply = tries->ply, alpha = tries->alpha, beta = tries->beta;
    search_enter(search, ply, move);
    const int score = search_same_side(search, ply)
                          ? search_qsearch(search, ply + 1, alpha, beta, false)
                          : -search_qsearch(search, ply + 1, -beta, -alpha, false);
    if (search->stopped) return true;
    if (score > tries->best) tries->best = score;
    if (score <= alpha) return false;
    tries->best_move = move;
    if (beta - alpha > 1) search_update_pv(&search->stack[ply], move);
    if (score < beta) tries->alpha = score;
    return score >= beta;
}

// Searches the quiet moves that give direct check and do not lose material, until a beta cutoff or
// until the search is stopped.
static void try_checks(Search *search, Tries *tries) {
    const Position *position = &search->stack[tries->ply].position;
    MoveList list;
    position_quiet_checks(position, &list);
    for (int i = 0; i < list.count; i++) {
        const Move move = list.moves[i];
        if (see_direct_check(position, move) && see_at_least(position, move, 0) &&
            search_move_allowed(search, tries->ply, move) && try_move(search, tries, move)) {
            return;
        }
    }
}

int search_qsearch(Search *search, int ply, int alpha, int beta, bool checks) {
    SearchPly *here = &search->stack[ply];
    here->pv_count = 0;
    int score;
    if (search_node_ends(search, ply, &score)) return score;
    const bool in_check = here->exposure.in_check;
    TtData entry;
    const bool hit = search_probe(search, ply, &entry);
    if (hit && beta - alpha == 1 && search_entry_cuts(search, &entry, ply, alpha, beta)) {
        return entry.score;
    }
    Tries tries = {ply, alpha, beta, -SCORE_INFINITE, MOVE_NONE};
    search_no_eval(search, ply);
    if (!in_check) {
        const int best = tries.best = stand_pat(search, ply, &entry, hit);
        if (best >= beta) return abs(best) < SCORE_EVAL_MAX ? (best + beta) / 2 : best;
        if (best > alpha) tries.alpha = best;
    }
    const int futility_base = tries.best + search->params.delta_margin;
    MovePicker picker;
    picker_init(&picker, search, ply, hit ? entry.move : MOVE_NONE, !in_check);
    here[1].killers[0] = here[1].killers[1] = MOVE_NONE;
    Move move;
    while ((move = picker_next(&picker)) != MOVE_NONE) {
        if (!in_check && prune_capture(&here->position, &picker, move, futility_base, tries.alpha,
                                       &tries.best)) {
            continue;
        }
        if (search_move_allowed(search, ply, move) && try_move(search, &tries, move)) break;
    }
    if (checks && !in_check && !search->stopped && tries.best < beta) try_checks(search, &tries);
    if (search->stopped) return 0;
    int best = tries.best;
    // If no score was found, the side to move is in check and has no legal move.
    if (best == -SCORE_INFINITE) return -(SCORE_MATE - ply);
    if (best >= beta && abs(best) < SCORE_EVAL_MAX && abs(beta) < SCORE_EVAL_MAX) {
        best = (best + beta) / 2;
    }
    search_store(search, ply, tries.best_move, best, 0,
                 best >= beta          ? BOUND_LOWER
                 : tries.alpha > alpha ? BOUND_EXACT
                                       : BOUND_UPPER,
                 hit && entry.pv);
    return best;
}
