// SPDX-License-Identifier: GPL-3.0-or-later
// The search from outside: memory, iterative deepening, the root.
#include "core/search/search.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/base/memory.h"
#include "core/search/search_internal.h"
#include "core/search/see.h"

// 16 * log2(value) for value >= 1, linear between powers of two: whole numbers, so that every
// compiler and processor builds the same table.
static int log2_sixteenths(int value) {
    int log = 0;
    while (value >> (log + 1)) log++;
    return 16 * log + (16 * value >> log) - 16;
}

static void build_reductions(Search *search) {
    for (int depth = 0; depth < LMR_SIZE; depth++) {
        for (int count = 0; count < LMR_SIZE; count++) {
            const int product = log2_sixteenths(depth + 1) * log2_sixteenths(count + 1);
            search->lmr[depth][count] =
                search->params.lmr_base + search->params.lmr_slope * product / 256;
        }
    }
}

Search *search_new(const Weights *weights, double hash_mb, Tt *shared) {
    Search *search = memory_aligned(64, sizeof *search);
    memset(search, 0, sizeof *search);
    search->weights = *weights;
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
    search->weights = *weights;
    if (search->owns_tt) tt_clear(search->tt);
}

const Weights *search_weights(const Search *search) {
    return &search->weights;
}

void search_set_params(Search *search, const SearchParams *params) {
    search->params = *params;
    build_reductions(search);
}

void search_set_rules(Search *search, const Rules *rules) {
    search->rules = *rules;
}

void search_set_report(Search *search, SearchReport *report, void *context) {
    search->report = report;
    search->report_context = context;
}

void search_set_stop(Search *search, const atomic_bool *stop) {
    search->stop_flag = stop;
}

const Tt *search_tt(const Search *search) {
    return search->tt;
}

uint64_t search_nodes(const Search *search) {
    return atomic_load_explicit(&search->seen_nodes, memory_order_relaxed);
}

// ---- set-up of one search -------------------------------------------------------------------

// The moves of the game before the root.
static void load_back(Search *search, const Game *game) {
    for (size_t i = 0; i < BACK_COUNT; i++) {
        const GamePly *ply = i < game->count ? &game->plies[game->count - 1 - i] : NULL;
        const Piece piece = ply ? ply->before.board[move_from(ply->move)] : PIECE_NONE;
        search->stack[0].back[i] = &search->history.answer[piece][ply ? move_to(ply->move) : 0];
    }
}

static void load_game(Search *search, const Game *game) {
    search->stack[0].position = game->now;
    if (search->limits.odds) search->stack[0].odds = *search->limits.odds;
    rules_line_begin(&search->line, &search->rules, game);
    load_back(search, game);
    position_exposure(&game->now, &search->stack[0].exposure);
    search->stack[0].move = MOVE_NONE;
    search->stack[0].cuts = search->stack[1].cuts = 0;
    search_no_eval(search, 0);
    if (!search->stack[0].exposure.in_check) search_eval(search, 0, NULL);
    search->stack[0].trend = search->stack[0].eval;
    search->stack[0].killers[0] = search->stack[0].killers[1] = MOVE_NONE;
}

static bool list_has(const MoveList *list, Move move) {
    for (int i = 0; i < list->count; i++) {
        if (list->moves[i] == move) return true;
    }
    return false;
}

static void load_root_moves(Search *search) {
    MoveList legal;
    odds_legal_moves(search->limits.odds, &search->stack[0].position, &legal);
    search->root_count = 0;
    for (int i = 0; i < legal.count; i++) {
        if (search->limits.only && !list_has(search->limits.only, legal.moves[i])) continue;
        RootMove *root = &search->root_moves[search->root_count++];
        root->move = legal.moves[i];
        root->score = root->previous = -SCORE_INFINITE;
        root->nodes = 0;
        root->line = (SearchLine){.count = 1, .moves = {legal.moves[i]}};
    }
}

// ---- the root -------------------------------------------------------------------------------

// Best first; equal scores keep their order, so that the order never depends on anything else.
static void sort_root_moves(Search *search, int first) {
    for (int i = first + 1; i < search->root_count; i++) {
        const RootMove moving = search->root_moves[i];
        int at = i;
        while (at > first && (search->root_moves[at - 1].score < moving.score ||
                              (search->root_moves[at - 1].score == moving.score &&
                               search->root_moves[at - 1].previous < moving.previous))) {
            search->root_moves[at] = search->root_moves[at - 1];
            at--;
        }
        search->root_moves[at] = moving;
    }
}

// What fell below the window keeps its last line: a bound is no score, and has no line.
static void record_line(Search *search, RootMove *root, int score, int alpha, int depth) {
    const SearchPly *next = &search->stack[1];
    root->score = score;
    if (score <= alpha && root->line.depth > 0) return;
    root->line.score = score;
    root->line.depth = depth;
    root->line.seldepth = search->seldepth;
    root->line.moves[0] = root->move;
    root->line.count = 1;
    for (int i = 0; i < next->pv_count && root->line.count < MAX_PLY; i++) {
        root->line.moves[root->line.count++] = next->pv[i];
    }
}

// One iteration over the root moves from pv_index on, within (alpha, beta); returns the best score.
static int search_root(Search *search, int alpha, int beta, int depth) {
    int best = -SCORE_INFINITE;
    search->stack[1].killers[0] = search->stack[1].killers[1] = MOVE_NONE;
    for (int i = search->pv_index; i < search->root_count; i++) {
        search->root_moves[i].score = -SCORE_INFINITE;
    }
    for (int i = search->pv_index; i < search->root_count; i++) {
        RootMove *root = &search->root_moves[i];
        const uint64_t before = search->nodes;
        search_enter(search, 0, root->move);
        const int extension = search->stack[1].exposure.in_check ? 1 : 0;
        const int next_depth = depth - 1 + extension;
        int score = 0;
        const bool first = i == search->pv_index;
        if (!first) {
            const bool quiet = !position_is_capture(&search->stack[0].position, root->move);
            const int late = i - search->pv_index;
            int reduction = depth >= 3 && quiet && late >= 3
                                ? search->lmr[depth < LMR_SIZE ? depth : LMR_SIZE - 1]
                                             [late < LMR_SIZE ? late : LMR_SIZE - 1] /
                                      150
                                : 0;
            if (reduction > depth - 2) reduction = depth - 2 > 0 ? depth - 2 : 0;
            score = search_child(search, 0, alpha, alpha + 1, next_depth - reduction, true);
            if (score > alpha && reduction > 0 && !search->stopped) {
                score = search_child(search, 0, alpha, alpha + 1, next_depth, true);
            }
        }
        if (!search->stopped && (first || score > alpha)) {
            score = search_child(search, 0, alpha, beta, next_depth, false);
        }
        root->nodes += search->nodes - before;
        if (search->stopped) return best;
        if (first || score > alpha) record_line(search, root, score, alpha, depth);
        if (score > best) best = score;
        if (score > alpha) alpha = score;
        if (score >= beta) break;
    }
    return best;
}

// Searches one line with a window that widens until the score is inside.
static void search_window(Search *search, int depth) {
    const int last = search->root_moves[search->pv_index].previous;
    int delta = search->params.aspiration_window;
    int alpha = -SCORE_INFINITE, beta = SCORE_INFINITE;
    if (depth >= 4 && abs(last) < SCORE_EVAL_MAX) {
        alpha = last - delta;
        beta = last + delta;
    }
    for (;;) {
        const int score = search_root(search, alpha, beta, depth);
        sort_root_moves(search, search->pv_index);
        if (search->stopped) return;
        delta += delta;
        if (score <= alpha && alpha > -SCORE_INFINITE) {
            alpha = delta > 1000 ? -SCORE_INFINITE : alpha - delta;
        } else if (score >= beta && beta < SCORE_INFINITE) {
            beta = delta > 1000 ? SCORE_INFINITE : beta + delta;
        } else {
            return;
        }
    }
}

enum { EXHAUSTED_DEPTH = 4 };

// Has each of the lines a mate, and would a shorter one have been found by now? Reductions and cuts
// hide mates from an iteration that is just deep enough for them: of those of tests/data/mates.epd
// every one is found by twice their plies and a little.
static bool mates_are_final(const Search *search, int depth, int lines) {
    for (int i = 0; i < lines; i++) {
        const int mate = score_mate_plies(search->root_moves[i].previous);
        if (mate == 0 || depth <= 2 * abs(mate) + 6) return false;
    }
    return true;
}

// Is there more to find at this depth? `deepest` is the largest seldepth of the last iteration.
static bool iterate_on(const Search *search, int depth, int lines, int deepest) {
    const SearchLimits *limits = &search->limits;
    if (search->stopped) return false;
    // Every move ends the game by the rules: deeper there is nothing.
    if (depth > EXHAUSTED_DEPTH && deepest <= 1) return false;
    if (limits->soft_ms && search_time_is_up(search, limits->soft_ms)) return false;
    const int mate = score_mate_plies(search->root_moves[0].previous);
    if (limits->mate && mate != 0 && abs(mate) <= 2 * limits->mate) return false;
    return limits->mate || !mates_are_final(search, depth, lines);
}

// The root enters the table like any node, for those who ask the table about it.
static void store_root(Search *search, int depth) {
    const RootMove *best = &search->root_moves[0];
    if (search->limits.only) return;
    tt_store(search->tt, search_key(search, 0),
             (TtData){.move = best->move,
                      .score = (int16_t)best->score,
                      .eval = EVAL_NONE,
                      .depth = (uint8_t)depth,
                      .bound = BOUND_EXACT});
}

static void deepen(Search *search) {
    const int last = search->limits.depth > 0 && search->limits.depth < MAX_PLY - 8
                         ? search->limits.depth
                         : MAX_PLY - 8;
    int lines = search->limits.multi_pv > 1 ? search->limits.multi_pv : 1;
    if (lines > search->root_count) lines = search->root_count;
    const int first = search->limits.first_depth > 1 ? search->limits.first_depth : 1;
    int reached = 0; // the largest seldepth of an iteration's lines
    for (int depth = first; depth <= last; depth++) {
        if (depth > first && !iterate_on(search, depth, lines, reached)) break;
        search->root_depth = depth;
        reached = 0;
        for (int i = 0; i < search->root_count; i++) {
            search->root_moves[i].previous = search->root_moves[i].score;
        }
        for (search->pv_index = 0; search->pv_index < lines; search->pv_index++) {
            search->seldepth = 0;
            search_window(search, depth);
            if (search->stopped) break;
            if (search->seldepth > reached) reached = search->seldepth;
        }
        if (search->stopped) {
            // Unfinished lines go back to their last finished state, behind a better new first
            // move.
            for (int i = 0; i < search->root_count; i++) {
                RootMove *root = &search->root_moves[i];
                if (root->score == -SCORE_INFINITE) root->score = root->previous;
            }
            if (lines > 1) sort_root_moves(search, 0);
            break;
        }
        sort_root_moves(search, 0);
        for (int i = 0; i < search->root_count; i++) {
            search->root_moves[i].previous = search->root_moves[i].score;
        }
        store_root(search, depth);
        for (int i = 0; i < lines && search->report; i++) {
            search->report(search->report_context, search, &search->root_moves[i].line, i,
                           search->nodes, clock_now_ns() - search->start_ns);
        }
    }
}

// Stopped before a single move was searched: the move that looks best at once, mates first, then by
// the evaluation behind those that lose nothing by exchanges.
static void choose_unsearched(Search *search) {
    const Position *now = &search->stack[0].position;
    for (int i = 0; i < search->root_count; i++) {
        RootMove *root = &search->root_moves[i];
        Position after;
        position_do_move(now, root->move, &after);
        const int eval = evaluate(&after, &search->weights);
        const int bounded = eval > SCORE_EVAL_MAX    ? SCORE_EVAL_MAX
                            : eval < -SCORE_EVAL_MAX ? -SCORE_EVAL_MAX
                                                     : eval;
        root->score = position_no_legal_move(&after)     ? SCORE_MATE - 1
                      : see_at_least(now, root->move, 0) ? -bounded
                                                         : -bounded - SCORE_EVAL_MAX / 4;
    }
    sort_root_moves(search, 0);
    search->root_moves[0].line.score = search->root_moves[0].score;
}

void search_run(Search *search, const Game *game, const SearchLimits *limits,
                SearchResult *result) {
    search->start_ns = clock_now_ns();
    search->limits = *limits;
    search->nodes = 0;
    atomic_store_explicit(&search->seen_nodes, 0, memory_order_relaxed);
    search->stopped = false;
    search->root_depth = search->seldepth = search->null_from = 0;
    if (search->owns_tt) tt_new_search(search->tt);
    load_game(search, game);
    load_root_moves(search);
    *result = (SearchResult){.best = MOVE_NONE};
    if (search->root_count > 0) {
        deepen(search);
        if (search->root_moves[0].line.depth == 0) choose_unsearched(search);
        result->best = search->root_moves[0].move;
        result->line = search->root_moves[0].line;
    } else {
        result->line.score = -SCORE_MATE; // mated or stalemated: lost both ways
    }
    result->nodes = search->nodes;
    atomic_store_explicit(&search->seen_nodes, search->nodes, memory_order_relaxed);
    result->time_ns = clock_now_ns() - search->start_ns;
}

int search_quiescence(Search *search, const Position *position) {
    Game game;
    game_init(&game, position);
    search->limits = (SearchLimits){0};
    search->nodes = 0;
    search->stopped = false;
    search->null_from = 0;
    load_game(search, &game);
    return search_quiet(search, 0, -SCORE_INFINITE, SCORE_INFINITE);
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
