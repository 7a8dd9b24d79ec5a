// SPDX-License-Identifier: GPL-3.0-or-later
#include "tuner/train/fairy_check.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "datasets/store/store.h"
#include "selfplay/stats/stats.h"

// Sets *swapped to the position with the colours exchanged and the ranks reversed.
static void swap_colours(const Position *position, Position *swapped) {
    Piece board[SQUARE_COUNT];
    for (int square = 0; square < SQUARE_COUNT; square++) {
        const Piece piece = position->board[square];
        board[square_flip(square)] =
            piece == PIECE_NONE ? PIECE_NONE
                                : piece_make(side_other(piece_side(piece)), piece_type(piece));
    }
    // No error is possible here: the exchange keeps a position legal.
    position_from_board(swapped, board, side_other((Side)position->stm), 0, 1, NULL);
}

static void count_sums(const FairyTrace *trace, FairyCheck *check) {
    for (int view = 0; view < 2; view++) {
        for (int u = 0; u < FAIRY_UNITS; u++) {
            const int sum = trace->sum[view][u];
            if (sum < check->sum_min) check->sum_min = sum;
            if (sum > check->sum_max) check->sum_max = sum;
            check->saturated += sum >= FAIRY_ONE;
            check->on[u] = check->on[u] || sum > 0;
            check->off[u] = check->off[u] || sum < FAIRY_ONE;
        }
    }
    FairyStackCheck *stack = &check->stack[trace->stack];
    for (int u = 0; u < FAIRY_FIRST; u++) stack->on_first[u] |= trace->first[u] > 0;
    for (int u = 0; u < FAIRY_SECOND; u++) stack->on_second[u] |= trace->second[u] > 0;
}

// Returns true if a sum of the position does not fit in 16 bits, so that it wraps round.
static bool wraps(const Fairy *fairy, const FairyTrace *trace, const Position *position) {
    for (int view = 0; view < 2; view++) {
        const Side side = (Side)(position->stm ^ view);
        int32_t sum[FAIRY_UNITS];
        for (int u = 0; u < FAIRY_UNITS; u++) sum[u] = fairy->bias[u];
        Bitboard pieces = position_occupied(position);
        while (pieces) {
            const int square = bb_pop(&pieces);
            const int16_t *row =
                fairy->weight + FAIRY_UNITS * fairy_input(side, position->general[side],
                                                          position->board[square], square);
            for (int u = 0; u < FAIRY_UNITS; u++) sum[u] += row[u];
        }
        for (int u = 0; u < FAIRY_UNITS; u++) {
            if (sum[u] != trace->sum[view][u]) return true;
        }
    }
    return false;
}

// Slopes K of both sides, and for each stack and game the sums of weight * (loss of the network -
// loss of the linear scores) and of the weights, [FAIRY_STACKS * games].
typedef struct Losses {
    double k, linear_k, *sums, *counts;
    size_t games;
} Losses;

static void add_losses(const TrainRow *row, int score, int s, Losses *losses,
                       FairyStackCheck *stack) {
    const size_t cell = (size_t)s * losses->games + row->game;
    const double weight = (double)row->weight;
    const double loss = weight * train_row_loss(row, losses->k * score, NULL);
    const double linear =
        weight * train_row_loss(row, losses->linear_k * (double)row->linear, NULL);
    stack->positions++;
    stack->loss += loss;
    stack->linear += linear;
    stack->weight += weight;
    losses->sums[cell] += loss - linear;
    losses->counts[cell] += weight;
}

static void check_row(const Network *network, NetworkCache *cache, const TrainRow *row,
                      Losses *losses, FairyCheck *check) {
    PositionRecord record = {.stm = row->black};
    Position position, image;
    FairyTrace trace;
    memcpy(record.squares, row->squares, sizeof record.squares);
    // No error is possible here: the position was valid when it was read.
    position_record_board(&record, &position, NULL);
    fairy_trace(network->fairy, cache->fairy, &position, &trace);
    count_sums(&trace, check);
    check->wrapped += wraps(network->fairy, &trace, &position);
    const int score = network_score(network, cache, &position, NULL, NULL);
    position_mirror(&position, &image);
    const int mirror = abs(network_score(network, cache, &image, NULL, NULL) - score);
    swap_colours(&position, &image);
    const int swap = abs(network_score(network, cache, &image, NULL, NULL) - score);
    check->mirror_mean += mirror;
    if (mirror > check->mirror_max) check->mirror_max = mirror;
    if (swap > check->swap_max) check->swap_max = swap;
    check->positions++;
    add_losses(row, score, trace.stack, losses, &check->stack[trace.stack]);
}

static int count_limits(const int8_t *weights, int count) {
    int limits = 0;
    for (int i = 0; i < count; i++) limits += abs(weights[i]) >= INT8_MAX;
    return limits;
}

static void count_units(const Fairy *fairy, FairyCheck *check) {
    for (int u = 0; u < FAIRY_UNITS; u++) {
        check->dead += !check->on[u];
        check->full += !check->off[u];
    }
    for (int i = 0; i < FAIRY_INPUTS * FAIRY_UNITS; i++) {
        const int size = abs(fairy->weight[i]);
        check->limit_input += size == FAIRY_INPUT_MAX || size >= INT16_MAX;
    }
    for (int s = 0; s < FAIRY_STACKS; s++) {
        FairyStackCheck *stack = &check->stack[s];
        for (int u = 0; u < FAIRY_FIRST; u++) stack->dead_first += !stack->on_first[u];
        for (int u = 0; u < FAIRY_SECOND; u++) stack->dead_second += !stack->on_second[u];
        stack->limit_first = count_limits(fairy->stack[s].first[0], FAIRY_FIRST * 2 * FAIRY_UNITS);
        stack->limit_second = count_limits(fairy->stack[s].second[0], FAIRY_SECOND * FAIRY_SECOND) +
                              count_limits(fairy->stack[s].output, FAIRY_SECOND);
    }
}

void fairy_check(const Network *network, const TrainData *data, int threads, FairyCheck *check) {
    const size_t games = data->game_count;
    AUTO_FREE double *sums = memory_alloc(2 * FAIRY_STACKS * games, sizeof *sums);
    Losses losses = {.k = train_best_k(network, data, threads),
                     .linear_k = data->k,
                     .sums = sums,
                     .counts = sums + FAIRY_STACKS * games,
                     .games = games};
    AUTO_FREE NetworkCache *cache = memory_aligned(64, sizeof *cache);
    memset(cache, 0, sizeof *cache);
    *check = (FairyCheck){.sum_min = INT16_MAX, .sum_max = INT16_MIN};
    for (int part = 0; part < PART_COUNT; part++) {
        const TrainRows *rows = &data->part[part];
        for (size_t i = 0; i < rows->count; i++) {
            check_row(network, cache, &rows->list[i], &losses, check);
        }
    }
    for (size_t s = 0; s < FAIRY_STACKS; s++) {
        check->stack[s].above = measure_ratio(sums + s * games, losses.counts + s * games, games);
    }
    check->mirror_mean /= (double)check->positions;
    count_units(network->fairy, check);
}

// ---- faults -------------------------------------------------------------------------------------

static void explain_stack(const FairyStackCheck *stack, int s, Text *lines) {
    enum { FEW = 100, FIRSTS = FAIRY_FIRST * 2 * FAIRY_UNITS };
    const int pieces = 32 / FAIRY_STACKS;
    if (stack->positions < FEW) {
        text_add(
            lines,
            "stack %d: %llu of the positions have its %d to %d pieces; if the network was trained "
            "on games of this kind, the stack is hardly fitted: add games with such positions\n",
            s, (unsigned long long)stack->positions, s * pieces + 1, (s + 1) * pieces);
        return; // the other counts mean nothing
    }
    if (stack->dead_first > FAIRY_FIRST / 4) {
        text_add(lines, "stack %d: %d of %d units of the first layer are dead: lower --rate\n", s,
                 stack->dead_first, FAIRY_FIRST);
    }
    if (stack->dead_second > FAIRY_SECOND / 2) {
        text_add(lines, "stack %d: %d of %d units of the second layer are dead: lower --rate\n", s,
                 stack->dead_second, FAIRY_SECOND);
    }
    if (stack->limit_first > FIRSTS / 100 ||
        stack->limit_second > FAIRY_SECOND * (FAIRY_FIRST + 1) / 10) {
        text_add(lines,
                 "stack %d: %d of %d weights of the first layer and %d of the layers above are at "
                 "the limits of 8 bits: lower --rate or raise --decay\n",
                 s, stack->limit_first, FIRSTS, stack->limit_second);
    }
    if (stack->above.value > Z95 * stack->above.error) {
        text_add(lines,
                 "stack %d: the loss %.4f is above that of the weights 'default', by %.4f +- %.4f: "
                 "train on more games, or with more epochs\n",
                 s, stack->loss / stack->weight, stack->above.value, Z95 * stack->above.error);
    }
}

void fairy_check_explain(const FairyCheck *check, Text *lines) {
    enum { WEIGHTS = FAIRY_INPUTS * FAIRY_UNITS, MANY = FAIRY_UNITS / 8, FAR = 50 };
    if (check->swap_max > 0) {
        text_add(lines, "the score changes if the colours are exchanged: this is a fault of the "
                        "program, please report it\n");
    }
    if (check->wrapped > 0) {
        text_add(
            lines,
            "%llu positions have a sum that does not fit in 16 bits: it wraps round, and the "
            "score is wrong; train again from --weights, whose input weights stay within +-%d\n",
            (unsigned long long)check->wrapped, FAIRY_INPUT_MAX);
    }
    if (check->dead > MANY || check->full > MANY) {
        text_add(lines,
                 "of %d units, %d are dead (0 in all positions) and %d full (%d in all positions): "
                 "lower --rate\n",
                 FAIRY_UNITS, check->dead, check->full, FAIRY_ONE);
    }
    if (check->limit_input > WEIGHTS / 1000) {
        text_add(lines,
                 "%llu of %d input weights are at their limits: lower --rate or raise --decay\n",
                 (unsigned long long)check->limit_input, WEIGHTS);
    }
    if (check->mirror_mean > FAR) {
        text_add(lines,
                 "mirrored positions differ by %.0f units on average: train on more games, or with "
                 "more epochs\n",
                 check->mirror_mean);
    }
    for (int s = 0; s < FAIRY_STACKS; s++) explain_stack(&check->stack[s], s, lines);
}
