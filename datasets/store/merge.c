// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/store/merge.h"

#include <stdio.h>
#include <string.h>

#include "core/base/memory.h"
#include "datasets/store/derive.h"
#include "datasets/store/store.h"
#include "datasets/store/summary.h"

// ---- do they fit? ------------------------------------------------------------------------------

static Status compare_shards(const char *path_a, const ProvenanceTexts *a, const char *path_b,
                             const ProvenanceTexts *b, bool any, Err *err) {
    Text here = {0}, there = {0};
    Status status = STATUS_OK;
    if (strcmp(a->rules, b->rules) != 0) {
        status = err_set(err, STATUS_MISMATCH,
                         "%s and %s were not made alike: rules '%.60s' and '%.60s'", path_a, path_b,
                         a->rules, b->rules);
    } else if (!any && run_identity_differs(a->identity, b->identity, &here, &there)) {
        status = err_set(err, STATUS_MISMATCH,
                         "%s and %s were not made alike: '%s' and '%s' (--any merges them all the "
                         "same)",
                         path_a, path_b, text_get(&here), text_get(&there));
    }
    text_clear(&here);
    text_clear(&there);
    return status;
}

// What the first shard was made by, which every other must have been, too. The reader, which is the
// caller's to close, holds the texts.
static Status inherit(const MergeSpec *spec, const Store *sources, ShardReader **first,
                      const ProvenanceTexts **made, Err *err) {
    Status status = shard_reader_open(store_shard_path(sources, 0), first, err);
    if (status == STATUS_OK) status = shard_reader_provenance(*first, made, err);
    for (size_t i = 1; i < store_shard_count(sources) && status == STATUS_OK; i++) {
        ShardReader *reader = NULL;
        const ProvenanceTexts *other;
        const char *path = store_shard_path(sources, i);
        status = shard_reader_open(path, &reader, err);
        if (status == STATUS_OK) status = shard_reader_provenance(reader, &other, err);
        if (status == STATUS_OK) {
            status = compare_shards(store_shard_path(sources, 0), *made, path, other,
                                    spec->any || spec->renumber, err);
        }
        shard_reader_close(reader);
    }
    return status;
}

// Runs made alike keep what made them; others are a run of this command's own.
static Status make_provenance(const MergeSpec *spec, const ProvenanceTexts *inherited,
                              SourceTexts *texts, Provenance *provenance, Err *err) {
    Status status = STATUS_OK;
    for (int i = 0; i < spec->path_count && status == STATUS_OK; i++) {
        status = source_texts_add(texts, spec->paths[i], err);
    }
    const bool alike = !spec->any && !spec->renumber;
    *provenance = (Provenance){
        .kind = alike ? inherited->kind : "derived",
        .command = alike ? inherited->command : spec->command,
        .options = alike ? inherited->options : spec->options,
        .identity = alike ? inherited->identity : spec->identity,
        .rules = inherited->rules,
        .weights = text_get(&texts->weights),
        .source = text_get(&texts->source),
        .seed = alike ? strtoull(inherited->seed, NULL, 10) : 0,
    };
    return status;
}

// ---- copying -----------------------------------------------------------------------------------

typedef struct Merging {
    const MergeSpec *spec;
    MergeReport *report;
    RunWriter *writer;
    Sha256 hash;
} Merging;

static Status merge_opened(void *context, const char *path, ShardReader *reader, Err *err) {
    (void)path;
    Merging *merging = context;
    const ShardHead *head = shard_reader_head(reader);
    merging->report->shards++;
    const uint64_t first = merging->report->games;
    const OptionRange range = merging->spec->renumber
                                  ? (OptionRange){first, first + head->counts[GROUP_GAMES]}
                                  : head->range;
    return range.first == range.end ? STATUS_OK : run_writer_cover(merging->writer, range, err);
}

static Status merge_block(void *context, const ScanBlock *block, Err *err) {
    Merging *merging = context;
    GameBatch *batch = block->games;
    Status status = game_batch_check(batch, err);
    if (status != STATUS_OK) err_prefix(err, "%s", block->path);
    for (size_t i = 0; i < batch->count && status == STATUS_OK; i++) {
        GameRecord *game = &batch->games[i];
        uint8_t digest[SHA256_BYTES];
        content_digest(batch, game, digest);
        sha256_add(&merging->hash, digest, sizeof digest);
        if (merging->spec->renumber) game->index = merging->report->games + i;
        status = run_writer_add(merging->writer, game, batch->plies + game->first_ply, err);
    }
    merging->report->games += batch->count;
    merging->report->plies += batch->ply_count;
    merging->report->positions += batch->position_count;
    return status;
}

// Goes through all sources in their order.
static Status merge_sources(const MergeSpec *spec, const Store *sources, RunWriter *writer,
                            Progress *progress, MergeReport *report, Err *err) {
    Merging merging = {.spec = spec, .report = report, .writer = writer};
    PathList files = {0};
    sha256_init(&merging.hash);
    for (size_t i = 0; i < store_shard_count(sources); i++) {
        path_list_add(&files, store_shard_path(sources, i));
    }
    const ScanHooks hooks = {.opened = merge_opened, .block = merge_block, .context = &merging};
    const Status status = store_scan_files(&files, &hooks, progress, err);
    path_list_clear(&files);
    sha256_finish_hex(&merging.hash, report->content_hash);
    return status;
}

Status store_merge(const MergeSpec *spec, Progress *progress, MergeReport *report, Err *err) {
    *report = (MergeReport){0};
    PathList files;
    Store *sources = NULL;
    ShardReader *first = NULL;
    const ProvenanceTexts *made = NULL;
    SourceTexts texts = {.rules = {0}};
    Provenance provenance = {0};
    RunWriter *writer = NULL;
    Status status = store_list_all(spec->paths, (size_t)spec->path_count, &files, err);
    if (status == STATUS_OK) {
        status =
            store_open_files(&files, spec->renumber, "leave one out, or --renumber", &sources, err);
    }
    if (status == STATUS_OK) status = inherit(spec, sources, &first, &made, err);
    if (status == STATUS_OK) status = make_provenance(spec, made, &texts, &provenance, err);
    if (status == STATUS_OK) {
        status =
            run_writer_open(spec->out, spec->command, &provenance, spec->shard_games, &writer, err);
    }
    if (status == STATUS_OK) status = merge_sources(spec, sources, writer, progress, report, err);
    if (status == STATUS_OK) {
        status = run_writer_close(writer, err);
    } else {
        run_writer_abandon(writer);
    }
    source_texts_clear(&texts);
    shard_reader_close(first);
    store_close(sources);
    path_list_clear(&files);
    return status;
}
