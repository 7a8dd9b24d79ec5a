// SPDX-License-Identifier: GPL-3.0-or-later
// Writes training positions as an HDF5 file of sparse rows.
#include "tuner/rows/load.h"

// Appends the position `i` of a chunk. An entry with the index RowSet.pairs is the offset.
static void add_row(const RowSet *rows, bool phased, const RowChunk *chunk, uint32_t i,
                    SparseBlock *block) {
    const RowGame *game = &rows->games[chunk->game[i]];
    double offset = 0;
    for (uint32_t k = chunk->begin[i]; k < chunk->begin[i + 1]; k++) {
        if (chunk->pair[k] == rows->pairs) {
            offset = row_coefficient(chunk, k);
            continue;
        }
        sparse_add_int(&block->index, chunk->pair[k]);
        sparse_add_real(&block->coefficient, row_coefficient(chunk, k));
    }
    sparse_add_int(&block->indptr, (int64_t)block->index.count);
    if (phased) sparse_add_real(&block->phase, (double)chunk->phase[i]);
    sparse_add_real(&block->offset, offset);
    sparse_add_real(&block->result, chunk->result[i] < 0 ? -1 : (double)chunk->result[i]);
    sparse_add_int(&block->score, chunk->score_red[i]);
    sparse_add_int(&block->game, (int64_t)game->id);
    sparse_add_int(&block->split, (int64_t)game->split);
    sparse_add_int(&block->source, game->source);
    sparse_add_int(&block->mover, chunk->side_to_move[i]);
    block->rows++;
}

Status rows_write_sparse(const RowSet *rows, const SparseTerms *terms, const float *values,
                         const char *path, const char *provenance, Err *err) {
    AUTO_POINTER(SparseWriter) writer = NULL;
    AUTO(SparseBlock) block = {0};
    size_t row = 0;
    TRY(sparse_writer_open(path, &writer, err));
    for (size_t c = 0; c < rows->chunk_count; c++) {
        sparse_block_reset(&block);
        sparse_add_int(&block.indptr, 0);
        for (uint32_t i = 0; i < rows->chunks[c].count; i++, row++) {
            add_row(rows, terms->phased, &rows->chunks[c], i, &block);
            if (values) sparse_add_real(&block.value, (double)values[row]);
        }
        TRY(sparse_writer_add(writer, &block, err));
    }
    return sparse_writer_finish(TAKE(writer), terms, provenance, err);
}
