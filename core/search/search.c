// SPDX-License-Identifier: GPL-3.0-or-later
// The interface of the search: memory, settings, start and result of a search.
#include "core/search/search.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/search/search_internal.h"
#include "core/system/clock.h"

// Returns 16 * log2(value) for value >= 1, interpolated linearly between powers of two and rounded
// down. Integers make the reductions the same with every compiler and processor.
static int log2_sixteenths(int value) {
    int log = 0;
    while (value >> (log + 1)) log++;
    return 16 * log + (16 * value >> log) - 16;
}

Search *search_new(const Weights *weights, double hash_mb, Tt *shared) {
    Search *search = memory_huge(sizeof *search);
    memset(search, 0, sizeof *search);
    evaluator_init(&search->evaluator, weights);
    search->rules = rules_default(RULES_AXF);
    search->tt = shared ? shared : tt_new(hash_mb);
    search->owns_tt = !shared;
    const SearchParams params = search_params_default();
    search_set_params(search, &params);
    return search;
}

void search_free(Search *search) {
    if (!search) return;
    if (search->owns_tt) tt_free(search->tt);
    free(search);
}

void search_clear(Search *search) {
    memset(&search->history, 0, sizeof search->history);
    if (search->owns_tt) tt_clear(search->tt);
}

void search_set_weights(Search *search, const Weights *weights) {
    evaluator_init(&search->evaluator, weights);
    memset(search->evals, 0, sizeof search->evals);
    if (search->owns_tt) tt_clear(search->tt);
}

void search_set_network(Search *search, const Network *network) {
    evaluator_set_network(&search->evaluator, network);
    memset(search->evals, 0, sizeof search->evals);
}

void search_set_params(Search *search, const SearchParams *params) {
    search->base_params = search->params = *params;
    for (int depth = 0; depth < LMR_SIZE; depth++) {
        for (int count = 0; count < LMR_SIZE; count++) {
            const int product = log2_sixteenths(depth + 1) * log2_sixteenths(count + 1);
            search->lmr[depth][count] = params->lmr_base + params->lmr_slope * product / 256;
        }
    }
}

void search_set_rules(Search *search, const Rules *rules) {
    search->rules = *rules;
}

void search_set_report(Search *search, SearchReport *report, void *context) {
    search->report = report;
    search->report_context = context;
}

void search_set_evaluated(Search *search, SearchEvaluated *evaluated, void *context) {
    search->evaluated = evaluated;
    search->evaluated_context = context;
}

void search_set_stop(Search *search, const atomic_bool *stop) {
    search->stop_flag = stop;
}

uint64_t search_nodes(const Search *search) {
    return atomic_load_explicit(&search->seen_nodes, memory_order_relaxed);
}

// ---- set-up of one search -------------------------------------------------------------------

static void load_game(Search *search, const Game *game) {
    search->stack[0].position = game->now;
    if (search->limits.odds) search->stack[0].odds = *search->limits.odds;
    rules_line_begin(&search->line, &search->rules, game);
    // The last moves of the game select the continuation histories of the root.
    for (size_t i = 0; i < CONTINUATION_PLIES; i++) {
        const GamePly *ply = i < game->count ? &game->plies[game->count - 1 - i] : NULL;
        const Piece piece = ply ? ply->before.board[move_from(ply->move)] : PIECE_NONE;
        search->stack[0].continuations[i] =
            &search->history.continuation[piece][ply ? move_to(ply->move) : 0];
    }
    position_exposure(&game->now, &search->stack[0].exposure);
    search->stack[0].move = MOVE_NONE;
    // Clear the fields that a node may read although no earlier node of this search has set them:
    // killers, and counts of beta cutoffs.
    for (int ply = 0; ply < MAX_PLY + 4; ply++) {
        SearchPly *here = &search->stack[ply];
        here->cutoff_count = 0;
        for (int i = 0; i < KILLER_COUNT; i++) here->killers[i] = MOVE_NONE;
    }
    search_no_eval(search, 0);
    if (!search->stack[0].exposure.in_check) search_eval(search, 0, NULL);
    search->stack[0].trend = search->stack[0].eval;
}

static void load_root_moves(Search *search) {
    MoveList legal;
    odds_legal_moves(search->limits.odds, &search->stack[0].position, &legal);
    search->root_count = 0;
    for (int i = 0; i < legal.count; i++) {
        if (search->limits.only && !move_list_has(search->limits.only, legal.moves[i])) continue;
        RootMove *root = &search->root_moves[search->root_count++];
        root->move = legal.moves[i];
        root->score = root->previous = -SCORE_INFINITE;
        root->nodes = 0;
        root->line = (SearchLine){.count = 1, .moves = {legal.moves[i]}};
    }
}

// ---- running ---------------------------------------------------------------------------------

void search_run(Search *search, const Game *game, const SearchLimits *limits,
                SearchResult *result) {
    search->start_ns = clock_now_ns();
    search->limits = *limits;
    search->params = search->base_params;
    search_params_of_nodes(&search->params, limits->nodes);
    search->nodes = 0;
    atomic_store_explicit(&search->seen_nodes, 0, memory_order_relaxed);
    search->stopped = search->abandoned = false;
    search->abandon_ns = 0;
    search->root_depth = search->seldepth = search->null_from = 0;
    memset(search->low_ply_history, 0, sizeof search->low_ply_history);
    if (search->owns_tt) tt_new_search(search->tt);
    load_game(search, game);
    load_root_moves(search);
    *result = (SearchResult){.best = MOVE_NONE};
    if (search->root_count > 0) {
        search_deepen(search);
        result->best = search->root_moves[0].move;
        result->line = search->root_moves[0].line;
    } else {
        // There is no root move. A side without a legal move loses, by checkmate or by
        // stalemate. If it has legal moves, but SearchLimits excludes all of them, the score is
        // also that of a loss.
        result->line.score = -SCORE_MATE;
    }
    result->nodes = search->nodes;
    result->abandoned = search->abandoned;
    atomic_store_explicit(&search->seen_nodes, search->nodes, memory_order_relaxed);
    result->time_ns = clock_now_ns() - search->start_ns;
}

int search_line_count(const Search *search) {
    int wanted = search->limits.multi_pv > 1 ? search->limits.multi_pv : 1;
    if (wanted > search->root_count) wanted = search->root_count;
    int count = 0;
    while (count < wanted && search->root_moves[count].line.depth > 0) count++;
    return count;
}

const SearchLine *search_line(const Search *search, int index) {
    return &search->root_moves[index].line;
}
