// SPDX-License-Identifier: GPL-3.0-or-later
// The root of the search: iterative deepening, aspiration windows, several best lines (MultiPV),
// and the decision when to stop.
#include <stdlib.h>

#include "core/search/search_internal.h"
#include "core/search/see.h"
#include "core/system/clock.h"

// ---- root moves -------------------------------------------------------------------------------

// Sorts the root moves from `first` on, best first. The sort is stable, so the order is
// reproducible.
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

// Stores the score and the principal variation of a root move. A move that failed low keeps its
// line of an earlier iteration, if it has one, because an upper bound has no line.
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

static int root_reduction(const Search *search, Move move, int depth, int late) {
    const bool quiet = !position_is_capture(&search->stack[0].position, move);
    if (depth < 3 || !quiet || late < 3) return 0;
    const int reduction = search_lmr(search, depth, late) / 150;
    return reduction < depth - 2 ? reduction : depth - 2;
}

// Returns the value of a root move. `late` is the number of root moves that were searched before it
// for the same MultiPV line.
static int search_root_move(Search *search, Move move, int alpha, int beta, int depth, int late) {
    search_enter(search, 0, move);
    const int next_depth = depth - 1 + (search->stack[1].exposure.in_check ? 1 : 0);
    if (late > 0) {
        const int reduction = root_reduction(search, move, depth, late);
        int score = search_child(search, 0, alpha, alpha + 1, next_depth - reduction, true);
        if (score > alpha && reduction > 0 && !search->stopped) {
            score = search_child(search, 0, alpha, alpha + 1, next_depth, true);
        }
        if (score <= alpha || search->stopped) return score;
    }
    return search_child(search, 0, alpha, beta, next_depth, false);
}

// Searches the root moves from index pv_index on with the window (alpha, beta). Returns the best
// score.
static int search_root(Search *search, int alpha, int beta, int depth) {
    const int first = search->pv_index;
    int best = -SCORE_INFINITE;
    search->stack[1].killers[0] = search->stack[1].killers[1] = MOVE_NONE;
    for (int i = first; i < search->root_count; i++) {
        search->root_moves[i].score = -SCORE_INFINITE;
    }
    for (int i = first; i < search->root_count; i++) {
        RootMove *root = &search->root_moves[i];
        const uint64_t before = search->nodes;
        const int score = search_root_move(search, root->move, alpha, beta, depth, i - first);
        root->nodes += search->nodes - before;
        if (search->stopped) return best;
        if (i == first || score > alpha)
            record_line(search, root, score, alpha, search->root_depth);
        if (score > best) best = score;
        if (score > alpha) alpha = score;
        if (score >= beta) break;
    }
    return best;
}

// Searches one principal variation with an aspiration window around its score of the previous
// iteration. The window is widened until the new score lies inside.
static void search_window(Search *search, int depth) {
    const int last = search->root_moves[search->pv_index].previous;
    int delta = search->params.aspiration_window;
    int alpha = -SCORE_INFINITE, beta = SCORE_INFINITE;
    if (depth >= 4 && abs(last) < SCORE_EVAL_MAX) {
        alpha = last - delta;
        beta = last + delta;
    }
    int less = 0; // number of plies by which the depth is reduced after a fail high
    for (;;) {
        const int score = search_root(search, alpha, beta, depth - less);
        sort_root_moves(search, search->pv_index);
        if (search->stopped) return;
        delta += delta;
        if (score <= alpha && alpha > -SCORE_INFINITE) {
            beta = (alpha + beta) / 2;
            alpha = delta > 1000              ? -SCORE_INFINITE
                    : score > -SCORE_EVAL_MAX ? score - delta
                                              : alpha - delta;
            less = 0;
        } else if (score >= beta && beta < SCORE_INFINITE) {
            beta = delta > 1000 ? SCORE_INFINITE : beta + delta;
            less = depth > 4 && score < SCORE_EVAL_MAX ? 1 : less;
        } else {
            return;
        }
    }
}

// The search ends after an iteration of at least this depth if no line was longer than one ply
// (seldepth <= 1): the best move mates at once, or every root move ends the game.
enum { EXHAUSTED_DEPTH = 4 };

// Returns the depth at which a mate in this many plies should be found, in spite of reductions and
// pruning. The formula was chosen because all mates of tests/data/mates.epd are found at about
// twice their number of plies.
static int depth_of_mate(int plies) {
    return 2 * plies + 6;
}

// A search with the limit `mate` that has not found the mate visits at least this number of nodes.
// With few pieces on the board, depth_of_mate() is reached after some thousand nodes, and the mate
// may still be pruned.
enum { MATE_MIN_NODES = 1000000 };

// Returns true if the score of every line is a mate score (won or lost), and the depth is so large
// that a shorter mate should have been found.
static bool mates_are_final(const Search *search, int depth, int lines) {
    for (int i = 0; i < lines; i++) {
        const int mate = score_mate_plies(search->root_moves[i].previous);
        if (mate == 0 || depth < depth_of_mate(abs(mate))) return false;
    }
    return true;
}

// ---- when to stop -----------------------------------------------------------------------------

// Records how stable the best move has been over the iterations.
typedef struct Stability {
    Move best;
    int unchanged; // number of plies by which the depth has grown since the best move changed
    int score;     // score of the best move in the last iteration
    int drop;      // score of the best move of the iteration before, minus `score`; positive if the
                   // score fell
} Stability;

static void update_stability(Stability *steady, const RootMove *best, int plies) {
    steady->unchanged = best->move == steady->best ? steady->unchanged + plies : 0;
    steady->drop = steady->best == MOVE_NONE ? 0 : steady->score - best->score;
    steady->best = best->move;
    steady->score = best->score;
}

// Returns the percentage of limits.soft_ms that this move may use: less if the same move has been
// best for several iterations and took most of the nodes, more if the score falls.
static int soft_percent(const Search *search, const Stability *steady) {
    static const int by_unchanged[] = {135, 115, 100, 92, 85};
    const int unchanged = clamp(steady->unchanged, 0, 4);
    const uint64_t share = search->root_moves[0].nodes * 100 / (search->nodes ? search->nodes : 1);
    const int percent = by_unchanged[unchanged] * (165 - (int)share) / 100;
    return clamp(percent + percent * clamp(steady->drop, -20, 80) / 150, 40, 200);
}

static bool soft_time_is_up(const Search *search, const Stability *steady) {
    const int64_t soft_ms = search->limits.soft_ms, hard_ms = search->limits.hard_ms;
    if (!soft_ms) return false;
    const int64_t ms = soft_ms * soft_percent(search, steady) / 100;
    return search_time_is_up(search, hard_ms && ms > hard_ms ? hard_ms : ms > 0 ? ms : 1);
}

// Returns true if another iteration shall start after the iteration of this `depth` (0: before the
// first iteration). `deepest` is the largest seldepth of that iteration.
static bool should_iterate(const Search *search, const Stability *steady, int depth, int lines,
                           int deepest) {
    const SearchLimits *limits = &search->limits;
    if (search->stopped) return false;
    if (depth == 0) return true;
    if (depth >= EXHAUSTED_DEPTH && deepest <= 1) return false;
    if (soft_time_is_up(search, steady)) return false;
    const int mate = score_mate_plies(search->root_moves[0].previous);
    if (limits->mate && mate != 0 && abs(mate) <= 2 * limits->mate) return false;
    if (limits->mate) {
        return depth < depth_of_mate(2 * limits->mate) || search->nodes < MATE_MIN_NODES;
    }
    return !mates_are_final(search, depth, lines);
}

// Stores the root in the transposition table, for the protocol command `probe`, which may read the
// root's entry. A search of selected root moves (SearchLimits.only) does not store it.
static void store_root(Search *search, int depth) {
    const RootMove *best = &search->root_moves[0];
    if (search->limits.only) return;
    tt_store(search->tt, search_key(search, 0),
             (TtData){.move = best->move,
                      .score = (int16_t)best->score,
                      .eval = EVAL_NONE,
                      .depth = (uint8_t)depth,
                      .pv = true,
                      .bound = BOUND_EXACT});
}

static void save_previous_scores(Search *search) {
    for (int i = 0; i < search->root_count; i++) {
        search->root_moves[i].previous = search->root_moves[i].score;
    }
}

// Searches all lines to this depth. Returns the largest seldepth of the finished lines.
static int search_lines(Search *search, int depth, int lines) {
    int reached = 0;
    search->root_depth = depth;
    save_previous_scores(search);
    for (search->pv_index = 0; search->pv_index < lines; search->pv_index++) {
        search->seldepth = 0;
        search_window(search, depth);
        if (search->stopped) break;
        if (search->seldepth > reached) reached = search->seldepth;
    }
    return reached;
}

// After an iteration was stopped: restores the score of the previous iteration for each root move
// that has no new score, because it was not searched or failed low.
static void settle_unfinished(Search *search, int lines) {
    for (int i = 0; i < search->root_count; i++) {
        RootMove *root = &search->root_moves[i];
        if (root->score == -SCORE_INFINITE) root->score = root->previous;
    }
    if (lines > 1) sort_root_moves(search, 0);
}

// Takes over the result of another thread if that thread finished this iteration or a deeper one.
// Returns false if no thread did, or if there is only one thread.
static bool catch_up(Search *search, int *depth, int *reached) {
    if (!search->team || team_depth(search->team) < *depth) return false;
    SearchLine line;
    team_line(search->team, &line);
    for (int i = 0; i < search->root_count; i++) {
        RootMove *root = &search->root_moves[i];
        root->score = -SCORE_INFINITE;
        if (root->move != line.moves[0]) continue;
        root->score = line.score;
        root->line = line;
    }
    *depth = line.depth;
    // The seldepth that the other thread reached in this iteration is unknown: assume the largest
    // possible value.
    *reached = MAX_PLY;
    search->stopped = search->limits.nodes && search->nodes >= search->limits.nodes;
    return true;
}

// Returns the depth of the iteration that follows the iteration of this `depth`; the first has
// depth 1. In searches of few nodes, steps of two plies are better (experiments E-051 and E-073):
// they save half of the iterations, and the scores of every second depth are more alike.
static int next_depth(const Search *search, int depth, int lines, int last) {
    const int step = search->params.deepening_step;
    const int ahead = search->ahead && lines == 1 ? step : 0;
    const int next = depth == 0 ? 1 : depth + step + ahead;
    return next < last ? next : last;
}

// Runs the iterations. Returns the depth of the last one that was finished, or 0.
static int deepen(Search *search) {
    const SearchLimits *limits = &search->limits;
    const int last = limits->depth > 0 && limits->depth < MAX_PLY - 8 ? limits->depth : MAX_PLY - 8;
    int lines = limits->multi_pv > 1 ? limits->multi_pv : 1;
    if (lines > search->root_count) lines = search->root_count;
    Stability steady = {.best = MOVE_NONE};
    int finished = 0, reached = 0;
    while (finished < last && should_iterate(search, &steady, finished, lines, reached)) {
        int depth = next_depth(search, finished, lines, last);
        reached = search_lines(search, depth, lines);
        if (search->stopped && !catch_up(search, &depth, &reached)) {
            settle_unfinished(search, lines);
            break;
        }
        sort_root_moves(search, 0);
        save_previous_scores(search);
        update_stability(&steady, &search->root_moves[0], depth - finished);
        finished = depth;
        store_root(search, depth);
        if (search->team && lines == 1) team_finish(search->team, &search->root_moves[0].line);
        for (int i = 0; i < lines && search->report; i++) {
            search->report(search->report_context, search, &search->root_moves[i].line, i,
                           search->nodes, clock_now_ns() - search->start_ns);
        }
    }
    return finished;
}

// Plays a root move. Returns true if the move wins at once because the other side has no legal
// move.
static bool root_move_mates(const Search *search, Move move, Position *after) {
    const Position *now = &search->stack[0].position;
    if (UNLIKELY(search->limits.odds != NULL)) {
        OddsState odds = *search->limits.odds;
        odds_apply(&odds, now, move, after);
        return after->stm != now->stm && odds_no_legal_move(&odds, after);
    }
    position_do_move(now, move, after);
    return position_no_legal_move(after);
}

// Orders the root moves of a search that was stopped before it finished its first root move: by the
// static evaluation after each move. Moves that lose material by exchanges get a large penalty.
static void choose_unsearched(Search *search) {
    const Position *now = &search->stack[0].position;
    for (int i = 0; i < search->root_count; i++) {
        RootMove *root = &search->root_moves[i];
        Position after;
        root_move_mates(search, root->move, &after);
        const int score =
            clamp(evaluator_score(&search->evaluator, &after), -SCORE_EVAL_MAX, SCORE_EVAL_MAX);
        root->score = after.stm == now->stm ? score : -score;
        if (!see_at_least(now, root->move, 0)) root->score -= SCORE_EVAL_MAX / 4;
    }
    sort_root_moves(search, 0);
    search->root_moves[0].line.score = search->root_moves[0].score;
}

// Returns true if the other side has at most four movable pieces besides its general, so that one
// move might stalemate it.
static bool stalemate_is_near(const Position *now) {
    enum { FEW = 4 };
    const Side them = side_other((Side)now->stm);
    const Bitboard theirs = now->by_side[them];
    int mobile = 0;
    for (Bitboard pieces = theirs & ~now->by_type[GENERAL]; pieces && mobile <= FEW;) {
        mobile += (position_reach(now, bb_pop(&pieces)) & ~theirs) != 0;
    }
    return mobile <= FEW;
}

// If a root move mates or stalemates, selects that move as the best one.
static void choose_mate_in_one(Search *search) {
    for (int i = 0; i < search->root_count; i++) {
        Position after;
        RootMove *root = &search->root_moves[i];
        if (!root_move_mates(search, root->move, &after)) continue;
        root->score = SCORE_MATE - 1;
        root->line = (SearchLine){
            .moves = {root->move}, .count = 1, .score = SCORE_MATE - 1, .depth = 1, .seldepth = 1};
        sort_root_moves(search, 0);
        return;
    }
}

void search_deepen(Search *search) {
    const int finished = deepen(search);
    if (search->root_moves[0].line.depth == 0) choose_unsearched(search);
    // Always play a mate in one: an iteration that was stopped may not have reached it, and forward
    // pruning may hide a stalemate, which also wins.
    if (search->root_moves[0].score != SCORE_MATE - 1 &&
        (finished < 2 || stalemate_is_near(&search->stack[0].position))) {
        choose_mate_in_one(search);
    }
}
