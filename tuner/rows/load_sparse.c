// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the training positions of an HDF5 file of sparse rows.
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/command/progress.h"
#include "core/eval/eval.h"
#include "core/system/interrupt.h"
#include "tuner/rows/load.h"

static bool has_our_terms(const SparseTerms *terms) {
    if (terms->terms != WEIGHT_COUNT || !terms->occurrences || terms->phase_max != PHASE_MAX) {
        return false;
    }
    for (int i = 0; i < WEIGHT_COUNT; i++) {
        char name[SPARSE_NAME_SIZE];
        weight_pair_name(i, name, sizeof name);
        if (strcmp(name, terms->names[i]) != 0) return false;
    }
    return true;
}

// Compares a row with its value. Returns false for a mismatch.
static bool check_row(const SparseBlock *block, size_t i, size_t number, const SparseTerms *terms,
                      RowCheck *check) {
    const int64_t begin = block->indptr.ints[i];
    const size_t count = (size_t)(block->indptr.ints[i + 1] - begin);
    const int64_t *index = block->index.ints + begin;
    const double share = block->phase.reals[i] / terms->phase_max;
    AUTO_FREE double(*coefficient)[2] = memory_alloc(count, sizeof *coefficient);
    double sum = block->offset.reals[i], by_phase = 0;
    char where[ROW_CHECK_WHERE_SIZE];
    for (size_t k = 0; k < count; k++) {
        const double c = block->coefficient.reals[begin + (int64_t)k], *w = terms->start[index[k]];
        coefficient[k][0] = coefficient[k][1] = c;
        sum += c * (share * w[0] + (1 - share) * w[1]);
        by_phase += c * (w[0] - w[1]) / terms->phase_max;
    }
    snprintf(where, sizeof where, "row %zu", number);
    const RowChecked row = {.value = block->value.reals[i],
                            .sum = sum,
                            .by_phase = by_phase,
                            .share = share,
                            .factor = 1,
                            .count = count,
                            .index = index,
                            .coefficient = (const double(*)[2])coefficient};
    return row_check_add(check, &row, where);
}

static Status add_row(const SparseBlock *block, size_t i, const RowSet *rows, RowPart *part,
                      Err *err) {
    const int64_t begin = block->indptr.ints[i], end = block->indptr.ints[i + 1];
    const RowHead head = {.phase = (float)block->phase.reals[i],
                          .score_red = (int16_t)block->score.ints[i],
                          .result = (float)block->result.reals[i],
                          .side_to_move = (int8_t)block->mover.ints[i]};
    const RowGame game = {.id = (uint64_t)block->game.ints[i],
                          .split = (uint64_t)block->split.ints[i],
                          .source = (uint32_t)block->source.ints[i]};
    const RowGame *last = part->game_count   ? &part->games[part->game_count - 1]
                          : rows->game_count ? &rows->games[rows->game_count - 1]
                                             : &game;
    if (last->id == game.id && last->source == game.source && last->split != game.split) {
        return err_set(err, STATUS_BAD_INPUT,
                       "'split' is %llu, but the previous row of the same game has another value",
                       (unsigned long long)game.split);
    }
    row_part_add_entries(part, rows->pairs, block->index.ints + begin,
                         block->coefficient.reals + begin, (size_t)(end - begin),
                         block->offset.reals[i], &head, &game);
    return STATUS_OK;
}

// Appends the rows of a block, which begins with row number `first`. Refuses rows of a game that
// are not adjacent, as the format requires.
static Status load_block(const SparseBlock *block, size_t first, const char *path,
                         const SparseTerms *terms, RowCheck *check, RowSet *rows, Err *err) {
    AUTO(RowPart) part = {0};
    for (size_t i = 0; i < block->rows; i++) {
        if (check && !check_row(block, i, first + i, terms, check)) continue;
        const Status status = add_row(block, i, rows, &part, err);
        if (status != STATUS_OK) return err_prefix(err, "%s: row %zu", path, first + i);
    }
    row_set_append(rows, &part);
    if (!rows->scattered) return STATUS_OK;
    const RowGame *game = &rows->games[rows->scattered_game];
    return err_set(err, STATUS_BAD_INPUT,
                   "%s: row %zu belongs to game %lld of source %lu, which has earlier rows "
                   "elsewhere: sort the rows by game",
                   path, rows->scattered - 1, (long long)game->id, (unsigned long)game->source);
}

static Status load_blocks(SparseReader *reader, const char *path, Progress *progress,
                          RowCheck *check, RowSet *rows, Err *err) {
    AUTO(SparseBlock) block = {0};
    for (size_t row = 0; row < sparse_reader_rows(reader); row += block.rows) {
        if (interrupt_requested()) {
            return err_set(err, STATUS_INTERRUPTED, "interrupted while reading");
        }
        TRY(sparse_reader_next(reader, row, &block, err));
        TRY(load_block(&block, row, path, sparse_reader_terms(reader), check, rows, err));
        progress_update(progress, row + block.rows, NULL);
    }
    return STATUS_OK;
}

Status rows_load_sparse(SparseReader *reader, const char *path, FILE *show, RowCheck *check,
                        RowSet *rows, Err *err) {
    const SparseTerms *terms = sparse_reader_terms(reader);
    Progress progress;
    if (terms->terms > SPARSE_MAX_TERMS) {
        return err_set(err, STATUS_BAD_INPUT, "%s: the file has %zu terms; a fit allows at most %d",
                       path, terms->terms, SPARSE_MAX_TERMS);
    }
    row_set_init(rows, (int)terms->terms, terms->phase_max);
    if (!has_our_terms(terms)) {
        _Static_assert((int)TERM_NAME_SIZE == (int)SPARSE_NAME_SIZE,
                       "term names are copied between arrays of these sizes");
        rows->names = memory_alloc(terms->terms, sizeof *rows->names);
        memcpy(rows->names, terms->names, terms->terms * sizeof *rows->names);
    }
    for (int i = 0; i < WEIGHT_COUNT && !rows->names; i++) {
        rows->occurrences[i] = terms->occurrences[i][0];
        rows->occurrence_phase[i] = terms->occurrences[i][1];
    }
    progress_init(&progress, show, !show, "rows", sparse_reader_rows(reader));
    const bool checked = check && terms->start && sparse_reader_has_values(reader);
    if (checked) {
        row_check_init(check, terms->terms, terms->value_unit > 0 ? terms->value_unit : 1);
    }
    Status status = load_blocks(reader, path, &progress, checked ? check : NULL, rows, err);
    progress_finish(&progress, rows->count, "read");
    row_set_finish(rows);
    if (status != STATUS_OK) row_set_clear(rows);
    return status;
}
