// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/variants/variant_search.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/base/memory.h"
#include "core/base/random.h"
#include "core/search/tt.h"

enum { MAX_PLY = 100, QUIET_PLY = 90, INFINITE = 32000, CHECK_PLIES = 6, LATE_TURN = 4 };

struct VariantSearch {
    const Variant *game;
    const VariantWeights *weights;
    Tt *tt;
    const VariantDraws *draws;
    const VariantLimits *limits;
    double end_s;
    uint64_t nodes;
    bool may_stop, stopped; // may_stop: the first iteration is complete
    VariantState states[MAX_PLY + 1];
    VariantTurns lists[MAX_PLY + 1];
    uint64_t *keys; // keys of the positions of the game, then of the searched line
    size_t key_count, key_capacity;
    int32_t history[1 << 14]; // how often a quiet turn caused a beta cutoff, weighted by depth
    Move killers[MAX_PLY + 1];
    Move best; // best turn of the root
};

VariantSearch *variant_search_new(const Variant *game, const VariantWeights *weights,
                                  double hash_mb) {
    VariantSearch *search = memory_alloc(1, sizeof *search);
    search->game = game;
    search->weights = weights;
    search->tt = tt_new(hash_mb);
    return search;
}

void variant_search_free(VariantSearch *search) {
    if (!search) return;
    tt_free(search->tt);
    free(search->keys);
    free(search);
}

const char *variant_draw_reason(const VariantDraws *draws, const uint64_t *keys, size_t count,
                                int quiet, int most) {
    const size_t oldest = count > (size_t)quiet + 1 ? count - (size_t)quiet - 1 : 0;
    int found = 0;
    for (size_t i = count; i > oldest; i--) found += keys[i - 1] == keys[count - 1];
    return found >= most                                          ? "repetition"
           : draws->no_capture && quiet >= draws->no_capture      ? "no_capture"
           : draws->max_plies && count > (size_t)draws->max_plies ? "max_plies"
                                                                  : NULL;
}

static bool must_stop(VariantSearch *search) {
    const VariantLimits *limits = search->limits;
    if (limits->stop && atomic_load_explicit(limits->stop, memory_order_relaxed)) return true;
    if (!search->may_stop) return false;
    if (limits->nodes && search->nodes >= limits->nodes) return true;
    return search->end_s > 0 && search->nodes % 256 == 0 && clock_now_s() >= search->end_s;
}

// Returns true if the line is drawn here. A position that occurred before in the line or the game
// counts as a draw.
static bool is_draw(const VariantSearch *search, int ply) {
    return variant_draw_reason(search->draws, search->keys, search->key_count,
                               search->states[ply].quiet, 2) != NULL;
}

static int negamax(VariantSearch *search, int ply, int depth, int alpha, int beta);

// Plays a turn and searches the position after it. Returns the score for the team that played.
static int search_child(VariantSearch *search, int ply, int depth, Move move, Piece piece,
                        int alpha, int beta) {
    const Variant *game = search->game;
    VariantState *next = &search->states[ply + 1];
    *next = search->states[ply];
    game->play(next, move, piece);
    search->keys[search->key_count++] = next->key;
    const int score = next->again ? negamax(search, ply + 1, depth, alpha, beta)
                                  : -negamax(search, ply + 1, depth, -beta, -alpha);
    search->key_count--;
    return score;
}

static int divide_down(int a, int b) {
    return a / b - (a % b < 0);
}
// Returns the mean score over the pieces that a turn may uncover. Star1 pruning: the window of each
// piece is so wide that a score outside it keeps the mean outside alpha..beta for any scores of the
// remaining pieces. A win counts as VARIANT_EVAL_LIMIT here, or a small chance of it would outweigh
// all other outcomes.
static int search_chance(VariantSearch *search, int ply, int depth, Move move,
                         const VariantChance *chance, int alpha, int beta) {
    const int most = VARIANT_EVAL_LIMIT, all = chance->all;
    int sum = 0, left = all;
    for (int piece = 0; piece < PIECE_COUNT; piece++) {
        const int weight = chance->counts[piece];
        if (!weight) continue;
        left -= weight;
        int low = divide_down(alpha * all - sum - left * most, weight);
        int high = divide_down(beta * all - sum + left * most, weight) + 1;
        if (low > most) return alpha;
        if (high < -most) return beta;
        if (low < -most - 1) low = -most - 1;
        if (high > most + 1) high = most + 1;
        int score = search_child(search, ply, depth, move, (Piece)piece, low, high);
        if (search->stopped) return 0;
        score = score < -most ? -most : score > most ? most : score;
        sum += score * weight;
        if (score <= low) return divide_down(sum + left * most, all);
        if (score >= high) return divide_down(sum - left * most, all);
    }
    return divide_down(sum, all);
}

static int search_turn(VariantSearch *search, int ply, int depth, Move move, int alpha, int beta) {
    VariantChance chance;
    variant_chance(search->game, &search->states[ply], move, &chance);
    return chance.all ? search_chance(search, ply, depth, move, &chance, alpha, beta)
                      : search_child(search, ply, depth, move, PIECE_NONE, alpha, beta);
}

// ---- order --------------------------------------------------------------------------------------

static int turn_value(const VariantSearch *search, int ply, Move first, int i) {
    const Move move = search->lists[ply].turns[i].move;
    if (move == first) return INT32_MAX;
    if (search->lists[ply].turns[i].order > 0) return (1 << 29) + search->lists[ply].turns[i].order;
    if (move == search->killers[ply]) return 1 << 28;
    return search->history[move & ((1 << 14) - 1)];
}

// Moves the best of the turns from i on to place i.
static void pick_turn(VariantSearch *search, int ply, Move first, int i) {
    VariantTurns *list = &search->lists[ply];
    int best = i, value = turn_value(search, ply, first, i);
    for (int k = i + 1; k < list->count; k++) {
        const int other = turn_value(search, ply, first, k);
        if (other <= value) continue;
        best = k;
        value = other;
    }
    const VariantTurn turn = list->turns[best];
    memmove(&list->turns[i + 1], &list->turns[i], (size_t)(best - i) * sizeof turn);
    list->turns[i] = turn;
}

static void reward(VariantSearch *search, int ply, Move move, int depth) {
    search->killers[ply] = move;
    int32_t *entry = &search->history[move & ((1 << 14) - 1)];
    *entry += depth * depth - *entry * depth / 4096;
}

// ---- nodes --------------------------------------------------------------------------------------

// Searches turn number i of a node. All turns after the first are searched with a null window, and
// late quiet turns with reduced depth. A turn that fails high is searched again.
static int search_numbered(VariantSearch *search, int ply, int depth, int i, bool quiet, int alpha,
                           int beta) {
    const Move move = search->lists[ply].turns[i].move;
    if (i == 0) return search_turn(search, ply, depth, move, alpha, beta);
    const int reduced = quiet && i >= LATE_TURN && depth >= 2 ? depth - 1 - (i >= 16) : depth;
    int score = search_turn(search, ply, reduced < 0 ? 0 : reduced, move, alpha, alpha + 1);
    if (score > alpha && reduced < depth && !search->stopped) {
        score = search_turn(search, ply, depth, move, alpha, alpha + 1);
    }
    if (score > alpha && score < beta && !search->stopped) {
        score = search_turn(search, ply, depth, move, alpha, beta);
    }
    return score;
}

// Adds `plies` to the score of a win, and subtracts it from that of a loss. Scores of wins count
// from the node in the transposition table, and from the root elsewhere.
static int shift_win(int score, int plies) {
    return score > VARIANT_WIN_LEAST    ? score + plies
           : score < -VARIANT_WIN_LEAST ? score - plies
                                        : score;
}

// Returns true if the transposition table gives the score of the node. *first receives the best
// turn of the entry, if there is one.
static bool probe(const VariantSearch *search, int ply, int depth, int alpha, int beta, int *score,
                  Move *first) {
    TtData data;
    if (!tt_probe(search->tt, search->keys[search->key_count - 1], &data)) return false;
    *first = data.move;
    *score = shift_win(data.score, -ply);
    if (ply == 0 || data.depth < depth) return false;
    return data.bound == BOUND_EXACT || (data.bound == BOUND_LOWER && *score >= beta) ||
           (data.bound == BOUND_UPPER && *score <= alpha);
}

// Lists the turns of a node. At the root their order is random, so that among turns with equal
// scores not always the same one is played.
static bool list_turns(VariantSearch *search, int ply, bool noisy) {
    VariantTurns *list = &search->lists[ply];
    Random random;
    const bool forced = search->game->list(&search->states[ply], noisy, list);
    random_init(&random, search->limits->seed, search->key_count);
    for (int i = list->count - 1; i > 0 && ply == 0; i--) {
        const uint64_t k = random_below(&random, (uint64_t)i + 1);
        const VariantTurn turn = list->turns[i];
        list->turns[i] = list->turns[k];
        list->turns[k] = turn;
    }
    return forced;
}

// Searches a node. At depth 0 and below this is the quiescence search: captures only, or all turns
// if the team to move is in check (for the first CHECK_PLIES plies).
static int negamax(VariantSearch *search, int ply, int depth, int alpha, int beta) {
    const VariantTurns *list = &search->lists[ply];
    const bool noisy = depth <= 0 || ply >= QUIET_PLY;
    const int begin = alpha;
    int best = noisy ? -VARIANT_WIN + ply : -INFINITE, score;
    Move first = 0, best_move = 0;
    search->nodes++;
    if (must_stop(search)) search->stopped = true;
    if (search->stopped || (ply > 0 && is_draw(search, ply))) return 0;
    if (!noisy && probe(search, ply, depth, alpha, beta, &score, &first)) return score;
    const bool forced = list_turns(search, ply, noisy);
    if (list->count == 0 && (forced || !noisy)) return -VARIANT_WIN + ply;
    if (list->count == 1 && ply > 0 && !noisy) depth++; // extends the only legal turn
    if (noisy && (!forced || depth < -CHECK_PLIES || ply >= QUIET_PLY)) {
        best = variant_evaluate(search->game, search->weights->value, &search->states[ply]);
        if (best >= beta || ply >= QUIET_PLY || forced) return best;
        if (best > alpha) alpha = best;
    }
    for (int i = 0; i < list->count && best < beta; i++) {
        pick_turn(search, ply, first, i);
        const Move move = list->turns[i].move;
        const bool quiet = list->turns[i].order == 0;
        score = noisy ? search_child(search, ply, depth - 1, move, PIECE_NONE, alpha, beta)
                      : search_numbered(search, ply, depth - 1, i, quiet, alpha, beta);
        if (search->stopped) return 0;
        if (score > best) best_move = move;
        if (score > best && ply == 0) search->best = move;
        if (score > best) best = score;
        if (score > alpha) alpha = score;
        if (score >= beta && quiet && !noisy) reward(search, ply, move, depth);
    }
    if (noisy) return best;
    tt_store(search->tt, search->keys[search->key_count - 1],
             (TtData){.move = best_move,
                      .score = (int16_t)shift_win(best, ply),
                      .depth = (uint8_t)depth,
                      .bound = best >= beta   ? BOUND_LOWER
                               : best > begin ? BOUND_EXACT
                                              : BOUND_UPPER});
    return best;
}

// ---- the root -----------------------------------------------------------------------------------

void variant_search(VariantSearch *search, const VariantState *state, const uint64_t *keys,
                    size_t count, const VariantDraws *draws, const VariantLimits *limits,
                    VariantReply *reply) {
    *reply = (VariantReply){.move = 0};
    search->draws = draws;
    search->limits = limits;
    search->end_s = limits->movetime_s > 0 ? clock_now_s() + limits->movetime_s : 0;
    search->nodes = 0;
    search->may_stop = search->stopped = false;
    search->keys =
        memory_room(search->keys, &search->key_capacity, count + MAX_PLY + 1, sizeof *search->keys);
    memcpy(search->keys, keys, count * sizeof *keys);
    search->key_count = count;
    search->states[0] = *state;
    memset(search->killers, 0, sizeof search->killers);
    tt_new_search(search->tt);
    list_turns(search, 0, false);
    const VariantTurns *list = &search->lists[0];
    reply->score = list->count ? 0 : -VARIANT_WIN;
    if (list->count == 0) return;
    reply->move = list->turns[0].move;
    const int most = limits->depth ? limits->depth : MAX_PLY / 2;
    for (int depth = 1; depth <= most && !search->stopped; depth++) {
        search->best = 0;
        const int score = negamax(search, 0, depth, -INFINITE, INFINITE);
        // The best turn of the last iteration is searched first, so an interrupted iteration can
        // only replace it by a better one.
        if (search->best) reply->move = search->best;
        if (search->stopped) break;
        reply->score = score;
        reply->depth = depth;
        search->may_stop = true;
        if (score > VARIANT_WIN_LEAST || score < -VARIANT_WIN_LEAST) break;
        if (list->count == 1 && !limits->depth) break; // nothing to decide
    }
    reply->nodes = search->nodes;
}
