// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/variants/variant_search.h"

#include "core/base/memory.h"
#include "core/base/random.h"
#include "core/search/tt.h"
#include "core/system/clock.h"

enum {
    MAX_PLY = 90,     // depth limit of the tree: nodes at this ply are evaluated without a search
    INFINITE = 32000, // larger than every score
    CHECK_PLIES = 6,  // down to depth -CHECK_PLIES, the quiescence search tries all turns in check
    LATE_TURN = 4, // quiet turns with this index in the list or a higher one are searched with less
                   // depth
    HISTORY_SIZE = 1 << 14, // number of possible values of a Move, which has 14 bits
};

struct VariantSearch {
    const Variant *game;
    const VariantWeights *weights;
    Tt *tt;
    const VariantDraws *draws;
    const VariantLimits *limits;
    double end_s;
    uint64_t nodes;
    bool may_stop, stopped; // `may_stop`: true after the first iteration; only then do the limits
                            // of nodes and time apply
    VariantState states[MAX_PLY + 1];
    VariantTurns lists[MAX_PLY + 1];
    uint64_t *keys; // hash keys of the positions of the game, then of the searched line
    size_t key_count, key_capacity;
    int32_t history[HISTORY_SIZE]; // history score of each quiet turn, raised by its beta cutoffs
    Move killers[MAX_PLY + 1];
    Move best; // best turn at the root, 0 before the first one is known
};

VariantSearch *variant_search_new(const Variant *game, const VariantWeights *weights,
                                  double hash_mb) {
    VariantSearch *s = memory_alloc(1, sizeof *s);
    s->game = game;
    s->weights = weights;
    s->tt = tt_new(hash_mb);
    return s;
}

void variant_search_free(VariantSearch *s) {
    if (!s) return;
    tt_free(s->tt);
    free(s->keys);
    free(s);
}

const char *variant_draw_reason(const VariantDraws *draws, const uint64_t *keys, size_t count,
                                int quiet, int most) {
    const size_t oldest = count > (size_t)quiet + 1 ? count - (size_t)quiet - 1 : 0;
    int found = 0;
    for (size_t i = count; i > oldest; i--) found += keys[i - 1] == keys[count - 1];
    if (found >= most) return "repetition";
    if (draws->no_capture && quiet >= draws->no_capture) return "no_capture";
    return draws->max_plies && count > (size_t)draws->max_plies ? "max_plies" : NULL;
}

static bool must_stop(const VariantSearch *s) {
    const VariantLimits *limits = s->limits;
    if (limits->stop && atomic_load_explicit(limits->stop, memory_order_relaxed)) return true;
    if (!s->may_stop) return false;
    if (limits->nodes && s->nodes >= limits->nodes) return true;
    return s->end_s > 0 && s->nodes % 256 == 0 && clock_now_s() >= s->end_s;
}

// ---- turns --------------------------------------------------------------------------------------

static int negamax(VariantSearch *s, int ply, int depth, int alpha, int beta);

// Plays a turn and searches the position after it. Returns the score for the team that played.
static int search_child(VariantSearch *s, int ply, int depth, Move move, Piece piece, int alpha,
                        int beta) {
    VariantState *next = &s->states[ply + 1];
    *next = s->states[ply];
    s->game->play(next, move, piece);
    s->keys[s->key_count++] = next->key;
    const int score = next->again ? negamax(s, ply + 1, depth, alpha, beta)
                                  : -negamax(s, ply + 1, depth, -beta, -alpha);
    s->key_count--;
    return score;
}

static int divide_down(int a, int b) {
    return a / b - (a % b < 0);
}

// Searches a turn. If the turn uncovers a piece, returns the mean score over the pieces that may
// appear. Star1 pruning chooses a window for each of these pieces. If a score is outside its
// window, the mean is outside alpha..beta, whatever the scores of the remaining pieces are. When
// the mean is computed, a win counts only as VARIANT_EVAL_LIMIT; otherwise a small chance of a win
// would outweigh all other outcomes.
static int search_turn(VariantSearch *s, int ply, int depth, Move move, int alpha, int beta) {
    const int most = VARIANT_EVAL_LIMIT;
    VariantChance chance;
    variant_chance(s->game, &s->states[ply], move, &chance);
    if (!chance.all) return search_child(s, ply, depth, move, PIECE_NONE, alpha, beta);
    // `left` is the sum of chance.counts over the pieces that are not yet searched.
    int sum = 0, left = chance.all;
    for (Piece piece = 0; piece < PIECE_COUNT; piece++) {
        const int weight = chance.counts[piece];
        if (!weight) continue;
        left -= weight;
        int low = divide_down(alpha * chance.all - sum - left * most, weight);
        int high = divide_down(beta * chance.all - sum + left * most, weight) + 1;
        if (low > most) return alpha;
        if (high < -most) return beta;
        if (low < -most - 1) low = -most - 1;
        if (high > most + 1) high = most + 1;
        int score = search_child(s, ply, depth, move, piece, low, high);
        if (s->stopped) return 0;
        score = score < -most ? -most : score > most ? most : score;
        sum += score * weight;
        if (score <= low) return divide_down(sum + left * most, chance.all);
        if (score >= high) return divide_down(sum - left * most, chance.all);
    }
    return divide_down(sum, chance.all);
}

// Searches turn i of the list of a node. The turns after the first are searched with a null window,
// and late quiet turns with reduced depth. A turn that fails high is searched again with full depth
// and, if it fails high again, with the full window.
static int search_numbered(VariantSearch *s, int ply, int depth, int i, int alpha, int beta) {
    const VariantTurn turn = s->lists[ply].turns[i];
    if (i == 0) return search_turn(s, ply, depth, turn.move, alpha, beta);
    const bool late = turn.order == 0 && i >= LATE_TURN && depth >= 2;
    const int reduced = !late ? depth : i >= 16 ? depth - 2 : depth - 1;
    int score = search_turn(s, ply, reduced, turn.move, alpha, alpha + 1);
    if (score > alpha && reduced < depth && !s->stopped) {
        score = search_turn(s, ply, depth, turn.move, alpha, alpha + 1);
    }
    if (score > alpha && score < beta && !s->stopped) {
        score = search_turn(s, ply, depth, turn.move, alpha, beta);
    }
    return score;
}

// Shuffles the turns of the root, so that the choice among turns with equal scores is random. The
// order is the same in all iterations of a search.
static void shuffle_root(VariantSearch *s) {
    VariantTurns *list = &s->lists[0];
    Random random;
    random_init(&random, s->limits->seed, s->key_count);
    for (int i = list->count - 1; i > 0; i--) {
        const uint64_t k = random_below(&random, (uint64_t)i + 1);
        const VariantTurn turn = list->turns[i];
        list->turns[i] = list->turns[k];
        list->turns[k] = turn;
    }
}

static int turn_value(const VariantSearch *s, int ply, Move first, VariantTurn turn) {
    if (turn.move == first) return INT32_MAX;
    if (turn.order > 0) return (1 << 29) + turn.order;
    return turn.move == s->killers[ply] ? 1 << 28 : s->history[turn.move];
}

// Moves the turn with the highest turn_value() among the turns i, i + 1, ... of the list to place
// i. The turn `first` precedes all others.
static void pick_turn(VariantSearch *s, int ply, Move first, int i) {
    VariantTurn *turns = s->lists[ply].turns;
    int best = i, best_value = turn_value(s, ply, first, turns[i]);
    for (int k = i + 1; k < s->lists[ply].count; k++) {
        const int value = turn_value(s, ply, first, turns[k]);
        if (value > best_value) best = k;
        if (value > best_value) best_value = value;
    }
    const VariantTurn turn = turns[best];
    memmove(&turns[i + 1], &turns[i], (size_t)(best - i) * sizeof turn);
    turns[i] = turn;
}

// ---- nodes --------------------------------------------------------------------------------------

// Adds `plies` to the score of a win and subtracts it from the score of a loss. In the
// transposition table, scores of wins and losses count the plies from the stored node; elsewhere
// they count from the root.
static int shift_win(int score, int plies) {
    if (score > VARIANT_WIN_LEAST) return score + plies;
    return score < -VARIANT_WIN_LEAST ? score - plies : score;
}

// Returns true if the transposition table has a score that makes the search of this node
// unnecessary (never at the root). *first receives the best turn of the entry, if there is an
// entry.
static bool probe(const VariantSearch *s, int ply, int depth, int alpha, int beta, int *score,
                  Move *first) {
    TtData data;
    if (!tt_probe(s->tt, s->states[ply].key, &data)) return false;
    *first = data.move;
    *score = shift_win(data.score, -ply);
    if (ply == 0 || data.depth < depth) return false;
    return data.bound == BOUND_EXACT || (data.bound == BOUND_LOWER && *score >= beta) ||
           (data.bound == BOUND_UPPER && *score <= alpha);
}

// Searches a node. If `depth` is at most 0, this is the quiescence search, which tries only
// captures. If the player to move is in check, it tries all legal moves and drops, down to depth
// -CHECK_PLIES.
static int negamax(VariantSearch *s, int ply, int depth, int alpha, int beta) {
    const VariantState *state = &s->states[ply];
    VariantTurns *list = &s->lists[ply];
    const bool last = ply == MAX_PLY, noisy = depth <= 0 || last;
    const int begin = alpha;
    int best = noisy ? -VARIANT_WIN + ply : -INFINITE, score;
    Move first = 0, best_move = 0;
    s->nodes++;
    s->stopped |= must_stop(s);
    if (s->stopped) return 0;
    // The second occurrence of a position counts as a draw.
    if (ply > 0 && variant_draw_reason(s->draws, s->keys, s->key_count, state->quiet, 2)) return 0;
    if (!noisy && probe(s, ply, depth, alpha, beta, &score, &first)) return score;
    if (ply == 0 && s->best) first = s->best;
    const bool forced = s->game->list(state, noisy, list);
    if (ply == 0) shuffle_root(s);
    if (list->count == 0 && (forced || !noisy)) return -VARIANT_WIN + ply;
    if (list->count == 1 && ply > 0 && !noisy) depth++; // search the only legal turn one ply deeper
    if (noisy && (!forced || depth < -CHECK_PLIES || last)) {
        best = variant_evaluate(s->game, s->weights->value, state);
        if (best >= beta || last || forced) return best;
        if (best > alpha) alpha = best;
    }
    for (int i = 0; i < list->count && best < beta; i++) {
        pick_turn(s, ply, first, i);
        const Move move = list->turns[i].move;
        score = noisy ? search_child(s, ply, depth - 1, move, PIECE_NONE, alpha, beta)
                      : search_numbered(s, ply, depth - 1, i, alpha, beta);
        if (s->stopped) return 0;
        if (score > best) best_move = move;
        if (score > best && ply == 0) s->best = move;
        if (score > best) best = score;
        if (score > alpha) alpha = score;
        if (score < beta || noisy || list->turns[i].order) continue;
        s->killers[ply] = move;
        s->history[move] += depth * depth - s->history[move] * depth / 4096;
    }
    if (noisy) return best;
    const Bound bound = best >= beta ? BOUND_LOWER : best > begin ? BOUND_EXACT : BOUND_UPPER;
    tt_store(s->tt, state->key,
             (TtData){.move = best_move,
                      .score = (int16_t)shift_win(best, ply),
                      .depth = (uint8_t)depth,
                      .bound = bound});
    return best;
}

VariantReply variant_search(VariantSearch *s, const VariantState *state, const uint64_t *keys,
                            size_t count, const VariantDraws *draws, const VariantLimits *limits) {
    VariantTurns *list = &s->lists[0];
    VariantReply reply = {.score = -VARIANT_WIN};
    s->draws = draws;
    s->limits = limits;
    s->end_s = limits->movetime_ms ? clock_now_s() + limits->movetime_ms / 1000.0 : 0;
    s->nodes = 0;
    s->best = 0;
    s->may_stop = s->stopped = false;
    s->keys = memory_room(s->keys, &s->key_capacity, count + MAX_PLY + 1, sizeof *s->keys);
    memcpy(s->keys, keys, count * sizeof *keys);
    s->key_count = count;
    s->states[0] = *state;
    memset(s->killers, 0, sizeof s->killers);
    tt_new_search(s->tt);
    s->game->list(state, false, list);
    if (list->count == 0) return reply;
    reply.move = list->turns[0].move;
    const int most = limits->depth ? limits->depth : MAX_PLY / 2;
    for (int depth = 1; depth <= most; depth++) {
        const int score = negamax(s, 0, depth, -INFINITE, INFINITE);
        // The best turn of the last iteration is searched first, so an interrupted iteration can
        // only replace it by a better one.
        if (s->best) reply.move = s->best;
        if (s->stopped) break;
        reply.score = score;
        s->may_stop = true;
        if (score > VARIANT_WIN_LEAST || score < -VARIANT_WIN_LEAST) break;
        if (list->count == 1 && !limits->depth) break; // a single legal turn needs no deeper search
    }
    return reply;
}
