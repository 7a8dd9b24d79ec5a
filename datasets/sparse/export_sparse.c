// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/exchange/export.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "core/base/memory.h"
#include "core/eval/eval.h"
#include "core/system/interrupt.h"
#include "core/system/version.h"
#include "datasets/sparse/sparse_file.h"
#include "datasets/store/game_key.h"

enum { SCORE_MATE = 32000, BLOCK_ROWS = 16384 };

typedef struct SparseExport {
    const Weights *start;
    SparseWriter *writer;
    SparseBlock *block;
    SparseTerms *terms;
    ExportReport *report;
    GameLinks *links; // state for finding copies and the records of groups
    GameTree added;   // the game (with its variations) of the position that was exported last
} SparseExport;

// Appends the nonzero coefficients of a position, and counts the occurrences of the terms. Returns
// an error if the sum of coefficients times weights differs from the evaluation.
static Status add_entries(SparseExport *export, const EvalTrace *trace, Err *err) {
    const WeightPair *weights = weights_flat_const(export->start);
    WeightPair sum = {0, 0};
    for (int i = 0; i < WEIGHT_COUNT; i++) {
        const int red = trace->count[RED][i], black = trace->count[BLACK][i];
        export->terms->occurrences[i][0] += red + black;
        export->terms->occurrences[i][1] += (double)(red + black) * trace->phase;
        if (red == black) continue;
        sparse_add_int(&export->block->index, i);
        sparse_add_real(&export->block->coefficient, red - black);
        sum.mg += (red - black) * weights[i].mg;
        sum.eg += (red - black) * weights[i].eg;
    }
    if (sum.mg == trace->sum.mg && sum.eg == trace->sum.eg) return STATUS_OK;
    return err_set(err, STATUS_MISMATCH,
                   "the traced terms give the scores %d/%d, but the evaluation is %d/%d "
                   "(middlegame/endgame); please report this error",
                   sum.mg, sum.eg, trace->sum.mg, trace->sum.eg);
}

static Status add_row(SparseExport *export, const PositionRecord *position, const GameTree *tree,
                      Err *err) {
    SparseBlock *block = export->block;
    EvalTrace trace;
    Position board;
    TRY(position_record_board(position, &board, err));
    evaluate_traced(&board, export->start, &trace);
    if (add_entries(export, &trace, err) != STATUS_OK) {
        char fen[FEN_SIZE];
        position_to_fen(&board, FEN_UCI, fen);
        return err_prefix(err, "game %llu, ply %u, %s", (unsigned long long)position->game,
                          position->ply, fen);
    }
    int64_t score = position->score_red;
    if (position->mate_red != 0) score = position->mate_red > 0 ? SCORE_MATE : -SCORE_MATE;
    sparse_add_int(&block->indptr, (int64_t)block->index.count);
    sparse_add_real(&block->phase, trace.phase);
    sparse_add_real(&block->offset, 0);
    sparse_add_real(&block->result,
                    position->result == RESULT_NONE ? -1 : 0.5 * (position->result + 1));
    sparse_add_int(&block->score, score);
    sparse_add_int(&block->game, (int64_t)tree->game);
    sparse_add_int(&block->split, (int64_t)tree->split);
    sparse_add_int(&block->source, tree->source);
    sparse_add_int(&block->mover, position->stm == RED ? 1 : -1);
    export->report->games +=
        tree->game != export->added.game || tree->source != export->added.source;
    export->added = *tree;
    block->rows++;
    export->report->positions++;
    return STATUS_OK;
}

static Status flush(SparseExport *export, Err *err) {
    TRY(sparse_writer_add(export->writer, export->block, err));
    sparse_block_reset(export->block);
    sparse_add_int(&export->block->indptr, 0);
    return STATUS_OK;
}

static Status add_shard(SparseExport *export, const Store *store, size_t shard, uint32_t source,
                        Err *err) {
    AUTO(GameBatch) games = {0};
    AUTO(GameKeys) keys = {0};
    size_t at = 0;
    TRY(store_read_shard(store, shard, &games, err));
    const PositionRecord *positions = games.positions;
    game_keys_of(&games, &keys);
    game_keys_link(&keys, source, export->links);
    if (export->links->scattered) {
        return err_set(err, STATUS_BAD_INPUT,
                       "%s: the positions of some games are not together: sort the imported file "
                       "by its number of the game and import it again",
                       store_shard_path(store, shard));
    }
    export->report->copies += keys.copies;
    for (size_t i = 0; i < games.position_count; i++) {
        if (!game_keys_find(&keys, positions[i].game, &at)) continue;
        const GameTree tree = game_keys_tree(&keys, at, source);
        if (add_row(export, &positions[i], &tree, err) != STATUS_OK) {
            return err_prefix(err, "%s", store_shard_path(store, shard));
        }
        if (export->block->rows == BLOCK_ROWS) TRY(flush(export, err));
    }
    return STATUS_OK;
}

static Status add_store(SparseExport *export, const char *path, uint32_t source, Progress *progress,
                        Err *err) {
    AUTO_POINTER(Store) store = NULL;
    TRY(store_open(path, &store, err));
    for (size_t i = 0; i < store_shard_count(store); i++) {
        if (interrupt_requested()) return err_set(err, STATUS_INTERRUPTED, "interrupted");
        TRY(add_shard(export, store, i, source, err));
        progress_update(progress, export->report->games, NULL);
    }
    return STATUS_OK;
}

static void init_terms(const Weights *start, SparseTerms *terms) {
    *terms = (SparseTerms){.terms = WEIGHT_COUNT,
                           .phase_max = PHASE_MAX,
                           .names = memory_alloc(WEIGHT_COUNT, sizeof *terms->names),
                           .start = memory_alloc(WEIGHT_COUNT, sizeof *terms->start),
                           .occurrences = memory_alloc(WEIGHT_COUNT, sizeof *terms->occurrences)};
    for (int i = 0; i < WEIGHT_COUNT; i++) {
        weight_pair_name(i, terms->names[i], sizeof terms->names[i]);
        terms->start[i][0] = weights_flat_const(start)[i].mg;
        terms->start[i][1] = weights_flat_const(start)[i].eg;
    }
}

Status export_sparse(const char *const *paths, int count, const char *out, const Weights *start,
                     Progress *progress, ExportReport *report, Err *err) {
    AUTO_POINTER(SparseWriter) writer = NULL;
    AUTO(SparseBlock) block = {0};
    AUTO(SparseTerms) terms = {0};
    AUTO(GameLinks) links = {0};
    AUTO(Text) provenance = {0};
    AUTO(PathList) files = {0};
    struct stat written;
    // Check all paths before the file is created.
    TRY(store_list_all(paths, (size_t)count, false, &files, err));
    text_add(&provenance, "paotai %s %s: data export --rows", PAOTAI_VERSION, version_revision());
    for (int i = 0; i < count; i++) text_add(&provenance, " %s", paths[i]);
    TRY(sparse_writer_open(out, &writer, err));
    init_terms(start, &terms);
    sparse_add_int(&block.indptr, 0);
    SparseExport export = {start, writer, &block, &terms, report, &links, .added.game = TREE_NONE};
    for (int i = 0; i < count; i++) TRY(add_store(&export, paths[i], (uint32_t)i, progress, err));
    TRY(flush(&export, err));
    TRY(sparse_writer_finish(TAKE(writer), &terms, provenance.data, err));
    if (stat(out, &written) != 0) {
        return err_set(err, STATUS_IO, "cannot read the size of %s: %s", out, strerror(errno));
    }
    report->bytes += (uint64_t)written.st_size;
    return STATUS_OK;
}
