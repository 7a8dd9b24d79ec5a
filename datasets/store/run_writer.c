// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/store/run_writer.h"

#include "core/base/memory.h"

struct RunWriter {
    char *dir;
    RunLock *lock;
    const Provenance *provenance;
    size_t shard_games;
    GameBatch batch;
    OptionRange range; // of the shard that is being filled; its end is what was promised
    RunWriterCounts counts;
};

Status run_writer_open(const char *dir, const Provenance *provenance, size_t shard_games,
                       RunWriter **writer, Err *err) {
    RunLock *lock = NULL;
    Status status = run_directory_new(dir, err);
    if (status == STATUS_OK) status = run_directory_lock(dir, &lock, err);
    if (status != STATUS_OK) return status;
    *writer = memory_alloc(1, sizeof **writer);
    (*writer)->dir = memory_copy_text(dir);
    (*writer)->lock = lock;
    (*writer)->provenance = provenance;
    (*writer)->shard_games = shard_games;
    return STATUS_OK;
}

// Writes the games at hand as the shard of range.first up to `end`.
static Status flush(RunWriter *writer, uint64_t end, Err *err) {
    char name[SHARD_NAME_SIZE];
    if (end == writer->range.first) return STATUS_OK;
    const OptionRange range = {writer->range.first, end};
    const Status status =
        shard_write(writer->dir, &writer->batch, range, writer->provenance, name, err);
    if (status != STATUS_OK) {
        return err_remedy(err, "%s is incomplete: mend this, remove it and begin again",
                          writer->dir);
    }
    writer->counts.shards++;
    writer->range.first = end;
    game_batch_reset(&writer->batch);
    return STATUS_OK;
}

Status run_writer_cover(RunWriter *writer, OptionRange range, Err *err) {
    if (range.first == writer->range.end) {
        writer->range.end = range.end;
        return STATUS_OK;
    }
    const Status status = flush(writer, writer->range.end, err);
    if (status == STATUS_OK) writer->range = range;
    return status;
}

Status run_writer_add(RunWriter *writer, const GameRecord *game, const PlyRecord *plies, Err *err) {
    if (writer->batch.count >= writer->shard_games) {
        const Status status = flush(writer, game->index, err);
        if (status != STATUS_OK) return status;
    }
    game_batch_append(&writer->batch, game, plies);
    writer->counts.games++;
    writer->counts.plies += game->ply_count;
    for (uint32_t i = 0; i < game->ply_count; i++) writer->counts.positions += plies[i].sampled;
    return STATUS_OK;
}

RunWriterCounts run_writer_counts(const RunWriter *writer) {
    return writer->counts;
}

Status run_writer_close(RunWriter *writer, Err *err) {
    if (!writer) return STATUS_OK;
    const Status status = flush(writer, writer->range.end, err);
    run_writer_abandon(writer);
    return status;
}

void run_writer_abandon(RunWriter *writer) {
    if (!writer) return;
    game_batch_clear(&writer->batch);
    run_directory_unlock(writer->lock);
    free(writer->dir);
    free(writer);
}
