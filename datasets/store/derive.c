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

// ---- games -------------------------------------------------------------------------------------

typedef struct Deriving {
    const DeriveSpec *spec;
    DeriveReport *report;
    RunWriter *writers[DERIVE_MAX_OUTPUTS];
    int writer_count;
} Deriving;

static Status derive_opened(void *context, const char *path, ShardReader *reader, Err *err) {
    (void)path;
    Deriving *deriving = context;
    Status status = STATUS_OK;
    for (int i = 0; i < deriving->writer_count && status == STATUS_OK; i++) {
        status = run_writer_cover(deriving->writers[i], shard_reader_head(reader)->range, err);
    }
    return status;
}

static Status derive_game(Deriving *deriving, const GameRecord *game, PlyRecord *plies, Err *err) {
    const int to = deriving->spec->game(deriving->spec->context, game, plies);
    if (to == DERIVE_DROP) return STATUS_OK;
    bool any = !deriving->spec->drop_empty;
    for (uint32_t i = 0; i < game->ply_count && !any; i++) any = plies[i].sampled;
    return any ? run_writer_add(deriving->writers[to], game, plies, err) : STATUS_OK;
}

static Status derive_block(void *context, const ScanBlock *block, Err *err) {
    Deriving *deriving = context;
    const GameBatch *batch = block->games;
    Status status = game_batch_check(block->games, err);
    if (status != STATUS_OK) err_prefix(err, "%s", block->path);
    for (size_t i = 0; i < batch->count && status == STATUS_OK; i++) {
        const GameRecord *game = &batch->games[i];
        status = derive_game(deriving, game, batch->plies + game->first_ply, err);
    }
    deriving->report->games += batch->count;
    deriving->report->plies += batch->ply_count;
    deriving->report->positions += batch->position_count;
    return status;
}

Status store_derive(const DeriveSpec *spec, Progress *progress, DeriveReport *report, Err *err) {
    *report = (DeriveReport){0};
    Deriving deriving = {.spec = spec, .report = report};
    SourceTexts texts = {0};
    Status status = source_texts_add(&texts, spec->path, err);
    const Provenance provenance = {
        .kind = "derived",
        .command = spec->command,
        .options = spec->options,
        .identity = spec->identity,
        .rules = text_get(&texts.rules),
        .weights = text_get(&texts.weights),
        .source = text_get(&texts.source),
        .seed = spec->seed,
    };
    for (int i = 0; i < DERIVE_MAX_OUTPUTS && spec->outs[i] && status == STATUS_OK; i++) {
        status = run_writer_open(spec->outs[i], spec->command, &provenance, spec->shard_games,
                                 &deriving.writers[i], err);
        if (status == STATUS_OK) deriving.writer_count++;
    }
    const ScanHooks hooks = {.opened = derive_opened, .block = derive_block, .context = &deriving};
    if (status == STATUS_OK) status = store_scan(spec->path, &hooks, progress, err);
    for (int i = 0; i < deriving.writer_count; i++) {
        if (status == STATUS_OK) {
            report->out[i] = run_writer_counts(deriving.writers[i]);
            status = run_writer_close(deriving.writers[i], err);
        } else {
            run_writer_abandon(deriving.writers[i]);
        }
    }
    source_texts_clear(&texts);
    return status;
}
