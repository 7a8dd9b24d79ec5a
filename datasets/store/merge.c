// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/store/merge.h"

#include <stdio.h>
#include <string.h>

#include "core/base/memory.h"
#include "datasets/store/derive.h"
#include "datasets/store/scan.h"
#include "datasets/store/summary.h"

// ---- the sources -------------------------------------------------------------------------------

// A shard of any of the sources.
typedef struct Source {
    char *path;
    ShardHead head;
} Source;

typedef struct Sources {
    Source *list;
    size_t count;
} Sources;

static void sources_clear(Sources *sources) {
    for (size_t i = 0; i < sources->count; i++) free(sources->list[i].path);
    free(sources->list);
    *sources = (Sources){0};
}

static int compare_sources(const void *a, const void *b) {
    const uint64_t x = ((const Source *)a)->head.range.first;
    const uint64_t y = ((const Source *)b)->head.range.first;
    return (x > y) - (x < y);
}

static Status add_sources(Sources *sources, const char *path, Err *err) {
    PathList files;
    Status status = store_list_files(path, &files, err);
    if (status == STATUS_OK && files.count == 0) {
        status = err_set(err, STATUS_NOT_FOUND, "%s holds no shards (shard-*.h5)", path);
    }
    for (size_t i = 0; i < files.count && status == STATUS_OK; i++) {
        Source source = {.path = files.paths[i]};
        status = shard_read_head(source.path, &source.head, err);
        if (status != STATUS_OK) break;
        source.path = memory_copy_text(source.path);
        sources->list = memory_resize(sources->list, sources->count + 1, sizeof source);
        sources->list[sources->count++] = source;
    }
    path_list_clear(&files);
    return status;
}

static Status check_ranges(const Sources *sources, Err *err) {
    for (size_t i = 1; i < sources->count; i++) {
        const Source *a = &sources->list[i - 1], *b = &sources->list[i];
        if (b->head.range.first >= a->head.range.end) continue;
        return err_set(err, STATUS_MISMATCH,
                       "%s and %s both hold games from %llu on: leave one out, or --renumber",
                       a->path, b->path, (unsigned long long)b->head.range.first);
    }
    return STATUS_OK;
}

static Status find_sources(const MergeSpec *spec, Sources *sources, Err *err) {
    Status status = STATUS_OK;
    for (int i = 0; i < spec->path_count && status == STATUS_OK; i++) {
        status = add_sources(sources, spec->paths[i], err);
    }
    if (status != STATUS_OK || spec->renumber) return status;
    qsort(sources->list, sources->count, sizeof *sources->list, compare_sources);
    return check_ranges(sources, err);
}

// ---- do they fit? ------------------------------------------------------------------------------

// What the merged run inherits from its first shard, and every other must have, too.
typedef struct Inherited {
    char *kind, *command, *rules, *options, *identity;
    uint64_t seed;
} Inherited;

static void inherited_clear(Inherited *inherited) {
    char *texts[] = {inherited->kind, inherited->command, inherited->rules, inherited->options,
                     inherited->identity};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) free(texts[i]);
    *inherited = (Inherited){0};
}

static Status read_inherited(const char *path, Inherited *inherited, Err *err) {
    const struct {
        const char *name;
        char **value;
    } texts[] = {{"kind", &inherited->kind},
                 {"command", &inherited->command},
                 {"rules", &inherited->rules},
                 {"options", &inherited->options},
                 {"identity", &inherited->identity}};
    ShardReader *reader = NULL;
    Status status = shard_reader_open(path, &reader, err);
    if (status == STATUS_OK) status = shard_reader_seed(reader, &inherited->seed, err);
    for (size_t i = 0; i < sizeof texts / sizeof *texts && status == STATUS_OK; i++) {
        status = shard_reader_provenance(reader, texts[i].name, texts[i].value, err);
    }
    shard_reader_close(reader);
    return status;
}

static Status compare_inherited(const char *path_a, const Inherited *a, const char *path_b,
                                const Inherited *b, bool any, Err *err) {
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

static Status inherit(const MergeSpec *spec, const Sources *sources, Inherited *inherited,
                      Err *err) {
    Status status = read_inherited(sources->list[0].path, inherited, err);
    for (size_t i = 1; i < sources->count && status == STATUS_OK; i++) {
        Inherited other = {0};
        status = read_inherited(sources->list[i].path, &other, err);
        if (status == STATUS_OK) {
            status = compare_inherited(sources->list[0].path, inherited, sources->list[i].path,
                                       &other, spec->any || spec->renumber, err);
        }
        inherited_clear(&other);
    }
    return status;
}

// Runs made alike keep what made them; others are a run of this command's own.
static Status make_provenance(const MergeSpec *spec, const Inherited *inherited, SourceTexts *texts,
                              Provenance *provenance, Err *err) {
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
        .seed = alike ? inherited->seed : 0,
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
static Status merge_sources(const MergeSpec *spec, const Sources *sources, RunWriter *writer,
                            Progress *progress, MergeReport *report, Err *err) {
    Merging merging = {.spec = spec, .report = report, .writer = writer};
    sha256_init(&merging.hash);
    PathList files = {.paths = memory_alloc(sources->count, sizeof(char *)),
                      .count = sources->count};
    for (size_t i = 0; i < sources->count; i++) files.paths[i] = sources->list[i].path;
    const ScanHooks hooks = {.opened = merge_opened, .block = merge_block, .context = &merging};
    const Status status = store_scan_files(&files, &hooks, progress, err);
    free(files.paths);
    sha256_finish_hex(&merging.hash, report->content_hash);
    return status;
}

Status store_merge(const MergeSpec *spec, Progress *progress, MergeReport *report, Err *err) {
    *report = (MergeReport){0};
    Sources sources = {0};
    Inherited inherited = {0};
    SourceTexts texts = {.rules = {0}};
    Provenance provenance = {0};
    RunWriter *writer = NULL;
    Status status = find_sources(spec, &sources, err);
    if (status == STATUS_OK) status = inherit(spec, &sources, &inherited, err);
    if (status == STATUS_OK) status = make_provenance(spec, &inherited, &texts, &provenance, err);
    if (status == STATUS_OK) {
        status =
            run_writer_open(spec->out, spec->command, &provenance, spec->shard_games, &writer, err);
    }
    if (status == STATUS_OK) status = merge_sources(spec, &sources, writer, progress, report, err);
    if (status == STATUS_OK) {
        status = run_writer_close(writer, err);
    } else {
        run_writer_abandon(writer);
    }
    source_texts_clear(&texts);
    inherited_clear(&inherited);
    sources_clear(&sources);
    return status;
}
