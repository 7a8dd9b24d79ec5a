// SPDX-License-Identifier: GPL-3.0-or-later
#include "tuner/rows/rows.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/base/random.h"
#include "core/eval/eval.h"
#include "tuner/rows/row_ranks.h"

_Static_assert((int)WEIGHT_COUNT <= (int)OWN_PAIRS_MAX, "increase OWN_PAIRS_MAX");

void row_set_init(RowSet *set, int pairs, double phase_max) {
    memset(set, 0, sizeof *set);
    set->pairs = pairs;
    set->phase_max = phase_max;
    set->chunk_rows = ROWS_CHUNK;
    set->own_end = SIZE_MAX;
    set->lost = memory_alloc(1, sizeof *set->lost);
    // For each group of chunks, hessian.c and game_products.c store a sum for each pair of weights
    // (i, j). The number of groups is halved until all these sums fit into 256 MB, or one group is
    // left.
    const size_t n = 2 * (size_t)pairs,
                 fit = ((size_t)256 << 20) / (n * n / 2 * sizeof(double) + 1);
    for (set->groups = ROW_GROUPS; set->groups > 1 && (size_t)set->groups > fit;) set->groups /= 2;
}

void row_part_clear(RowPart *part) {
    free(part->heads);
    free(part->pair);
    free(part->coefficient);
    free(part->games);
    memset(part, 0, sizeof *part);
}

// ---- growing ------------------------------------------------------------------------------------

// Allocates memory for one more position with this number of entries.
static void reserve_row(RowPart *part, size_t entries) {
    const size_t end = part->entry_count + entries;
    part->heads =
        memory_room(part->heads, &part->head_capacity, part->count + 1, sizeof *part->heads);
    part->pair = memory_room(part->pair, &part->pair_capacity, end, sizeof *part->pair);
    part->coefficient =
        memory_room(part->coefficient, &part->coefficient_capacity, end, sizeof *part->coefficient);
}

static void add_entry(RowPart *part, RowHead *row, int pair, double coefficient) {
    const size_t at = part->entry_count + row->entries++;
    part->pair[at] = (uint16_t)pair;
    part->coefficient[at] = (float)coefficient;
}

uint32_t row_games_add(RowGame **games, size_t *count, size_t *capacity, KeyMap *index,
                       const RowGame *game, uint32_t rows) {
    const RowGame *last = *count ? &(*games)[*count - 1] : NULL;
    size_t place = *count;
    if (!last || last->id != game->id || last->source != game->source) {
        uint64_t *known =
            index ? key_map_at(index, random_mix(random_mix(game->source) ^ game->id)) : NULL;
        if (!known || *known == 0) {
            *games = memory_room(*games, capacity, *count + 1, sizeof **games);
            (*games)[*count] = *game;
            (*games)[(*count)++].rows = 0;
            place = *count;
        }
        if (known && *known == 0) *known = place;
        if (known) place = (size_t)*known;
    }
    (*games)[place - 1].rows += rows;
    return (uint32_t)(place - 1);
}

// ---- one row ------------------------------------------------------------------------------------

// Adds a position to `part`. add_entry() has already appended the coefficients of the position.
static void keep_row(RowPart *part, RowHead *row, const RowGame *game) {
    row->game = row_games_add(&part->games, &part->game_count, &part->game_capacity, NULL, game, 1);
    part->heads[part->count++] = *row;
    part->entry_count += row->entries;
    part->counts.coefficients += row->entries;
}

void row_part_add_entries(RowPart *part, int pairs, const int64_t *index, const double *coefficient,
                          size_t count, double offset, const RowHead *head, const RowGame *game) {
    RowHead row = *head;
    row.entries = 0;
    reserve_row(part, count + 1);
    for (size_t k = 0; k < count; k++) {
        if (coefficient[k] != 0.0) add_entry(part, &row, (int)index[k], coefficient[k]);
    }
    if (offset != 0.0) add_entry(part, &row, pairs, offset);
    keep_row(part, &row, game);
    part->counts.coefficients -= offset != 0.0;
}

// Appends the coefficients of a position that are not 0, as `trace` recorded them. Counts how often
// each weight pair (middlegame and endgame) is used. Tests eight pairs at a time, because a
// position uses few pairs.
static void add_trace(RowPart *part, const EvalTrace *trace, RowHead *row) {
    enum { WORDS = (WEIGHT_COUNT + 7) / 8 };
    union {
        uint8_t terms[8 * WORDS];
        uint64_t words[WORDS];
    } seen = {{0}};
    const uint8_t *red = trace->count[RED], *black = trace->count[BLACK];
    reserve_row(part, WEIGHT_COUNT);
    for (int i = 0; i < WEIGHT_COUNT; i++) seen.terms[i] = red[i] | black[i];
    for (int w = 0; w < WORDS; w++) {
        for (uint64_t left = seen.words[w]; left;) {
            const int byte = bits_lowest64(left) / 8, i = 8 * w + byte;
            const unsigned pieces = (unsigned)red[i] + black[i];
            left &= ~((uint64_t)UINT8_MAX << 8 * byte);
            part->counts.occurrences[i] += pieces;
            part->counts.occurrence_phase[i] += (uint64_t)pieces * (uint64_t)trace->phase;
            if (red[i] != black[i]) add_entry(part, row, i, red[i] - black[i]);
        }
    }
}

Status row_part_add(RowPart *part, const EvalTrace *trace, const Weights *weights,
                    const RowHead *head, const RowGame *game, Err *err) {
    const WeightPair *flat = weights_flat_const(weights);
    RowHead row = *head;
    int64_t mg = 0, eg = 0;
    row.entries = 0;
    row.phase = (float)trace->phase;
    add_trace(part, trace, &row);
    // Check the coefficients as they are stored, because the fit reads only these. The sum of
    // coefficient times weight must equal the middlegame and the endgame sum of the evaluation.
    for (size_t k = part->entry_count; k < part->entry_count + row.entries; k++) {
        mg += (int)part->coefficient[k] * flat[part->pair[k]].mg;
        eg += (int)part->coefficient[k] * flat[part->pair[k]].eg;
    }
    if (mg != trace->sum.mg || eg != trace->sum.eg) {
        return err_set(
            err, STATUS_MISMATCH,
            "the traced terms give the scores %lld/%lld, but the evaluation is %d/%d "
            "(middlegame/endgame): the evaluation scores a term without tracing it, or traces a "
            "term without scoring it",
            (long long)mg, (long long)eg, trace->sum.mg, trace->sum.eg);
    }
    keep_row(part, &row, game);
    return STATUS_OK;
}

RowHead row_head_of(const PositionRecord *position) {
    return (RowHead){
        .side_to_move = position->stm == RED ? 1 : -1,
        .score_red = position->mate_red > 0   ? ROW_SCORE_MATE
                     : position->mate_red < 0 ? -ROW_SCORE_MATE
                                              : position->score_red,
        .result = position->result == RESULT_NONE ? -1.0f : 0.5f * (float)(position->result + 1)};
}

Status row_part_add_board(RowPart *part, const PositionRecord *position, const Position *board,
                          const RowGame *game, const Weights *weights, Err *err) {
    const RowHead head = row_head_of(position);
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

// ---- row sets -----------------------------------------------------------------------------------

// COLUMN(type, name, length) lists the columns of a RowChunk except those of its entries. They
// share one block of memory, so the widest elements come first for alignment.
#define CHUNK_COLUMNS(COLUMN)                                                                      \
    COLUMN(uint32_t, begin, rows + 1)                                                              \
    COLUMN(uint32_t, game, rows)                                                                   \
    COLUMN(float, phase, rows)                                                                     \
    COLUMN(float, result, rows)                                                                    \
    COLUMN(int16_t, score_red, rows)                                                               \
    COLUMN(int8_t, side_to_move, rows)

// Returns an empty chunk with room for this number of positions, and for no entries.
static RowChunk new_chunk(size_t rows) {
    size_t size = 0;
#define COLUMN(type, name, length) size += (length) * sizeof(type);
    CHUNK_COLUMNS(COLUMN)
#undef COLUMN
    char *at = memory_alloc(size, 1);
    RowChunk chunk = {.memory = at, .whole = memory_alloc(1, sizeof *chunk.whole)};
#define COLUMN(type, name, length)                                                                 \
    chunk.name = (type *)(void *)at;                                                               \
    at += (length) * sizeof(type);
    CHUNK_COLUMNS(COLUMN)
#undef COLUMN
    return MOVE(chunk);
}

static void resize_entries(RowChunk *chunk, size_t room) {
    chunk->pair = memory_resize(chunk->pair, room, sizeof *chunk->pair);
    if (chunk->whole) chunk->whole = memory_resize(chunk->whole, room, sizeof *chunk->whole);
    if (chunk->real) chunk->real = memory_resize(chunk->real, room, sizeof *chunk->real);
}

static bool is_whole(float value) {
    return fabsf(value) <= INT8_MAX && value == (float)(int8_t)value;
}

// Stores the coefficients of a chunk as real numbers from now on.
static void make_real(RowChunk *chunk, size_t room) {
    chunk->real = memory_alloc(room, sizeof *chunk->real);
    for (uint32_t k = 0; k < chunk->entry_count; k++) chunk->real[k] = chunk->whole[k];
    free(chunk->whole);
    chunk->whole = NULL;
}

// Writes a position into the last chunk of the set, or into a new one if the last one is sealed.
// Seals a full chunk.
static void write_row(RowSet *set, const RowHead *head, const uint16_t *pair,
                      const float *coefficient) {
    if (!set->open) {
        set->chunks = memory_room(set->chunks, &set->chunk_capacity, set->chunk_count + 1,
                                  sizeof *set->chunks);
        set->chunks[set->chunk_count++] = new_chunk(set->chunk_rows);
        set->open = true;
        set->entry_room = 0;
    }
    RowChunk *chunk = &set->chunks[set->chunk_count - 1];
    const uint32_t row = chunk->count++, end = chunk->entry_count + head->entries;
    if (end > set->entry_room) {
        set->entry_room = memory_grow(set->entry_room, end);
        resize_entries(chunk, set->entry_room);
    }
    for (uint16_t k = 0; k < head->entries && chunk->whole; k++) {
        if (!is_whole(coefficient[k])) make_real(chunk, set->entry_room);
    }
    for (uint32_t at = chunk->entry_count, k = 0; at < end; at++, k++) {
        chunk->pair[at] = pair[k];
        if (chunk->whole) chunk->whole[at] = (int8_t)coefficient[k];
        if (chunk->real) chunk->real[at] = coefficient[k];
    }
    chunk->entry_count = chunk->begin[row + 1] = end; // begin[0] is 0: the memory was zeroed
    chunk->game[row] = head->game;
    chunk->phase[row] = head->phase;
    chunk->score_red[row] = head->score_red;
    chunk->result[row] = head->result;
    chunk->side_to_move[row] = head->side_to_move;
    if (chunk->count == set->chunk_rows) row_set_seal(set);
}

void row_set_seal(RowSet *set) {
    if (!set->open) return;
    RowChunk *chunk = &set->chunks[set->chunk_count - 1];
    resize_entries(chunk, chunk->entry_count ? chunk->entry_count : 1);
    set->open = false;
}

static void add_sense(RowSet *set, const RowHead *head) {
    const int score = head->score_red;
    const int mate = score == ROW_SCORE_MATE ? 1 : score == -ROW_SCORE_MATE ? -1 : 0;
    const int result = head->result < 0 ? RESULT_NONE : (int)lrintf(2 * head->result) - 1;
    if (head->side_to_move == 0) return;
    sense_add(&set->sense, head->game, head->side_to_move > 0 ? RED : BLACK, mate ? 0 : score, mate,
              result);
}

void row_set_append(RowSet *set, const RowPart *part) {
    size_t entry = 0;
    for (size_t i = 0; i < part->count; i++) {
        RowHead head = part->heads[i];
        const RowGame *game = &part->games[head.game];
        assert(set->game_count < UINT32_MAX);
        const uint32_t place = row_games_add(&set->games, &set->game_count, &set->game_capacity,
                                             &set->game_index, game, 1);
        set->count++;
        if (place + 1 < set->game_count && !set->scattered) {
            set->scattered = set->count;
            set->scattered_game = place;
        }
        head.game = set->first_game + place;
        write_row(set, &head, part->pair + entry, part->coefficient + entry);
        entry += head.entries;
        // The positions after the own chunks are counted by the next MPI rank.
        if (set->chunk_count > set->own_end) continue;
        set->without_result += head.result < 0;
        set->without_score += head.score_red == SCORE_UNKNOWN;
        add_sense(set, &head);
    }
    set->coefficients += part->counts.coefficients;
    for (int i = 0; i < WEIGHT_COUNT; i++) {
        // Integers below 2^53 are added, so the sums are exact in any order.
        set->occurrences[i] += (double)part->counts.occurrences[i];
        set->occurrence_phase[i] += (double)part->counts.occurrence_phase[i];
    }
}

void row_set_drop(RowSet *set) {
    for (size_t i = 0; i < set->chunk_count; i++) {
        RowChunk *chunk = &set->chunks[i];
        free(chunk->memory);
        free(chunk->pair);
        free(chunk->whole);
        free(chunk->real);
        *chunk = (RowChunk){0};
    }
    set->chunk_count = 0;
    set->open = false;
}

void row_set_finish(RowSet *set) {
    row_set_seal(set);
    sense_finish(&set->sense);
    key_map_clear(&set->game_index);
    if (set->own_end > set->chunk_count) set->own_end = set->chunk_count;
}

// Appends a copy of position `i` of a chunk to *part, without counting it.
static void copy_row(RowPart *part, const RowChunk *chunk, uint32_t i) {
    RowHead head = {.game = chunk->game[i],
                    .phase = chunk->phase[i],
                    .result = chunk->result[i],
                    .score_red = chunk->score_red[i],
                    .side_to_move = chunk->side_to_move[i]};
    reserve_row(part, chunk->begin[i + 1] - chunk->begin[i]);
    for (uint32_t e = chunk->begin[i]; e < chunk->begin[i + 1]; e++) {
        add_entry(part, &head, chunk->pair[e], row_coefficient(chunk, e));
    }
    part->entry_count += head.entries;
    part->heads[part->count++] = head;
}

void row_set_sort(RowSet *set) {
    const size_t count = set->count;
    AUTO_FREE size_t *next = memory_alloc(set->game_count + 1, sizeof *next);
    AUTO_FREE size_t *order = memory_alloc(count, sizeof *order);
    AUTO_FREE RowBoard *boards = set->boards ? memory_alloc(count, sizeof *boards) : NULL;
    for (size_t i = 0; i < set->game_count; i++) next[i + 1] = next[i] + set->games[i].rows;
    for (size_t row = 0; row < count; row++) {
        const RowChunk *chunk = &set->chunks[row / set->chunk_rows];
        order[next[chunk->game[row % set->chunk_rows]]++] = row;
    }
    AUTO(RowPart) part = {0};
    RowSet sorted = {.chunk_rows = set->chunk_rows};
    for (size_t row = 0; row < count; row++) {
        part.count = part.entry_count = 0;
        copy_row(&part, &set->chunks[order[row] / set->chunk_rows],
                 (uint32_t)(order[row] % set->chunk_rows));
        write_row(&sorted, part.heads, part.pair, part.coefficient);
        if (boards) boards[row] = set->boards[order[row]];
    }
    row_set_seal(&sorted);
    row_set_drop(set);
    free(set->chunks);
    set->chunks = sorted.chunks;
    set->chunk_count = sorted.chunk_count;
    set->chunk_capacity = sorted.chunk_capacity;
    if (boards) memcpy(set->boards, boards, count * sizeof *boards);
}

void row_set_clear(RowSet *set) {
    row_set_drop(set);
    free(set->chunks);
    free(set->games);
    free(set->boards);
    free(set->names);
    free(set->content);
    free(set->sample);
    free(set->lost);
    key_map_clear(&set->game_index);
    memset(set, 0, sizeof *set);
}
