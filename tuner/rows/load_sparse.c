// SPDX-License-Identifier: GPL-3.0-or-later
#include <string.h>

#include "core/base/interrupt.h"
#include "core/base/memory.h"
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

static Status add_row(const SparseBlock *block, size_t i, int pairs, RowPart *part, Err *err) {
    const double result = block->result.reals[i];
    const int64_t begin = block->indptr.ints[i], end = block->indptr.ints[i + 1];
    const RowHead head = {.phase = (float)block->phase.reals[i],
                          .score_red = (int16_t)block->score.ints[i],
                          .result = (float)result,
                          .mover = (int8_t)block->mover.ints[i]};
    return row_part_add_entries(part, pairs, block->index.ints + begin,
                                block->coefficient.reals + begin, (size_t)(end - begin),
                                block->offset.reals[i], &head, (uint64_t)block->game.ints[i],
                                (uint32_t)block->source.ints[i], err);
}

static Status load_block(const SparseBlock *block, size_t first, RowSet *rows, Err *err) {
    RowPart part = {0};
    Status status = STATUS_OK;
    for (size_t i = 0; i < block->rows && status == STATUS_OK; i++) {
        status = add_row(block, i, rows->pairs, &part, err);
        if (status != STATUS_OK) err_prefix(err, "row %zu", first + i);
    }
    if (status == STATUS_OK) row_set_append(rows, &part);
    row_part_clear(&part);
    return status;
}

Status rows_load_sparse(SparseReader *reader, const char *cache, Progress *progress, RowSet *rows,
                        Err *err) {
    const SparseTerms *terms = sparse_reader_terms(reader);
    SparseBlock block = {0};
    Status status = STATUS_OK;
    if (terms->terms > SPARSE_MAX_TERMS) {
        return err_set(err, STATUS_BAD_INPUT, "there are %zu terms; a fit has %d at most",
                       terms->terms, SPARSE_MAX_TERMS);
    }
    row_set_init(rows, (int)terms->terms, terms->phase_max);
    if (!has_our_terms(terms)) {
        _Static_assert((int)TERM_NAME_SIZE == (int)SPARSE_NAME_SIZE, "names are copied");
        rows->names = memory_alloc(terms->terms, sizeof *rows->names);
        memcpy(rows->names, terms->names, terms->terms * sizeof *rows->names);
    }
    for (int i = 0; i < WEIGHT_COUNT && !rows->names; i++) {
        rows->occurrences[i] = terms->occurrences[i][0];
        rows->occurrence_phase[i] = terms->occurrences[i][1];
    }
    if (cache) status = row_set_use_file(rows, cache, err);
    for (size_t row = 0; row < sparse_reader_rows(reader) && status == STATUS_OK;) {
        status = interrupt_requested()
                     ? err_set(err, STATUS_INTERRUPTED, "interrupted while reading")
                     : sparse_reader_next(reader, row, &block, err);
        if (status == STATUS_OK) status = load_block(&block, row, rows, err);
        row += block.rows;
        if (progress) progress_update(progress, row, NULL);
    }
    if (status == STATUS_OK) status = row_set_finish(rows, err);
    sparse_block_clear(&block);
    if (status != STATUS_OK) row_set_clear(rows);
    return status;
}
