// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/store/derive.h"

#include <stdlib.h>
#include <string.h>

#include "datasets/store/store.h"
#include "datasets/store/summary.h"

// ---- provenance --------------------------------------------------------------------------------

static void add_shard_hashes(const Store *store, const char *path, Text *text) {
    char hex[SHA256_HEX_SIZE];
    store_digest(store, hex);
    const char *slash = strrchr(path, '/');
    text_add(text,
             "from %s: games %llu, positions %llu, shards %zu with content hashes of sha256 %s\n",
             slash && slash[1] ? slash + 1 : path, (unsigned long long)store_game_count(store),
             (unsigned long long)store_position_count(store), store_shard_count(store), hex);
}

// Takes the value over; another value from another source is an error for the rules.
static Status join_value(Text *text, const StoreProvenance *made, int i, const char *path,
                         bool must_agree, Err *err) {
    if (!text->data) text_add(text, "%s", made->texts.list[i]);
    const bool same = made->same[i] && strcmp(text_get(text), made->texts.list[i]) == 0;
    if (!same && must_agree) {
        return err_set(err, STATUS_MISMATCH,
                       "%s: %s is '%s' in some shards and something else in others: "
                       "they cannot be one run",
                       path, provenance_names[i], text_get(text));
    }
    if (!same) {
        text_reset(text);
        text_add(text, "(several)");
    }
    return STATUS_OK;
}

Status source_texts_add(SourceTexts *texts, const char *path, Err *err) {
    Store *store = NULL;
    StoreProvenance made = {.same = {false}};
    Status status = store_open(path, &store, err);
    if (status == STATUS_OK) add_shard_hashes(store, path, &texts->source);
    store_close(store);
    if (status == STATUS_OK) status = store_provenance(path, &made, err);
    for (int i = 0; i < PROVENANCE_COUNT && status == STATUS_OK && made.texts.list[i]; i++) {
        if (i == PROVENANCE_rules) status = join_value(&texts->rules, &made, i, path, true, err);
        if (i == PROVENANCE_weights) {
            status = join_value(&texts->weights, &made, i, path, false, err);
        }
        text_add(&texts->source, "%s=%s\n", provenance_names[i],
                 made.same[i] ? made.texts.list[i] : "(several)");
    }
    provenance_texts_clear(&made.texts);
    return status;
}

void source_texts_clear(SourceTexts *texts) {
    text_clear(&texts->rules);
    text_clear(&texts->weights);
    text_clear(&texts->source);
}

// ---- merging -----------------------------------------------------------------------------------

static Status compare_shards(const DeriveSpec *spec, const char *path_a, const ProvenanceTexts *a,
                             const char *path_b, const ProvenanceTexts *b, Err *err) {
    Text here = {0}, there = {0};
    Status status = STATUS_OK;
    if (strcmp(a->rules, b->rules) != 0) {
        status = err_set(err, STATUS_MISMATCH,
                         "%s and %s were not made alike: rules '%.60s' and '%.60s'", path_a, path_b,
                         a->rules, b->rules);
    } else if (!spec->any && !spec->renumber &&
               run_identity_differs(a->identity, b->identity, &here, &there)) {
        status = err_set(err, STATUS_MISMATCH,
                         "%s and %s were not made alike: '%s' and '%s' (--any merges them all the "
                         "same)",
                         path_a, path_b, text_get(&here), text_get(&there));
    }
    text_clear(&here);
    text_clear(&there);
    return status;
}

// What made the first shard. The others must be made by the same. The reader, which is the
// caller's to close, holds the texts.
static Status inherit(const DeriveSpec *spec, const Store *sources, ShardReader **first,
                      const ProvenanceTexts **made, Err *err) {
    const char *first_path = store_shard_path(sources, 0);
    Status status = shard_reader_open(first_path, first, err);
    if (status == STATUS_OK) status = shard_reader_provenance(*first, made, err);
    for (size_t i = 1; i < store_shard_count(sources) && status == STATUS_OK; i++) {
        ShardReader *reader = NULL;
        const ProvenanceTexts *other;
        const char *path = store_shard_path(sources, i);
        status = shard_reader_open(path, &reader, err);
        if (status == STATUS_OK) status = shard_reader_provenance(reader, &other, err);
        if (status == STATUS_OK) status = compare_shards(spec, first_path, *made, path, other, err);
        shard_reader_close(reader);
    }
    return status;
}

// Runs made alike keep what made them; others are a run of the command's own.
static Provenance make_provenance(const DeriveSpec *spec, const ProvenanceTexts *inherited,
                                  const SourceTexts *texts) {
    Provenance made = spec->made;
    made.kind = "derived";
    made.rules = text_get(&texts->rules);
    made.weights = text_get(&texts->weights);
    made.source = text_get(&texts->source);
    if (!inherited || spec->any || spec->renumber) return made;
    made.kind = inherited->kind;
    made.command = inherited->command;
    made.options = inherited->options;
    made.identity = inherited->identity;
    made.seed = strtoull(inherited->seed, NULL, 10);
    return made;
}

// ---- games -------------------------------------------------------------------------------------

typedef struct Deriving {
    const DeriveSpec *spec;
    DeriveReport *report;
    Sha256 hash; // of what is merged
    RunWriter *writers[DERIVE_MAX_OUTPUTS];
    int writer_count;
} Deriving;

static Status derive_opened(void *context, const char *path, ShardReader *reader, Err *err) {
    (void)path;
    Deriving *deriving = context;
    const ShardHead *head = shard_reader_head(reader);
    OptionRange range = head->range;
    if (deriving->spec->renumber) {
        range.first = deriving->report->games;
        range.end = range.first + head->counts[GROUP_GAMES];
    }
    Status status = STATUS_OK;
    deriving->report->shards++;
    for (int i = 0; i < deriving->writer_count && range.first < range.end; i++) {
        status = run_writer_cover(deriving->writers[i], range, err);
        if (status != STATUS_OK) break;
    }
    return status;
}

static Status derive_game(Deriving *deriving, const GameRecord *game, PlyRecord *plies, Err *err) {
    const DeriveSpec *spec = deriving->spec;
    const int to = spec->game ? spec->game(spec->context, game, plies) : 0;
    if (to == DERIVE_DROP) return STATUS_OK;
    bool any = !spec->drop_empty;
    for (uint32_t i = 0; i < game->ply_count && !any; i++) any = plies[i].sampled;
    return any ? run_writer_add(deriving->writers[to], game, plies, err) : STATUS_OK;
}

static Status derive_block(void *context, const ScanBlock *block, Err *err) {
    Deriving *deriving = context;
    GameBatch *batch = block->games;
    Status status = game_batch_check(batch, err);
    if (status != STATUS_OK) err_prefix(err, "%s", block->path);
    for (size_t i = 0; i < batch->count && status == STATUS_OK; i++) {
        GameRecord *game = &batch->games[i];
        if (!deriving->spec->game) {
            uint8_t digest[SHA256_BYTES];
            content_digest(batch, game, digest);
            sha256_add(&deriving->hash, digest, sizeof digest);
        }
        if (deriving->spec->renumber) game->index = deriving->report->games + i;
        status = derive_game(deriving, game, batch->plies + game->first_ply, err);
    }
    deriving->report->games += batch->count;
    deriving->report->plies += batch->ply_count;
    deriving->report->positions += batch->position_count;
    return status;
}

// Goes through all sources in their order.
static Status derive_games(Deriving *deriving, const Store *sources, const Provenance *made,
                           Progress *progress, Err *err) {
    const DeriveSpec *spec = deriving->spec;
    DeriveReport *report = deriving->report;
    const ScanHooks hooks = {.opened = derive_opened, .block = derive_block, .context = deriving};
    PathList files = {0};
    Status status = STATUS_OK;
    for (int i = 0; i < DERIVE_MAX_OUTPUTS && spec->outs[i] && status == STATUS_OK; i++) {
        status = run_writer_open(spec->outs[i], spec->made.command, made, spec->shard_games,
                                 &deriving->writers[i], err);
        if (status == STATUS_OK) deriving->writer_count++;
    }
    for (size_t i = 0; i < store_shard_count(sources); i++) {
        path_list_add(&files, store_shard_path(sources, i));
    }
    if (status == STATUS_OK) status = store_scan_files(&files, &hooks, progress, err);
    path_list_clear(&files);
    for (int i = 0; i < deriving->writer_count; i++) {
        if (status == STATUS_OK) {
            report->out[i] = run_writer_counts(deriving->writers[i]);
            status = run_writer_close(deriving->writers[i], err);
        } else {
            run_writer_abandon(deriving->writers[i]);
        }
    }
    return status;
}

Status store_derive(const DeriveSpec *spec, Progress *progress, DeriveReport *report, Err *err) {
    Deriving deriving = {.spec = spec, .report = report};
    SourceTexts texts = {.rules = {0}};
    const ProvenanceTexts *inherited = NULL;
    ShardReader *first = NULL;
    Store *sources = NULL;
    PathList files;
    *report = (DeriveReport){0};
    sha256_init(&deriving.hash);
    Status status = store_list_all(spec->paths, (size_t)spec->path_count, &files, err);
    if (status == STATUS_OK) {
        const char *remedy = spec->game ? "move one of them away" : "leave one out, or --renumber";
        status = store_open_files(&files, spec->renumber, remedy, &sources, err);
    }
    if (status == STATUS_OK && !spec->game) {
        status = inherit(spec, sources, &first, &inherited, err);
    }
    for (int i = 0; i < spec->path_count && status == STATUS_OK; i++) {
        status = source_texts_add(&texts, spec->paths[i], err);
    }
    if (status == STATUS_OK) {
        const Provenance made = make_provenance(spec, inherited, &texts);
        status = derive_games(&deriving, sources, &made, progress, err);
    }
    sha256_finish_hex(&deriving.hash, report->content_hash);
    source_texts_clear(&texts);
    shard_reader_close(first);
    store_close(sources);
    path_list_clear(&files);
    return status;
}
