// SPDX-License-Identifier: GPL-3.0-or-later
// Functions that every node of the search needs: limits, making moves, game ends by the rules,
// transposition table, evaluation.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/search/search_internal.h"
#include "core/system/clock.h"

// ---- limits ---------------------------------------------------------------------------------

bool search_time_is_up(const Search *search, int64_t ms) {
    int64_t start_ns = search->start_ns;
    if (search->limits.clock_start_ns) {
        start_ns = atomic_load_explicit(search->limits.clock_start_ns, memory_order_relaxed);
        if (start_ns == 0) return false;
    }
    return clock_now_ns() - start_ns >= ms * 1000000;
}

// Abandons the search one second after it has seen the flag SearchLimits.ending.
static void check_ending(Search *search) {
    enum { GRACE_MS = 1000 };
    const int64_t now_ns = clock_now_ns();
    if (search->abandon_ns == 0) search->abandon_ns = now_ns + GRACE_MS * MS_NS;
    if (now_ns >= search->abandon_ns) search->stopped = search->abandoned = true;
}

// Returns true and marks the search as stopped if a limit was reached, the stop flag is set, or
// another thread finished this or a deeper iteration. Time and stop flag are read every 1,024
// nodes.
static bool search_out_of_limits(Search *search) {
    if (search->limits.nodes && search->nodes >= search->limits.nodes) search->stopped = true;
    if (search->team && team_depth(search->team) >= search->root_depth) search->stopped = true;
    if (search->nodes % 1024 != 0) return search->stopped;
    atomic_store_explicit(&search->seen_nodes, search->nodes, memory_order_relaxed);
    if (search->stop_flag && atomic_load_explicit(search->stop_flag, memory_order_relaxed)) {
        search->stopped = true;
    }
    if (search->limits.hard_ms && search_time_is_up(search, search->limits.hard_ms)) {
        search->stopped = true;
    }
    if (search->limits.ending &&
        atomic_load_explicit(search->limits.ending, memory_order_relaxed)) {
        check_ending(search);
    }
    return search->stopped;
}

// ---- a move ---------------------------------------------------------------------------------

// Prefetches the transposition table bucket and the slot of the evaluation cache of a key.
static void prefetch(const Search *search, uint64_t key) {
    tt_prefetch(search->tt, key);
    PREFETCH(&search->evals[key % EVAL_SLOTS]);
}

void search_prefetch(const Search *search, int ply, Move move) {
    prefetch(search, position_key_after(&search->stack[ply].position, move));
}

void search_enter(Search *search, int ply, Move move) {
    SearchPly *here = &search->stack[ply], *next = here + 1;
    search->nodes++;
    here->move = move;
    const Piece piece = move == MOVE_NONE ? PIECE_NONE : here->position.board[move_from(move)];
    if (move != MOVE_NONE) search_prefetch(search, ply, move);
    if (UNLIKELY(search->limits.odds != NULL)) next->odds = here->odds;
    if (move == MOVE_NONE) {
        position_do_null(&here->position, &next->position);
        prefetch(search, next->position.key);
    } else if (UNLIKELY(search->limits.odds != NULL)) {
        odds_apply(&next->odds, &here->position, move, &next->position);
    } else {
        position_do_move(&here->position, move, &next->position);
    }
    next->continuations[0] = &search->history.continuation[piece][move_to(move)];
    for (int i = 1; i < CONTINUATION_PLIES; i++)
        next->continuations[i] = here->continuations[i - 1];
    position_exposure(&next->position, &next->exposure);
    rules_line_keep(&search->line, (size_t)ply);
    if (move == MOVE_NONE || search_same_side(search, ply)) {
        rules_line_push_null(&search->line, &next->position);
    } else {
        rules_line_push(&search->line, move, &next->position);
    }
    next->line_end = rules_line_end(&search->line);
}

// ---- leaf nodes -----------------------------------------------------------------------------

// When a position occurs for the second time in the tree, it may be that one side would lose by the
// repetition rules if the loop of moves were repeated. For that side, the score is then min(static
// evaluation, 0) - LOOP_PENALTY units, so that it prefers to leave the loop (experiment E-084). The
// static evaluation in this score is at least -SCORE_LOOP_MAX, so that the score does not look like
// a loss by the rules.
enum { LOOP_PENALTY = 500, SCORE_LOOP_MAX = 14000 };

// Returns the static evaluation of a leaf for the side to move. In check it uses the evaluation of
// the previous position, or 0 if there is none.
static int leaf_eval(Search *search, int ply) {
    SearchPly *here = &search->stack[ply];
    if (!here->exposure.in_check) return search_eval(search, ply, NULL);
    const bool known = ply > 0 && here[-1].eval != EVAL_NONE;
    return !known ? 0 : search_same_side(search, ply - 1) ? here[-1].eval : -here[-1].eval;
}

// Returns true if a rule of the game ends the line at this node, and sets *score to the value for
// the side to move. Mate and stalemate are detected here only if another rule might end the game
// too; otherwise later, when no legal move is found.
static bool ended_by_rules(Search *search, int ply, int *score) {
    switch (search->stack[ply].line_end) {
    case LINE_OPEN:
        return false;
    case LINE_DRAWN:
        *score = 0;
        return true;
    case LINE_LOST:
        // The side to move has no legal move, or loses by the repetition rules.
        *score =
            -((position_no_legal_move(&search->stack[ply].position) ? SCORE_MATE : SCORE_RULE_WIN) -
              ply);
        return true;
    case LINE_WON:
        *score = SCORE_RULE_WIN - ply;
        return true;
    case LINE_OUR_LOOP:
        *score = clamp(leaf_eval(search, ply), -SCORE_LOOP_MAX, 0) - LOOP_PENALTY;
        return true;
    case LINE_THEIR_LOOP:
        *score = clamp(leaf_eval(search, ply), 0, SCORE_LOOP_MAX) + LOOP_PENALTY;
        return true;
    }
    return false;
}

bool search_node_ends(Search *search, int ply, int *score) {
    *score = 0;
    if (search_out_of_limits(search)) return true;
    if (ply > search->seldepth) search->seldepth = ply;
    assert(rules_line_holds(&search->line, (size_t)ply, &search->stack[ply].position));
    if (ply > 0 && ended_by_rules(search, ply, score)) return true;
    if (ply < MAX_PLY - 1) return false;
    *score = leaf_eval(search, ply);
    return true;
}

// ---- transposition table ----------------------------------------------------------------------

// Converts a score of a won or lost game, which contains the number of plies to the end of the
// game: the number then counts from a position `plies` plies later. Other scores do not change.
static int score_from(int score, int plies) {
    if (score >= SCORE_EVAL_MAX) return score + plies;
    if (score <= -SCORE_EVAL_MAX) return score - plies;
    return score;
}

bool search_probe(const Search *search, int ply, TtData *entry) {
    if (!tt_probe(search->tt, search_key(search, ply), entry)) return false;
    entry->score = (int16_t)score_from(entry->score, -ply);
    return true;
}

void search_store(Search *search, int ply, Move move, int score, int depth, Bound bound, bool pv) {
    const SearchPly *here = &search->stack[ply];
    // A win or loss by the repetition rules depends on the moves that led to the position.
    // Its score is stored with BOUND_NONE, so that other nodes do not use it. Scores of draws keep
    // their bound.
    if (abs(score) >= SCORE_EVAL_MAX && abs(score) < SCORE_MATE_BOUND) bound = BOUND_NONE;
    tt_store(search->tt, search_key(search, ply),
             (TtData){.move = move,
                      .score = (int16_t)score_from(score, ply),
                      .eval = here->raw_eval,
                      .depth = (uint8_t)(depth > 0 ? depth : 0),
                      .bound = bound,
                      .pv = pv});
}

// Returns true if stored scores can be used. They cannot if the limit of plies without a capture is
// at most 20 plies away, because they may come from lines that were further from the limit.
static bool tt_trusted(const Search *search, const Position *position) {
    return position->halfmove + 20 < search->rules.no_capture_plies;
}

bool search_entry_bounds(const Search *search, const TtData *entry, int ply, int score) {
    const Bound wanted = entry->score > score ? BOUND_LOWER : BOUND_UPPER;
    return (entry->bound & wanted) && tt_trusted(search, &search->stack[ply].position);
}

bool search_entry_cuts(const Search *search, const TtData *entry, int ply, int alpha, int beta) {
    const bool cuts = entry->bound == BOUND_EXACT ||
                      (entry->bound == BOUND_LOWER && entry->score >= beta) ||
                      (entry->bound == BOUND_UPPER && entry->score <= alpha);
    return cuts && tt_trusted(search, &search->stack[ply].position);
}

// ---- the evaluation ---------------------------------------------------------------------------

static int bounded(int eval) {
    return clamp(eval, -SCORE_EVAL_MAX + 1, SCORE_EVAL_MAX - 1);
}

static int raw_eval(Search *search, const Position *position) {
    uint64_t *slot = &search->evals[position->key % EVAL_SLOTS];
    if ((*slot ^ position->key) >> EVAL_SLOT_BITS == 0) return (int16_t)*slot;
    const int score = bounded(evaluator_score(&search->evaluator, position));
    if (search->evaluated) search->evaluated(search->evaluated_context, position);
    *slot = (position->key & ~(uint64_t)(EVAL_SLOTS - 1)) | (uint16_t)score;
    return score;
}

int search_eval(Search *search, int ply, const TtData *entry) {
    SearchPly *here = &search->stack[ply];
    const bool known = entry && entry->eval != EVAL_NONE;
    const int raw = known ? entry->eval : raw_eval(search, &here->position);
    const int correction =
        history_correction(&search->history, here->continuations, &here->position);
    here->raw_eval = (int16_t)raw;
    here->eval = (int16_t)bounded(raw + correction / search->params.correction_history_divisor);
    return here->eval;
}

void search_no_eval(Search *search, int ply) {
    search->stack[ply].raw_eval = search->stack[ply].eval = EVAL_NONE;
}

// ---- the principal variation --------------------------------------------------------------------

void search_update_pv(SearchPly *here, Move move) {
    const SearchPly *next = here + 1;
    here->pv[0] = move;
    memcpy(here->pv + 1, next->pv, (size_t)next->pv_count * sizeof *here->pv);
    here->pv_count = next->pv_count + 1;
}
