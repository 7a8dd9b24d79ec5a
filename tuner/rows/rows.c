// SPDX-License-Identifier: GPL-3.0-or-later
#include "tuner/rows/rows.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "core/base/memory.h"
#include "tuner/rows/row_ranks.h"

_Static_assert((int)WEIGHT_COUNT <= (int)ROW_MAX_PAIRS, "indices have 16 bits");

void row_set_init(RowSet *set, int pairs, double phase_max) {
    memset(set, 0, sizeof *set);
    set->pairs = pairs;
    set->phase_max = phase_max;
    set->chunk_rows = ROWS_CHUNK;
    set->own_chunks = SIZE_MAX;
    set->trouble = memory_alloc(1, sizeof *set->trouble);
    // Each group has sums of products of any two weights (hessian.c): 256 MB together.
    const size_t n = 2 * (size_t)pairs,
                 fit = ((size_t)256 << 20) / (n * n / 2 * sizeof(double) + 1);
    for (set->groups = ROW_GROUPS; set->groups > 1 && (size_t)set->groups > fit;) set->groups /= 2;
}

void row_part_clear(RowPart *part) {
    free(part->heads);
    free(part->indices);
    free(part->values);
    free(part->games);
    memset(part, 0, sizeof *part);
}

// ---- growing ------------------------------------------------------------------------------------

void row_part_reserve(RowPart *part, size_t heads, size_t indices, size_t values) {
    part->heads =
        memory_room(part->heads, &part->head_capacity, part->count + heads, sizeof *part->heads);
    part->indices = memory_room(part->indices, &part->index_capacity, part->index_count + indices,
                                sizeof *part->indices);
    part->values = memory_room(part->values, &part->value_capacity, part->value_count + values,
                               sizeof *part->values);
}

uint32_t row_games_add(RowGame **games, size_t *count, size_t *capacity, const RowGame *game,
                       uint32_t rows) {
    const RowGame *last = *count ? &(*games)[*count - 1] : NULL;
    if (!last || last->id != game->id || last->source != game->source) {
        if (*count == *capacity) {
            *capacity = memory_grow(*capacity, *count + 1);
            *games = memory_resize(*games, *capacity, sizeof **games);
        }
        (*games)[*count] = *game;
        (*games)[(*count)++].rows = 0;
    }
    (*games)[*count - 1].rows += rows;
    return (uint32_t)(*count - 1);
}

// ---- one row ------------------------------------------------------------------------------------

static bool is_repeatable(double coefficient) {
    const double size = fabs(coefficient);
    return size == 1.0 || size == 2.0 || size == 3.0;
}

// Appends the indices whose coefficients are whole and of this sign, as often as they say.
static uint16_t *add_repeats(uint16_t *to, const int64_t *index, const double *coefficient,
                             size_t count, int sign) {
    for (size_t k = 0; k < count; k++) {
        if (!is_repeatable(coefficient[k]) || (coefficient[k] < 0) != (sign < 0)) continue;
        for (int copy = 0; copy < (int)fabs(coefficient[k]); copy++)
            *to++ = (uint16_t)(2 * index[k]);
    }
    return to;
}

static Status too_long(Err *err) {
    return err_set(err, STATUS_BAD_INPUT,
                   "the row has more than %d small whole coefficients of one sign or %d others",
                   UINT8_MAX, UINT16_MAX);
}

// Writes indices and values behind those of the part, and their counts to *head.
static Status write_row(RowPart *part, int pairs, const int64_t *index, const double *coefficient,
                        size_t count, double offset, RowHead *head, Err *err) {
    size_t other = 0;
    row_part_reserve(part, 1, ROW_REPEATS * count + 1, count + 1);
    uint16_t *begin = part->indices + part->index_count;
    uint16_t *minus = add_repeats(begin, index, coefficient, count, 1);
    uint16_t *end = add_repeats(minus, index, coefficient, count, -1);
    float *values = part->values + part->value_count;
    for (size_t k = 0; k < count; k++) {
        if (is_repeatable(coefficient[k]) || coefficient[k] == 0.0) continue;
        end[other] = (uint16_t)(2 * index[k]);
        values[other++] = (float)coefficient[k];
    }
    if (offset != 0.0) { // the constant pair behind the weights
        end[other] = (uint16_t)(2 * pairs);
        values[other++] = (float)offset;
    }
    if (minus - begin > UINT8_MAX || end - minus > UINT8_MAX || other > UINT16_MAX) {
        return too_long(err);
    }
    head->plus = (uint8_t)(minus - begin);
    head->minus = (uint8_t)(end - minus);
    head->other = (uint16_t)other;
    return STATUS_OK;
}

// Keeps a row that was written, of so many coefficients that are not 0.
static void keep_row(RowPart *part, RowHead *head, size_t coefficients, const RowGame *game) {
    head->game = row_games_add(&part->games, &part->game_count, &part->game_capacity, game, 1);
    part->heads[part->count++] = *head;
    part->index_count += row_indices(head);
    part->value_count += head->other;
    part->coefficients += coefficients;
}

Status row_part_add_entries(RowPart *part, int pairs, const int64_t *index,
                            const double *coefficient, size_t count, double offset,
                            const RowHead *head, const RowGame *game, Err *err) {
    RowHead row = *head;
    size_t zeros = 0;
    for (size_t k = 0; k < count; k++) zeros += coefficient[k] == 0.0;
    const Status status = write_row(part, pairs, index, coefficient, count, offset, &row, err);
    if (status == STATUS_OK) keep_row(part, &row, count - zeros, game);
    return status;
}

// ---- from a trace -------------------------------------------------------------------------------

// The stored row times the weights, read back from where it will be read by every pass.
static void row_dot(const RowHead *head, const uint16_t *indices, const float *values,
                    const Weights *weights, int64_t *mg, int64_t *eg) {
    const Score *flat = weights_flat_const(weights);
    const uint16_t *minus = indices + head->plus, *other = minus + head->minus;
    *mg = *eg = 0;
    for (; indices < minus; indices++) {
        *mg += flat[*indices / 2].mg;
        *eg += flat[*indices / 2].eg;
    }
    for (; indices < other; indices++) {
        *mg -= flat[*indices / 2].mg;
        *eg -= flat[*indices / 2].eg;
    }
    for (int k = 0; k < head->other; k++) {
        *mg += (int)values[k] * flat[other[k] / 2].mg;
        *eg += (int)values[k] * flat[other[k] / 2].eg;
    }
}

// The entries of a trace that are not 0, in order: repeated indices of either sign, and others.
typedef struct TraceEntries {
    size_t plus, minus, other, count;
    uint16_t plus_index[ROW_REPEATS * (WEIGHT_COUNT + 1)];
    uint16_t minus_index[ROW_REPEATS * (WEIGHT_COUNT + 1)];
    uint16_t other_index[WEIGHT_COUNT];
    float value[WEIGHT_COUNT];
} TraceEntries;

// What is written behind the end of a list is written over.
ALWAYS_INLINE void add_entry(TraceEntries *to, int term, int coefficient) {
    for (int copy = 0; copy < ROW_REPEATS; copy++) {
        to->plus_index[to->plus + (size_t)copy] = to->minus_index[to->minus + (size_t)copy] =
            (uint16_t)(2 * term);
    }
    to->plus += (unsigned)coefficient <= ROW_REPEATS ? (size_t)coefficient : 0;
    to->minus += (unsigned)-coefficient <= ROW_REPEATS ? (size_t)-coefficient : 0;
    to->count += coefficient != 0;
    if (LIKELY(abs(coefficient) <= ROW_REPEATS)) return;
    to->other_index[to->other] = (uint16_t)(2 * term);
    to->value[to->other++] = (float)coefficient;
}

// Reads a trace, and counts what occurs. Eight terms are looked at together, as most do not occur.
static void trace_entries(RowPart *part, const EvalTrace *trace, TraceEntries *to) {
    enum { WORDS = (WEIGHT_COUNT + 7) / 8 };
    union {
        uint8_t terms[8 * WORDS];
        uint64_t words[WORDS];
    } seen = {{0}};
    const uint8_t *red = trace->count[RED], *black = trace->count[BLACK];
    to->plus = to->minus = to->other = to->count = 0;
    for (int i = 0; i < WEIGHT_COUNT; i++) seen.terms[i] = red[i] | black[i];
    for (int w = 0; w < WORDS; w++) {
        for (uint64_t left = seen.words[w]; left;) {
            const int byte = bits_lowest64(left) / 8, i = 8 * w + byte;
            const unsigned pieces = (unsigned)red[i] + black[i];
            left &= ~((uint64_t)UINT8_MAX << 8 * byte);
            part->occurrences[i] += pieces;
            part->occurrence_phase[i] += (uint64_t)pieces * (uint64_t)trace->phase;
            add_entry(to, i, red[i] - black[i]);
        }
    }
}

Status row_part_add(RowPart *part, const EvalTrace *trace, const Weights *weights,
                    const RowHead *origin, const RowGame *game, Err *err) {
    TraceEntries row;
    int64_t mg, eg;
    trace_entries(part, trace, &row);
    RowHead head = *origin;
    head.phase = (float)trace->phase;
    if (row.plus > UINT8_MAX || row.minus > UINT8_MAX) return too_long(err);
    head.plus = (uint8_t)row.plus;
    head.minus = (uint8_t)row.minus;
    head.other = (uint16_t)row.other;
    row_part_reserve(part, 1, row_indices(&head), row.other);
    uint16_t *to = part->indices + part->index_count;
    float *values = part->values + part->value_count;
    memcpy(to, row.plus_index, row.plus * sizeof *to);
    memcpy(to + row.plus, row.minus_index, row.minus * sizeof *to);
    for (size_t k = 0; k < row.other; k++) {
        to[row.plus + row.minus + k] = row.other_index[k];
        values[k] = row.value[k];
    }
    row_dot(&head, to, values, weights, &mg, &eg);
    if (mg != trace->sum.mg || eg != trace->sum.eg) {
        return err_set(err, STATUS_MISMATCH,
                       "the row times the weights is %lld/%lld, the evaluation is %d/%d "
                       "(middlegame/endgame): a term is scored without being traced, or traced "
                       "without being scored",
                       (long long)mg, (long long)eg, trace->sum.mg, trace->sum.eg);
    }
    keep_row(part, &head, row.count, game);
    return STATUS_OK;
}

Status row_part_add_board(RowPart *part, const PositionRecord *position, const Position *board,
                          const RowGame *game, const Weights *weights, Err *err) {
    const RowHead head = {.mover = position->stm == RED ? 1 : -1,
                          .score_red = position->mate_red > 0   ? ROW_SCORE_MATE
                                       : position->mate_red < 0 ? -ROW_SCORE_MATE
                                                                : position->score_red,
                          .result = 0.5f * (float)(position->result + 1)};
    EvalTrace trace;
    evaluate_traced(board, weights, &trace);
    const Status status = row_part_add(part, &trace, weights, &head, game, err);
    if (status != STATUS_OK) {
        char fen[FEN_SIZE];
        position_to_fen(board, FEN_UCI, fen);
        err_prefix(err, "game %llu, ply %u, %s", (unsigned long long)position->game, position->ply,
                   fen);
    }
    return status;
}

// ---- sets ---------------------------------------------------------------------------------------

// Moves the pending rows into a chunk of their own.
static void seal(RowSet *set) {
    RowPart *part = &set->pending;
    if (part->count == 0) return;
    set->chunks =
        memory_room(set->chunks, &set->chunk_capacity, set->chunk_count + 1, sizeof *set->chunks);
    RowChunk *chunk = &set->chunks[set->chunk_count++];
    *chunk = row_chunk_make(part, &set->stored);
    const bool own = set->chunk_count <= set->own_chunks;
    set->groups_stored += own ? chunk->group_count : 0;
    set->indices += own ? chunk->index_count : 0;
    set->values += own ? chunk->value_count : 0;
    for (size_t i = 0; own && i < part->count; i++) {
        set->without_result += part->heads[i].result < 0;
        set->without_score += part->heads[i].score_red == SCORE_UNKNOWN;
    }
    set->count += part->count;
    part->count = part->index_count = part->value_count = 0;
}

void row_set_append(RowSet *set, const RowPart *part) {
    RowPart *pending = &set->pending;
    size_t index = 0, value = 0;
    for (size_t i = 0; i < part->count; i++) {
        RowHead head = part->heads[i];
        const RowGame *game = &part->games[head.game];
        assert(set->game_count < UINT32_MAX);
        head.game = set->first_game +
                    row_games_add(&set->games, &set->game_count, &set->game_capacity, game, 1);
        const size_t length = row_indices(&head);
        row_part_reserve(pending, 1, length, head.other);
        pending->heads[pending->count++] = head;
        if (length > 0) { // else both may be NULL still, as below
            memcpy(pending->indices + pending->index_count, part->indices + index,
                   length * sizeof *pending->indices);
        }
        if (head.other > 0) {
            memcpy(pending->values + pending->value_count, part->values + value,
                   head.other * sizeof *pending->values);
        }
        pending->index_count += length;
        pending->value_count += head.other;
        index += length;
        value += head.other;
        if (pending->count == set->chunk_rows) seal(set);
    }
    set->coefficients += part->coefficients;
    for (int i = 0; i < WEIGHT_COUNT; i++) {
        // Sums of whole numbers: exact below 2^53, in any order.
        set->occurrences[i] += (double)part->occurrences[i];
        set->occurrence_phase[i] += (double)part->occurrence_phase[i];
    }
}

void row_set_finish(RowSet *set) {
    seal(set);
    row_part_clear(&set->pending);
    row_part_clear(&set->stored);
    set->own_end = set->chunk_count;
}

void row_set_clear(RowSet *set) {
    for (size_t i = 0; i < set->chunk_count; i++) {
        free(set->chunks[i].memory);
    }
    free(set->chunks);
    free(set->games);
    free(set->names);
    free(set->content);
    free(set->trouble);
    row_part_clear(&set->pending);
    row_part_clear(&set->stored);
    memset(set, 0, sizeof *set);
}

RowHead row_at(const RowChunk *chunk, uint32_t i) {
    return (RowHead){.game = chunk->game[i],
                     .phase = chunk->phase[i],
                     .score_red = chunk->score_red[i],
                     .result = chunk->result[i],
                     .mover = chunk->mover[i]};
}

uint64_t row_set_head_bytes(const RowSet *set) {
    return set->count * 18 + set->groups_stored * sizeof(RowGroup);
}

uint64_t row_set_coefficient_bytes(const RowSet *set) {
    return set->indices * sizeof(uint16_t) + set->values * sizeof(float);
}
